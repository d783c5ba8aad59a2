// Package whatif is not the engine and judges no schedule: it changes scenarios.
// What if the job had been half as wide, or another policy at work? A change makes
// of a scenario another ordinary scenario; whoever runs that has the answer, so
// that an answer is by its nature what a fresh run of the changed scenario gives.
// Beside that it knows which changes are worth trying to have a job start sooner,
// and foretells starts as far as they can be known at a moment.
package whatif

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
)

// Kind says what a change changes.
type Kind uint8

const (
	Exact    Kind = iota // the estimate of the job is its runtime
	ExactAll             // so are those of all jobs
	Estimate             // the estimate of the job is N
	Runtime              // the job runs N seconds
	Procs                // the job asks for N processors
	Submit               // the job is submitted at N
	Earlier              // the job is submitted N seconds earlier, at 0 at the earliest
	Later                // the job is submitted N seconds later
	Remove               // the job is not there, or that with the ID
	Nodes                // the machine has N nodes more
	Policy               // another policy is at work, in the place of all
	kinds
)

// form is how a change is written.
type form struct {
	name  string
	least int64  // of the number behind it
	after string // what stands there; empty: nothing
}

var forms = [kinds]form{
	Exact:    {name: "exact"},
	ExactAll: {name: "exact-all"},
	Estimate: {"estimate", 1, "N"},
	Runtime:  {"runtime", 1, "N"},
	Procs:    {"procs", 1, "N"},
	Submit:   {"submit", 0, "N"},
	Earlier:  {"earlier", 1, "N"},
	Later:    {"later", 1, "N"},
	Remove:   {name: "remove", after: "[=ID]"},
	Nodes:    {"nodes", -job.MaxTime, "N"},
	Policy:   {name: "policy", after: "NAME"},
}

// Change is one difference between a scenario and another one. Most are about the
// job that is asked about.
type Change struct {
	Kind   Kind
	N      int64           // seconds, processors or nodes
	ID     string          // of the job that is removed; empty: the job asked about
	Policy scenario.Policy // the other one
}

// Parse reads a change: exact, exact-all, estimate=N, runtime=N, procs=N,
// submit=N, earlier=N, later=N, remove, remove=ID, nodes=N or policy=NAME, behind
// which may stand knob=value, with spaces between them.
func Parse(text string) (Change, error) {
	name, value, given := strings.Cut(text, "=")
	for k := range forms {
		if f := &forms[k]; f.name == name {
			return f.parse(Kind(k), value, given)
		}
	}
	return Change{}, fmt.Errorf("expected %s, got %q", Forms(), text)
}

// Forms lists how changes are written.
func Forms() string {
	words := make([]string, kinds)
	for k, f := range forms {
		words[k] = f.name
		if f.after != "" {
			words[k] += "=" + f.after
		}
	}
	words[Remove] = "remove[=ID]"
	return strings.Join(words[:kinds-1], ", ") + " or " + words[kinds-1]
}

func (f *form) parse(k Kind, value string, given bool) (Change, error) {
	c := Change{Kind: k}
	switch {
	case f.after == "" && given:
		return c, fmt.Errorf("%s: expected nothing behind it, got %q", f.name, value)
	case f.after == "":
		return c, nil
	case k == Remove && given && value == "":
		return c, fmt.Errorf("remove: expected the id of a job, got nothing")
	case k == Remove:
		c.ID = value
		return c, nil
	case k == Policy:
		return c, c.policy(value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < f.least || n > job.MaxTime || k == Nodes && n == 0 {
		return c, fmt.Errorf("%s: expected %s, got %q", f.name, f.wanted(k), value)
	}
	c.N = n
	return c, nil
}

func (f *form) wanted(k Kind) string {
	if k == Nodes {
		return "how many nodes more, or with a minus fewer"
	}
	return fmt.Sprintf("a whole number from %d to 10^12", f.least)
}

// policy reads a policy or preset with knobs.
func (c *Change) policy(text string) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return fmt.Errorf("policy: expected the name of a policy, got nothing")
	}
	name, knobs, err := registry.Expand(words[0])
	if err != nil {
		return err
	}
	for _, w := range words[1:] {
		knob, value, ok := strings.Cut(w, "=")
		if !ok || knob == "" {
			return fmt.Errorf("policy: expected knob=value behind %s, got %q", words[0], w)
		}
		if knobs == nil {
			knobs = map[string]string{}
		}
		knobs[knob] = value
	}
	c.Policy = scenario.Policy{Name: name, Knobs: knobs}
	return nil
}

// String returns the change as Parse reads it.
func (c *Change) String() string {
	f := &forms[c.Kind]
	switch {
	case f.after == "" || c.Kind == Remove && c.ID == "":
		return f.name
	case c.Kind == Remove:
		return f.name + "=" + c.ID
	case c.Kind == Policy:
		return f.name + "=" + c.Policy.String()
	}
	return f.name + "=" + strconv.FormatInt(c.N, 10)
}

// AboutJob reports whether the change needs a job that is asked about.
func (c *Change) AboutJob() bool {
	switch c.Kind {
	case ExactAll, Nodes, Policy:
		return false
	}
	return c.Kind != Remove || c.ID == ""
}
