package scenario_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

var rewrite = flag.Bool("rewrite-examples", false, "rewrite the example files in the layout of Format")

const examples = "../../public/examples"

// exampleStarts holds the start of each job, by example and then by policy. The texts of the examples
// mention these starts.
var exampleStarts = map[string][][]job.Time{
	"first": {
		{0, 5, 1, 7, 8, 7, 11, 15, 24, 14, 27, 29},
		{0, 7, 1, 5, 10, 5, 12, 16, 25, 13, 28, 28},
	},
	"hole":         {{0, 0, 5, 7, 7, 7}, {0, 0, 5, 7, 0, 7}},
	"promises":     {{0, 4, 8, 0}, {0, 4, 4, 8}},
	"jin-figure-4": {{0, 4, 7, 7, 9, 11}, {0, 4, 0, 7, 9, 7}},
	"two-ends":     {{0, 0, 5, 5, 9}, {0, 0, 5, 1, 9}},
	"early-end":    {{0, 4, 9}, {0, 10, 2}},
	"zeng-wins":    {{0, 0, 0}, {0, 4000, 4000}},
	"zeng-loses":   {{0, 0, 4400}, {0, 0, 4800}},
	"orders": {
		{0, 10, 16, 19, 19}, {0, 14, 11, 14, 10}, {0, 10, 18, 10, 16}, {0, 14, 10, 13, 13},
	},
}

func TestExamples(t *testing.T) {
	var index []struct{ Name, Title string }
	require.NoError(t, json.Unmarshal(file(t, "index.json"), &index))
	files, err := filepath.Glob(filepath.Join(examples, "*.json"))
	require.NoError(t, err)
	require.Len(t, files, len(index)+1, "index.json must list every example")
	require.Equal(t, "first", index[0].Name)
	for _, x := range index {
		t.Run(x.Name, func(t *testing.T) {
			data := file(t, x.Name+".json")
			s, err := scenario.Parse(data)
			require.NoError(t, err)
			require.Equal(t, x.Title, s.Title)
			require.NotEmpty(t, s.Text)
			if *rewrite {
				require.NoError(t, os.WriteFile(filepath.Join(examples, x.Name+".json"), scenario.Format(s), 0o644))
			} else {
				require.Equal(t, string(scenario.Format(s)), string(data), "the file must have the layout of Format")
			}
			if got := starts(t, s); s.Workload.Generator == nil {
				require.Equal(t, exampleStarts[x.Name], got)
			} else {
				easy, conservative := meanWait(t, s, got[0]), meanWait(t, s, got[1])
				require.Contains(t, s.Text, fmt.Sprintf("mean wait: %.1f h against %.1f h.", easy/3600, conservative/3600))
			}
		})
	}
}

// meanWait returns the mean wait of the jobs of s in seconds, given the start time of each job.
func meanWait(t *testing.T, s *scenario.Scenario, starts []job.Time) float64 {
	setup, err := s.Setup()
	require.NoError(t, err)
	sum := job.Time(0)
	for i, start := range starts {
		sum += start - setup.Work.Jobs[i].Submit
	}
	return float64(sum) / float64(len(starts))
}

// starts returns the start of every job under each policy of s.
func starts(t *testing.T, s *scenario.Scenario) (all [][]job.Time) {
	setup, err := s.Setup()
	require.NoError(t, err)
	require.Zero(t, setup.Work.Report.Dropped()+setup.Work.Report.Altered(), setup.Work.Report.String())
	for i := range s.Policies {
		c, err := setup.Config(i, log.Decisions)
		require.NoError(t, err)
		e, err := sim.New(c)
		require.NoError(t, err)
		require.NoError(t, e.Run())
		var one []job.Time
		for _, o := range e.Log().Outcomes() {
			one = append(one, o.Start)
		}
		all = append(all, one)
	}
	return all
}

func file(t *testing.T, name string) []byte {
	data, err := os.ReadFile(filepath.Join(examples, name))
	require.NoError(t, err)
	return data
}
