package experiments

import (
	"encoding/json"
	"fmt"
	"slices"

	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

const (
	pingAfter   = 2000   // ms without a message after which a busy worker gets a ping
	pongTimeout = 10_000 // ms without an answer to a ping after which a worker counts as lost
	maxTries    = 3      // if this number of workers crash or stop answering during the same group, the pool ends with an error
)

// webWorker has the methods of a browser worker that the pool calls.
type webWorker interface {
	Post(browser.Message) error
	Terminate() error
}

// spawner starts a worker. It passes the messages of the worker to handleMessage.
type spawner func(name string, handleMessage func(browser.Message)) (webWorker, error)

// work is a group of the experiment, that is, the runs on the same jobs. It lists the policies whose runs in this group
// are not done yet.
type work struct {
	group       int
	policies    []int // indexes of these policies
	lostWorkers int   // number of workers that crashed or stopped answering while they ran this group
}

// member is a worker of the pool.
type member struct {
	worker   webWorker
	task     *work // nil if the worker is idle
	id       int   // ID of the request for the task
	heardAt  int64 // time in ms of the last message from the worker, or of the request if it is later
	booted   bool  // the worker has sent a message
	pingedAt int64 // time in ms of an unanswered ping, 0 if there is none
}

// pool makes the runs of an experiment in several workers. It hands out the groups in order. A group consists
// of the runs on the same jobs. If a worker is lost, its group is assigned to another worker. The caller must
// call tick about once per second, and hold the same lock during each call of a method.
type pool struct {
	spawn  spawner
	now    func() int64                            // monotonic clock in ms
	record func(group, policy int, v sweep.Values) // receives the results of each run
	name   func(group int) string                  // names a group for messages
	ended  func(error)                             // called once, with nil when all runs are done, or with the error that ended them; not called after stop

	text     []byte  // the definition
	scripts  bool    // a policy is a script, so the workers download the larger program that runs scripts
	size     int     // number of workers
	todo     []*work // groups that wait for a worker, in order
	members  []*member
	lastID   int  // ID of the last request
	spawned  int  // number of workers started so far, for their names
	paused   bool // no runs are made until resume is called
	finished bool // all runs are done, failed or were stopped
}

// start begins the runs of the given groups. The pool hands out the groups in the given order.
func (p *pool) start(todo []*work) {
	p.todo = todo
	p.assignIdle()
}

// resize sets the number of workers. Surplus workers first finish their group.
func (p *pool) resize(size int) {
	p.size = size
	p.assignIdle()
}

// assignIdle assigns a group to every idle worker, or ends the worker if it is not needed. If groups remain, it starts
// more workers.
func (p *pool) assignIdle() {
	if p.finished || p.paused {
		return
	}
	for _, m := range slices.Clone(p.members) {
		switch {
		case m.task != nil:
		case len(p.members) > p.size || len(p.todo) == 0:
			p.endWorker(m)
		default:
			p.assign(m)
		}
	}
	for len(p.members) < p.size && len(p.todo) > 0 && !p.finished {
		m := &member{}
		name := fmt.Sprintf("experiment %d", p.spawned+1)
		if p.scripts {
			name = "scripts for " + name // the start of the name selects the program
		}
		worker, err := p.spawn(name, func(b browser.Message) { p.receive(m, b) })
		if err != nil {
			p.end(fmt.Errorf("a worker could not be started: %w", err))
			return
		}
		p.spawned++
		m.worker = worker
		p.members = append(p.members, m)
		p.post(m, "sweep", nil, p.text)
		p.assign(m)
	}
	if len(p.members) == 0 && len(p.todo) == 0 {
		p.end(nil)
	}
}

// post sends a request to a worker and returns the ID of the request. If the request cannot be sent, the
// worker will not answer, so tick replaces the worker.
func (p *pool) post(m *member, kind string, head any, bufs ...[]byte) int {
	p.lastID++
	text, _ := json.Marshal(head)
	_ = m.worker.Post(browser.Message{Kind: kind, ID: p.lastID, Head: text, Bufs: bufs})
	return p.lastID
}

// assign assigns the next group to a worker.
func (p *pool) assign(m *member) {
	m.task, p.todo = p.todo[0], p.todo[1:]
	m.heardAt, m.pingedAt = p.now(), 0
	m.id = p.post(m, "group", protocol.SweepGroup{Group: m.task.group, Policies: m.task.policies})
}

// endWorker terminates a worker and removes it from the pool.
func (p *pool) endWorker(m *member) {
	p.members = slices.DeleteFunc(p.members, func(x *member) bool { return x == m })
	_ = m.worker.Terminate()
}

// receive handles a message from a worker.
func (p *pool) receive(m *member, b browser.Message) {
	if p.finished || !slices.Contains(p.members, m) {
		return
	}
	m.heardAt, m.pingedAt, m.booted = p.now(), 0, true
	switch b.Kind {
	case "swept":
		p.storeResults(m, b)
	case "group-done":
		if b.ID == m.id {
			m.task = nil
			p.assignIdle()
		}
	case "cancelled":
		if b.ID == m.id && m.task != nil {
			p.putBack(m)
			p.assignIdle()
		}
	case browser.KindCrash, browser.KindPanic:
		var f browser.Fault
		_ = json.Unmarshal(b.Head, &f)
		p.replaceLost(m, f.Text)
	case "error":
		var f protocol.Fault
		_ = json.Unmarshal(b.Head, &f)
		p.end(fmt.Errorf("%s", f.Text))
	}
}

// storeResults passes the results of a run to p.record.
func (p *pool) storeResults(m *member, b browser.Message) {
	var r protocol.SweptRun
	if b.ID != m.id || m.task == nil {
		return
	}
	if err := json.Unmarshal(b.Head, &r); err != nil {
		p.end(fmt.Errorf("the results of a run could not be read: %w", err))
		return
	}
	m.task.policies = slices.DeleteFunc(m.task.policies, func(x int) bool { return x == r.Policy })
	p.record(r.Group, r.Policy, r.Values)
}

// putBack puts the group of a worker back at the front of the list, unless all its runs are done.
func (p *pool) putBack(m *member) {
	if len(m.task.policies) > 0 {
		p.todo = append([]*work{m.task}, p.todo...)
	}
	m.task = nil
}

// replaceLost terminates a worker that crashed or does not answer. Another worker repeats its unfinished runs.
// However, if maxTries workers were lost with the same group, replaceLost ends the pool with an error.
func (p *pool) replaceLost(m *member, why string) {
	p.endWorker(m)
	if t := m.task; t != nil {
		if t.lostWorkers++; t.lostWorkers >= maxTries {
			p.end(fmt.Errorf("%d workers crashed or did not answer while they ran the same jobs (%s): %s", t.lostWorkers, p.name(t.group), why))
			return
		}
		p.putBack(m)
	}
	p.assignIdle()
}

// tick pings busy workers that sent nothing for a while, and replaces those that do not answer. It skips
// workers that may still be downloading the program for scripts.
func (p *pool) tick() {
	now := p.now()
	for _, m := range slices.Clone(p.members) {
		switch {
		case m.task == nil || p.finished:
		case p.scripts && !m.booted: // the worker may still be downloading its program
		case m.pingedAt > 0 && now-m.pingedAt >= pongTimeout:
			p.replaceLost(m, fmt.Sprintf("no answer for %d s", pongTimeout/1000))
		case m.pingedAt == 0 && now-m.heardAt >= pingAfter:
			m.pingedAt = now
			p.post(m, "ping", nil)
		}
	}
}

// pause stops handing out groups and cancels the runs in progress. Finished runs keep their results.
func (p *pool) pause() {
	p.paused = true
	for _, m := range p.members {
		if m.task != nil {
			_ = m.worker.Post(browser.Message{Kind: "cancel", ID: m.id, Head: []byte("{}")})
		}
	}
}

// resume continues after a pause.
func (p *pool) resume() {
	p.paused = false
	p.assignIdle()
}

// end ends all workers and calls p.ended with err, which is nil if all runs are done.
func (p *pool) end(err error) {
	if p.finished {
		return
	}
	p.stop()
	p.ended(err)
}

// stop ends all workers at once, without calling p.ended.
func (p *pool) stop() {
	p.finished = true
	for _, m := range slices.Clone(p.members) {
		p.endWorker(m)
	}
}
