// Package claims compares the claims of five papers with the results of this program. A claim names
// its evidence, such as cells of study tables or small examples. The package computes our values
// and the verdict from this evidence. The data files contain only values of the papers.
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

// Paper holds a paper and its claims.
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
	Paper    string    `json:"paper"` // value that the paper reports
	Parts    []Part    `json:"parts"` // evidence under the default interpretation
	Variants []Variant `json:"variants"`
	Note     string    `json:"note"` // remark below the values in the book, or ""
}

// Variant is another interpretation of the paper, with its own evidence.
type Variant struct {
	Name   string `json:"name"`   // what the variant assumes, such as "the fair start may lie in a gap in the plan"
	Row    string `json:"row"`    // if set, replaces all rows of each default part
	Change string `json:"change"` // if set, inserted before the colon in the rows of the default parts: "light, FCFS: 0.8 over 0.5" becomes "light, FCFS, realloc=start: 0.8 over 0.5"
	Parts  []Part `json:"parts"`  // evidence; Papers fills it in if Row or Change is set
}

// Part is a piece of evidence for a claim. It is one of: cells of the table of a study, a summary
// over the traces of a study, an example, a worked figure, a calculation, a test, or a benchmark.
type Part struct {
	Label      string   `json:"label"`   // label of the values; if empty, the title of the column is the label
	Study      string   `json:"study"`   // name of the study
	Rows       []string `json:"rows"`    // row names in the table of the study; with Traces, traces without versions
	Columns    []string `json:"columns"` // column titles in the table of the study
	Traces     string   `json:"traces"`  // statistic over the rows of a study on traces; one of the constants in trace.go
	Except     []string `json:"except"`  // with Traces: traces without versions that are left out
	Most       bool     `json:"most"`    // whether the rule must hold only for most of the cells, instead of all
	Subtracted *Cell    `json:"than"`    // cell to subtract from each cell, or nil
	Digits     *int     `json:"digits"`  // decimal places of the values; nil selects the number used in the column
	Rule       Rule     `json:"rule"`

	Lesson      string            `json:"lesson"`   // lesson whose scenario is the example
	Policy      string            `json:"policy"`   // policy of the example with its knobs, such as "pc order=ljf"
	Starts      map[string]int64  `json:"starts"`   // start times in the paper, by job name
	Moves       []string          `json:"moves"`    // planned starts that moved, such as "C 4→3"; nil if the claim is not about them
	Promised    map[string]int64  `json:"promised"` // promised starts in the paper, by job name
	Figure      string            `json:"figure"`   // name of a worked figure in package experiment
	FigureCells map[string]string `json:"cells"`    // cells of the worked figure in the paper; the key is "row | column"

	Calculation string `json:"calculation"` // name of an entry of the map calculations
	Test        string `json:"test"`        // name of a test that fails if the claim does not hold; "make test" runs this test
	Benchmark   string `json:"benchmark"`   // package and flags of a benchmark; its times vary, so the verdict is always Undecided

	change string // field Change of the variant to which the part belongs
}

// Cell names a cell in the table of the part's study.
type Cell struct {
	Row    string `json:"row"`
	Column string `json:"column"`
}

// Rule decides whether a value agrees with the paper. A part that needs a rule sets exactly one
// field. Other parts, such as examples, set none.
type Rule struct {
	Agrees []float64 `json:"agrees"` // values in the paper, by cell; our interval for a cell must contain its value
	Above  *float64  `json:"above"`  // limit that our value must exceed
	Below  *float64  `json:"below"`  // limit that our value must stay below
	Within []float64 `json:"within"` // two limits between which our value must lie
}

//go:embed data/*.json
var data embed.FS

// Names lists the papers in the order of the book.
var Names = []string{"lindsay", "leinberger", "wu", "jin", "zeng"}

// Papers reads the claims of all papers from the embedded data files.
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
		for i := range p.Claims {
			c := &p.Claims[i]
			if len(c.Parts) == 0 {
				return nil, fmt.Errorf("claim %s: expected at least one part with evidence, got none", c.ID)
			}
			for k := range c.Variants {
				if err := c.Variants[k].makeParts(c.Parts); err != nil {
					return nil, fmt.Errorf("claim %s, interpretation %s: %w", c.ID, c.Variants[k].Name, err)
				}
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// makeParts sets v.Parts if the variant has Row or Change. The new parts are copies of the given
// default parts with other rows. It returns an error unless exactly one of Row, Change and Parts is
// set.
func (v *Variant) makeParts(parts []Part) error {
	set := 0
	for _, has := range []bool{v.Row != "", v.Change != "", v.Parts != nil} {
		if has {
			set++
		}
	}
	if set != 1 {
		return fmt.Errorf("expected one of row, change and parts, got %d", set)
	}
	if v.Parts != nil {
		return nil
	}
	for _, p := range parts {
		rows := []string{v.Row}
		if v.Change != "" {
			rows = nil
			for _, row := range p.Rows {
				before, after, ok := strings.Cut(row, ":")
				if !ok {
					return fmt.Errorf("change: expected a row with a colon, such as \"light, FCFS: 1.0 over 0.3\", got %q", row)
				}
				rows = append(rows, before+", "+v.Change+":"+after)
			}
		}
		if p.Study == "" || rows == nil || p.Subtracted != nil {
			return fmt.Errorf("row and change: expected parts with rows of a study, without than, got %q", p.label())
		}
		p.Rows, p.change = rows, v.Change
		v.Parts = append(v.Parts, p)
	}
	return nil
}

// interpretations returns the default interpretation of a claim, then its variants. The default has
// an empty name.
func (c *Claim) interpretations() []Variant {
	return append([]Variant{{Parts: c.Parts}}, c.Variants...)
}

// Studies returns the names of the studies that the claim uses, in order of first use.
func (c *Claim) Studies() []string { return c.collectNames(func(p *Part) string { return p.Study }) }

// lessons returns the names of the lessons whose scenarios the claim uses as examples.
func (c *Claim) lessons() []string { return c.collectNames(func(p *Part) string { return p.Lesson }) }

// figures returns the names of the worked figures that the claim uses.
func (c *Claim) figures() []string { return c.collectNames(func(p *Part) string { return p.Figure }) }

// collectNames calls nameOf for each part of the claim. It returns the results, without empty
// strings and duplicates.
func (c *Claim) collectNames(nameOf func(*Part) string) (out []string) {
	for _, v := range c.interpretations() {
		for i := range v.Parts {
			if x := nameOf(&v.Parts[i]); x != "" && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// isOnTraces reports whether the study with the given name runs on traces.
func isOnTraces(name string) bool {
	studies, _, err := experiment.Find(name)
	return err == nil && studies[0].Rows == nil
}

// join joins strings with commas.
func join(texts []string) string { return strings.Join(texts, ", ") }
