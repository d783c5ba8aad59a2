package experiment_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
	"backfill-lab/core/policy/registry"
)

const studiesFolder = "../../public/studies/"

// claimPapers lists the papers that have a table of claims in public/studies/PAPER.md.
var claimPapers = []string{"jin", "leinberger", "lindsay", "wu", "zeng"}

var (
	claimHeader = []string{"#", "claim", "where", "paper", "here", "verdict"}
	verdicts    = []string{"holds", "in part", "no", "undecided"}
	exactSource = regexp.MustCompile(`exact \(([^)]+)\)`)
	studyName   = regexp.MustCompile(`\b(?:` + strings.Join(append([]string{"scojo"}, claimPapers...), "|") + `)-[a-z0-9]+(?:-[a-z0-9]+)*\b`)
)

// TestClaimTables checks that every claim has a verdict with evidence: an interval, or the name of a
// test, scenario or study. Every study named in the text must exist.
func TestClaimTables(t *testing.T) {
	known := knownNames(t)
	for _, paper := range claimPapers {
		t.Run(paper, func(t *testing.T) {
			data, err := os.ReadFile(studiesFolder + paper + ".md")
			require.NoError(t, err)
			text := string(data)
			claims := claimRows(t, text)
			require.NotEmpty(t, claims)
			for _, row := range claims {
				require.Empty(t, claimError(row, known), "%v", row)
			}
			for _, match := range studyName.FindAllStringIndex(text, -1) {
				if match[0] > 0 && text[match[0]-1] == '-' {
					continue // part of the name of a scenario
				}
				name := text[match[0]:match[1]]
				require.True(t, known[name], "%s: no study or preset of that name", name)
			}
		})
	}
}

// TestClaimPapers checks that claimPapers lists every paper that has a table of claims.
func TestClaimPapers(t *testing.T) {
	var found []string
	files, err := filepath.Glob(studiesFolder + "*.md")
	require.NoError(t, err)
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".md"); name != "README" && !strings.Contains(name, "-") {
			found = append(found, name)
		}
	}
	require.Equal(t, claimPapers, found)
}

// claimRows returns the rows of the only table in a text, without its header.
func claimRows(t *testing.T, text string) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	require.Greater(t, len(rows), 2)
	require.Equal(t, claimHeader, rows[0])
	return rows[2:]
}

// claimError returns the error in a row of a table of claims, or "" if the row is valid. Known holds the
// names that a row may give as evidence.
func claimError(row []string, known map[string]bool) string {
	if len(row) != len(claimHeader) {
		return fmt.Sprintf("expected %d cells, got %d", len(claimHeader), len(row))
	}
	here, verdict := row[4], row[5]
	if !slices.Contains(verdicts, verdict) {
		return fmt.Sprintf("expected a verdict of %s, got %q", strings.Join(verdicts, ", "), verdict)
	}
	named := exactSource.FindAllStringSubmatch(here, -1)
	for _, m := range named {
		for _, name := range strings.Split(m[1], ", ") {
			if !known[name] {
				return fmt.Sprintf("expected the name of a test, a scenario or a study, got %q", name)
			}
		}
	}
	if verdict != "undecided" && named == nil && !strings.Contains(here, "±") {
		return "expected an interval (±), or exact (NAME) with the name of a test, scenario or study"
	}
	return ""
}

// knownNames returns the names of all studies, presets, knobs, scenarios and tests.
func knownNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, s := range experiment.All() {
		names[s.Name] = true
	}
	for _, w := range experiment.AllWorkedFigures {
		names[w.Name] = true
	}
	for _, p := range registry.Presets {
		names[p.Name] = true
	}
	for _, spec := range registry.All {
		for _, k := range spec.Knobs {
			names[k.Name] = true
		}
	}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.Contains(filepath.ToSlash(path), "policytest/testdata/") {
			names["scenario "+d.Name()] = true
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(data, -1) {
			names[string(m[1])] = true
		}
		return err
	}))
	require.Greater(t, len(names), 100)
	return names
}

// TestClaimError checks that claimError finds errors in rows.
func TestClaimError(t *testing.T) {
	names := map[string]bool{"TestX": true}
	for here, valid := range map[string]bool{"5 ± 1 %": true, "5 %": false, "exact (TestX): 5": true, "exact (TestY)": false, "exact": false} {
		require.Equal(t, valid, claimError([]string{"K1", "c", "w", "p", here, "holds"}, names) == "", here)
	}
	require.Empty(t, claimError([]string{"K1", "c", "w", "p", "one run, no interval: 5", "undecided"}, names))
	require.NotEmpty(t, claimError([]string{"K1", "c", "w", "p", "5 ± 1 %", "yes"}, names))
	require.NotEmpty(t, claimError([]string{"K1", "c", "w", "p", "5 ± 1 %"}, names))
}
