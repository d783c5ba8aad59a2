package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/build/docs"
	"backfill-lab/core/log"
	policies "backfill-lab/core/policy/registry"
	models "backfill-lab/core/workload/generator/registry"
)

// These expressions match the addresses of links and the ids of elements on a page.
var (
	hrefs = regexp.MustCompile(`href="([^"]*)"`)
	ids   = regexp.MustCompile(` id="([^"]*)"`)
)

// pages returns the documentation, its pages as HTML by name, and the set of valid link targets. A target
// is the name of a page, or the name followed by # and an id on the page.
func pages(t *testing.T) (*docs.Docs, map[string]string, map[string]bool) {
	t.Helper()
	root, err := repoRoot()
	require.NoError(t, err)
	d, err := readDocs(root)
	require.NoError(t, err)
	html, targets := map[string]string{}, map[string]bool{}
	for _, p := range d.Pages {
		page, err := d.HTML(p, func(name string) string { return name })
		require.NoError(t, err)
		name := "docs/" + p.Name + ".html"
		html[name], targets[name] = string(page), true
		for _, m := range ids.FindAllStringSubmatch(string(page), -1) {
			target := name + "#" + m[1]
			require.False(t, targets[target], "%s exists twice", target)
			targets[target] = true
		}
	}
	return d, html, targets
}

// TestDocumentationHasNoBrokenLinks checks that every relative link leads to a page, an id or a file.
func TestDocumentationHasNoBrokenLinks(t *testing.T) {
	_, html, targets := pages(t)
	root, err := repoRoot()
	require.NoError(t, err)
	for name, page := range html {
		for _, m := range hrefs.FindAllStringSubmatch(page, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") || strings.HasSuffix(to, "../index.html") {
				continue // an address, or a link to the page with options
			}
			target := path.Join(path.Dir(name), to)
			if to == "" {
				target = name
			}
			if anchor != "" {
				target += "#" + anchor
			}
			if !targets[target] && target != "docs/index.js" && target != "index.html" && target != "js/docs.js" {
				require.FileExists(t, filepath.Join(root, "public", target), "%s: %s", name, m[1])
			}
		}
	}
}

// TestDocumentationIsComplete checks that every policy, knob, preset, model, metric, reason and
// kind of log record has an entry. It checks only one flag of one command, because
// TestManualHasAllCommandsAndFlags checks the others.
func TestDocumentationIsComplete(t *testing.T) {
	_, html, targets := pages(t)
	requireEntry := func(page, id string) {
		t.Helper()
		require.True(t, targets["docs/"+page+"#"+id], "%s has no entry %s", page, id)
	}
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	for _, s := range policies.All {
		page := "policies/" + s.Name + ".html"
		require.Contains(t, string(readme), "`"+s.Name+"`", "README.md does not name the policy %s", s.Name)
		for _, k := range s.Knobs {
			requireEntry(page, "knobs-"+k.Name)
		}
		require.Contains(t, html["docs/policies.html"], `href="`+page)
		require.Contains(t, html["docs/"+page], `<h2 id="pseudo-code">`)
		require.Contains(t, html["docs/"+page], "$ backfill ", "%s needs an example", page)
	}
	for _, p := range policies.Presets {
		requireEntry("policies/"+p.Policy+".html", "presets-"+p.Name)
	}
	for _, s := range models.All {
		require.Contains(t, html["docs/models.html"], "<code>"+s.Name+"</code>")
		for _, k := range s.Knobs {
			require.Contains(t, html["docs/models.html"], "-"+k.Name+`"`)
		}
	}
	requireEntry("commands.html", "run-in")
	for _, m := range docs.Metrics() {
		requireEntry("metrics.html", "all-metrics-"+m.Name)
	}
	for _, c := range log.Codes {
		requireEntry("reasons.html", "all-reasons-"+c.Name)
	}
	for _, k := range log.Kinds {
		requireEntry("log.html", "records-"+k.Name)
	}
}

// TestDocumentationHasAllFieldsAndOptions checks that every field of a file format and every option
// of a link has an entry in the documentation. It finds the names of the fields and options in the
// source code that reads or writes them.
func TestDocumentationHasAllFieldsAndOptions(t *testing.T) {
	_, _, targets := pages(t)
	for _, x := range []struct{ file, pattern, page string }{
		{"core/scenario/format.go", `w\.(?:field|intField|textField|floatField|knobs|word|\w+)\("([\w-]+)"`, "formats.html"},
		{"core/scenario/outages.go", `field\("(\w+)"\)|textField\("(\w+)"`, "formats.html"},
		{"core/scenario/slowdown.go", `ield\("([\w-]+)"`, "formats.html"},
		{"core/workload/csv/columns.go", `"(\w+)": \w+,`, "formats.html"},
		{"core/schedule/csv.go", `Columns = .*`, "formats.html"},
		{"ui/link/options.go", `(?:word\(|\t\{)"(\w+)"`, "links.html"},
	} {
		source, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(x.file)))
		require.NoError(t, err)
		found := regexp.MustCompile(x.pattern).FindAllString(string(source), -1)
		require.NotEmpty(t, found, x.file)
		for _, m := range regexp.MustCompile(`"([\w-]+)"`).FindAllStringSubmatch(strings.Join(found, " "), -1) {
			hasEntry := false
			for target := range targets {
				page, id, _ := strings.Cut(target, "#")
				hasEntry = hasEntry || page == "docs/"+x.page && strings.HasSuffix(strings.ToLower("-"+id), "-"+strings.ToLower(m[1]))
			}
			require.True(t, hasEntry, "%s has no entry for %s of %s", x.page, m[1], x.file)
		}
	}
}
