package formula_test

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
	"backfill-lab/core/formula/plain"
	"backfill-lab/core/job"
)

var machine = cluster.Machine{Nodes: 8, Processors: 1, Cores: 1, Resources: []cluster.Resource{{Name: "gpu", Capacity: 9}, {Name: "burst buffer", Capacity: 90}}}

// request is submitted at 100 and requests 4 processors for 40 s.
var request = job.Request{Submit: 100, Estimate: 40, Procs: 4, More: &job.More{Extra: []int64{3}, User: "ann"}}

func TestValue(t *testing.T) {
	for source, want := range map[string]float64{
		"submit": 100, "wait": 60, "estimate": 40, "procs": 4, "res:gpu": 3, `res:"burst buffer"`: 0,
		"-estimate": -40, "wait/estimate": 1.5, "1+2*3": 7, "(1+2)*3": 9, "7-4-1": 2, "8/4/2": 1, "17%5": 2, "-17%5": -2,
		"-2^2": -4, "2*3^2": 18, "(1+1)^9": 512, "--1": 1, "2*-3": -6, "1e3": 1000, "1.5e-1": 0.15, ".5": 0.5, "2.": 2,
		"min(3,1,2)": 1, "max(3, 1, 4, 2)": 4, "abs(-3)": 3, "sqrt(16)": 4, "log(1)": 0,
		`if(user == "ann", 0, submit)`: 0, `if(user != 'ann', 0, submit)`: 100, `if("ann"==user,1,2)`: 1,
		"if(procs<5 and wait>59, 1, 2)": 1, "if(not procs<5 or wait>60, 1, 2)": 2, "if(1<2 or 1<2 and 2<1,1,2)": 1, "if((1>=1),1,2)": 1,
		"if(not (1<2 and 2<1), 1, 2)": 1, "if(1/0 == 1/0, 1, 2)": 2, "if(1/0 != 1/0, 1, 2)": 1, "if(procs == 0, 1, 12/procs)": 3,
	} {
		f, err := formula.Parse(source)
		require.NoError(t, err, source)
		require.Equal(t, want, f.Value(&machine, &request, 160), source)
		require.Equal(t, want, plain.Value(source, &machine, &request, 160), "%s, reference value", source)
		require.Equal(t, source, f.String())
	}
	for _, source := range []string{"1/0", "0/0", "-1/0", "1%0", "log(0)", "log(-1)", "sqrt(-1)", "min(1, 0/0)", "1+0/0", "1e308*10", "-1e308*10"} {
		f, err := formula.Parse(source)
		require.NoError(t, err, source)
		require.Equal(t, int64(math.MaxInt64), f.Key(&machine, &request, 160), "%s goes last", source)
	}
}

func TestErrors(t *testing.T) {
	const operand = `submit, wait, estimate, procs, user, res:NAME, a number, a function or "("`
	const operator = "an operator, such as + or ==, or the end"
	for _, c := range []struct {
		source   string
		column   int
		expected string
		got      string
	}{
		{"", 1, operand, "the end"},
		{"  ", 3, operand, "the end"},
		{"FIFO", 1, operand, `"FIFO"`},
		{"wait +", 7, operand, "the end"},
		{"wait + * 2", 8, operand, `"*"`},
		{"wait estimate", 6, operator, `"estimate"`},
		{"wait = 3", 6, operator, `"="`},
		{"(wait", 6, `")"`, "the end"},
		{"wait)", 5, operator, `")"`},
		{"log wait", 5, `"("`, `"wait"`},
		{"log(wait, 2)", 9, `")"`, `","`},
		{"min(wait)", 9, `","`, `")"`},
		{"if(wait>3, 1)", 13, `","`, `")"`},
		{"if(wait>3, 1, 2, 3)", 16, `")"`, `","`},
		{"if(wait, 1, 2)", 4, "a comparison", "a number"},
		{"if(1<2, 3<4, 2)", 9, "a number", "a comparison"},
		{"wait > 3", 1, "a number", "a comparison"},
		{"user", 1, "a number", "a text"},
		{"1 + user", 5, "a number", "a text"},
		{"1 + (2 < 3)", 5, "a number", "a comparison"},
		{"if(user < 'x', 1, 2)", 4, "a number", "a text"},
		{"if(user == 3, 1, 2)", 12, "a text", "a number"},
		{"if(1 and 2<3, 1, 2)", 4, "a comparison", "a number"},
		{"if(1 < 2 < 3, 1, 2)", 4, "a number", "a comparison"},
		{"not wait", 5, "a comparison", "a number"},
		{"if(user == 'x, 1, 2)", 12, "a quotation mark at the end of the text", "a text"},
		{"wait^1", 6, "2 to 9", `"1"`},
		{"wait^x", 6, "2 to 9", `"x"`},
		{"wait^2^3", 7, operator, `"^"`},
		{"if(user^2 == '', 1, 2)", 4, "a number", "a text"},
		{"res", 4, `":"`, "the end"},
		{"res:3", 5, "the name of an extra resource, in quotation marks if it is not a word", `"3"`},
		{"1e999", 1, "a number such as 3600, 0.5 or 1e6", `"1e999"`},
		{".", 1, "a number such as 3600, 0.5 or 1e6", `"."`},
		{"12x", 3, operator, `"x"`},
		{"if(user=='é', 1, ß)", 18, operand, `"ß"`},
		{strings.Repeat("-", 501), 501, "at most 500 characters", "more"},
	} {
		f, err := formula.Parse(c.source)
		require.Nil(t, f, c.source)
		require.Equal(t, &formula.Error{Column: c.column, Expected: c.expected, Got: c.got}, err, c.source)
	}
	_, err := formula.Parse("1 +")
	require.EqualError(t, err, "column 4: expected "+operand+", got the end")
}

// TestLongFormulas checks that formulas of almost the maximum length can be parsed and evaluated.
func TestLongFormulas(t *testing.T) {
	for _, source := range []string{
		strings.Repeat("-", 499) + "1", strings.Repeat("(", 249) + "1" + strings.Repeat(")", 249),
		"1" + strings.Repeat("+1", 249), "if(" + strings.Repeat("not ", 120) + "1<2,3,4)", strings.Repeat("abs(", 99) + "1" + strings.Repeat(")", 99),
		"max(1" + strings.Repeat(",1", 240) + ")",
	} {
		f, err := formula.Parse(source)
		require.NoError(t, err, source)
		require.Equal(t, plain.Value(source, &machine, &request, 0), f.Value(&machine, &request, 0), source)
	}
}

func TestDependsOnTimeAndUnknownResource(t *testing.T) {
	for source, want := range map[string]bool{"wait": true, "if(wait>3,1,2)": true, "submit": false, "if(user=='wait',1,2)": false} {
		f, err := formula.Parse(source)
		require.NoError(t, err)
		require.Equal(t, want, f.DependsOnTime(), source)
	}
	for source, want := range map[string]string{"res:gpu": "", `1+res:"burst buffer"`: "", "res:gpu+res:tape": "tape"} {
		f, err := formula.Parse(source)
		require.NoError(t, err)
		name, unknown := f.UnknownResource(&machine)
		require.Equal(t, want != "", unknown, source)
		require.Equal(t, want, name, source)
	}
}

func drawRequest(t *rapid.T) *job.Request {
	few := rapid.Int64Range(0, 5)
	q := &job.Request{Submit: few.Draw(t, "submit"), Estimate: 1 + few.Draw(t, "estimate"), Procs: 1 + int(few.Draw(t, "procs"))}
	if rapid.Bool().Draw(t, "more") {
		q.More = &job.More{Extra: []int64{few.Draw(t, "gpu"), few.Draw(t, "buffer")}, User: rapid.SampledFrom([]string{"ann", "bob", ""}).Draw(t, "user")}
	}
	return q
}

// TestPlain checks, for random formulas, that Value agrees with the simpler implementation in
// package plain, and that Key sorts jobs by their values.
func TestPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := plain.Draw(t, []string{"gpu", "burst buffer"}, []string{"ann", "bob"}, true)
		if utf8.RuneCountInString(source) > formula.MaxLength {
			t.Skip("too long")
		}
		f, err := formula.Parse(source)
		require.NoError(t, err, source)
		var values [2]float64
		var keys [2]int64
		for i := range values {
			q := drawRequest(t)
			now := q.Submit + rapid.Int64Range(0, 9).Draw(t, "wait")
			values[i], keys[i] = f.Value(&machine, q, now), f.Key(&machine, q, now)
			want := plain.Value(source, &machine, q, now)
			require.True(t, values[i] == want || want != want && values[i] != values[i], "%s: %v, reference value %v", source, values[i], want)
			if math.IsNaN(want) || math.IsInf(want, 0) {
				values[i] = math.Inf(1)
			}
		}
		require.Equal(t, cmp.Compare(values[0], values[1]), cmp.Compare(keys[0], keys[1]), "%s: %v", source, values)
	})
}

// TestKeys checks that Keys.Compute gives the same keys as Formula.Key.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := plain.Draw(t, []string{"gpu", "burst buffer"}, []string{"ann", "bob"}, true)
		if utf8.RuneCountInString(source) > formula.MaxLength {
			t.Skip("too long")
		}
		f, err := formula.Parse(source)
		require.NoError(t, err, source)
		jobs := make([]*job.Request, rapid.IntRange(1, formula.BatchSize).Draw(t, "jobs"))
		for i := range jobs {
			jobs[i] = drawRequest(t)
		}
		all := formula.NewKeys(f)
		for _, now := range []job.Time{5, 9} { // the second call reuses the memory
			var got [formula.BatchSize]int64
			all.Compute(&machine, jobs, now, got[:])
			for i, q := range jobs {
				require.Equal(t, f.Key(&machine, q, now), got[i], "%s of %+v", source, q)
			}
		}
	})
}

// TestBytes compares a hash of many keys with a constant. It also runs as WebAssembly, so it shows
// that both platforms compute the same keys.
func TestBytes(t *testing.T) {
	h := fnv.New64a()
	for _, source := range []string{
		"-(wait/estimate)^3*procs", "log(estimate)*procs+870*log(submit+1)", "sqrt(wait)/procs-res:gpu%3", "max(wait/3600,1/estimate,.1)^9",
	} {
		f, err := formula.Parse(source)
		require.NoError(t, err)
		for n := range int64(50) {
			q := job.Request{Submit: n * 7919, Estimate: 1 + n*n*31, Procs: 1 + int(n%13), More: &job.More{Extra: []int64{n % 5}}}
			fmt.Fprintln(h, f.Key(&machine, &q, q.Submit+n*977))
		}
	}
	require.Equal(t, "68d552e0c776cdf9", fmt.Sprintf("%016x", h.Sum64()))
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"wait/estimate", "if(user == 'ann' and not procs<3, -1e3, log(res:gpu)^2)", `res:"burst buffer" % 3`, "min(1,2", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		parsed, err := formula.Parse(source)
		if err != nil {
			bad := err.(*formula.Error)
			require.True(t, bad.Column >= 1 && bad.Column <= utf8.RuneCountInString(source)+1, "%v", bad)
			return
		}
		got, want := parsed.Value(&machine, &request, 160), plain.Value(source, &machine, &request, 160)
		require.True(t, got == want || got != got && want != want, "%v, reference value %v", got, want)
	})
}

func BenchmarkKey(b *testing.B) {
	f, err := formula.Parse("-(wait/estimate)^3*procs")
	require.NoError(b, err)
	for b.Loop() {
		f.Key(&machine, &request, 160)
	}
}

func TestRename(t *testing.T) {
	user := func(name string) string { return "U" + name }
	resource := func(name string) string { return "R " + name }
	for source, want := range map[string]string{
		"": "", "sjf": "sjf", "-wait/estimate": "-wait/estimate",
		`user == "ann"`:                      `user == "Uann"`,
		` if(user!='b c', res:mem, 2*procs)`: ` if(user!="Ub c", res:"R mem", 2*procs)`,
		`res : "gres/gpu" + res:mem`:         `res : "R gres/gpu" + res:"R mem"`,
		`user == "ann`:                       `user == "ann`,
	} {
		assert.Equal(t, want, formula.Rename(source, user, resource))
	}
}
