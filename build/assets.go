package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// assets collects the files of a site. Scripts, style sheets and programs are
// named by their content, so a host may cache them for ever.
type assets struct {
	dir   string
	names map[string]string // name in the sources -> name in the site
}

func (a *assets) add(name string, data []byte) error {
	if strings.HasPrefix(name, forOthers) {
		return a.write(name, data)
	}
	switch path.Ext(name) {
	case ".js", ".css", ".wasm":
		return a.addHashed(name, data)
	}
	return a.write(name, data)
}

// forOthers is the folder of what pages of other people name, and so keeps its names.
const forOthers = "embed/"

// addHashed adds a file that the page names, whatever its kind.
func (a *assets) addHashed(name string, data []byte) error {
	a.names[name] = hashedName(name, data)
	return a.write(a.names[name], data)
}

func (a *assets) write(final string, data []byte) error {
	return writeFile(filepath.Join(a.dir, filepath.FromSlash(final)), data)
}

// read returns a file of the site by its name in the sources.
func (a *assets) read(name string) ([]byte, error) {
	if final, ok := a.names[name]; ok {
		name = final
	}
	return os.ReadFile(filepath.Join(a.dir, filepath.FromSlash(name)))
}

// hashedName turns js/boot.js into js/boot.0123456789.js.
func hashedName(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
}

var quotedAsset = regexp.MustCompile(`"([^":?#\s]+\.(?:js|css|wasm|json))"`)

// rewrite replaces every quoted asset name in the page by its name in the site
// and refuses a name that no asset has.
func (a *assets) rewrite(page string) (string, error) {
	var unknown []string
	out := quotedAsset.ReplaceAllStringFunc(page, func(q string) string {
		name := strings.Trim(q, `"`)
		final, ok := a.names[name]
		if !ok {
			unknown = append(unknown, name)
		}
		return `"` + final + `"`
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("no such file in the site: %s", strings.Join(unknown, ", "))
	}
	return out, nil
}

// Style sheets that follow each other in the page come as one file, and so do scripts:
// browsers ask a host for few files at a time, and the program is among them. Scripts
// with an attribute are files of their own: workers run them, too, or they read it.
var bundles = []struct {
	run  *regexp.Regexp
	name string
	tag  string
}{
	{regexp.MustCompile(`(?:\s*<link rel="stylesheet" href="[^"]+">){2,}`), "css/all.css", "\n  <link rel=\"stylesheet\" href=\"css/all.css\">"},
	{regexp.MustCompile(`(?:\s*<script defer src="[^"]+"></script>){2,}`), "js/all.js", "\n  <script defer src=\"js/all.js\"></script>"},
}

var namedFile = regexp.MustCompile(`(?:href|src)="([^"]+)"`)

// bundle adds the joined files and answers with the page that names them.
func (a *assets) bundle(page string) (string, error) {
	for _, b := range bundles {
		var all bytes.Buffer
		for _, named := range namedFile.FindAllStringSubmatch(b.run.FindString(page), -1) {
			data, err := a.read(named[1])
			if err != nil {
				return "", err
			}
			all.Write(data)
			all.WriteByte('\n')
		}
		if all.Len() == 0 {
			continue
		}
		if err := a.add(b.name, all.Bytes()); err != nil {
			return "", err
		}
		page = b.run.ReplaceAllLiteralString(page, b.tag)
	}
	return page, nil
}

// shippedScript returns a hand-written script as it is shipped: without comments and
// white space, in shorter syntax, with short names inside of functions. Those that
// other scripts call stay.
func shippedScript(name, source string) ([]byte, error) {
	out := api.Transform(source, api.TransformOptions{
		Sourcefile:        name,
		Loader:            api.LoaderJS,
		Target:            api.ESNext,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		Charset:           api.CharsetUTF8,
	})
	if faults := append(out.Errors, out.Warnings...); len(faults) > 0 {
		line := 0
		if at := faults[0].Location; at != nil {
			line = at.Line
		}
		return nil, fmt.Errorf("%s:%d: %s", name, line, faults[0].Text)
	}
	return out.Code, nil
}
