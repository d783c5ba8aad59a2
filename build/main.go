// Command build is not part of the product: nothing here runs in a browser or
// knows about schedules. It turns the repository into a static site (generate,
// compile, compress, name by content), serves that site on this machine, and
// checks that what is committed or shipped keeps its promises.
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

func rootCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "build",
		Short:         "Generate, build, check and serve the site",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(
		generateCommand("generate", "Write the Go code of every .vugu file below ui/", generator.Generate),
		generateCommand("check-generated", "Fail when a committed *_gen.go differs from what its .vugu file yields", generator.Check),
		siteCommand(), serveCommand(), budgetCommand(), houseCommand(),
	)
	return cmd
}

// generateCommand returns the command that does something with the generated files.
func generateCommand(name, short string, do func(root string) error) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return do(root)
		},
	}
}

// longFlags lets `-port 0` mean `--port 0`, the spelling the Go tools use.
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

// repoRoot returns the nearest folder upwards that holds go.mod.
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

// skipDir names folders that never hold inputs of the site.
func skipDir(name string) bool {
	return name == "node_modules" || name == ".git" || name == "testdata"
}

// walkFiles visits the regular files below root/dir in a fixed order; paths are
// relative to root with forward slashes.
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

// replaceDir puts the finished folder at dst; a reader sees the old one or the
// new one, never a mixture.
func replaceDir(finished, dst string) error {
	old := finished + ".old"
	if err := os.Rename(dst, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("moving the previous %s away: %w", filepath.Base(dst), err)
	}
	if err := os.Rename(finished, dst); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }
