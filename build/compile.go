package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// inlinedInPage lists the packages in which the compiler can inline functions when it compiles the program of
// the page. Simulations spend most of their time in them. Inlining in all other packages would make the
// download 350 KB larger. Of this, 60 KB would come from the policies that are not in the list, and from the Go
// packages math, runtime and slices. Inlining in these packages does not make EASY or conservative backfilling
// measurably faster.
var inlinedInPage = []string{
	"backfill-lab/core/cluster", "backfill-lab/core/job", "backfill-lab/core/log", "backfill-lab/core/policy",
	"backfill-lab/core/policy/compression", "backfill-lab/core/policy/conservative", "backfill-lab/core/policy/plan",
	"backfill-lab/core/profile", "backfill-lab/core/sim",
}

// inlinedInScripts selects all packages for inlining in the program for scripts. This almost halves
// the time that scripts take.
var inlinedInScripts = []string{"all"}

// wasmEnv is the environment for compiling the program. It selects the old implementation of
// encoding/json. The new implementation, the default since Go 1.27, would make the download 130 KB
// larger.
var wasmEnv = []string{"GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=nojsonv2"}

// compileWasm compiles the package pkg for the browser, and writes the program to the file outFile. The compiler
// inlines functions only in the listed packages.
func compileWasm(root, pkg, outFile string, inlined []string) error {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l", "-o", outFile}
	for _, p := range inlined { // the last pattern that matches a package applies
		args = append(args, "-gcflags="+p+"=")
	}
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), wasmEnv...)
	var msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &msg, &msg
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("compiling %s for the browser: %w\n%s", pkg, err, msg.String())
	}
	return nil
}

// goRoot returns the root folder of the Go toolchain.
func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// wasmExec returns the script that loads a Go program in the browser. It must come from the same Go
// toolchain as the program.
func wasmExec() ([]byte, error) {
	goroot, err := goRoot()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
}

// helperStart is the beginning of a script that Vugu passes to eval. The script guard.js recognises
// the call of eval by this text and blocks it, because otherwise the page would fail on hosts with
// a strict content security policy. If a new version of Vugu changes the text, the build fails.
const helperStart = "(function(){if(window.vuguRender)return"

// helperFile is the file in the Vugu module that contains the script.
const helperFile = "domrender/renderer-js-script.go"

// vuguHelper returns the script that Vugu passes to eval. The site contains it as a file, because a
// file can run under a content security policy without 'unsafe-eval'.
func vuguHelper(root string) ([]byte, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/vugu/vugu")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("finding the vugu module: %w", err)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return nil, errors.New("the vugu module is not downloaded: run `go mod download`")
	}
	script, err := stringConst(filepath.Join(dir, filepath.FromSlash(helperFile)), "jsHelperScript")
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(script, helperStart) {
		return nil, fmt.Errorf("vugu's helper script no longer starts with %q: adapt public/js/guard.js and build/compile.go", helperStart)
	}
	return []byte(script + "\n"), nil
}

// stringConst returns the value of a string constant or variable in a Go file.
func stringConst(file, name string) (string, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return "", err
	}
	var found *ast.BasicLit
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && len(spec.Names) == 1 && spec.Names[0].Name == name && len(spec.Values) == 1 {
			found, _ = spec.Values[0].(*ast.BasicLit)
		}
		return found == nil
	})
	if found == nil || found.Kind != token.STRING {
		return "", fmt.Errorf("%s: expected a string constant %s, got none", filepath.Base(file), name)
	}
	return strconv.Unquote(found.Value)
}
