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

// facts provides the template functions that insert facts from the code as Markdown.
type facts struct {
	root     string
	commands string
}

// functions returns the template functions for the text with a name. On the page of a policy, some
// functions describe that policy.
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
		"keys":     f.keys,
		"section":  f.section,
	}
}

func listPolicies() string {
	var b strings.Builder
	b.WriteString("| name | what | promises starts | supports outages | source |\n|---|---|---|---|---|\n")
	for _, s := range policies.All {
		row(&b, fmt.Sprintf("[`%s`](policies/%s.md)", s.Name, s.Name), cell(s.Summary), yes(s.Promise), yes(s.Outages), cell(s.Paper))
	}
	return b.String()
}

func describePolicy(name string) (string, error) {
	s, err := policies.Find(name)
	if err != nil {
		return "", err
	}
	says := []string{"Source: " + cell(s.Paper) + "."}
	if s.Promise {
		says = append(says, "It promises each job a latest start when the job is submitted.")
	}
	if !s.Outages {
		says = append(says, "It does not support machines with outages.")
	}
	return fmt.Sprintf("# %s\n\n%s\n\nName in scenarios and flags: `%s`. %s\n", s.Title, cell(s.Summary), name, strings.Join(says, " ")), nil
}

func policyKnobs(name string) (string, error) {
	s, err := policies.Find(name)
	if err != nil {
		return "", err
	}
	return listKnobs(s.Knobs), nil
}

func listKnobs(knobs []knob.Knob) string {
	if len(knobs) == 0 {
		return "It has no knobs.\n"
	}
	var b strings.Builder
	b.WriteString("| knob | default | takes | meaning |\n|---|---|---|---|\n")
	for i := range knobs {
		k := &knobs[i]
		takes := k.Range()
		if k.Unit != "" {
			takes += " " + k.Unit
		}
		help := k.Help
		if c := k.Condition(); c != "" {
			help += " (" + c + ")"
		}
		row(&b, "`"+k.Name+"`", cell(k.Default), cell(takes), cell(help))
	}
	return b.String()
}

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
		row(&b, "`"+p.Name+"`", cell(p.FullTitle()), strings.Join(knobs, " "))
	}
	return b.String()
}

func listModels() string {
	var b strings.Builder
	for _, s := range models.All {
		fmt.Fprintf(&b, "\n## %s\n\n%s Name: `%s`. Source: %s.", cell(s.Title), cell(s.Summary), s.Name, cell(s.Source))
		if s.OwnChoices != "" {
			fmt.Fprintf(&b, " Not from the source: %s.", cell(strings.TrimSuffix(s.OwnChoices, ".")))
		}
		b.WriteString("\n\n" + listKnobs(s.Knobs))
	}
	return b.String()
}

func listMetrics() string {
	var b strings.Builder
	b.WriteString("| metric | title | meaning | unit | formula | better | source |\n|---|---|---|---|---|---|---|\n")
	for _, m := range Metrics() {
		row(&b, "`"+m.Name+"`", cell(m.Title), cell(m.Words), cell(m.Unit), "`"+cell(m.Formula)+"`", better(m.Better), cell(m.Paper))
	}
	return b.String()
}

// Metrics returns every metric. The utilization of an extra resource appears once, for a resource
// called NAME.
func Metrics() (all []*metrics.Metric) {
	for _, table := range [][]metrics.Metric{metrics.Table, metrics.NodeTable} {
		for i := range table {
			all = append(all, &table[i])
		}
	}
	return append(all, metrics.Named("utilization-of-NAME"))
}

// better returns "higher" or "lower" for the better values of a metric.
func better(sign int) string { return [...]string{"lower", "", "higher"}[sign+1] }

func listReasons() string {
	var b strings.Builder
	b.WriteString("| code | sentence |\n|---|---|\n")
	for i := range log.Codes {
		c := &log.Codes[i]
		says := c.Sentence
		if c.Moved != "" {
			says += " (moved up " + c.Moved + ")"
		}
		row(&b, "`"+c.Name+"`", named(says))
	}
	return b.String()
}

// named returns a sentence in which placeholders in braces are set in italics.
func named(s string) string { return braces.ReplaceAllString(cell(s), "*$1*") }

var braces = regexp.MustCompile(`\{(\w+)\}`)

// keys returns the tables of keyboard shortcuts, which it reads from the dialog in index.html.
func (f *facts) keys() (string, error) {
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
		row(&b, m[2], m[3])
	}
	return b.String(), nil
}

var keyLine = regexp.MustCompile(`<h2[^>]*>(Keyboard shortcuts: .*?)</h2>|<dt>(.*?)</dt><dd>(.*?)</dd>`)

// section returns the text under a heading of level 2 of a Markdown file in the root.
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

// row writes a row of a Markdown table.
func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// cell escapes a text for a cell of a Markdown table.
func cell(s string) string { return special.Replace(s) }

var special = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`)

func yes(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}
