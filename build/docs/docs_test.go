package docs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeProject creates a project with the given Markdown files, and returns its folder. The keys of texts are the
// names of the files below docs/, without .md.
func writeProject(t *testing.T, texts map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range texts {
		file := filepath.Join(root, "docs", name+".md")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return root
}

// TestRead checks the table of contents, the pages and the search index of a small set of pages.
func TestRead(t *testing.T) {
	d, err := Read(writeProject(t, map[string]string{
		"index":         "# All\n\n## Part\n\n- [A](a.md): words\n- [FCFS](policies/fcfs.md)\n",
		"a":             "# A\n\n## Fields\n\n| field | what |\n|---|---|\n| `from`, `-in FILE` | see [B](policies/fcfs.md#knobs) |\n\n```csv a.csv\na<b\n```\n\n{{commands}}\n",
		"policies/fcfs": "{{policy}}\n\n## Knobs\n\n{{knobs}}\n",
	}), "## run\n\nIt runs.\n")
	require.NoError(t, err)
	require.Equal(t, []Part{{"Part", []Link{{"a", "A"}, {"policies/fcfs", "FCFS"}}}}, d.Parts)
	a := d.Pages[1]
	require.Equal(t, []Section{{"fields", "Fields"}, {"run", "run"}}, a.Sections)
	for _, part := range []string{`<code id="fields-from">`, `<code id="fields-in">`, `href="policies/fcfs.html#knobs"`, `<p class="file">a.csv</p>`, "a&lt;b", "It runs."} {
		require.Contains(t, string(a.Body), part)
	}
	require.Contains(t, string(d.Pages[2].Body), `<code id="knobs-order">`)
	require.Equal(t, "FCFS", d.Pages[2].Title)

	page, err := d.HTML(d.Pages[2], func(name string) string { return name + "?" })
	require.NoError(t, err)
	for _, part := range []string{`href="../../css/docs.css?"`, `href="../a.html"`, `aria-current="page"`, `<a rel="prev" href="../a.html">`} {
		require.Contains(t, string(page), part)
	}
	index, err := d.Index()
	require.NoError(t, err)
	require.Contains(t, string(index), `["fields-from","Fields","from, -in FILE see B"]`)
}

// TestReadErrors checks the errors for invalid Markdown files.
func TestReadErrors(t *testing.T) {
	for want, texts := range map[string]map[string]string{
		"docs/index.md has two links to b.md":      {"index": "# All\n\n## P\n\n[B](b.md), [B](b.md)\n", "b": "# B\n"},
		"docs/index.md has no link to b.md":        {"index": "# All\n", "b": "# B\n"},
		"docs/b.md: expected a heading of level 1": {"index": "# All\n\n## P\n\n[B](b.md)\n", "b": "words\n"},
		`function "nonsense" not defined`:          {"index": "# All {{nonsense}}\n"},
		"expected one of fcfs, first-fit":          {"index": "# All\n\n## P\n\n[B](b.md)\n", "b": "{{policy}}\n"},
		"no such file or directory":                {"index": "# All\n\n## P\n\n[B](b.md)\n"},
	} {
		_, err := Read(writeProject(t, texts), "")
		require.ErrorContains(t, err, want)
	}
}
