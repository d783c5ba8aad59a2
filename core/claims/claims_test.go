package claims

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
	"backfill-lab/core/stats"
)

const root = "../../"

// storedTable reads the table of a study from public/studies.
func storedTable(study string) ([]byte, error) {
	return os.ReadFile(root + "public/studies/" + study + ".csv")
}

// TestBookIsCurrent checks that the chapters in docs agree with the tables in public/studies. It runs
// the small examples and the calculations again. To update the chapters, run backfill claims.
func TestBookIsCurrent(t *testing.T) {
	b, err := MakeBook(storedTable)
	require.NoError(t, err)
	text, err := b.JSON()
	require.NoError(t, err)
	want := map[string]string{"public/studies/claims.json": string(text), "docs/claims.md": b.Overview()}
	for i := range b.Papers {
		want["docs/claims-"+b.Papers[i].Name+".md"] = b.Papers[i].Chapter()
	}
	for name, text := range want {
		kept, err := os.ReadFile(root + name)
		require.NoError(t, err)
		require.Equal(t, text, string(kept), "%s is out of date: run backfill claims", name)
	}
	changes, err := b.Changes(text)
	require.NoError(t, err)
	require.Empty(t, changes, "the book equals itself")
}

// TestTablesBelongToDefinitions checks that the tables in public/studies were made from the current
// definitions of the studies.
func TestTablesBelongToDefinitions(t *testing.T) {
	for _, s := range experiment.All() {
		now, err := experiment.Definition(s.Name)
		require.NoError(t, err)
		kept, err := os.ReadFile(root + "public/studies/" + s.Name + ".json")
		require.NoError(t, err)
		require.Equal(t, string(now), string(kept), "the tables of %s are out of date: run make claims", s.Name)
	}
}

// TestClaimsAreComplete checks that the book has the 79 claims of the five papers, in order. Each
// claim must have a text, a place in the paper and a value from the paper.
func TestClaimsAreComplete(t *testing.T) {
	papers, err := Papers()
	require.NoError(t, err)
	first := map[string]string{"lindsay": "L", "leinberger": "K", "wu": "W", "jin": "J", "zeng": "Z"}
	count := map[string]int{"lindsay": 17, "leinberger": 13, "wu": 15, "jin": 18, "zeng": 16}
	for _, p := range papers {
		require.Len(t, p.Claims, count[p.Name])
		for i, c := range p.Claims {
			require.Equal(t, first[p.Name]+strconv.Itoa(i+1), c.ID)
			for _, text := range []string{c.Text, c.Where, c.Paper} {
				require.NotEmpty(t, text, c.ID)
			}
		}
	}
}

// TestNamedTestsExist checks that every test that a claim names as evidence exists.
func TestNamedTestsExist(t *testing.T) {
	names := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(data, -1) {
			names[string(m[1])] = true
		}
		return err
	}))
	papers, err := Papers()
	require.NoError(t, err)
	n := 0
	for _, p := range papers {
		for _, c := range p.Claims {
			for _, name := range c.collectNames(func(p *Part) string { return p.Test }) {
				require.True(t, names[name], "%s: no test %s", c.ID, name)
				n++
			}
		}
	}
	require.NotZero(t, n)
}

// TestRules checks, for each kind of rule, the verdicts on three intervals: one that agrees with
// the rule, one that leaves the verdict undecided, and one that contradicts the rule. Rules with
// no field, two fields or too few values must be errors.
func TestRules(t *testing.T) {
	limit := func(x float64) *float64 { return &x }
	interval := func(mean, half float64) stats.Interval {
		return stats.Interval{N: 5, Mean: mean, Low: mean - half, High: mean + half}
	}
	exact := stats.Interval{N: 1, Mean: 3, Low: math.NaN(), High: math.NaN()}
	for _, c := range []struct {
		rule Rule
		v    stats.Interval
		want Verdict
	}{
		{Rule{Agrees: []float64{10}}, interval(9, 2), Holds}, {Rule{Agrees: []float64{10}}, interval(9, 6), Undecided}, {Rule{Agrees: []float64{10}}, interval(7, 2), DoesNotHold}, {Rule{Agrees: []float64{3}}, exact, Holds}, {Rule{Agrees: []float64{4}}, exact, DoesNotHold},
		{Rule{Above: limit(0)}, interval(3, 2), Holds}, {Rule{Above: limit(0)}, interval(1, 2), Undecided}, {Rule{Above: limit(0)}, interval(-3, 2), DoesNotHold},
		{Rule{Below: limit(0)}, interval(-3, 2), Holds}, {Rule{Below: limit(0)}, interval(-1, 2), Undecided}, {Rule{Below: limit(0)}, interval(3, 2), DoesNotHold},
		{Rule{Within: []float64{-5, 5}}, interval(1, 2), Holds}, {Rule{Within: []float64{-5, 5}}, interval(4, 2), Undecided}, {Rule{Within: []float64{-5, 5}}, interval(9, 2), DoesNotHold},
		{Rule{Above: limit(0)}, stats.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}, Undecided},
	} {
		require.Equal(t, c.want, c.rule.judge(c.v, 0), "%+v of %+v", c.rule, c.v)
	}
	for _, bad := range []Rule{{}, {Above: limit(0), Below: limit(1)}, {Agrees: []float64{1}}, {Within: []float64{1}}} {
		require.Error(t, bad.check(2))
	}
}

// TestExpectedTexts checks what the book says about the values that a rule accepts. It also checks
// that a vertical bar in a label does not end a cell of a Markdown table.
func TestExpectedTexts(t *testing.T) {
	limit := func(x float64) *float64 { return &x }
	for want, rule := range map[string]Rule{
		"10.49, 7 (paper)": {Agrees: []float64{10.49, 7, 10.49}}, "above 0": {Above: limit(0)}, "below 2.5": {Below: limit(2.5)},
		"from -10 to 10": {Within: []float64{-10, 10}}, "exactly 0": {Within: []float64{0, 0}},
	} {
		require.Equal(t, want, rule.expectedTexts())
	}
	require.Equal(t, "7 (paper)", (&Rule{Agrees: []float64{10.49, 7}}).expectedText(1))
	table := findingsTable([]Finding{exactFinding("a|b", []string{"1", "2"}, []string{"1", "3"})})
	require.Equal(t, "| result | our value | expected | verdict |\n|---|---|---|---|\n| a\\|b | 1, 2 | 1, 3 | no |\n", table)
}

// TestVariantsOfRows checks the parts of variants that replace or change the rows of the default
// parts. It must be an error if a variant sets none or two of Row, Change and Parts, or if its row
// is not in the table.
func TestVariantsOfRows(t *testing.T) {
	parts := []Part{{Label: "gain", Study: "x", Rows: []string{"light, FCFS: 2 over 1", "heavy, FCFS: 2 over 1"}, Columns: []string{"wait, %"}}}
	v := Variant{Change: "sigma 0"}
	require.NoError(t, v.makeParts(parts))
	require.Equal(t, []string{"light, FCFS, sigma 0: 2 over 1", "heavy, FCFS, sigma 0: 2 over 1"}, v.Parts[0].Rows)
	require.Equal(t, "gain, light, FCFS: 2 over 1", v.Parts[0].cellLabel(v.Parts[0].Rows[0], "wait, %"))
	v = Variant{Row: "another"}
	require.NoError(t, v.makeParts(parts))
	require.Equal(t, []string{"another"}, v.Parts[0].Rows)

	known := &tables{open: storedTable, read: map[string]*table{}}
	v = Variant{Change: "no change"}
	require.NoError(t, v.makeParts([]Part{{Study: "wu-alpha-steps", Rows: []string{"light, FCFS: 1.2 over 0.5"}, Columns: []string{"AWT, %"}, Rule: Rule{Within: []float64{0, 1}}}}))
	_, err := v.Parts[0].evaluate(known)
	require.ErrorContains(t, err, `expected a row of its table, got "light, FCFS, no change: 1.2 over 0.5"`)

	for want, bad := range map[string]struct {
		v    Variant
		part Part
	}{
		"expected one of row, change and parts, got 0": {Variant{}, parts[0]},
		"expected one of row, change and parts, got 2": {Variant{Row: "a", Change: "b"}, parts[0]},
		"expected a row with a colon":                  {Variant{Change: "b"}, Part{Study: "x", Rows: []string{"all"}}},
		`without than, got "gain"`:                     {Variant{Row: "a"}, Part{Label: "gain", Study: "x", Rows: []string{"b"}, Subtracted: &Cell{}}},
		`expected parts with rows of a study`:          {Variant{Change: "b"}, Part{Calculation: "overhead"}},
	} {
		require.ErrorContains(t, bad.v.makeParts([]Part{bad.part}), want)
	}
}

// TestCombine checks which verdict on a claim follows from the verdicts on its parts.
func TestCombine(t *testing.T) {
	for _, c := range []struct {
		parts []Verdict
		want  Verdict
	}{
		{nil, Undecided}, {[]Verdict{Holds, Holds}, Holds}, {[]Verdict{Holds, DoesNotHold}, HoldsInPart}, {[]Verdict{Holds, Undecided}, HoldsInPart},
		{[]Verdict{DoesNotHold, Undecided}, DoesNotHold}, {[]Verdict{Undecided, Undecided}, Undecided}, {[]Verdict{HoldsInPart, DoesNotHold}, HoldsInPart},
	} {
		require.Equal(t, c.want, combine(c.parts), "%v", c.parts)
	}
}

// TestMajority checks that majority returns the verdict that more than half of the parts have, and
// Undecided if there is none.
func TestMajority(t *testing.T) {
	require.Equal(t, Holds, majority([]Verdict{Holds, Holds, DoesNotHold}))
	require.Equal(t, Undecided, majority([]Verdict{Holds, DoesNotHold}))
	require.Equal(t, Undecided, majority([]Verdict{Holds, Undecided, Undecided}))
	require.Equal(t, DoesNotHold, majority([]Verdict{DoesNotHold, DoesNotHold, Undecided}))
}

// TestChanges checks that, after a table has changed, Changes lists the affected verdicts and
// values. Unknown rows must be errors.
func TestChanges(t *testing.T) {
	b, err := MakeBook(storedTable)
	require.NoError(t, err)
	text, err := b.JSON()
	require.NoError(t, err)
	changed, err := MakeBook(func(study string) ([]byte, error) {
		data, err := storedTable(study)
		if study == "zeng-fig13" {
			data = []byte(strings.Replace(string(data), "W1 CST,", "W1 CST,1000000,", 1))
			lines := strings.Split(string(data), "\n")
			for i, line := range lines { // drop the last value, so that the row keeps its length
				if strings.HasPrefix(line, "W1 CST,") {
					lines[i] = line[:strings.LastIndexByte(line, ',')]
				}
			}
			data = []byte(strings.Join(lines, "\n"))
		}
		return data, err
	})
	require.NoError(t, err)
	lines, err := changed.Changes(text)
	require.NoError(t, err)
	require.NotEmpty(t, lines)
	require.Contains(t, strings.Join(lines, "\n"), "Z7, improvement in RR of all jobs, G-LOMARC-TS over CST: was ")

	_, err = MakeBook(func(study string) ([]byte, error) {
		data, err := storedTable(study)
		return []byte(strings.Replace(string(data), "\nas it is,", "\nanother,", 1)), err
	})
	require.ErrorContains(t, err, `claim J9: jin-fig9: expected a row of its table, got "as it is"`)
	_, err = b.Changes([]byte("{"))
	require.Error(t, err)
}
