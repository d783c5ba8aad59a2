package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// odd is a scenario with unknown fields, and with jobs that the data rules repair.
const odd = `{"version":1,"machine":{"nodes":8},"workload":{"jobs":[
{"id":"1","submit":0,"procs":2,"estimate":9,"runtime":5,"note":"keep me"},
{"id":"1","submit":5,"procs":2,"estimate":9,"runtime":0},
{"id":"3","submit":6,"procs":2,"estimate":3,"runtime":7,"colour":[1,2]}]},
"policies":[{"name":"easy","why":"fast"}]}`

// oddFiles returns a Files that has opened the scenario odd from a file.
func oddFiles(t *testing.T) *Files {
	d, err := document.Read([]byte(odd))
	require.NoError(t, err)
	d.Excuse(nil)
	c := newFiles(t)
	c.Session.Open(d)
	c.Plan, c.Bad = c.Doc().Check()
	require.Empty(t, c.Bad)
	return c
}

func TestUnknownFieldsSurviveEdits(t *testing.T) {
	c := oddFiles(t)
	d := c.Doc().SetCell(0, document.Runtime, "6").Duplicate(0, 1).DeleteRows(2, 1).SetKnob(0, "order", "sjf")
	c.ReplaceUnchecked("", d)
	plan, bad := c.Doc().Check()
	require.Empty(t, bad)
	s, err := scenario.Parse(c.Doc().File(plan))
	require.NoError(t, err)
	note, colour := scenario.Fields{{Name: "note", JSON: `"keep me"`}}, scenario.Fields{{Name: "colour", JSON: "[1,2]"}}
	require.Equal(t, []scenario.Fields{note, note, colour}, s.Workload.JobsUnknown)
	require.Equal(t, scenario.Fields{{Name: "why", JSON: `"fast"`}}, s.Policies[0].UnknownFields)
	require.Equal(t, currentLink(c), currentLink(reopenLink(t, c)))
}

// Links and files contain the settings of warm-up and cool-down. If jobs of a file are edited, these settings
// stay. The other data rules are dropped, because they have already been applied.
func TestTrimSurvivesLinks(t *testing.T) {
	c := oddFiles(t)
	d := *c.Doc()
	d.Warmup, d.Cooldown = 10, 2.5
	c.ReplaceUnchecked("", d)
	again := reopenLink(t, c).Doc()
	require.Equal(t, []float64{10, 2.5}, []float64{again.Warmup, again.Cooldown})
	s, err := scenario.Parse(c.Doc().File(c.Plan))
	require.NoError(t, err)
	require.Equal(t, scenario.Rules{Warmup: 10, Cooldown: 2.5}, s.Rules)

	base := *d.Base
	base.Workload.File, base.Rules.Limit = &scenario.File{Name: "x.swf"}, 3
	d.Base = &base
	c.ReplaceUnchecked("", d.AddRow())
	s2 := c.Doc().Scenario()
	require.Nil(t, s2.Workload.File)
	require.Equal(t, scenario.Rules{Warmup: 10, Cooldown: 2.5}, s2.Rules)
}

// reopenLink returns another Files that has opened the link of c.
func reopenLink(t *testing.T, c *Files) *Files {
	l, err := link.Unpack(link.Pack(currentLink(c)))
	require.NoError(t, err)
	again := newFiles(t)
	d, err := documentOfLink(l)
	require.NoError(t, err)
	again.Session.Open(d)
	again.Plan, again.Bad = again.Doc().Check()
	return again
}

func TestLinksDistinguishRepairedFromTypedValues(t *testing.T) {
	c := oddFiles(t)
	again := reopenLink(t, c)
	require.NotNil(t, again.Plan, "%v", again.Bad)
	require.Equal(t, c.Plan.Jobs(), again.Plan.Jobs())

	c.ReplaceUnchecked("", c.Doc().SetCell(0, document.Runtime, "0").SetCell(2, document.Procs, "many"))
	c.Plan, c.Bad = c.Doc().Check()
	require.Len(t, c.Bad, 2)
	require.Equal(t, c.Bad, reopenLink(t, c).Bad)
}

// Check returns a limited number of problems, so that a table full of errors does not fill the page.
func TestProblemsAreBounded(t *testing.T) {
	d, err := document.Read([]byte(odd))
	require.NoError(t, err)
	d, err = d.Paste(0, []document.Column{document.Runtime}, strings.Repeat("0\n", 1000), nil, document.NoPause)
	require.NoError(t, err)
	_, bad := d.Check()
	require.LessOrEqual(t, len(bad), 101)
	d.Excuse(nil)
	_, bad = d.Check()
	require.Empty(t, bad, "the data rules repair every row")
}

// Links and files name the generator of the jobs until the jobs, the number of processors or the extra resources
// change. After undo, they name the generator again.
func TestGeneratorSurvivesLinks(t *testing.T) {
	const text = `{"version":1,"machine":{"nodes":16},"workload":{"generator":"feitelson96","parameters":{"jobs":30,"resources":2},"seed":7},"policies":[{"name":"easy"}]}`
	s, err := scenario.Parse([]byte(strings.Replace(text, `{"nodes":16}`, `{"nodes":16,"resources":[{"name":"r2","capacity":1000000}]}`, 1)))
	require.NoError(t, err)
	want := string(scenario.Format(s))
	d, err := document.Read([]byte(want))
	require.NoError(t, err)
	require.Equal(t, 30, d.Rows.Len())
	c := newFiles(t)
	c.Session.Open(d)
	saved := func(c *Files) string {
		plan, bad := c.Doc().Check()
		require.Empty(t, bad)
		return string(c.Doc().File(plan))
	}
	require.Equal(t, want, saved(c))
	again := reopenLink(t, c)
	require.Equal(t, want, saved(again))
	require.Equal(t, d.Rows.At(29), again.Doc().Rows.At(29))
	require.Less(t, len(link.Pack(currentLink(c))), 400)

	for name, edit := range map[string]document.Doc{
		"a job":       d.SetCell(3, document.Runtime, "1"),
		"the order":   d.Duplicate(0, 1).DeleteRows(0, 1),
		"the machine": d.SetMachineText(0, "32"),
		"a resource":  d.SetMachineText(3, "memory"),
		"a capacity":  d.SetMachineText(4, "2000000"),
		"one more":    d.AddResource(),
		"one less":    d.DropResource(0),
	} {
		c.ReplaceUnchecked("", edit)
		s, err := scenario.Parse([]byte(saved(c)))
		require.NoError(t, err)
		require.Nil(t, s.Workload.Generator, name)
		require.Len(t, s.Workload.Jobs, 30, name)
		require.Equal(t, saved(c), saved(reopenLink(t, c)), name)
		c.Undo()
		require.Equal(t, want, saved(c), name)
	}
	same := d.SetMachineText(0, "8").SetMachineText(2, "2")
	c.ReplaceUnchecked("", same.SetKnob(0, "order", "sjf"))
	s, err = scenario.Parse([]byte(saved(c)))
	require.NoError(t, err)
	require.NotNil(t, s.Workload.Generator, "as many processors in another shape, another knob")
	c.ReplaceUnchecked("", d.SetMachineText(0, "16x"))
	require.Nil(t, currentLink(c).Scenario.Workload.Generator, "with an invalid machine, links hold the jobs")
}

// The generator of this scenario depends on the number of cores per node, so the jobs no longer count as generated
// after an edit of this number. Neither edits of the machine nor links remove the slowdowns of a scenario.
func TestSlowdownsSurviveLinks(t *testing.T) {
	const text = `{"version":1,"machine":{"nodes":16,"cores":4},"workload":{"generator":"lublin","parameters":{"jobs":30,"slowdowns":"grown"},"seed":7},
"slowdown":{"seed":7,"pairs":{"1":{"2":1.5}}},"policies":[{"name":"easy"}]}`
	d, err := document.Read([]byte(text))
	require.NoError(t, err)
	c := newFiles(t)
	c.Session.Open(d)
	base := c.Doc().Scenario()
	require.NotNil(t, base.Workload.Generator)
	c.ReplaceUnchecked("", d.SetMachineText(0, "32").SetMachineText(2, "2"))
	base = c.Doc().Scenario()
	require.Nil(t, base.Workload.Generator)
	require.Equal(t, d.Base.Slowdown, base.Slowdown)
	again := reopenLink(t, c)
	require.Equal(t, d.Base.Slowdown, again.Doc().Base.Slowdown)
}

// Links keep the texts in all fields for shared nodes and extra resources, valid or not. Files keep
// the valid values for shared nodes.
func TestTraitsSurviveLinks(t *testing.T) {
	d, err := document.Read([]byte(odd))
	require.NoError(t, err)
	d = d.AddResource().SetCell(0, document.Class, "cg").SetCell(0, document.SLnos, "1.1").SetCell(1, document.SLcrs, "1.5")
	d = d.SetCell(1, document.ID, "2").SetCell(1, document.Runtime, "1").SetCell(2, document.Runtime, "3").SetCell(2, document.Amounts, "1")
	d = d.SetMachineText(1, "2").SetMachineText(2, "2").SetMachineText(5, "2").EditSlowdown(func(s *document.Slowdown) {
		s.RandomUnlisted, s.Seed, s.Pairs, s.UnknownFields = true, "7", "1 next to 2: 1.1\n", scenario.Fields{{Name: "source", JSON: `"me"`}}
	})
	c := newFiles(t)
	c.Do("", d)
	require.NotNil(t, c.Plan, "%v", c.Bad)
	again := reopenLink(t, c)
	require.Equal(t, c.Plan.Run, again.Plan.Run)
	require.Equal(t, c.Plan.Jobs(), again.Plan.Jobs())
	require.Equal(t, shownSlowdown(d), shownSlowdown(*again.Doc()))
	require.Equal(t, currentLink(c), linkDocumentOf(again.Doc(), again.Bad))
	require.Empty(t, currentLink(c).Typed)
	s, err := scenario.Parse(c.Doc().File(c.Plan))
	require.NoError(t, err)
	require.Equal(t, 2, s.Machine.JobsPerNode)
	saved := document.FromScenario(s, document.Rows{})
	require.Equal(t, shownSlowdown(d), shownSlowdown(saved))
	require.NoError(t, s.Validate())

	half := d.SetCell(0, document.SLnos, "1.x").SetCell(2, document.SLcrs, "x").SetCell(2, document.Amounts, "y").SetMachineText(5, "2x").SetMachineText(3, "")
	half = half.EditSlowdown(func(s *document.Slowdown) { s.Seed, s.Pairs = "7 or", "1 next to : 1.2\n2 next to 1: 1.x\n" })
	c.Do("", half)
	require.Len(t, c.Bad, 8)
	again = reopenLink(t, c)
	require.Equal(t, shownSlowdown(half), shownSlowdown(*again.Doc()))
	require.Equal(t, half.Machine, again.Doc().Machine)
	require.Equal(t, c.Bad, again.Bad)
	require.Equal(t, currentLink(c), linkDocumentOf(again.Doc(), again.Bad))
	for col := document.ID; col <= document.Amounts; col++ {
		for row := range 3 {
			have, want := again.Doc().Rows.At(row), c.Doc().Rows.At(row)
			require.Equal(t, want.Text(col), have.Text(col), "row %d, column %d", row, col)
		}
	}
	twice := d.EditSlowdown(func(s *document.Slowdown) { s.Pairs += "\n2 next to 1: 1.20\n" + s.Pairs })
	c.Do("", twice)
	require.Equal(t, shownSlowdown(twice), shownSlowdown(*reopenLink(t, c).Doc()), "a pair that is listed twice")
}

// shownSlowdown returns the values in the fields of slowdowns.
func shownSlowdown(d document.Doc) []any {
	s := d.Slowdown
	return []any{s.RandomUnlisted, s.Seed, s.Classes, s.Pairs, s.UnknownFields}
}

// Neither an edit of the machine nor a link removes an empty slowdown object of a scenario.
func TestEmptySlowdownStays(t *testing.T) {
	d, err := document.Read([]byte(strings.Replace(odd, `"policies"`, `"slowdown":{},"policies"`, 1)))
	require.NoError(t, err)
	c := newFiles(t)
	c.Do("", d.SetMachineText(0, "9"))
	require.NotNil(t, c.Doc().Slowdown)
	require.NotNil(t, reopenLink(t, c).Doc().Scenario().Slowdown)
}

// If nobody has accepted the proposed machine, the page asks for it again after a reload. This
// holds for scenarios from the address and from the database.
func TestTheOpenQuestionAboutTheMachineIsStored(t *testing.T) {
	c := oddFiles(t)
	d := *c.Doc()
	d.MachineIsProposed = true
	c.ReplaceUnchecked("", d)
	require.True(t, reopenLink(t, c).AsksMachine())
	h := head{LinkWithoutJobs: link.Pack(linkWithoutJobs(c.Doc()))}
	kept, err := savedDocument(&h, nil, document.NoPause)
	require.NoError(t, err)
	require.True(t, kept.MachineIsProposed)
	d.MachineIsProposed = false
	c.ReplaceUnchecked("", d)
	require.False(t, reopenLink(t, c).AsksMachine())
}

// A reload preserves the marks of jobs that were killed at their estimates, also when the page saves the
// scenario in parts.
func TestKilledJobsSurviveLinks(t *testing.T) {
	d, err := document.Read([]byte(`{"version":1,"machine":{"nodes":4},"workload":{"jobs":[
{"id":"1","submit":0,"procs":2,"estimate":9,"runtime":9},{"id":"2","submit":1,"procs":2,"estimate":9,"runtime":9,"killed":true}]},"policies":[{"name":"easy"}]}`))
	require.NoError(t, err)
	c := newFiles(t)
	c.Session.Open(d)
	c.Plan, c.Bad = c.Doc().Check()
	killed := func(r document.Row) bool { return r.Job().Killed }
	for _, again := range []*document.Doc{c.Doc(), reopenLink(t, c).Doc()} {
		require.False(t, killed(again.Rows.At(0)))
		require.True(t, killed(again.Rows.At(1)))
	}
	rows, _, err := decodePart(partBytes(c.Doc(), c.Doc().Rows))
	require.NoError(t, err)
	require.True(t, killed(rows.At(1)))
	require.False(t, killed(c.Doc().SetCell(1, document.Runtime, "5").Rows.At(1)), "a typed runtime is an end")
}

// If the user cancels the generation of the jobs of a link, the page says that it shows another scenario. The address
// keeps the link until an edit.
func TestCancelledDrawingOfALink(t *testing.T) {
	c := newFiles(t)
	s := &scenario.Scenario{Policies: []scenario.Policy{{Name: "easy"}}}
	s.Machine.Nodes, s.Machine.Processors, s.Machine.Cores = 128, 1, 1
	s.Workload.Generator = &scenario.Generator{Name: "lublin", Parameters: map[string]string{"jobs": "3000"}, Seed: 1}
	f := link.Fragment{Version: link.Version, Payload: link.EncodePayload(link.DeflateStored(link.Pack(&link.Document{Scenario: s})))}
	require.True(t, c.openLink(f.String(), true))
	require.False(t, c.IsUngenerated(), "while the worker draws")
	c.link.generating = 7
	c.HandleFailure(6)
	require.False(t, c.IsUngenerated())
	c.HandleFailure(7)
	require.True(t, c.HasRecovery() && c.IsUngenerated())
	require.Equal(t, "The link was not opened, because its jobs were not generated. The page still shows “EASY and conservative backfilling”.", c.UngeneratedText())
	title := c.Doc().Title
	c.Doc().Title = ""
	require.Equal(t, "The link was not opened, because its jobs were not generated. The page still shows the previous scenario.", c.UngeneratedText())
	c.Doc().Title = title
	c.GenerateAgain()
	require.False(t, c.IsUngenerated())
	c.link.generating = 8
	c.HandleWorkerLoss()
	require.True(t, c.IsUngenerated())
	c.Do("", c.Doc().SetKnob(0, "order", "sjf"))
	require.False(t, c.IsUngenerated(), "the person works with the scenario shown")
}

// A reload keeps the report on the opened file, but not the file. The report is dropped together with the jobs.
func TestTheReportIsStored(t *testing.T) {
	c, r, k := newFiles(t), &records{has: map[string][]byte{}}, &documentSaver{page: "a"}
	d := big(t, 10)
	d.Origin = d.Rows
	c.Session.Open(d)
	opened := &protocol.Opened{Name: "day.sacct", Report: []string{"12 records read, 10 jobs kept.", "Dropped 2 records of job steps."}, Dropped: "2 records of job steps",
		Altered: 1, TooWide: 1, HasStarts: true, Scenario: []byte(odd), Records: &protocol.Records{RecordsChoice: protocol.RecordsChoice{SubmitTime: "submit"}, Actual: protocol.Waits{Jobs: 10}}}
	c.AddSource(session.Source{Opened: opened, Jobs: c.Doc().Origin})
	require.NoError(t, c.keepIn(k, r, document.NoPause))
	require.NotContains(t, string(r.has[reportKey("a")]), "machine", "the scenario is stored already")

	again := newFiles(t)
	report := r.has[reportKey("a")]
	delete(r.has, reportKey("a"))
	again.Session.Open(r.read(t, "a"))
	require.False(t, again.HasReport(), "an earlier version stored no report")
	again.restoreReport(nil)
	again.restoreReport([]byte("{"))
	require.False(t, again.HasReport())
	again.restoreReport(report)
	require.Equal(t, "12 records read, 10 jobs kept. Dropped: 2 records of job steps. Altered: 1 value.", again.ReportSummary())
	require.Equal(t, 10, again.Source().Records.Actual.Jobs)
	require.True(t, again.External.NeedsFile())
	require.Equal(t, "The page no longer has the file day.sacct.", again.External.FileText())
	require.False(t, again.CanWiden(), "this needs the file")
	require.Nil(t, again.Records(), "this needs the file")

	again.ReplaceUnchecked("", again.Doc().SetCell(0, document.Procs, "1"))
	require.Contains(t, string(again.storedReport()), `"submitTime":"submit"`)
	require.NotContains(t, string(again.storedReport()), `"jobs":10`, "the jobs are no longer those of the records")

	require.NoError(t, c.keepIn(k, r, document.NoPause))
	c.ReplaceUnchecked("", big(t, 10))
	require.Nil(t, c.storedReport())
	require.NoError(t, c.keepIn(k, r, document.NoPause))
	require.NotContains(t, r.has, reportKey("a"))
}
