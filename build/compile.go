package main

import (
	"bytes"
	"crypto/sha256"
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

// goRoot returns the folder of the toolchain.
func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// wasmExec returns the loader of the very toolchain that compiles the program; the
// two must match.
func wasmExec() ([]byte, error) {
	goroot, err := goRoot()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
}

// packing names the way to pack; packed programs are kept under it.
const packing = "zstd-19"

// packer packs standard input into standard output. Higher levels than 19 gain
// next to nothing.
const packer = `
import { init, compress } from '@bokuweb/zstd-wasm';
import { readFileSync, writeFileSync } from 'node:fs';
await init();
writeFileSync(1, compress(readFileSync(0), 19));
`

// unpacker unpacks with the decoder of the page, as the page does.
const unpacker = `
import { Decompress } from 'fzstd';
import { readFileSync, writeFileSync } from 'node:fs';
const parts = [];
new Decompress(part => parts.push(part)).push(readFileSync(0));
writeFileSync(1, Buffer.concat(parts));
`

// A codec packs programs and unpacks them again.
type codec struct {
	pack, unpack func([]byte) ([]byte, error)
}

// zstd packs with packages that npm has installed in a folder.
func zstd(dir string) codec {
	return codec{
		pack: func(data []byte) ([]byte, error) {
			if _, err := installed(dir, "@bokuweb", "zstd-wasm"); err != nil {
				return nil, err
			}
			return node(dir, packer, data)
		},
		unpack: func(data []byte) ([]byte, error) {
			if _, err := installed(dir, "fzstd"); err != nil {
				return nil, err
			}
			return node(dir, unpacker, data)
		},
	}
}

// browserDir is where npm installs its packages.
func browserDir(root string) string { return filepath.Join(root, "build", "browser") }

// installed returns a place in a package of npm.
func installed(dir string, path ...string) (string, error) {
	p := filepath.Join(append([]string{dir, "node_modules"}, path...)...)
	if _, err := os.Stat(p); err != nil {
		return "", errors.New("packing the program: expected the packages of build/browser, which npm ci installs there (make site does); -quick leaves the program as it is")
	}
	return p, nil
}

// pack packs a program for the download, or takes it from the cache.
func pack(root string, data []byte) ([]byte, error) {
	return zstd(browserDir(root)).keep(filepath.Join(root, "build", "cache"), data)
}

// keep holds the packed form of the last program in a folder. It looks at what it
// finds there: an interrupted build leaves a part of one.
func (c codec) keep(dir string, data []byte) ([]byte, error) {
	kept := filepath.Join(dir, fmt.Sprintf("%s-%x.zst", packing, sha256.Sum256(data)))
	if packed, err := os.ReadFile(kept); err == nil && c.same(packed, data) == nil {
		return packed, nil
	}
	packed, err := c.pack(data)
	if err != nil {
		return nil, err
	}
	if err := c.same(packed, data); err != nil {
		return nil, err
	}
	earlier, err := filepath.Glob(filepath.Join(dir, "*.zst"))
	if err != nil {
		return nil, err
	}
	for _, f := range earlier {
		if err := os.Remove(f); err != nil {
			return nil, err
		}
	}
	return packed, writeFile(kept, packed)
}

// same holds a packed program against the plain one.
func (c codec) same(packed, data []byte) error {
	got, err := c.unpack(packed)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, data) {
		return errors.New("packing the program: unpacked it is another one")
	}
	return nil
}

// node runs a script over data, with the packages of a folder.
func node(dir, script string, data []byte) ([]byte, error) {
	cmd := exec.Command("node", "--input-type=module", "-e", script)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(data)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("packing the program: %w\n%s", err, msg.String())
	}
	return out.Bytes(), nil
}

// addDecoder adds the script that unpacks the program in the page, with its licence.
func addDecoder(root string, a *assets) error {
	for _, part := range [][2]string{{"js/fzstd.js", "umd/index.js"}, {"js/fzstd.LICENSE", "LICENSE"}} {
		file, err := installed(browserDir(root), "fzstd", part[1])
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := a.add(part[0], data); err != nil {
			return err
		}
	}
	return nil
}

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
		return nil, fmt.Errorf("vugu's helper script no longer starts with %q: adapt public/js/guard.js and build/compile.go", helperStart)
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
