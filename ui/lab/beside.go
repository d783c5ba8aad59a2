package lab

import (
	"path"

	"backfill-lab/core/elsewhere"
	"backfill-lab/core/log"
	"backfill-lab/core/reading"
	"backfill-lab/core/schedule"
	"backfill-lab/core/workload/input"
	"backfill-lab/ui/proto"
)

// aside is the schedule of a file. It stays until another one or none takes its place,
// whatever is edited and run meanwhile.
type aside struct {
	name string
	rows []schedule.Row
}

// beside reads the schedule of a file as a task, and shows it with the present results
// or, if there are none, with the next ones.
func (s *Session) beside(m Message, q proto.Beside) error {
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

func (t *task) readAside(m Message, q proto.Beside) (*aside, error) {
	name := path.Base(q.Name)
	choice, err := choiceOf(q.Records)
	if err != nil {
		return nil, err
	}
	text, size, err := source(m)
	if err != nil {
		return nil, reading.Fault(name, err)
	}
	defer text.Close()
	t.phase(proto.Progress{Phase: "reading", Total: size, Unit: "bytes"})
	rows, err := reading.Starts(readable{text}, input.Options{Progress: func(bytes int64) error { return t.pause(t.s.host.Now(), bytes) }}, choice)
	if t.over.Load() {
		return nil, errGivenUp
	}
	if err != nil {
		return nil, reading.Fault(name, err)
	}
	return &aside{name, rows}, nil
}

// sets has a schedule stand beside the results from now on.
func (t *task) sets(a *aside) error {
	var last *results
	if err := t.speak(func() { last = t.s.last }); err != nil {
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
	got, err := elsewhere.Of(a.rows, rs.Work.Jobs, rs.Scenario.Machine.Machine, rs.Speed != nil)
	if err != nil {
		rs.unfit = err.Error()
		return nil
	}
	r := &result{file: true, title: a.name, log: got.Log, checked: true, contends: rs.Speed != nil}
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

// told is what the page is told of the schedule of a file, nil if there is none.
func (rs *results) told() *proto.Aside {
	if rs.aside == nil {
		return nil
	}
	return &proto.Aside{Name: rs.aside.name, Unfit: rs.unfit, Notes: rs.notes}
}

// meta is the lines of program, scenario and policy, or file, that exports carry.
func (rs *results) meta(r *result) []log.MetaLine {
	for i, x := range rs.list {
		if x == r && !r.file {
			return rs.Meta(i)
		}
	}
	return append(rs.Meta(0)[:2], log.MetaLine{Key: "schedule", Value: r.title})
}
