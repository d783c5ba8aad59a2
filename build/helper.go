package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// helperStart is what guard.js looks for to recognise the one text that Vugu
// hands to eval. If a new Vugu starts its script differently the guard no longer
// stops that eval, so the build fails here instead of on a strict host.
const helperStart = "(function(){if(window.vuguRender)return"

const helperFile = "domrender/renderer-js-script.go"

// vuguHelper returns the script that Vugu would eval at start-up. Loaded as a
// file of our own it runs under a policy without 'unsafe-eval'.
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
		return nil, fmt.Errorf("vugu's helper script no longer starts with %q: adapt public/js/guard.js and build/helper.go", helperStart)
	}
	return []byte(script + "\n"), nil
}

// stringConst reads the value of a string constant out of a Go file.
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
		return "", fmt.Errorf("%s holds no string constant %s", filepath.Base(file), name)
	}
	return strconv.Unquote(found.Value)
}
