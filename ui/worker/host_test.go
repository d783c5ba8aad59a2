package worker_test

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

// said is a reply of the session.
type said struct {
	kind string
	id   int
	head []byte
	bufs [][]byte
	at   int64
}

// host is a world whose clock moves by tick at each look and by nap at each
// yield, and which does what onYield says.
type host struct {
	t         *testing.T
	tick, nap int64

	mu      sync.Mutex
	now     int64
	yields  int
	worst   int64 // longest time without a yield, as far as the session looks
	last    int64
	replies []said
	onYield func(yield int)
	heard   chan struct{}
}

func newHost(t *testing.T) *host { return &host{t: t, tick: 1, heard: make(chan struct{}, 1000)} }

func (h *host) Post(kind string, id int, head any, bufs [][]byte) {
	text, err := json.Marshal(head) // the page's own: it writes less than the standard library
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		panic(err)
	}
	h.replies = append(h.replies, said{kind, id, text, bufs, h.now})
	if kind != "progress" {
		h.heard <- struct{}{}
	}
}

func (h *host) Yield() {
	h.mu.Lock()
	h.yields++
	h.worst = max(h.worst, h.now-h.last)
	h.now += h.nap
	h.last = h.now
	n, f := h.yields, h.onYield
	h.mu.Unlock()
	if f != nil {
		f(n)
	}
}

func (h *host) Now() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now += h.tick
	return h.now
}

func (h *host) all() []said {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]said(nil), h.replies...)
}

// kinds returns the replies in words, without progress.
func (h *host) kinds() (out []string) {
	for _, r := range h.all() {
		if r.kind != "progress" {
			out = append(out, r.kind)
		}
	}
	return out
}

// wait returns the final reply to request id.
func (h *host) wait(id int) said {
	h.t.Helper()
	deadline := time.After(60 * time.Second)
	for {
		for _, r := range h.all() {
			if r.id == id && r.kind != "progress" {
				return r
			}
		}
		select {
		case <-h.heard:
		case <-deadline:
			require.FailNow(h.t, "no reply", "request %d", id)
		}
	}
}

// page is a session and its host, asked as a page does.
type page struct {
	*host
	*worker.Session
	asked int
}

func newPage(t *testing.T) *page {
	h := newHost(t)
	return &page{host: h, Session: worker.New(h)}
}

// send makes a request and returns its id.
func (p *page) send(kind string, head any, bufs ...[]byte) int {
	text, err := json.Marshal(head)
	require.NoError(p.t, err)
	p.mu.Lock()
	p.asked++
	id := p.asked
	p.mu.Unlock()
	p.Handle(worker.Message{Kind: kind, ID: id, Head: text, Bufs: bufs})
	return id
}

// ask makes a request and returns the reply, which must be of the kind want.
func (p *page) ask(want, kind string, head any, bufs ...[]byte) said {
	p.t.Helper()
	r := p.wait(p.send(kind, head, bufs...))
	require.Equal(p.t, want, r.kind, string(r.head))
	return r
}

// read takes the head of a reply.
func read[T any](t *testing.T, r said) (head T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(r.head, &head), string(r.head))
	return head
}

func (p *page) fault(kind string, head any, bufs ...[]byte) protocol.Fault {
	p.t.Helper()
	return read[protocol.Fault](p.t, p.ask("error", kind, head, bufs...))
}

func policies(names ...string) (out []protocol.Policy) {
	for _, n := range names {
		out = append(out, protocol.Policy{Name: n})
	}
	return out
}

func nodes(n int) protocol.Machine { return protocol.Machine{Nodes: n, Processors: 1, Cores: 1} }
