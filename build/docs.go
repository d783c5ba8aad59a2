package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"

	"backfill-lab/build/docs"
)

// addDocs adds the pages of the documentation below docs/, and the index for its search.
func addDocs(root string, _ target, a *assets) error {
	d, err := readDocs(root)
	if err != nil {
		return err
	}
	index, err := d.Index()
	if err != nil {
		return err
	}
	if err := a.addHashed("docs/index.js", index); err != nil {
		return err
	}
	for _, p := range d.Pages {
		page, err := d.HTML(p, func(name string) string { return a.names[name] })
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(a.dir, "docs", filepath.FromSlash(p.Name)+".html"), page); err != nil {
			return err
		}
	}
	return nil
}

// readDocs reads the texts of the documentation. The description of the command is the
// output of `backfill manual`.
func readDocs(root string) (*docs.Docs, error) {
	cmd := exec.Command("go", "run", "./core/cmd/backfill", "manual")
	cmd.Dir = root
	var msg bytes.Buffer
	cmd.Stderr = &msg
	commands, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("backfill manual: %w\n%s", err, msg.String())
	}
	return docs.Read(root, string(commands))
}
