package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"backfill-lab/core/gantt"
)

func ganttCommand(e *env) *cobra.Command {
	r := &replay{env: e}
	var text gantt.TextOptions
	var svg string
	c := &cobra.Command{
		Use: "gantt", Short: "draw the schedule as text or SVG", Args: none,
		Long: "Draw the schedule as text, or with -svg as a picture. PNG is not written yet:\nopen the SVG in a browser, or export PNG from the page.",
		RunE: does(func([]string) error { return r.gantt(text, svg) }),
	}
	c.Flags().StringVar(&svg, "svg", "", "write an SVG to `FILE` instead of text")
	c.Flags().IntVar(&text.Width, "width", 96, "characters for the time")
	c.Flags().IntVar(&text.Rows, "rows", 40, "most rows; more lanes are grouped")
	r.flags(c.Flags())
	return c
}

func (r *replay) gantt(o gantt.TextOptions, svg string) error {
	const narrowest, widest = 16, 10_000
	if o.Width < narrowest || o.Width > widest {
		return misuse("-width: expected %d to %d, got %d", narrowest, widest, o.Width)
	}
	if o.Rows < 1 || o.Rows > widest {
		return misuse("-rows: expected 1 to %d, got %d", widest, o.Rows)
	}
	l, title, err := r.get()
	if err != nil {
		return err
	}
	if svg == "" {
		fmt.Fprintln(r.env.out, title)
		return gantt.ASCII(r.env.out, l, o)
	}
	out := &outputs{}
	out.add(svg, func(w io.Writer) error { return gantt.SVG(w, l, gantt.SVGOptions{Title: title}) })
	return out.write(r.env)
}
