package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// hot are the packages whose functions are inlined: the simulation and what it rests on.
// Elsewhere inlining would add 200 KB to the download and save no time that one notices.
var hot = []string{
	"runtime", "internal/runtime/...", "math", "slices",
	"backfill-lab/core/cluster", "backfill-lab/core/gantt/interval", "backfill-lab/core/job", "backfill-lab/core/log",
	"backfill-lab/core/policy", "backfill-lab/core/policy/compression", "backfill-lab/core/policy/conservative",
	"backfill-lab/core/policy/fairslack/...", "backfill-lab/core/policy/fcfs", "backfill-lab/core/policy/firstfit",
	"backfill-lab/core/policy/pick", "backfill-lab/core/policy/plan", "backfill-lab/core/policy/scojo",
	"backfill-lab/core/profile", "backfill-lab/core/scenario/raw", "backfill-lab/core/sim", "backfill-lab/core/speed",
}

// compileWasm builds one package for the browser.
func compileWasm(root, pkg, out string) error {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l", "-o", out}
	for _, p := range hot { // the last pattern that matches a package counts
		args = append(args, "-gcflags="+p+"=")
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
