package files

import (
	"encoding/json"
	"errors"
	"fmt"

	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// calls is what the page that shows this one in a frame has asked for. They come one
// at a time: public/js/embedding.js holds the others, and bounds them.
type calls struct {
	waiting []*call
	begun   bool // the first of them is under way
	parts   map[int]string
	result  answered
	consent consent
}

// call is one of them, as docs/embedding.md has it; public/js/embedding.js knows its id.
type call struct {
	Op       string   `json:"op"`
	Policies []string `json:"policies"` // run: names of policies or presets; none: those at hand
	Result   int      `json:"result"`   // step, result: which schedule, from 0
	By       int      `json:"by"`       // step: so many events on, below 0 back
	At       *int64   `json:"at"`       // step: to the end of a moment
	Event    *int     `json:"event"`    // step: to an event, from 0

	scenario []byte // load: as a text
	origin   string // of the page that calls, as the browser tells it
}

// answered is what is told when a call is done.
type answered struct {
	Op       string           `json:"op"` // done or error
	Error    string           `json:"error,omitempty"`
	Results  []string         `json:"results,omitempty"`  // load, run, state: titles of the schedules
	Event    *protocol.Played `json:"event,omitempty"`    // step
	Jobs     string           `json:"jobs,omitempty"`     // result: the jobs CSV
	Metrics  json.RawMessage  `json:"metrics,omitempty"`  // result: the metrics JSON
	Scenario json.RawMessage  `json:"scenario,omitempty"` // state: null where it has faults
	Problems []string         `json:"problems,omitempty"` // state: those faults
	Address  string           `json:"address,omitempty"`  // state: of the same in a page of its own
}

// Called takes a call: its members but for the scenario, which may be large, that as a
// text, and the origin of the page that calls.
func (c *Files) Called(text, scenario, origin string) {
	q := &call{}
	if err := json.Unmarshal([]byte(text), q); err != nil {
		c.calls.tell(answered{Error: err.Error()})
		return
	}
	q.scenario, q.origin = []byte(scenario), origin
	c.calls.waiting = append(c.calls.waiting, q)
	c.Proceed()
}

// tell answers a call.
func (x *calls) tell(a answered) {
	a.Op = "done"
	if a.Error != "" {
		a.Op = "error"
	}
	text, err := json.Marshal(a)
	if err != nil {
		text, _ = json.Marshal(answered{Op: "error", Error: err.Error()})
	}
	_, _ = browser.Call("labReply", string(text))
}

// Proceed begins the first call, or ends it if it can be, and goes on with the next.
// It is called whenever something has happened.
func (c *Files) Proceed() {
	x := &c.calls
	for len(x.waiting) > 0 {
		q := x.waiting[0]
		a, done := answered{}, false
		var err error
		if q.Op != "load" { // a load is looked at when it is done: it may be of another document
			ok := false
			if ok, err = c.mayTell(q); err == nil && !ok {
				return
			}
		}
		if err == nil && !x.begun {
			x.begun = true
			err = c.begins(q)
		}
		if err == nil {
			a, done, err = c.ends(q)
		}
		if err == nil && !done {
			return
		}
		if err != nil {
			a = answered{Error: err.Error()}
		}
		x.waiting, x.begun, x.parts = x.waiting[1:], false, nil
		x.tell(a)
	}
}

// begins sets about a call.
func (c *Files) begins(q *call) error {
	switch q.Op {
	case "load":
		return c.loads(q.scenario)
	case "run":
		if len(q.Policies) == 0 {
			return nil
		}
		d, err := c.Doc().WithPolicies(q.Policies)
		if err == nil {
			c.Put("", d)
		}
		return err
	case "step", "result", "state":
		return nil
	}
	return fmt.Errorf("expected load, run, step, result or state as op, got %q", q.Op)
}

// loads has the worker read a scenario.
func (c *Files) loads(text []byte) error {
	if len(text) == 0 {
		return errors.New("expected a scenario, an object or a text, got nothing")
	}
	c.ReadFile(protocol.Open{Name: "scenario.json", AtHand: c.Doc().Slots(), Extras: c.Doc().Extras()}, browser.Message{Bufs: [][]byte{text}}, nil)
	c.File, c.External.Offer = browser.FileRef{}, browser.FileRef{}
	return nil
}

// ends returns the answer to a call, if it can be had by now.
func (c *Files) ends(q *call) (a answered, done bool, err error) {
	if q.Op == "state" {
		return c.stated(), true, nil
	}
	if ready, err := c.ready(q); !ready {
		return a, false, err
	}
	if n := len(c.Ran.Results); q.Result < 0 || q.Result >= n {
		return a, false, fmt.Errorf("expected a result from 0 to %d, got %d", n-1, q.Result)
	}
	switch q.Op {
	case "step":
		return c.stepped(q)
	case "result":
		return c.resulted(q)
	}
	if q.Op == "load" {
		c.Notice = "" // about a file
	}
	a.Results = c.Titles()
	return a, true, nil
}

// ready reports whether there are results of the document as it stands; an error says why
// there will be none.
func (c *Files) ready(q *call) (bool, error) {
	switch {
	case c.Task != 0:
		return false, nil
	case c.Failure != "" && q.Op == "load" && c.FileContent == 0:
		return false, errors.New(c.Failure)
	}
	if q.Op == "load" { // the person may have opened something meanwhile
		if ok, err := c.mayTell(q); !ok {
			return false, err
		}
	}
	switch {
	case c.Failure != "" && (q.Op == "load" || !c.Fresh()):
		return false, errors.New(c.Failure)
	case c.Fresh():
		return true, nil
	case c.Halted:
		return false, errors.New("the run was cancelled")
	case len(c.Bad) > 0:
		return false, errors.New(c.Problems()[0])
	}
	return false, nil
}

// stated returns the page as it stands.
func (c *Files) stated() (a answered) {
	a.Problems, a.Address = c.Problems(), c.Whole()
	if c.Fresh() {
		a.Results = c.Titles()
	}
	if c.Plan != nil {
		a.Scenario = c.Doc().File(c.Plan)
	}
	return a
}

// stepped moves the player once, and answers when it is there.
func (c *Files) stepped(q *call) (a answered, done bool, err error) {
	if x := &c.calls; x.parts == nil {
		x.parts = map[int]string{}
		to := protocol.Player{Result: q.Result}
		shown := c.player.Event()
		switch {
		case q.At != nil:
			to.Place = &replay.Place{Time: *q.At, Event: replay.After}
		case q.Event != nil:
			to.Event = *q.Event
		case shown != nil && shown.Generation == c.Ran.Generation:
			to.Event, to.By = shown.Event, q.By
		default: // before the first event
			to.By = q.By
		}
		c.player.Pause()
		c.player.SeekEvent(to)
	}
	if a.Event = c.player.Event(); c.player.Seeking() || a.Event == nil {
		return answered{}, false, nil
	}
	return a, true, nil
}

// resulted asks the worker for jobs and metrics, and answers when both are there.
func (c *Files) resulted(q *call) (a answered, done bool, err error) {
	x := &c.calls
	if x.parts == nil {
		x.result, x.parts = answered{}, map[int]string{}
		for _, what := range []string{"jobs", "policy-metrics"} {
			x.parts[c.PostExport(what, q.Result)] = what
		}
	}
	return x.result, len(x.parts) == 0, nil
}

// exported takes in what was asked for by a call; else it is for the person.
func (x *calls) exported(m browser.Message) bool {
	what, ours := x.parts[m.ID]
	if ours {
		delete(x.parts, m.ID)
		if what == "jobs" {
			x.result.Jobs = string(m.Bufs[0])
		} else {
			x.result.Metrics = m.Bufs[0]
		}
	}
	return ours
}
