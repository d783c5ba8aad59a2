// Package generator generates Go code from .vugu files. It runs Vugu's own generator and
// shortens the code.
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
	"strconv"
	"strings"

	"github.com/vugu/vugu/gen"
)

// Generate writes X_gen.go next to every X.vugu below root/ui. It does not touch files that are
// already up to date.
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

// Check returns an error if a *_gen.go below root/ui is missing or outdated, or has no .vugu file.
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

// find returns the files below root/ui whose names end in suffix, relative to root.
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

// generated returns the content of all generated files below root/ui, by name relative to
// root.
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

// component returns the Go code of the component in the given file. For a file X.vugu, this is the code of the struct X
// in package pkg.
//
// component does the same as the command vugugen, with two exceptions. First, it does not convert
// static markup to innerHTML, which every render would write again. That would empty input fields
// and elements that scripts fill, and lose the focus and the text selection. Second, it never
// generates missing structs, because all structs are hand-written. component then makes the keys of
// components unique, adds missing imports and shortens the code.
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
	if raw, err = importFeatures(markup, uniqueKeys(pkg+"."+name, raw)); err != nil {
		return nil, err
	}
	return slim(raw)
}

// componentKey matches the key of a component in generated code.
var componentKey = regexp.MustCompile(`MakeCompKey\(0x[0-9A-F]+`)

// uniqueKeys gives each use of a component in the given code a unique key. The code implements the component with the
// given name. The keys that Vugu generates would change when an unrelated component of the same name is added in
// another folder.
func uniqueKeys(name string, code []byte) []byte {
	n := 0
	return componentKey.ReplaceAllFunc(code, func([]byte) []byte {
		n++
		h := fnv.New64a()
		fmt.Fprint(h, name, n)
		return fmt.Appendf(nil, "MakeCompKey(0x%X", h.Sum64())
	})
}

// packageName returns the package name of the hand-written Go files in dir.
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

// vuguHooks lists the names of methods that Vugu calls by itself. For example, it calls Compute
// before every render. An event handler with such a name would also run without an event.
var vuguHooks = []string{"Init", "Compute", "Rendered", "Destroy"}

// refuseHooks returns an error if a component in the folder has a method with a name in vuguHooks.
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

// receiver returns the name of the type to which a method belongs, "" for a function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return ""
	}
	return strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
}

// features is the import path of the folder that contains the packages of features.
const features = "backfill-lab/ui/"

// componentTag matches the start of a component tag in markup, such as <jobs:Panel.
var componentTag = regexp.MustCompile(`<([a-z]+):[A-Z]\w*`)

// importFeatures adds imports for the packages that component tags name, such as jobs for
// <jobs:Panel>. Vugu expects these imports as Go code in the markup, which this project
// does not use.
func importFeatures(markup, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	named := map[string]bool{}
	for _, tag := range componentTag.FindAllSubmatch(markup, -1) {
		if name := string(tag[1]); used[name] {
			named[name] = true
		}
	}
	s := slimmer{src: src, base: fset.File(f.Pos()).Base()}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		s.replace(f.Name.End(), f.Name.End(), "\n\nimport "+strconv.Quote(features+name))
	}
	return s.apply()
}
