package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

const zeng2009 = "Zeng 2009, "

// The machine and the workloads of section 5.1. Nodes have two dual-core processors. The workloads come
// from the model of Lublin and Feitelson with two values of alpha. The thesis does not give the number
// of jobs. We chose zengJobs to match its results, see public/studies/zeng.md.
var (
	zengMachine = cluster.Machine{Nodes: 128, Processors: 2, Cores: 2, JobsPerNode: 2}
	zengAlphas  = []namedValue{{"W1", "10.33"}, {"W2", "9.83"}}
)

const (
	zengJobs         = "25000"
	zengSeeds        = 3 // number of seeds for sweeps, interpretations and comparisons on W2
	zengCompareSeeds = 5 // number of seeds for comparisons of the schedulers on W1
	zengBlockSeeds   = 5 // number of seeds for block sizes on W2
	zengCount        = "25,000 jobs"
	zengRR           = "Relative response times (RR) are response times divided by the runtime with one process per node. For all jobs, they are cut off at 600 s. "
)

// zengText returns sentences about the workloads of a study. Count gives the number of jobs in words. The
// two seeds are the numbers of seeds for W1 and W2. A workload with 0 seeds is omitted.
func zengText(count string, seeds ...int) string {
	var loads []string
	for i, a := range zengAlphas {
		switch {
		case seeds[i] == 1:
			loads = append(loads, fmt.Sprintf("alpha %s (%s, seed 1)", a.value, a.name))
		case seeds[i] > 1:
			loads = append(loads, fmt.Sprintf("alpha %s (%s, seeds 1 to %d)", a.value, a.name, seeds[i]))
		}
	}
	return fmt.Sprintf("Workloads: Lublin-Feitelson at %s, %s for 128 nodes of 2x2 cores, sizes grown by formula 7, slowdowns by Table 4, exact estimates. "+
		"Time slices with an overhead of 60 s. ", strings.Join(loads, " and "), count)
}

// compareSeeds returns the number of seeds for comparisons of the schedulers on the workload with an
// alpha.
func compareSeeds(alpha string) int {
	if alpha == zengAlphas[0].value {
		return zengCompareSeeds
	}
	return zengSeeds
}

// The cases that the thesis compares. They are variants of one policy, within time slices.
var (
	zengVariants = []namedValue{
		{"G-LOMARC-TS", "glts"}, {"CST", "cst"}, {"CSTWS", "cstws"}, {"SSP", "ssp"}, {"FBO", "fbo"}, {"NS", "ns"}, {"NH", "nh"},
	}
	zengTypes = []namedValue{{"medium", relative + "-medium"}, {"long", relative + "-long"}, {"all", relative + tauSuffix}}

	// anyVariant is the policy with the variant that a row sets.
	anyVariant = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "glomarc-ts", "overhead": "60"}}
)

// variantCase returns the policy with a variant that the knobs of a row do not change.
func variantCase(name string) *Case {
	c := anyVariant.withKnobs(map[string]string{"inner.variant": name})
	c.KeepsKnobs = true
	return c
}

// zengStudies returns the studies of the evaluation in Zeng 2009, section 5.
func zengStudies() []*Study {
	return []*Study{zengComposition(), zengResponse(), zengUtilization(), zengBlocks(), zengSlack(), zengGroups(), zengForms(), zengInterpretationStudy()}
}

// sharedNodes is a generated workload whose jobs slow each other down on shared nodes. The
// slowdowns are drawn from the seed of the jobs.
type sharedNodes struct{ generated }

// Key returns the key of the workload. Workloads with equal keys have equal jobs.
func (s *sharedNodes) Key() string { return s.String() }

// String describes the workload in one line.
func (s *sharedNodes) String() string {
	return fmt.Sprintf("%s, in nodes of %dx%d cores", &s.generated, zengMachine.Processors, zengMachine.Cores)
}

// Load draws the jobs and their slowdowns, and computes the composition.
func (s *sharedNodes) Load() (*Workload, Results, error) {
	l, facts, err := s.generated.Load()
	if err != nil {
		return nil, nil, err
	}
	l.Machine = zengMachine
	l.Speed = (&slowdown.Model{Drawn: true, Seed: s.Seed}).Speed(l.Jobs)
	addMix(l.Jobs, l.Machine.Nodes, nodeSeconds, facts)
	return l, facts, nil
}

// nodeSeconds returns the work of a job that shares no nodes, in node-seconds. Formula 11 gives the number
// of processes per node.
func nodeSeconds(j *job.Job) float64 {
	g := gain.NewJob(&j.Request)
	g.PerNode = gain.Paper.PerNode(g, zengMachine.SlotsPerNode())
	return float64(g.Nodes()) * float64(g.OwnSlowdown()*float64(j.Runtime))
}

// zengSources returns workloads with an alpha and a number of jobs, one for each seed from 1 to seeds.
func zengSources(alpha, jobs string, seeds int) (out []Source) {
	for seed := range seeds {
		knobs := map[string]string{generator.Jobs: jobs, "alpha": alpha, "slowdowns": "grown"}
		out = append(out, &sharedNodes{generated{registry.Order{Model: "lublin", Knobs: knobs, Procs: zengMachine.Slots(), PerNode: zengMachine.SlotsPerNode(), Seed: int64(seed + 1)}}})
	}
	return out
}

// zengRow returns a row whose parts are the workloads with an alpha.
func zengRow(name, group, alpha string, seeds int, knobs map[string]string) Row {
	return zengRowOf(zengSources(alpha, zengJobs, seeds), name, group, knobs)
}

// zengRowOf returns a row whose parts are the given workloads.
func zengRowOf(sources []Source, name, group string, knobs map[string]string) Row {
	r := Row{Name: name, Group: group}
	for _, source := range sources {
		r.Parts = append(r.Parts, Part{source, maps.Clone(knobs)})
	}
	return r
}

// onlyOnW1 lists the variants that studies compare only on W1. They have a simpler search.
var onlyOnW1 = []string{"fbo", "ns", "nh"}

// zengByVariant returns a row for each variant on each of W1 and W2, without the pairs that onlyOnW1
// excludes.
func zengByVariant(variants []namedValue) (rows []Row) {
	for _, a := range zengAlphas {
		for _, v := range variants {
			if a != zengAlphas[0] && slices.Contains(onlyOnW1, v.value) {
				continue
			}
			rows = append(rows, zengRow(a.name+" "+v.name, a.name, a.value, compareSeeds(a.value), map[string]string{"inner.variant": v.value}))
		}
	}
	return rows
}
