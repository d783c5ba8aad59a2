package docs

import (
	"encoding/csv"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/log"
	"backfill-lab/core/sim"
	"backfill-lab/core/sweep"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/link"
)

// TestOpenRun checks that the link to a run of a study contains the jobs and policies of the run, and the
// knobs that the workload of the run sets. It also checks that two studies have no link: one needs a trace,
// and the other one searches for the arrival rate.
func TestOpenRun(t *testing.T) {
	text, err := runLink("jin-fig11")
	require.NoError(t, err)
	address, _ := strings.CutPrefix(text, ", [a run in the page](../index.html#")
	f := link.Parse(strings.TrimSuffix(address, ")"))
	d, err := link.DecodePayload(f.Version, f.Payload)
	require.NoError(t, err)
	s := d.Scenario
	require.NoError(t, s.Validate())
	require.Equal(t, "lublin", s.Workload.Generator.Name)
	require.Equal(t, int64(71), s.Workload.Generator.Seed)
	require.Len(t, s.Policies, 2)
	require.Equal(t, []string{"FF", ""}, []string{s.Policies[0].Title, s.Policies[1].Title}, "the workload sets a knob of the second")
	require.Equal(t, "5", s.Policies[1].Knobs["inner.lookahead"])
	for _, name := range []string{"lindsay-fig5", "leinberger-fig2"} {
		text, err := runLink(name)
		require.NoError(t, err)
		require.Empty(t, text, name)
	}
	_, err = runLink("no-study")
	require.Error(t, err)
}

// TestLinksOfClaims checks every link in the sections of the chapters about claims. A link that opens
// the page must name a lesson, or contain a scenario in which every policy accepts the jobs. Any other
// link must lead to a valid definition or table.
func TestLinksOfClaims(t *testing.T) {
	chapters, err := filepath.Glob("../../docs/claims-*.md")
	require.NoError(t, err)
	address := regexp.MustCompile(`href="([^"]*)"`)
	count := map[string]int{}
	for _, file := range chapters {
		p, _, err := readPage(&facts{root: "../.."}, strings.TrimSuffix(filepath.Base(file), ".md"))
		require.NoError(t, err)
		for _, section := range strings.Split(string(p.Body), "<h2")[1:] {
			_, id, _ := strings.Cut(section, `id="`)
			id, _, _ = strings.Cut(id, `"`)
			for _, m := range address.FindAllStringSubmatch(section, -1) {
				count[checkLink(t, id, html.UnescapeString(m[1]))]++
			}
		}
	}
	for _, kind := range []string{"lesson", "run", ".csv", ".json"} {
		require.Greater(t, count[kind], 10, "links of the kind %s", kind)
	}
}

// checkLink checks that a link of a claim opens, and returns the kind of the link.
func checkLink(t *testing.T, id, address string) string {
	t.Helper()
	fragment, toPage := strings.CutPrefix(address, "../index.html#")
	if !toPage {
		data, err := os.ReadFile(filepath.Join("../../public", strings.TrimPrefix(address, "../")))
		require.NoError(t, err, id)
		if kind := filepath.Ext(address); kind == ".csv" {
			_, err = csv.NewReader(strings.NewReader(string(data))).ReadAll()
		} else {
			require.Equal(t, ".json", kind, "%s: %s", id, address)
			_, err = sweep.Parse(data)
		}
		require.NoError(t, err, "%s: %s", id, address)
		return filepath.Ext(address)
	}
	f := link.Parse(fragment)
	if f.View.Lesson != "" {
		require.True(t, slices.ContainsFunc(lessons.List, func(l lessons.Lesson) bool { return l.Name == f.View.Lesson }), "%s: %s", id, f.View.Lesson)
		return "lesson"
	}
	d, err := link.DecodePayload(f.Version, f.Payload)
	require.NoError(t, err, id)
	up, err := d.Scenario.Setup()
	require.NoError(t, err, id)
	require.NotEmpty(t, d.Scenario.Policies, id)
	for i := range d.Scenario.Policies {
		c, err := up.Config(i, log.Decisions)
		require.NoError(t, err, id)
		_, err = sim.New(c)
		require.NoError(t, err, id)
	}
	return "run"
}
