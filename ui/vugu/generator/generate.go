// Package generator writes the Go code of .vugu files with Vugu's own generator and
// then shortens it.
package generator

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/vugu/vugu/gen"
)

// Generate writes X_gen.go beside every X.vugu below root/ui. A file that stays the
// same keeps its time.
func Generate(root string) error {
	files, err := generated(root)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(root, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Check fails if a *_gen.go below root/ui is missing, differs from what its .vugu file
// yields, or has no .vugu file.
func Check(root string) error {
	files, err := generated(root)
	if err != nil {
		return err
	}
	var wrong []string
	for name, want := range files {
		switch have, err := os.ReadFile(filepath.Join(root, name)); {
		case err != nil:
			wrong = append(wrong, filepath.ToSlash(name)+" is missing")
		case !bytes.Equal(have, want):
			wrong = append(wrong, filepath.ToSlash(name)+" differs")
		}
	}
	present, err := find(root, "_gen.go")
	if err != nil {
		return err
	}
	for _, name := range present {
		if files[name] == nil {
			wrong = append(wrong, filepath.ToSlash(name)+" has no .vugu file")
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("generated files are not current, run `make generate`:\n  %s", strings.Join(wrong, "\n  "))
	}
	return nil
}

// find lists the files below root/ui whose names end in suffix, relative to root.
func find(root, suffix string) (names []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, "ui"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		name, err := filepath.Rel(root, path)
		names = append(names, name)
		return err
	})
	return names, err
}

// generated returns the content of every generated file below root/ui by its name.
func generated(root string) (map[string][]byte, error) {
	markup, err := find(root, ".vugu")
	if err != nil {
		return nil, err
	}
	byFolder := map[string][]string{}
	for _, name := range markup {
		dir := filepath.Dir(name)
		byFolder[dir] = append(byFolder[dir], name)
	}
	files := map[string][]byte{}
	for dir, names := range byFolder {
		pkg, err := packageName(filepath.Join(root, dir))
		if err != nil {
			return nil, err
		}
		if err := refuseHooks(filepath.Join(root, dir), names); err != nil {
			return nil, err
		}
		for _, name := range names {
			src, err := component(pkg, filepath.Join(root, name))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.ToSlash(name), err)
			}
			files[strings.TrimSuffix(name, ".vugu")+"_gen.go"] = src
		}
	}
	return files, nil
}

// component returns the Build method of one component. X.vugu belongs to the struct X
// of package pkg.
//
// This is what the command vugugen does, except for two things. Its optimisation of
// static markup into innerHTML is off: that markup would be written anew on every
// render, which empties host elements and typed fields and drops the focus and the
// selection of text. And it invents nothing that is missing: the structs are ours.
func component(pkg, file string) ([]byte, error) {
	markup, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "vugu")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	name := strings.TrimSuffix(filepath.Base(file), ".vugu")
	g := gen.ParserGo{PackageName: pkg, StructType: name, OutDir: tmp, OutFile: "x.go", NoOptimizeStatic: true}
	if err := g.Parse(bytes.NewReader(markup), filepath.Base(file)); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(tmp, "x.go"))
	if err != nil {
		return nil, err
	}
	if raw, err = importFeatures(markup, numbered(pkg+"."+name, raw)); err != nil {
		return nil, err
	}
	return slim(raw)
}

var componentKey = regexp.MustCompile(`MakeCompKey\(0x[0-9A-F]+`)

// numbered gives each place of a component in code a key of its own. Vugu's keys depend on
// the components of the same name that were generated before, in whatever folder.
func numbered(name string, code []byte) []byte {
	n := 0
	return componentKey.ReplaceAllFunc(code, func([]byte) []byte {
		n++
		h := fnv.New64a()
		fmt.Fprint(h, name, n)
		return fmt.Appendf(nil, "MakeCompKey(0x%X", h.Sum64())
	})
}

// packageName reads the package clause of the hand-written Go beside the markup.
func packageName(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") || strings.HasSuffix(f, "_gen.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		return tree.Name.Name, nil
	}
	return "", fmt.Errorf("%s holds markup but no Go file with its structs", filepath.Base(dir))
}

// vuguHooks are methods that Vugu calls by itself, Compute before every render. A
// button's handler of such a name would run unasked.
var vuguHooks = []string{"Init", "Compute", "Rendered", "Destroy"}

// refuseHooks fails when a component of the folder has a method of such a name.
func refuseHooks(dir string, markup []string) error {
	var components []string
	for _, f := range markup {
		components = append(components, strings.TrimSuffix(filepath.Base(f), ".vugu"))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && slices.Contains(vuguHooks, fn.Name.Name) && slices.Contains(components, receiver(fn)) {
				return fmt.Errorf("%s: Vugu calls %s.%s by itself on renders; choose another name", filepath.Base(f), receiver(fn), fn.Name.Name)
			}
		}
	}
	return nil
}

// receiver returns the name of the type a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return ""
	}
	return strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
}
