package experiment

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"github.com/stretchr/testify/require"
)

// keep is a study with those of its rows.
func (s *Study) keep(rows ...string) *Study {
	out := *s
	out.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r Row) bool { return !slices.Contains(rows, r.Name) })
	return &out
}

// The numbers of the studies of Leinberger et al. that are kept in the project
// are those that the program gives: a row, made anew; as WebAssembly only the one
// with few jobs.
func TestKeptResponses(t *testing.T) {
	const fewJobs = "uniform, 2,000 jobs"
	loads, facts, ran := map[string]*Load{}, map[string]Cell{}, map[string]Cell{}
	for _, s := range leinberger() {
		s := s.keep("uniform K=2 Q=64", fewJobs)
		require.Len(t, s.Rows, 1)
		if runtime.GOOS == "js" && s.Rows[0].Name != fewJobs {
			continue
		}
		for source, c := range s.Needs {
			key := source.Key()
			if loads[key] == nil {
				l, about, err := source.Load()
				require.NoError(t, err)
				loads[key], facts[key] = l, about
			}
			if key += " " + c.String(); ran[key] == nil {
				cell, err := Run(loads[source.Key()], c)
				require.NoError(t, err)
				ran[key] = cell
			}
		}
		table := s.Made(func(x Source) Cell { return facts[x.Key()] },
			func(x Source, c *Case) Cell { return ran[x.Key()+" "+c.String()] })
		var made bytes.Buffer
		require.NoError(t, table.CSV(&made))
		kept, err := os.ReadFile("../../public/studies/" + s.Name + ".csv")
		require.NoError(t, err)
		for line := range strings.Lines(made.String()) {
			require.Contains(t, string(kept), line, "%s: make studies", s.Name)
		}
	}
}

// FF-CONS is planned anew at each event; on the paper's workloads that is the
// schedule of the conservative policy.
func TestConservativeIsFFCons(t *testing.T) {
	for _, distribution := range []string{"uniform", "exponential"} {
		l, _, err := vectors(1, 30, map[string]string{"jobs": "300", "resources": "4", "distribution": distribution}).Load()
		require.NoError(t, err)
		require.Equal(t, started(t, l, "conservative"), started(t, l, "leinberger-ff-cons"), distribution)
	}
}

// started is the outcomes under a policy or preset.
func started(t *testing.T, l *Load, name string) []log.Outcome {
	name, knobs, err := registry.Expand(name)
	require.NoError(t, err)
	p, err := registry.New(name, knobs)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: l.Machine, Jobs: l.Jobs, Policy: p})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log().Outcomes()
}
