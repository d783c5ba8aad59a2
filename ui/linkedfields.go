package ui

import (
	"backfill-lab/core/scenario"
	"backfill-lab/ui/link"
	"backfill-lab/ui/state"
)

// cellOf is the column of a link for one of the table: those of traits came later
// than amounts.
func cellOf(col state.Column, resources int) int {
	switch {
	case col >= state.Amounts:
		return link.FirstAmount + int(col-state.Amounts)
	case col > state.Sigma:
		return link.FirstAmount + resources + int(col-state.Class)
	}
	return int(col)
}

// columnOf reads cellOf.
func columnOf(cell, resources int) state.Column {
	switch k := cell - link.FirstAmount; {
	case k < 0:
		return state.Column(cell)
	case k < resources:
		return state.Amounts + state.Column(k)
	default:
		return state.Class + state.Column(k-resources)
	}
}

// typedOfMachine is the texts in the fields of the machine and of slowdowns that are
// not those of the scenario's values.
func typedOfMachine(s *scenario.Scenario, d *state.Doc) (out []link.Typed) {
	read := frame(s, state.Rows{})
	texts := read.Texts()
	for i, text := range d.Texts() {
		if text != texts[i] {
			out = append(out, link.Typed{Row: -1, Column: i, Text: text})
		}
	}
	return out
}

// retyped is the document with the texts of the fields of machine and slowdowns.
func retyped(d state.Doc, typed []link.Typed) state.Doc {
	texts := d.Texts()
	for _, t := range typed {
		if t.Row < 0 && t.Column < len(texts) {
			texts[t.Column] = t.Text
		}
	}
	return d.WithTexts(texts)
}
