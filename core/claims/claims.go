// Package claims holds the book of claims: what the five papers claim, and what the program finds. A
// claim names the cells of study tables, or the small examples, on which its verdict rests. The package
// computes our values and the verdicts from them. No value of ours is written in the data.
package claims

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"backfill-lab/core/experiment"
)

// Paper holds the claims of a paper.
type Paper struct {
	Name   string   `json:"name"`  // first part of the names of its studies, such as "jin"
	Title  string   `json:"title"` // author and year
	Text   []string `json:"text"`  // paragraphs about the workloads and the limits of the comparison
	Claims []Claim  `json:"claims"`
}

// Claim is a statement of a paper.
type Claim struct {
	ID       string    `json:"id"`
	Text     string    `json:"claim"`
	Where    string    `json:"where"` // section or figure
	Paper    string    `json:"paper"` // the value in the paper
	Parts    []Part    `json:"parts"` // evidence under the default interpretation; nil if the claim is not made yet
	Variants []Variant `json:"variants"`
	Note     string    `json:"note"`
}

// Variant is another interpretation of the paper, with its own evidence.
type Variant struct {
	Name  string `json:"name"`
	Row   string `json:"row"`   // replaces the row of each default part; empty if Parts is set
	Parts []Part `json:"parts"` // evidence; nil if Row is set
}

// Part is a piece of evidence for a claim. It names cells of the table of a study, a summary over the
// traces of a study, an example, a worked figure, or a calculation.
type Part struct {
	Label   string   `json:"label"`   // says what the values are; empty for the titles of the columns
	Study   string   `json:"study"`   // name of the study
	Rows    []string `json:"rows"`    // rows of its table
	Columns []string `json:"columns"` // columns of its table
	Traces  string   `json:"traces"`  // what to compute over the rows of a study on traces, see trace.go
	Except  []string `json:"except"`  // rows left out
	Most    bool     `json:"most"`    // whether the rule must hold for most of the cells, instead of all
	Than    *Cell    `json:"than"`    // cell that is subtracted from each cell; nil for none
	Digits  *int     `json:"digits"`  // decimal places of the values; nil for those of the column
	Rule    Rule     `json:"rule"`

	Lesson   string            `json:"lesson"` // lesson whose scenario is the example
	Policy   string            `json:"policy"` // policy of the example with its knobs, such as "pc order=ljf"
	Starts   map[string]int64  `json:"starts"` // start of jobs in the paper, by name
	Moves    []string          `json:"moves"`  // planned starts that moved, such as "C 4→3"; nil if they do not matter
	Promised map[string]int64  `json:"promised"`
	Figure   string            `json:"figure"` // name of a worked figure
	Cells    map[string]string `json:"cells"`  // cells of the worked figure in the paper, by "row, column"

	Calculation string `json:"calculation"` // name of a calculation, see calculation.go
	Test        string `json:"test"`        // test that make test runs, and that fails if the claim does not hold
}

// Cell is a cell of the table of the same study.
type Cell struct {
	Row    string `json:"row"`
	Column string `json:"column"`
}

// Rule says when a value agrees with the paper. Exactly one field is set.
type Rule struct {
	Agrees []float64 `json:"agrees"` // the interval contains the value of the paper; one value for each cell
	Above  *float64  `json:"above"`  // the value is above a limit
	Below  *float64  `json:"below"`  // the value is below a limit
	Within []float64 `json:"within"` // the value is between two limits
}

//go:embed data/*.json
var data embed.FS

// Names lists the papers in the order of the book.
var Names = []string{"lindsay", "leinberger", "wu", "jin", "zeng"}

// Papers reads all claims.
func Papers() (out []*Paper, err error) {
	for _, name := range Names {
		text, err := data.ReadFile(path.Join("data", name+".json"))
		if err != nil {
			return nil, err
		}
		p := &Paper{}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(p); err != nil {
			return nil, fmt.Errorf("claims of %s: %w", name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// interpretations returns the default interpretation and the variants of a claim. Only the default has
// an empty name.
func (c *Claim) interpretations() []Variant {
	out := []Variant{{Parts: c.Parts}}
	for _, v := range c.Variants {
		if v.Row != "" {
			for _, p := range c.Parts {
				p.Rows = []string{v.Row}
				v.Parts = append(v.Parts, p)
			}
		}
		out = append(out, v)
	}
	return out
}

// Studies returns the names of the studies that the claim uses, in order of first use.
func (c *Claim) Studies() []string { return c.collect(func(p *Part) string { return p.Study }) }

// lessons returns the lessons whose scenarios are examples of the claim.
func (c *Claim) lessons() []string { return c.collect(func(p *Part) string { return p.Lesson }) }

// figures returns the worked figures that the claim uses.
func (c *Claim) figures() []string { return c.collect(func(p *Part) string { return p.Figure }) }

// collect returns the names in all parts of the claim, without empty names and duplicates.
func (c *Claim) collect(name func(*Part) string) (out []string) {
	for _, v := range c.interpretations() {
		for i := range v.Parts {
			if x := name(&v.Parts[i]); x != "" && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// isOnTraces reports whether a study runs on traces.
func isOnTraces(name string) bool {
	studies, _, err := experiment.Find(name)
	return err == nil && studies[0].Rows == nil
}

// join joins texts with commas.
func join(texts []string) string { return strings.Join(texts, ", ") }
