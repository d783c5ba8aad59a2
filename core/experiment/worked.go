package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// Worked is a figure or table of a paper that brings its jobs along: it needs no
// traces.
type Worked struct {
	Name  string // kebab-case
	Title string
	Paper string // author-year, section or figure
	Text  string // what to look at
	Make  func() (*Grid, error)
}

// Grid is a worked figure made: a heading and rows of equal length.
type Grid struct {
	Head []string
	Rows [][]string
}

// AllWorked is every worked figure.
var AllWorked = []*Worked{leinbergerFigure1, wuFigure3}

// Markdown writes the figure with its heading.
func (w *Worked) Markdown(out io.Writer, g *Grid, command string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n\nMade with `%s`.\n\n", w.Title, w.Paper, w.Text, command)
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(g.Head)
	b.WriteString(strings.Repeat("|---", len(g.Head)) + "|\n")
	for _, row := range g.Rows {
		line(row)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// CSV writes the figure for programs.
func (g *Grid) CSV(out io.Writer) error {
	return csv.NewWriter(out).WriteAll(append([][]string{g.Head}, g.Rows...))
}
