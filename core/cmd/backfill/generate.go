package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/knob"
	"backfill-lab/core/opening"
	policies "backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/version"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/core/workload/swf"
)

// generateOptions holds the flags of the command generate.
type generateOptions struct {
	env          *env
	machine      cluster.Machine
	settings     registry.Settings // settings of the model
	set          knobFlag          // knobs from the flag -set
	jobs         int
	jobsGiven    bool            // whether the flag -jobs was given
	out, format  string          // output file, and its format; "" for the format that its name implies
	policy       string          // value of the flag -policy
	expanded     scenario.Policy // policy that the flag names; for a preset, the policy and the knobs of the preset
	list, asJSON bool            // whether to list the models, and whether to print this list as JSON
}

func generateCommand(e *env) *cobra.Command {
	g := &generateOptions{env: e}
	c := &cobra.Command{
		Use: "generate", Short: "generate a workload from a model",
		Long: "Generate a workload from a model. The output is the jobs as .swf or .csv, or a scenario (.json). A scenario contains\nthe model, its knobs and the seed; a program that opens the scenario generates the jobs again.\nThe same flags give the same jobs on every machine.",
		Args: noArgs,
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&g.settings.Model, "model", "", "use the model `NAME` (-list lists the models)")
	f.Var(&g.set, "set", "set a knob of the model; repeatable")
	f.IntVar(&g.jobs, "jobs", 0, "generate `N` jobs (the same as -set jobs=N)")
	f.IntVar(&g.machine.Nodes, "nodes", 128, "use a machine with `N` nodes")
	f.IntVar(&g.machine.Processors, "processors", 1, "use nodes with `P` processors")
	f.IntVar(&g.machine.Cores, "cores", 1, "use processors with `C` cores")
	f.IntVar(&g.machine.JobsPerNode, "jobs-per-node", 0, "let at most `N` jobs share a node (0 = unlimited)")
	f.Int64Var(&g.settings.Seed, "seed", 1, "use seed `S` for the random numbers")
	f.StringVarP(&g.out, "out", "o", "", "write to `FILE` (.swf, .csv or .json; - for standard output); -o is short for -out")
	f.StringVar(&g.format, "format", "", "`format`: swf, csv or json (default: from the file name)")
	f.StringVar(&g.policy, "policy", "easy", "in a scenario, use the policy or preset `NAME`")
	f.BoolVar(&g.list, "list", false, "list the models and their knobs")
	f.BoolVar(&g.asJSON, "json", false, "with -list: print JSON")
	quietFlag(f, e)
	c.RunE = runE(func([]string) error {
		if g.jobsGiven = c.Flags().Changed("jobs"); g.jobsGiven {
			if _, twice := g.set.values[generator.Jobs]; twice {
				return usageErrorf("-jobs: expected either -jobs or -set jobs=%s, got both", g.set.values[generator.Jobs])
			}
			_ = g.set.Set(generator.Jobs + "=" + strconv.Itoa(g.jobs)) // cannot fail
		}
		return g.generate()
	})
	return c
}

// knobFlag implements the flag -set of the command generate, which sets knobs of the model.
type knobFlag struct{ values map[string]string }

func (s *knobFlag) String() string { return "" }
func (s *knobFlag) Type() string   { return "knob=value" }
func (s *knobFlag) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("expected knob=value, got %q", text)
	}
	s.values = withEntry(s.values, name, value)
	return nil
}

// generate generates the workload and writes it. With the flag -list, it lists the models
// instead.
func (g *generateOptions) generate() error {
	if g.list {
		return listModels(g.env.out, g.asJSON)
	}
	format, err := g.outputFormat()
	if err != nil {
		return err
	}
	var bad *cluster.Invalid
	if errors.As(g.machine.Validate(), &bad) {
		return usageErrorf("-%s: expected %s, got %s", bad.Field, bad.Expected, bad.Got)
	}
	g.settings.Knobs, g.settings.Procs, g.settings.PerNode = g.set.values, g.machine.Slots(), g.machine.SlotsPerNode()
	if g.expanded.Name, g.expanded.Knobs, err = policies.Resolve(g.policy); err != nil {
		return usageErrorf("-%v", err)
	}
	d, err := g.draw()
	if err != nil {
		return g.flagError(err)
	}
	if format == opening.SWF && (len(d.Resources) > 0 || d.Jobs[0].Speedup() != nil || g.settings.Slowdowns() != nil) {
		return usageErrorf("-out (-o): expected .csv or .json for moldable jobs, extra resources or slowdowns, which SWF cannot hold, got %s", g.out)
	}
	out := &outputs{}
	out.add(g.out, map[string]func(io.Writer) error{
		opening.SWF: func(w io.Writer) error { return g.writeSWF(w, d) },
		opening.CSV: func(w io.Writer) error {
			return csv.Write(w, &csv.Table{Jobs: d.Jobs, Resources: resourceNames(d.Resources)})
		},
		opening.JSON: func(w io.Writer) error { return g.writeScenario(w, d) },
	}[format])
	if err := out.write(g.env); err != nil {
		return err
	}
	g.report(d, format)
	return nil
}

// draw generates the jobs and shows the progress. The output may be a scenario, which does not contain
// the jobs. Even then, draw generates them, to make sure that the scenario is valid.
func (g *generateOptions) draw() (*registry.Drawn, error) {
	r, err := g.settings.Start()
	if err != nil {
		return nil, err
	}
	p := g.env.newProgress("generating", r.Total())
	defer p.close()
	for {
		more, err := r.Step(1 << 14)
		if err != nil || !more {
			return r.Drawn(), err
		}
		p.update(r.Done())
	}
}

// outputFormat returns the format of the output, which the flag -format or the file name
// determines.
func (g *generateOptions) outputFormat() (string, error) {
	format := g.format
	if format == "" {
		format = opening.FormatByName(g.out)
	}
	switch {
	case g.out == "":
		return "", usageErrorf("-out (-o): expected a file, or - for standard output, got nothing")
	case g.format == "" && (format == "" || format == opening.SACCT || strings.HasSuffix(strings.ToLower(g.out), ".gz")):
		return "", usageErrorf("-out (-o): expected a name that ends in .swf, .csv or .json, or the flag -format, got %s", g.out)
	case format != opening.SWF && format != opening.CSV && format != opening.JSON:
		return "", usageErrorf("-format: expected swf, csv or json, got %q", format)
	}
	return format, nil
}

// flagError converts an error about a setting of the model to a usage error about the flag for this
// setting. It returns other errors unchanged.
func (g *generateOptions) flagError(err error) error {
	var bad *knob.BadKnob
	var invalid *registry.Invalid
	switch {
	case errors.As(err, &bad) && bad.Knob == generator.Jobs && g.jobsGiven:
		return usageErrorf("-jobs: expected %s, got %s", bad.Expected, bad.Got)
	case errors.As(err, &bad):
		return usageErrorf("-set: %v", bad)
	case errors.As(err, &invalid):
		return usageErrorf("-%v", invalid)
	}
	return err
}

// report prints the number of jobs and the settings of the model. If the output is a CSV file, it
// also prints flags that describe the machine, because a CSV file does not contain the machine.
func (g *generateOptions) report(d *registry.Drawn, kind string) {
	if g.out != standardStream {
		g.env.note("%s: %s", g.out, format.Count(len(d.Jobs), "job"))
	}
	for _, line := range g.settings.Describe() {
		g.env.note("  %s", line)
	}
	if d.Note != "" {
		g.env.note("  %s", d.Note)
	}
	if kind == opening.CSV {
		machine := fmt.Sprintf("-nodes %d", g.machine.Nodes)
		if g.machine.SlotsPerNode() > 1 {
			machine += fmt.Sprintf(" -processors %d -cores %d", g.machine.Processors, g.machine.Cores)
		}
		if n := g.machine.JobsPerNode; n > 0 {
			machine += fmt.Sprintf(" -jobs-per-node %d", n)
		}
		for _, r := range d.Resources {
			machine += fmt.Sprintf(" -resource %s=%d", r.Name, r.Capacity)
		}
		g.env.note("  this file does not contain the machine; read it with %s", machine)
	}
}

// writeSWF writes the jobs as SWF.
func (g *generateOptions) writeSWF(w io.Writer, d *registry.Drawn) error {
	records, _ := swf.FromJobs(d.Jobs)
	notes := append([]string{"generated by backfill-lab " + version.Program}, g.settings.Describe()...)
	if d.Note != "" {
		notes = append(notes, d.Note)
	}
	return swf.Write(w, swf.NewHeader(int64(g.settings.Procs), int64(g.machine.Nodes), len(records), notes...), records)
}

// writeScenario writes a scenario that contains the settings of the model instead of the jobs.
func (g *generateOptions) writeScenario(w io.Writer, d *registry.Drawn) error {
	m := g.machine
	m.Resources = d.Resources
	s := &scenario.Scenario{Machine: scenario.Machine{Machine: m}, Policies: []scenario.Policy{g.expanded}}
	s.SetGenerator(&g.settings)
	if err := s.Validate(); err != nil {
		return err
	}
	_, err := w.Write(scenario.Format(s))
	return err
}
