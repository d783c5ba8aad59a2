package experiments

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// fakeWorker records the requests of the pool. The test answers them.
type fakeWorker struct {
	name  string
	to    func(browser.Message)
	got   []browser.Message
	ended bool
}

func (w *fakeWorker) Post(m browser.Message) error {
	if w.ended {
		return errors.New("ended")
	}
	w.got = append(w.got, m)
	return nil
}

func (w *fakeWorker) Terminate() error {
	w.ended = true
	return nil
}

// last returns the last request of a kind, and the group it asks for.
func (w *fakeWorker) last(kind string) (m browser.Message, q protocol.SweepGroup) {
	for _, x := range w.got {
		if x.Kind == kind {
			m = x
		}
	}
	_ = json.Unmarshal(m.Head, &q)
	return m, q
}

// answer sends the pool the results of the first n runs of the current group. If the group has no other runs, answer
// also sends the message that the group is done.
func (w *fakeWorker) answer(n int) {
	m, q := w.last("group")
	for i, p := range q.Policies {
		if i == n {
			return
		}
		head, _ := json.Marshal(protocol.SweptRun{Group: q.Group, Policy: p, Values: map[string]float64{"x": float64(10*q.Group + p)}})
		w.to(browser.Message{Kind: "swept", ID: m.ID, Head: head})
	}
	w.to(browser.Message{Kind: "group-done", ID: m.ID})
}

// rig is a pool with fake workers and a fake clock. It records the runs that the pool reports, and how the pool ends.
type rig struct {
	*pool
	t       *testing.T
	clock   int64
	workers []*fakeWorker
	runs    []string // "group/policy" in the order of arrival
	ends    []error
}

func newRig(t *testing.T, size int) *rig {
	r := &rig{t: t}
	r.pool = &pool{
		size: size, text: []byte("{}"), now: func() int64 { return r.clock }, name: func(g int) string { return fmt.Sprint("group ", g) },
		spawn: func(name string, handle func(browser.Message)) (webWorker, error) {
			w := &fakeWorker{name: name, to: handle}
			r.workers = append(r.workers, w)
			return w, nil
		},
		record: func(g, p int, v sweep.Values) {
			require.Equal(t, float64(10*g+p), v["x"])
			r.runs = append(r.runs, fmt.Sprintf("%d/%d", g, p))
		},
		ended: func(err error) { r.ends = append(r.ends, err) },
	}
	return r
}

// begin starts the pool with n groups of two policies.
func (r *rig) begin(n int) {
	var todo []*work
	for g := range n {
		todo = append(todo, &work{group: g, policies: []int{0, 1}})
	}
	r.pool.start(todo)
}

// open returns the workers that have not ended.
func (r *rig) open() (out []*fakeWorker) {
	for _, w := range r.workers {
		if !w.ended {
			out = append(out, w)
		}
	}
	return out
}

// finish answers all requests, and checks that the pool then ends without an error.
func (r *rig) finish() {
	for range 100 {
		for _, w := range r.open() {
			w.answer(2)
		}
	}
	require.Equal(r.t, []error{nil}, r.ends)
	require.Empty(r.t, r.open(), "all workers have ended")
}

func all(groups int) (out []string) {
	for g := range groups {
		out = append(out, fmt.Sprintf("%d/0", g), fmt.Sprintf("%d/1", g))
	}
	return out
}

func TestGroupsAreHandedOutInOrder(t *testing.T) {
	r := newRig(t, 2)
	r.begin(5)
	require.Len(t, r.workers, 2)
	for i, w := range r.workers {
		assert.Equal(t, "sweep", w.got[0].Kind, "the definition comes first")
		_, q := w.last("group")
		assert.Equal(t, protocol.SweepGroup{Group: i, Policies: []int{0, 1}}, q)
	}
	r.workers[1].answer(2)
	_, q := r.workers[1].last("group")
	assert.Equal(t, 2, q.Group)
	r.finish()
	slices.Sort(r.runs)
	assert.Equal(t, all(5), r.runs)
	assert.Len(t, r.workers, 2)
}

func TestNothingToDoEndsAtOnce(t *testing.T) {
	r := newRig(t, 2)
	r.begin(0)
	assert.Equal(t, []error{nil}, r.ends)
	assert.Empty(t, r.workers)
}

// Workers that run scripts download another program, which can take longer than pongTimeout. The pool does not
// replace these workers during the download.
func TestWorkersForScriptsMayDownloadForLong(t *testing.T) {
	r := newRig(t, 1)
	r.scripts = true
	r.begin(1)
	require.Len(t, r.workers, 1)
	require.True(t, strings.HasPrefix(r.workers[0].name, "scripts"), r.workers[0].name)
	for range 10 {
		r.clock += pongTimeout
		r.tick()
	}
	require.Len(t, r.workers, 1)
	r.workers[0].to(browser.Message{Kind: "ready"})
	for range 3 {
		r.clock += pongTimeout
		r.tick()
	}
	require.Len(t, r.workers, 2, "a worker that has answered once is replaced when it is silent")
}

func TestASilentWorkerIsReplacedAndKeepsItsResults(t *testing.T) {
	r := newRig(t, 1)
	r.begin(3)
	dead := r.workers[0]
	dead.answer(1) // policy 0 of group 0
	r.clock = pingAfter
	r.tick()
	m, _ := dead.last("ping")
	require.NotEmpty(t, m.Kind, "a busy worker gets a ping")
	r.clock += pongTimeout - 1
	r.tick()
	require.False(t, dead.ended)
	r.clock++
	r.tick()
	require.True(t, dead.ended)
	require.Len(t, r.workers, 2)
	_, q := r.workers[1].last("group")
	assert.Equal(t, protocol.SweepGroup{Group: 0, Policies: []int{1}}, q, "only the run that is missing")
	dead.to(browser.Message{Kind: "swept", ID: dead.got[1].ID, Head: []byte(`{"group":0,"policy":1,"values":{"x":1}}`)})
	r.finish()
	assert.Equal(t, all(3), r.runs, "a late message of the lost worker counts for nothing")
}

func TestAWorkerThatAnswersItsPingIsKept(t *testing.T) {
	r := newRig(t, 1)
	r.begin(1)
	for range 30 {
		r.clock += 1000
		if r.tick(); r.members[0].pingedAt > 0 {
			m, _ := r.workers[0].last("ping")
			r.workers[0].to(browser.Message{Kind: "pong", ID: m.ID})
		}
	}
	require.Len(t, r.workers, 1)
	r.finish()
}

func TestTooManyLostWorkersEndTheRuns(t *testing.T) {
	r := newRig(t, 2)
	r.begin(4)
	for range maxTries {
		for _, w := range r.open() {
			if _, q := w.last("group"); q.Group == 0 {
				w.to(browser.Message{Kind: browser.KindCrash, Head: []byte(`{"text":"out of memory"}`)})
				break
			}
		}
	}
	require.Len(t, r.ends, 1)
	assert.EqualError(t, r.ends[0], "3 workers crashed or did not answer while they ran the same jobs (group 0): out of memory")
	assert.Empty(t, r.open())
}

func TestPauseCancelsAndResumeRepeatsOnlyWhatIsMissing(t *testing.T) {
	r := newRig(t, 2)
	r.begin(4)
	r.workers[0].answer(1)
	r.pause()
	for _, w := range r.workers {
		m, _ := w.last("cancel")
		ask, _ := w.last("group")
		require.Equal(t, ask.ID, m.ID)
		w.to(browser.Message{Kind: "cancelled", ID: m.ID})
	}
	n := len(r.workers[0].got)
	r.clock += 10 * pongTimeout
	r.tick()
	assert.Len(t, r.workers[0].got, n, "nothing is requested during the pause")
	r.resume()
	r.finish()
	slices.Sort(r.runs)
	assert.Equal(t, all(4), r.runs)
	assert.Len(t, r.workers, 2, "the workers were kept")
}

func TestAnErrorEndsTheRuns(t *testing.T) {
	r := newRig(t, 2)
	r.begin(4)
	m, _ := r.workers[0].last("group")
	r.workers[0].to(browser.Message{Kind: "error", ID: m.ID, Head: []byte(`{"text":"no"}`)})
	require.Len(t, r.ends, 1)
	assert.EqualError(t, r.ends[0], "no")
	assert.Empty(t, r.open())
}

func TestResize(t *testing.T) {
	r := newRig(t, 1)
	r.begin(6)
	r.resize(3)
	require.Len(t, r.open(), 3)
	r.resize(1)
	require.Len(t, r.open(), 3, "surplus workers finish their group first")
	for _, w := range r.open() {
		w.answer(2)
	}
	require.Len(t, r.open(), 1)
	r.finish()
	slices.Sort(r.runs)
	assert.Equal(t, all(6), r.runs)
}

func TestAWorkerThatCannotStartEndsTheRuns(t *testing.T) {
	r := newRig(t, 1)
	r.spawn = func(string, func(browser.Message)) (webWorker, error) { return nil, browser.ErrNoBrowser }
	r.begin(1)
	require.Len(t, r.ends, 1)
	assert.ErrorIs(t, r.ends[0], browser.ErrNoBrowser)
}
