package schedule_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

func TestWriteCSV(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{
		{ID: "1", Submit: 0, Start: 3, Finish: 12, Procs: 5, Runtime: 6, Estimate: 8, Promised: 4, Fair: job.Never,
			Segments: []schedule.Segment{{From: 3, To: 7}, {From: 10, To: 12}}, Alloc: cluster.Set{{Lo: 0, Hi: 4}, {Lo: 8, Hi: 9}}},
		{ID: `a,"b"`, Submit: 1, Start: 4, Finish: job.Never, Procs: 1, Runtime: 2, Estimate: 2, Promised: job.Never, Fair: job.Never,
			Segments: []schedule.Segment{{From: 4, To: job.Never}}, Alloc: cluster.Set{{Lo: 5, Hi: 6}}},
		{ID: "3", Submit: 1, Start: job.Never, Finish: job.Never, Procs: 1, Runtime: 2, Estimate: 2, Promised: job.Never, Fair: job.Never},
	}}
	var out bytes.Buffer
	require.NoError(t, s.WriteCSV(&out))
	assert.Equal(t, `job,submit,start,finish,procs,runtime,estimate,promised,segments,alloc
1,0,3,12,5,6,8,4,3-7;10-12,0-3 8
"a,""b""",1,4,,1,2,2,,4-,5
3,1,,,1,2,2,,,
`, out.String())
	back, err := schedule.ReadCSV(&out)
	require.NoError(t, err)
	assert.Equal(t, s, back)
}

// TestWriteFairCSV checks that WriteFairCSV writes fair start times and leaves unknown ones empty,
// and that ReadCSV returns the same schedule.
func TestWriteFairCSV(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{
		{ID: "1", Start: 3, Finish: 9, Procs: 1, Runtime: 6, Estimate: 8, Promised: job.Never, Fair: 2, Segments: []schedule.Segment{{From: 3, To: 9}}},
		{ID: "2", Submit: 1, Start: job.Never, Finish: job.Never, Procs: 1, Runtime: 2, Estimate: 2, Promised: job.Never, Fair: job.Never},
	}}
	var out bytes.Buffer
	require.NoError(t, s.WriteFairCSV(&out))
	assert.Equal(t, `job,submit,start,finish,procs,runtime,estimate,promised,segments,alloc,fair
1,0,3,9,1,6,8,,3-9,,2
2,1,,,1,2,2,,,,
`, out.String())
	back, err := schedule.ReadCSV(&out)
	require.NoError(t, err)
	assert.Equal(t, s, back)
}

// TestReadForeign checks that ReadCSV reads a table that another program wrote. The table lacks
// optional columns and has an unknown column, and its columns and rows are not in the order that
// WriteCSV uses.
func TestReadForeign(t *testing.T) {
	s, err := schedule.ReadCSV(strings.NewReader("\uFEFFrank,Procs,finish,start,submit,runtime,job\r\nx,2,9,5,4,4,b\r\nx,1,3,0,0,3,a\r\n"))
	require.NoError(t, err)
	assert.Equal(t, []schedule.Row{
		{ID: "a", Start: 0, Finish: 3, Procs: 1, Runtime: 3, Estimate: 3, Promised: job.Never, Fair: job.Never, Segments: []schedule.Segment{{From: 0, To: 3}}},
		{ID: "b", Submit: 4, Start: 5, Finish: 9, Procs: 2, Runtime: 4, Estimate: 4, Promised: job.Never, Fair: job.Never, Segments: []schedule.Segment{{From: 5, To: 9}}},
	}, s.Rows)
	assert.Empty(t, schedule.Check(s, cluster.Flat(2), schedule.Options{}))
	requireCodes(t, schedule.Check(s, cluster.Flat(1), schedule.Options{}), schedule.Capacity)
}

func TestReadErrors(t *testing.T) {
	head := strings.Join(schedule.Columns, ",") + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "line 1: expected a header line, got an empty file"},
		{"job,submit\n", `line 1: expected a column "start", got "job,submit"`},
		{head + "1,0,0,1,1,1,1,,0-1\n", "line 2: expected 10 fields as in the header, got 9"},
		{head + "1,0,0,1,1,1,1,,0-1,0\n\"1,0", "line 3: expected a closing quote, got the end of the file"},
		{head + ",0,0,1,1,1,1,,0-1,0\n", `line 2, column job: expected a name of 1 to 131072 bytes, got ""`},
		{head + "1,x,0,1,1,1,1,,0-1,0\n", `line 2, column submit: expected a time, got "x"`},
		{head + "1,-1,0,1,1,1,1,,0-1,0\n", `line 2, column submit: expected a time, got "-1"`},
		{head + "1,,0,1,1,1,1,,0-1,0\n", `line 2, column submit: expected a time, got ""`},
		{head + "1,0,0.5,1,1,1,1,,0-1,0\n", `line 2, column start: expected a time or nothing, got "0.5"`},
		{head + "1,0,0,1,0,1,1,,0-1,0\n", `line 2, column procs: expected 1 to 4000000, got "0"`},
		{head + "1,0,0,1,1,1,1,,0-1;5,0\n", `line 2, column segments: expected segments such as 0-5;7-9, got "0-1;5"`},
		{head + "1,0,0,1,1,1,1,,0-1,3-1\n", `line 2, column alloc: expected slots such as 0-3 8, got "3-1"`},
		{strings.Replace(head, "promised", "fair", 1) + "1,0,0,1,1,1,1,never,0-1,0\n", `line 2, column fair: expected a time or nothing, got "never"`},
		{head + "1,0,0,1,1,1,1,never,0-1,0\n", `line 2, column promised: expected a time or nothing, got "never"`},
	} {
		_, err := schedule.ReadCSV(strings.NewReader(c.text))
		assert.EqualError(t, err, c.want)
		var bad *schedule.Invalid
		assert.ErrorAs(t, err, &bad)
	}
}

// TestCSVRoundTrip checks that ReadCSV returns the schedule that WriteFairCSV wrote, even if IDs
// need quotes.
func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[ -~é\n]{1,6}`), len(s.Rows), len(s.Rows), rapid.ID).Draw(t, "ids")
		for i := range s.Rows {
			s.Rows[i].ID = ids[i]
			s.Rows[i].Fair = rapid.SampledFrom([]job.Time{job.Never, s.Rows[i].Submit, s.Rows[i].Start + 1}).Draw(t, "fair")
		}
		var out bytes.Buffer
		require.NoError(t, s.WriteFairCSV(&out))
		back, err := schedule.ReadCSV(&out)
		require.NoError(t, err)
		require.Equal(t, s, back)
	})
}

// TestLongTable checks that ReadCSV returns the schedule that WriteCSV wrote, if the table is
// longer than the write buffer.
func TestLongTable(t *testing.T) {
	s := bigSchedule(5000)
	var out bytes.Buffer
	require.NoError(t, s.WriteCSV(&out))
	back, err := schedule.ReadCSV(&out)
	require.NoError(t, err)
	require.Equal(t, s, back)
}

// failingWriter returns an error from every Write.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteCSVReportsErrors(t *testing.T) {
	assert.EqualError(t, bigSchedule(10).WriteCSV(failingWriter{}), "full")
	assert.EqualError(t, bigSchedule(100_000).WriteCSV(failingWriter{}), "full")
}

// bigSchedule returns a valid schedule of n jobs in batches of 64. Each batch occupies all 4096
// slots for 1000 s.
func bigSchedule(n int) *schedule.Schedule {
	s := &schedule.Schedule{Rows: make([]schedule.Row, n)}
	for i := range s.Rows {
		start, lo := job.Time(i/64)*1000, int32(i%64*64)
		s.Rows[i] = schedule.Row{
			ID: fmt.Sprint(i + 1), Submit: job.Time(i / 64 * 900), Start: start, Finish: start + 1000, Procs: 64, Runtime: 1000,
			Estimate: 2000, Promised: start, Fair: job.Never, Segments: []schedule.Segment{{From: start, To: start + 1000}}, Alloc: cluster.Set{{Lo: lo, Hi: lo + 64}},
		}
	}
	return s
}

func BenchmarkWriteCSV(b *testing.B) {
	s := bigSchedule(200_000)
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		_ = s.WriteCSV(&out)
	}
}

func BenchmarkReadCSV(b *testing.B) {
	var out bytes.Buffer
	_ = bigSchedule(200_000).WriteCSV(&out)
	for b.Loop() {
		_, _ = schedule.ReadCSV(bytes.NewReader(out.Bytes()))
	}
}

func BenchmarkCheck(b *testing.B) {
	s := bigSchedule(300_000)
	m := cluster.Machine{Nodes: 1024, Processors: 2, Cores: 2, JobsPerNode: 2, Resources: []cluster.Resource{{Name: "memory", Capacity: 1}}}
	for b.Loop() {
		if f := schedule.Check(s, m, schedule.Options{Promises: true}); len(f) > 0 {
			b.Fatal(f[0])
		}
	}
}

// TestCheckIsFast limits the time that a check takes, because a check may follow every simulation.
func TestCheckIsFast(t *testing.T) {
	s := bigSchedule(300_000)
	begin := time.Now()
	assert.Empty(t, schedule.Check(s, cluster.Flat(4096), schedule.Options{Promises: true}))
	assert.Less(t, time.Since(begin), 10*time.Second)
}

func FuzzReadCSV(f *testing.F) {
	var out bytes.Buffer
	_ = bigSchedule(70).WriteCSV(&out)
	f.Add(out.Bytes())
	f.Add([]byte("job,submit,start,finish,procs,runtime\n1,0,,,1,1\n2,5,9,,1,1\n"))
	f.Add([]byte("job,submit,start,finish,procs,runtime,fair\n1,0,,,1,1,\n2,5,9,,1,1,7\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := schedule.ReadCSV(bytes.NewReader(text))
		if err != nil {
			return
		}
		schedule.Check(s, cluster.Flat(4), schedule.Options{Promises: true})
		var a, b bytes.Buffer
		require.NoError(t, s.WriteFairCSV(&a))
		back, err := schedule.ReadCSV(bytes.NewReader(a.Bytes()))
		require.NoError(t, err)
		require.NoError(t, back.WriteFairCSV(&b))
		require.Equal(t, a.String(), b.String())
	})
}
