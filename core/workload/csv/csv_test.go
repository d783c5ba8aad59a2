package csv_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
)

func read(text string) (*csv.Table, error) {
	return csv.Read(strings.NewReader(text), csv.Options{})
}

func rigid(id string, submit job.Time, procs int, estimate, runtime job.Time) job.Job {
	return job.Job{ID: id, Runtime: runtime, Request: job.Request{Submit: submit, Estimate: estimate, Procs: procs}}
}

func TestEquivalentTexts(t *testing.T) {
	want := []job.Job{rigid("a", 0, 4, 100, 90), rigid("b", 5, 1, 60, 60)}
	for name, text := range map[string]string{
		"plain":           "id,submit,procs,estimate,runtime\na,0,4,100,90\nb,5,1,60,60\n",
		"no end":          "id,submit,procs,estimate,runtime\na,0,4,100,90\nb,5,1,60,60",
		"CRLF":            "id,submit,procs,estimate,runtime\r\na,0,4,100,90\r\nb,5,1,60,60\r\n",
		"byte order mark": "\ufeffid,submit,procs,estimate,runtime\na,0,4,100,90\nb,5,1,60,60\n",
		"semicolon":       "id;submit;procs;estimate;runtime\na;0;4;100;90\nb;5;1;60;60\n",
		"sep=":            "sep=;\r\nid;submit;procs;estimate;runtime\na;0;4;100;90\nb;5;1;60;60\n",
		"tab":             "id\tsubmit\tprocs\testimate\truntime\na\t0\t4\t100\t90\nb\t5\t1\t60\t60\n",
		"quotes":          "\"id\",\"submit\",procs,estimate,\"runtime\"\r\n\"a\",\"0\",4,100,\"90\"\r\n\"b\",5,1,60,60",
		"other order":     "procs,runtime,id,submit,estimate\n4,90,a,0,100\n1,60,b,5,60\n",
		"blanks":          " id , Submit,PROCS,estimate,runtime\n\n a , 0 ,4,100.0,90\n,,,,\nb,5,1,60,60\n\n",
		"trailing commas": "id,submit,procs,estimate,runtime\na,0,4,100,90,,\nb,5,1,60,60,\n",
	} {
		t.Run(name, func(t *testing.T) {
			table, err := read(text)
			require.NoError(t, err)
			assert.Equal(t, want, table.Jobs)
			assert.Nil(t, table.UnknownColumns)
		})
	}
}

// withoutLimit returns a copy of the job, but without a wall time limit.
func withoutLimit(j job.Job) job.Job {
	j.SetNoLimit()
	return j
}

func TestDefaults(t *testing.T) {
	table, err := read("submit,procs,runtime\n0,4,90\n5,1,0\n")
	require.NoError(t, err)
	assert.Equal(t, []job.Job{withoutLimit(rigid("1", 0, 4, 90, 90)), withoutLimit(rigid("2", 5, 1, 0, 0))}, table.Jobs)
	assert.Equal(t, []int{2, 3}, table.Lines)
}

func TestMoldable(t *testing.T) {
	table, err := read(`id,submit,procs,runtime,L,A,sigma
rigid,0,4,90,,,
length,0,8,,100,10,0.5
runtime,0,8,60,,10,0.5
both,0,8,70,100,10,
`)
	require.NoError(t, err)
	j := table.Jobs
	assert.Equal(t, job.OnlyNoLimit, j[0].More)
	assert.Equal(t, &job.Speedup{L: 100, A: 10, Sigma: 0.5}, j[1].Speedup())
	assert.EqualValues(t, 15, j[1].Runtime, "ceil(100 / 6.8085)")
	assert.EqualValues(t, 15, j[1].Estimate)
	assert.Equal(t, &job.Speedup{L: 409, A: 10, Sigma: 0.5}, j[2].Speedup(), "round(60 * 6.8085)")
	assert.EqualValues(t, 70, j[3].Runtime)

	table, err = read("submit,T1,T2,T3\n0,100,60,50\n1,30,,\n")
	require.NoError(t, err)
	assert.Equal(t, []job.Time{100, 60, 50}, table.Jobs[0].Speedup().Table)
	assert.Equal(t, []job.Time{30}, table.Jobs[1].Speedup().Table)
	assert.Equal(t, 1, table.Jobs[0].Procs)
	assert.EqualValues(t, 100, table.Jobs[0].Runtime)

	table, err = read("submit;L;A;sigma\n0;100,5;10;0,5\n")
	require.NoError(t, err)
	assert.Equal(t, &job.Speedup{L: 100.5, A: 10, Sigma: 0.5}, table.Jobs[0].Speedup(), "decimal commas")
}

func TestOptionalAndUnknownColumns(t *testing.T) {
	table, err := read("submit,res:mem,procs,colour,runtime,user,class,slnos,slcrs,res:net,\"a, \"\"b\"\"\"\n" +
		"0,7,1, red ,9,ann,lu,1.1,1.25,,\"x\ny\"\n" +
		"1,,1,,9\n")
	require.NoError(t, err)
	assert.Equal(t, []string{"mem", "net"}, table.Resources)
	assert.Equal(t, &job.More{Extra: []int64{7, 0}, User: "ann", Class: "lu", SLnos: 1.1, SLcrs: 1.25, NoLimit: true}, table.Jobs[0].More)
	assert.Equal(t, &job.More{Extra: []int64{0, 0}, NoLimit: true}, table.Jobs[1].More)
	assert.Equal(t, []string{"colour", `a, "b"`}, table.UnknownColumns)
	assert.Equal(t, [][]string{{" red ", "x\ny"}, {"", ""}}, table.UnknownCells)
	assert.Equal(t, []int{2, 4}, table.Lines, "a line end in a quoted cell counts as a line")
	requireRoundTrip(t, table)
}

func requireRoundTrip(t *testing.T, table *csv.Table) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, csv.Write(&b, table))
	again, err := csv.Read(bytes.NewReader(b.Bytes()), csv.Options{})
	require.NoError(t, err, b.String())
	again.Lines = table.Lines
	require.Equal(t, table, again, b.String())
}

func TestWrite(t *testing.T) {
	table, err := read("submit,procs,runtime,L,A,sigma,class,note\n0,4,90,100,10,0,lu,\"a,b\"\n5,1,60,,,,,\n")
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, csv.Write(&b, table))
	assert.Equal(t, "id,submit,procs,estimate,runtime,L,A,sigma,class,no-limit,note\n"+
		"1,0,4,90,90,100,10,0,lu,,\"a,b\"\n2,5,1,60,60,,,,,true,\n", b.String())
	requireRoundTrip(t, table)
}

func TestInvalidTables(t *testing.T) {
	const head = "id,submit,procs,estimate,runtime\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"header only", head + "\n\n", "the table has no job rows"},
		{"blank", "\n \n", "the table has no job rows"},
		{"no header", "1,0,4,100,90\n", `line 1: expected a header row with the column submit, got "1,0,4,100,90"`},
		{"no procs", "id,submit,runtime\n1,2,3\n", `line 1: expected a header row with the column procs, got "id,submit,runtime"`},
		{"no runtime", "\nid,submit,procs\n1,2,3\n", `line 2: expected a header row with the column runtime (or L, A, sigma, or T1, T2, ...), got "id,submit,procs"`},
		{"twice", "submit,procs,runtime,Procs\n", "line 1, column Procs: expected each column only once, got it twice"},
		{"gap in T", "submit,T1,T3\n", "line 1: expected the columns T1 to T3, got no T2"},
		{"word", head + "a,0,four,100,90\n", `line 2, column procs: expected a whole number, got "four"`},
		{"fraction", head + "a,0,4,100,90\nb,0.5,4,100,90\n", `line 3, column submit: expected a whole number, got "0.5"`},
		{"decimal comma", "submit;procs;runtime\n1,000;1;1\n", `line 2, column submit: expected a whole number, got "1,000"`},
		{"negative", head + "a,-1,4,100,90\n", `line 2, column submit: expected a number from 0 to 1000000000000, got "-1"`},
		{"zero procs", head + "a,0,0,100,90\n", `line 2, column procs: expected a number from 1 to 2147483647, got "0"`},
		{"huge", head + "a,0,4,100,9999999999999\n", `line 2, column runtime: expected a number from 0 to 1000000000000, got "9999999999999"`},
		{"empty cell", head + "a,,4,100,90\n", "line 2, column submit: expected a time in seconds, got an empty cell"},
		{"short row", head + "a,0\n", "line 2, column procs: expected a number of processors, got an empty cell"},
		{"no runtime cell", head + "a,0,4,100\n", "line 2, column runtime: expected a time in seconds, got an empty cell"},
		{"long row", head + "a,0,4,100,90,7\n", `line 2: expected at most 5 cells, as in the header row, got another cell "7"`},
		{"no A", "submit,L,A\n0,5,\n", "line 2, column A: expected the average parallelism, got an empty cell"},
		{"A below 1", "submit,L,A\n0,5,0.5\n", `line 2, column A: expected a number from 1 to 1e+09, got "0.5"`},
		{"no length", "submit,A,sigma\n0,5,1\n", "line 2, column L: expected a sequential runtime, or a runtime in the column runtime, got an empty cell"},
		{"gap in table", "submit,T1,T2,T3\n0,5,,3\n", "line 2, column T2: expected a runtime in seconds, got an empty cell before T3"},
		{"sigma", "submit,L,A,sigma\n0,5,2,x\n", `line 2, column sigma: expected a number, got "x"`},
		{"open quote", head + "\"a,0,4,100,90\n", "line 2: expected a closing quote, got the end of the file"},
		{"after quote", head + "\"a\"b,0,4,100,90\n", `line 2: expected a separator after the closing quote, got "b"`},
		{"binary", "id\x00,submit", "this is not a text file: it looks like binary data"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(c.text)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestLimits(t *testing.T) {
	text := "submit,procs,runtime\n" + strings.Repeat("0,1,1\n", 100)
	_, err := csv.Read(strings.NewReader(text), csv.Options{MaxRows: 10})
	assert.EqualError(t, err, "line 12: the file has too many jobs: more than 10")
	_, err = csv.Read(strings.NewReader(text), csv.Options{Options: input.Options{MaxBytes: 100}})
	assert.ErrorIs(t, err, input.ErrTooLarge)

	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	table, err := csv.Read(&b, csv.Options{})
	require.NoError(t, err)
	assert.Len(t, table.Jobs, 100)
}

func TestParseBlock(t *testing.T) {
	columns := []string{"id", "submit", "procs"}
	for _, c := range []struct {
		name, text string
		want       [][]string
	}{
		{"tabs", "a\t0\t4\r\nb\t5\t1\r\n", [][]string{{"a", "0", "4"}, {"b", "5", "1"}}},
		{"short row", "a\t0\n\t\t\nb\n", [][]string{{"a", "0", ""}, {"b", "", ""}}},
		{"one cell", "a", [][]string{{"a", "", ""}}},
		{"commas", "a,0,4\nb,5,1", [][]string{{"a", "0", "4"}, {"b", "5", "1"}}},
		{"commas in tabs", "a,b\t0\t4", [][]string{{"a,b", "0", "4"}}},
		{"quoted", "\"a\tx\"\t0\t4", [][]string{{"a\tx", "0", "4"}}},
		{"header", "procs\tID\n4\ta\n", [][]string{{"a", "", "4"}}},
		{"empty tail", "a\t0\t4\t\t\n", [][]string{{"a", "0", "4"}}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := csv.ParseBlock(c.text, columns)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	_, err := csv.ParseBlock("a\t0\t4\nb\t0\t4\t5", columns)
	assert.EqualError(t, err, "line 2: expected at most 3 cells, got 4")
}

func TestFromCells(t *testing.T) {
	columns := []string{"id", "submit", "procs", "estimate", "runtime"}
	table, err := csv.FromCells(columns, [][]string{{"a", "0", "4", "", "9"}, {"", "", "", "", ""}, {"b", "1", "1", "8", "7"}})
	require.NoError(t, err)
	assert.Equal(t, []job.Job{withoutLimit(rigid("a", 0, 4, 9, 9)), rigid("b", 1, 1, 8, 7)}, table.Jobs)
	assert.Equal(t, []int{1, 3}, table.Lines)
	_, err = csv.FromCells(columns, [][]string{{"a", "0", "x", "", "9"}})
	assert.EqualError(t, err, `line 1, column procs: expected a whole number, got "x"`)
	_, err = csv.FromCells([]string{"id", "submit", "submit"}, nil)
	assert.EqualError(t, err, "line 1, column submit: expected each column only once, got it twice")
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("id,submit,procs,estimate,runtime\na,0,4,100,90\n"))
	f.Add([]byte("submit;L;A;sigma;res:m;user;x\n0;100,5;10;0,5;3;u;\"a;\"\"b\"\n"))
	f.Add([]byte("submit\tT1\tT2\tclass\tslnos\tslcrs\r\n0\t100\t60\tc\t1.5\t1\r\n"))
	f.Add([]byte("sep=;\nsubmit;procs;runtime;A\n0;1;1;2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := csv.Options{MaxRows: 1000, Options: input.Options{MaxBytes: 1 << 16}}
		table, err := csv.Read(bytes.NewReader(data), o)
		if err != nil {
			return
		}
		rows, err := csv.Count(bytes.NewReader(data), o)
		require.NoError(t, err)
		require.Equal(t, len(table.Jobs), rows)
		for i := range table.Jobs {
			require.GreaterOrEqual(t, table.Jobs[i].Procs, 1)
			require.GreaterOrEqual(t, table.Jobs[i].Runtime, job.Time(0))
		}
		var b bytes.Buffer
		require.NoError(t, csv.Write(&b, table))
		if bytes.ContainsFunc(b.Bytes(), func(c rune) bool { return c < ' ' && c != '\n' && c != '\r' && c != '\t' }) {
			return // a control character near the start would make the file binary
		}
		requireRoundTrip(t, table)
	})
}

// TestCount checks that Count returns the number of rows that Read reads, and fails with the same
// messages.
func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		"submit,procs,runtime\n0,1,1\n": 1, "sep=;\nsubmit;procs;runtime\r\n\n0;1;1\r\n ; \t;\n\"\";\"\n\";\n\"0\n\";1;1": 2,
		"\n,,\nsubmit,procs,runtime\n\u00a0,,\n0,1,1\n,,": 1, "submit,procs,runtime": 0, "\n\n": 0,
		"submit,procs,runtime\n" + strings.Repeat("0,1,1\n \u00a0\n\"0\",1,1\n,\t\n\n", 300_000): 600_000,
	} {
		rows, err := csv.Count(strings.NewReader(text), csv.Options{})
		require.NoError(t, err)
		require.Equal(t, want, rows, text[:min(len(text), 99)])
	}
	for _, text := range []string{
		"submit,procs,runtime\n0,1,1\n\n\"0\",1,1\n0,1,1\n", "submit,procs,runtime\n\"0,1,1\n", "submit,procs,runtime\n\"0\"1,1\n",
		"submit,procs,runtime\n" + strings.Repeat(",", csv.MaxRow+1), "submit,procs,runtime\n" + strings.Repeat("\n", 1000) + strings.Repeat("x", csv.MaxRow+1) + "\n",
		"submit,procs,runtime\n" + strings.Repeat("\n", 1000) + strings.Repeat("x", csv.MaxRow) + "\n", "submit,procs,runtime\n\n0,1,1\n \n\n0,1,1",
	} {
		_, want := csv.Read(strings.NewReader(text), csv.Options{MaxRows: 1})
		_, got := csv.Count(strings.NewReader(text), csv.Options{MaxRows: 1})
		require.EqualError(t, got, want.Error())
	}
}

func TestHasHeader(t *testing.T) {
	columns := []string{"id", "submit", "L", "A"}
	for text, want := range map[string]bool{
		"id\tL\n1\t2\n": true, "A,SUBMIT\n": true, "submit\n5\n": true,
		"A\nL\n": false, "": false, "id,id\n": false, "1\t2\n": false, "id,colour\n": false,
	} {
		require.Equal(t, want, csv.HasHeader(text, columns), text)
	}
}

func FuzzParseBlock(f *testing.F) {
	f.Add("a\t0\t4\r\nb\t5\t1\r\n")
	f.Add("id;submit\n\"x;\"\"\n\";5")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := csv.ParseBlock(text, []string{"id", "submit", "procs"})
		for _, row := range rows {
			require.True(t, err != nil || len(row) == 3)
		}
	})
}

// TestSchedulesAreTables checks that a schedule with the columns that jobs need can be read as a
// table of jobs.
func TestSchedulesAreTables(t *testing.T) {
	table, err := csv.Read(strings.NewReader("job,submit,start,procs,runtime\nx,1,5,2,3\n"), csv.Options{})
	require.NoError(t, err)
	require.Equal(t, "x", table.Jobs[0].ID)
	require.Equal(t, []string{"start"}, table.UnknownColumns)
	table, err = csv.Read(strings.NewReader("job,id,submit,procs,runtime\nx,y,1,2,3\n"), csv.Options{})
	require.NoError(t, err)
	require.Equal(t, "y", table.Jobs[0].ID)
	var bad *csv.Error
	_, err = csv.Read(strings.NewReader("Job,Start\nx,5\n"), csv.Options{})
	require.ErrorAs(t, err, &bad)
	require.True(t, bad.HasStarts)
	_, err = csv.Read(strings.NewReader("job,submit\nx,5\n"), csv.Options{})
	require.ErrorAs(t, err, &bad)
	require.False(t, bad.HasStarts)
}

// TestNumberOutOfRange checks that the error for a number that is too large names the range.
func TestNumberOutOfRange(t *testing.T) {
	for text, want := range map[string]string{
		"99999999999999999999":  "a number from 0 to 1000000000000",
		"-99999999999999999999": "a number from 0 to 1000000000000",
		"1e400":                 "a number from 0 to 1000000000000",
		"inf":                   "a whole number",
		"1.5":                   "a whole number",
	} {
		_, err := csv.Read(strings.NewReader("submit,procs,runtime\n0,1,"+text+"\n"), csv.Options{})
		require.EqualError(t, err, "line 2, column runtime: expected "+want+`, got "`+text+`"`)
	}
}
