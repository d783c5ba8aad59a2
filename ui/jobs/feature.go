// Package jobs implements the jobs table: columns, row selection, paste, fill and set,
// speedup curves of moldable jobs, and edits made by dragging jobs in a chart.
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
	playing    func() bool // reports whether the player is open; charts then allow no edits
}

// New returns the jobs table of a session; playing reports whether the player is open.
func New(s *session.Session, playing func() bool) *Table {
	return &Table{Session: s, playing: playing, conversion: conversion{texts: [2]string{"16", "1"}}}
}

// Window returns the scroll window of the table.
func (c *Table) Window() *widgets.Window { return &c.grid.Window }

// Settle updates the table after an edit: current row, selection and marked cells.
func (c *Table) Settle() { c.grid.settle(c) }

// ToTop scrolls to the first row and makes it the current one.
func (c *Table) ToTop() { c.grid.reset() }

// MoveTo moves the keyboard focus to a cell, scrolling if needed.
func (c *Table) MoveTo(row, col int) { c.grid.move(c, row, col) }

// Follow makes row the current row.
func (c *Table) Follow(row int) { c.grid.Row = row }

// Panel is the component of the Jobs panel.
type Panel struct{ Table *Table }

// Forget drops the selection and the text typed in its form.
func (c *Panel) Forget() { c.Table.grid.selection = selection{} }
