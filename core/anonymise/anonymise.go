// Package anonymise is not for hiding what jobs look like: sizes, times and amounts
// stay as they are, and who knows the machine may know a job by them. It replaces
// the names in a scenario by numbers, in the order in which they are met, and leaves
// out what may hold others.
package anonymise

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/workload"
)

// Names is the names that were met, and the numbers that stand for them.
type Names struct {
	Jobs, Resources Numbers

	Earlier job.Time // seconds by which every submission was moved towards 0
	Before  *Names   // of the step that anonymised the same scenario before; nil: none

	words map[string]*Numbers
	drawn bool // slowdowns are drawn by names
}

// Word returns the numbers for one of job.Words, such as user.
func (n *Names) Word(name string) *Numbers {
	if n.words == nil {
		n.words = map[string]*Numbers{}
	}
	if n.words[name] == nil {
		n.words[name] = &Numbers{}
	}
	return n.words[name]
}

// Numbers is numbers for names of a kind, from 1.
type Numbers struct {
	of   map[string]string
	list []string // the names in the order of their numbers
}

// Of returns what stands for a name; no name stays none.
func (n *Numbers) Of(name string) string {
	if name == "" {
		return ""
	}
	text, met := n.of[name]
	if !met {
		if n.of == nil {
			n.of = map[string]string{}
		}
		text = strconv.Itoa(len(n.of) + 1)
		name = strings.Clone(name)
		n.of[name], n.list = text, append(n.list, name)
	}
	return text
}

// Met returns how many names were met.
func (n *Numbers) Met() int { return len(n.of) }

// Resource returns what stands for the name of an extra resource.
func (n *Names) Resource(name string) string { return "resource " + n.Resources.Of(name) }

// More returns what a job has beside its numbers.
func (n *Names) More(m *job.More) *job.More {
	if m == nil || !m.HasWords() {
		return m
	}
	out := *m
	for i := range job.Words {
		w := &job.Words[i]
		*w.Of(&out) = n.Word(w.Name).Of(*w.Of(m))
	}
	return &out
}

// Knobs returns the knobs of a policy: formulas may name users and resources.
func (n *Names) Knobs(knobs map[string]string) map[string]string {
	out := maps.Clone(knobs)
	for _, k := range slices.Sorted(maps.Keys(knobs)) {
		out[k] = formula.Renamed(out[k], n.Word("user").Of, n.Resource)
	}
	return out
}

// Pairs returns slowdowns of jobs, or of classes.
func (n *Names) Pairs(m slowdown.Model) slowdown.Model {
	n.drawn = m.Drawn
	of := &n.Jobs
	if m.Classes {
		of = n.Word("class")
	}
	m.Pairs = slices.Clone(m.Pairs)
	for i := range m.Pairs {
		p := &m.Pairs[i]
		p.Of, p.Beside = of.Of(p.Of), of.Of(p.Beside)
	}
	return m
}

// Rules returns the data rules for jobs that are submitted earlier by some time.
func (n *Names) Rules(r workload.Rules, earlier job.Time) workload.Rules {
	r.Keep.User = workload.Names(list(string(r.Keep.User), n.Word("user")))
	r.Keep.Class = workload.Names(list(string(r.Keep.Class), n.Word("class")))
	if w := &r.Window; *w != (workload.Window{}) {
		w.From = max(w.From-earlier, 0)
		if w.To > 0 {
			w.To = max(w.To-earlier, 1)
		}
	}
	return r
}

// list returns names with commas between them.
func list(text string, of *Numbers) string {
	words := strings.Split(text, ",")
	for i, w := range words {
		words[i] = of.Of(w)
	}
	return strings.Join(words, ",")
}

// Scenario returns a scenario with the given jobs, to which its data rules were applied,
// in the place of its own. The first of them is submitted at 0.
func Scenario(s *scenario.Scenario, jobs []job.Job) (*scenario.Scenario, *Names) {
	n := &Names{Earlier: jobs[0].Submit}
	out := &scenario.Scenario{Machine: scenario.Machine{Machine: s.Machine.Machine}}
	out.Rules.Warmup, out.Rules.Cooldown = s.Rules.Warmup, s.Rules.Cooldown
	out.Workload.Jobs = slices.Clone(jobs)
	for i := range out.Workload.Jobs {
		j := &out.Workload.Jobs[i]
		j.ID, j.More = n.Jobs.Of(j.ID), n.More(j.More)
		j.Submit -= jobs[0].Submit
	}
	out.Machine.Blocks = Blocks(out.Machine.Blocks, jobs[0].Submit)
	out.Machine.Resources = slices.Clone(out.Machine.Resources)
	for k := range out.Machine.Resources {
		r := &out.Machine.Resources[k]
		r.Name = n.Resource(r.Name)
	}
	if s.Slowdown != nil {
		out.Slowdown = &scenario.Slowdown{Model: n.Pairs(s.Slowdown.Model)}
	}
	for _, p := range s.Policies {
		out.Policies = append(out.Policies, scenario.Policy{Name: p.Name, Knobs: n.Knobs(p.Knobs)})
	}
	return out, n
}

// Blocks returns the blocks of a machine without their labels, for jobs that are submitted
// earlier by some time. One that is over before the first job is gone.
func Blocks(list []cluster.Block, earlier job.Time) (out []cluster.Block) {
	for _, b := range list {
		if b.Label, b.From, b.To = "", max(b.From-earlier, 0), b.To-earlier; b.To > b.From {
			out = append(out, b)
		}
	}
	return out
}

// Says returns what was replaced, gone and kept, in sentences.
func (n *Names) Says() string {
	var parts []string
	add := func(of *Numbers, what string) {
		if of.Met() > 0 {
			parts = append(parts, what+" ("+strconv.Itoa(of.Met())+")")
		}
	}
	add(&n.Jobs, "jobs")
	for i := range job.Words {
		name := job.Words[i].Name
		what := name + "s"
		if name == "class" {
			what = "application classes"
		}
		add(n.Word(name), what)
	}
	add(&n.Resources, "resources")
	says := "Replaced by numbers, in the order in which they appear: names of " + strings.Join(parts, ", ") +
		". Title, text, the name of the file, labels and all that this program does not know are gone, and the first job is submitted at 0. Sizes, runtimes, estimates and amounts are as they were."
	if n.drawn {
		says += " Slowdowns that are drawn by names are drawn by the new ones."
	}
	return says
}
