package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/opening"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/ui/protocol"
)

// fileContent holds everything that the worker has read from a file.
type fileContent struct {
	jobs         []job.Job
	procs        int                      // processors of the machine
	cores        int                      // cores of each node of the machine; 0 means 1
	machineKnown bool                     // the file specifies the machine
	title        string                   // title of the scenario, "" for other files
	extras       []string                 // names of the extra resources in the file
	resources    []cluster.Resource       // extra resources of the machine, for a table or accounting records
	unknown      []protocol.UnknownFields // unknown fields of jobs in a scenario file
	report       []string                 // what the data rules dropped or altered, in sentences
	choice       sacct.Choice             // options for accounting records
	records      *protocol.Records        // summary of accounting records, nil for other files

	dropped string // records that the data rules dropped, in words
	altered int    // number of alterations

	tooWide   int                // number of jobs too large for the current machine, if the file does not specify one
	widest    int                // processors of the largest job that tooWide counts
	lesson    []byte             // text of the file if it is a lesson, else nil
	dates     *format.Calendar   // dates of the jobs, nil if unknown
	hasStarts bool               // the file also has start times, so it can be shown as an external schedule
	frame     *scenario.Scenario // the scenario without jobs; see loaded
	settings  *registry.Settings // settings of the generator that drew the jobs, nil if there is none
	millis    int64              // time that reading took
}

// open starts a task that reads a workload or scenario. The jobs loaded before remain until the
// file has been read without errors.
func (s *Session) open(m Message, q protocol.Open) error {
	if m.File == nil && len(m.Bufs) != 1 {
		return fmt.Errorf("open: expected a file or a text, got neither")
	}
	s.start(m.ID, func(t *task) error {
		got, err := t.readSource(sourceOf(m), q)
		switch {
		case errors.Is(err, errCancelled):
			return err
		case err != nil:
			return opening.WithFile(q.Name, err)
		}
		return t.publishOpened(q.Name, got)
	})
	return nil
}

// readSource reads a file to its end.
func (t *task) readSource(from source, q protocol.Open) (*fileContent, error) {
	begin := t.s.host.Now()
	t.phase(protocol.Progress{Phase: "reading", Total: from.size, Unit: "bytes"})
	f := &file{source: from, open: q, draw: t.draw, hash: t.s.host.NewHash}
	f.options.Progress = func(bytes int64) error { return t.pause(t.s.host.Now(), bytes) }
	got, err := f.read()
	if err != nil {
		return nil, err
	}
	got.millis = t.s.host.Now() - begin
	return got, nil
}

// source holds the bytes of a file. Its read errors say that the browser could not read the file,
// for example because it was changed or deleted.
type source struct {
	io.ReaderAt
	size int64 // in bytes
}

// sourceOf returns the file of a message. If there is none, it returns the text in the buffer of
// the message.
func sourceOf(m Message) source {
	if m.File == nil {
		return source{bytes.NewReader(m.Bufs[0]), int64(len(m.Bufs[0]))}
	}
	return source{m.File, m.File.Size()}
}

func (s source) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("expected a readable file, got a browser error: %w", err)
	}
	return n, err
}

// stream returns a reader of all bytes, without decompressing them.
func (s source) stream() io.Reader { return opening.BufferedReader(s, s.size) }

// publishOpened makes the jobs of a file the loaded jobs and sends them to the page.
func (t *task) publishOpened(name string, got *fileContent) error {
	head := protocol.Opened{Name: name, Title: got.title, Jobs: len(got.jobs), Procs: got.procs, MachineKnown: got.machineKnown,
		Report: got.report, Dropped: got.dropped, Altered: got.altered, TooWide: got.tooWide, Widest: got.widest, Extras: got.extras, HasStarts: got.hasStarts, UnknownFields: got.unknown, Records: got.records, Scenario: scenario.Format(got.frame), Lesson: got.lesson, Millis: got.millis}
	bufs := protocol.EncodeJobs(got.jobs)
	return t.finish(func() {
		t.s.loaded = &loaded{got.jobs, got.frame, got.settings}
		t.s.host.Post("opened", t.id, head, bufs)
	})
}

// scenarioOfFile returns the scenario for a file that contains only jobs. The command backfill uses the same scenario.
// sha256Sum is the SHA-256 hash of the file as it is stored, compressed or not.
func scenarioOfFile(q protocol.Open, got *fileContent, sha256Sum string) *scenario.Scenario {
	sc := &scenario.Scenario{Machine: scenario.Machine{Machine: cluster.Flat(got.procs)}, Rules: scenario.Rules{Rules: q.Rules}}
	if got.cores > 1 {
		sc.Machine.Nodes, sc.Machine.Cores = got.procs/got.cores, got.cores
	}
	sc.Machine.Resources = got.resources
	if got.dates != nil {
		sc.Calendar = &scenario.Calendar{Calendar: *got.dates}
	}
	sc.Workload.File = &scenario.File{Name: path.Base(q.Name), SHA256: sha256Sum, Choice: got.choice}
	return sc
}

// Limits of a page. The page and its worker may use 4 GiB of memory each. In measurements with one
// and two million jobs, the page and the worker together used 1,600 bytes per job after runs of two
// policies. More jobs than the limit would fit into memory, but would make the page unresponsive.
const (
	maxOpenedJobs = 2_000_000 // jobs
	bytesPerJob   = 1600      // memory per job, for the error message
)

// checkJobCount returns an error if a page cannot hold this number of jobs.
func checkJobCount(jobs int) error {
	if jobs <= maxOpenedJobs {
		return nil
	}
	return fmt.Errorf("expected at most %d jobs in a page, got %d, which would need %.1f GB of memory for a run with two policies (use the command backfill for such workloads)",
		maxOpenedJobs, jobs, float64(jobs)*bytesPerJob/1e9)
}
