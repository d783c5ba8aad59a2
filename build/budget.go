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

// These are the size limits in bytes.
const (
	jsLimit   = 80_000    // scripts of the page and its workers
	docsLimit = 2_000     // script of the documentation
	wasmLimit = 2_300_000 // compressed program and its decoder
	oneLimit  = 3_400_000 // page as a single file
)

// heavyPackages lists packages that would each add hundreds of kilobytes to the download.
var heavyPackages = []string{"net/http", "testing", "text/template", "html/template", "regexp", "log/slog", "crypto/tls"}

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
			return budget(root)
		},
	}
}

// budget builds the site if necessary and compares its sizes with the limits.
func budget(root string) error {
	t := target{pkg: "./wasm", out: "build/site"}
	if err := ensureSite(root, t); err != nil {
		return err
	}
	for _, check := range []func(string) error{budgetScripts, budgetProgram, budgetOneFile, budgetPackages} {
		if err := check(root); err != nil {
			return err
		}
	}
	return nil
}

// totalSize returns the total size in bytes of all files that match a pattern. It fails if no file
// matches.
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
		return 0, fmt.Errorf("nothing matches %s", filepath.Base(pattern))
	}
	return sum, nil
}

func budgetScripts(root string) error {
	for _, script := range []struct {
		names []string
		most  int64
	}{
		{[]string{"js/page.*.js", "js/worker.*.js", serviceName}, jsLimit},
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
		fmt.Printf("hand-written scripts, minified, %s: %d of %d bytes\n", names, n, script.most)
		if n > script.most {
			return fmt.Errorf("%s: expected at most %d minified bytes, got %d", names, script.most, n)
		}
	}
	return nil
}

func budgetProgram(root string) error {
	program, err := totalSize(filepath.Join(root, "build", "site", "lab.*.wasm.zst"))
	if err != nil {
		return err
	}
	decoder, err := totalSize(filepath.Join(root, "build", "site", "js", "fzstd.*.js"))
	if err != nil {
		return err
	}
	n := program + decoder
	fmt.Printf("program to download, compressed (%d), and its decoder (%d): %d of %d bytes\n", program, decoder, n, wasmLimit)
	if n > wasmLimit {
		return fmt.Errorf("the compressed program and its decoder have %d bytes; the limit is %d", n, wasmLimit)
	}
	return nil
}

func budgetOneFile(root string) error {
	n, err := totalSize(filepath.Join(root, "build", "site", oneFileName))
	if err != nil {
		return err
	}
	fmt.Printf("page in one file: %d of %d bytes\n", n, oneLimit)
	if n > oneLimit {
		return fmt.Errorf("%s has %d bytes; the limit is %d", oneFileName, n, oneLimit)
	}
	return nil
}

// budgetPackages checks that the program links none of the heavy packages.
func budgetPackages(root string) error {
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
		return fmt.Errorf("the browser program links %s; use `go list -deps` to find the package that imports them", strings.Join(bad, ", "))
	}
	return nil
}
