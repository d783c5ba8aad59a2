package files

import (
	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
)

// cellOf returns the number that links use for a column of the table. The two orders
// differ because links got the columns of traits after those of resource amounts.
func cellOf(col document.Column, resources int) int {
	switch {
	case col >= document.Amounts:
		return link.FirstAmount + int(col-document.Amounts)
	case col > document.Sigma:
		return link.FirstAmount + resources + int(col-document.Class)
	}
	return int(col)
}

// columnOf returns the column of the table for a column number in a link. It reverses
// cellOf, and returns false for a column that this version does not know.
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

// typedOfMachine returns the texts in the fields of machine and slowdowns that differ
// from the values in the scenario, such as invalid ones.
func typedOfMachine(s *scenario.Scenario, d *document.Doc) (out []link.Typed) {
	read := document.FromScenario(s, document.Rows{})
	texts := read.Texts()
	for i, text := range d.Texts() {
		if text != texts[i] {
			out = append(out, link.Typed{Row: -1, Column: i, Text: text})
		}
	}
	return out
}

// retyped returns the document with the given texts in the fields of machine and
// slowdowns.
func retyped(d document.Doc, typed []link.Typed) document.Doc {
	texts := d.Texts()
	for _, t := range typed {
		if t.Row < 0 && t.Column < len(texts) {
			texts[t.Column] = t.Text
		}
	}
	return d.WithTexts(texts)
}
