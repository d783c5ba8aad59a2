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

const (
	jsLimit    = 60_000    // bytes of hand-written JavaScript as shipped
	chartLimit = 43 * 1024 // of these, of the charts
	docsLimit  = 2_000     // of the script of the documentation, which the page does not load
	drawLimit  = 6_500     // of the script that draws for files and for paper, which the page loads when it has time
	wasmLimit  = 1_600_000 // bytes of the packed program and its decoder
	wasmWarn   = 1_300_000
	oneLimit   = 2_600_000 // bytes of the page in one file
)

// heavyPackages would each add hundreds of kilobytes to the download.
var heavyPackages = []string{"net/http", "testing", "text/template", "html/template", "regexp", "log/slog", "crypto/tls"}

func budgetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "budget",
		Short: "Fail when the page grows beyond what it promises to weigh",
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
	files, err := filepath.Glob(filepath.Join(root, "public", "js", "*.js"))
	if err != nil {
		return err
	}
	n, charts := 0, 0 // of the page, of these the charts
	apart := map[string]int{"docs.js": docsLimit, "export.js": drawLimit}
	for _, f := range append(files, filepath.Join(root, servicePath)) {
		name, err := filepath.Rel(root, f)
		if err != nil {
			return err
		}
		data, err := readPublic(root, name, false)
		if err != nil {
			return err
		}
		if most, ok := apart[filepath.Base(f)]; ok {
			fmt.Printf("%s, as shipped: %d of %d bytes\n", filepath.Base(f), len(data), most)
			if len(data) > most {
				return fmt.Errorf("%s is above its limit", filepath.Base(f))
			}
			continue
		}
		if n += len(data); strings.HasPrefix(filepath.Base(f), "chart") {
			charts += len(data)
		}
	}
	fmt.Printf("hand-written scripts of the page, as shipped: %d of %d bytes, of these the charts %d of %d\n", n, jsLimit, charts, chartLimit)
	if n > jsLimit || charts > chartLimit {
		return fmt.Errorf("the scripts of public are above their limits: move logic to Go")
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
	fmt.Printf("program to download, packed (%d) and its decoder (%d): %d of %d bytes\n", program, decoder, n, wasmLimit)
	if n > wasmLimit {
		return fmt.Errorf("the packed program and its decoder have %d bytes, the limit is %d", n, wasmLimit)
	}
	if n > wasmWarn {
		fmt.Printf("warning: the packed program and its decoder are above %d bytes\n", wasmWarn)
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
		return fmt.Errorf("%s has %d bytes, the limit is %d", oneFileName, n, oneLimit)
	}
	return nil
}

func budgetPackages(root string) error {
	cmd := exec.Command("go", "list", "-deps", "./wasm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
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
		return fmt.Errorf("the browser program links %s; use `go list -deps` to see through whom", strings.Join(bad, ", "))
	}
	return nil
}
