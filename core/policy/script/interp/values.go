package interp

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// value is the interface of the types of this package that a script can use.
type value interface {
	starlark.HasAttrs
	isScriptValue()
}

// object holds the methods that all types of script values share. A script cannot assign to the
// attributes of these values. Freeze has no effect: even after Freeze is called, a script can
// change a profile with the methods of the profile.
type object struct{}

func (object) isScriptValue()       {}
func (object) Freeze()              {}
func (object) Truth() starlark.Bool { return true }

// cheapAttributes names the attributes that need no guard, because they take little time and
// memory.
var cheapAttributes = map[string]bool{
	"append": true, "get": true, "add": true, "setdefault": true, // of Starlark's types
	"events": true, "waiting": true, "wait": true, "running": true, "start": true, "wake": true, "promise": true, "profile": true, "fits": true, "resources": true,
	"id": true, "user": true, "type": true, "kind": true, "job": true, "reserve": true, "release": true, "started": true,
	"now": true, "free": true, "procs": true, "submit": true, "estimate": true, "expected_end": true, "number": true,
}

// numberAttributes names the attributes whose values are numbers. No type of Starlark has attributes
// with these names.
var numberAttributes = map[string]bool{
	"now": true, "free": true, "procs": true, "submit": true, "estimate": true, "expected_end": true, "number": true,
}

// passValue represents the pass in a script, as the argument p of the function schedule. The same
// passValue serves all passes of a run.
type passValue struct {
	object
	policy  *Policy
	pass    *sim.Pass // nil before the first pass
	methods map[string]starlark.Value

	running starlark.Value // nil until the script reads it
	events  starlark.Value // nil until the script reads it
}

func (p *passValue) String() string        { return "pass" }
func (p *passValue) Type() string          { return "pass" }
func (p *passValue) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: pass") }

// passAttributes names the attributes of a pass that are not methods.
var passAttributes = []string{"events", "free", "now", "procs", "resources", "running", "waiting"}

func (p *passValue) AttrNames() []string {
	return append(slices.Sorted(maps.Keys(p.methods)), passAttributes...)
}

func (p *passValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "now":
		return starlark.MakeInt64(p.pass.Now()), nil
	case "free":
		return starlark.MakeInt(p.pass.Free()), nil
	case "procs":
		return starlark.MakeInt(p.pass.Machine().Slots()), nil
	case "waiting":
		return p.policy.waiting, nil
	case "running":
		return p.runningJobs(), nil
	case "events":
		return p.eventList(), nil
	case "resources":
		return p.freeResources(), nil
	}
	return p.methods[name], nil
}

// method is the type of the methods that a script can call on a pass or a profile.
type method = func(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// builtins converts methods to Starlark values.
func builtins(all map[string]method) map[string]starlark.Value {
	out := map[string]starlark.Value{}
	for name, m := range all {
		out[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return m(args, kwargs)
		})
	}
	return out
}

// runningJobs returns the running jobs in the order of their starts.
func (p *passValue) runningJobs() starlark.Value {
	if p.running == nil {
		var jobs starlark.Tuple
		for j := range p.pass.Running() {
			jobs = append(jobs, p.policy.job(j))
		}
		p.running = jobs
	}
	return p.running
}

// eventKinds holds, for each kind of event, its name in scripts.
var eventKinds = [...]string{sim.Finished: "finished", sim.OutageChanged: "outage", sim.EndChanged: "rate", sim.Woke: "woke", sim.Submitted: "submitted"}

// eventList returns the events of the pass.
func (p *passValue) eventList() starlark.Value {
	if p.events == nil {
		var events starlark.Tuple
		for _, e := range p.pass.Events() {
			v := &eventValue{kind: eventKinds[e.Kind], job: starlark.None}
			if e.Job != job.None {
				v.job = p.policy.job(e.Job)
			}
			events = append(events, v)
		}
		p.events = events
	}
	return p.events
}

// freeResources returns the free amounts of the extra resources.
func (p *passValue) freeResources() starlark.Value {
	return amounts(p.pass, p.pass.FreeExtra)
}

// amounts returns a dictionary that maps the name of each extra resource k to amountOf(k).
func amounts(p *sim.Pass, amountOf func(k int) int64) starlark.Value {
	resources := p.Machine().Resources
	d := starlark.NewDict(len(resources))
	for k := range resources {
		_ = d.SetKey(starlark.String(resources[k].Name), starlark.MakeInt64(amountOf(k))) // a new dictionary accepts any text as a key
	}
	return d
}

func (p *passValue) fits(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var j *jobValue
	if err := starlark.UnpackArgs("fits", args, kwargs, "job", &j); err != nil {
		return nil, err
	}
	ok := j.Procs <= p.pass.Free()
	for k := 0; ok && k < len(p.pass.Machine().Resources); k++ {
		ok = j.Extra(k) <= p.pass.FreeExtra(k)
	}
	return starlark.Bool(ok), nil
}

func (p *passValue) start(args starlark.Tuple, kwargs []starlark.Tuple) (_ starlark.Value, err error) {
	var j *jobValue
	var because string
	var procs int
	if err := starlark.UnpackArgs("start", args, kwargs, "job", &j, "because?", &because, "procs?", &procs); err != nil {
		return nil, err
	}
	defer func() { // turn a violation into an error, which gets a position in the script
		if v := recover(); v != nil {
			violation, ok := v.(*sim.Violation)
			if !ok {
				panic(v)
			}
			err = fmt.Errorf("%s: %s", j, violation.Why)
		}
	}()
	why := p.pass.ReasonInWords(because)
	if why.Code == log.NoReason {
		why.Code = log.Unsaid
	}
	p.pass.Start(j.index, sim.Claim{Procs: procs}, why)
	p.running = nil
	p.policy.markStarted(j)
	return starlark.None, nil
}

// wait implements the method wait of a pass, which records why a job waits.
func (p *passValue) wait(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var j *jobValue
	var because string
	if err := starlark.UnpackArgs("wait", args, kwargs, "job", &j, "because", &because); err != nil {
		return nil, err
	}
	if !p.policy.waits(j) {
		return nil, fmt.Errorf("wait: expected a waiting job, got %s", j)
	}
	if why := p.pass.WaitReasonInWords(because); why.Code != log.NoReason {
		p.pass.RecordWait(j.index, why)
	}
	return starlark.None, nil
}

func (p *passValue) wake(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var t int64
	if err := starlark.UnpackArgs("wake", args, kwargs, "time", &t); err != nil {
		return nil, err
	}
	if t <= p.pass.Now() {
		return nil, fmt.Errorf("wake: expected a time after %d (now), got %d", p.pass.Now(), t)
	}
	p.pass.WakeAt(t)
	return starlark.None, nil
}

func (p *passValue) promise(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var j *jobValue
	var t int64
	if err := starlark.UnpackArgs("promise", args, kwargs, "job", &j, "time", &t); err != nil {
		return nil, err
	}
	if t < p.pass.Now() || !p.policy.waits(j) {
		return nil, fmt.Errorf("promise: expected a waiting job and a time of at least %d (now), got %s and %d", p.pass.Now(), j, t)
	}
	p.pass.Promise(j.index, t)
	return starlark.None, nil
}

// newProfile returns the free capacity over time. Running jobs hold their processors and extra
// resources until their expected ends.
func (p *passValue) newProfile(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("profile", args, kwargs); err != nil {
		return nil, err
	}
	v := newProfile(p.policy, profile.ForMachine(p.pass.Machine()))
	for j := range p.pass.Running() {
		v.profile.Reserve(p.policy.job(j).demand(), p.pass.Now(), p.pass.PredictedEnd(j))
	}
	return v, nil
}

// jobValue represents a job in a script.
type jobValue struct {
	object
	*job.Request
	policy *Policy
	index  job.Index
	id     string

	start, expected job.Time // start and expected end, -1 before the start
	procs           int      // requested processors; after the start, allocated processors
}

func (j *jobValue) String() string        { return "job " + j.id }
func (j *jobValue) Type() string          { return "job" }
func (j *jobValue) Hash() (uint32, error) { return uint32(j.index), nil }

// demand returns the resources that a running job holds, or that a waiting job requests.
func (j *jobValue) demand() job.Demand {
	n := job.Demand{Procs: j.procs}
	if len(j.policy.pass.pass.Machine().Resources) > 0 {
		n.Extra = j.Request.Demand().Extra
	}
	return n
}

var jobAttributes = []string{"estimate", "expected_end", "id", "number", "procs", "resources", "started", "submit", "type", "user"}

func (j *jobValue) AttrNames() []string { return jobAttributes }

func (j *jobValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "id":
		return starlark.String(j.id), nil
	case "number":
		return starlark.MakeInt(int(j.index) + 1), nil
	case "submit":
		return starlark.MakeInt64(j.Submit), nil
	case "procs":
		return starlark.MakeInt(j.procs), nil
	case "estimate":
		return starlark.MakeInt64(j.Estimate), nil
	case "user", "type":
		return starlark.String(j.text(name)), nil
	case "resources":
		return amounts(j.policy.pass.pass, j.Extra), nil
	case "started":
		if j.start < 0 {
			return starlark.None, nil
		}
		return starlark.MakeInt64(j.start), nil
	case "expected_end":
		if j.start < 0 {
			return nil, fmt.Errorf("%s has no .expected_end: it has not started", j)
		}
		return starlark.MakeInt64(j.expected), nil
	case "runtime", "end":
		return nil, fmt.Errorf("job has no .%s: a policy sees only the estimate of a job", name)
	}
	return nil, nil
}

// text returns the user of the job if name is "user", and its application class otherwise.
func (j *jobValue) text(name string) string {
	switch {
	case j.More == nil:
		return ""
	case name == "user":
		return j.More.User
	}
	return j.More.Class
}

// eventValue represents an event of a pass in a script.
type eventValue struct {
	object
	kind string         // name from eventKinds
	job  starlark.Value // None if the event concerns no job
}

func (e *eventValue) String() string        { return "event " + e.kind }
func (e *eventValue) Type() string          { return "event" }
func (e *eventValue) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: event") }
func (e *eventValue) AttrNames() []string   { return []string{"job", "kind"} }

func (e *eventValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "kind":
		return starlark.String(e.kind), nil
	case "job":
		return e.job, nil
	}
	return nil, nil
}
