package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"backfill-lab/build/docs"
	"backfill-lab/public/exercises"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/vugu/generator"
)

// target describes the site to build, as given by flags.
type target struct {
	pkg   string // package to compile for the browser
	out   string // output folder, relative to the repository root
	lines bool   // whether to leave scripts unminified
	quick bool   // whether to skip compressing the program
}

// addFlags adds the flags of the target to a command.
func (t *target) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.pkg, "wasm", "./wasm", "package compiled for the browser")
	cmd.Flags().StringVar(&t.out, "out", "build/site", "folder for the finished site")
	cmd.Flags().BoolVar(&t.lines, "lines", false, "do not minify scripts, so that stack traces show their lines")
	cmd.Flags().BoolVar(&t.quick, "quick", false, "do not compress the program (for local use, not for hosting)")
}

// siteCommand returns the command that writes the site.
func siteCommand() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "site",
		Short: "Write the static site and a zip archive of it",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			if err := buildSite(root, t); err != nil || t.quick {
				return err
			}
			return archiveSite(root, t)
		},
	}
	t.addFlags(cmd)
	return cmd
}

// buildSite generates the Go code of the page, and builds the site in a temporary folder. If it
// succeeds, this folder replaces the output folder.
func buildSite(root string, t target) error {
	stamp, err := fingerprint(root, t)
	if err != nil {
		return err
	}
	if err := generator.Generate(root); err != nil {
		return err
	}
	dst := filepath.Join(root, filepath.FromSlash(t.out))
	if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dst), ".site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := fillSite(root, tmp, t); err != nil {
		return err
	}
	if err := replaceDir(tmp, dst); err != nil {
		return err
	}
	return writeFile(stampPath(root, t), []byte(stamp))
}

// fillSite writes the files of the site to the folder dir. Steps that add files come before steps
// that refer to these files by name.
func fillSite(root, dir string, t target) error {
	a := assets{dir: dir, names: map[string]string{serviceName: serviceName}}
	for _, add := range []func(root string, t target, a *assets) error{addPublic, addLoaders, addLessons, addLicences, addPrograms, addDocs, addPage} {
		if err := add(root, t, &a); err != nil {
			return err
		}
	}
	return nil
}

// addPublic adds the files below public/, except Go files and the service worker. It bundles scripts
// and style sheets.
func addPublic(root string, t target, a *assets) error {
	return walkFiles(root, "public", func(p string, _ fs.FileInfo) error {
		if strings.HasSuffix(p, ".go") || p == servicePath || isModule(p) {
			return nil
		}
		data, err := readPublic(root, p, t.lines)
		if err != nil {
			return err
		}
		return a.add(strings.TrimPrefix(p, "public/"), data)
	})
}

// addPage adds the page and, unless t.quick is set, the service worker and the page as a single file.
func addPage(root string, t target, a *assets) error {
	index, err := os.ReadFile(filepath.Join(root, "index.html"))
	if err != nil {
		return err
	}
	source := string(index)
	if t.quick {
		source = strings.Replace(source, packedAttribute, "", 1)
		source = strings.Replace(source, oneFileAttribute, "", 1)
	}
	page, err := a.replaceNames(source)
	if err != nil {
		return fmt.Errorf("index.html: %w", err)
	}
	if !t.quick {
		page = withPreload(page, a.names["lab.wasm.xz"])
		if page, err = addService(root, t, a, page); err != nil {
			return err
		}
		if err := addOneFile(a, strings.NewReplacer(oneFileAttribute, "", scriptsAttribute, "", editorAttribute, "", exercisesAttribute, "").Replace(source)); err != nil {
			return err
		}
	}
	return a.write("index.html", []byte(page))
}

// packedAttribute is the attribute of the page that holds the file name ending of compressed programs. Without
// this attribute, the page loads the uncompressed program.
const packedAttribute = ` data-packed=".xz"`

// oneFileAttribute is the attribute of the page that names the single file. If the page has this
// attribute, it offers the single file for download.
const oneFileAttribute = ` data-one="` + oneFileName + `"`

// scriptsAttribute is the attribute of the page that names the program for scripts. The single file
// does not contain this program.
const scriptsAttribute = ` data-scripts="` + scriptsProgram + `"`

// editorAttribute is the attribute of the page that names the editor for scripts. The single file
// does not contain the editor.
const editorAttribute = ` data-editor="js/editor.js"`

// exercisesAttribute is the attribute of the page that names the file with exercises. Exercises
// need the program for scripts. The single file does not contain exercises.
const exercisesAttribute = ` data-exercises="exercises.json"`

// withPreload adds an element to the page that makes browsers fetch the compressed program at once.
// The script that loads the program runs later, because it waits for the styles.
func withPreload(page, program string) string {
	return strings.Replace(page, charset, charset+`  <link rel="preload" href="`+program+`" as="fetch" crossorigin>`+"\n", 1)
}

// addOneFile adds the page as a single file.
func addOneFile(a *assets, index string) error {
	f := oneFile{readSite: a.read}
	page, err := f.build(index)
	if err != nil {
		return err
	}
	licence, err := a.read("js/worker.LICENSE")
	if err != nil {
		return err
	}
	page += fmt.Sprintf("<!-- In the worker's script:\n%s-->\n", licence)
	return a.write(oneFileName, []byte(page))
}

// readPublic returns a file below public/ in the form that it has in the site. Scripts and style
// sheets are bundled.
func readPublic(root, name string, lines bool) ([]byte, error) {
	if ext := path.Ext(name); ext == ".js" || ext == ".css" {
		return bundle(root, name, lines)
	}
	return os.ReadFile(filepath.Join(root, name))
}

// addLoaders adds two scripts: the script of the Go toolchain that loads the program, and the
// helper script that Vugu passes to eval.
func addLoaders(root string, t target, a *assets) error {
	helper, err := vuguHelper(root)
	if err != nil {
		return err
	}
	exec, err := wasmExec()
	if err != nil {
		return err
	}
	for name, script := range map[string][]byte{"js/vugu_helper.js": helper, "js/wasm_exec.js": exec} {
		if !t.lines {
			if script, err = minify(name, script); err != nil {
				return err
			}
		}
		if err := a.add(name, script); err != nil {
			return err
		}
	}
	return nil
}

// addLessons adds the files with the built-in lessons and exercises.
func addLessons(_ string, _ target, a *assets) error {
	file, err := lessons.File()
	if err != nil {
		return err
	}
	if err := a.addHashed("lessons.json", file); err != nil {
		return err
	}
	if file, err = exercises.File(); err != nil {
		return err
	}
	return a.addHashed("exercises.json", file)
}

// scriptsProgram is the name of the program for workers that run policies written as scripts or
// search for counterexamples. The page loads it only when it needs such a worker.
const scriptsProgram = "script.wasm"

// program is a WebAssembly program of the site.
type program struct {
	pkg, name    string   // path of the Go package, and file name in the site
	inlined      []string // packages in which the compiler may inline functions
	data, packed []byte   // uncompressed and compressed, as build sets them
}

// addPrograms adds the program of the page and the program for scripts, uncompressed and compressed. It
// builds both at the same time, because linking and compressing each use only one processor.
func addPrograms(root string, t target, a *assets) error {
	programs := []*program{
		{pkg: t.pkg, name: "lab.wasm", inlined: inlinedInPage},
		{pkg: "./wasm/script", name: scriptsProgram, inlined: inlinedInScripts},
	}
	errs := make([]error, len(programs))
	var builds sync.WaitGroup
	for i, p := range programs {
		builds.Go(func() { errs[i] = p.build(root, a.dir, t.quick) })
	}
	builds.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, p := range programs {
		if err := a.add(p.name, p.data); err != nil {
			return err
		}
		if t.quick {
			continue
		}
		a.names[p.name+".xz"] = a.names[p.name] + ".xz"
		if err := a.write(a.names[p.name+".xz"], p.packed); err != nil {
			return err
		}
	}
	return nil
}

// build compiles the program. It also compresses the program, unless quick is set. It writes a temporary
// file to the folder dir.
func (p *program) build(root, dir string, quick bool) error {
	file := filepath.Join(dir, "."+p.name)
	if err := compileWasm(root, p.pkg, file, p.inlined); err != nil {
		return err
	}
	defer os.Remove(file)
	var err error
	if p.data, err = os.ReadFile(file); err != nil {
		return err
	}
	if p.data, err = mergeSegments(p.data); err != nil || quick {
		return err
	}
	p.packed, err = pack(root, p.name, p.data)
	return err
}

// addDocs adds the pages of the documentation, and its search index.
func addDocs(root string, _ target, a *assets) error {
	d, err := readDocs(root)
	if err != nil {
		return err
	}
	index, err := d.Index()
	if err != nil {
		return err
	}
	if err := a.addHashed("docs/index.js", index); err != nil {
		return err
	}
	for _, p := range d.Pages {
		page, err := d.HTML(p, func(name string) string { return a.names[name] })
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(a.dir, "docs", filepath.FromSlash(p.Name)+".html"), page); err != nil {
			return err
		}
	}
	return nil
}

// readDocs reads the sources of the documentation. It runs `backfill manual` to get the reference
// of the command.
func readDocs(root string) (*docs.Docs, error) {
	cmd := exec.Command("go", "run", "./core/cmd/backfill", "manual")
	cmd.Dir = root
	var msg bytes.Buffer
	cmd.Stderr = &msg
	commands, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("backfill manual: %w\n%s", err, msg.String())
	}
	return docs.Read(root, string(commands))
}
