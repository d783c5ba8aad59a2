package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/reading"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/ui/protocol"
)

// opened is what a file holds.
type opened struct {
	jobs      []job.Job
	procs     int
	told      bool // the file tells the machine
	title     string
	extras    []string           // names of those that the file has amounts of
	resources []cluster.Resource // of the machine, where the file is a table
	kept      []protocol.Kept
	report    []string
	choice    sacct.Choice      // of accounting records
	records   *protocol.Records // what they tell, nil of other files

	dropped, altered int

	wide   int    // left out for a machine that the file does not tell
	widest int    // processors of the widest of them
	lesson []byte // the file, where it is one
	starts bool   // it tells when its jobs started as well
	frame  *scenario.Scenario
	order  *registry.Order // that drew the jobs, nil if none did
	millis int64
}

// open reads a workload or a scenario as a task. Until it is read to its end
// and found good, the jobs held stay.
func (s *Session) open(m Message, q protocol.Open) error {
	if m.File == nil && len(m.Bufs) != 1 {
		return fmt.Errorf("open: expected a file or a text, got neither")
	}
	s.begin(m.ID, func(t *task) error {
		got, err := t.reads(sourceOf(m), q)
		switch {
		case errors.Is(err, errGivenUp):
			return err
		case err != nil:
			return reading.Fault(q.Name, err)
		}
		return t.opened(q.Name, got)
	})
	return nil
}

// reads reads a source to its end.
func (t *task) reads(from source, q protocol.Open) (*opened, error) {
	begin := t.s.host.Now()
	t.phase(protocol.Progress{Phase: "reading", Total: from.size, Unit: "bytes"})
	f := &file{source: from, open: q, draw: t.draw}
	f.options.Progress = func(bytes int64) error { return t.pause(t.s.host.Now(), bytes) }
	got, err := f.read()
	if err != nil {
		return nil, err
	}
	got.millis = t.s.host.Now() - begin
	return got, nil
}

// source is the bytes of a request. An error of one that is gone, or changed, is in words.
type source struct {
	io.ReaderAt
	size int64
}

func sourceOf(m Message) source {
	if m.File == nil {
		return source{bytes.NewReader(m.Bufs[0]), int64(len(m.Bufs[0]))}
	}
	return source{m.File, m.File.Size()}
}

func (s source) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("expected a file that can be read, got an error of the browser: %w", err)
	}
	return n, err
}

func (s source) stream() io.Reader { return reading.Stream(s, s.size) }

// opened replaces the jobs held.
func (t *task) opened(name string, got *opened) error {
	head := protocol.Opened{Name: name, Title: got.title, Jobs: len(got.jobs), Procs: got.procs, Told: got.told,
		Report: got.report, Dropped: got.dropped, Altered: got.altered, TooWide: got.wide, Widest: got.widest, Extras: got.extras, Starts: got.starts, Kept: got.kept, Records: got.records, Scenario: scenario.Format(got.frame), Lesson: got.lesson, Millis: got.millis}
	bufs := protocol.Columns(got.jobs)
	return t.end(func() {
		t.s.held = &held{got.jobs, got.frame, got.order}
		t.s.host.Post("opened", t.id, head, bufs)
	})
}

// ofFile returns the scenario of a file that holds jobs alone, as the command has it.
func ofFile(q protocol.Open, got *opened, sum string) *scenario.Scenario {
	sc := &scenario.Scenario{Machine: scenario.Machine{Machine: cluster.Flat(got.procs)}, Rules: scenario.Rules{Rules: q.Rules}}
	sc.Machine.Resources = got.resources
	sc.Workload.File = &scenario.File{Name: path.Base(q.Name), SHA256: sum, Choice: got.choice}
	return sc
}
