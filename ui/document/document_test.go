package document

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

// small returns a valid document with two jobs, on a machine of four processors.
func small() Doc {
	rows := []Row{
		{Name: "1", Values: [4]int64{0, 2, 5, 5}},
		{Name: "2", Values: [4]int64{3, 1, 3, 2}},
	}
	return Doc{Machine: [4]string{"4", "1", "1", "0"}, Rows: NewRows(rows), Policies: []Policy{{Name: "easy"}}}
}

// texts returns the texts of the first five columns, one line for each row.
func texts(d Doc) (out []string) {
	for _, r := range d.Rows.All() {
		line := ""
		for c := range Runtime + 1 {
			line += r.Text(c) + " "
		}
		out = append(out, line)
	}
	return out
}

// text returns the text of a cell.
func text(d Doc, row int, c Column) string {
	r := d.Rows.At(row)
	return r.Text(c)
}

func TestInvalidTextIsKept(t *testing.T) {
	d := small().SetCell(0, Procs, "")
	require.Equal(t, "", text(d, 0, Procs))
	half := d.Rows.At(0)
	require.True(t, half.Invalid(Procs))
	plan, bad := d.Check()
	require.Nil(t, plan)
	require.Equal(t, []Problem{{Row: 0, Column: Procs, Policy: -1, Text: `expected a whole number, got ""`, Blank: true}}, bad)
	d = d.SetCell(0, Procs, "3")
	plan, bad = d.Check()
	require.Empty(t, bad)
	require.Equal(t, 3, plan.Jobs()[0].Procs)
}

func TestProblemsNameTheirPlace(t *testing.T) {
	for _, c := range []struct {
		doc  Doc
		want Problem
	}{
		{small().SetCell(1, Procs, "5"), Problem{Row: 1, Column: Procs, Policy: -1, Text: "expected at most the machine's 4, got 5"}},
		{small().SetCell(1, Runtime, "9"), Problem{Row: 1, Column: Runtime, Policy: -1, Text: "expected 1 to the estimate 3, got 9", Overrun: true}},
		{small().SetCell(1, ID, "1"), Problem{Row: 1, Column: ID, Policy: -1, Text: `expected a unique name, got "1" twice`}},
		{small().SetMachineText(0, "x"), Problem{Row: -1, Policy: -1, Field: "nodes", Text: `machine, nodes: expected a whole number, got "x"`}},
		{small().SetMachineText(0, "0"), Problem{Row: -1, Policy: -1, Field: "nodes", Text: "machine, nodes: expected 1 to 1000000, got 0"}},
		{small().SetKnob(0, "order", "up"), Problem{Row: -1, Policy: 0, Field: "order",
			Text: `policy easy, knob order: expected fifo, sjf, ljf, wjf, njf or a formula (column 1: expected submit, wait, estimate, procs, user, res:NAME, a number, a function or "(", got "up"), got "up"`}},
	} {
		_, bad := c.doc.Check()
		require.Contains(t, bad, c.want)
	}
}

// TestTypedValues checks that an invalid value of the machine, a knob or the slowdown seed causes the same error as
// in a flag of the command backfill. The file typed.json lists the values and errors.
func TestTypedValues(t *testing.T) {
	data, err := os.ReadFile("../../core/cmd/backfill/testdata/bad/typed.json")
	require.NoError(t, err)
	var list []struct{ Field, Policy, Text, Error string }
	require.NoError(t, json.Unmarshal(data, &list))
	require.GreaterOrEqual(t, len(list), 20)
	for _, c := range list {
		d, where := small().SetMachineText(0, "8"), "machine, "+c.Field
		switch {
		case c.Policy != "":
			d, where = d.SetKnob(0, c.Field, c.Text), "policy "+c.Policy+", knob "+c.Field
		case c.Field == SlowdownSeed:
			d, where = d.EditSlowdown(func(s *Slowdown) { s.RandomUnlisted, s.Seed = true, c.Text }), "slowdown, seed"
		default:
			d = d.SetMachineText(slices.Index(MachineFields[:], c.Field), c.Text)
			if strings.Contains(c.Error, "slots, ") {
				where = "machine, " + MachineProduct
			}
		}
		_, bad := d.Check()
		var got []string
		for _, p := range bad {
			got = append(got, p.Text)
		}
		require.Contains(t, got, where+": "+c.Error, "%s %q", c.Field, c.Text)
	}
}

func TestJobsComeInTheOrderOfTheTable(t *testing.T) {
	d := small().SetCell(0, Submit, "7")
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, []job.Job{
		{ID: "1", Runtime: 5, Request: job.Request{Submit: 7, Procs: 2, Estimate: 5}},
		{ID: "2", Runtime: 2, Request: job.Request{Submit: 3, Procs: 1, Estimate: 3}},
	}, plan.Jobs())
}

func TestDataWithoutColumnsIsKept(t *testing.T) {
	odd := job.Job{ID: "1", Runtime: 5, Killed: true, Request: job.Request{Procs: 2, Estimate: 5, More: &job.More{User: "eve"}}}
	d := small()
	table, err := protocol.NewJobDecoder(protocol.EncodeJobs([]job.Job{odd, {ID: "2", Runtime: 1, Request: job.Request{Procs: 1, Estimate: 1}}}))
	require.NoError(t, err)
	d.Rows, err = ReadRows(table, nil, func(int) error { return nil })
	require.NoError(t, err)
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, odd, plan.Jobs()[0])
	d = d.SetCell(0, Submit, "1")
	plan, _ = d.Check()
	require.True(t, plan.Jobs()[0].Killed)
	d = d.SetCell(0, Runtime, "4")
	plan, _ = d.Check()
	require.False(t, plan.Jobs()[0].Killed, "a job with an edited runtime was not killed")
	require.Equal(t, "eve", plan.Jobs()[0].More.User)
}

func TestSumsOfRows(t *testing.T) {
	d := small().SetCell(1, ID, "x9")
	plan, _ := d.Check()
	require.Equal(t, Summary{First: 0, Last: 3, End: job.LastEnd(plan.Jobs()), MaxProcs: 2, Work: 12, MaxNumericName: 1, EarlyEnds: true}, d.Rows.Summary())
	require.Equal(t, Summary{}, Rows{}.Summary())
}

func TestPasteAddsRows(t *testing.T) {
	d, err := small().Paste(1, []Column{Submit, Procs, Estimate, Runtime}, "8\t1\t4\t4\n9\t2\t5\t5\r\n10\tx\t6\t6\n", nil, NoPause)
	require.NoError(t, err)
	require.Equal(t, []string{"1 0 2 5 5 ", "2 8 1 4 4 ", "3 9 2 5 5 ", "4 10 x 6 6 "}, texts(d))
	_, err = small().Paste(0, []Column{Estimate, Runtime}, "1\t2\t3\n", nil, NoPause)
	require.Error(t, err)
}

func TestRowsAddDuplicateDelete(t *testing.T) {
	d := small().AddRow()
	require.Equal(t, "3     ", texts(d)[2])
	_, bad := d.Check()
	require.Equal(t, Problem{Row: 2, Column: Submit, Policy: -1, Text: "expected seconds, or a time such as 1h 30m, got \"\"", Blank: true}, bad[0])
	d = d.SetCell(2, Submit, "3").SetCell(2, Procs, "1").SetCell(2, Estimate, "3").SetCell(2, Runtime, "2").Duplicate(0, 2)
	require.Equal(t, []string{"1 0 2 5 5 ", "2 3 1 3 2 ", "4 0 2 5 5 ", "5 3 1 3 2 ", "3 3 1 3 2 "}, texts(d))
	_, bad = d.Check()
	require.Empty(t, bad)
	named := small().SetCell(0, ID, "A").SetCell(1, ID, "A-2").Duplicate(0, 1)
	require.Equal(t, []string{"A 0 2 5 5 ", "A-3 0 2 5 5 ", "A-2 3 1 3 2 "}, texts(named))
	require.Equal(t, []string{"A 0 2 5 5 ", "A-3 0 2 5 5 ", "A-2 3 1 3 2 ", "A-4 0 2 5 5 ", "A-5 3 1 3 2 "}, texts(named.Duplicate(1, 2)), "not A-3-2")
	d = d.DeleteRows(1, 3)
	require.Equal(t, []string{"1 0 2 5 5 ", "3 3 1 3 2 "}, texts(d))
	d = d.DeleteRows(0, 2)
	require.Zero(t, d.Rows.Len())
	require.Equal(t, []string{"1     "}, texts(d.AddRow()))
}

func TestPoliciesChange(t *testing.T) {
	d := small().SetPolicy(1, "fcfs").SetKnob(1, "order", "sjf")
	require.Equal(t, []Policy{{Name: "easy"}, {Name: "fcfs", Knobs: map[string]string{"order": "sjf"}}}, d.Policies)
	e := d.SetPolicy(1, "conservative").DropPolicy(0)
	require.Equal(t, []Policy{{Name: "conservative"}}, e.Policies)
	require.Len(t, d.Policies, 2, "an edit does not change the previous document")
	preset := small().SetPolicy(0, "leinberger-bl-easy").Policies[0]
	require.Equal(t, Policy{Name: "easy", Knobs: map[string]string{"pick": "bl"}}, preset)
}

func TestHistoryJoinsKeystrokes(t *testing.T) {
	h := NewHistory(small())
	h.Do("cell 0 1", h.Now().SetCell(0, Submit, "1"))
	h.Do("cell 0 1", h.Now().SetCell(0, Submit, "12"))
	h.Do("", h.Now().DeleteRows(1, 1))
	require.Equal(t, []string{"1 12 2 5 5 "}, texts(*h.Now()))
	h.Undo()
	h.Undo()
	require.False(t, h.CanUndo())
	require.Equal(t, texts(small()), texts(*h.Now()))
	h.Redo()
	require.Equal(t, "12", text(*h.Now(), 0, Submit))
	h.Redo()
	require.False(t, h.CanRedo())
}

// Rows must behave like a slice under any sequence of edits. No edit may change a list made
// before it.
func TestRowsBehaveLikeASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 3*chunkRows).Draw(t, "n")
		var want []Row
		for i := range n {
			want = append(want, Row{Name: fmt.Sprint(i)})
		}
		have := NewRows(slices.Clone(want))
		for range rapid.IntRange(1, 20).Draw(t, "edits") {
			before, was := have, slices.Clone(want)
			at := rapid.IntRange(0, len(want)).Draw(t, "at")
			cut := rapid.IntRange(0, len(want)-at).Draw(t, "cut")
			if rapid.Bool().Draw(t, "few") {
				cut = min(cut, 2)
			}
			add := make([]Row, rapid.IntRange(0, 5).Draw(t, "add"))
			have = have.Splice(at, cut, add...)
			want = slices.Concat(want[:at], add, want[at+cut:])
			require.Equal(t, len(want), have.Len())
			for i, r := range have.All() {
				require.Equal(t, want[i], *r)
				require.Equal(t, *r, have.At(i))
			}
			i, gone, n := have.Since(before)
			require.LessOrEqual(t, n, len(add))
			require.LessOrEqual(t, gone, cut)
			require.Equal(t, want, slices.Concat(was[:i], want[i:i+n], was[i+gone:]))
			require.Equal(t, len(was), before.Len())
			for i, r := range before.All() {
				require.Equal(t, was[i].Name, r.Name)
			}
		}
	})
}

// Undo steps from before an anonymisation are not stored, even if another scenario was opened since. After the
// anonymisation is undone, they are stored again.
func TestStoredHistoryHasNoAnonymisedNames(t *testing.T) {
	pack := func(d *Doc) string { return d.Title }
	changes := func(h *History) (out []string) {
		for _, s := range h.Store(h.Now().Title, 1000, pack).Past {
			out = append(out, s.Payload)
		}
		return out
	}
	named := func(title string, n *anonymise.Names) Doc {
		d := small()
		d.Title, d.Names = title, n
		return d
	}
	hidden := &anonymise.Names{}
	h := NewHistory(named("first", nil))
	h.Do("", named("second", nil))
	require.Equal(t, []string{"first"}, changes(h))
	h.Do("", named("anonymous", hidden))
	require.Empty(t, changes(h))
	h.Do("", named("edited", hidden))
	require.Equal(t, []string{"anonymous"}, changes(h))
	h.Do("", named("example", nil))
	require.Equal(t, []string{"edited", "anonymous"}, changes(h))
	for range 3 {
		require.NoError(t, h.Undo())
	}
	require.Equal(t, []string{"first"}, changes(h))
}

// A policy in a document must not be a program or a script file, because the document may come from a link.
func TestNoPrograms(t *testing.T) {
	for name, want := range map[string]string{
		"exec:./mine":      `expected the name of a policy, got the program "exec:./mine"`,
		"script:mine.star": `expected the name of a policy, got the file "script:mine.star"`,
	} {
		d := Doc{Policies: []Policy{{Name: name}}}
		_, bad := d.checkPolicies(&protocol.Machine{})
		require.Len(t, bad, 1)
		require.Contains(t, bad[0].Text, want)
		_, err := d.WithPolicies([]string{name})
		require.ErrorContains(t, err, want)
	}
}

func TestOutageEdits(t *testing.T) {
	var d Doc
	next := d.AddOutage()
	require.Equal(t, "outages changed", d.Difference(&next))
	require.Equal(t, []string{"machine"}, d.ChangedTabs(&next))
	next.Outages[0].Texts = [4]string{"0", "9", "99999999", ""}
	_, what, err := next.Outages[0].Parse()
	require.EqualError(t, err, `expected at most 4000000, got "99999999"`)
	require.Equal(t, 2, what)
}

// MovePolicy changes the order of policies, and Difference describes each edit of a policy.
func TestPolicyEdits(t *testing.T) {
	d := Doc{Policies: []Policy{{Name: "fcfs"}, {Name: "easy", Title: "Mine", Baseline: true, NoChart: true}, {Name: "dc"}}}
	names := func(d Doc) (out []string) {
		for _, p := range d.Policies {
			out = append(out, p.Name)
		}
		return out
	}
	moved := d.MovePolicy(0, 2)
	require.Equal(t, []string{"easy", "dc", "fcfs"}, names(moved))
	require.Equal(t, []string{"fcfs", "easy", "dc"}, names(d))
	require.Equal(t, 0, moved.Baseline())
	require.Equal(t, []string{"Mine", "Delayed compression", "FCFS"}, moved.PolicyTitles())
	for text, next := range map[string]Doc{
		"order of policies changed": moved,
		"policy easy renamed":       d.SetTitle(1, ""),
		"baseline changed":          d.SetBaseline(0),
		"charts shown or hidden":    d.ShowCharts(),
		"knobs of dc changed":       d.SetKnob(2, "restart", "false"),
		"policy changed to pc":      d.SetPolicy(2, "pc"),
		"policy removed":            d.DropPolicy(1),
	} {
		require.Equal(t, text, d.Difference(&next))
		require.Equal(t, []string{"policies"}, d.ChangedTabs(&next))
	}
	other := d.SetPolicy(1, "leinberger-bb-easy").Policies[1]
	require.Equal(t, Policy{Name: "easy", Title: "Mine", Knobs: map[string]string{"pick": "bb"}, Baseline: true, NoChart: true}, other)
}
