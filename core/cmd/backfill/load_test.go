package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/opening/badfiles"
	"backfill-lab/core/policy/registry"
)

// Each of these texts describes the same job in a different format.
const (
	tinySWF = "; MaxProcs: 4\n1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n"
	tinyCSV = "id,submit,procs,estimate,runtime\n1,0,2,9,5\n"
	tinyAcc = "JobID|State|Submit|Elapsed|Timelimit|AllocCPUS\n1|COMPLETED|2026-01-02T03:04:05|00:00:05|00:00:09|2\n"
	tiny    = `{"version":1,"machine":{"nodes":4},"workload":{"jobs":[{"id":"1","submit":0,"procs":2,"estimate":9,"runtime":5}]},"policies":[{"name":"easy"}]}`
)

// TestFormats checks that the command reads the same job from a file in each format. The command must
// recognize the format by the file extension or, if there is none, by the content, even if the file is
// compressed.
func TestFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	for ending, text := range map[string]string{"swf": tinySWF, "csv": tinyCSV, "json": tiny, "sacct": tinyAcc} {
		for name, data := range map[string]string{"a." + ending: text, "b." + ending + ".gz": string(badfiles.Gzip(t, text)), "c": text, "d": string(badfiles.Gzip(t, text))} {
			require.NoError(t, os.WriteFile(name, []byte(data), 0o600))
			args := []string{"run", "-in", name, "-policy", "easy", "-nodes", "4", "-quiet", "-jobs", "-"}
			out, errs, code := execute(nil, args...)
			require.Zero(t, code, "%s: %s", name, errs)
			require.Contains(t, out, "\n1,0,0,5,2,5,9,,0-5,0-1\n", name)
			args[2] = "-"
			piped, errs, code := execute(strings.NewReader(data), args...)
			require.Zero(t, code, errs)
			require.Equal(t, out, piped)
			_, _, code = execute(strings.NewReader(data), append(args, "-format", ending)...)
			require.Zero(t, code)
		}
	}
}

// TestNotAWorkload checks the errors for files that contain no workload.
func TestNotAWorkload(t *testing.T) {
	t.Chdir(t.TempDir())
	for data, want := range map[string]string{
		"":                                     "the file is empty",
		"\x89PNG....":                          "this is not a text file: it looks like a PNG image",
		string(badfiles.Gzip(t, tinyCSV))[:30]: "the gzip data is damaged: it is truncated",
		"hello\n":                              "expected a header row with the column submit",
		"; nothing\n":                          "the file has no job lines",
	} {
		require.NoError(t, os.WriteFile("x", []byte(data), 0o600))
		_, errs, code := execute(nil, "run", "-in", "x", "-policy", "easy", "-nodes", "4")
		require.Equal(t, 1, code)
		require.Contains(t, errs, "backfill: x: ")
		require.Contains(t, errs, want)
	}
}

// TestPolicies checks that the command policies lists every policy in the registry.
func TestPolicies(t *testing.T) {
	out, _, code := execute(nil, "policies")
	require.Zero(t, code)
	for _, p := range registry.All {
		require.Contains(t, "\n"+out, "\n"+p.Name+"  "+p.Summary+"\n  paper: "+p.Paper+"\n")
		for _, k := range p.Knobs {
			require.Contains(t, out, "  -set "+k.Name+"="+k.Default+"  "+k.Title+": "+k.Help)
		}
	}
	_, errs, code := execute(nil, "run", "-in", "x", "-policy", "nonsense")
	require.Equal(t, 2, code)
	require.Regexp(t, `^backfill: -policy: expected one of fcfs, .*, got "nonsense"\n`, errs)
}

// TestPoliciesJSON checks that the list of policies as JSON has every policy, with its paper and a list of
// knobs.
func TestPoliciesJSON(t *testing.T) {
	out, _, code := execute(nil, "policies", "-json")
	require.Zero(t, code)
	var list []struct {
		Name, Paper string
		Knobs       []struct{ Name, Type, Default, Help string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list, len(registry.All))
	for i, p := range list {
		require.Equal(t, registry.All[i].Name, p.Name)
		require.NotEmpty(t, p.Paper)
		require.NotNil(t, p.Knobs, "a policy without knobs has an empty list")
	}
}

// TestActualWaits checks that the report on accounting records writes the waits on the real machine like the
// metrics: with units, or in seconds with the flag -seconds.
func TestActualWaits(t *testing.T) {
	t.Chdir(t.TempDir())
	records := strings.NewReplacer("Submit|", "Submit|Start|", "03:04:05|", "03:04:05|2026-01-02T05:14:07|").Replace(tinyAcc)
	require.NoError(t, os.WriteFile("a.sacct", []byte(records), 0o600))
	for seconds, want := range map[string]string{"-seconds=false": "mean wait 2 h 10 min, maximum wait 2 h 10 min,", "-seconds": "mean wait 7,802 s, maximum wait 7,802 s,"} {
		_, errs, code := execute(nil, "run", "-in", "a.sacct", "-policy", "easy", seconds)
		require.Zero(t, code, errs)
		require.Contains(t, errs, "On the real machine: "+want)
		_, errs, _ = execute(nil, "run", "-in", "a.sacct", "-policy", "easy", "-load-factor", "2")
		require.NotContains(t, errs, "On the real machine")
	}
}

// TestWallFactorOfOverrunJob checks what docs/formats.md says about a job that ran longer than its estimate:
// -wall-factor multiplies the estimate in the file, and whatif the estimate raised to the runtime.
func TestWallFactorOfOverrunJob(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.csv", []byte("id,submit,procs,estimate,runtime\n1,0,2,100,110\n"), 0o600))
	out, errs, code := execute(nil, "run", "-in", "a.csv", "-nodes", "4", "-policy", "easy", "-wall-factor", "0.5", "-overrun", "kill", "-jobs", "-", "-quiet")
	require.Zero(t, code, errs)
	require.Contains(t, out, "\n1,0,0,50,2,50,50,")
	out, errs, code = execute(nil, "whatif", "-in", "a.csv", "-nodes", "4", "-policy", "easy", "-change", "wall-factor=0.5 overrun=kill", "-scenario", "-")
	require.Zero(t, code, errs)
	require.Contains(t, out, `"estimate": 55, "runtime": 55, "killed": true`)
}

// TestReference runs a real trace and compares the starts with a reference schedule. The command check
// must find no errors in the schedule and the log.
func TestReference(t *testing.T) {
	from := os.Getenv("BACKFILL_REFERENCE")
	if from == "" {
		t.Skip("needs the reference schedules: set BACKFILL_REFERENCE")
	}
	from, err := filepath.Abs(from)
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	trace := filepath.Join(from, "golden", "KTH-SP2-1996-2.1-cln")
	_, errs, code := execute(nil, "run", "-in", trace+".norm.swf.gz", "-policy", "easy", "-jobs", "x.csv", "-log", "x.log", "-quiet")
	require.Zero(t, code, errs)
	for _, args := range [][]string{{"check", "x.csv", "-nodes", "100"}, {"check", "x.log"}} {
		out, errs, code := execute(nil, args...)
		require.Zero(t, code, out+errs)
	}
	f, err := openRegular(trace + ".easy.csv.gz")
	require.NoError(t, err)
	defer f.close()
	text, err := f.text()
	require.NoError(t, err)
	want, err := io.ReadAll(text)
	require.NoError(t, err)
	got, err := os.ReadFile("x.csv")
	require.NoError(t, err)
	require.Equal(t, starts(string(want), 1), starts(string(got), 2))
}

// starts returns the start of each job in a CSV table, by job ID. The starts are in the column with
// the given index, and the IDs are in column 0.
func starts(table string, column int) map[string]string {
	out := map[string]string{}
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if cells := strings.Split(strings.TrimSpace(line), ","); i > 0 {
			out[cells[0]] = cells[column]
		}
	}
	return out
}

// TestHugeFile runs the command on two traces of more than 300 MB. It must read the first one
// completely, and reject the second one, which has too many jobs. The browser tests read the same
// files on the page.
func TestHugeFile(t *testing.T) {
	if testing.Short() || runtime.GOOS == "js" {
		t.Skip("takes long, and is too large for one process of WebAssembly; the browser tests open these files on the page")
	}
	t.Chdir(t.TempDir())
	writeHugeTrace(t, 4_500_000, "1234567")
	out, errs, code := execute(nil, "run", "-in", "huge.swf", "-policy", "fcfs", "-limit", "1000", "-jobs", "-")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "huge.swf: 4,500,000 records read, 1,000 jobs kept.\n"+
		"  Dropped 4,499,000 records beyond the limit on the number of jobs (first: line 1002).\n", "the whole file is read")
	require.Contains(t, out, "\n1000,90000,90000,91234,16,")

	writeHugeTrace(t, 5_100_000, "1")
	_, errs, code = execute(nil, "run", "-in", "huge.swf", "-policy", "fcfs")
	require.Equal(t, "backfill: huge.swf: line 5000002: the file has too many jobs: more than 5000000\n", errs)
	require.Equal(t, 1, code)
}

// writeHugeTrace writes a trace of more than 300 MB to huge.swf. Each record has the given user.
func writeHugeTrace(t *testing.T, jobs int, user string) {
	f, err := os.Create("huge.swf")
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "; MaxProcs: 1024")
	for i := 1; i <= jobs; i++ {
		fmt.Fprintln(w, i, i*90, "-1 1234 16 -1 -1 16 1834 -1 1", user, "-1 -1 -1 -1 -1 -1")
	}
	require.NoError(t, w.Flush())
	size, err := f.Seek(0, io.SeekCurrent)
	require.NoError(t, err)
	require.Greater(t, size, int64(300e6))
	require.NoError(t, f.Close())
}
