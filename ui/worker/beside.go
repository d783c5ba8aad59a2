package worker

import (
	"path"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/elsewhere"
	"backfill-lab/core/log"
	"backfill-lab/core/reading"
	"backfill-lab/core/schedule"
	"backfill-lab/core/workload/input"
	"backfill-lab/ui/protocol"
)

// aside is an external schedule. It stays until another one or none takes its place,
// whatever is edited and run meanwhile.
type aside struct {
	name  string              // of the file
	rows  []schedule.Row      // as read
	names *anonymise.Renaming // nil: the names are those of the file
	shown []schedule.Row      // with the new names; nil without
}

// rename has the external schedule follow a scenario that was anonymised, or its undo,
// from the next run on.
func (s *Session) rename(m Message, q protocol.Rename) error {
	s.names = nil
	if q.Anonymous {
		pairs, err := protocol.TextsOf(m.Bufs)
		if err != nil {
			return err
		}
		s.names = &anonymise.Renaming{Pairs: pairs, Earlier: q.Earlier}
	}
	if q.Drop {
		s.aside = nil
	}
	if s.aside != nil {
		s.aside = s.aside.renamed(s.names)
	}
	return nil
}

// renamed returns the same schedule under other names.
func (a *aside) renamed(names *anonymise.Renaming) *aside {
	if a.names == names {
		return a
	}
	out := &aside{name: a.name, rows: a.rows, names: names}
	if names != nil {
		out.shown = names.Rows(a.rows)
	}
	return out
}

// title returns what the page shows as the name of the schedule.
func (a *aside) title() string {
	if a.names != nil {
		return anonymise.ScheduleTitle
	}
	return a.name
}

// of sets the schedule beside the jobs of results.
func (a *aside) of(rs *results) (*elsewhere.Beside, error) {
	o, rows := elsewhere.Options{Rates: rs.Speed != nil}, a.rows
	if a.names != nil {
		o.Anonymous, o.Earlier, rows = true, a.names.Earlier, a.shown
	}
	return elsewhere.Of(rows, rs.Work.Jobs, rs.Scenario.Machine.Machine, o)
}

// beside reads the schedule of a file as a task, and shows it with the present results
// or, if there are none, with the next ones.
func (s *Session) beside(m Message, q protocol.Beside) error {
	if m.File == nil && len(m.Bufs) == 0 {
		s.begin(m.ID, func(t *task) error { return t.sets(nil) })
		return nil
	}
	s.begin(m.ID, func(t *task) error {
		a, err := t.readAside(m, q)
		if err != nil {
			return err
		}
		return t.sets(a)
	})
	return nil
}

func (t *task) readAside(m Message, q protocol.Beside) (*aside, error) {
	name := path.Base(q.Name)
	choice, err := choiceOf(q.Records)
	if err != nil {
		return nil, err
	}
	from := sourceOf(m)
	t.phase(protocol.Progress{Phase: "reading", Total: from.size, Unit: "bytes"})
	rows, err := reading.Starts(from.stream(), input.Options{Progress: func(bytes int64) error { return t.pause(t.s.host.Now(), bytes) }}, choice)
	if t.over.Load() {
		return nil, errGivenUp
	}
	if err != nil {
		return nil, t.unreadable(name, err)
	}
	return &aside{name: name, rows: rows}, nil
}

// unreadable returns an error in the file of a schedule, under the name that may be shown.
func (t *task) unreadable(name string, err error) error {
	gone := t.speak(func() {
		if t.s.names != nil {
			name = anonymise.ScheduleTitle
		}
	})
	if gone != nil {
		return gone
	}
	return reading.Fault(name, err)
}

// sets has a schedule stand beside the results from now on.
func (t *task) sets(a *aside) error {
	var last *results
	if err := t.speak(func() {
		if last = t.s.last; a != nil {
			a = a.renamed(t.s.names)
		}
	}); err != nil {
		return err
	}
	if last == nil {
		return t.end(func() {
			t.s.aside = a
			t.s.host.Post("beside", t.id, nil, nil)
		})
	}
	rs := &results{order: last.order, sorts: last.sorts}
	for _, r := range last.list {
		if !r.file {
			rs.list = append(rs.list, r)
		}
	}
	if err := rs.set(t, a); err != nil {
		return err
	}
	if err := t.speak(func() { t.s.aside = a }); err != nil {
		return err
	}
	return t.ran(rs)
}

// set adds the schedule to results, if it is of their jobs.
func (rs *results) set(t *task, a *aside) error {
	if rs.aside = a; a == nil {
		return nil
	}
	if err := t.breathe(); err != nil {
		return err
	}
	got, err := a.of(rs)
	if err != nil {
		rs.unfit = err.Error()
		return nil
	}
	r := &result{file: true, title: a.title(), log: got.Log, checked: true, contends: rs.Speed != nil}
	for _, f := range got.Findings {
		r.findings = append(r.findings, f.String())
	}
	rs.notes = got.Notes
	if err := rs.measure(t, r); err != nil {
		return err
	}
	rs.list = append(rs.list, r)
	return nil
}

// told returns what the page is told of the schedule of a file, nil if there is none.
func (rs *results) told() *protocol.Aside {
	if rs.aside == nil {
		return nil
	}
	return &protocol.Aside{Name: rs.aside.title(), Unfit: rs.unfit, Notes: rs.notes}
}

// meta returns the lines of program, scenario and policy, or file, that exports carry.
func (rs *results) meta(r *result) []log.MetaLine {
	for i, x := range rs.list {
		if x == r && !r.file {
			return rs.Meta(i)
		}
	}
	return append(rs.Meta(0)[:2], log.MetaLine{Key: "schedule", Value: r.title})
}
