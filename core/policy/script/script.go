// Package script describes policies that users write as scripts in Starlark, a dialect of Python.
// It contains no interpreter, because most scenarios need none: a program that runs scripts calls
// SetInterpreter with the interpreter of package interp.
package script

import (
	_ "embed" // for the scripts
	"fmt"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Name is the name of the policy in scenarios.
const Name = "script"

// The knobs of the policy.
const (
	SourceKnob = "source" // the text of the script
	SetKnob    = "set"    // values for the knobs that the script declares, such as "depth=2 strict=True"
)

// MaxSource is the maximum number of characters of a script.
const MaxSource = 40_000

// Spec describes the policy.
var Spec = policy.Spec{
	Name: Name, Title: "Own policy",
	Summary: "A script in Starlark, a dialect of Python, decides which jobs start.",
	Paper:   "written by the user",
	Knobs: []policy.Knob{
		{Name: SourceKnob, Title: "script", Kind: knob.Text, Default: Templates[0].Source, Max: MaxSource, Help: "the script; its function schedule(p) decides at each instant which jobs start"},
		{Name: SetKnob, Title: "knobs of the script", Kind: knob.Text, Max: 1000, Help: "values for the knobs that the script defines in its dictionary named knobs, such as depth=2"},
	},
	New:   newPolicy,
	Check: checkScript,
}

// Error describes a mistake in a script, or an error that occurred while the script ran.
type Error struct {
	Line, Column int // from 1; 0 if the error concerns the script as a whole
	Message      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return "script: " + e.Message
	}
	return fmt.Sprintf("script, line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Line holds a line of text that a script printed, and the time in the simulation at which it
// printed the line.
type Line struct {
	At     job.Time
	Record int // number of records in the log when the script printed
	Text   string
}

// Policy is a policy that runs a script, and keeps what the script prints.
type Policy interface {
	sim.Policy
	// Printed returns the first lines that the script printed, up to a maximum number, and how many
	// further lines it printed.
	Printed() (lines []Line, more int)
}

// Interpreter creates a policy from the source text of a script and values for its knobs, written
// like the value of SetKnob. If it fails, the error is an *Error.
type Interpreter func(source, set string) (Policy, error)

// interpreter runs the scripts. It is nil in a program that does not run scripts.
var interpreter Interpreter

// SetInterpreter sets the interpreter. Call it before any run.
func SetInterpreter(i Interpreter) { interpreter = i }

// CanRun reports whether the program has an interpreter.
func CanRun() bool { return interpreter != nil }

// New returns the policy that a script defines. The values of its knobs are written like the value
// of SetKnob. If New fails, the error is an *Error.
func New(source, set string) (sim.Policy, error) {
	if interpreter == nil {
		return nil, &Error{Message: "this program cannot run scripts"}
	}
	return interpreter(source, set)
}

// newPolicy returns the policy of the script in the knobs v. If there is no interpreter or the script
// is invalid, every run with that policy ends with a violation.
func newPolicy(v policy.Values) sim.Policy {
	if interpreter == nil {
		return noInterpreter{}
	}
	p, err := interpreter(v.Text(SourceKnob), v.Text(SetKnob))
	if err != nil {
		return invalidScript{err}
	}
	return p
}

// checkScript returns an error if the interpreter does not accept the script. Without an interpreter, it
// accepts every script.
func checkScript(v policy.Values) *policy.BadKnob {
	if interpreter == nil {
		return nil
	}
	_, err := interpreter(v.Text(SourceKnob), v.Text(SetKnob))
	if err == nil {
		return nil
	}
	return &policy.BadKnob{Knob: SourceKnob, Err: err}
}

// noInterpreter is the policy of every script in a program without an interpreter. It ends every run
// with a violation.
type noInterpreter struct{}

func (noInterpreter) Schedule(p *sim.Pass) {
	panic(&sim.Violation{At: p.Now(), Why: "this program cannot run scripts"})
}

func (m noInterpreter) Clone() sim.Policy { return m }

// invalidScript is the policy of a script with a mistake. It ends every run with a violation that
// has the text of err.
type invalidScript struct{ err error }

func (b invalidScript) Schedule(p *sim.Pass) { panic(&sim.Violation{At: p.Now(), Why: b.err.Error()}) }

func (b invalidScript) Clone() sim.Policy { return b }

// Template is an example script, from which users can start writing their own.
type Template struct {
	Name, Title, Source string            // Source is the text of the script
	Policy              string            // the built-in policy that makes the same schedules
	Knobs               map[string]string // the knobs of that policy
}

//go:embed templates/fcfs.star
var fcfs string

//go:embed templates/first-fit.star
var firstFit string

//go:embed templates/easy.star
var easy string

//go:embed templates/easy-sjf.star
var easySJF string

//go:embed templates/conservative.star
var conservative string

// Templates lists the templates, the simplest first.
var Templates = []Template{
	{"fcfs", "FCFS", fcfs, "fcfs", nil},
	{"first-fit", "First fit", firstFit, "first-fit", nil},
	{"easy", "EASY", easy, "easy", nil},
	{"easy-sjf", "EASY, shortest job first", easySJF, "easy", map[string]string{"order": "sjf"}},
	{"conservative", "Conservative", conservative, "conservative", nil},
}
