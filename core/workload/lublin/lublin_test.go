package lublin_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/lublin"
	"backfill-lab/core/workload/swf"
)

// drawJobs returns the first n jobs of the model.
func drawJobs(t testing.TB, n, procs int, seed uint32, knobs map[string]string) []job.Job {
	v, err := lublin.Spec.Settings(knobs)
	require.NoError(t, err)
	m, err := lublin.Spec.New(v, generator.Machine{Procs: procs}, seed)
	require.NoError(t, err)
	jobs := make([]job.Job, n)
	for i := range jobs {
		m.Next(&jobs[i])
	}
	return jobs
}

// TestGoldenVector checks the first numbers of drand48 after srand48(1), and the first jobs of the
// published generator (compiled with gcc, seed 1).
func TestGoldenVector(t *testing.T) {
	s := draw.Seeded(1)
	for _, want := range []float64{0.041630344771878214, 0.45449244472862915, 0.8348172181669149, 0.33598603014520023, 0.56548940356613642} {
		require.Equal(t, want, s.Uniform())
	}
	want := [][3]int64{{5362, 6, 4}, {6406, 18, 8}, {6556, 10804, 32}, {6826, 30605, 32}, {26725, 1087, 2},
		{26853, 8946, 16}, {28236, 7496, 64}, {32011, 9672, 64}, {32080, 6563, 44}, {32120, 13461, 32}}
	for i, j := range drawJobs(t, len(want), 128, 1, nil) {
		require.Equal(t, want[i], [3]int64{j.Submit, j.Runtime, int64(j.Procs)})
	}
}

// TestReferenceSamples compares samples job by job with samples of the published generator.
func TestReferenceSamples(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: the test is skipped")
	}
	for seed := range uint32(3) {
		data, err := os.ReadFile(filepath.Join(folder, "models", fmt.Sprintf("lublin_whole_a10.2303_seed%d.swf.gz", seed+1)))
		require.NoError(t, err)
		f, err := swf.Read(bytes.NewReader(data), swf.Options{})
		require.NoError(t, err)
		require.Len(t, f.Body, 20000)
		for i, j := range drawJobs(t, len(f.Body), 128, seed+1, nil) {
			r := &f.Body[i]
			want := [3]int64{r[swf.Submit], r[swf.Runtime], r[swf.AllocatedProcs]}
			require.Equal(t, want, [3]int64{j.Submit, j.Runtime, int64(j.Procs)}, "seed %d, job %d", seed+1, i+1)
		}
	}
}

func BenchmarkMillion(b *testing.B) {
	for b.Loop() {
		drawJobs(b, 1_000_000, 128, 1, nil)
	}
}
