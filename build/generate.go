package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func generateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "generate",
		Short: "Write the Go code of every .vugu file below ui/",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return generate(root)
		},
	}
}

// generate rewrites the generated files in place.
func generate(root string) error {
	dirs, err := vuguFolders(root)
	if err != nil || len(dirs) == 0 {
		return err
	}
	return runVugugen(root, dirs)
}

// vuguFolders lists the folders below ui/ with .vugu files, relative to root.
func vuguFolders(root string) ([]string, error) {
	var dirs []string
	err := walkFiles(root, "ui", func(p string, _ fs.FileInfo) error {
		if dir := path.Dir(p); strings.HasSuffix(p, ".vugu") && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	return dirs, err
}

// runVugugen generates into base/dir for every dir and formats the result,
// because vugugen's own output is not gofmt-clean.
func runVugugen(base string, dirs []string) error {
	root, err := repoRoot()
	if err != nil {
		return err
	}
	args := []string{"tool", "vugugen", "-skip-go-mod", "-skip-main"}
	for _, d := range dirs {
		args = append(args, filepath.Join(base, filepath.FromSlash(d)))
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("vugugen: %w\n%s", err, out.String())
	}
	for _, d := range dirs {
		if err := formatGenerated(filepath.Join(base, filepath.FromSlash(d))); err != nil {
			return err
		}
	}
	return nil
}

func formatGenerated(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*_gen.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		tidy, err := format.Source(src)
		if err != nil {
			return fmt.Errorf("%s does not parse: %w", filepath.Base(f), err)
		}
		if !bytes.Equal(src, tidy) {
			if err := os.WriteFile(f, tidy, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
