package interp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"backfill-lab/core/job"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/sim"
)

// Policy implements a scheduling policy whose decisions a script makes.
type Policy struct {
	program  *starlark.Program // the compiled script
	set      string            // values for the knobs of the script
	maxSteps uint64            // maximum number of interpreter steps in one pass
	schedule starlark.Callable // function schedule of the script
	thread   *starlark.Thread
	state    *starlark.Dict // dictionary in which the script keeps values between passes
	meter    meter
	pass     passValue      // argument of schedule, the same in all passes
	jobs     []*jobValue    // by job; nil until the job is submitted
	waiting  starlark.Tuple // the waiting jobs, in index order; every change makes a new tuple

	lines []script.Line // what the script printed, up to maxLines
	more  int           // number of lines dropped, because the script had already printed maxLines
}

// maxLines and maxLineLength limit what a script can print in a run.
const (
	maxLines      = 2000
	maxLineLength = 300
)

// New returns the policy that a script implements. The knobs of the script get the given values,
// such as "depth=2 strict=True". The error is a *script.Error.
func New(source, set string) (script.Policy, error) { return WithMaxSteps(MaxSteps)(source, set) }

// WithMaxSteps returns an interpreter for scripts that may take at most maxSteps steps in one pass,
// and at most maxSteps steps while they are loaded.
func WithMaxSteps(maxSteps uint64) script.Interpreter {
	return func(source, set string) (script.Policy, error) {
		program, err := compile(source)
		if err != nil {
			return nil, err
		}
		p, err := load(program, set, maxSteps)
		if err != nil {
			return nil, err
		}
		return p, nil
	}
}

// policyKey is the key under which a Starlark thread stores its policy.
const policyKey = "policy"

// policyOf returns the policy to which a thread belongs.
func policyOf(t *starlark.Thread) *Policy { return t.Local(policyKey).(*Policy) }

// load executes the statements of a script that are outside functions, sets its knobs, and returns
// its policy. It returns an error if the script does not define a function schedule(p).
func load(program *starlark.Program, set string, maxSteps uint64) (*Policy, error) {
	p := &Policy{program: program, set: set, maxSteps: maxSteps, state: starlark.NewDict(0), thread: &starlark.Thread{Name: fileName}}
	p.pass.policy = p
	p.pass.methods = builtins(map[string]method{"fits": p.pass.fits, "wait": p.pass.wait, "start": p.pass.start, "wake": p.pass.wake, "promise": p.pass.promise, "profile": p.pass.newProfile})
	p.thread.SetLocal(policyKey, p)
	p.thread.OnMaxSteps = func(t *starlark.Thread) {
		t.Cancel(fmt.Sprintf("more than %d steps in one call of schedule, or while the script loads: does a loop never end?", maxSteps))
	}
	names := starlark.StringDict{"state": p.state, "True": starlark.True}
	for name, g := range guards {
		names[name] = g
	}
	p.resetLimits()
	globals, err := program.Init(p.thread, names)
	if err != nil {
		return nil, p.scriptError(err)
	}
	if err := setKnobs(globals["knobs"], set); err != nil {
		return nil, err
	}
	schedule, ok := globals["schedule"].(*starlark.Function)
	if !ok || schedule.NumParams() != 1 {
		return nil, &script.Error{Message: "expected a function schedule(p)"}
	}
	globals.Freeze()
	p.schedule = schedule
	return p, nil
}

// resetLimits restores the full limits of steps and work. It is called before each pass, and before
// the script is loaded.
func (p *Policy) resetLimits() {
	p.thread.Steps = 0
	p.thread.SetMaxExecutionSteps(p.maxSteps)
	p.meter.workLeft = maxWork
}

// scriptError converts an error of the interpreter to an error with a position in the script.
func (p *Policy) scriptError(err error) *script.Error {
	e := scriptError(err)
	e.Message = strings.TrimPrefix(e.Message, "Starlark computation cancelled: ")
	return e
}

// setKnobs changes values in knobs, the dictionary that holds the knobs of a script. The new values
// are given as a text, such as "depth=2 strict=True".
func setKnobs(knobs starlark.Value, set string) error {
	dict, _ := knobs.(*starlark.Dict)
	for _, word := range strings.Fields(set) {
		name, text, _ := strings.Cut(word, "=")
		var old starlark.Value
		known := false
		if dict != nil {
			old, known, _ = dict.Get(starlark.String(name)) // a text is always a valid key
		}
		if !known {
			return &script.Error{Message: "knob " + name + ": expected a knob of the script" + knobNames(dict)}
		}
		v, err := parseSameType(old, text)
		if err != nil {
			return &script.Error{Message: "knob " + name + ": " + err.Error()}
		}
		if err := dict.SetKey(starlark.String(name), v); err != nil {
			return &script.Error{Message: err.Error()}
		}
	}
	return nil
}

// knobNames returns the names of the knobs of a script, for an error message.
func knobNames(dict *starlark.Dict) string {
	if dict == nil || dict.Len() == 0 {
		return ", but the script defines no knobs (entries of a dictionary named knobs)"
	}
	var names []string
	for _, k := range dict.Keys() {
		names = append(names, strings.Trim(k.String(), `"`))
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// parseSameType parses text as a value of the same type as the old value.
func parseSameType(old starlark.Value, text string) (starlark.Value, error) {
	switch old.(type) {
	case starlark.Int:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return starlark.MakeInt64(n), nil
		}
		return nil, fmt.Errorf("expected a whole number, got %.50q", text)
	case starlark.Float:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return starlark.Float(f), nil
		}
		return nil, fmt.Errorf("expected a number, got %.50q", text)
	case starlark.Bool:
		if text == "True" || text == "False" {
			return starlark.Bool(text == "True"), nil
		}
		return nil, fmt.Errorf("expected True or False, got %.50q", text)
	case starlark.String:
		return starlark.String(text), nil
	}
	return nil, fmt.Errorf("expected a default that is a number, a text, True or False, got %s", old.Type())
}

// Schedule calls the function schedule of the script. An error in the script, or a state that is too
// large, ends the run with a violation.
func (p *Policy) Schedule(pass *sim.Pass) {
	p.pass.pass, p.pass.running, p.pass.events = pass, nil, nil
	if len(p.jobs) == 0 {
		p.jobs = make([]*jobValue, pass.JobCount())
	}
	for _, e := range pass.Events() {
		switch e.Kind {
		case sim.Submitted:
			p.waiting = append(p.waiting, p.job(e.Job))
		case sim.EndChanged:
			p.job(e.Job).expected = pass.PredictedEnd(e.Job)
		}
	}
	p.resetLimits()
	_, err := starlark.Call(p.thread, p.schedule, starlark.Tuple{&p.pass}, nil)
	if err == nil {
		err = p.checkState()
	}
	if err != nil {
		panic(&sim.Violation{At: pass.Now(), Why: p.scriptError(err).Error()})
	}
}

// job returns the object that represents job j in the script.
func (p *Policy) job(j job.Index) *jobValue {
	if p.jobs[j] == nil {
		q := p.pass.pass.Job(j)
		p.jobs[j] = &jobValue{Request: q, policy: p, index: j, id: p.pass.pass.ID(j), start: -1, expected: -1, procs: q.Procs}
	}
	return p.jobs[j]
}

// waitingIndex returns the index of job j in p.waiting, and whether the job waits.
func (p *Policy) waitingIndex(j *jobValue) (int, bool) {
	return slices.BinarySearchFunc(p.waiting, j.index, func(v starlark.Value, want job.Index) int { return int(v.(*jobValue).index - want) })
}

// waits reports whether job j waits.
func (p *Policy) waits(j *jobValue) bool {
	_, found := p.waitingIndex(j)
	return found
}

// markStarted updates job j after it has started, and removes it from the list of waiting jobs.
func (p *Policy) markStarted(j *jobValue) {
	j.start, j.expected = p.pass.pass.Now(), p.pass.pass.PredictedEnd(j.index)
	j.procs = p.pass.pass.Procs(j.index)
	switch i, _ := p.waitingIndex(j); i {
	case 0:
		p.waiting = p.waiting[1:]
	default:
		p.waiting = slices.Concat(p.waiting[:i], p.waiting[i+1:])
	}
}

// printLine implements the function print of scripts.
func printLine(m *meter, t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, fmt.Errorf("print: expected no named arguments, got %s", kwargs[0][0])
	}
	if err := m.spendOn(args, true); err != nil {
		return nil, err
	}
	p := policyOf(t)
	if len(p.lines) == maxLines {
		p.more++
		return starlark.None, nil
	}
	var words []string
	for _, a := range args {
		if s, ok := starlark.AsString(a); ok {
			words = append(words, s)
		} else {
			words = append(words, a.String())
		}
	}
	l := script.Line{Text: strings.Join(words, " ")}
	if r := []rune(l.Text); len(r) > maxLineLength {
		l.Text = string(r[:maxLineLength-1]) + "…"
	}
	if p.pass.pass != nil {
		l.At, l.Record = p.pass.pass.Now(), p.pass.pass.RecordCount()
	}
	p.lines = append(p.lines, l)
	return starlark.None, nil
}

// Printed returns the lines that the script printed. If there were more than maxLines, it also
// returns the number of lines that it dropped.
func (p *Policy) Printed() (lines []script.Line, more int) { return p.lines, p.more }
