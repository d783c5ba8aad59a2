package worker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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
		source, size, err := source(m)
		if err != nil {
			return reading.Fault(q.Name, err)
		}
		defer source.Close()
		got, err := t.reads(source, size, q)
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
func (t *task) reads(source io.Reader, size int64, q protocol.Open) (*opened, error) {
	begin := t.s.host.Now()
	sum := sha256.New()
	t.phase(protocol.Progress{Phase: "reading", Total: size, Unit: "bytes"})
	all := io.TeeReader(readable{source}, sum)
	f := &file{text: all, open: q, draw: t.draw}
	f.options.Progress = func(bytes int64) error { return t.pause(t.s.host.Now(), bytes) }
	got, err := f.read()
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, all); err != nil { // what follows the text in the file
		return nil, err
	}
	if got.frame == nil {
		got.frame = ofFile(q, got, hex.EncodeToString(sum.Sum(nil)))
	}
	got.millis = t.s.host.Now() - begin
	return got, nil
}

// readable puts the errors of a source that is gone, or changed, into words.
type readable struct{ io.Reader }

func (r readable) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("expected a file that can be read, got an error of the browser: %w", err)
	}
	return n, err
}

// source returns the bytes of a request and how many there are.
func source(m Message) (io.ReadCloser, int64, error) {
	if m.File == nil {
		return io.NopCloser(bytes.NewReader(m.Bufs[0])), int64(len(m.Bufs[0])), nil
	}
	r, err := m.File.Open()
	return r, m.File.Size(), err
}

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
