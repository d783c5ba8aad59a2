package worker

import (
	"fmt"
	"path"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/external"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/opening"
	"backfill-lab/core/schedule"
	"backfill-lab/core/workload/input"
	"backfill-lab/ui/protocol"
)

// externalSchedule is a schedule that was read from a file and not made by a policy of the
// scenario. It stays until it is replaced or removed, even if the scenario is edited and run again.
type externalSchedule struct {
	name  string              // name of the file
	rows  []schedule.Row      // as read from the file
	names *anonymise.Renaming // says how to replace the names in the file; nil to show them unchanged
	shown []schedule.Row      // rows with the replaced names; nil if names is nil
}

// rename replaces the names in the external schedule after the scenario was anonymised. After an undo, it
// restores the original names. If q.Drop is set, it removes the schedule. The results show the change
// after the next run.
func (s *Session) rename(m Message, q protocol.Rename) error {
	s.names = nil
	if q.Anonymous {
		pairs, err := protocol.DecodeTexts(m.Bufs)
		if err != nil {
			return err
		}
		s.names = &anonymise.Renaming{Pairs: pairs, Shift: q.Earlier}
	}
	if q.Drop {
		s.external = nil
	}
	if s.external != nil {
		s.external = s.external.withNames(s.names)
	}
	return nil
}

// withNames returns the schedule with its job names replaced according to a renaming. If the renaming is nil, the
// schedule keeps the names from its file.
func (a *externalSchedule) withNames(names *anonymise.Renaming) *externalSchedule {
	if a.names == names {
		return a
	}
	out := &externalSchedule{name: a.name, rows: a.rows, names: names}
	if names != nil {
		out.shown = names.Rows(a.rows)
	}
	return out
}

// title returns the name under which the page shows the schedule.
func (a *externalSchedule) title() string {
	if a.names != nil {
		return anonymise.ScheduleTitle
	}
	return a.name
}

// match assigns the rows of the schedule to the jobs of rs. It returns an error if a job of
// the schedule differs from the job with the same ID in rs.
func (a *externalSchedule) match(rs *results) (*external.Imported, error) {
	o, rows := external.Options{Rates: rs.Speed != nil, Clock: rs.clock}, a.rows
	if a.names != nil {
		o.Anonymous, o.Shift, rows = true, a.names.Shift, a.shown
	}
	return external.Import(rows, rs.Work.Jobs, rs.Scenario.Machine.Machine, o)
}

// openExternal reads an external schedule in a task and adds it to the current results. If there
// are no results yet, the next run adds it. A message without a file removes the external schedule.
func (s *Session) openExternal(m Message, q protocol.OpenExternal) error {
	if m.File == nil && len(m.Bufs) == 0 {
		s.start(m.ID, func(t *task) error { return t.showExternal(nil) })
		return nil
	}
	s.start(m.ID, func(t *task) error {
		a, err := t.readExternal(m, q)
		if err != nil {
			return err
		}
		return t.showExternal(a)
	})
	return nil
}

// readExternal reads the file of a message as an external schedule.
func (t *task) readExternal(m Message, q protocol.OpenExternal) (*externalSchedule, error) {
	name := path.Base(q.Name)
	choice, err := choiceOf(q.Records)
	if err != nil {
		return nil, err
	}
	from := sourceOf(m)
	t.phase(protocol.Progress{Phase: "reading", Total: from.size, Unit: "bytes"})
	rows, err := opening.ReadStarts(from.stream(), input.Options{Progress: func(bytes int64) error { return t.pause(t.s.host.Now(), bytes) }}, choice)
	if t.cancelled.Load() {
		return nil, errCancelled
	}
	if err != nil {
		return nil, t.fileError(name, err)
	}
	return &externalSchedule{name: name, rows: rows}, nil
}

// fileError describes an error in the file of an external schedule. It hides the file name
// if the scenario is anonymised.
func (t *task) fileError(name string, err error) error {
	cancelled := t.withLock(func() {
		if t.s.names != nil {
			name = anonymise.ScheduleTitle
		}
	})
	if cancelled != nil {
		return cancelled
	}
	return opening.WithFile(name, err)
}

// showExternal replaces the external schedule by a, or removes it if a is nil. Then it posts the current
// results with this change. If there are no results yet, it only confirms the request.
func (t *task) showExternal(a *externalSchedule) error {
	var last *results
	if err := t.withLock(func() {
		if last = t.s.last; a != nil {
			a = a.withNames(t.s.names)
		}
	}); err != nil {
		return err
	}
	if last == nil {
		return t.finish(func() {
			t.s.external = a
			t.s.host.Post("external", t.id, nil, nil)
		})
	}
	rs := &results{preparedRun: last.preparedRun, classifications: last.classifications}
	for _, r := range last.list {
		if !r.isExternal {
			rs.list = append(rs.list, r)
		}
	}
	if err := rs.addExternal(t, a); err != nil {
		return err
	}
	if err := t.withLock(func() { t.s.external = a }); err != nil {
		return err
	}
	return t.publish(rs)
}

// addExternal adds the external schedule a to the results, unless a is nil. If the jobs of the schedule differ
// from those of the results, addExternal does not add it, and rs.unfit says why. If the schedule uses so many
// processors that the utilization would be above 100 %, this metric does not apply, and the first finding says so.
func (rs *results) addExternal(t *task, a *externalSchedule) error {
	if rs.external = a; a == nil {
		return nil
	}
	if err := t.yield(); err != nil {
		return err
	}
	got, err := a.match(rs)
	if err != nil {
		rs.unfit = err.Error()
		return nil
	}
	r := &result{isExternal: true, title: a.title(), log: got.Log, checked: true, hasSlowdowns: rs.Speed != nil}
	for _, f := range got.Findings {
		r.findings = append(r.findings, findingText(f, rs.clock))
	}
	rs.notes = got.Notes
	if err := rs.measure(t, r); err != nil {
		return err
	}
	if over := metrics.CheckUse(schedule.FromLog(r.log).Rows, r.log.Machine); over != nil && !metrics.Find(r.values, "utilization").Applies {
		r.findings = append([]string{fmt.Sprintf("The utilization cannot be computed, because %s. Set the size of the real machine in the Machine tab, or correct the file.", over.Text(rs.clock))}, r.findings...)
	}
	rs.list = append(rs.list, r)
	return nil
}

// externalHead describes the external schedule for the page. It returns nil if there is none.
func (rs *results) externalHead() *protocol.External {
	if rs.external == nil {
		return nil
	}
	return &protocol.External{Name: rs.external.title(), Unfit: rs.unfit, Notes: rs.notes}
}

// meta returns the header lines for the exported files of a result. They name the program and the
// scenario, then the policy or the external schedule.
func (rs *results) meta(r *result) []log.MetaLine {
	for i, x := range rs.list {
		if x == r && !r.isExternal {
			return rs.Meta(i)
		}
	}
	all := rs.Meta(0)
	all[2] = log.MetaLine{Key: "schedule", Value: r.title}
	return all
}

// simulated returns the results of the policies, without the external schedule.
func (rs *results) simulated() []*result {
	if n := len(rs.list); n > 0 && rs.list[n-1].isExternal {
		return rs.list[:n-1]
	}
	return rs.list
}
