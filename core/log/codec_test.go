package log

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// sampleLog returns a small log with header lines, jobs and records of many kinds, and its text
// form.
func sampleLog() (*Log, []MetaLine, string) {
	m := cluster.Machine{Nodes: 4, Processors: 1, Cores: 2, JobsPerNode: 2, Resources: []cluster.Resource{{Name: "big memory", Capacity: 16}}}
	jobs := []job.Job{
		{ID: "7", Request: job.Request{Procs: 4, Estimate: 9, More: &job.More{Extra: []int64{5}, User: "ann", Class: "a b", SLnos: 1.1, SLcrs: 1.25}}, Runtime: 4},
		{ID: "x", Request: job.Request{Submit: 1, Procs: 2, Estimate: 4, More: &job.More{Speedup: &job.Speedup{L: 8, A: 3.5, Sigma: 0.1, Table: []job.Time{8, 4}}}}, Runtime: 4, Killed: true},
		{ID: "x", Request: job.Request{Submit: 2, Procs: 1, Estimate: 1}, Runtime: 1},
	}
	l := New(m, jobs, Full)
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 3}, {Lo: 4, Hi: 5}}, Layout{4, 2})
	l.RecordSlots(1, cluster.Set{{Lo: 6, Hi: 7}}, Layout{1, 0})
	for _, r := range []Record{
		{At: 0, Kind: Start, Job: 0, Other: job.None, Code: Head, X: 8},
		{At: 1, Kind: Promise, Job: 1, Other: job.None, X: 0},
		{At: 1, Kind: Hold, Job: 1, Other: 0, Code: Blocked, X: 9, Y: -2},
		{At: 2, Kind: Move, Job: 2, Other: 1, X: 9, Y: 0},
		{At: 2, Kind: Start, Job: 1, Other: 2, Code: BeforeShadow, X: 9, Y: 4, View: 3},
		{At: 2, Kind: RateChange, Job: 1, Other: job.None, X: int64(math.Float64bits(1 / 1.1))},
		{At: 3, Kind: Suspend, Job: 1, Other: job.None},
		{At: 3, Kind: Slice, Job: job.None, Other: job.None, X: 1, View: 3},
		{At: 4, Kind: Resume, Job: 1, Other: job.None, Code: ResumedAsGuest, X: 7},
		{At: 5, Kind: Finish, Job: 1, Other: job.None},
	} {
		l.Add(r)
	}
	meta := []MetaLine{{"policy", "easy order=sjf"}, {"note", " two\nlines"}}
	return l, meta, `backfill-lab log 1
machine: nodes=4 processors=1 cores=2 jobs-per-node=2
resource: name="big memory" capacity=16
level: full
policy: easy order=sjf
note: " two\nlines"
jobs 3
7 submit=0 procs=4 estimate=9 runtime=4 extra=5 user=ann class="a b" slnos=1.1 slcrs=1.25
x submit=1 procs=2 estimate=4 runtime=4 killed=true L=8 A=3.5 sigma=0.1 table=8,4
x submit=2 procs=1 estimate=1 runtime=1
records 10
0 start 7 slots=0-2,4 per-node=2 why=head x=8
1 promise #2 by=0
1 hold #2 why=blocked other=7 x=9 y=-2
2 move #3 because=#2 from=9 to=0
2 start #2 slots=6 procs=1 why=before-shadow other=#3 x=9 y=4 view=3
2 rate #2 rate=0.9090909090909091
3 suspend #2
3 slice - on=1 view=3
4 resume #2 why=filled x=7
5 finish #2
`
}

// requireEqualLogs fails unless two logs have the same content.
func requireEqualLogs(t require.TestingT, a, b *Log) {
	require.Equal(t, a.Machine, b.Machine)
	require.Equal(t, a.Level, b.Level)
	require.Equal(t, len(a.Jobs), len(b.Jobs))
	require.Equal(t, a.Len(), b.Len())
	for i := range a.Jobs {
		require.Equal(t, a.Jobs[i], b.Jobs[i])
		require.Equal(t, a.Alloc(job.Index(i)).String(), b.Alloc(job.Index(i)).String())
		require.Equal(t, a.Layout(job.Index(i)), b.Layout(job.Index(i)))
	}
	for i := range a.Len() {
		require.Equal(t, *a.Record(i), *b.Record(i))
	}
}

func TestText(t *testing.T) {
	l, meta, text := sampleLog()
	var out bytes.Buffer
	require.NoError(t, Write(&out, l, meta))
	require.Equal(t, text, out.String())
	back, gotMeta, err := Read(&out)
	require.NoError(t, err)
	assert.Equal(t, meta, gotMeta)
	requireEqualLogs(t, l, back)

	dos, _, err := Read(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
	require.NoError(t, err)
	requireEqualLogs(t, l, dos)
}

// TestTables checks that every kind of record and every reason has a valid and unique name. Each
// kind must also have field names, and each sentence a placeholder for every number that the reason
// uses.
func TestTables(t *testing.T) {
	seen := map[string]bool{}
	for k, i := range Kinds {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, i.Name, "kind %d", k)
		assert.False(t, seen[i.Name], i.Name)
		seen[i.Name] = true
		f := lineFields[k]
		assert.True(t, f.x != "" && f.y != "" && f.other != "", "kind %s has no field names", i.Name)
		names := map[string]bool{f.x: true, f.y: true, f.other: true, "why": true, "view": true, "slots": true, "procs": true, "per-node": true}
		assert.Len(t, names, 8, "kind %s uses a field name twice", i.Name)
	}
	clear(seen)
	for c, i := range Codes {
		assert.Regexp(t, `^[a-z]+(-[a-z0-9]+)*$`, i.Name, "reason %d", c)
		assert.False(t, seen[i.Name], i.Name)
		seen[i.Name] = true
		assert.Contains(t, i.Sentence, "{job}", i.Name)
		assert.Equal(t, i.X != Unused, strings.Contains(i.Sentence, "{x}"), "%s: x", i.Name)
		assert.Equal(t, i.Y != Unused, strings.Contains(i.Sentence, "{y}"), "%s: y", i.Name)
	}
}

// TestRoundTrip checks that a log of random records, which need not be consistent, does not change
// when it is written and read.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		meta := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) MetaLine {
			return MetaLine{rapid.StringMatching(`[a-z]{2}[a-z.-]{0,3}`).Draw(t, "key"), rapid.String().Draw(t, "value")}
		}), 0, 3).Draw(t, "meta")
		var out, again bytes.Buffer
		require.NoError(t, Write(&out, l, meta))
		text := out.String()
		back, gotMeta, err := Read(&out)
		require.NoError(t, err, text)
		require.ElementsMatch(t, meta, gotMeta)
		requireEqualLogs(t, l, back)
		require.NoError(t, Write(&again, back, gotMeta))
		require.Equal(t, text, again.String())
	})
}

// drawLog draws a log of random records that need not be consistent with each other.
func drawLog(t *rapid.T) *Log {
	jobs := make([]job.Job, rapid.IntRange(1, 4).Draw(t, "jobs"))
	for i := range jobs {
		jobs[i] = job.Job{ID: rapid.SampledFrom([]string{"1", "2", "#1", "-", "a b", `q"`, "ü", "x=1", "\xff"}).Draw(t, "id"), Runtime: 1,
			Request: job.Request{Submit: job.Time(i / 2), Estimate: rapid.Int64Range(1, job.MaxTime).Draw(t, "estimate"), Procs: rapid.IntRange(1, 6).Draw(t, "procs")}}
		if rapid.Bool().Draw(t, "more") {
			jobs[i].More = &job.More{User: rapid.String().Draw(t, "user"), SLnos: 1 + rapid.Float64Range(0, 1).Draw(t, "slnos"),
				Speedup: &job.Speedup{A: rapid.Float64().Draw(t, "A")}}
		}
	}
	l := New(cluster.Flat(6), jobs, rapid.SampledFrom([]Level{Full, Starts}).Draw(t, "level"))
	index := rapid.Int32Range(-1, int32(len(jobs)-1))
	for range rapid.IntRange(0, 12).Draw(t, "records") {
		r := Record{
			At: rapid.Int64Range(0, job.MaxEndTime).Draw(t, "at"), X: rapid.Int64().Draw(t, "x"), Y: rapid.Int64Range(-1, 1).Draw(t, "y"),
			Job: index.Draw(t, "job"), Other: index.Draw(t, "other"), View: rapid.Uint8().Draw(t, "view"),
			Kind: Kind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind")), Code: Code(rapid.IntRange(0, int(codes)-1).Draw(t, "code")),
		}
		if r.Kind == Start {
			r.Job = max(r.Job, 0)
		}
		if r.Kind == Start && l.Level > Starts {
			lo := rapid.Int32Range(0, 5).Draw(t, "lo")
			l.RecordSlots(r.Job, cluster.Set{{Lo: lo, Hi: rapid.Int32Range(lo+1, 6).Draw(t, "hi")}},
				Layout{rapid.Int32Range(1, 6).Draw(t, "width"), rapid.Int32Range(0, 2).Draw(t, "per-node")})
		}
		l.Add(r)
	}
	return l
}

func TestReadErrors(t *testing.T) {
	_, _, text := sampleLog()
	replace := func(old, new string) string { return strings.Replace(text, old, new, 1) }
	for _, c := range []struct{ text, want string }{
		{"", `line 1: expected "backfill-lab log 1", got the end of the file`},
		{replace("log 1", "log 2"), `line 1: expected "backfill-lab log 1", got "backfill-lab log 2"`},
		{replace("machine: nodes", "nodes: nodes"), `line 2: expected a machine line, got "nodes: nodes=4 processors=1 cores=2 jobs-per-node=2"`},
		{replace("nodes=4", "nodes=0"), "line 7: expected a valid machine, got machine, nodes: expected 1 to 1000000, got 0"},
		{replace("nodes=4", "nodes=four"), `line 2: expected a whole number, got "four"`},
		{replace("cores=2", "wheels=2"), `line 2: expected nodes, processors, cores or jobs-per-node, got "wheels"`},
		{replace("capacity=", "size="), `line 3: expected name or capacity, got "size"`},
		{replace("level: full", "level: loud"), `line 4: expected one of starts, spans, decisions, full, got "loud"`},
		{replace("policy: easy", "the policy is easy"), `line 5: expected a header line such as "policy: easy", got "the policy is easy order=sjf"`},
		{replace(`\nlines"`, ""), `line 6: expected a quoted text, got " two`},
		{replace("jobs 3", "jobs three"), `line 7: expected "jobs" and a number up to 5000000, got "jobs three"`},
		{replace("jobs 3", "jobs -1"), `line 7: expected "jobs" and a number up to 5000000, got "jobs -1"`},
		{replace("jobs 3", "jobs 5000001"), `line 7: expected "jobs" and a number up to 5000000, got "jobs 5000001"`},
		{replace("jobs 3", "jobs 4"), `line 11: expected a field such as submit=0, got "10"`},
		{replace("procs=4", "procs"), `line 8: expected a field such as submit=0, got "procs estimate=9 runtime=4 extra=5 user=ann class=\"a b\" slnos=1.1 slcrs=1.25"`},
		{replace("user=", "owner="), `line 8: expected a field of a job, got "owner"`},
		{replace("killed=true", "killed=maybe"), `line 9: expected killed=true, got maybe`},
		{replace("slnos=1.1", "slnos=much"), `line 8: expected a number, got "much"`},
		{replace("table=8,4", "table=8,,4"), `line 9: expected a whole number, got ""`},
		{replace("procs=4", "procs=9"), `line 8: expected a valid job, got job 1 (id "7"), procs: expected at most the machine's 8, got 9`},
		{replace("submit=1", "submit=3"), "line 10: expected jobs in order of submit time, got 2 after 3"},
		{replace("records 10", "records 11"), "line 22: expected 11 records, got the end of the file"},
		{replace("records 10", "records 9"), `line 21: expected the end of the file after 9 records, got "5 finish #2"`},
		{replace("0 start", "now start"), `line 12: expected a whole number, got "now"`},
		{replace("0 start", "0 begin"), `line 12: expected a kind of record, got "begin"`},
		{replace("level: full", "level: spans"), "line 13: expected a kind of record that belongs in a log of level spans, got promise"},
		{replace("start 7", "start 8"), `line 12: expected the id of exactly one job, got "8"`},
		{replace("start 7", "start x"), `line 12: expected the id of exactly one job, got "x"`},
		{replace("start 7", "start -"), "line 12: expected a job that starts, got none"},
		{replace("promise #2", "promise #4"), "line 13: expected the number of a job, #1 to #3, got #4"},
		{replace("promise #2", "promise #two"), "line 13: expected the number of a job, #1 to #3, got #two"},
		{replace("promise #2", "promise #0"), "line 13: expected the number of a job, #1 to #3, got #0"},
		{replace("promise #2", ""), `line 13: expected a kind of record, got ""`},
		{replace("why=head", "why=luck"), `line 12: expected a reason, got "luck"`},
		{replace("slots=0-2,4", "slots=4,0"), `line 12: expected slots such as 0-3,8, got "4,0"`},
		{replace("4 per-node=2", "4 per-node=-2"), "line 12: expected 0 to 4000000, got -2"},
		{replace("view=3", "view=300"), "line 16: expected 0 to 255, got 300"},
		{replace("by=0", "at=0"), `line 13: expected a field of promise, got "at"`},
		{replace("by=0", "soon"), `line 13: expected a field such as why=head, got "soon"`},
		{replace("rate=0.9090909090909091", "rate=fast"), `line 17: expected a number, got "fast"`},
	} {
		_, _, err := Read(strings.NewReader(c.text))
		assert.EqualError(t, err, c.want)
		var bad *Malformed
		assert.ErrorAs(t, err, &bad)
	}
}

// TestLongText checks that a log whose text is longer than the write buffer does not change when it
// is written and read.
func TestLongText(t *testing.T) {
	l := longLog(5000)
	var out bytes.Buffer
	require.NoError(t, Write(&out, l, nil))
	back, _, err := Read(&out)
	require.NoError(t, err)
	requireEqualLogs(t, l, back)
}

// failingWriter returns an error from every Write.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteErrors(t *testing.T) {
	l, _, _ := sampleLog()
	assert.EqualError(t, Write(failingWriter{}, l, nil), "full")
	for _, key := range []string{"", "machine", "level", "resource", "a b", "a:b"} {
		assert.Error(t, Write(&bytes.Buffer{}, l, []MetaLine{{key, "v"}}), key)
	}
}

// TestReadWithoutSlots checks that Read accepts a Start record without slots.
func TestReadWithoutSlots(t *testing.T) {
	l, _, err := Read(strings.NewReader("backfill-lab log 1\nmachine: nodes=4\njobs 1\na procs=1 estimate=1 runtime=1\nrecords 1\n0 start a\n"))
	require.NoError(t, err)
	assert.Empty(t, l.Alloc(0))
}

func FuzzRead(f *testing.F) {
	l, meta, text := sampleLog()
	f.Add(text)
	var out bytes.Buffer
	_ = Write(&out, l.Fork(len(l.Jobs)), meta)
	f.Add(out.String())
	f.Fuzz(func(t *testing.T, text string) {
		l, meta, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var a, b bytes.Buffer
		require.NoError(t, Write(&a, l, meta))
		again, meta, err := Read(bytes.NewReader(a.Bytes()))
		require.NoError(t, err, a.String())
		require.NoError(t, Write(&b, again, meta))
		require.Equal(t, a.String(), b.String())
	})
}

// longLog returns a log of n jobs that run one after the other.
func longLog(n int) *Log {
	jobs := make([]job.Job, n)
	for i := range jobs {
		jobs[i] = job.Job{ID: fmt.Sprint(i + 1), Runtime: 1, Request: job.Request{Submit: job.Time(i), Estimate: 1, Procs: 1}}
	}
	l := New(cluster.Flat(4), jobs, Decisions)
	for i := range jobs {
		l.RecordSlots(job.Index(i), cluster.Set{{Lo: 0, Hi: 1}}, Layout{1, 0})
		l.Add(Record{At: int64(i), Kind: Start, Job: job.Index(i), Other: job.None, Code: Head, X: 4})
		l.Add(Record{At: int64(i), Kind: Finish, Job: job.Index(i), Other: job.None})
	}
	return l
}

func BenchmarkWriteText(b *testing.B) {
	l := longLog(300_000)
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		_ = Write(&out, l, nil)
	}
}

func BenchmarkReadText(b *testing.B) {
	var out bytes.Buffer
	_ = Write(&out, longLog(300_000), nil)
	for b.Loop() {
		_, _, _ = Read(bytes.NewReader(out.Bytes()))
	}
}
