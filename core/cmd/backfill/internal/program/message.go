package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Version is the version of the protocol, which the first message states.
const Version = 1

// hello is the first message that a program gets. It describes the machine.
type hello struct {
	Hello   int     `json:"hello"` // version of the protocol
	Machine machine `json:"machine"`
}

// machine describes the machine in the same way as a scenario. Procs is the total number of
// processors.
type machine struct {
	Procs       int        `json:"procs"`
	Nodes       int        `json:"nodes"`
	Processors  int        `json:"processors"`              // per node
	Cores       int        `json:"cores"`                   // per processor
	JobsPerNode int        `json:"jobs-per-node,omitempty"` // maximum number of jobs that share a node; 0 = unlimited
	Resources   []resource `json:"resources"`
	Outages     []outage   `json:"outages"`
}

// resource describes an extra resource of the machine.
type resource struct {
	Name     string `json:"name"`
	Capacity int64  `json:"capacity"`
}

// outage describes a period in which processors are unavailable.
type outage struct {
	From  job.Time `json:"from"`
	To    job.Time `json:"to"`
	Procs int      `json:"procs"`
}

// amounts holds a number of processors and an amount of each extra resource.
type amounts struct {
	Procs     int     `json:"procs"`
	Resources []int64 `json:"resources"` // by index in machine.Resources
}

// pass is the message that a program gets whenever an event occurs to which the policy may react.
type pass struct {
	Now       job.Time       `json:"now"`
	Free      amounts        `json:"free"`
	Ended     []int          `json:"ended"`             // IDs of the jobs that ended since the last pass
	Submitted []waitingJob   `json:"submitted"`         // jobs submitted since the last pass
	Ends      []estimatedEnd `json:"ends,omitempty"`    // new estimates of the ends of running jobs
	Woke      bool           `json:"woke,omitempty"`    // whether this is a time for which the program asked
	Outage    bool           `json:"outage,omitempty"`  // whether an outage begins or ends
	Waiting   *[]waitingJob  `json:"waiting,omitempty"` // all waiting jobs, if the program asked for full messages
	Running   *[]runningJob  `json:"running,omitempty"` // all running jobs, if the program asked for full messages
}

// waitingJob describes a job in the queue. Its ID is its number in order of submission, from 1.
type waitingJob struct {
	ID     int      `json:"id"`
	Name   string   `json:"name"` // ID of the job in the workload
	Submit job.Time `json:"submit"`
	amounts
	Estimate job.Time `json:"estimate"` // estimated runtime, in seconds
	User     string   `json:"user,omitempty"`
	Class    string   `json:"class,omitempty"` // application class, or ""
}

// runningJob describes a running job. End is its estimated end.
type runningJob struct {
	ID int `json:"id"`
	amounts
	Start job.Time `json:"start"`
	End   job.Time `json:"end"`
}

// estimatedEnd holds a running job and the new estimate of its end.
type estimatedEnd struct {
	ID  int      `json:"id"`
	End job.Time `json:"end"`
}

// helloLine returns the first message as a line of JSON.
func helloLine(p *sim.Pass) []byte {
	m := p.Machine()
	out := machine{Procs: m.Slots(), Nodes: m.Nodes, Processors: m.Processors, Cores: m.Cores, JobsPerNode: m.JobsPerNode,
		Resources: []resource{}, Outages: []outage{}}
	for _, r := range m.Resources {
		out.Resources = append(out.Resources, resource{r.Name, r.Capacity})
	}
	for _, o := range m.Outages {
		out.Outages = append(out.Outages, outage{o.From, o.To, o.Procs})
	}
	return encodeLine(hello{Version, out})
}

// passLine returns the message for a pass as a line of JSON.
func (y *Policy) passLine(p *sim.Pass) []byte {
	m := pass{Now: p.Now(), Free: freeAmounts(p), Ended: []int{}, Submitted: []waitingJob{}}
	for _, j := range y.otherEnds {
		if _, runs := y.started[j]; runs {
			m.Ends = append(m.Ends, estimatedEnd{jobNumber(j), p.PredictedEnd(j)})
		}
	}
	for _, ev := range p.Events() {
		switch ev.Kind {
		case sim.Finished:
			m.Ended = append(m.Ended, jobNumber(ev.Job))
		case sim.OutageChanged:
			m.Outage = true
		case sim.EndChanged:
			m.Ends = append(m.Ends, estimatedEnd{jobNumber(ev.Job), p.PredictedEnd(ev.Job)})
		case sim.Woke:
			m.Woke = true
		case sim.Submitted:
			m.Submitted = append(m.Submitted, describeWaiting(p, ev.Job))
		}
	}
	if y.full {
		m.Waiting, m.Running = &[]waitingJob{}, &[]runningJob{}
		for j := range p.Waiting() {
			*m.Waiting = append(*m.Waiting, describeWaiting(p, j))
		}
		for j := range p.Running() {
			*m.Running = append(*m.Running, runningJob{jobNumber(j), amountsOf(p, j), y.started[j], p.PredictedEnd(j)})
		}
	}
	return encodeLine(m)
}

// describeWaiting returns the description of a job in the queue.
func describeWaiting(p *sim.Pass, j job.Index) waitingJob {
	q := p.Job(j)
	out := waitingJob{ID: jobNumber(j), Name: p.ID(j), Submit: q.Submit, amounts: amountsOf(p, j), Estimate: q.Estimate}
	if q.More != nil {
		out.User, out.Class = q.More.User, q.More.Class
	}
	return out
}

// freeAmounts returns the number of processors and the amount of each extra resource that are free now.
func freeAmounts(p *sim.Pass) amounts {
	free := policy.FreeCapacity(p)
	return amounts{free.Procs, append([]int64{}, free.Extra...)}
}

// amountsOf returns the number of processors and the amount of each extra resource that a job requests.
func amountsOf(p *sim.Pass, j job.Index) amounts {
	out := amounts{p.Job(j).Procs, []int64{}}
	for k := range p.Machine().Resources {
		out.Resources = append(out.Resources, p.Job(j).Extra(k))
	}
	return out
}

// jobNumber returns the number by which messages refer to a job.
func jobNumber(j job.Index) int { return int(j) + 1 }

// jobIndex returns the job with the given number, or job.None if there cannot be such a job.
func jobIndex(number int) job.Index {
	if number < 1 || number > job.MaxJobs {
		return job.None
	}
	return job.Index(number - 1)
}

// encodeLine encodes a message as a line of JSON, including the line end.
func encodeLine(message any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(message); err != nil {
		panic(err) // cannot happen, because messages contain only values that JSON can represent
	}
	return out.Bytes()
}

// answer is the answer of a program to a pass message. It refers to jobs by their numbers.
type answer struct {
	Start   []int            `json:"start"`   // jobs to start now
	Wake    *job.Time        `json:"wake"`    // time at which the program wants another message; nil for none
	Promise map[int]job.Time `json:"promise"` // latest starts that the program promises, by job
	Because map[int]string   `json:"because"` // reasons, for jobs that start or wait
}

// firstAnswer is the answer of a program to the first message.
type firstAnswer struct {
	Full bool `json:"full"` // whether each message should contain all waiting and all running jobs
}

// These texts describe valid answers in error messages.
const (
	expectedAnswer      = `an object such as {"start": [3], "because": {"3": "it fits"}}`
	expectedFirstAnswer = `{} or {"full": true} as the answer to the first message`
)

// decode decodes a line into out, which points to an answer or a firstAnswer. Its errors contain
// the given description of what was expected.
func decode(text []byte, out any, expected string) error {
	bad := func(why string) error { return fmt.Errorf("expected %s, got %s%s", expected, shorten(text), why) }
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return bad("")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(out); err != nil {
		return bad(" (" + strings.TrimPrefix(err.Error(), "json: ") + ")")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return bad(" (more text follows the object)")
	}
	return nil
}

// jobsOf returns the numbers of the jobs in map m, in ascending order.
func jobsOf[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
