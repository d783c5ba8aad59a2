package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/registry"
)

// TestClaims checks that the command claims writes the book of claims, that it prints what
// changed since the previous book, and that it reports a missing table by name.
func TestClaims(t *testing.T) {
	dir := t.TempDir()
	tables := filepath.Join(dir, "tables")
	require.NoError(t, os.CopyFS(tables, os.DirFS("../../../public/studies")))
	out, text, code := execute(nil, "claims", "-tables", tables, "-out", dir)
	require.Zero(t, code, text)
	require.Empty(t, out, "nothing changed")
	require.Contains(t, text, "0 verdicts and values changed")
	for _, name := range []string{"claims", "claims-jin"} {
		require.Equal(t, readText(t, filepath.Join("../../../docs", name+".md")), readText(t, filepath.Join(dir, name+".md")))
	}

	file := filepath.Join(tables, "jin-fig9.csv")
	changed := strings.Replace(readText(t, file), "as it is,14.53,3.96", "as it is,10.53,3.96", 1)
	require.NoError(t, os.WriteFile(file, []byte(changed), 0o666))
	out, _, code = execute(nil, "claims", "-tables", tables, "-out", dir)
	require.Zero(t, code)
	require.Equal(t, "J9: was in part, is holds\nJ9, gain of G1 on W1, long: was 14.53 ± 3.96 %, expected 10.49 (paper) (no), is 10.53 ± 3.96 %, expected 10.49 (paper) (holds)\n", out)

	require.NoError(t, os.Remove(file))
	_, text, code = execute(nil, "claims", "-tables", tables, "-out", dir)
	require.Equal(t, 1, code)
	require.Contains(t, text, "jin-fig9.csv")
}

// TestCommandsOfClaims checks that each claim in the book has a command, and that the command can
// run. A command of this program must exist and accept its flags. A study, its policies and their
// knobs must exist. The test or benchmark that a go command runs must exist.
func TestCommandsOfClaims(t *testing.T) {
	traces := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(traces, "a.swf"), nil, 0o666))
	chapters, err := filepath.Glob("../../../docs/claims-*.md")
	require.NoError(t, err)
	require.Len(t, chapters, 5)
	command := regexp.MustCompile("(?m)^- `(backfill|go test) (.*?)`")
	claims := 0
	for _, file := range chapters {
		for _, section := range strings.Split(readText(t, file), "\n## ")[1:] {
			id, text, _ := strings.Cut(section, "\n")
			found := command.FindAllStringSubmatch(text, -1)
			require.NotEmpty(t, found, "%s: no command", id)
			for _, m := range found {
				words := strings.Fields(strings.Replace(m[2], "TRACES", traces, 1))
				if m[1] == "go test" {
					checkGoTest(t, id, words)
				} else {
					checkClaimCommand(t, id, words)
				}
			}
			claims++
		}
	}
	require.Equal(t, 79, claims)
}

// checkClaimCommand checks that a command line parses, and that its study and the policies of the
// study exist.
func checkClaimCommand(t *testing.T, id string, words []string) {
	t.Helper()
	root := newRoot(&env{})
	c, rest, err := root.Find(longFlags(root, words))
	require.NoError(t, err, id)
	require.Equal(t, words[0], c.Name(), id)
	require.NoError(t, c.ParseFlags(rest), "%s: %v", id, words)
	if c.Name() != "study" {
		require.NoError(t, c.ValidateArgs(c.Flags().Args()), "%s: %v", id, words)
		return
	}
	studies, figures, _, err := (&studyOptions{}).selectStudies(c.Flags().Args())
	require.NoError(t, err, "%s: %v", id, words)
	require.Equal(t, 1, len(studies)+len(figures), "%s: %v", id, words)
	for _, x := range studies {
		cases := x.Cases()
		for _, k := range x.Runs {
			cases = append(cases, k)
		}
		for _, k := range cases {
			_, err := registry.New(k.Policy, k.Knobs)
			require.NoError(t, err, "%s: %v", id, words)
		}
	}
}

// checkGoTest checks that the packages named in a go test command contain the test or benchmark
// that the command runs.
func checkGoTest(t *testing.T, id string, words []string) {
	t.Helper()
	require.Contains(t, []int{3, 5}, len(words), "%s: %v", id, words)
	kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[words[1]]
	require.NotEmpty(t, kind, "%s: %v", id, words)
	name, _, _ := strings.Cut(words[2], "/")
	pattern := regexp.MustCompile(`(?m)^func ` + kind + strings.TrimPrefix(name, kind) + `\(`)
	folder, below := strings.CutSuffix(words[0], "/...")
	found := false
	require.NoError(t, filepath.WalkDir(filepath.Join("../../..", folder), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		inPackage := below || filepath.Dir(path) == filepath.Join("../../..", folder)
		found = found || inPackage && pattern.MatchString(readText(t, path))
		return nil
	}))
	require.True(t, found, "%s: no test for %v", id, words)
}
