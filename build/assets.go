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
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// assets writes the files of a site to a folder. It adds a hash of the content to the names of
// scripts, style sheets, programs and traces, so that browsers can cache these files forever.
type assets struct {
	dir   string            // folder of the site
	names map[string]string // by name in the sources: name in the site
}

// add writes a file to the site. It adds a hash to the name if the file is a script, a style sheet,
// a program or a trace, except in embedFolder.
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

// embedFolder contains files that other people's pages load, so the names of these files must not change.
const embedFolder = "embed/"

// addHashed writes a file of any kind to the site. It adds a hash to the name.
func (a *assets) addHashed(name string, data []byte) error {
	a.names[name] = hashedName(name, data)
	return a.write(a.names[name], data)
}

// write writes a file to the site under the name siteName.
func (a *assets) write(siteName string, data []byte) error {
	return writeFile(filepath.Join(a.dir, filepath.FromSlash(siteName)), data)
}

// read returns the content of a file in the site, given its name in the sources.
func (a *assets) read(name string) ([]byte, error) {
	if siteName, ok := a.names[name]; ok {
		name = siteName
	}
	return os.ReadFile(filepath.Join(a.dir, filepath.FromSlash(name)))
}

// hashedName adds a hash of data to a name. For example, js/page.js becomes js/page.0123456789.js.
func hashedName(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
}

// quotedAsset matches a file name in quotation marks in the source of the page.
var quotedAsset = regexp.MustCompile(`"([^":?#\s]+\.(?:js|css|wasm|json|gz))"`)

// replaceNames replaces each quoted file name in the source of the page by the name that the file
// has in the site. It returns an error if the site does not contain the file.
func (a *assets) replaceNames(page string) (string, error) {
	var unknown []string
	out := quotedAsset.ReplaceAllStringFunc(page, func(q string) string {
		name := strings.Trim(q, `"`)
		siteName, ok := a.names[name]
		if !ok {
			unknown = append(unknown, name)
		}
		return `"` + siteName + `"`
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("no such file in the site: %s", strings.Join(unknown, ", "))
	}
	return out, nil
}

// bundles lists the scripts and style sheets that pages and workers load. Each one is bundled with
// the modules that it imports.
var bundles = slices.Concat([]string{"public/js/page.js", "public/js/worker.js", "public/js/docs.js", "public/css/page.css", "public/css/docs.css"}, laterBundles)

// laterBundles lists the scripts that the page loads only when it needs them. They contain
// libraries from npm.
var laterBundles = []string{"public/js/plots.js", "public/js/parquet.js", "public/js/editor.js"}

// licensed lists the scripts that contain libraries from npm, whose licences must be published.
var licensed = append([]string{"public/js/worker.js"}, laterBundles...)

// isModule reports whether a file below public/ is only used as part of a bundle.
func isModule(name string) bool {
	isSource := strings.HasPrefix(name, "public/js/") || strings.HasPrefix(name, "public/css/")
	return isSource && !slices.Contains(bundles, name)
}

// minify returns a smaller version of a library's script. It keeps the comment at the beginning,
// which names the licence.
func minify(name string, script []byte) ([]byte, error) {
	rest := script
	for bytes.HasPrefix(rest, []byte("//")) {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	out := api.Transform(string(rest), api.TransformOptions{
		Target:            api.ESNext,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		Charset:           api.CharsetUTF8,
	})
	if messages := append(out.Errors, out.Warnings...); len(messages) > 0 {
		return nil, fmt.Errorf("minifying %s: %s", name, messages[0].Text)
	}
	return slices.Concat(script[:len(script)-len(rest)], out.Code), nil
}

// bundle returns a script or a style sheet of the project together with everything that it imports. If keepLines is
// set, bundle does not minify the result, so that stack traces lead to readable lines.
func bundle(root, name string, keepLines bool) ([]byte, error) {
	out := api.Build(bundleOptions(root, name, keepLines))
	if messages := append(out.Errors, out.Warnings...); len(messages) > 0 {
		place := messages[0].Location
		if place == nil {
			place = &api.Location{File: name}
		}
		return nil, fmt.Errorf("%s:%d: %s", place.File, place.Line, messages[0].Text)
	}
	return out.OutputFiles[0].Contents, nil
}

// bundleOptions returns the options with which esbuild bundles a script or a style sheet.
func bundleOptions(root, name string, lines bool) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:     root,
		EntryPoints:       []string{name},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ESNext,
		MinifyWhitespace:  !lines,
		MinifySyntax:      !lines,
		MinifyIdentifiers: !lines,
		Charset:           api.CharsetUTF8,
		NodePaths:         []string{filepath.Join(browserDir(root), "node_modules")},
		Banner:            map[string]string{"js": "'use strict';"}, // modules always use strict mode, but bundles do not
	}
}
