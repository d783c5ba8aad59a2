package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/core/refute"
	"backfill-lab/core/workload/draw"
)

// maxTries is the maximum value of the flag -tries.
const maxTries = 100_000_000

// refuter holds the flags of the command refute.
type refuter struct {
	env         *env
	policies    policyChoices
	against     int      // index in policies.list of the policy that -against names, or -1
	goals, with []string // names of the goals, and what else to generate: resources, outages or moldable
	when, out   string   // relation of metrics to search for, and file for the scenario; "" for none
	seed        int64
	tries       int // maximum number of random workloads
	json        bool
}

func refuteCommand(e *env) *cobra.Command {
	r := &refuter{env: e, against: -1}
	c := &cobra.Command{
		Use: "refute", Short: "search for a small workload on which a policy breaks a rule, or two policies differ", Args: noArgs,
		Long: "Search random small workloads for one that reaches a goal, simplify it as far as possible, and print it with the reasons of the policies.\n" +
			"The flag -policy names policy A, and -against names policy B; -set changes the policy named before it. Without -goal and -when, the goal is differ\n" +
			"if there is a policy B. If not, the goals are " + joinWords(goalNames(refute.Universal), "and") + ". If the search finds nothing, the policy may still be incorrect.\n" +
			"The exit code is 1 if policy A breaks a rule. The flag -when takes a relation of metrics, such as\n'makespan of A < makespan of B' (see docs/refute.md).\n\nGoals:\n\n" + goalList(),
		Example: "backfill refute -policy pc -against dc -o differ.json\n" +
			"backfill refute -policy easy -set order=sjf -against easy -seed 7\n" +
			"backfill refute -policy first-fit -goal head\n" +
			"backfill refute -policy fcfs -against easy -when 'makespan of A < makespan of B'",
		RunE: runE(func([]string) error { return r.search() }),
	}
	f := c.Flags()
	f.SortFlags = false
	r.policies.addFlags(f, &e.programs)
	f.Var((*againstFlag)(r), "against", "policy, preset or program to compare with (policy B)")
	f.StringArrayVar(&r.goals, "goal", nil, "search for the goal `NAME`; repeatable")
	f.StringVar(&r.when, "when", "", "search for a workload on which a `RELATION` of metrics holds")
	f.StringArrayVar(&r.with, "with", nil, "also generate `WHAT`: resources (extra resources), outages, or moldable (moldable jobs); repeatable")
	f.Int64Var(&r.seed, "seed", 1, "seed `S` of the random workloads")
	f.IntVar(&r.tries, "tries", 20_000, "maximum number `N` of random workloads")
	f.StringVarP(&r.out, "o", "o", "", "write the workload with the policies as a scenario to `FILE`")
	f.BoolVar(&r.json, "json", false, "print the result as JSON")
	quietFlag(f, e)
	return c
}

// goalList lists the names and descriptions of all goals, one per line.
func goalList() string {
	var b strings.Builder
	for _, g := range append([]*refute.Goal{refute.Differ}, refute.Contract...) {
		fmt.Fprintf(&b, "- %s: %s\n", g.Name, g.Text)
	}
	return strings.TrimSpace(b.String())
}

// goalNames returns the names of goals.
func goalNames(goals []*refute.Goal) (names []string) {
	for _, g := range goals {
		names = append(names, g.Name)
	}
	return names
}

// joinWords joins words with commas, and puts a conjunction before the last word.
func joinWords(words []string, conjunction string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// againstFlag implements the flag -against.
type againstFlag refuter

func (a *againstFlag) String() string { return "" }
func (a *againstFlag) Type() string   { return "NAME" }
func (a *againstFlag) Set(name string) error {
	if a.against >= 0 {
		return fmt.Errorf("expected one policy, got a second one")
	}
	a.against = len(a.policies.list)
	return (*policyFlag)(&a.policies).Set(name)
}

// search runs the search, writes the scenario and prints the result. It returns errChecksFailed if
// the policy that -policy names breaks a rule.
func (r *refuter) search() error {
	c, err := r.config()
	if err != nil {
		return err
	}
	s, err := refute.NewSearch(c)
	if err != nil {
		return usageErrorf("-%v", err)
	}
	p := r.env.newProgress("workloads tried", s.Tries())
	for more := true; more && err == nil; {
		more, err = s.Step(256)
		tried, _ := s.Tried()
		p.update(tried)
	}
	p.close()
	if err != nil {
		return err
	}
	f, err := s.Finding()
	if err != nil {
		return err
	}
	if err := r.write(s, f, &c); err != nil {
		return err
	}
	if f != nil && !f.Goal.Pair && f.Goal.Name != "when" {
		return errChecksFailed
	}
	return nil
}

// config returns the configuration of the search, as set by the flags.
func (r *refuter) config() (c refute.Config, err error) {
	if c.A, c.B, err = r.subjects(); err != nil {
		return c, err
	}
	if c.Goals, err = r.selectedGoals(); err != nil {
		return c, err
	}
	for _, g := range c.Goals {
		if g.Pair && c.B == nil {
			return c, usageErrorf("-against: expected a policy, because the goal %s compares two, got nothing", g.Name)
		}
	}
	if r.seed < 0 || r.seed > draw.MaxSeed {
		return c, usageErrorf("-seed: expected 0 to %d, got %d", int64(draw.MaxSeed), r.seed)
	}
	if r.tries < 1 || r.tries > maxTries {
		return c, usageErrorf("-tries: expected 1 to %d, got %d", maxTries, r.tries)
	}
	if r.out != "" && c.A.Policy.Program != nil && (c.B == nil || c.B.Policy.Program != nil) {
		return c, r.policies.checkStorable("o")
	}
	if r.json && r.out == standardStream {
		return c, usageErrorf("-o: expected the name of a file, because -json writes the scenario to standard output")
	}
	c.Seed, c.Tries = uint32(r.seed), r.tries
	for _, what := range r.with {
		switch what {
		case "resources":
			c.Features.Resources = true
		case "outages":
			c.Features.Outages = true
		case "moldable":
			c.Features.Moldable = true
		default:
			return c, usageErrorf("-with: expected resources, outages or moldable, got %q", what)
		}
	}
	return c, nil
}

// subjects returns the policies that -policy and -against name. Without -against, b is nil.
func (r *refuter) subjects() (a, b *refute.Subject, err error) {
	if err := r.policies.validate(); err != nil {
		return nil, nil, err
	}
	list, err := r.policies.policies(nil)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range list {
		s, err := refute.SubjectOf(p)
		switch {
		case err != nil:
			return nil, nil, usageErrorf("%v", err)
		case i == r.against:
			b = s
		case a != nil:
			return nil, nil, usageErrorf("-policy: expected one policy, got a second one (-against names the other policy)")
		default:
			a = s
		}
	}
	if a == nil {
		return nil, nil, usageErrorf("-policy: expected a policy, got nothing")
	}
	return a, b, nil
}

// selectedGoals returns the goals that the flags select, or the default goals.
func (r *refuter) selectedGoals() (goals []*refute.Goal, err error) {
	if len(r.goals) == 0 && r.when == "" {
		if r.against >= 0 {
			return []*refute.Goal{refute.Differ}, nil
		}
		return refute.Universal, nil
	}
	for _, name := range r.goals {
		g, err := refute.Find(name)
		if err != nil {
			return nil, usageErrorf("-goal: %v", err)
		}
		goals = append(goals, g)
	}
	if r.when != "" {
		g, err := refute.ParseRelation(r.when)
		if err != nil {
			return nil, usageErrorf("-when: %v", err)
		}
		goals = append(goals, g)
	}
	return goals, nil
}
