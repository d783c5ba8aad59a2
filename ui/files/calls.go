package files

import (
	"encoding/json"
	"errors"
	"fmt"

	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// calls holds the requests of a page that embeds this one in a frame. They arrive one at
// a time: public/js/embedding.js queues the others and limits their number.
type calls struct {
	waiting []*call        // calls without an answer, the current one first
	begun   bool           // the first waiting call has begun
	parts   map[int]string // the exports that the current call waits for, by request ID; empty for a step that has begun
	result  callAnswer     // answer to a result call, without the exports that are still missing
	consent consent
	grades  grades
}

// call is a request of the embedding page, as docs/embedding.md specifies it. The script
// public/js/embedding.js keeps the id of the call.
type call struct {
	Op       string   `json:"op"`       // load, run, step, result, state or grades
	Policies []string `json:"policies"` // run: names of policies or presets; empty keeps the current ones
	Result   int      `json:"result"`   // step, result: index of the schedule
	By       int      `json:"by"`       // step: number of events forward, negative for back
	At       *int64   `json:"at"`       // step: time in seconds; shows the state after all events at this time
	Event    *int     `json:"event"`    // step: index of an event

	scenario []byte // load: the scenario as JSON
	origin   string // origin of the calling page, as reported by the browser
}

// callAnswer is the answer to a call.
type callAnswer struct {
	Op       string           `json:"op"`                 // done or error
	Error    string           `json:"error,omitempty"`    // error message if Op is error
	Results  []string         `json:"results,omitempty"`  // load, run, state: titles of the schedules
	Event    *protocol.Played `json:"event,omitempty"`    // step
	Jobs     string           `json:"jobs,omitempty"`     // result: the jobs CSV
	Metrics  json.RawMessage  `json:"metrics,omitempty"`  // result: the metrics JSON
	Scenario json.RawMessage  `json:"scenario,omitempty"` // state: the scenario, absent if it is invalid
	Problems []string         `json:"problems,omitempty"` // state: errors in the scenario
	Address  string           `json:"address,omitempty"`  // state: address of the scenario in a full page
}

// HandleCall adds a call to the queue. The scenario of a load call is a separate argument, because it may be large. The
// other members of the call are in callJSON.
func (c *Files) HandleCall(callJSON, scenario, origin string) {
	q := &call{}
	if err := json.Unmarshal([]byte(callJSON), q); err != nil {
		c.calls.sendAnswer(callAnswer{Error: err.Error()})
		return
	}
	q.scenario, q.origin = []byte(scenario), origin
	c.calls.waiting = append(c.calls.waiting, q)
	c.ContinueCalls()
}

// sendAnswer sends the answer to a call to the embedding page.
func (x *calls) sendAnswer(a callAnswer) {
	a.Op = "done"
	if a.Error != "" {
		a.Op = "error"
	}
	text, err := json.Marshal(a)
	if err != nil {
		text, _ = json.Marshal(callAnswer{Op: "error", Error: err.Error()})
	}
	_, _ = browser.Call("labReply", string(text))
}

// ContinueCalls begins the first waiting call and answers it once it is done, then goes on with
// the next. It runs after every event that could complete a call.
func (c *Files) ContinueCalls() {
	x := &c.calls
	for len(x.waiting) > 0 {
		q := x.waiting[0]
		a, done := callAnswer{}, false
		var err error
		if q.Op != "load" && q.Op != "grades" { // a load replaces the document, so resultsAreReady asks for consent after it
			ok := false
			if ok, err = c.mayAnswer(q); err == nil && !ok {
				return
			}
		}
		if err == nil && !x.begun {
			x.begun = true
			err = c.beginCall(q)
		}
		if err == nil {
			a, done, err = c.finishCall(q)
		}
		if err == nil && !done {
			return
		}
		if err != nil {
			a = callAnswer{Error: err.Error()}
		}
		x.waiting, x.begun, x.parts = x.waiting[1:], false, nil
		x.sendAnswer(a)
	}
}

// beginCall begins the work of a call. The method finishCall returns the answer later.
func (c *Files) beginCall(q *call) error {
	switch q.Op {
	case "load":
		return c.load(q.scenario)
	case "run":
		if len(q.Policies) == 0 {
			return nil
		}
		d, err := c.Doc().WithPolicies(q.Policies)
		if err == nil {
			c.ReplaceUnchecked("", d)
		}
		return err
	case "grades":
		c.calls.grades.origin = q.origin
		return nil
	case "step", "result", "state":
		return nil
	}
	return fmt.Errorf("expected load, run, step, result, state or grades as op, got %q", q.Op)
}

// load asks the worker to read the scenario of a call.
func (c *Files) load(text []byte) error {
	if len(text) == 0 {
		return errors.New("expected a scenario (an object or a text), got nothing")
	}
	c.ReadFile(protocol.Open{Name: "scenario.json", CurrentProcs: c.Doc().Slots(), Extras: c.Doc().Extras()}, browser.Message{Bufs: [][]byte{text}}, nil)
	c.File = browser.FileRef{}
	return nil
}

// finishCall returns the answer to a call if its work is done.
func (c *Files) finishCall(q *call) (a callAnswer, done bool, err error) {
	switch q.Op {
	case "state":
		return c.state(), true, nil
	case "grades":
		return a, true, nil
	}
	if ready, err := c.resultsAreReady(q); !ready {
		return a, false, err
	}
	if n := len(c.Ran.Results); q.Result < 0 || q.Result >= n {
		return a, false, fmt.Errorf("expected a result from 0 to %d, got %d", n-1, q.Result)
	}
	switch q.Op {
	case "step":
		return c.step(q)
	case "result":
		return c.result(q)
	}
	if q.Op == "load" {
		c.Notice = "" // the notice about the opened file is only for files that the user opens
	}
	a.Results = c.Titles()
	return a, true, nil
}

// resultsAreReady reports whether the results are up to date with the document. If they never will be, it
// returns an error with the reason.
func (c *Files) resultsAreReady(q *call) (bool, error) {
	switch {
	case c.Task != 0:
		return false, nil
	case c.Failure != "" && q.Op == "load" && c.FileContentID == 0:
		return false, errors.New(c.Failure)
	}
	if q.Op == "load" { // the user may have opened another scenario since the call began, so ask for consent
		if ok, err := c.mayAnswer(q); !ok {
			return false, err
		}
	}
	switch {
	case c.Failure != "" && (q.Op == "load" || !c.IsComplete()):
		return false, errors.New(c.Failure)
	case c.IsComplete():
		return true, nil
	case c.Halted:
		return false, errors.New("the run was cancelled")
	case len(c.Bad) > 0:
		return false, errors.New(c.Problems()[0])
	}
	return false, nil
}

// state returns the answer to a state call: the current scenario, results and problems.
func (c *Files) state() (a callAnswer) {
	a.Problems, a.Address = c.Problems(), c.FullPageAddress()
	if c.IsComplete() {
		a.Results = c.Titles()
	}
	if c.Plan != nil {
		a.Scenario = c.Doc().File(c.Plan)
	}
	return a
}

// step answers a step call. The first time that it is called with q, it moves the player. It returns the answer and
// true once the player shows the event.
func (c *Files) step(q *call) (a callAnswer, done bool, err error) {
	if x := &c.calls; x.parts == nil {
		x.parts = map[int]string{}
		to := protocol.PlayerQuery{Result: q.Result}
		shown := c.player.Event()
		switch {
		case q.At != nil:
			to.Place = &replay.EventRef{Time: *q.At, Event: replay.After}
		case q.Event != nil:
			to.Event = *q.Event
		case shown != nil && shown.Generation == c.Ran.Generation:
			to.Event, to.By = shown.Event, q.By
		default: // no event is shown: step from the state before the first event
			to.By = q.By
		}
		c.player.Pause()
		c.player.SeekEvent(to)
	}
	if a.Event = c.player.Event(); c.player.Seeking() || a.Event == nil {
		return callAnswer{}, false, nil
	}
	return a, true, nil
}

// result answers a result call. The first time that it is called with q, it asks the worker for jobs and metrics. It
// returns the answer and true once both have arrived.
func (c *Files) result(q *call) (a callAnswer, done bool, err error) {
	x := &c.calls
	if x.parts == nil {
		x.result, x.parts = callAnswer{}, map[int]string{}
		for _, what := range []string{"jobs", "policy-metrics"} {
			x.parts[c.PostExport(what, q.Result)] = what
		}
	}
	return x.result, len(x.parts) == 0, nil
}

// storeExport stores an export that the current call asked for. If the user asked for the export, storeExport does
// nothing and returns false.
func (x *calls) storeExport(m browser.Message) bool {
	what, asked := x.parts[m.ID]
	if asked {
		delete(x.parts, m.ID)
		if what == "jobs" {
			x.result.Jobs = string(m.Bufs[0])
		} else {
			x.result.Metrics = m.Bufs[0]
		}
	}
	return asked
}

// grades holds the grade of a student's solution until it is sent to the embedding page.
type grades struct {
	origin string // origin of the page that asked for grades, "" if none did
	grade  string // the grade to send, as JSON; "" if there is none
}

// HandleGrade sends the grade of a student's solution, as JSON, to the embedding page if that page has asked for
// grades. If the page shows content that the user opened, the user must agree first.
func (c *Files) HandleGrade(grade string) {
	if x := &c.calls.grades; x.origin != "" {
		x.grade = grade
		c.sendGrade()
	}
}

// sendGrade sends the grade that has not been sent yet. It waits while the user has not decided
// whether to share it, and drops the grade if the user refuses.
func (c *Files) sendGrade() {
	x := &c.calls.grades
	if x.grade == "" {
		return
	}
	may, err := c.mayAnswer(&call{origin: x.origin})
	if may {
		_, _ = browser.Call("labGrade", x.grade, x.origin)
	}
	if may || err != nil {
		x.grade = ""
	}
}
