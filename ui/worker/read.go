package worker

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/opening"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// file is a file that the worker is reading.
type file struct {
	source  source
	text    io.Reader                                         // bytes of the source, not decompressed
	open    protocol.Open                                     // the request to read the file
	options input.Options                                     // callback for progress
	draw    func(*registry.Settings) (*registry.Drawn, error) // lets a generator draw jobs
	hash    func() Hash                                       // returns a new SHA-256 hash
}

// read reads the file. It first counts the jobs, and returns an error if there are more than a page
// can hold. For a file that contains only jobs, it also computes the hash of the bytes.
func (f *file) read() (*fileContent, error) {
	format, err := f.format()
	if err != nil {
		return nil, err
	}
	n, err := opening.Count(format, f.source, f.source.size, maxOpenedJobs, f.options)
	if err == nil {
		err = checkJobCount(n)
	}
	if err != nil {
		return nil, err
	}
	if f.text = f.source.stream(); format == opening.JSON {
		return f.readScenario()
	}
	sum := f.hash()
	f.text = io.TeeReader(f.text, sum)
	got, err := f.readJobs(format)
	if err == nil {
		err = checkJobCount(len(got.jobs)) // the first count may be too low, because compressed data can understate its length
	}
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, f.text); err != nil { // the checksum also covers data after the end of the text
		return nil, err
	}
	hash, err := sum.Hex()
	if err != nil {
		return nil, err
	}
	got.frame = scenarioOfFile(f.open, got, hash)
	return got, nil
}

// format determines the format of the file from its name, or else from its content.
func (f *file) format() (format string, err error) {
	if format = opening.FormatByName(f.open.Name); format == "" {
		format, _, err = opening.DetectFormat(f.source.stream(), f.options)
	}
	return format, err
}

// readJobs reads a file that contains jobs in the given format. The file is not a scenario.
func (f *file) readJobs(format string) (*fileContent, error) {
	switch format {
	case opening.SWF:
		return f.readSWF()
	case opening.CSV:
		return f.readCSV()
	}
	return f.readRecords()
}

// readSWF reads a trace in the Standard Workload Format and applies the data rules.
func (f *file) readSWF() (*fileContent, error) {
	if err := f.open.Rules.Validate(); err != nil {
		return nil, err
	}
	b, waits := workload.NewBuilder(f.open.Rules), false
	sum, err := swf.Each(f.text, swf.Options{Options: f.options}, func(line int, r *swf.Record) error {
		waits = waits || r[swf.Wait] >= 0
		return b.AddRecord(line, r)
	})
	if err != nil {
		return nil, err
	}
	procs, known := f.machineProcs(int(sum.Header.Procs()))
	if err := checkProcs(procs); err != nil {
		return nil, err
	}
	w, err := b.FinishFile(procs, sum)
	if err != nil {
		return nil, err
	}
	if !known && f.open.Procs <= 0 {
		w.Report.Notes = append(w.Report.Notes,
			fmt.Sprintf("The file does not describe its machine. The jobs run on the machine of the scenario, with %s.", format.Count(procs, "processor")))
	}
	got := fromWorkload(w)
	got.hasStarts = waits
	if got.machineKnown = known; known {
		got.tooWide, got.widest = 0, 0
	}
	return got, nil
}

// machineProcs returns the number of processors of the machine. This is the number in the request; if there is none,
// the number in the file (procsInFile, 0 if unknown); otherwise the number of the current machine. The result `known`
// is true if the number comes from the file.
func (f *file) machineProcs(procsInFile int) (procs int, known bool) {
	switch {
	case f.open.Procs > 0:
		return f.open.Procs, false
	case procsInFile > 0:
		return procsInFile, true
	}
	return f.open.CurrentProcs, false
}

// checkProcs returns an error if a machine cannot have this number of processors, or if the number is
// unknown (0).
func checkProcs(procs int) error {
	if procs <= 0 {
		return opening.ErrNoMachine
	}
	m := cluster.Flat(procs)
	return m.Validate()
}

// readCSV reads a table of jobs and applies the data rules.
func (f *file) readCSV() (*fileContent, error) {
	table, err := csv.Read(f.text, csv.Options{Options: f.options})
	if err != nil {
		return nil, err
	}
	procs, _ := f.machineProcs(0)
	if procs <= 0 {
		return nil, opening.ErrNoMachine
	}
	extras, notes := addTableResources(table, f.open.Extras)
	if n := len(extras); n > cluster.MaxResources {
		return nil, fmt.Errorf("columns res:NAME: expected at most %d extra resources in the table and the current machine together, got %d", cluster.MaxResources, n)
	}
	opening.ReorderResources(table.Jobs, table.Resources, extras)
	w, err := opening.CleanTable(table, procs, f.open.Rules)
	if err != nil {
		return nil, err
	}
	got := fromWorkload(w)
	got.extras, got.resources = table.Resources, extras
	got.report = append(got.report, notes...)
	got.hasStarts = slices.ContainsFunc(table.UnknownColumns, func(name string) bool { return strings.EqualFold(name, "start") })
	return got, nil
}

// addTableResources returns the extra resources of the current machine, followed by the resources that only
// the table names. A table contains no capacities. The capacity of a resource that only the table names is
// therefore the largest request of a job, and a note says so.
func addTableResources(t *csv.Table, current []protocol.Resource) (list []cluster.Resource, notes []string) {
	list = machine(protocol.Machine{Resources: current}).Resources
	for k, name := range t.Resources {
		if slices.ContainsFunc(list, func(r cluster.Resource) bool { return r.Name == name }) {
			continue
		}
		r := cluster.Resource{Name: name, Capacity: 1}
		for i := range t.Jobs {
			r.Capacity = max(r.Capacity, t.Jobs[i].Extra(k))
		}
		list = append(list, r)
		notes = append(notes, fmt.Sprintf("The file does not give the capacity of %s. The page uses %d, the largest request.", name, r.Capacity))
	}
	return list, notes
}

// fromWorkload returns the content of a file: the jobs of a workload, after the data rules have been applied
// to them.
func fromWorkload(w *workload.Workload) *fileContent {
	got := &fileContent{jobs: w.Jobs, procs: w.Procs, tooWide: w.Report.N(workload.TooWide), widest: w.Report.Widest, dates: w.Calendar}
	got.setReport(&w.Report)
	return got
}

// setReport stores what a report says about dropped or changed jobs.
func (o *fileContent) setReport(r *workload.Report) {
	o.report, o.dropped, o.altered = r.Sentences(), r.DroppedText(), r.Altered()
}

// keepUnknown stores the unknown scenario fields of jobs, up to a limit. If it drops any, it adds a
// sentence to the report.
func (o *fileContent) keepUnknown(list []scenario.Fields) {
	const maxUnknown = 20_000 // more rows would make the page unresponsive
	n := 0
	for row, f := range list {
		if len(f) == 0 {
			continue
		}
		if n++; n <= maxUnknown {
			o.unknown = append(o.unknown, protocol.UnknownFields{Row: row, Fields: f})
		}
	}
	if n > maxUnknown {
		o.report = append(o.report, fmt.Sprintf("The unknown fields of %s were dropped. The page keeps unknown fields only for the first %d jobs that have any.", format.Count(n-maxUnknown, "job"), maxUnknown))
	}
}

// readScenario reads a scenario file or a lesson. It does not apply the data rules to the jobs, because each
// run applies them.
func (f *file) readScenario() (*fileContent, error) {
	data, err := opening.ReadScenario(f.text, f.options)
	if err != nil {
		return nil, err
	}
	var whole []byte
	if lesson.IsLesson(data) {
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
	got := &fileContent{jobs: sc.Workload.Jobs, procs: sc.Machine.Slots(), machineKnown: true, title: sc.Title, lesson: whole}
	setup, note, err := f.setup(sc, got)
	if err != nil {
		return nil, err
	}
	if err := checkJobCount(len(got.jobs)); err != nil {
		return nil, err
	}
	got.setReport(&setup.Work.Report)
	got.report = append(got.report, note...)
	for _, x := range sc.Machine.Resources {
		got.extras = append(got.extras, x.Name)
	}
	got.keepUnknown(sc.Workload.JobsUnknown)
	sc.Workload.Jobs, sc.Workload.JobsUnknown = nil, nil
	got.frame = sc
	return got, nil
}

// setup returns the scenario, ready to run. If the scenario names a generator, the generator draws the jobs, so that
// the user can see and edit them. setup then also returns a description of these jobs.
func (f *file) setup(sc *scenario.Scenario, got *fileContent) (s *scenario.Setup, note []string, err error) {
	if sc.Workload.Generator == nil {
		s, err = sc.Setup()
		return s, nil, err
	}
	if err := sc.Validate(); err != nil {
		return nil, nil, err
	}
	got.settings = sc.GeneratorSettings()
	d, err := f.draw(got.settings)
	if err != nil {
		return nil, nil, err
	}
	got.jobs = d.Jobs
	if note = got.settings.Describe(); d.Note != "" {
		note = append(note, d.Note)
	}
	s, err = sc.SetupWithGenerated(d.Jobs)
	return s, note, err
}

// draw draws the jobs of a generator in small steps.
func (t *task) draw(o *registry.Settings) (*registry.Drawn, error) {
	r, err := o.Start()
	if err != nil {
		return nil, err
	}
	if err := checkJobCount(r.Total()); err != nil {
		return nil, err
	}
	t.phase(protocol.Progress{Phase: "generating", Total: int64(r.Total()), Unit: "jobs"})
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
