package worker_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/opening/badfiles"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

func labMessage(kind string, id int, head string) worker.Message {
	return worker.Message{Kind: kind, ID: id, Head: []byte(head)}
}

// many returns n jobs.
func many(n int) []job.Job {
	jobs := make([]job.Job, n)
	for i := range jobs {
		jobs[i] = job.Job{ID: fmt.Sprint(i + 1), Runtime: int64(1 + i%37),
			Request: job.Request{Submit: int64(3 * i), Procs: 1 + i%8, Estimate: int64(1 + i%37 + i%11)}}
	}
	return jobs
}

// long is a request for a run that takes a long time if there are many jobs.
var long = protocol.Run{Machine: nodes(8), Policies: policies("fcfs", "easy")}

// busy returns a page that has run the example. After that, each reading of the host's
// clock advances the clock by tick ms, so tasks take a long time.
func busy(t *testing.T, tick int64) *page {
	p, _ := ran(t)
	p.host.tick = tick
	p.host.yields = 0
	return p
}

func TestCancelKeepsTheResults(t *testing.T) {
	p := busy(t, 4)
	steps, counted := 0, make(chan struct{})
	p.onYield = func(yield int) {
		if yield == 20 {
			p.Handle(worker.Message{Kind: "cancel", ID: p.asked})
			assert.Equal(t, "cancelled", last(p).kind, "at once")
			steps = len(p.all())
			close(counted)
		}
	}
	r := p.wait(p.send("run", long, protocol.EncodeJobs(many(5000))...))
	assert.Equal(t, "cancelled", r.kind)
	<-counted // the answer arrives before onYield sets steps
	p.onYield = nil
	p.ask("view", "view", protocol.View{To: 48, Columns: 100, Lane1: 8, Rows: 80, Generation: 1})
	assert.Equal(t, steps+1, len(p.all()), "only the view is posted afterwards")

	p.Handle(worker.Message{Kind: "cancel", ID: p.asked})
	p.Handle(worker.Message{Kind: "cancel", ID: 99})
	assert.Equal(t, steps+1, len(p.all()), "a finished task cannot be cancelled")
}

// last returns the last message that the session posted.
func last(p *page) reply {
	all := p.all()
	return all[len(all)-1]
}

func TestANewRunCancelsTheOneBefore(t *testing.T) {
	p := busy(t, 4)
	second := make(chan int, 1)
	p.onYield = func(yield int) {
		if yield == 5 {
			second <- p.send("run", protocol.Run{Machine: nodes(8), Policies: policies("fcfs")})
		}
	}
	first := p.send("run", long, protocol.EncodeJobs(many(3000))...)
	assert.Equal(t, "cancelled", p.wait(first).kind)
	r := p.wait(<-second)
	require.Equal(t, "ran", r.kind)
	head := read[protocol.Ran](t, r)
	assert.Equal(t, 3000, head.Jobs, "it runs the jobs that the first run sent")
	assert.Equal(t, 2, head.Generation)
}

func TestAnInvalidRunCancelsTheOneBefore(t *testing.T) {
	p := busy(t, 4)
	second := make(chan int, 1)
	p.onYield = func(yield int) {
		if yield == 5 {
			second <- p.send("run", protocol.Run{Machine: nodes(0)})
		}
	}
	assert.Equal(t, "cancelled", p.wait(p.send("run", long, protocol.EncodeJobs(many(3000))...)).kind)
	assert.Equal(t, "error", p.wait(<-second).kind)
}

func TestAnswersDuringARun(t *testing.T) {
	p := busy(t, 4)
	var answers []string
	p.onYield = func(yield int) {
		if yield == 3 || yield == 30 {
			p.send("view", protocol.View{To: 48, Columns: 100, Lane1: 8, Rows: 80, Generation: 1})
			p.send("event", protocol.TimeQuery{At: 3, Step: 1})
			answers = append(answers, p.kinds()[len(p.kinds())-2:]...)
		}
	}
	p.ask("ran", "run", long, protocol.EncodeJobs(many(5000))...)
	assert.Equal(t, []string{"view", "event", "view", "event"}, answers)
}

func TestProgressOfARun(t *testing.T) {
	p := busy(t, 4)
	p.ask("ran", "run", long, protocol.EncodeJobs(many(5000))...)
	requireProgress(t, p, p.asked, 5000, 2)
	assert.LessOrEqual(t, p.worst, int64(30), "ms without a yield")
}

// requireProgress checks that progress never decreases during a phase, that no phase occurs twice, and that
// progress is posted at most ten times a second.
func requireProgress(t *testing.T, p *page, id int, total int64, phases int) {
	t.Helper()
	var before reply
	var was protocol.Progress
	seen := map[string]bool{}
	for _, r := range p.all() {
		if r.id != id || r.kind != "progress" {
			continue
		}
		now := read[protocol.Progress](t, r)
		require.Equal(t, total, now.Total)
		require.LessOrEqual(t, now.Done, total)
		if before.kind != "" {
			require.GreaterOrEqual(t, r.at-before.at, int64(100))
		}
		if now.Phase == was.Phase {
			require.GreaterOrEqual(t, now.Done, was.Done)
		} else {
			require.False(t, seen[now.Phase], "a phase does not occur twice")
		}
		seen[now.Phase] = true
		before, was = r, now
	}
	require.Len(t, seen, phases)
}

// file is a file that the browser reads in parts.
type file struct {
	name string
	data []byte
	open func() // called at each read
}

func (f *file) Name() string { return f.name }
func (f *file) Size() int64  { return int64(len(f.data)) }
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if f.open != nil {
		f.open()
	}
	return bytes.NewReader(f.data).ReadAt(p, off)
}

func swfText(n int) []byte {
	var b strings.Builder
	b.WriteString("; MaxProcs: 8\n")
	for _, j := range many(n) {
		fmt.Fprintf(&b, "%s %d -1 %d %d -1 -1 %d %d -1 1 -1 -1 -1 -1 -1 -1 -1\n", j.ID, j.Submit, j.Runtime, j.Procs, j.Procs, j.Estimate)
	}
	return []byte(b.String())
}

func TestProgressOfReading(t *testing.T) {
	p := newPage(t)
	p.host.tick = 60
	f := &file{name: "big.swf", data: swfText(20_000)}
	p.asked++
	p.Handle(worker.Message{Kind: "open", ID: p.asked, Head: []byte(`{"name":"big.swf"}`), File: f})
	r := p.wait(p.asked)
	require.Equal(t, "opened", r.kind, string(r.head))
	requireProgress(t, p, p.asked, int64(len(f.data)), 1)
	assert.Equal(t, 20_000, read[protocol.Opened](t, r).Jobs)
	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	assert.Equal(t, many(20_000), jobs)
}

func TestCancelReading(t *testing.T) {
	p := busy(t, 30)
	f := &file{name: "big.swf.gz", data: badfiles.Gzip(t, swfText(20_000))}
	p.onYield = func(yield int) {
		if yield == 2 {
			p.Handle(worker.Message{Kind: "cancel", ID: p.asked})
		}
	}
	p.asked++
	p.Handle(worker.Message{Kind: "open", ID: p.asked, Head: []byte(`{"name":"big.swf.gz"}`), File: f})
	assert.Equal(t, "cancelled", p.wait(p.asked).kind)
	p.onYield = nil
	assert.Equal(t, 12, read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy")})).Jobs)
}

func TestAPanicIsAnError(t *testing.T) {
	p := busy(t, 1)
	p.asked++
	p.Handle(worker.Message{Kind: "open", ID: p.asked, Head: []byte(`{"name":"a.swf"}`),
		File: &file{name: "a.swf", data: []byte("x"), open: func() { panic("the disk is gone") }}})
	assert.Contains(t, string(p.wait(p.asked).head), "the disk is gone")
	p.ask("pong", "ping", nil)
}
