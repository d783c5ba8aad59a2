package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"backfill-lab/core/knob"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	policies "backfill-lab/core/policy/registry"
	models "backfill-lab/core/workload/generator/registry"
)

// facts provides template functions that insert facts from the code as Markdown.
type facts struct {
	root     string // folder of the project
	commands string // output of `backfill manual`
}

// functions returns the template functions for the page with the given name. On a policy's page,
// some of these functions describe that policy.
func (f *facts) functions(name string) template.FuncMap {
	return template.FuncMap{
		"policies": listPolicies,
		"policy":   func() (string, error) { return describePolicy(name) },
		"knobs":    func() (string, error) { return policyKnobs(name) },
		"presets":  func() string { return listPresets(name) },
		"models":   listModels,
		"metrics":  listMetrics,
		"reasons":  listReasons,
		"limits":   listLimits,
		"commands": func() string { return f.commands },
		"keys":     f.keyTables,
		"section":  f.section,
		"openRun":  runLink,
	}
}

// listPolicies returns a table with all policies.
func listPolicies() string {
	var b strings.Builder
	b.WriteString("| name | description | promises starts | supports outages | source |\n|---|---|---|---|---|\n")
	for _, s := range policies.All {
		writeRow(&b, fmt.Sprintf("[`%s`](policies/%s.md)", s.Name, s.Name), escapeCell(s.Summary), yesNo(s.PromisesStarts), yesNo(s.HandlesOutages), escapeCell(s.Paper))
	}
	return b.String()
}

// describePolicy returns the beginning of the page about a policy.
func describePolicy(name string) (string, error) {
	s, err := policies.Find(name)
	if err != nil {
		return "", err
	}
	sentences := []string{"Source: " + escapeCell(s.Paper) + "."}
	if s.PromisesStarts {
		sentences = append(sentences, "It promises each job a latest start when the job is submitted.")
	}
	if !s.HandlesOutages {
		sentences = append(sentences, "It does not support machines with outages.")
	}
	return fmt.Sprintf("# %s\n\n%s\n\nName in scenarios and flags: `%s`. %s\n", s.Title, escapeCell(s.Summary), name, strings.Join(sentences, " ")), nil
}

// policyKnobs returns a paragraph that explains knobs, then a table of the knobs of a policy.
func policyKnobs(name string) (string, error) {
	s, err := policies.Find(name)
	if err != nil {
		return "", err
	}
	return "Knobs are the parameters of a policy. Files and flags use the names of knobs and values. The page shows titles instead: the title of a knob is after its name, the titles of its values are in brackets.\n\n" + listKnobs(s.Knobs), nil
}

// listKnobs returns a table with the given knobs.
func listKnobs(knobs []knob.Knob) string {
	if len(knobs) == 0 {
		return "It has no knobs.\n"
	}
	var b strings.Builder
	b.WriteString("| knob | default | values | meaning |\n|---|---|---|---|\n")
	for i := range knobs {
		k := &knobs[i]
		values := k.RangeWithTitles()
		if k.Unit != "" {
			values += " " + k.Unit
		}
		help := k.Help
		if c := k.Condition(); c != "" {
			help += " (" + c + ")"
		}
		writeRow(&b, "`"+k.Name+"`: "+escapeCell(k.Title), escapeCell(k.Default), escapeCell(values), escapeCell(help))
	}
	return b.String()
}

// listPresets returns a table with the presets of a policy.
func listPresets(name string) string {
	var b strings.Builder
	b.WriteString("| preset | meaning | knobs |\n|---|---|---|\n")
	for _, p := range policies.Presets {
		if p.Policy != name {
			continue
		}
		var knobs []string
		for _, k := range p.Knobs {
			knobs = append(knobs, "`"+k[0]+"="+k[1]+"`")
		}
		writeRow(&b, "`"+p.Name+"`", escapeCell(p.FullTitle()), strings.Join(knobs, " "))
	}
	return b.String()
}

// listModels returns a section about each workload model, with its knobs.
func listModels() string {
	var b strings.Builder
	for _, s := range models.All {
		fmt.Fprintf(&b, "\n## %s\n\n%s. Name: `%s`. Source: %s.", escapeCell(s.Title), strings.ToUpper(s.Summary[:1])+escapeCell(s.Summary[1:]), s.Name, escapeCell(s.Source))
		if s.OwnChoices != "" {
			fmt.Fprintf(&b, " Not from the source: %s.", escapeCell(strings.TrimSuffix(s.OwnChoices, ".")))
		}
		b.WriteString("\n\n" + listKnobs(s.Knobs))
	}
	return b.String()
}

// listMetrics returns a table with all metrics.
func listMetrics() string {
	var b strings.Builder
	b.WriteString("| metric | title | meaning | unit | formula | better | source |\n|---|---|---|---|---|---|---|\n")
	for _, m := range Metrics() {
		writeRow(&b, "`"+m.Name+"`", escapeCell(m.Title), escapeCell(m.Words), escapeCell(m.Unit), "`"+escapeCell(m.Formula)+"`", betterValues(m.Better), escapeCell(m.Paper))
	}
	return b.String()
}

// Metrics returns all metrics. One metric, for a resource with the name NAME, stands for the
// utilization of any extra resource.
func Metrics() (all []*metrics.Metric) {
	for _, table := range [][]metrics.Metric{metrics.Table, metrics.NodeTable} {
		for i := range table {
			all = append(all, &table[i])
		}
	}
	return append(all, metrics.Named("utilization-of-NAME"))
}

// betterValues returns which values of a metric are better: "higher" if sign is 1, "lower" if it is
// -1, and "" if it is 0.
func betterValues(sign int) string { return [...]string{"lower", "", "higher"}[sign+1] }

// listReasons returns a table with the reasons that logs can contain, and the sentence for each reason.
func listReasons() string {
	var b strings.Builder
	b.WriteString("| code | sentence |\n|---|---|\n")
	for i := range log.Codes {
		c := &log.Codes[i]
		sentence := c.Sentence
		if c.Moved != "" {
			sentence += " (for a planned start that moved: " + c.Moved + ")"
		}
		writeRow(&b, "`"+c.Name+"`", italicPlaceholders(sentence))
	}
	return b.String()
}

// italicPlaceholders returns a sentence in Markdown, with its placeholders in italics instead of
// braces.
func italicPlaceholders(s string) string { return placeholder.ReplaceAllString(escapeCell(s), "*$1*") }

// placeholder matches a placeholder, such as {job}.
var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// keyTables returns tables with the keyboard shortcuts. It reads the shortcuts from the dialog in
// index.html.
func (f *facts) keyTables() (string, error) {
	page, err := os.ReadFile(filepath.Join(f.root, "index.html"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, m := range keyLine.FindAllStringSubmatch(string(page), -1) {
		if m[1] != "" {
			b.WriteString("\n## " + m[1] + "\n\n| keys | action |\n|---|---|\n")
			continue
		}
		writeRow(&b, m[2], m[3])
	}
	return b.String(), nil
}

// keyLine matches the heading above a list of keyboard shortcuts, or one shortcut with its action.
var keyLine = regexp.MustCompile(`<h2[^>]*>(Keyboard shortcuts: .*?)</h2>|<dt>(.*?)</dt><dd>(.*?)</dd>`)

// section returns the text below a heading of level 2 in a Markdown file in the root folder.
func (f *facts) section(file, heading string) (string, error) {
	data, err := os.ReadFile(filepath.Join(f.root, file))
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(data), "\n## "+heading+"\n")
	if !found {
		return "", fmt.Errorf("%s has no heading %q", file, heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(text) + "\n", nil
}

// writeRow writes one row of a Markdown table.
func writeRow(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// escapeCell escapes a text so that it fits into a cell of a Markdown table.
func escapeCell(s string) string { return special.Replace(s) }

// special escapes characters that have a meaning in a Markdown table.
var special = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`)

// yesNo returns "yes" for true and "no" for false.
func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}
