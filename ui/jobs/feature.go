// Package jobs is the jobs table: its columns, the selection of rows, paste, fill and
// set, curves for moldable jobs, and edits made in a chart, which are cells of the table.
package jobs

import (
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Table is the state of the jobs table.
type Table struct {
	*session.Session

	grid       grid
	conversion conversion
	playing    func() bool // reports whether the player is open, during which charts edit nothing
}

// New returns the jobs table of a session.
func New(s *session.Session, playing func() bool) *Table {
	return &Table{Session: s, playing: playing, conversion: conversion{texts: [2]string{"16", "1"}}}
}

// Window returns the rows in view.
func (c *Table) Window() *widgets.Window { return &c.grid.Window }

// Settle takes in the document and its problems after an edit.
func (c *Table) Settle() { c.grid.settle(c) }

// ToTop shows the first rows.
func (c *Table) ToTop() { c.grid.reset() }

// MoveTo brings the keyboard to a cell, wherever it is scrolled.
func (c *Table) MoveTo(row, col int) { c.grid.move(c, row, col) }

// Follow makes a row the present one.
func (c *Table) Follow(row int) { c.grid.Row = row }

// Panel is the table as a component.
type Panel struct{ Table *Table }

// Forget drops what was typed and selected.
func (c *Panel) Forget() { c.Table.grid.selection = selection{} }
