package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/vugu/vugu/gen"
)

func generateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "generate",
		Short: "Write the Go code of every .vugu file below ui/",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return generate(root)
		},
	}
}

// generate rewrites the generated files in place.
func generate(root string) error {
	dirs, err := vuguFolders(root)
	if err != nil || len(dirs) == 0 {
		return err
	}
	return generateInto(root, dirs)
}

// vuguFolders lists the folders below ui/ with .vugu files, relative to root.
func vuguFolders(root string) ([]string, error) {
	var dirs []string
	err := walkFiles(root, "ui", func(p string, _ fs.FileInfo) error {
		if dir := path.Dir(p); strings.HasSuffix(p, ".vugu") && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	return dirs, err
}

// generateInto writes base/dir/X_gen.go for every base/dir/X.vugu.
//
// This is what the command vugugen does, save two things. Its "optimisation" of
// static markup into innerHTML is off: that markup would be written anew on every
// render, which empties host elements and typed fields and drops the focus and
// the selection of text. And nothing missing is invented: structs are ours. Then
// slim shortens the result.
func generateInto(base string, dirs []string) error {
	for _, d := range dirs {
		dir := filepath.Join(base, filepath.FromSlash(d))
		files, err := filepath.Glob(filepath.Join(dir, "*.vugu"))
		if err != nil {
			return err
		}
		pkg, err := packageName(dir)
		if err != nil {
			return err
		}
		if err := refuseHooks(dir, files); err != nil {
			return err
		}
		for _, f := range files {
			if err := generateFile(pkg, f); err != nil {
				return fmt.Errorf("%s/%s: %w", d, filepath.Base(f), err)
			}
		}
	}
	return nil
}

// generateFile writes the Build method of one component. X.vugu belongs to the
// struct X of the same package. A file that stays the same keeps its time.
func generateFile(pkg, file string) error {
	markup, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "vugu")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	name := strings.TrimSuffix(filepath.Base(file), ".vugu")
	g := gen.ParserGo{PackageName: pkg, StructType: name, OutDir: tmp, OutFile: "x.go", NoOptimizeStatic: true}
	if err := g.Parse(bytes.NewReader(markup), filepath.Base(file)); err != nil {
		return err
	}
	raw, err := os.ReadFile(filepath.Join(tmp, "x.go"))
	if err != nil {
		return err
	}
	src, err := slim(raw)
	if err != nil {
		return err
	}
	out := strings.TrimSuffix(file, ".vugu") + "_gen.go"
	if old, err := os.ReadFile(out); err == nil && bytes.Equal(old, src) {
		return nil
	}
	return os.WriteFile(out, src, 0o644)
}

// packageName reads the package clause of the hand-written Go beside the markup.
func packageName(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if isTest(f) || strings.HasSuffix(f, "_gen.go") {
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

// receiver is the name of the type a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return ""
	}
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check-generated",
		Short: "Fail when a committed *_gen.go differs from what its .vugu file yields",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return checkGenerated(root)
		},
	}
}

func checkGenerated(root string) error {
	dirs, err := vuguFolders(root)
	if err != nil || len(dirs) == 0 {
		return err
	}
	tmp, err := os.MkdirTemp("", "generated")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, d := range dirs {
		if err := copySources(filepath.Join(root, d), filepath.Join(tmp, d)); err != nil {
			return err
		}
	}
	if err := generateInto(tmp, dirs); err != nil {
		return err
	}
	var diffs []string
	for _, d := range dirs {
		found, err := diffGenerated(filepath.Join(root, d), filepath.Join(tmp, d), d)
		if err != nil {
			return err
		}
		diffs = append(diffs, found...)
	}
	if len(diffs) > 0 {
		return fmt.Errorf("generated files are not current, run `make generate`:\n  %s", strings.Join(diffs, "\n  "))
	}
	return nil
}

// copySources copies what the generator reads: markup and hand-written Go.
func copySources(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		source := strings.HasSuffix(name, ".vugu") || strings.HasSuffix(name, ".go")
		if e.IsDir() || !source || strings.HasSuffix(name, "_gen.go") || isTest(name) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(to, name), data); err != nil {
			return err
		}
	}
	return nil
}

func diffGenerated(have, want, label string) ([]string, error) {
	var names []string
	for _, dir := range []string{have, want} {
		files, err := filepath.Glob(filepath.Join(dir, "*_gen.go"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if n := filepath.Base(f); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	var diffs []string
	for _, n := range names {
		a, errA := os.ReadFile(filepath.Join(have, n))
		b, errB := os.ReadFile(filepath.Join(want, n))
		switch {
		case errA != nil:
			diffs = append(diffs, label+"/"+n+" is missing")
		case errB != nil:
			diffs = append(diffs, label+"/"+n+" has no .vugu file any more")
		case !bytes.Equal(a, b):
			diffs = append(diffs, label+"/"+n+" differs")
		}
	}
	return diffs, nil
}
