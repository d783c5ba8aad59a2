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

// The machine and the workloads of section 5.1: nodes of two dual-core
// processors, the model of Lublin and Feitelson at two values of its alpha. How
// many jobs the thesis does not say; so many fit what it counts, see zeng.md.
var (
	zengMachine = cluster.Machine{Nodes: 128, Processors: 2, Cores: 2, JobsPerNode: 2}
	zengAlphas  = []called{{"W1", "10.33"}, {"W2", "9.83"}}
)

const (
	zengJobs  = "25000"
	zengSeeds = 3 // of sweeps and interpretations
	zengMost  = 5 // of what compares the schedulers on W1
	zengSizes = 5 // of block sizes on W2
	zengCount = "25,000 jobs"
	zengRR    = "Relative response times (RR) are by the runtime with one process on each node, cut off at 600 s for all jobs. "
)

// zengText says what a study runs on: so many jobs, and so many seeds of W1 and W2, each
// left out if it has none.
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

// compared returns on how many seeds of a workload the schedulers are compared.
func compared(alpha string) int {
	if alpha == zengAlphas[0].value {
		return zengMost
	}
	return zengSeeds
}

// What the thesis compares: one policy in variants, inside of time slices.
var (
	zengVariants = []called{
		{"G-LOMARC-TS", "glts"}, {"CST", "cst"}, {"CSTWS", "cstws"}, {"SSP", "ssp"}, {"FBO", "fbo"}, {"NS", "ns"}, {"NH", "nh"},
	}
	zengTypes = []called{{"medium", relative + "-medium"}, {"long", relative + "-long"}, {"all", relative + cut}}

	// anyVariant is that of the row.
	anyVariant = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "glomarc-ts", "overhead": "60"}}
)

// variant returns a case that stays that variant on every row.
func variant(name string) *Case {
	c := anyVariant.with(map[string]string{"inner.variant": name})
	c.Firm = true
	return c
}

// zeng returns the evaluation of Zeng 2009, section 5.
func zeng() []*Study {
	return []*Study{zengMix(), zengResponse(), zengUtilization(), zengBlocks(), zengSlack(), zengGroups(), zengForms(), zengReadings()}
}

// shared is a generated workload of jobs that slow each other down on the nodes
// that they share, by the seed of the jobs.
type shared struct{ generated }

func (s *shared) Key() string { return s.String() }

func (s *shared) String() string {
	return fmt.Sprintf("%s, in nodes of %dx%d cores", &s.generated, zengMachine.Processors, zengMachine.Cores)
}

func (s *shared) Load() (*Load, Cell, error) {
	l, facts, err := s.generated.Load()
	if err != nil {
		return nil, nil, err
	}
	l.Machine = zengMachine
	l.Speed = (&slowdown.Model{Drawn: true, Seed: s.Seed}).Speed(l.Jobs)
	mix(l.Jobs, l.Machine.Nodes, onNodes, facts)
	return l, facts, nil
}

// onNodes returns the work of a job alone in node-seconds, with the processes on each
// node that formula 11 gives it.
func onNodes(j *job.Job) float64 {
	g := gain.Of(&j.Request)
	g.PerNode = gain.Paper.PerNode(g, zengMachine.PerNode())
	return float64(g.Nodes()) * float64(g.Self()*float64(j.Runtime))
}

// zengSources returns the workloads at an alpha with so many jobs, one a seed.
func zengSources(alpha, jobs string, seeds int) (out []Source) {
	for seed := range seeds {
		knobs := map[string]string{generator.Jobs: jobs, "alpha": alpha, "slowdowns": "grown"}
		out = append(out, &shared{generated{registry.Order{Model: "lublin", Knobs: knobs, Procs: zengMachine.Slots(), PerNode: zengMachine.PerNode(), Seed: int64(seed + 1)}}})
	}
	return out
}

// zengRow returns a row on the workloads at an alpha.
func zengRow(name, group, alpha string, seeds int, knobs map[string]string) Row {
	return zengRowOf(zengSources(alpha, zengJobs, seeds), name, group, knobs)
}

func zengRowOf(sources []Source, name, group string, knobs map[string]string) Row {
	r := Row{Name: name, Group: group}
	for _, source := range sources {
		r.Parts = append(r.Parts, Part{source, maps.Clone(knobs)})
	}
	return r
}

// simpler lists the variants with a simpler search, which are compared on W1 only.
var simpler = []string{"fbo", "ns", "nh"}

// zengByVariant returns rows for the variants on each workload.
func zengByVariant(variants []called) (rows []Row) {
	for _, a := range zengAlphas {
		for _, v := range variants {
			if a != zengAlphas[0] && slices.Contains(simpler, v.value) {
				continue
			}
			rows = append(rows, zengRow(a.name+" "+v.name, a.name, a.value, compared(a.value), map[string]string{"inner.variant": v.value}))
		}
	}
	return rows
}
