package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/reading"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// file is a file on its way.
type file struct {
	source  source
	text    io.Reader // of the source
	open    protocol.Open
	options input.Options
	draw    func(*registry.Order) (*registry.Drawn, error)
}

// read reads the file. Jobs that are more than a page can hold are only counted.
func (f *file) read() (*opened, error) {
	format, err := f.format()
	if err != nil {
		return nil, err
	}
	n, err := reading.Count(format, f.source, f.source.size, mostOpened, f.options)
	if err == nil {
		err = roomFor(n)
	}
	if err != nil {
		return nil, err
	}
	if f.text = f.source.stream(); format == reading.JSON {
		return f.scenario()
	}
	sum := sha256.New()
	f.text = io.TeeReader(f.text, sum)
	got, err := f.jobs(format)
	if err == nil {
		err = roomFor(len(got.jobs)) // gzip data may state less text than it holds
	}
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, f.text); err != nil { // what follows the text in the file
		return nil, err
	}
	got.frame = ofFile(f.open, got, hex.EncodeToString(sum.Sum(nil)))
	return got, nil
}

// format tells the format by the name or, where that does not tell, by the content.
func (f *file) format() (format string, err error) {
	if format = reading.Named(f.open.Name); format == "" {
		format, _, err = reading.Sniffed(f.source.stream(), f.options)
	}
	return format, err
}

func (f *file) jobs(format string) (*opened, error) {
	switch format {
	case reading.SWF:
		return f.swf()
	case reading.CSV:
		return f.csv()
	}
	return f.accounts()
}

func (f *file) swf() (*opened, error) {
	if err := f.open.Rules.Validate(); err != nil {
		return nil, err
	}
	b, waits := workload.NewBuilder(f.open.Rules), false
	sum, err := swf.Each(f.text, swf.Options{Options: f.options}, func(line int, r *swf.Record) error {
		waits = waits || r[swf.Wait] >= 0
		return b.Each(line, r)
	})
	if err != nil {
		return nil, err
	}
	procs, told := f.size(int(sum.Header.Procs()))
	if err := valid(procs); err != nil {
		return nil, err
	}
	w, err := b.FinishFile(procs, sum)
	if err != nil {
		return nil, err
	}
	if !told && f.open.Procs <= 0 {
		w.Report.Notes = append(w.Report.Notes,
			fmt.Sprintf("The file does not tell its machine: the jobs are for the machine of the scenario, with %d processors.", procs))
	}
	got := fromWorkload(w)
	got.starts = waits
	if got.told = told; told {
		got.wide, got.widest = 0, 0
	}
	return got, nil
}

// size returns the number of processors that jobs are read for: the number asked for, else
// the file's own, else that of the machine at hand. told reports whether the file tells it.
func (f *file) size(own int) (procs int, told bool) {
	switch {
	case f.open.Procs > 0:
		return f.open.Procs, false
	case own > 0:
		return own, true
	}
	return f.open.AtHand, false
}

// valid judges the machine that a file tells, or the one at hand, 0 where there
// is none.
func valid(procs int) error {
	if procs <= 0 {
		return reading.ErrNoMachine
	}
	m := cluster.Flat(procs)
	return m.Validate()
}

func (f *file) csv() (*opened, error) {
	table, err := csv.Read(f.text, csv.Options{Options: f.options})
	if err != nil {
		return nil, err
	}
	procs, _ := f.size(0)
	if procs <= 0 {
		return nil, reading.ErrNoMachine
	}
	extras, notes := extras(table, f.open.Extras)
	if n := len(extras); n > cluster.MaxResources {
		return nil, fmt.Errorf("columns res:NAME: expected at most %d extra resources with those of the machine, got %d", cluster.MaxResources, n)
	}
	reading.Reorder(table.Jobs, table.Resources, extras)
	w, err := reading.Table(table, procs, f.open.Rules)
	if err != nil {
		return nil, err
	}
	got := fromWorkload(w)
	got.extras, got.resources = table.Resources, extras
	got.report = append(got.report, notes...)
	got.starts = slices.ContainsFunc(table.Kept, func(name string) bool { return strings.EqualFold(name, "start") })
	return got, nil
}

// extras returns the extra resources of the machine at hand, and those that a table names
// beside them. A table does not tell how much of these there is.
func extras(t *csv.Table, atHand []protocol.Resource) (list []cluster.Resource, notes []string) {
	list = machine(protocol.Machine{Resources: atHand}).Resources
	for k, name := range t.Resources {
		if slices.ContainsFunc(list, func(r cluster.Resource) bool { return r.Name == name }) {
			continue
		}
		r := cluster.Resource{Name: name, Capacity: 1}
		for i := range t.Jobs {
			r.Capacity = max(r.Capacity, t.Jobs[i].Extra(k))
		}
		list = append(list, r)
		notes = append(notes, fmt.Sprintf("The file does not tell how much of %s the machine has: %d is taken, the most that a job asks for.", name, r.Capacity))
	}
	return list, notes
}

func fromWorkload(w *workload.Workload) *opened {
	got := &opened{jobs: w.Jobs, procs: w.Procs, wide: w.Report.N(workload.TooWide), widest: w.Report.Widest}
	got.tell(&w.Report)
	return got
}

func (o *opened) tell(r *workload.Report) {
	o.report, o.dropped, o.altered = r.Sentences(), r.Dropped(), r.Altered()
}

// keep passes on what we do not know of jobs, or says that it is too much.
func (o *opened) keep(list []scenario.Fields) {
	const most = 20_000 // rows; more would keep the page from answering
	n := 0
	for row, f := range list {
		if len(f) == 0 {
			continue
		}
		if n++; n <= most {
			o.kept = append(o.kept, protocol.Kept{Row: row, Fields: f})
		}
	}
	if n > most {
		o.report = append(o.report, fmt.Sprintf("Not kept: the unknown fields of %d jobs after the first %d with such.", n-most, most))
	}
}

// scenario returns the jobs as they are written: a run applies the rules.
func (f *file) scenario() (*opened, error) {
	data, err := reading.Whole(f.text, f.options)
	if err != nil {
		return nil, err
	}
	var whole []byte
	if lesson.Is(data) {
		l, err := lesson.Parse(data)
		if err != nil {
			return nil, err
		}
		whole, data = data, l.Scenario
	}
	sc, err := scenario.Parse(data)
	if err != nil {
		return nil, err
	}
	got := &opened{jobs: sc.Workload.Jobs, procs: sc.Machine.Slots(), told: true, title: sc.Title, lesson: whole}
	setup, note, err := f.setup(sc, got)
	if err != nil {
		return nil, err
	}
	if err := roomFor(len(got.jobs)); err != nil {
		return nil, err
	}
	got.tell(&setup.Work.Report)
	got.report = append(got.report, note...)
	for _, x := range sc.Machine.Resources {
		got.extras = append(got.extras, x.Name)
	}
	got.keep(sc.Workload.JobsKept)
	sc.Workload.Jobs, sc.Workload.JobsKept = nil, nil
	got.frame = sc
	return got, nil
}

// setup returns the scenario ready to run. The jobs that a generator draws go where
// they can be seen and edited; until they are, they are the generator's.
func (f *file) setup(sc *scenario.Scenario, got *opened) (s *scenario.Setup, note []string, err error) {
	if sc.Workload.Generator == nil {
		s, err = sc.Setup()
		return s, nil, err
	}
	if err := sc.Validate(); err != nil {
		return nil, nil, err
	}
	got.order = sc.Order()
	d, err := f.draw(got.order)
	if err != nil {
		return nil, nil, err
	}
	got.jobs = d.Jobs
	if note = got.order.Describe(); d.Note != "" {
		note = append(note, d.Note)
	}
	s, err = sc.WithDrawn(d.Jobs)
	return s, note, err
}

// draw draws an order in steps.
func (t *task) draw(o *registry.Order) (*registry.Drawn, error) {
	r, err := o.Start()
	if err != nil {
		return nil, err
	}
	if err := roomFor(r.Total()); err != nil {
		return nil, err
	}
	t.phase(protocol.Progress{Phase: "drawing", Total: int64(r.Total()), Unit: "jobs"})
	for more := true; more; {
		if more, err = r.Step(500); err != nil {
			return nil, err
		}
		if err := t.pause(t.s.host.Now(), int64(r.Done())); err != nil {
			return nil, err
		}
	}
	return r.Drawn(), nil
}
