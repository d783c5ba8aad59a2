package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"backfill-lab/core/claims"
	"backfill-lab/core/format"
)

func claimsCommand(e *env) *cobra.Command {
	tables, out := "", ""
	c := &cobra.Command{
		Use: "claims", Short: "compare the claims of the papers with the results of the studies (the book of claims)",
		Long: "Write the book of claims: what the papers claim, what the program finds, and a verdict. The values come from the\ntables that backfill study wrote to the folder given by -tables. The command runs small examples again.\nIt compares the book with the previous one, claims.json in that folder, prints every verdict and value that changed,\nand replaces claims.json.",
		Args: cobra.NoArgs,
		RunE: runE(func([]string) error { return e.makeBook(tables, out) }),
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&tables, "tables", "public/studies", "read the tables of the studies from `FOLDER`")
	f.StringVar(&out, "out", "docs", "write the chapters, claims.md and claims-PAPER.md, to `FOLDER`")
	quietFlag(f, e)
	return c
}

// makeBook writes the chapters of the book of claims, and prints the verdicts and values that
// changed.
func (e *env) makeBook(tables, out string) error {
	b, err := claims.MakeBook(func(study string) ([]byte, error) { return readFile(filepath.Join(tables, study+".csv")) })
	if err != nil {
		return err
	}
	text, err := b.JSON()
	if err != nil {
		return err
	}
	last := filepath.Join(tables, "claims.json")
	if earlier, err := os.ReadFile(last); err == nil {
		changes, err := b.Changes(earlier)
		if err != nil {
			return withFile(last, err)
		}
		for _, line := range changes {
			fmt.Fprintln(e.out, line)
		}
		e.note("%d %s changed.", len(changes), format.SingularOrPlural(len(changes), "verdict or value", "verdicts and values"))
	}
	o := &outputs{}
	add := func(name, text string) {
		o.add(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	add(filepath.Join(out, "claims.md"), b.Overview())
	for i := range b.Papers {
		add(filepath.Join(out, "claims-"+b.Papers[i].Name+".md"), b.Papers[i].Chapter())
	}
	add(last, string(text))
	return o.write(e)
}
