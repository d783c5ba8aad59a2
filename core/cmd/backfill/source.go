package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"backfill-lab/core/cluster"
	"backfill-lab/core/opening"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/sacct"
)

// source holds the flags for the workload, the machine, the data rules and the policies.
type source struct {
	in, format               string         // values of the flags -in and -format
	records                  sacct.Choice   // values of the flags for accounting records
	nodes, processors, cores int            // number of nodes, processors per node, cores per processor
	jobsPerNode              int            // maximum number of jobs that share a node; 0 = unlimited
	resources, blocks        []string       // values of the flags -resource and -block (outages)
	rules                    scenario.Rules // data rules
	window                   windowFlag     // value of the flag -window
	seed, slowSeed           int64          // seeds of the workload model and the slowdowns; used only if given
	fair                     fairStarts     // definition of fair start times for the metrics
	policies                 policyChoices
	anonymise                bool           // whether to replace names by numbers and shift times to start at 0
	runsAll                  bool           // whether the command runs all policies, instead of one
	policyIndex              int            // index in the scenario of the policy to run, if the command runs only one
	flagSet                  *pflag.FlagSet // flags of the command; says which ones were given
}

// addFlags adds all flags of the source to f, except those for the metrics.
func (s *source) addFlags(e *env, f *pflag.FlagSet) {
	s.flagSet = f
	f.StringVar(&s.in, "in", "", "workload `FILE`: .swf, .csv or .sacct (also .gz), or .json for a scenario; - for standard input")
	f.StringVar(&s.format, "format", "", "`format` of the workload: swf, csv, sacct or json (default: from its name or content)")
	s.recordFlags(f)
	s.machineFlags(f)
	f.TextVar(&s.rules.Overrun, "overrun", workload.Raise, "if a job runs longer than its estimate, `raise|truncate|kill`: raise the estimate, truncate the runtime, or kill the job")
	f.TextVar(&s.rules.Size, "size", workload.Requested, "use the `requested|allocated` processors of a job in a trace as its size")
	f.TextVar(&s.rules.Filter, "filter", workload.NoFilter, "drop records from a trace, `none|lindsay`: no records, or the records that Lindsay et al. drop")
	f.TextVar(&s.rules.Zero, "zero-runtime", workload.OneSecond, "for a runtime of 0, `one|drop`: set it to 1 s, or drop the job")
	f.IntVar(&s.rules.Limit, "limit", 0, "keep only the first `N` jobs")
	f.Var(&s.window, "window", "keep only jobs submitted in `FROM:TO`, such as 1h:2h, or 2026-03-01:2026-03-08 if the jobs have dates; either time may be omitted")
	f.Var((*keepFlag)(&s.rules.Keep), "keep", "keep only jobs that match `field=values`: FROM:TO for procs, runtime and estimate, such as runtime=600:1h, NAME,... for user and class; repeatable")
	f.BoolVar(&s.rules.Shift, "shift", false, "shift the submissions so that the first job is submitted at 0")
	f.Float64Var(&s.rules.LoadFactor, "load-factor", 0, "multiply the load by `X`: divide the times between submissions by X")
	f.Float64Var(&s.rules.WallFactor, "wall-factor", 0, "multiply the estimates by `X`; -overrun says what happens to jobs that run longer")
	f.BoolVar(&s.anonymise, "anonymise", false, "replace the names of jobs, users, application classes and resources by numbers in all output, and shift times to start at 0")
	f.Int64Var(&s.seed, "seed", 0, "seed `S` of the workload model, instead of the seed in the scenario")
	f.Int64Var(&s.slowSeed, "slowdown-seed", 0, "on multi-core nodes: seed `S` for the slowdowns of jobs that share nodes, instead of the seed in the scenario")
	s.policies.addFlags(f, &e.programs)
}

// metricFlags adds the flags for the metrics to f.
func (s *source) metricFlags(f *pflag.FlagSet) {
	f.Float64Var(&s.rules.Warmup, "warmup", 0, "exclude the first `P` percent of the jobs from the metrics")
	f.Float64Var(&s.rules.Cooldown, "cooldown", 0, "exclude the last `P` percent of the jobs from the metrics")
	s.fair.addFlag(f)
}

// validate returns a usage error if a flag has an invalid value. It does not check the machine
// flags or the seed of the workload model.
func (s *source) validate() error {
	if err := s.rules.Validate(); err != nil {
		return usageErrorf("-%v", err)
	}
	if s.rules.LoadFactor == 0 && s.flagSet.Changed("load-factor") {
		return usageErrorf("-load-factor: expected a number above 0 and at most 10^9, got 0")
	}
	if s.rules.WallFactor == 0 && s.flagSet.Changed("wall-factor") {
		return usageErrorf("-wall-factor: expected a number above 0 and at most 1000, got 0")
	}
	if s.slowSeed < 0 || s.slowSeed > draw.MaxSeed {
		return usageErrorf("-slowdown-seed: expected 0 to %d, got %d", int64(draw.MaxSeed), s.slowSeed)
	}
	if err := s.policies.validate(); err != nil {
		return err
	}
	if err := (&scenario.Scenario{Rules: s.rules}).MetricOptions().Validate(); err != nil {
		return usageErrorf("%v", err)
	}
	return nil
}

// machineFlags adds the flags for the machine to f.
func (s *source) machineFlags(f *pflag.FlagSet) {
	s.flagSet = f
	f.IntVar(&s.nodes, "nodes", 0, "use a machine with `N` nodes (default: from the file)")
	f.IntVar(&s.processors, "processors", 1, "use nodes with `P` processors")
	f.IntVar(&s.cores, "cores", 1, "use processors with `C` cores")
	f.IntVar(&s.jobsPerNode, "jobs-per-node", 0, "let at most `N` jobs share a node (0 = unlimited)")
	f.StringArrayVar(&s.resources, "resource", nil, "use a machine with the extra resource `name=capacity`, such as gpu=4, instead of the resources in the scenario; repeatable")
	f.StringArrayVar(&s.blocks, "block", nil, "use a machine with the outage `FROM-TO:PROCS[:label]`, such as 1h-2h:8, known in advance, instead of the outages in the scenario; repeatable")
}

// keepFlag implements the flag -keep, which can be repeated.
type keepFlag workload.Keep

func (k *keepFlag) String() string { return workload.Keep(*k).String() }
func (k *keepFlag) Type() string   { return "field=values" }
func (k *keepFlag) Set(text string) error {
	field, values, ok := strings.Cut(text, "=")
	if !ok || values == "" {
		return fmt.Errorf("expected field=values, as in procs=1:16, got %q", text)
	}
	if err := (*workload.Keep)(k).Set(field, values); err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	return nil
}

// machine returns a copy of machine m, changed according to the flags.
func (s *source) machine(m cluster.Machine) (cluster.Machine, error) {
	last := "" // name of the last machine flag on the command line
	for _, f := range []struct {
		name     string
		from, to *int
	}{{"nodes", &s.nodes, &m.Nodes}, {"processors", &s.processors, &m.Processors}, {"cores", &s.cores, &m.Cores},
		{"jobs-per-node", &s.jobsPerNode, &m.JobsPerNode}} {
		if s.flagSet.Changed(f.name) {
			*f.to, last = *f.from, f.name
		}
	}
	if err := s.checkMachine(m, last); err != nil {
		return m, err
	}
	if s.flagSet.Changed("resource") {
		var err error
		if m.Resources, err = s.parseResources(); err != nil {
			return m, err
		}
	}
	if s.flagSet.Changed("block") {
		m.Outages = nil
	}
	for _, text := range s.blocks {
		b, ok := parseOutage(text)
		if !ok {
			return m, usageErrorf("-block: expected FROM-TO:PROCS or FROM-TO:PROCS:label with times such as 3600, 90m or 1h 30m and a whole number of processors, got %q", text)
		}
		m.Outages = append(m.Outages, b)
	}
	return m, nil
}

// parseResources returns the extra resources that the flag -resource names.
func (s *source) parseResources() (list []cluster.Resource, err error) {
	for _, text := range s.resources {
		name, capacity, ok := strings.Cut(text, "=")
		n, err := strconv.ParseInt(capacity, 10, 64)
		switch {
		case !ok || name == "" || err != nil || n < 0 || n > cluster.MaxCapacity:
			return nil, usageErrorf("-resource: expected name=capacity with a whole number from 0 to 10^18, got %q", text)
		case slices.Contains(resourceNames(list), name):
			return nil, usageErrorf("-resource: expected each resource only once, got %s twice", name)
		}
		list = append(list, cluster.Resource{Name: name, Capacity: n})
	}
	return list, nil
}

// checkMachine returns a usage error if flags make machine m invalid. The argument lastFlag is the
// name of the last machine flag on the command line. If there is no such flag, lastFlag is "", and
// checkMachine checks nothing, because the machine comes from a file.
func (s *source) checkMachine(m cluster.Machine, lastFlag string) error {
	if m.Nodes == 0 && !s.flagSet.Changed("nodes") {
		m.Nodes = 1 // valid value, because the number of nodes is not known yet
	}
	var bad *cluster.Invalid
	if lastFlag == "" || !errors.As(m.Validate(), &bad) {
		return nil
	}
	if f := s.flagSet.Lookup(bad.Field); f != nil && f.Changed {
		lastFlag = bad.Field
	}
	return usageErrorf("-%s: expected %s, got %s", lastFlag, bad.Expected, bad.Got)
}

// machineOrSuggested returns the machine that the flags describe. If no flag sets the number of
// nodes, it uses the suggested machine. The suggestion comes from the file, and has 0 nodes if the
// file does not contain the size of the machine. The flags may divide the processors of this
// machine into nodes of a different size.
func (s *source) machineOrSuggested(suggested cluster.Machine) (cluster.Machine, error) {
	m, err := s.machine(cluster.Flat(0))
	if err != nil || m.Nodes > 0 {
		return m, err
	}
	procs := suggested.Slots()
	switch {
	case procs == 0:
		return m, fmt.Errorf("%w with -nodes", opening.ErrNoMachine)
	case !s.flagSet.Changed("processors") && !s.flagSet.Changed("cores"):
		m.Nodes, m.Cores = suggested.Nodes, suggested.Cores
		return m, nil
	}
	if m.Nodes = procs / m.SlotsPerNode(); m.Nodes*m.SlotsPerNode() != procs {
		return m, usageErrorf("-nodes: expected a number of nodes, because the file's %d processors cannot be divided into nodes with %d each", procs, m.SlotsPerNode())
	}
	return m, nil
}

// applyRuleFlags copies to r the data rules that flags set.
func (s *source) applyRuleFlags(r *scenario.Rules) {
	for name, apply := range map[string]func(){
		"overrun":      func() { r.Overrun = s.rules.Overrun },
		"size":         func() { r.Size = s.rules.Size },
		"filter":       func() { r.Filter = s.rules.Filter },
		"zero-runtime": func() { r.Zero = s.rules.Zero },
		"limit":        func() { r.Limit = s.rules.Limit },
		"window":       func() { r.Window = s.rules.Window },
		"keep":         func() { r.Keep = s.rules.Keep },
		"shift":        func() { r.Shift = s.rules.Shift },
		"load-factor":  func() { r.LoadFactor = s.rules.LoadFactor },
		"wall-factor":  func() { r.WallFactor = s.rules.WallFactor },
		"warmup":       func() { r.Warmup = s.rules.Warmup },
		"cooldown":     func() { r.Cooldown = s.rules.Cooldown },
	} {
		if s.flagSet.Changed(name) {
			apply()
		}
	}
}

// choosePolicies returns the policies of a scenario after applying the flags. If the command runs
// only one policy, it sets s.policyIndex to the index of this policy.
func (s *source) choosePolicies(scenarioPolicies []scenario.Policy) (list []scenario.Policy, err error) {
	if s.runsAll {
		return s.policies.policies(scenarioPolicies)
	}
	list, s.policyIndex, err = s.policies.policyToRun(scenarioPolicies)
	return list, err
}

// checkSeed returns an error if the command line contains the flag -seed, but no workload model generates
// the jobs, so that g is nil. The argument got says where the jobs come from, for the error message.
func (s *source) checkSeed(g *scenario.Generator, got string) error {
	if g == nil && s.flagSet.Changed("seed") {
		return usageErrorf("-seed: expected a scenario whose jobs a workload model generates, got %s", got)
	}
	return nil
}

// applySeeds copies to scenario x the seeds that flags set.
func (s *source) applySeeds(x *scenario.Scenario) {
	if g := x.Workload.Generator; g != nil && s.flagSet.Changed("seed") {
		g.Seed = s.seed
	}
	if s.flagSet.Changed("slowdown-seed") {
		if x.Slowdown == nil {
			x.Slowdown = &scenario.Slowdown{}
		}
		x.Slowdown.Drawn, x.Slowdown.Seed = true, s.slowSeed
	}
}
