package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// cold are packages in which speed does not matter, or little, and inlining makes the
// program larger, 80 KB of the download in all; views of charts (gantt) take a tenth
// longer without. Not the reader of scenarios: its functions are worth inlining into
// others.
var cold = []string{
	"bufio", "bytes", "compress/flate", "errors", "fmt", "internal/fmtsort", "internal/poll", "internal/strconv", "internal/sync", "io", "io/fs", "os",
	"reflect", "strconv", "strings", "sync", "syscall", "syscall/js", "time", "unicode/utf8", "github.com/...",
	"backfill-lab/core/anonymise", "backfill-lab/core/compare", "backfill-lab/core/decision", "backfill-lab/core/digest", "backfill-lab/core/elsewhere",
	"backfill-lab/core/explain", "backfill-lab/core/fairstart", "backfill-lab/core/formula", "backfill-lab/core/gantt", "backfill-lab/core/knob",
	"backfill-lab/core/metrics", "backfill-lab/core/partition", "backfill-lab/core/policy/easy", "backfill-lab/core/policy/glomarc/...",
	"backfill-lab/core/policy/moldable", "backfill-lab/core/policy/registry", "backfill-lab/core/reading", "backfill-lab/core/replay",
	"backfill-lab/core/scenario", "backfill-lab/core/schedule", "backfill-lab/core/shade", "backfill-lab/core/slowdown", "backfill-lab/core/whatif",
	"backfill-lab/core/workload", "backfill-lab/core/workload/arrivals", "backfill-lab/core/workload/cirne", "backfill-lab/core/workload/csv",
	"backfill-lab/core/workload/downey", "backfill-lab/core/workload/draw", "backfill-lab/core/workload/feitelson96",
	"backfill-lab/core/workload/generator/...", "backfill-lab/core/workload/input", "backfill-lab/core/workload/lublin",
	"backfill-lab/core/workload/sacct", "backfill-lab/core/workload/swf", "backfill-lab/core/workload/tsafrir",
	"backfill-lab/ui", "backfill-lab/ui/bridge", "backfill-lab/ui/json", "backfill-lab/ui/lab", "backfill-lab/ui/lesson", "backfill-lab/ui/link",
	"backfill-lab/ui/markup", "backfill-lab/ui/plot", "backfill-lab/ui/proto", "backfill-lab/ui/render", "backfill-lab/ui/state",
	"backfill-lab/ui/vjson",
}

// compileWasm builds one package for the browser. What it writes runs only after
// shrink.
func compileWasm(root, pkg, out string) error {
	goroot, err := goRoot()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "overlay")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	overlay, err := writeOverlay(goroot, tmp)
	if err != nil {
		return err
	}
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-overlay=" + overlay, "-o", out}
	for _, p := range cold {
		args = append(args, "-gcflags="+p+"=-l")
	}
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	var msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &msg, &msg
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("compiling %s for the browser: %w\n%s", pkg, err, msg.String())
	}
	return nil
}

// goRoot is the folder of the toolchain.
func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// wasmExec is the loader of the very toolchain that compiles the program; the
// two must match.
func wasmExec() ([]byte, error) {
	goroot, err := goRoot()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
}
