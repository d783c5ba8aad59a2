package sacct_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/opening"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/core/workload/swf"
)

// TestFiles reads the accounting records in testdata. The directive "read" has the options unit=, submit=,
// partition=, limits= and resources=. The last three take lists joined by +. The output lists the jobs and
// the notes. After an intended change, go test -rewrite updates the outputs.
func TestFiles(t *testing.T) {
	datadriven.Walk(t, "testdata/files", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			o := options(t, d)
			f, err := sacct.Read(strings.NewReader(d.Input+"\n"), o)
			if err != nil {
				return err.Error() + "\n"
			}
			return describe(t, f, o.Unit)
		})
	})
}

func options(t *testing.T, d *datadriven.TestData) (o sacct.Options) {
	var unit, resources, submit, limits string
	d.MaybeScanArgs(t, "partition", &o.Partition)
	o.Partition = strings.ReplaceAll(o.Partition, "+", ",")
	d.MaybeScanArgs(t, "resources", &resources)
	if d.MaybeScanArgs(t, "unit", &unit) {
		require.NoError(t, o.Unit.UnmarshalText([]byte(unit)))
	}
	if d.MaybeScanArgs(t, "submit", &submit); submit != "" {
		require.NoError(t, o.Submit.UnmarshalText([]byte(submit)))
	}
	if d.MaybeScanArgs(t, "limits", &limits); limits != "" {
		var err error
		o.Limits, err = sacct.ParseLimits(strings.ReplaceAll(limits, "+", ","))
		require.NoError(t, err)
	}
	if resources != "" {
		o.Resources = strings.Split(resources, "+")
	}
	return o
}

// describe returns the jobs, the report and the machine facts of a file as text.
func describe(t *testing.T, f *sacct.File, u sacct.Unit) string {
	var b strings.Builder
	for i, j := range f.Jobs {
		fmt.Fprintf(&b, "%s submit=%d procs=%d estimate=%d runtime=%d", j.ID, j.Submit, j.Procs, j.Estimate, j.Runtime)
		if m := j.More; m != nil && (m.User != "" || m.Extra != nil) {
			fmt.Fprintf(&b, " user=%s extra=%v", m.User, m.Extra)
		}
		fmt.Fprintf(&b, " line=%d\n", f.Lines[i])
	}
	if w, err := opening.CleanAccounting(f, 1000, workload.Rules{}); err != nil {
		b.WriteString(err.Error() + "\n")
	} else {
		require.Equal(t, w.Report.Read-w.Report.Kept, w.Report.Dropped())
		b.WriteString(strings.Join(w.Report.Sentences(), "\n") + "\n")
		if waits := opening.ActualWaits(f, w); waits.Jobs > 0 {
			b.WriteString(waits.Text(format.Clock{}) + "\n")
		}
	}
	fmt.Fprintf(&b, "starts=%v facts=%+v unlimited=%v proposal=%+v\n", f.Starts, f.MachineFacts, f.Unlimited, f.Propose(u))
	return b.String()
}

const (
	header = "JobID|State|Submit|Start|End|Elapsed|Timelimit|AllocCPUS"
	record = "7|COMPLETED|2026-01-02T03:04:05|2026-01-02T03:04:06|2026-01-02T03:05:06|00:01:00|01:00:00|4"
)

func read(text string) (*sacct.File, error) {
	return sacct.Read(strings.NewReader(text), sacct.Options{})
}

func TestAcceptedTexts(t *testing.T) {
	want := job.Job{ID: "7", Runtime: 60, Request: job.Request{Estimate: 3600, Procs: 4}}
	for name, text := range map[string]string{
		"plain":            header + "\n" + record + "\n",
		"no last line end": header + "\n" + record,
		"CRLF":             header + "\r\n" + record + "\r\n",
		"byte order mark":  "\ufeff" + header + "\n" + record,
		"blank lines":      "\n\n" + header + "\n\n" + record + "\n \n",
		"as -p writes it":  header + "|\n" + record + "|\n",
		"other case":       strings.ToLower(header) + "\n" + record,
		"unknown fields":   header + "|MaxRSS\n" + record + "|4G",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := read(text)
			require.NoError(t, err)
			assert.Equal(t, []job.Job{want}, f.Jobs)
			assert.Equal(t, []string{"Time 0 is the first submission, 2026-01-02T03:04:05."}, f.Notes)
		})
	}
}

// TestManyPartitions checks that a long list of partitions is cut, and ends with the number of
// omitted partitions.
func TestManyPartitions(t *testing.T) {
	text := "JobID|Submit|AllocCPUS|ElapsedRaw|State|Partition"
	for i := range 23 {
		text += fmt.Sprintf("\n%d|2026-01-02T03:04:05|1|5|COMPLETED|p%d", i+1, i+1)
	}
	f, err := read(text)
	require.NoError(t, err)
	require.Contains(t, strings.Join(f.Notes, " "), "p19 (1), p20 (1), 3 more")
}

// TestLineEnds checks that the error for a file with line ends CR says so, no matter how long the file is.
func TestLineEnds(t *testing.T) {
	for _, n := range []int{1, 10_000} {
		_, err := read("\r" + header + "\r" + strings.Repeat(record+"\r", n))
		assert.EqualError(t, err, "line 1: expected line ends LF or CR LF, got CR only")
	}
}

func TestEpochSeconds(t *testing.T) {
	f, err := read(header + "\n" + strings.Replace(record, "2026-01-02T03:04:05", "1767323040", 1) + "\n" + record)
	require.NoError(t, err)
	assert.EqualValues(t, 5, f.Jobs[1].Submit)
	assert.Equal(t, []string{"Time 0 is the first submission, 2026-01-02 03:04 UTC (1767323040 seconds since 1970)."}, f.Notes)
}

func TestReadLimits(t *testing.T) {
	text := header + "\n" + strings.Repeat(record+"\n", 20)
	_, err := sacct.Read(strings.NewReader(text), sacct.Options{MaxJobs: 10})
	assert.EqualError(t, err, "line 12: the file has too many jobs: more than 10")
	assert.ErrorIs(t, err, sacct.ErrTooMany)

	_, err = sacct.Read(strings.NewReader(text), sacct.Options{Options: input.Options{MaxBytes: 200}})
	assert.ErrorIs(t, err, input.ErrTooLarge)

	_, err = read(header + "\n" + strings.Repeat("x", 300_000))
	assert.EqualError(t, err, "line 2: expected a line of at most 262144 bytes, got a longer one")

	stop := errors.New("stop")
	_, err = sacct.Read(strings.NewReader(text), sacct.Options{Options: input.Options{Progress: func(int64) error { return stop }}})
	assert.Equal(t, stop, err)
}

// TestSWFRoundTrip checks that writing the jobs as SWF and reading them back gives the same jobs.
func TestSWFRoundTrip(t *testing.T) {
	f, err := read(header + "\n" + record + "\n" + strings.NewReplacer("7|", "9|", "03:04:05", "03:05:05", "03:04:06", "03:05:06", "|4", "|2").Replace(record))
	require.NoError(t, err)
	w, err := opening.CleanAccounting(f, 8, workload.Rules{})
	require.NoError(t, err)
	records, renumbered := swf.FromJobs(w.Jobs)
	require.False(t, renumbered)
	var b bytes.Buffer
	require.NoError(t, swf.Write(&b, swf.NewHeader(8, 8, len(records)), records))
	again, err := workload.Read(&b, swf.Options{}, 0, workload.Rules{})
	require.NoError(t, err)
	assert.Equal(t, w.Jobs, again.Jobs)
	assert.EqualValues(t, 60, again.Jobs[1].Submit)
}

// FuzzSacct checks that the jobs of every file that Read accepts can become a workload.
func FuzzSacct(f *testing.F) {
	const all = "JobID|JobIDRaw|User|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|NNodes|AllocCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Reservation|Restarts\n"
	f.Add([]byte(header+"\n"+record), "", "", false)
	f.Add([]byte(all+"5_[1-9%2]|5|ann|a,b|q|PENDING|2026-01-02T03:04:05|Unknown|None|Unknown|00:00:00|Partition_Limit|1|0|4|4Gn|cpu=4,mem=4G||x|1"), "a", "mem", false)
	f.Add([]byte(all+"5+1|6|ann|a|q|CANCELLED by 7|1767323045|1767323045|1767323045|1767323050|1-00:00:05|UNLIMITED|2|8|4|16Gc|cpu=4|cpu=8,gres/gpu=2,node=2|x|1"), "", "gres/gpu", true)
	f.Fuzz(func(t *testing.T, data []byte, partition, resource string, nodes bool) {
		o := sacct.Options{MaxJobs: 1000, Options: input.Options{MaxBytes: 1 << 20}}
		if o.Partition = partition; nodes {
			o.Unit = sacct.Nodes
		}
		if resource != "" {
			o.Resources = []string{resource}
		}
		got, err := sacct.Read(bytes.NewReader(data), o)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.Len(t, got.Lines, len(got.Jobs))
		w, err := opening.CleanAccounting(got, 1<<30, workload.Rules{})
		if err != nil {
			require.ErrorIs(t, err, workload.ErrNoJobs)
			return
		}
		require.Equal(t, w.Report.Read-len(w.Jobs), w.Report.Dropped())
		for i := range w.Jobs {
			require.NoError(t, w.Jobs[i].Validate(i, 1<<30))
			for k := range o.Resources {
				require.GreaterOrEqual(t, w.Jobs[i].Extra(k), int64(0))
			}
		}
	})
}

// TestMostInUse compares the maximum amount in use with a brute-force computation over all seconds.
func TestMostInUse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type job struct{ start, runtime, cpus int }
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) job {
			return job{rapid.IntRange(0, 20).Draw(t, "start"), rapid.IntRange(0, 9).Draw(t, "runtime"), rapid.IntRange(1, 9).Draw(t, "cpus")}
		}), 1, 12).Draw(t, "jobs")
		text, most, widest := "JobID|State|Submit|Start|ElapsedRaw|AllocCPUS\n", 0, 0
		for i, j := range jobs {
			text += fmt.Sprintf("%d|COMPLETED|0|%d|%d|%d\n", i+1, j.start, j.runtime, j.cpus)
			widest = max(widest, j.cpus)
		}
		for at := range 40 {
			now := 0
			for _, j := range jobs {
				if j.start <= at && at < j.start+max(j.runtime, 1) {
					now += j.cpus
				}
			}
			most = max(most, now)
		}
		f, err := read(text)
		require.NoError(t, err)
		require.Equal(t, sacct.Usage{Jobs: len(jobs), Widest: int64(widest), MaxInUse: int64(most)}, f.Procs)
		p := f.Propose(sacct.CPUs)
		require.Equal(t, most, p.Nodes*p.Cores)
	})
}
