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

// archiveSite writes a finished site and the licence to a zip file next to the site, for hosting
// elsewhere. The same site always gives the same bytes.
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
		f, err := w.Create(path.Join(folder, name)) // no modification time
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	for _, name := range []string{"LICENSE", "NOTICE"} {
		if err := add(name, filepath.Join(root, name)); err != nil {
			return err
		}
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

// writeWhole writes a file atomically, so that no reader finds a partial one.
func writeWhole(name string, data []byte) error {
	part := name + ".part"
	if err := writeFile(part, data); err != nil {
		return err
	}
	return os.Rename(part, name)
}

// oneFileName is the name of the page as a single file. That file works from a disk, from a course
// server that only accepts single files, and in a sandbox.
const oneFileName = "backfill-lab.html"

// oneFile builds the page as a single file. Files that load.js would fetch become elements, with
// the content as text and the name as id.
type oneFile struct {
	part    func(name string) ([]byte, error) // returns a file of the site
	scripts []string                          // script elements to run, in order
	data    []string                          // script elements for load.js to read
	styles  []string                          // CSP hash sources of the styles
	allowed []string                          // CSP hash sources of the scripts
	err     error
}

// charset is an element that must be in the first kilobyte of a page.
const charset = "<meta charset=\"utf-8\">\n"

var (
	styleLink  = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`)
	scriptLink = regexp.MustCompile(`\s*<script defer src="([^"]+)"([^>]*)></script>`)
	iconLink   = regexp.MustCompile(`href="([^"]+\.svg)"`)
	fileLink   = regexp.MustCompile(`\s*<link rel="(?:manifest|apple-touch-icon)"[^>]*>`)
	partName   = regexp.MustCompile(`data-[a-z]+="([^"]+\.[a-z]+)"`)
)

// page returns the single file, built from the source of the page.
func (f *oneFile) page(index string) (string, error) {
	out := fileLink.ReplaceAllString(index, "")
	out = strings.Replace(out, "<html", `<html class="alone"`, 1) // hides links to the documentation, which is not in the file
	out = f.each(styleLink, out, f.style)
	out = f.each(iconLink, out, f.icon)
	out = f.each(scriptLink, out, f.script)
	out = strings.Replace(out, charset, charset+"  "+f.policy()+"\n", 1)
	end := strings.Join(append(f.data, f.scripts...), "\n") + "\n"
	return strings.Replace(out, "</body>", end+"</body>", 1), f.err
}

// each replaces all matches of an expression. It calls make with the groups of a match, and the
// content of the file named by the first group.
func (f *oneFile) each(e *regexp.Regexp, in string, make func(groups []string, content string) string) string {
	return e.ReplaceAllStringFunc(in, func(found string) string {
		groups := e.FindStringSubmatch(found)
		return make(groups, string(f.read(groups[1])))
	})
}

// read returns a file of the site and records the first error.
func (f *oneFile) read(name string) []byte {
	data, err := f.part(name)
	if err != nil && f.err == nil {
		f.err = err
	}
	return data
}

// style returns a style sheet as an element.
func (f *oneFile) style(_ []string, content string) string {
	f.styles = append(f.styles, hashSource(content))
	return "<style>" + f.checked("style", content) + "</style>"
}

// icon returns an icon as an href attribute with a data URL.
func (f *oneFile) icon(_ []string, content string) string {
	return `href="` + dataURL("image/svg+xml", content) + `"`
}

// script moves a script to the end of the page, where it runs at the same time as a deferred
// script. The files named by its data attributes precede it.
func (f *oneFile) script(groups []string, content string) string {
	name, attributes := groups[1], groups[2]
	for _, part := range partName.FindAllStringSubmatch(attributes, -1) {
		f.embed(part[1])
	}
	f.allowed = append(f.allowed, hashSource(content))
	f.scripts = append(f.scripts, fmt.Sprintf(`<script id="%s"%s>%s</script>`, name, attributes, f.checked("script", content)))
	return ""
}

// embed adds a file, which load.js reads, as an element: a script as text, any other file in
// base64. It skips wasm_exec.js, which the page already contains as a script, the service
// worker, which a single file does not need, and traces, which would make it too large.
func (f *oneFile) embed(name string) {
	switch {
	case name == "js/wasm_exec.js" || name == serviceName || path.Ext(name) == ".gz":
		return
	case path.Ext(name) == ".wasm":
		name += ".zst"
	}
	content := string(f.read(name))
	if path.Ext(name) == ".js" {
		content = f.checked("script", content)
		f.allowed = append(f.allowed, hashSource(content)) // because the page may run it
	} else {
		content = base64.StdEncoding.EncodeToString([]byte(content))
	}
	f.data = append(f.data, fmt.Sprintf(`<script type="text/plain" id="%s">%s</script>`, name, content))
}

// checked returns content unchanged. It records an error if the content contains the end tag of the
// element.
func (f *oneFile) checked(element, content string) string {
	lower := strings.ToLower(content)
	for _, end := range []string{"</" + element, "<!--"} {
		if strings.Contains(lower, end) && f.err == nil {
			f.err = fmt.Errorf("%s: a part contains %q, which would end its element", oneFileName, end)
		}
	}
	return content
}

// policy returns a content security policy that only allows the scripts and styles in the file, and
// no connections.
func (f *oneFile) policy() string {
	return fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s 'wasm-unsafe-eval'; style-src %s; worker-src blob:; img-src data: blob:">`,
		strings.Join(f.allowed, " "), strings.Join(f.styles, " "))
}

// hashSource returns the CSP source that allows an inline script or style.
func hashSource(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// dataURL returns content as a data URL.
func dataURL(mime, content string) string {
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString([]byte(content))
}

// These are the names of the service worker. The final name has no hash, because browsers look for
// a new version under the same name.
const (
	serviceName = "sw.js"
	servicePath = "public/" + serviceName
	noVersion   = `data-version=""`
)

// leftOut lists folders of the site that no first visit loads.
var leftOut = []string{"studies/", "examples/", "lessons/"}

// isCached reports whether the service worker caches a file immediately. It caches all files that
// the page needs, except the uncompressed program.
func isCached(name string) bool {
	if path.Ext(name) == ".wasm" || path.Ext(name) == ".LICENSE" {
		return false
	}
	return !slices.ContainsFunc(leftOut, func(folder string) bool { return strings.HasPrefix(name, folder) })
}

// addService adds the service worker, which caches the page and the files added so far. It returns
// the page with the version of the site. The version is a hash of these files.
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
		if !isCached(name) {
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
