package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"backfill-lab/core/version"
)

// archiveSite packs a finished site, with the licence, into one file beside it: what
// is handed out for others to host. The same site gives the same bytes.
func archiveSite(root string, t target) error {
	folder := "backfill-lab-" + version.Program
	site := filepath.Join(root, filepath.FromSlash(t.out))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(name, file string) error {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := w.Create(path.Join(folder, name)) // without a time of its own
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	if err := add("LICENSE", filepath.Join(root, "LICENSE")); err != nil {
		return err
	}
	err := walkFiles(site, ".", func(name string, _ fs.FileInfo) error {
		return add(name, filepath.Join(site, filepath.FromSlash(name)))
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return writeWhole(filepath.Join(filepath.Dir(site), folder+".zip"), out.Bytes())
}

// writeWhole puts a file into its place at once: nobody finds a part of it.
func writeWhole(name string, data []byte) error {
	part := name + ".part"
	if err := writeFile(part, data); err != nil {
		return err
	}
	return os.Rename(part, name)
}

// oneFileName is the page with all its parts in it: it opens from a disk or a USB
// stick, as a single file of a course server, and in a sandbox.
const oneFileName = "backfill-lab.html"

// A oneFile puts the parts of a page into the page. What load.js would fetch stands
// there as text, under the name that the page has for it.
type oneFile struct {
	part    func(name string) ([]byte, error)
	scripts []string // elements that run, in their order
	data    []string // elements that load.js reads
	styles  []string // what the policy allows, as sources of hashes
	allowed []string
	err     error
}

// charset must stand in the first kilobyte of a page.
const charset = "<meta charset=\"utf-8\">\n"

var (
	styleLink  = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`)
	scriptLink = regexp.MustCompile(`\s*<script defer src="([^"]+)"([^>]*)></script>`)
	iconLink   = regexp.MustCompile(`href="([^"]+\.svg)"`)
	fileLink   = regexp.MustCompile(`\s*<link rel="(?:manifest|apple-touch-icon)"[^>]*>`)
	partName   = regexp.MustCompile(`data-[a-z]+="([^"]+\.[a-z]+)"`)
)

// page returns the whole file, made of the page as it stands in the sources.
func (f *oneFile) page(index string) (string, error) {
	out := fileLink.ReplaceAllString(index, "")
	out = strings.Replace(out, "<html", `<html class="alone"`, 1) // without the documentation, so without links to it
	out = f.each(styleLink, out, f.style)
	out = f.each(iconLink, out, f.icon)
	out = f.each(scriptLink, out, f.script)
	out = strings.Replace(out, charset, charset+"  "+f.policy()+"\n", 1)
	end := strings.Join(append(f.data, f.scripts...), "\n") + "\n"
	return strings.Replace(out, "</body>", end+"</body>", 1), f.err
}

// each replaces what an expression finds by what make says of its groups and of
// the part that the first one names.
func (f *oneFile) each(e *regexp.Regexp, in string, make func(groups []string, content string) string) string {
	return e.ReplaceAllStringFunc(in, func(found string) string {
		groups := e.FindStringSubmatch(found)
		return make(groups, string(f.read(groups[1])))
	})
}

func (f *oneFile) read(name string) []byte {
	data, err := f.part(name)
	if err != nil && f.err == nil {
		f.err = err
	}
	return data
}

func (f *oneFile) style(_ []string, content string) string {
	f.styles = append(f.styles, hashSource(content))
	return "<style>" + f.held("style", content) + "</style>"
}

func (f *oneFile) icon(_ []string, content string) string {
	return `href="` + dataAddress("image/svg+xml", content) + `"`
}

// script moves a script to the end of the page, where it runs as a deferred one
// does, and what its attributes name before it.
func (f *oneFile) script(groups []string, content string) string {
	name, attributes := groups[1], groups[2]
	for _, part := range partName.FindAllStringSubmatch(attributes, -1) {
		f.hold(part[1])
	}
	f.allowed = append(f.allowed, hashSource(content))
	f.scripts = append(f.scripts, fmt.Sprintf(`<script id="%s"%s>%s</script>`, name, attributes, f.held("script", content)))
	return ""
}

// hold puts a part of the page into it that load.js reads: scripts as they are, all
// else in base64. Those that the page runs stand in it anyway, and one file is kept by
// whoever has it.
func (f *oneFile) hold(name string) {
	switch {
	case name == "js/wasm_exec.js" || name == serviceName:
		return
	case path.Ext(name) == ".wasm":
		name += ".zst"
	}
	content := string(f.read(name))
	if path.Ext(name) == ".js" {
		content = f.held("script", content)
		f.allowed = append(f.allowed, hashSource(content)) // should the page run it
	} else {
		content = base64.StdEncoding.EncodeToString([]byte(content))
	}
	f.data = append(f.data, fmt.Sprintf(`<script type="text/plain" id="%s">%s</script>`, name, content))
}

// held refuses text that would end its element.
func (f *oneFile) held(element, content string) string {
	lower := strings.ToLower(content)
	for _, end := range []string{"</" + element, "<!--"} {
		if strings.Contains(lower, end) && f.err == nil {
			f.err = fmt.Errorf("%s: a part has %q in it, which cannot stand inside of a page", oneFileName, end)
		}
	}
	return content
}

// policy allows the scripts and styles of this very file and no connection.
func (f *oneFile) policy() string {
	return fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s 'wasm-unsafe-eval'; style-src %s; worker-src blob:; img-src data: blob:">`,
		strings.Join(f.allowed, " "), strings.Join(f.styles, " "))
}

func hashSource(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func dataAddress(mime, content string) string {
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString([]byte(content))
}

// The service worker has the same name in every version, for that is where browsers
// look for another.
const (
	serviceName = "sw.js"
	servicePath = "public/" + serviceName
	noVersion   = `data-version=""`
)

// leftOut are folders of the site that the page itself does not open.
var leftOut = []string{"studies/", "examples/", "lessons/"}

// belongs reports whether the service worker keeps a file: what the page opens, with the
// packed program and without the plain one.
func belongs(name string) bool {
	if path.Ext(name) == ".wasm" || path.Ext(name) == ".LICENSE" {
		return false
	}
	return !slices.ContainsFunc(leftOut, func(folder string) bool { return strings.HasPrefix(name, folder) })
}

// addService adds the service worker for what the site has so far and the page, and
// gives the page with the version in it. What makes another version is any other byte
// of these.
func addService(root string, t target, a *assets, page string) (string, error) {
	script, err := readPublic(root, servicePath, t.lines)
	if err != nil {
		return "", err
	}
	if strings.Count(page, noVersion) != 1 {
		return "", fmt.Errorf("index.html: expected %s once, for the version of the site", noVersion)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", script, page)
	files := []string{"index.html"}
	err = walkFiles(a.dir, ".", func(name string, _ fs.FileInfo) error {
		if !belongs(name) {
			return nil
		}
		data, err := os.ReadFile(filepath.Join(a.dir, filepath.FromSlash(name)))
		files = append(files, name)
		fmt.Fprintf(sum, "%s %x\n", name, sha256.Sum256(data))
		return err
	})
	if err != nil {
		return "", err
	}
	version := hex.EncodeToString(sum.Sum(nil)[:5])
	list, err := json.Marshal(map[string]any{"version": version, "files": files})
	if err != nil {
		return "", err
	}
	page = strings.Replace(page, noVersion, `data-version="`+version+`"`, 1)
	return page, a.write(serviceName, fmt.Appendf(nil, "self.labSite=%s;\n%s", list, script))
}
