package claims

import (
	"fmt"
	"strings"

	"backfill-lab/core/experiment"
	"backfill-lab/core/format"
)

// verdictTexts holds the verdicts with their meanings, in the order in which the book shows them.
var verdictTexts = []struct {
	Verdict
	text string
}{
	{Holds, "all parts of the claim hold"},
	{HoldsInPart, "some parts hold, others do not"},
	{DoesNotHold, "no part holds, and the whole interval of at least one contradicts the claim"},
	{Undecided, "no part holds and none is contradicted. Either the intervals are too wide to decide, or the book has no rule for the claim"},
}

// Overview returns the first chapter of the book, in Markdown. It shows how many claims have each
// verdict, and explains the verdicts.
func (b *Book) Overview() string {
	var s strings.Builder
	s.WriteString("# The book of claims\n\nBackfill Lab implements the policies of five papers. This book lists what the papers claim, what the program finds, and a verdict. " +
		"`make claims` computes all values and verdicts again. None of our values is typed by hand.\n\n| paper | claims |")
	for _, v := range verdictTexts {
		fmt.Fprintf(&s, " %s |", v.Verdict)
	}
	s.WriteString("\n|---|---|" + strings.Repeat("---|", len(verdictTexts)) + "\n")
	for _, p := range b.Papers {
		one := &Book{Papers: []BookPaper{p}}
		fmt.Fprintf(&s, "| [%s](claims-%s.md) | %d |", p.Paper.Title, p.Name, len(p.Claims))
		for _, v := range verdictTexts {
			fmt.Fprintf(&s, " %d |", one.Count(v.Verdict))
		}
		s.WriteString("\n")
	}
	s.WriteString("\n## How to read a section\n\nEach section is about one claim. Its table has a row for each part of the claim: a result, our value, what the claim expects of this value, and whether our value meets the expectation.\n\n" +
		"| expected | met if |\n|---|---|\n" +
		"| 10.49 (paper) | the 95 % confidence interval of our value contains 10.49, the number in the paper, and is not wider than this number |\n" +
		"| above 0; below 2.5; from -10 to 10 | the whole interval is above 0, below 2.5, or between -10 and 10 |\n" +
		"| each above 0; most above 0 | all values meet the rule \"above 0\", or more than half of them do |\n" +
		"| above 0 on every trace | our value is above 0 on each trace |\n" +
		"| above 0 on most traces | the whole binomial interval of the share of traces on which our value is above 0 is above one half |\n" +
		"| other texts and numbers | our value, which is exact, is equal |\n\n" +
		"If a paper says \"little\" or \"equal\" without a number, we allow a difference of 10 %, of 2.5 percentage points between two gains, or of 2.5 % between two numbers of cores in use.\n\n" +
		"If the paper can be understood in several ways, the section first shows the results for our default, and then those for each other interpretation, with a verdict of its own.\n\n## Verdicts\n\n")
	for _, v := range verdictTexts {
		fmt.Fprintf(&s, "- **%s**: %s.\n", v.Verdict, v.text)
	}
	s.WriteString("\nA verdict is about our implementation, our interpretation of the paper and our workloads.\n\n" +
		"## Intervals\n\n- `14.5 ± 1.2` is a mean over seeds and half the width of its 95 % confidence interval (Student's t). Policies are compared on the same jobs, seed by seed.\n" +
		"- In studies on traces, an interval is over the traces instead of seeds. A count of traces has a binomial interval (Clopper and Pearson).\n" +
		"- Schedules of small examples, and values of formulas, are exact. They have no interval: the value itself must meet the rule.\n" +
		"- If our value is the difference of two values of a table, its interval is as wide as both intervals together. This is never too narrow.\n\n" +
		"## Make it again\n\nThe values come from the tables of [studies](experiments.md#studies-of-papers). `backfill study NAME` repeats one study. `make claims` repeats all studies, writes the book, and prints every verdict and value that changed. " +
		"It needs the traces, in the subfolder `traces` of the folder that `BACKFILL_REFERENCE` names.\n")
	return s.String()
}

// Chapter returns the chapter about one paper, in Markdown.
func (p *BookPaper) Chapter() string {
	var s strings.Builder
	fmt.Fprintf(&s, "# Claims of %s\n\n", p.Paper.Title)
	for _, text := range p.Paper.Text {
		s.WriteString(text + "\n\n")
	}
	s.WriteString("[The book of claims](claims.md) explains the verdicts.\n\n| number | claim | verdict |\n|---|---|---|\n")
	for _, e := range p.Claims {
		fmt.Fprintf(&s, "| [%s](#%s) | %s | %s |\n", e.ID, strings.ToLower(e.ID), escape(e.Claim.Text), e.Verdict)
	}
	for _, e := range p.Claims {
		e.write(&s)
	}
	return s.String()
}

// write appends the section about one claim, in Markdown.
func (e *Entry) write(s *strings.Builder) {
	fmt.Fprintf(s, "\n## %s\n\n%s\n\nIn the paper (%s): %s\n\nVerdict: **%s**\n\n%s", e.ID, e.Claim.Text, e.Claim.Where, e.Claim.Paper, e.Verdict, findingsTable(e.Findings))
	for _, r := range e.Variants {
		fmt.Fprintf(s, "\nAnother interpretation: %s\n\nVerdict: **%s**\n\n%s", r.Name, r.Verdict, findingsTable(r.Findings))
	}
	if e.Claim.Note != "" {
		s.WriteString("\n" + e.Claim.Note + "\n")
	}
	if sources := e.Claim.sources(); sources != "" {
		s.WriteString("\nMade with:\n\n" + sources)
	}
}

// findingsTable returns a Markdown table with one row for each finding.
func findingsTable(list []Finding) string {
	var s strings.Builder
	s.WriteString("| result | our value | expected | verdict |\n|---|---|---|---|\n")
	for _, f := range list {
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", escape(f.Label), escape(f.Text), escape(f.Expected), f.Verdict)
	}
	return s.String()
}

// sources returns a Markdown list of the evidence for a claim: links to lessons and studies, and
// the commands that run the studies, examples, calculations, tests and benchmarks.
func (c *Claim) sources() string {
	var s strings.Builder
	for _, name := range c.lessons() {
		fmt.Fprintf(&s, "- lesson [%s](../index.html#v=1&lesson=%s)\n", name, name)
	}
	for _, name := range c.Studies() {
		traces := ""
		if isOnTraces(name) {
			traces = " TRACES"
		}
		fmt.Fprintf(&s, "- `backfill study %s%s`%s: [table](../public/studies/%s.csv), [definition](../public/studies/%s.json){{openRun %q}}\n", name, traces, seedsText(name), name, name, name)
	}
	for _, name := range c.figures() {
		fmt.Fprintf(&s, "- `backfill study %s`: [table](../public/studies/%s.csv)\n", name, name)
	}
	if calculations := c.collectNames(func(p *Part) string { return p.Calculation }); len(calculations)+len(c.lessons()) > 0 {
		s.WriteString("- `backfill claims`, which computes our values again\n")
	}
	for _, name := range c.collectNames(func(p *Part) string { return p.Test }) {
		fmt.Fprintf(&s, "- `go test ./core/... -run %s`\n", name)
	}
	for _, words := range c.collectNames(func(p *Part) string { return p.Benchmark }) {
		fmt.Fprintf(&s, "- `go test %s -run NONE`\n", words)
	}
	return s.String()
}

// escape escapes the vertical bars in a text, which would otherwise end a cell of a Markdown table.
func escape(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// seedsText returns how many seeds a study uses, such as " (3 to 5 seeds)". It returns "" if the
// study runs on traces.
func seedsText(name string) string {
	studies, _, err := experiment.Find(name)
	if err != nil || studies[0].Rows == nil {
		return ""
	}
	rows := studies[0].Rows
	least, most := rows[0].Seeds(), 0
	for i := range rows {
		least, most = min(least, rows[i].Seeds()), max(most, rows[i].Seeds())
	}
	if least == most {
		return " (" + format.Count(most, "seed") + ")"
	}
	return fmt.Sprintf(" (%d to %d seeds)", least, most)
}
