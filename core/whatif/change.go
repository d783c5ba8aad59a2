// Package whatif answers questions such as "what if this job requested fewer processors". It
// applies changes to a scenario, and a run of the changed scenario gives the answer. The package
// also tries changes that might start a job earlier, and predicts when waiting jobs will start.
package whatif

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
)

// Kind identifies the kind of a change.
type Kind uint8

// These are the kinds of changes. "The job" means the job that is passed to Apply.
const (
	Exact      Kind = iota // sets the job's estimate to its runtime
	ExactAll               // sets the estimate of every job to its runtime
	Estimate               // sets the job's estimate to N seconds
	Runtime                // sets the job's runtime to N seconds
	Procs                  // sets the job's requested processors to N
	Submit                 // sets the job's submission time to N
	Earlier                // submits the job N seconds earlier, but not before 0
	Later                  // submits the job N seconds later
	Remove                 // removes the job whose ID is Change.ID, or the job if Change.ID is empty
	Nodes                  // adds N nodes to the machine, or removes nodes if N is negative
	Drain                  // makes N nodes unavailable for a while, by an outage
	WallFactor             // multiplies the estimates (wall times) of all jobs
	Policy                 // replaces all policies by another policy
	kinds
)

// syntax describes how users write a kind of change.
type syntax struct {
	name        string // word at the start of a change, such as "wall-factor"
	minimum     int64  // minimum value, if the value is a number
	placeholder string // stands for the value in error messages; "" if there is no value
}

var syntaxes = [kinds]syntax{
	Exact:      {name: "exact"},
	ExactAll:   {name: "exact-all"},
	Estimate:   {"estimate", 1, "N"},
	Runtime:    {"runtime", 1, "N"},
	Procs:      {"procs", 1, "N"},
	Submit:     {"submit", 0, "N"},
	Earlier:    {"earlier", 1, "N"},
	Later:      {"later", 1, "N"},
	Remove:     {name: "remove", placeholder: "[=ID]"},
	Nodes:      {"nodes", -job.MaxTime, "N"},
	Drain:      {name: "drain", placeholder: "N"},
	WallFactor: {name: "wall-factor", placeholder: "X"},
	Policy:     {name: "policy", placeholder: "NAME"},
}

// Change is one change of a scenario.
type Change struct {
	Kind   Kind
	N      int64           // number of seconds, processors or nodes, depending on Kind
	From   job.Time        // for Drain: when the nodes become unavailable
	To     job.Time        // for Drain: when they are available again
	ID     string          // for Remove: ID of the job, or ""
	Policy scenario.Policy // for Policy: the new policy
	Rules  workload.Rules  // for WallFactor: the factor, and what happens to jobs that overrun the new estimate
}

// Parse is like ParseTimes for a scenario without dates.
func Parse(text string) (Change, error) { return ParseTimes(text, format.Clock{}) }

// ParseTimes parses a change: exact, exact-all, estimate=N, runtime=N, procs=N, submit=N, earlier=N,
// later=N, remove, remove=ID, nodes=N, drain=N, wall-factor=X or policy=NAME. After the name of a
// policy, knob=value pairs can set parameters, separated by spaces. After drain=N, from=T and to=T
// state when the N nodes are unavailable. After a wall factor, overrun=raise, overrun=truncate or
// overrun=kill says what happens to jobs that run longer than their new wall times. Times are in
// seconds, or in another form that package format parses, such as 1h 30m. If the clock has a calendar,
// points in time may be dates.
func ParseTimes(text string, clock format.Clock) (Change, error) {
	name, value, given := strings.Cut(text, "=")
	for k := range syntaxes {
		if f := &syntaxes[k]; f.name == name {
			return f.parseValue(Kind(k), value, given, clock)
		}
	}
	return Change{}, fmt.Errorf("expected %s, got %q", Syntax(), text)
}

// Syntax returns a list of the valid changes for error messages, such as "exact, estimate=N or
// nodes=N".
func Syntax() string {
	words := make([]string, kinds)
	for k, f := range syntaxes {
		words[k] = f.name
		if f.placeholder != "" {
			words[k] += "=" + f.placeholder
		}
	}
	words[Remove] = "remove[=ID]"
	return strings.Join(words[:kinds-1], ", ") + " or " + words[kinds-1]
}

// parseValue returns the change of kind k with the given value, which is the text after the equals
// sign. If there was no equals sign, hasEquals is false.
func (f *syntax) parseValue(k Kind, value string, hasEquals bool, clock format.Clock) (Change, error) {
	c := Change{Kind: k}
	switch {
	case f.placeholder == "" && hasEquals:
		return c, fmt.Errorf("%s: expected no value, got %q", f.name, value)
	case f.placeholder == "":
		return c, nil
	case k == Remove && hasEquals && value == "":
		return c, fmt.Errorf("remove: expected the id of a job, got nothing")
	case k == Remove:
		c.ID = value
		return c, nil
	case k == Drain:
		return c, c.parseDrain(value, clock)
	case k == WallFactor:
		return c, c.parseWalls(value)
	case k == Policy:
		return c, c.parsePolicy(value)
	}
	n, err := k.parseNumber(value, clock)
	if err != nil && k == Submit && format.IsDate(value) {
		return c, fmt.Errorf("%s: %w", f.name, err)
	}
	if err != nil || n < f.minimum || n > job.MaxTime || k == Nodes && n == 0 {
		return c, fmt.Errorf("%s: expected %s, got %q", f.name, f.expected(k), value)
	}
	c.N = n
	return c, nil
}

// expected returns a phrase for error messages which says what numbers are valid for kind k.
func (f *syntax) expected(k Kind) string {
	if k == Nodes {
		return "the number of nodes to add, or a negative number to remove nodes"
	}
	if k.isTime() {
		return fmt.Sprintf("a time from %d to 10^12 s, such as 90 or 1h 30m", f.minimum)
	}
	return fmt.Sprintf("a whole number from %d to 10^12", f.minimum)
}

// isTime reports whether the value of a change of kind k is a duration or a point in time.
func (k Kind) isTime() bool {
	switch k {
	case Estimate, Runtime, Submit, Earlier, Later:
		return true
	}
	return false
}

// parseNumber parses the value of a change of kind k. It returns a time in seconds.
func (k Kind) parseNumber(value string, clock format.Clock) (int64, error) {
	switch {
	case k == Submit:
		return clock.ParseInstant(value)
	case k.isTime():
		return format.ParseDuration(value)
	}
	return strconv.ParseInt(value, 10, 64)
}

// parseDrain sets c.N, c.From and c.To. The text is a number of nodes, followed by from=T and to=T.
func (c *Change) parseDrain(text string, clock format.Clock) error {
	nodes, rest, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(nodes, 10, 64)
	if err != nil || n < 1 || n > job.MaxTime {
		return fmt.Errorf("drain: expected the number of nodes to drain, got %q", nodes)
	}
	from, to, two := strings.Cut(rest, " to=")
	if two {
		to = "to=" + to
	}
	c.N = n
	for _, x := range []struct {
		name, text string
		time       *job.Time
	}{{"from", from, &c.From}, {"to", to, &c.To}} {
		value, ok := strings.CutPrefix(x.text, x.name+"=")
		if !ok || value == "" {
			return fmt.Errorf("drain, %s: expected %s=T with a time T, such as 90 or 1h 30m, got %q", x.name, x.name, x.text)
		}
		if *x.time, err = clock.ParseInstant(value); err != nil {
			return fmt.Errorf("drain, %s: %w", x.name, err)
		}
	}
	if c.To <= c.From {
		return fmt.Errorf("drain, to: expected a time after %d, got %d", c.From, c.To)
	}
	return nil
}

// parseWalls sets c.Rules. The text is a factor, optionally followed by a space and overrun=RULE.
func (c *Change) parseWalls(text string) error {
	factor, rest, more := strings.Cut(text, " ")
	x, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(x > 0 && x <= workload.MaxWallFactor) {
		return fmt.Errorf("wall-factor: expected a number above 0 and at most 1000, got %q", factor)
	}
	c.Rules.WallFactor = x
	if !more {
		return nil
	}
	name, ok := strings.CutPrefix(rest, "overrun=")
	if !ok {
		return fmt.Errorf("wall-factor: expected overrun=raise, overrun=truncate or overrun=kill after the factor, got %q", rest)
	}
	return c.Rules.Overrun.UnmarshalText([]byte(name))
}

// parsePolicy sets c.Policy. The text is the name of a policy or preset, followed by knob=value
// pairs.
func (c *Change) parsePolicy(text string) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return fmt.Errorf("policy: expected the name of a policy, got nothing")
	}
	name, knobs, err := registry.Resolve(words[0])
	if err != nil {
		return err
	}
	for _, w := range words[1:] {
		knob, value, ok := strings.Cut(w, "=")
		if !ok || knob == "" {
			return fmt.Errorf("policy: expected knob=value after %s, got %q", words[0], w)
		}
		if knobs == nil {
			knobs = map[string]string{}
		}
		knobs[knob] = value
	}
	c.Policy = scenario.Policy{Name: name, Knobs: knobs}
	return nil
}

// String returns the change as text, in the form that Parse accepts.
func (c *Change) String() string {
	f := &syntaxes[c.Kind]
	switch {
	case f.placeholder == "" || c.Kind == Remove && c.ID == "":
		return f.name
	case c.Kind == Remove:
		return f.name + "=" + c.ID
	case c.Kind == Policy:
		return f.name + "=" + c.Policy.String()
	case c.Kind == Drain:
		return fmt.Sprintf("%s=%d from=%d to=%d", f.name, c.N, c.From, c.To)
	case c.Kind == WallFactor:
		text := f.name + "=" + strconv.FormatFloat(c.Rules.WallFactor, 'g', -1, 64)
		if c.Rules.Overrun != workload.Raise {
			text += " overrun=" + c.Rules.Overrun.String()
		}
		return text
	}
	return f.name + "=" + strconv.FormatInt(c.N, 10)
}

// NeedsJob reports whether the change applies to the job that is passed to Apply.
func (c *Change) NeedsJob() bool {
	switch c.Kind {
	case ExactAll, Nodes, Drain, WallFactor, Policy:
		return false
	}
	return c.Kind != Remove || c.ID == ""
}

// Words returns the change as a clause to put after "What if", such as "it requested 2 processors".
// The argument j is the job before the change.
func (c *Change) Words(j *job.Job, clock format.Clock) string {
	switch c.Kind {
	case Exact:
		return "its estimate were exact (" + clock.Duration(j.Runtime) + ")"
	case ExactAll:
		return "all estimates were exact"
	case Estimate:
		return "its estimate were " + clock.Duration(c.N)
	case Runtime:
		return "it ran " + clock.Duration(c.N)
	case Procs:
		return "it requested " + format.Count(c.N, "processor")
	case Submit:
		return "it were submitted at " + clock.Instant(c.N)
	case Earlier:
		return "it were submitted at " + clock.Instant(max(0, j.Submit-c.N))
	case Later:
		return "it were submitted at " + clock.Instant(j.Submit+c.N)
	case Nodes:
		if c.N < 0 {
			return "the machine had " + format.Count(-c.N, "node") + " fewer"
		}
		return "the machine had " + format.Count(c.N, "node") + " more"
	case Drain:
		return format.Count(c.N, "node") + format.SingularOrPlural(c.N, " was", " were") + " unavailable from " + clock.Instant(c.From) + " to " + clock.Instant(c.To)
	case WallFactor:
		text := "all wall times were multiplied by " + strconv.FormatFloat(c.Rules.WallFactor, 'g', -1, 64)
		return text + [...]string{workload.Raise: "", workload.Truncate: " and runtimes that exceeded them were cut", workload.Kill: " and jobs that exceeded them were killed"}[c.Rules.Overrun]
	case Policy:
		return "the policy were " + c.Policy.DerivedTitle()
	}
	if c.ID != "" {
		return "job " + c.ID + " were removed"
	}
	return "it were removed"
}

// Words returns the changes as clauses that can follow "What if", joined by "and".
func Words(j *job.Job, changes []Change, clock format.Clock) string {
	all := make([]string, len(changes))
	for i := range changes {
		all[i] = changes[i].Words(j, clock)
	}
	return strings.Join(all, " and ")
}
