package lab

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/digest"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
	"backfill-lab/ui/proto"
)

// opened is what a file holds.
type opened struct {
	jobs   []job.Job
	procs  int
	title  string
	extras []string
	report []string
	frame  *scenario.Scenario
	millis int64
}

// open reads a workload or a scenario as a task. Until it is read to its end
// and found good, the jobs held stay.
func (s *Session) open(m Message, q proto.Open) error {
	read, err := reader(q.Name)
	if err != nil {
		return err
	}
	if m.File == nil && len(m.Bufs) != 1 {
		return fmt.Errorf("open: expected a file or a text, got neither")
	}
	s.begin(m.ID, func(t *task) error {
		source, size, err := source(m)
		if err != nil {
			return err
		}
		defer source.Close()
		begin := s.host.Now()
		var sum digest.Sum
		t.phase(proto.Progress{Phase: "reading", Total: size, Unit: "bytes"})
		o := input.Options{Progress: t.read}
		all := io.TeeReader(source, &sum)
		got, err := read(all, o, q)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, all); err != nil { // what follows the text in the file
			return err
		}
		if got.frame == nil {
			got.frame = ofFile(q, got.procs, sum.Hex())
		}
		got.millis = s.host.Now() - begin
		return t.opened(q.Name, got)
	})
	return nil
}

// read is told the bytes read so far, once a block.
func (t *task) read(bytes int64) error { return t.pause(t.s.host.Now(), bytes) }

// source is the bytes of a request and how many there are.
func source(m Message) (io.ReadCloser, int64, error) {
	if m.File == nil {
		return io.NopCloser(bytes.NewReader(m.Bufs[0])), int64(len(m.Bufs[0])), nil
	}
	r, err := m.File.Open()
	return r, m.File.Size(), err
}

// opened replaces the jobs held.
func (t *task) opened(name string, got *opened) error {
	head := proto.Opened{Name: name, Title: got.title, Jobs: len(got.jobs), Procs: got.procs,
		Report: got.report, Extras: got.extras, Scenario: scenario.Format(got.frame), Millis: got.millis}
	bufs := proto.Columns(got.jobs)
	return t.end(func() {
		t.s.held = &held{got.jobs, got.frame}
		t.s.host.Post("opened", t.id, head, bufs)
	})
}

// ofFile is the scenario of a file that holds jobs alone, as the command has it.
func ofFile(q proto.Open, procs int, sum string) *scenario.Scenario {
	sc := &scenario.Scenario{Machine: scenario.Machine{Machine: cluster.Flat(procs)}, Rules: scenario.Rules{Rules: q.Rules}}
	sc.Workload.File = &scenario.File{Name: path.Base(q.Name), SHA256: sum}
	return sc
}

type readFunc func(io.Reader, input.Options, proto.Open) (*opened, error)

// reader chooses the format by the ending of the name.
func reader(name string) (readFunc, error) {
	switch path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")) {
	case ".swf":
		return readSWF, nil
	case ".csv":
		return readCSV, nil
	case ".json":
		return readScenario, nil
	}
	return nil, fmt.Errorf("%s: expected a file that ends in .swf, .csv (both also with .gz) or .json", name)
}

func readSWF(r io.Reader, o input.Options, q proto.Open) (*opened, error) {
	w, err := workload.Read(r, swf.Options{Options: o}, q.Procs, q.Rules)
	if err != nil {
		return nil, err
	}
	return fromWorkload(w), nil
}

func readCSV(r io.Reader, o input.Options, q proto.Open) (*opened, error) {
	table, err := csv.Read(r, csv.Options{Options: o})
	if err != nil {
		return nil, err
	}
	w, err := workload.Clean(table.Jobs, table.Lines, q.Procs, q.Rules)
	if err != nil {
		return nil, err
	}
	got := fromWorkload(w)
	got.extras = table.Resources
	if len(table.Kept) > 0 {
		got.report = append(got.report, "Not looked at: the columns "+strings.Join(table.Kept, ", ")+".")
	}
	return got, nil
}

func fromWorkload(w *workload.Workload) *opened {
	return &opened{jobs: w.Jobs, procs: w.Procs, report: sentences(&w.Report)}
}

// sentences tells a report line by line.
func sentences(r *workload.Report) []string {
	out := []string{fmt.Sprintf("%d records read, %d jobs kept.", r.Read, r.Kept)}
	for _, e := range r.Entries() {
		verb, where := "Altered", ""
		if e.Dropped {
			verb = "Dropped"
		}
		if e.Line > 0 {
			where = fmt.Sprintf(" (first: line %d)", e.Line)
		}
		out = append(out, fmt.Sprintf("%s: %d %s%s.", verb, e.Count, e.Words, where))
	}
	return out
}

// readScenario returns the jobs as they are written: a run applies the rules.
func readScenario(r io.Reader, o input.Options, _ proto.Open) (*opened, error) {
	text, err := input.Open(r, o)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(text)
	if err != nil {
		return nil, err
	}
	sc, err := scenario.Parse(data)
	if err != nil {
		return nil, err
	}
	setup, err := sc.Setup()
	if err != nil {
		return nil, err
	}
	got := &opened{jobs: sc.Workload.Jobs, procs: sc.Machine.Slots(), title: sc.Title, report: sentences(&setup.Work.Report)}
	for _, x := range sc.Machine.Resources {
		got.extras = append(got.extras, x.Name)
	}
	sc.Workload.Jobs, sc.Workload.JobsKept = nil, nil
	got.frame = sc
	return got, nil
}
