package link

import (
	"bytes"
	"compress/flate"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/slowdown"
	"backfill-lab/public/examples"
)

// deflate compresses data as the browser does.
func deflate(t require.TestingT, data []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// example returns the content of a link to example i of the page.
func example(t require.TestingT, i int) *Document {
	s, err := scenario.Parse([]byte(examples.List[i].Scenario))
	require.NoError(t, err)
	return &Document{Scenario: s}
}

// firstExample returns the scenario in the first links that were ever made. The first example of the
// page may have changed since.
func firstExample(t require.TestingT) *Document {
	text, err := os.ReadFile("testdata/first.json")
	require.NoError(t, err)
	s, err := scenario.Parse(text)
	require.NoError(t, err)
	return &Document{Scenario: s}
}

func TestExamplesRoundTrip(t *testing.T) {
	for i, x := range examples.List {
		d := example(t, i)
		payload := EncodePayload(deflate(t, Pack(d)))
		t.Logf("%s: %d characters", x.Name, len(payload))
		got, err := DecodePayload(Version, payload)
		require.NoError(t, err, x.Name)
		require.Equal(t, d, got, x.Name)
		require.Equal(t, string(scenario.Format(d.Scenario)), string(scenario.Format(got.Scenario)))
	}
}

// number generates numbers, most of them small. Some are invalid as a field of a job.
var number = rapid.OneOf(rapid.Int64Range(-5, 100), rapid.Int64())

func drawJob(t *rapid.T) job.Job {
	j := job.Job{ID: rapid.String().Draw(t, "id"), Runtime: number.Draw(t, "runtime")}
	j.Submit, j.Procs, j.Estimate = number.Draw(t, "submit"), int(number.Draw(t, "procs")), number.Draw(t, "estimate")
	switch rapid.IntRange(0, 5).Draw(t, "more") {
	case 0:
		j.More = &job.More{User: "ann", Class: "short", SLnos: 1.25}
	case 1:
		j.More = &job.More{Extra: []int64{0, rapid.Int64Range(1, 9).Draw(t, "extra")}}
	case 2:
		j.More = &job.More{Speedup: &job.Speedup{L: 100, A: rapid.Float64Range(1, 99).Draw(t, "A"), Sigma: 0.5}}
	case 3:
		j.More = &job.More{Speedup: &job.Speedup{Table: []int64{9, 5, 4}}}
	}
	return j
}

func drawDocument(t *rapid.T) *Document {
	s := &scenario.Scenario{Title: rapid.String().Draw(t, "title"), Text: rapid.String().Draw(t, "text")}
	s.Machine.Machine = cluster.Machine{Nodes: rapid.IntRange(1, 1000).Draw(t, "nodes"), Processors: 2, Cores: 3}
	s.Machine.Resources = []cluster.Resource{{Name: "disk", Capacity: 4}, {Name: "gpu", Capacity: 9}}
	s.Workload.Jobs = rapid.SliceOfN(rapid.Custom(drawJob), 0, 30).Draw(t, "jobs")
	if rapid.Bool().Draw(t, "kept") && len(s.Workload.Jobs) > 0 {
		s.Workload.JobsUnknown = make([]scenario.Fields, len(s.Workload.Jobs))
		s.Workload.JobsUnknown[0] = scenario.Fields{{Name: "colour", JSON: `"red"`}}
	}
	s.Policies = []scenario.Policy{{Name: "easy", Knobs: map[string]string{"order": rapid.String().Draw(t, "knob")}}}
	d := &Document{Scenario: s}
	if rapid.IntRange(0, 3).Draw(t, "generator") == 0 {
		s.Workload = scenario.Workload{Generator: &scenario.Generator{Name: rapid.StringMatching(`[a-z]+`).Draw(t, "model"), Parameters: map[string]string{"jobs": rapid.StringMatching(`[a-z]+|[1-9][0-9]*`).Draw(t, "parameter")}, Seed: int64(rapid.Uint32().Draw(t, "seed"))}}
	}
	for row := -1; row < len(s.Workload.Jobs); row++ {
		if rapid.IntRange(0, 4).Draw(t, "typed") == 0 {
			lastColumn := FirstAmount + len(s.Machine.Resources) + maxTraits - 1
			if row < 0 {
				lastColumn = 2 + 2*len(s.Machine.Resources) + machineTexts
			}
			d.Typed = append(d.Typed, Typed{row, rapid.IntRange(0, lastColumn).Draw(t, "column"), rapid.String().Draw(t, "text")})
		}
	}
	return d
}

func TestAnyDocumentRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		if w := &d.Scenario.Workload; len(w.Jobs) == 0 && w.Generator == nil {
			d.Scenario.Workload.Jobs = []job.Job{}
		}
		for _, payload := range []string{EncodePayload(deflate(t, Pack(d))), EncodePayload(DeflateStored(Pack(d)))} {
			got, err := DecodePayload(Version, payload)
			require.NoError(t, err)
			require.Equal(t, d, got)
		}
	})
}

// The first link ever made, in testdata/v1.txt, must open forever. Never change that file.
func TestFirstVersionOpens(t *testing.T) {
	text, err := os.ReadFile("testdata/v1.txt")
	require.NoError(t, err)
	f := Parse(strings.TrimSpace(string(text)))
	require.Equal(t, 1, f.Version)
	require.Equal(t, View{Window: true, From: 5, To: 30, Cursor: 7, Job: "4", Tab: "policies"}, f.View)
	require.Equal(t, []Option{{"embed", "1"}}, f.Others)
	d, err := DecodePayload(f.Version, f.Payload)
	require.NoError(t, err)
	want := firstExample(t)
	want.Scenario.Workload.Jobs[3].Submit = -2
	want.Scenario.Workload.Jobs[4].More = &job.More{User: "ann"}
	want.Typed = []Typed{{-1, 0, "8x"}, {2, 3, "half ty"}}
	require.Equal(t, want, d)
}

// A link of the first version with extra resources and speedup curves must also open forever.
func TestLinkWithResourcesOpens(t *testing.T) {
	text, err := os.ReadFile("testdata/v1-resources.txt")
	require.NoError(t, err)
	f := Parse(strings.TrimSpace(string(text)))
	d, err := DecodePayload(f.Version, f.Payload)
	require.NoError(t, err)
	require.Equal(t, withResources(t), d)
}

func withResources(t require.TestingT) *Document {
	d := firstExample(t)
	m, jobs := &d.Scenario.Machine, d.Scenario.Workload.Jobs
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 64}, {Name: "gpu", Capacity: 1}}
	m.ResourcesUnknown = []scenario.Fields{{{Name: "unit", JSON: `"GB"`}}, nil}
	jobs[0].More = &job.More{Extra: []int64{12, 0}, Speedup: &job.Speedup{L: 40, A: 4.5, Sigma: 0.25}}
	jobs[1].More = &job.More{Speedup: &job.Speedup{Table: []int64{9, 6, 4}}}
	jobs[5].More = &job.More{Extra: []int64{0, 1}}
	d.Typed = []Typed{{-1, 5, ""}, {-1, 6, "4 of"}, {2, 6, "2.5"}, {4, FirstAmount, "99"}, {5, FirstAmount + 1, "x"}}
	return d
}

func TestUnknownColumnsAreErrors(t *testing.T) {
	for _, x := range []Typed{{-1, 7 + machineTexts, "x"}, {0, FirstAmount + 2 + maxTraits, "x"}} {
		d := withResources(t)
		d.Typed = []Typed{x}
		_, err := Unpack(Pack(d))
		require.ErrorContains(t, err, "do not exist")
	}
}

func TestFragmentRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Fragment{Version: Version, View: Whole, Payload: rapid.StringMatching(`[A-Za-z0-9_-]+`).Draw(t, "s")}
		if f.View.Window = rapid.Bool().Draw(t, "window"); f.View.Window {
			f.View.From = rapid.Int64Range(0, 1e12).Draw(t, "from")
			f.View.To = f.View.From + rapid.Int64Range(1, 1e9).Draw(t, "span")
		}
		f.View.Cursor = rapid.Int64Range(-1, 1e12).Draw(t, "cursor")
		f.View.Job = rapid.String().Draw(t, "job")
		f.View.Tab = rapid.SampledFrom([]string{"", "machine", "policies"}).Draw(t, "tab")
		f.View.Lesson = rapid.SampledFrom([]string{"", "figure-1"}).Draw(t, "lesson")
		f.Lesson = rapid.StringMatching(`[A-Za-z0-9_-]*`).Draw(t, "l")
		f.View.Step = rapid.IntRange(0, 9).Draw(t, "step")
		f.View.Colour = rapid.SampledFrom([]string{"", "wait"}).Draw(t, "colour")
		f.View.Base = rapid.IntRange(0, 3).Draw(t, "base")
		f.Others = []Option{{"embed", rapid.String().Draw(t, "other")}}
		require.Equal(t, f, Parse(f.String()))
	})
	require.Empty(t, Fragment{Version: 1, View: Whole}.String())
	require.Equal(t, Fragment{View: Whole, Others: []Option{{"charts", ""}}}, Parse("charts"))
	require.Equal(t, Fragment{View: Whole}, Parse("t=9,2&at=x&step=-1&"), "invalid options are ignored")
	require.Equal(t, "50%", Parse("job=50%").View.Job)
}

func TestBrokenLinksAreExplained(t *testing.T) {
	good := Pack(example(t, 0))
	bomb := EncodePayload(deflate(t, make([]byte, MaxBytes+1)))
	many := example(t, 0)
	for range scenario.MaxPolicies - 1 {
		many.Scenario.Policies = append(many.Scenario.Policies, scenario.Policy{Name: "easy"})
	}
	both := example(t, 0)
	both.Scenario.Workload.Generator = &scenario.Generator{Name: "lublin"}
	row := example(t, 0)
	row.Typed = []Typed{{99, 0, "x"}}
	for want, got := range map[string]func() (*Document, error){
		"has no version":                  func() (*Document, error) { return DecodePayload(0, EncodePayload(good)) },
		"a later version of Backfill Lab": func() (*Document, error) { return DecodePayload(Version+1, EncodePayload(good)) },
		"invalid characters":              func() (*Document, error) { return DecodePayload(1, "a b") },
		"incomplete or damaged":           func() (*Document, error) { return DecodePayload(1, EncodePayload(deflate(t, good))[:100]) },
		"more than 8388608":               func() (*Document, error) { return DecodePayload(1, bomb) },
		"the link is incomplete":          func() (*Document, error) { return Unpack(good[:len(good)-2]) },
		"cannot be read":                  func() (*Document, error) { return Unpack([]byte("\x02{}")) },
		"33 policies":                     func() (*Document, error) { return Unpack(Pack(many)) },
		"do not exist":                    func() (*Document, error) { return Unpack(Pack(row)) },
		"rows or fields that":             func() (*Document, error) { return Unpack(Pack(both)) },
	} {
		d, err := got()
		require.ErrorContains(t, err, want)
		require.Nil(t, d)
	}
	_, err := Unpack(append(bytes.Clone(good), 0))
	require.Error(t, err, "no data may follow")
}

func FuzzDecode(f *testing.F) {
	for i := range examples.List {
		f.Add(Pack(example(f, i)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := inflate(data); err != nil {
			require.NotEmpty(t, err.Error())
		}
		Parse(string(data))
		d, err := Unpack(data)
		if err != nil {
			return
		}
		require.LessOrEqual(t, 4*len(d.Scenario.Workload.Jobs), len(data))
		again, err := Unpack(Pack(d))
		require.NoError(t, err)
		require.Equal(t, Pack(d), Pack(again))
	})
}

// A link of the first version with application classes and slowdowns of jobs must also open forever.
func TestLinkWithSlowdownsOpens(t *testing.T) {
	text, err := os.ReadFile("testdata/v1-slowdowns.txt")
	require.NoError(t, err)
	f := Parse(strings.TrimSpace(string(text)))
	d, err := DecodePayload(f.Version, f.Payload)
	require.NoError(t, err)
	require.Equal(t, withSlowdowns(t), d)
}

func withSlowdowns(t require.TestingT) *Document {
	d := withResources(t)
	m, jobs := &d.Scenario.Machine, d.Scenario.Workload.Jobs
	m.Processors, m.Cores, m.JobsPerNode = 2, 2, 2
	jobs[0].More.Class, jobs[0].More.SLnos = "cg", 1.25
	jobs[1].More.SLcrs = 1.5
	d.Scenario.Slowdown = &scenario.Slowdown{Model: slowdown.Model{Drawn: true, Seed: 7}, UnknownFields: scenario.Fields{{Name: "source", JSON: `"me"`}}}
	jobs[2].More = &job.More{Class: "lu"}
	d.Typed = []Typed{{-1, 7, "2x"}, {-1, 8, "7."}, {-1, 9, "1 next to 2: 1."},
		{2, FirstAmount + 2, "cg 2"}, {2, FirstAmount + 3, "x"}, {4, FirstAmount + 4, "101"}}
	return d
}

// Frame reads the frame options. String keeps them but drops policies, which become part of
// the scenario. Unframed drops the frame options.
func TestFrame(t *testing.T) {
	f := Parse("v=1&embed=1&show=charts,%20jobs,,why&lock=machine&policy=easy,pc&allow=https%3A%2F%2Fa.example&x=1&s=abc")
	require.Equal(t, Frame{Embed: true, Show: []string{"charts", "jobs", "why"}, Lock: []string{"machine"}}, f.Frame())
	require.Equal(t, []string{"easy", "pc"}, f.Policies)
	require.Equal(t, "v=1&embed=1&show=charts,%20jobs,,why&lock=machine&allow=https%3A%2F%2Fa.example&x=1&s=abc", f.String())
	require.Equal(t, "v=1&x=1&s=abc", f.Unframed().String())
	require.Equal(t, Frame{}, Parse("v=1&embed=yes").Frame())
}
