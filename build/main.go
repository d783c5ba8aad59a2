// Command build makes a static site from this repository. It generates code, compiles and
// compresses the program, and adds hashes of the content to file names. It can also serve the site
// on the local machine, check that generated code is up to date, and check size limits. It is a
// development tool and not part of the site.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/ui/vugu/generator"
)

func main() {
	cmd := rootCommand()
	cmd.SetArgs(longFlags(os.Args[1:]))
	if err := cmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// rootCommand returns the command build with all its subcommands.
func rootCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "build",
		Short:         "Generate, build, check and serve the site",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(
		generateCommand("generate", "Write the Go code of every .vugu file below ui/", generator.Generate),
		generateCommand("check-generated", "Fail if a committed *_gen.go differs from the code generated from its .vugu file", generator.Check),
		siteCommand(), serveCommand(), budgetCommand(), houseCommand(),
	)
	return cmd
}

// generateCommand returns a command that writes or checks generated files. It calls run with the
// root folder of the repository.
func generateCommand(name, short string, run func(root string) error) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return run(root)
		},
	}
}

// longFlags returns the arguments of the command line. It adds a second dash to flags with one
// dash, such as `-port 0`.
func longFlags(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if len(a) > 2 && a[0] == '-' && a[1] != '-' {
			a = "-" + a
		}
		out[i] = a
	}
	return out
}

// repoRoot returns the folder with the file go.mod: the current folder or one of its parents.
func repoRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the current folder: run this inside the repository")
		}
		dir = up
	}
}

// skipDir reports whether to skip folders with this name, because they contain no inputs of the
// site.
func skipDir(name string) bool {
	return name == "node_modules" || name == ".git" || name == "testdata"
}

// walkFiles calls visit for each regular file below root/dir, in lexical order. Paths are relative
// to root and use forward slashes. It skips folders for which skipDir reports true. It does nothing if
// the folder does not exist.
func walkFiles(root, dir string, visit func(path string, info fs.FileInfo) error) error {
	return filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipDir(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(rel), info)
	})
}

// replaceDir replaces the folder dst with the folder src. At no time does dst contain files of both
// folders.
func replaceDir(src, dst string) error {
	old := src + ".old"
	if err := os.Rename(dst, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("moving the previous %s out of the way: %w", filepath.Base(dst), err)
	}
	if err := os.Rename(src, dst); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

// writeFile writes a file. It creates the folder of the file if necessary.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// isTest reports whether a file is a Go test.
func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }
