package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check-generated",
		Short: "Fail when a committed *_gen.go differs from what its .vugu file yields",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return checkGenerated(root)
		},
	}
}

func checkGenerated(root string) error {
	dirs, err := vuguFolders(root)
	if err != nil || len(dirs) == 0 {
		return err
	}
	tmp, err := os.MkdirTemp("", "generated")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, d := range dirs {
		if err := copySources(filepath.Join(root, d), filepath.Join(tmp, d)); err != nil {
			return err
		}
	}
	if err := generateInto(tmp, dirs); err != nil {
		return err
	}
	var diffs []string
	for _, d := range dirs {
		found, err := diffGenerated(filepath.Join(root, d), filepath.Join(tmp, d), d)
		if err != nil {
			return err
		}
		diffs = append(diffs, found...)
	}
	if len(diffs) > 0 {
		return fmt.Errorf("generated files are not current, run `make generate`:\n  %s", strings.Join(diffs, "\n  "))
	}
	return nil
}

// copySources copies what the generator reads: markup and hand-written Go.
func copySources(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		source := strings.HasSuffix(name, ".vugu") || strings.HasSuffix(name, ".go")
		if e.IsDir() || !source || strings.HasSuffix(name, "_gen.go") || isTest(name) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(to, name), data); err != nil {
			return err
		}
	}
	return nil
}

func diffGenerated(have, want, label string) ([]string, error) {
	var names []string
	for _, dir := range []string{have, want} {
		files, err := filepath.Glob(filepath.Join(dir, "*_gen.go"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if n := filepath.Base(f); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	var diffs []string
	for _, n := range names {
		a, errA := os.ReadFile(filepath.Join(have, n))
		b, errB := os.ReadFile(filepath.Join(want, n))
		switch {
		case errA != nil:
			diffs = append(diffs, label+"/"+n+" is missing")
		case errB != nil:
			diffs = append(diffs, label+"/"+n+" has no .vugu file any more")
		case !bytes.Equal(a, b):
			diffs = append(diffs, label+"/"+n+" differs")
		}
	}
	return diffs, nil
}
