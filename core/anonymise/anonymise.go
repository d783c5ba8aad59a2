// Package anonymise replaces the names in a scenario with numbers. It also removes other texts that may
// contain names. Sizes, runtimes, estimates and demands for resources stay the same, and all submit
// times move earlier by the same number of seconds, so someone who knows the machine may still
// recognise a job.
package anonymise

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/formula"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/workload"
)

// Names assigns numbers to the names of users, jobs, resources and so on in a scenario. The names
// of each kind are numbered from 1, in the order in which they first appear.
type Names struct {
	Jobs, Resources Numbers

	Shift    job.Time // number of seconds by which all submissions moved earlier
	Previous *Names   // names assigned when the same scenario was anonymised before, or nil

	textFields map[string]*Numbers // by field name, such as user
	drawn      bool                // whether slowdowns are drawn at random; the names then determine the results
}

// TextField returns the Numbers for the values of one text field of a job, such as user. Package
// job lists these fields in job.TextFields.
func (n *Names) TextField(name string) *Numbers {
	if n.textFields == nil {
		n.textFields = map[string]*Numbers{}
	}
	if n.textFields[name] == nil {
		n.textFields[name] = &Numbers{}
	}
	return n.textFields[name]
}

// Numbers assigns numbers, from 1, to names of one kind.
type Numbers struct {
	numbers map[string]string // numbers as text, by name
	list    []string          // list[i] is the name with the number i+1
}

// Replacement returns the number assigned to a name. A new name gets the next number. An empty name
// stays empty.
func (n *Numbers) Replacement(name string) string {
	if name == "" {
		return ""
	}
	text, known := n.numbers[name]
	if !known {
		if n.numbers == nil {
			n.numbers = map[string]string{}
		}
		text = strconv.Itoa(len(n.numbers) + 1)
		name = strings.Clone(name)
		n.numbers[name], n.list = text, append(n.list, name)
	}
	return text
}

// Count returns how many names have been assigned a number.
func (n *Numbers) Count() int { return len(n.numbers) }

// Resource returns the name that replaces the name of an extra resource, such as "resource 1".
func (n *Names) Resource(name string) string { return "resource " + n.Resources.Replacement(name) }

// More returns a copy of m in which the text fields contain numbers instead of names. If all text
// fields are empty, it returns m itself.
func (n *Names) More(m *job.More) *job.More {
	if m == nil || !m.HasTextFields() {
		return m
	}
	out := *m
	for i := range job.TextFields {
		w := &job.TextFields[i]
		*w.Pointer(&out) = n.TextField(w.Name).Replacement(*w.Pointer(m))
	}
	return &out
}

// Knobs returns a copy of the parameters of a policy. In formulas, it replaces the names of users
// and resources.
func (n *Names) Knobs(knobs map[string]string) map[string]string {
	out := maps.Clone(knobs)
	for _, k := range slices.Sorted(maps.Keys(knobs)) {
		out[k] = formula.Rename(out[k], n.TextField("user").Replacement, n.Resource)
	}
	return out
}

// Pairs returns a copy of a slowdown model in which numbers replace the names of jobs or classes.
// For Summary, it also records whether the model draws slowdowns at random.
func (n *Names) Pairs(m slowdown.Model) slowdown.Model {
	n.drawn = m.Drawn
	numbers := &n.Jobs
	if m.ByClass {
		numbers = n.TextField("class")
	}
	m.Pairs = slices.Clone(m.Pairs)
	for i := range m.Pairs {
		p := &m.Pairs[i]
		p.Of, p.NextTo = numbers.Replacement(p.Of), numbers.Replacement(p.NextTo)
	}
	return m
}

// Rules returns a copy of the data rules r in which numbers replace the names. It moves the time
// window of r earlier by the given number of seconds.
func (n *Names) Rules(r workload.Rules, earlier job.Time) workload.Rules {
	r.Keep.User = workload.Names(replaceList(string(r.Keep.User), n.TextField("user")))
	r.Keep.Class = workload.Names(replaceList(string(r.Keep.Class), n.TextField("class")))
	if w := &r.Window; *w != (workload.Window{}) {
		w.From = max(w.From-earlier, 0)
		if w.To > 0 {
			w.To = max(w.To-earlier, 1)
		}
	}
	return r
}

// replaceList replaces each name in a comma-separated list with its number.
func replaceList(text string, numbers *Numbers) string {
	words := strings.Split(text, ",")
	for i, w := range words {
		words[i] = numbers.Replacement(w)
	}
	return strings.Join(words, ",")
}

// Scenario returns an anonymised copy of scenario s, and the numbers that replace its names. It
// takes the jobs of s after the data rules were applied; there must be at least one. In the copy,
// the first job is submitted at time 0.
func Scenario(s *scenario.Scenario, jobs []job.Job) (*scenario.Scenario, *Names) {
	n := &Names{Shift: jobs[0].Submit}
	out := &scenario.Scenario{Machine: scenario.Machine{Machine: s.Machine.Machine}}
	out.Rules.Warmup, out.Rules.Cooldown = s.Rules.Warmup, s.Rules.Cooldown
	out.Workload.Jobs = slices.Clone(jobs)
	for i := range out.Workload.Jobs {
		j := &out.Workload.Jobs[i]
		j.ID, j.More = n.Jobs.Replacement(j.ID), n.More(j.More)
		j.Submit -= jobs[0].Submit
	}
	out.Machine.Outages = Outages(out.Machine.Outages, jobs[0].Submit)
	out.Machine.Resources = slices.Clone(out.Machine.Resources)
	for k := range out.Machine.Resources {
		r := &out.Machine.Resources[k]
		r.Name = n.Resource(r.Name)
	}
	if s.Slowdown != nil {
		out.Slowdown = &scenario.Slowdown{Model: n.Pairs(s.Slowdown.Model)}
	}
	for _, p := range s.Policies {
		out.Policies = append(out.Policies, scenario.Policy{Name: p.Name, Knobs: n.Knobs(p.Knobs), Baseline: p.Baseline, NoChart: p.NoChart, Program: p.Program})
	}
	return out, n
}

// Outages returns a copy of the outages without labels, moved earlier by the given number of seconds.
// It leaves out outages that would end at or before time 0.
func Outages(list []cluster.Outage, earlier job.Time) (out []cluster.Outage) {
	for _, o := range list {
		if o.Label, o.From, o.To = "", max(o.From-earlier, 0), o.To-earlier; o.To > o.From {
			out = append(out, o)
		}
	}
	return out
}

// Summary returns sentences that say what was replaced, what was removed and what stays unchanged.
func (n *Names) Summary() string {
	var parts []string
	add := func(numbers *Numbers, what string) {
		if numbers.Count() > 0 {
			parts = append(parts, what+" ("+format.Whole(numbers.Count())+")")
		}
	}
	add(&n.Jobs, "jobs")
	for i := range job.TextFields {
		name := job.TextFields[i].Name
		what := name + "s"
		if name == "class" {
			what = "application classes"
		}
		add(n.TextField(name), what)
	}
	add(&n.Resources, "resources")
	text := "Replaced by numbers, in order of appearance: names of " + strings.Join(parts, ", ") +
		". Title, text, dates, file name, labels and unknown fields were removed, and the first job is submitted at 0. Sizes, runtimes, estimates and amounts did not change."
	if n.drawn {
		text += " Slowdowns that are drawn by name now depend on the new names."
	}
	return text
}
