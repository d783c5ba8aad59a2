package ui

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
)

// The parts of the page, each over the one App.
type (
	// Jobs is the jobs table.
	Jobs struct{ App *App }
	// Form is the fields of the machine, or of title and text.
	Form struct{ App *App }
	// Resources is the extra resources of the machine.
	Resources struct{ App *App }
	// Policies is the form of the policies to compare.
	Policies struct{ App *App }
	// Generator is the form of a workload model.
	Generator struct{ App *App }
	// Overview is what there is to know of jobs at a glance.
	Overview struct {
		ID       string
		Facts    []Fact
		Pictures []Bars
	}
	// Fields is fields of a form, and what takes in what is typed.
	Fields struct {
		List []Field
		Set  func(vugu.DOMEvent, Field)
	}
	// Stage is the pictures and their numbers.
	Stage struct{ App *App }
	// Kept is what there is to say of work that was kept, or cannot be.
	Kept struct{ App *App }
	// Player steps through a schedule.
	Player struct{ App *App }
	// Tree is how sets of jobs were chosen.
	Tree struct{ App *App }
	// Lesson is the lesson that is open.
	Lesson struct{ App *App }
	// Scores is the metrics tables.
	Scores struct{ App *App }
	// Compare is how the schedules differ, job by job.
	Compare struct{ App *App }
	// Ledgers is tables of the comparison.
	Ledgers struct {
		App  *App
		List []Ledger
	}
	// Schedules is the table twin of the charts.
	Schedules struct{ App *App }
	// Why is the answer about a job.
	Why struct{ App *App }
	// WhatIf is what would become of a job otherwise.
	WhatIf struct{ App *App }
	// Curve is how long a moldable job runs on how many processors.
	Curve struct{ App *App }
)

// Best is the class of a number: whether it is the best of its column.
func (c *Scores) Best(f Fact) string {
	if f.Best {
		return "best"
	}
	return "plain"
}

// MoreShown is the value of aria-expanded of the button for all metrics.
func (c *App) MoreShown() string { return fmt.Sprint(c.more) }

// RowCount is the number of rows of the jobs table with its heading.
func (c *App) RowCount() int { return c.Doc().Rows.Len() + 1 }

// ExportID is the id of an entry of the export menu.
func (c *App) ExportID(what string, i int) string { return fmt.Sprintf("export-%s-%d", what, i) }

// Keys shows the sheet of keys.
func (c *App) Keys() { _, _ = browser.Call("labShowKeys") }
