package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The service worker has the same name in every version, for that is where browsers
// look for another.
const (
	serviceName = "sw.js"
	servicePath = "public/" + serviceName
	noVersion   = `data-version=""`
)

// leftOut are folders of the site that the page itself does not open.
var leftOut = []string{"studies/", "examples/", "lessons/"}

// belongs tells whether the service worker keeps a file: what the page opens, with the
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
