package policies

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/policy/script"
	"backfill-lab/ui/session"
)

// Script is a policy written as a script, as rendered.
type Script struct {
	I       int // index of the policy
	ID      string
	Source  string // text of the script
	Problem string // the mistake in the script, or why its last run failed
	Line    int    // line of the problem, from 1; 0 if the problem has no line
	Column  int    // column of the problem, from 1; 0 if the problem has no line
	Printed []PrintedLine
	More    string // says how many further lines were printed
}

// PrintedLine is a line that a script printed.
type PrintedLine struct {
	At   int64  // simulated time in seconds
	Time string // At in words
	Text string
}

// scriptField returns the script of policy i with the error in it. If there is no error and the results are current,
// scriptField adds the lines that the script printed during the run.
func (c *Policies) scriptField(i int, source string) *Script {
	x := &Script{I: i, ID: fmt.Sprintf("script-%d", i), Source: source}
	if f := c.PolicyFault; f != nil && *f.Policy == i {
		x.Problem, x.Line, x.Column = problemOf(f.Text)
		return x
	}
	if c.ShownPlan == nil || !c.IsCurrent() || i >= len(c.Ran.Results) {
		return x
	}
	clock := c.Clock()
	for _, l := range c.Ran.Results[i].Printed {
		x.Printed = append(x.Printed, PrintedLine{l.At, clock.Instant(l.At), l.Text})
	}
	if n := c.Ran.Results[i].Unshown; n > 0 {
		x.More = "and " + format.Count(n, "more line")
	}
	return x
}

// problemOf returns the part of an error message that concerns the script, with its line and column. If the
// message names no line of the script, it returns the whole message and zeros.
func problemOf(failure string) (text string, line, column int) {
	i := strings.Index(failure, "script, line ")
	if i < 0 {
		return failure, 0, 0
	}
	text = failure[i+len("script, line "):]
	number, rest, _ := strings.Cut(text, ", column ")
	line, _ = strconv.Atoi(number)
	number, text, _ = strings.Cut(rest, ": ")
	column, _ = strconv.Atoi(number)
	return text, line, column
}

// ProblemText returns the error of the script with its line and column.
func (x *Script) ProblemText() string {
	if x.Line == 0 {
		return x.Problem
	}
	return fmt.Sprintf("Line %d, column %d: %s", x.Line, x.Column, x.Problem)
}

// Invalid returns the value of aria-invalid for the editor.
func (x *Script) Invalid() string { return fmt.Sprint(x.Problem != "") }

// SetScript stores the script that the user typed.
func (c *Policies) SetScript(e vugu.DOMEvent, i int) {
	c.ScriptsNeedConsent = false // the user has seen the script
	c.Do(fmt.Sprintf("script-%d", i), c.Doc().SetKnob(i, script.SourceKnob, e.PropString("target", "value")))
}

// Templates returns the scripts from which a user can start.
func (c *Policies) Templates() []script.Template { return script.Templates }

// UseTemplate replaces the script of policy i by a template. Undo brings the old script back.
func (c *Policies) UseTemplate(e vugu.DOMEvent, i int) {
	name := e.PropString("target", "value")
	for _, t := range script.Templates {
		if t.Name == name {
			c.ScriptsNeedConsent = false
			c.Do("", c.Doc().SetKnob(i, script.SourceKnob, t.Source))
		}
	}
}

// ShowTime moves the cursor of the charts to a time. It does nothing if the results are outdated.
func (c *Policies) ShowTime(at int64) {
	if c.IsCurrent() {
		_ = session.CallCharts("cursor", strconv.FormatInt(at, 10))
		c.ShowAt(at)
	}
}

// WritePolicy adds a policy written as a script, with the first template as its script.
func (c *Policies) WritePolicy() {
	i := len(c.Doc().Policies)
	d := c.Doc().SetPolicy(i, script.Name).SetKnob(i, script.SourceKnob, script.Templates[0].Source)
	c.Do("", d)
	c.Focus = fmt.Sprintf("script-%d", i)
}
