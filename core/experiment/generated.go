package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

// generated is a workload drawn from a model.
type generated struct{ registry.Order }

func (g *generated) Key() string { return g.String() }

// String returns the order on one line: "cirne jobs=200 on 128, seed 3".
func (g *generated) String() string {
	var b strings.Builder
	b.WriteString(g.Model)
	for _, k := range slices.Sorted(maps.Keys(g.Knobs)) {
		b.WriteString(" " + k + "=" + g.Knobs[k])
	}
	fmt.Fprintf(&b, " on %d, seed %d", g.Procs, g.Seed)
	return b.String()
}

func (g *generated) Load() (*Load, Cell, error) {
	drawn, err := g.Generate()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", g, err)
	}
	l := &Load{Machine: cluster.Flat(g.Procs), Jobs: drawn.Jobs}
	l.Machine.Resources = drawn.Resources
	return l, Cell{"jobs": float64(len(l.Jobs)), "processors": float64(g.Procs)}, nil
}

// tuned is a generated workload whose jobs arrive at the rate at which a case
// has a given mean queue: the load as Leinberger et al. 1999, section 3.2, state
// it. The model has the knob mean-interarrival.
type tuned struct {
	generated
	under *Case
	queue float64 // waiting jobs, in the mean over time from the first to the last arrival
	least float64 // the mean time between arrivals is sought from here
	most  float64 // to here, in seconds
}

// Key has the range too: the search in another one may end elsewhere.
func (t *tuned) Key() string { return fmt.Sprintf("%s, sought from %g to %g s", t, t.least, t.most) }

func (t *tuned) String() string {
	return fmt.Sprintf("%s, mean queue %g under %s", &t.generated, t.queue, t.under)
}

// Load tells the mean time between arrivals that was found, and the queue that it
// gives.
func (t *tuned) Load() (*Load, Cell, error) {
	between, length, err := arrivals.Tune(t.queue, t.least, t.most, func(between float64) (float64, error) {
		l, _, err := t.with(between).Load()
		if err != nil {
			return 0, err
		}
		c, err := Run(l, t.under)
		return c["mean-queue-length"], err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t, err)
	}
	l, facts, err := t.with(between).Load()
	if err == nil {
		facts["interarrival"], facts["queue"] = between, length
	}
	return l, facts, err
}

// with returns the order with a mean time between arrivals.
func (t *tuned) with(between float64) *generated {
	g := t.generated
	if g.Knobs = maps.Clone(g.Knobs); g.Knobs == nil {
		g.Knobs = map[string]string{}
	}
	g.Knobs[generator.MeanInterarrival] = strconv.FormatFloat(between, 'g', -1, 64)
	return &g
}
