package files

import (
	"errors"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
)

// linkDocumentOf returns the data of a link to a document. It includes the texts of the invalid cells; bad lists
// the errors of the document. If the document has too many jobs for a link, linkDocumentOf returns nil.
func linkDocumentOf(d *document.Doc, bad []document.Problem) *link.Document {
	if d.Rows.Len() > link.MaxJobs && !d.Generated() {
		return nil
	}
	out := linkWithoutJobs(d)
	if out.Scenario.Workload.Generator == nil {
		linkRows(out, d, d.Rows, bad)
	}
	return out
}

// linkWithoutJobs returns the data of a link to a document, without the jobs.
func linkWithoutJobs(d *document.Doc) *link.Document {
	s := d.Scenario()
	s.DropFile() // a link contains the jobs, after the data rules, so it does not name their file
	out := &link.Document{Scenario: &s}
	d.CopyMachineSize(&s.Machine)
	out.Typed = typedMachineTexts(&s, d)
	for _, p := range d.Policies {
		s.Policies = append(s.Policies, scenario.Policy(p))
	}
	return out
}

// linkRows adds rows of a document to a link, together with the texts of their invalid cells.
func linkRows(out *link.Document, d *document.Doc, rows document.Rows, bad []document.Problem) {
	w := &out.Scenario.Workload
	w.Jobs, w.JobsUnknown = make([]job.Job, 0, rows.Len()), rows.UnknownFields()
	columns := d.AllColumns()
	for row, r := range rows.All() {
		w.Jobs = append(w.Jobs, r.Job())
		var faulty map[document.Column]bool
		for ; len(bad) > 0 && bad[0].Row <= row; bad = bad[1:] {
			if bad[0].Row == row {
				if faulty == nil {
					faulty = map[document.Column]bool{}
				}
				faulty[bad[0].Column] = true
			}
		}
		if faulty == nil && r.Plain() {
			continue
		}
		for _, col := range columns {
			if faulty[col] || r.Invalid(col) {
				out.Typed = append(out.Typed, link.Typed{Row: row, Column: linkColumnOf(col, len(d.Resources)), Text: r.Text(col)})
			}
		}
	}
}

// documentOfLink converts the data of a link to a document.
func documentOfLink(l *link.Document) (document.Doc, error) {
	s := l.Scenario
	list, err := document.JobRows(s)
	if err != nil {
		return document.Doc{}, err
	}
	d := withTypedTexts(document.FromScenario(s, document.Rows{}), l.Typed)
	typed, err := applyTyped(list, l.Typed, len(d.Resources))
	if err != nil {
		return document.Doc{}, err
	}
	d.Rows = document.NewRows(list)
	d.Origin, d.Source = d.Rows, "a link"
	d.Excuse(typed)
	return d, nil
}

// errNewerLink is the error for a link with a column that this version does not know. The page shows it
// after "The link could not be opened: ".
var errNewerLink = errors.New("it was made by a later version of Backfill Lab")

// applyTyped writes the texts of a link into the cells of the rows in list. It returns the indexes of the rows that
// have such texts.
func applyTyped(list []document.Row, texts []link.Typed, resources int) (map[int]bool, error) {
	typed := map[int]bool{}
	for _, t := range texts {
		if t.Row < 0 {
			continue
		}
		col, known := columnOf(t.Column, resources)
		if !known {
			return nil, errNewerLink
		}
		list[t.Row], typed[t.Row] = list[t.Row].With(col, t.Text), true
	}
	return typed, nil
}

// linkColumnOf returns the number that links use for a column of the table. In links, the columns from
// Class on come after the resource amounts, because they were added to links later.
func linkColumnOf(col document.Column, resources int) int {
	switch {
	case col >= document.Amounts:
		return link.FirstAmount + int(col-document.Amounts)
	case col > document.Sigma:
		return link.FirstAmount + resources + int(col-document.Class)
	}
	return int(col)
}

// columnOf returns the column of the table for a column number in a link. It reverses
// linkColumnOf, and returns false for a column that this version does not know.
func columnOf(cell, resources int) (document.Column, bool) {
	switch k := cell - link.FirstAmount; {
	case k < 0:
		return document.Column(cell), document.Column(cell) < document.Class
	case k < resources:
		return document.Amounts + document.Column(k), true
	default:
		col := document.Class + document.Column(k-resources)
		return col, col < document.Amounts
	}
}

// typedMachineTexts returns the texts in the fields of machine and slowdowns that differ
// from the values in the scenario, such as invalid ones.
func typedMachineTexts(s *scenario.Scenario, d *document.Doc) (out []link.Typed) {
	read := document.FromScenario(s, document.Rows{})
	texts := read.MachineTexts()
	for i, text := range d.MachineTexts() {
		if text != texts[i] {
			out = append(out, link.Typed{Row: -1, Column: i, Text: text})
		}
	}
	return out
}

// withTypedTexts returns the document with the given texts in the fields of the machine and the slowdowns.
func withTypedTexts(d document.Doc, typed []link.Typed) document.Doc {
	texts := d.MachineTexts()
	for _, t := range typed {
		if t.Row < 0 && t.Column < len(texts) {
			texts[t.Column] = t.Text
		}
	}
	return d.WithMachineTexts(texts)
}
