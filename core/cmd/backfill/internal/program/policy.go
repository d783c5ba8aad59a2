package program

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

// Policy is a scheduling policy that asks a program which jobs to start. It records all messages
// and answers for its clones. At its first pass, a clone starts a process of its own, and sends it
// all recorded messages. This process then has the same state as the process of the original
// policy.
type Policy struct {
	set     *Set
	command string   // command line of the program
	process *process // nil before the first pass

	messages, answers [][]byte // recorded lines; answers[i] is the answer to messages[i]
	full              bool     // whether the program asked for all jobs in each message

	waiting     map[job.Index]bool
	lastReasons map[job.Index]string   // reason that the program last gave for each waiting job
	promised    map[job.Index]bool     // jobs with a promised start, including jobs that have started
	started     map[job.Index]job.Time // start time of each running job
	otherEnds   []job.Index            // jobs that started in the last pass and whose expected end is not their start plus their estimate
	ended       int                    // number of jobs that have ended
}

// newPolicy returns a policy that has not started its program yet.
func newPolicy(s *Set, command string) *Policy {
	return &Policy{set: s, command: command, waiting: map[job.Index]bool{}, lastReasons: map[job.Index]string{}, promised: map[job.Index]bool{}, started: map[job.Index]job.Time{}}
}

// Clone returns a policy with the same recorded messages and answers. It has no process yet.
func (y *Policy) Clone() sim.Policy {
	c := *y
	c.process = nil
	c.messages, c.answers = slices.Clip(y.messages), slices.Clip(y.answers)
	c.waiting, c.lastReasons, c.promised, c.started = maps.Clone(y.waiting), maps.Clone(y.lastReasons), maps.Clone(y.promised), maps.Clone(y.started)
	c.otherEnds = slices.Clone(y.otherEnds)
	return &c
}

// Schedule sends a message to the program and carries out its answer. The first call also sends the
// message about the machine, before the other message. Every error ends the run with a Violation.
func (y *Policy) Schedule(p *sim.Pass) {
	y.apply(p)
	if len(y.messages) == 0 {
		y.sendHello(p)
	}
	text := y.ask(p, y.passLine(p))
	var a answer
	if err := decode(text, &a, expectedAnswer); err != nil {
		y.fail(p, err)
	}
	y.carryOut(p, &a, text)
	if y.ended == p.JobCount() {
		y.finish(p)
	}
}

// apply updates the state of the policy with the events since the last pass.
func (y *Policy) apply(p *sim.Pass) {
	for _, ev := range p.Events() {
		switch ev.Kind {
		case sim.Finished:
			delete(y.started, ev.Job)
			y.ended++
		case sim.Submitted:
			y.waiting[ev.Job] = true
		}
	}
}

// sendHello sends the first message and reads the answer.
func (y *Policy) sendHello(p *sim.Pass) {
	var first firstAnswer
	if err := decode(y.ask(p, helloLine(p)), &first, expectedFirstAnswer); err != nil {
		y.fail(p, err)
	}
	y.full = first.Full
}

// ask sends a message to the program and returns its answer. It starts the program if necessary.
func (y *Policy) ask(p *sim.Pass, message []byte) []byte {
	if y.process == nil || !y.set.markUsed(y.process) {
		y.restart(p)
	}
	text, err := y.process.ask(message)
	if err != nil {
		y.fail(p, err)
	}
	y.messages, y.answers = append(y.messages, message), append(y.answers, text)
	return text
}

// restart starts a process and sends it all recorded messages. Its answers must equal the recorded
// answers.
func (y *Policy) restart(p *sim.Pass) {
	var err error
	if y.process, err = y.set.start(y.command); err != nil {
		y.fail(p, err)
	}
	for i, message := range y.messages {
		text, err := y.process.ask(message)
		if err == nil && !bytes.Equal(text, y.answers[i]) {
			err = fmt.Errorf("expected the same answers whenever the program gets the same messages, got %s and then %s as the answer to %s",
				shorten(y.answers[i]), shorten(text), shorten(bytes.TrimSpace(message)))
		}
		if err != nil {
			y.fail(p, err)
		}
	}
}

// finish closes the standard input of the process and waits for it to end. It is called after the
// last job has ended.
func (y *Policy) finish(p *sim.Pass) {
	if err := y.process.finish(); err != nil {
		y.fail(p, err)
	}
	y.set.end(y.process)
}

// fail ends the process, and ends the run with an error. The error contains the last lines that the
// program wrote to standard error.
func (y *Policy) fail(p *sim.Pass, err error) {
	text := fmt.Sprintf("%s%s: %v", registry.ProgramPrefix, y.command, err)
	if y.process != nil {
		y.set.end(y.process)
		if last := y.process.errors.String(); last != "" {
			text += "\nThe last lines of its standard error:" + last
		}
	}
	panic(&sim.Violation{At: p.Now(), Why: text})
}

// carryOut carries out an answer. Its errors quote the given text, which is the line that the
// program wrote.
func (y *Policy) carryOut(p *sim.Pass, a *answer, text []byte) {
	for _, carryOut := range []func(*sim.Pass, *answer) error{y.recordPromises, y.startJobs, y.recordReasons, y.requestWake} {
		if err := carryOut(p, a); err != nil {
			y.fail(p, fmt.Errorf("%w, in the answer %s", err, shorten(text)))
		}
	}
}

// recordPromises records the promised starts in an answer.
func (y *Policy) recordPromises(p *sim.Pass, a *answer) error {
	for _, n := range jobsOf(a.Promise) {
		j, at := jobIndex(n), a.Promise[n]
		switch {
		case !y.waiting[j]:
			return fmt.Errorf("promise: expected the ids of waiting jobs, got %d", n)
		case y.promised[j]:
			return fmt.Errorf("promise: expected one promise for each job, got a second one for job %d", n)
		case at < p.Now():
			return fmt.Errorf("promise: expected a start at %d or later, got %d", p.Now(), at)
		}
		y.promised[j] = true
		p.Promise(j, at)
	}
	return nil
}

// startJobs starts the jobs that an answer lists.
func (y *Policy) startJobs(p *sim.Pass, a *answer) error {
	y.otherEnds = y.otherEnds[:0]
	for _, n := range a.Start {
		j := jobIndex(n)
		if !y.waiting[j] {
			return fmt.Errorf("start: expected the ids of waiting jobs, got %d", n)
		}
		if what, needs, free := shortage(p, j); needs > free {
			return fmt.Errorf("start: expected jobs that fit, got job %d, which needs %d %s, but %d are free", n, needs, what, free)
		}
		why := p.ReasonInWords(a.Because[n])
		if why.Code == log.NoReason {
			why.Code = log.Unsaid
		}
		p.Start(j, sim.Claim{}, why)
		delete(y.waiting, j)
		delete(y.lastReasons, j)
		y.started[j] = p.Now()
		if p.PredictedEnd(j) != p.Now()+p.Job(j).Estimate {
			y.otherEnds = append(y.otherEnds, j)
		}
	}
	return nil
}

// recordReasons records why jobs wait. It does not record the same reason for a job twice in a row.
func (y *Policy) recordReasons(p *sim.Pass, a *answer) error {
	for _, n := range jobsOf(a.Because) {
		j, words := jobIndex(n), a.Because[n]
		if at, runs := y.started[j]; !y.waiting[j] && !(runs && at == p.Now()) {
			return fmt.Errorf("because: expected the ids of jobs that wait or start now, got %d", n)
		}
		if !y.waiting[j] || words == y.lastReasons[j] {
			continue
		}
		if why := p.WaitReasonInWords(words); why.Code != log.NoReason {
			y.lastReasons[j] = words
			p.RecordWait(j, why)
		}
	}
	return nil
}

// requestWake requests another message at the wake time in an answer. It does nothing if the answer
// has no wake time.
func (y *Policy) requestWake(p *sim.Pass, a *answer) error {
	if a.Wake == nil {
		return nil
	}
	if *a.Wake <= p.Now() {
		return fmt.Errorf("wake: expected a time after %d, got %d", p.Now(), *a.Wake)
	}
	p.WakeAt(*a.Wake)
	return nil
}

// shortage returns the first resource of which job j needs more than is free, with the amount that
// the job needs and the free amount. If enough of every resource is free, it returns the
// processors.
func shortage(p *sim.Pass, j job.Index) (what string, needs, free int64) {
	need, left := p.Job(j).Demand(), policy.FreeCapacity(p)
	if k := left.FirstShortage(need); k > 0 {
		return "of " + p.Machine().Resources[k-1].Name, need.Amount(k - 1), left.Extra[k-1]
	}
	return "processors", int64(need.Procs), int64(left.Procs)
}
