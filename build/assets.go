package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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

// hashedName turns js/page.js into js/page.0123456789.js.
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

// bundles are the scripts and style sheets that pages and workers load: each holds the
// modules that it imports.
var bundles = []string{"public/js/page.js", "public/js/worker.js", "public/js/docs.js", "public/css/page.css", "public/css/docs.css"}

// isModule reports whether a file below public/ is a part of a bundle.
func isModule(name string) bool {
	folder := strings.HasPrefix(name, "public/js/") || strings.HasPrefix(name, "public/css/")
	return folder && !slices.Contains(bundles, name)
}

// shipped returns a hand-written script or style sheet as it is shipped, with what it
// imports: without comments and white space and with short names inside of functions, or
// as written where the lines of stacks count.
func shipped(root, name string, lines bool) ([]byte, error) {
	out := api.Build(api.BuildOptions{
		AbsWorkingDir:     root,
		EntryPoints:       []string{name},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ESNext,
		MinifyWhitespace:  !lines,
		MinifySyntax:      !lines,
		MinifyIdentifiers: !lines,
		Charset:           api.CharsetUTF8,
		Banner:            map[string]string{"js": "'use strict';"}, // as modules are
	})
	if faults := append(out.Errors, out.Warnings...); len(faults) > 0 {
		at := faults[0].Location
		if at == nil {
			at = &api.Location{File: name}
		}
		return nil, fmt.Errorf("%s:%d: %s", at.File, at.Line, faults[0].Text)
	}
	return out.OutputFiles[0].Contents, nil
}
