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

// archiveSite writes a zip file next to the site, for people who want to host it. The zip file
// contains the site, LICENSE and NOTICE. The same site always produces the same bytes.
func archiveSite(root string, t target) error {
	folder := "backfill-lab-" + version.Program // top folder in the archive
	site := filepath.Join(root, filepath.FromSlash(t.out))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(name, file string) error {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := w.Create(path.Join(folder, name)) // has no modification time, so that the bytes do not depend on it
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
	return writeAtomically(filepath.Join(filepath.Dir(site), folder+".zip"), out.Bytes())
}

// writeAtomically writes a file under a temporary name and then renames it, so that nobody can read
// an incomplete file.
func writeAtomically(name string, data []byte) error {
	part := name + ".part"
	if err := writeFile(part, data); err != nil {
		return err
	}
	return os.Rename(part, name)
}

// oneFileName is the name of the page as a single file. This file works from a disk, in a sandbox,
// and on a course server that accepts only single files.
const oneFileName = "backfill-lab.html"

// oneFile builds the page as a single file. It stores the files that load.js would otherwise fetch
// in elements of the page (see embed for the exceptions). The text of an element is the content of
// a file, and its id is the name of the file.
type oneFile struct {
	readSite func(name string) ([]byte, error) // returns the content of a file in the site
	scripts  []string                          // script elements that run, in order
	data     []string                          // script elements that only hold files, which load.js reads
	styles   []string                          // hashes of the styles, for the content security policy
	allowed  []string                          // hashes of the scripts, for the content security policy
	err      error                             // first error
}

// charset is the element that declares the encoding of the page. It must be in the first kilobyte.
const charset = "<meta charset=\"utf-8\">\n"

// These expressions match elements and attributes of the page. The first group matches a file name.
// Only droppedLink has no group; it matches elements that the single file omits.
var (
	styleLink   = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`)
	scriptLink  = regexp.MustCompile(`\s*<script defer src="([^"]+)"([^>]*)></script>`)
	iconLink    = regexp.MustCompile(`href="([^"]+\.svg)"`)
	droppedLink = regexp.MustCompile(`\s*<link rel="(?:manifest|apple-touch-icon)"[^>]*>`)
	partName    = regexp.MustCompile(`data-[a-z]+="([^"]+\.[a-z]+)"`)
)

// build converts the given HTML of the page to the single file.
func (f *oneFile) build(index string) (string, error) {
	out := droppedLink.ReplaceAllString(index, "")
	out = strings.Replace(out, "<html", `<html class="alone"`, 1) // hides links to the documentation, which the single file does not contain
	out = f.replaceEach(styleLink, out, f.styleElement)
	out = f.replaceEach(iconLink, out, f.iconAttribute)
	out = f.replaceEach(scriptLink, out, f.moveScript)
	out = strings.Replace(out, charset, charset+"  "+f.securityPolicyElement()+"\n", 1)
	end := strings.Join(append(f.data, f.scripts...), "\n") + "\n"
	return strings.Replace(out, "</body>", end+"</body>", 1), f.err
}

// replaceEach replaces all matches of an expression in a text. For each match, it calls replacement
// with the groups of the match, and with the content of the file whose name is in the first group.
func (f *oneFile) replaceEach(e *regexp.Regexp, in string, replacement func(groups []string, content string) string) string {
	return e.ReplaceAllStringFunc(in, func(found string) string {
		groups := e.FindStringSubmatch(found)
		return replacement(groups, string(f.read(groups[1])))
	})
}

// read returns the content of a file in the site. It records the first error in f.err.
func (f *oneFile) read(name string) []byte {
	data, err := f.readSite(name)
	if err != nil && f.err == nil {
		f.err = err
	}
	return data
}

// styleElement returns a style element with the content of a style sheet.
func (f *oneFile) styleElement(_ []string, content string) string {
	f.styles = append(f.styles, hashSource(content))
	return "<style>" + f.checkedContent("style", content) + "</style>"
}

// iconAttribute returns an href attribute that contains an icon as a data URL.
func (f *oneFile) iconAttribute(_ []string, content string) string {
	return `href="` + dataURL("image/svg+xml", content) + `"`
}

// moveScript moves a script element to the end of the page, so that it runs as late as a deferred
// script. For each file that a data attribute of the script names, it adds an element before the
// script.
func (f *oneFile) moveScript(groups []string, content string) string {
	name, attributes := groups[1], groups[2]
	for _, part := range partName.FindAllStringSubmatch(attributes, -1) {
		f.embed(part[1])
	}
	f.allowed = append(f.allowed, hashSource(content))
	f.scripts = append(f.scripts, fmt.Sprintf(`<script id="%s"%s>%s</script>`, name, attributes, f.checkedContent("script", content)))
	return ""
}

// embed adds an element with a file that load.js reads. A script is added as text, and any other
// file in base64. It skips wasm_exec.js, which the page already contains as a script. It also skips
// the service worker, which a single file does not need, and files that would make the single file
// too large: traces, the program for scripts, and the scripts in laterBundles.
func (f *oneFile) embed(name string) {
	switch {
	case name == "js/wasm_exec.js" || name == serviceName || path.Ext(name) == ".gz" || name == scriptsProgram || slices.Contains(laterBundles, "public/"+name):
		return
	case path.Ext(name) == ".wasm":
		name += ".xz"
	}
	content := string(f.read(name))
	if path.Ext(name) == ".js" {
		content = f.checkedContent("script", content)
		f.allowed = append(f.allowed, hashSource(content)) // allows the page to run the script
	} else {
		content = base64.StdEncoding.EncodeToString([]byte(content))
	}
	f.data = append(f.data, fmt.Sprintf(`<script type="text/plain" id="%s">%s</script>`, name, content))
}

// checkedContent returns the content of an element unchanged. It records an error if the content contains the
// end tag of the element or the beginning of a comment.
func (f *oneFile) checkedContent(element, content string) string {
	lower := strings.ToLower(content)
	for _, end := range []string{"</" + element, "<!--"} {
		if strings.Contains(lower, end) && f.err == nil {
			f.err = fmt.Errorf("%s: a part contains %q, which would end its element", oneFileName, end)
		}
	}
	return content
}

// securityPolicyElement returns an element with a content security policy. The policy allows only the
// scripts and styles in the file, and no connections.
func (f *oneFile) securityPolicyElement() string {
	return fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s 'wasm-unsafe-eval'; style-src %s; worker-src blob:; img-src data: blob:">`,
		strings.Join(f.allowed, " "), strings.Join(f.styles, " "))
}

// hashSource returns a source expression for a content security policy. The expression allows an
// inline script or style with the given content.
func hashSource(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// dataURL returns content as a data URL with the given media type.
func dataURL(mime, content string) string {
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString([]byte(content))
}

// serviceName and servicePath are the names of the service worker in the site and in the sources. They
// contain no hash, because browsers look for a new version of the service worker under the same name.
const (
	serviceName  = "sw.js"
	servicePath  = "public/" + serviceName
	emptyVersion = `data-version=""` // attribute of the page that holds the version of the site
)

// uncached lists the name prefixes of files that the page loads only when it needs them.
var uncached = []string{"studies/", "examples/", "lessons/", "exercises/", "exercises.", "js/plots.", "js/parquet.", "js/editor.", "script."}

// isCached reports whether the service worker caches a file at the first visit. It caches all files
// except the uncompressed program, the licences, and the files in uncached.
func isCached(name string) bool {
	if path.Ext(name) == ".wasm" || path.Ext(name) == ".LICENSE" {
		return false
	}
	return !slices.ContainsFunc(uncached, func(start string) bool { return strings.HasPrefix(name, start) })
}

// addService adds the service worker. The service worker caches the page, and all files added so far for which
// isCached reports true. addService returns the page with the version of the site. The version is a hash of the
// service worker, the page and the cached files.
func addService(root string, t target, a *assets, page string) (string, error) {
	script, err := readPublic(root, servicePath, t.lines)
	if err != nil {
		return "", err
	}
	if strings.Count(page, emptyVersion) != 1 {
		return "", fmt.Errorf("index.html: expected %s once, for the version of the site", emptyVersion)
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
	page = strings.Replace(page, emptyVersion, `data-version="`+version+`"`, 1)
	return page, a.write(serviceName, fmt.Appendf(nil, "self.labSite=%s;\n%s", list, script))
}
