package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/vugu/vugu/gen"
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
	return generateInto(root, dirs)
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

// generateInto writes base/dir/X_gen.go for every base/dir/X.vugu.
//
// This is what the command vugugen does, save two things. Its "optimisation" of
// static markup into innerHTML is off: that markup would be written anew on every
// render, which empties host elements and typed fields and drops the focus and
// the selection of text. And nothing missing is invented: structs are ours. Then
// slim shortens the result.
func generateInto(base string, dirs []string) error {
	for _, d := range dirs {
		dir := filepath.Join(base, filepath.FromSlash(d))
		files, err := filepath.Glob(filepath.Join(dir, "*.vugu"))
		if err != nil {
			return err
		}
		pkg, err := packageName(dir)
		if err != nil {
			return err
		}
		if err := refuseHooks(dir, files); err != nil {
			return err
		}
		for _, f := range files {
			if err := generateFile(pkg, f); err != nil {
				return fmt.Errorf("%s/%s: %w", d, filepath.Base(f), err)
			}
		}
	}
	return nil
}

// generateFile writes the Build method of one component. X.vugu belongs to the
// struct X of the same package. A file that stays the same keeps its time.
func generateFile(pkg, file string) error {
	markup, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "vugu")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	name := strings.TrimSuffix(filepath.Base(file), ".vugu")
	g := gen.ParserGo{PackageName: pkg, StructType: name, OutDir: tmp, OutFile: "x.go", NoOptimizeStatic: true}
	if err := g.Parse(bytes.NewReader(markup), filepath.Base(file)); err != nil {
		return err
	}
	raw, err := os.ReadFile(filepath.Join(tmp, "x.go"))
	if err != nil {
		return err
	}
	src, err := slim(raw)
	if err != nil {
		return err
	}
	out := strings.TrimSuffix(file, ".vugu") + "_gen.go"
	if old, err := os.ReadFile(out); err == nil && bytes.Equal(old, src) {
		return nil
	}
	return os.WriteFile(out, src, 0o644)
}

// packageName reads the package clause of the hand-written Go beside the markup.
func packageName(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if isTest(f) || strings.HasSuffix(f, "_gen.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		return tree.Name.Name, nil
	}
	return "", fmt.Errorf("%s holds markup but no Go file with its structs", filepath.Base(dir))
}
