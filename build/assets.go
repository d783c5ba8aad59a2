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

// assets collects the files of a site. The names of scripts, style sheets, programs and
// traces contain a hash of their content, so that hosts can cache them forever.
type assets struct {
	dir   string
	names map[string]string // name in the sources -> name in the site
}

// add writes a file to the site. If files of its kind are hashed, the name gets a hash.
func (a *assets) add(name string, data []byte) error {
	if strings.HasPrefix(name, embedFolder) {
		return a.write(name, data)
	}
	switch path.Ext(name) {
	case ".js", ".css", ".wasm", ".gz":
		return a.addHashed(name, data)
	}
	return a.write(name, data)
}

// embedFolder holds files whose names must not change, because other people's pages load them.
const embedFolder = "embed/"

// addHashed writes a file with a hash in its name, whatever its kind.
func (a *assets) addHashed(name string, data []byte) error {
	a.names[name] = hashedName(name, data)
	return a.write(a.names[name], data)
}

// write writes a file with exactly this name.
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

var quotedAsset = regexp.MustCompile(`"([^":?#\s]+\.(?:js|css|wasm|json|gz))"`)

// rewrite replaces every quoted asset name in the page by its name in the site. A name that is not
// an asset is an error.
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

// bundles lists the scripts and style sheets that pages and workers load. Each bundle includes the
// modules that it imports.
var bundles = []string{"public/js/page.js", "public/js/worker.js", "public/js/docs.js", "public/css/page.css", "public/css/docs.css"}

// isModule reports whether a file below public/ is shipped only as part of a bundle.
func isModule(name string) bool {
	folder := strings.HasPrefix(name, "public/js/") || strings.HasPrefix(name, "public/css/")
	return folder && !slices.Contains(bundles, name)
}

// shipped bundles a hand-written script or style sheet with everything that it imports. If lines is
// set, it does not minify the result, so that stack traces show the original lines.
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
		Banner:            map[string]string{"js": "'use strict';"}, // modules are always strict, bundles are not
	})
	if messages := append(out.Errors, out.Warnings...); len(messages) > 0 {
		place := messages[0].Location
		if place == nil {
			place = &api.Location{File: name}
		}
		return nil, fmt.Errorf("%s:%d: %s", place.File, place.Line, messages[0].Text)
	}
	return out.OutputFiles[0].Contents, nil
}
