package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// These are the size limits for parts of the site, in bytes.
const (
	scriptLimit     = 100_000   // scripts of the page and its workers
	docsLimit       = 2_000     // script of the documentation
	programLimit    = 2_060_000 // compressed program
	singleFileLimit = 3_060_000 // page as a single file
)

// heavyPackages lists packages that the program must not contain, because each would add hundreds
// of kilobytes to the download.
var heavyPackages = []string{"net/http", "testing", "text/template", "html/template", "regexp", "log/slog", "crypto/tls"}

// budgetCommand returns the command that checks the size limits.
func budgetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "budget",
		Short: "Fail if the page exceeds its size limits",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return checkBudget(root)
		},
	}
}

// checkBudget compares the sizes of the site with the limits. It builds the site first if
// necessary.
func checkBudget(root string) error {
	t := target{pkg: "./wasm", out: "build/site"}
	if err := ensureSite(root, t); err != nil {
		return err
	}
	for _, check := range []func(string) error{checkScripts, checkProgram, checkSingleFile, checkPackages} {
		if err := check(root); err != nil {
			return err
		}
	}
	return nil
}

// totalSize returns the total size of all files that match a pattern, in bytes. It returns an error
// if no file matches.
func totalSize(pattern string) (int64, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return 0, err
		}
		sum += info.Size()
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("expected files that match %s, got none", filepath.Base(pattern))
	}
	return sum, nil
}

// checkScripts compares the sizes of scripts with their limits.
func checkScripts(root string) error {
	for _, script := range []struct {
		names []string // patterns that match file names
		limit int64
	}{
		{[]string{"js/page.*.js", "js/worker.*.js", serviceName}, scriptLimit},
		{[]string{"js/docs.*.js"}, docsLimit},
	} {
		var n int64
		for _, name := range script.names {
			size, err := totalSize(filepath.Join(root, "build", "site", name))
			if err != nil {
				return err
			}
			n += size
		}
		names := strings.Join(script.names, ", ")
		fmt.Printf("hand-written scripts, minified, %s: %d of %d bytes\n", names, n, script.limit)
		if n > script.limit {
			return fmt.Errorf("%s: expected at most %d minified bytes, got %d", names, script.limit, n)
		}
	}
	return nil
}

// checkProgram compares the size of the compressed program with the limit.
func checkProgram(root string) error {
	n, err := totalSize(filepath.Join(root, "build", "site", "lab.*.wasm.xz"))
	if err != nil {
		return err
	}
	fmt.Printf("program to download, compressed: %d of %d bytes\n", n, programLimit)
	if n > programLimit {
		return fmt.Errorf("the compressed program: expected at most %d bytes, got %d", programLimit, n)
	}
	return nil
}

// checkSingleFile compares the size of the single-file page with the limit.
func checkSingleFile(root string) error {
	n, err := totalSize(filepath.Join(root, "build", "site", oneFileName))
	if err != nil {
		return err
	}
	fmt.Printf("page in one file: %d of %d bytes\n", n, singleFileLimit)
	if n > singleFileLimit {
		return fmt.Errorf("%s: expected at most %d bytes, got %d", oneFileName, singleFileLimit, n)
	}
	return nil
}

// checkPackages returns an error if the program contains one of the heavy packages.
func checkPackages(root string) error {
	cmd := exec.Command("go", "list", "-deps", "./wasm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), wasmEnv...)
	var msg bytes.Buffer
	cmd.Stderr = &msg
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list -deps ./wasm: %w\n%s", err, msg.String())
	}
	deps := strings.Fields(string(out))
	var bad []string
	for _, p := range heavyPackages {
		if slices.Contains(deps, p) {
			bad = append(bad, p)
		}
	}
	fmt.Printf("packages in the program: %d\n", len(deps))
	if len(bad) > 0 {
		return fmt.Errorf("the program for the browser links %s; use `go list -deps` to find the package that imports them", strings.Join(bad, ", "))
	}
	return nil
}
