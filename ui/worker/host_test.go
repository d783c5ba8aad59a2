package worker_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

// reply is a message that the session posted.
type reply struct {
	kind string
	id   int
	head []byte
	bufs [][]byte
	at   int64
}

// host is a simulated environment. Each call of Now advances its clock by tick ms. Each call of
// Yield advances it by nap ms and calls onYield.
type host struct {
	t         *testing.T
	tick, nap int64

	mu      sync.Mutex
	now     int64
	yields  int
	worst   int64 // longest time in ms from the end of a yield to the next yield
	last    int64
	replies []reply
	onYield func(yield int)
	replied chan struct{}
}

func newHost(t *testing.T) *host { return &host{t: t, tick: 1, replied: make(chan struct{}, 1000)} }

func (h *host) Post(kind string, id int, head any, bufs [][]byte) {
	text, err := json.Marshal(head)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		panic(err)
	}
	h.replies = append(h.replies, reply{kind, id, text, bufs, h.now})
	if kind != "progress" {
		h.replied <- struct{}{}
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

func (h *host) NewHash() worker.Hash { return nativeHash{sha256.New()} }

// nativeHash computes SHA-256 hashes for a worker that runs natively.
type nativeHash struct{ hash.Hash }

func (h nativeHash) Hex() (string, error) { return hex.EncodeToString(h.Sum(nil)), nil }

func (h *host) Now() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now += h.tick
	return h.now
}

func (h *host) all() []reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]reply(nil), h.replies...)
}

// kinds returns the kinds of the replies, except progress messages.
func (h *host) kinds() (out []string) {
	for _, r := range h.all() {
		if r.kind != "progress" {
			out = append(out, r.kind)
		}
	}
	return out
}

// wait returns the final reply to request id.
func (h *host) wait(id int) reply {
	h.t.Helper()
	deadline := time.After(60 * time.Second)
	for {
		for _, r := range h.all() {
			if r.id == id && r.kind != "progress" && r.kind != "partial" {
				return r
			}
		}
		select {
		case <-h.replied:
		case <-deadline:
			require.FailNow(h.t, "no reply", "request %d", id)
		}
	}
}

// page is a session and its host. Its methods send requests to the session, as the real page
// does.
type page struct {
	*host
	*worker.Session
	asked int
}

func newPage(t *testing.T) *page {
	h := newHost(t)
	return &page{host: h, Session: worker.New(h)}
}

// send sends a request and returns its ID.
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

// ask sends a request and returns the reply, which must have the wanted kind.
func (p *page) ask(want, kind string, head any, bufs ...[]byte) reply {
	p.t.Helper()
	r := p.wait(p.send(kind, head, bufs...))
	require.Equal(p.t, want, r.kind, string(r.head))
	return r
}

// read decodes the head of a reply.
func read[T any](t *testing.T, r reply) (head T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(r.head, &head), string(r.head))
	return head
}

// fault sends a request that must fail, and returns the reported error.
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
