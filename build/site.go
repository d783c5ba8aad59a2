package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/build/docs"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/vugu/generator"
)

// target describes a site to build, as given by flags.
type target struct {
	pkg   string // package compiled for the browser
	out   string // output folder, relative to the repository root
	lines bool   // whether to keep scripts unminified
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

// buildSite builds the site in a temporary folder, which then replaces the output folder.
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

// fillSite writes the files of the site to the folder dir. A step that refers to files by name comes after
// the steps that add them.
func fillSite(root, dir string, t target) error {
	a := assets{dir: dir, names: map[string]string{serviceName: serviceName}}
	for _, add := range []func(root string, t target, a *assets) error{addPublic, addLoaders, addLessons, addDecoder, addLicences, addProgram, addDocs, addPage} {
		if err := add(root, t, &a); err != nil {
			return err
		}
	}
	return nil
}

// addPublic adds the files below public/, with scripts and style sheets bundled.
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

// addPage adds the page, the service worker, and the page as a single file.
func addPage(root string, t target, a *assets) error {
	index, err := os.ReadFile(filepath.Join(root, "index.html"))
	if err != nil {
		return err
	}
	source := string(index)
	if t.quick {
		source = strings.Replace(source, decoderAttribute, "", 1)
		source = strings.Replace(source, oneFileAttribute, "", 1)
	}
	page, err := a.replaceNames(source)
	if err != nil {
		return fmt.Errorf("index.html: %w", err)
	}
	if !t.quick {
		page = withPreload(page, a.names["lab.wasm.zst"])
		if page, err = addService(root, t, a, page); err != nil {
			return err
		}
		if err := addOneFile(a, strings.Replace(source, oneFileAttribute, "", 1)); err != nil {
			return err
		}
	}
	return a.write("index.html", []byte(page))
}

// decoderAttribute is the attribute of the page that names the decoder. A page without this attribute
// loads the uncompressed program.
const decoderAttribute = ` data-unpack="js/fzstd.js"`

// oneFileAttribute is the attribute of the page that names the single file, which the page then offers.
const oneFileAttribute = ` data-one="` + oneFileName + `"`

// withPreload returns the page with an element that makes browsers fetch the compressed program
// immediately. The script that loads the program starts later, because it waits for the styles.
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
	licence, err := a.read("js/fzstd.LICENSE")
	if err != nil {
		return err
	}
	return a.write(oneFileName, fmt.Appendf([]byte(page), "<!-- The decoder fzstd:\n%s-->\n", licence))
}

// readPublic returns a file below public/ as the site contains it: scripts and style sheets as bundles.
func readPublic(root, name string, lines bool) ([]byte, error) {
	if ext := path.Ext(name); ext == ".js" || ext == ".css" {
		return bundle(root, name, lines)
	}
	return os.ReadFile(filepath.Join(root, name))
}

// addLoaders adds the script of the Go toolchain that loads the program, and Vugu's helper script.
func addLoaders(root string, _ target, a *assets) error {
	helper, err := vuguHelper(root)
	if err != nil {
		return err
	}
	if err := a.add("js/vugu_helper.js", helper); err != nil {
		return err
	}
	exec, err := wasmExec()
	if err != nil {
		return err
	}
	return a.add("js/wasm_exec.js", exec)
}

// addLessons adds the file with all built-in lessons.
func addLessons(_ string, _ target, a *assets) error {
	file, err := lessons.File()
	if err != nil {
		return err
	}
	return a.addHashed("lessons.json", file)
}

// addProgram compiles the program and adds it, uncompressed and compressed.
func addProgram(root string, t target, a *assets) error {
	file := filepath.Join(a.dir, ".lab.wasm")
	if err := compileWasm(root, t.pkg, file); err != nil {
		return err
	}
	defer os.Remove(file)
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := a.add("lab.wasm", data); err != nil || t.quick {
		return err
	}
	packed, err := pack(root, data)
	if err != nil {
		return err
	}
	a.names["lab.wasm.zst"] = a.names["lab.wasm"] + ".zst"
	return a.write(a.names["lab.wasm.zst"], packed)
}

// addDocs adds the pages of the documentation below docs/, and their search index.
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

// readDocs reads the sources of the documentation. The reference of the command is the output of
// `backfill manual`.
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
