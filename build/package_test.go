package main

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/version"
)

// TestArchive checks that the archive contains the site and the licences in one folder, and that the same
// site produces the same bytes.
func TestArchive(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{"LICENSE": "MIT", "NOTICE": "third parties", "build/site/index.html": "page", "build/site/js/a.js": "script"}
	for name, content := range files {
		require.NoError(t, writeFile(filepath.Join(root, name), []byte(content)))
	}
	name := filepath.Join(root, "build", "backfill-lab-"+version.Program+".zip")
	require.NoError(t, archiveSite(root, target{out: "build/site"}))
	before, err := os.ReadFile(name)
	require.NoError(t, err)

	r, err := zip.OpenReader(name)
	require.NoError(t, err)
	defer r.Close()
	got := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(in)
		require.NoError(t, err)
		got[f.Name] = string(data)
	}
	folder := "backfill-lab-" + version.Program + "/"
	require.Equal(t, map[string]string{folder + "LICENSE": "MIT", folder + "NOTICE": "third parties", folder + "index.html": "page", folder + "js/a.js": "script"}, got)

	require.NoError(t, archiveSite(root, target{out: "build/site"}))
	again, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, before, again, "the same site gives the same bytes")
	left, err := filepath.Glob(filepath.Join(root, "build", "*.part"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// onePage is the source of a small page.
const onePage = `<!DOCTYPE html>
<html>
<head>
  <meta charset="utf-8">
  <link rel="manifest" href="lab.webmanifest">
  <link rel="icon" type="image/svg+xml" href="icons/icon.svg">
  <link rel="stylesheet" href="css/lab.css">
  <script defer src="js/page.js" data-wasm="lab.wasm" data-exec="js/wasm_exec.js" data-worker="js/worker.js" data-service="sw.js" data-version="1"></script>
  <script defer src="js/wasm_exec.js"></script>
</head>
<body>
  <p>Words.</p>
</body>
</html>
`

// readSite returns a file of a small site.
func readSite(name string) ([]byte, error) {
	all := map[string]string{
		"icons/icon.svg": "<svg/>", "css/lab.css": "p {}", "js/page.js": "start()", "js/wasm_exec.js": "run()", "js/worker.js": "work()", "lab.wasm.xz": "program",
	}
	if content, ok := all[name]; ok {
		return []byte(content), nil
	}
	return nil, errors.New(name + " is missing")
}

// TestOneFile checks the single file made from a small page. It must contain the page, its icon,
// its style sheet, its scripts and the program.
func TestOneFile(t *testing.T) {
	f := oneFile{readSite: readSite}
	page, err := f.build(onePage)
	require.NoError(t, err)
	require.Equal(t, `<!DOCTYPE html>
<html class="alone">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src `+hashSource("work()")+" "+hashSource("start()")+" "+hashSource("run()")+` 'wasm-unsafe-eval'; style-src `+hashSource("p {}")+`; worker-src blob:; img-src data: blob:">
  <link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,PHN2Zy8+">
  <style>p {}</style>
</head>
<body>
  <p>Words.</p>
<script type="text/plain" id="lab.wasm.xz">cHJvZ3JhbQ==</script>
<script type="text/plain" id="js/worker.js">work()</script>
<script id="js/page.js" data-wasm="lab.wasm" data-exec="js/wasm_exec.js" data-worker="js/worker.js" data-service="sw.js" data-version="1">start()</script>
<script id="js/wasm_exec.js">run()</script>
</body>
</html>
`, page)
}

// TestOneFileErrors checks the errors for content that would end its element, and for a missing file.
func TestOneFileErrors(t *testing.T) {
	for content, want := range map[string]string{"x = '</SCRIPT>'": "</script", "a <!-- b": "<!--"} {
		f := oneFile{readSite: func(name string) ([]byte, error) {
			if name == "js/wasm_exec.js" {
				return []byte(content), nil
			}
			return readSite(name)
		}}
		_, err := f.build(onePage)
		require.ErrorContains(t, err, want)
	}
	f := oneFile{readSite: readSite}
	_, err := f.build(strings.Replace(onePage, "js/wasm_exec.js\"></", "js/gone.js\"></", 1))
	require.EqualError(t, err, "js/gone.js is missing")
}

// siteWithService adds a service worker to a site with the given files and page. It returns the script of
// the worker, and the page.
func siteWithService(t *testing.T, files map[string]string, page string) (string, string) {
	root := t.TempDir()
	a := assets{dir: filepath.Join(root, "site"), names: map[string]string{}}
	require.NoError(t, writeFile(filepath.Join(root, servicePath), []byte("work();")))
	for name, content := range files {
		require.NoError(t, a.write(name, []byte(content)))
	}
	page, err := addService(root, target{}, &a, page)
	require.NoError(t, err)
	script, err := os.ReadFile(filepath.Join(a.dir, serviceName))
	require.NoError(t, err)
	return string(script), page
}

// TestAddService checks the version and the files in the script of the service worker. It also checks
// which changes of the site change the version.
func TestAddService(t *testing.T) {
	files := map[string]string{
		"js/a.1.js": "", "icons/i.svg": "", "lab.1.wasm": "", "lab.1.wasm.xz": "", "studies/s.csv": "", "lessons/l.json": "", "js/x.LICENSE": "", "lessons.1.json": "", "exercises.1.json": "",
	}
	script, page := siteWithService(t, files, `<script data-version=""></script>`)
	version := page[len(`<script data-version="`):][:10]
	require.Equal(t, `<script data-version="`+version+`"></script>`, page)
	require.Equal(t, `self.labSite={"files":["index.html","icons/i.svg","js/a.1.js","lab.1.wasm.xz","lessons.1.json"],"version":"`+version+"\"};\n'use strict';\n(()=>{work();})();\n", script)

	again, _ := siteWithService(t, files, `<script data-version=""></script>`)
	require.Equal(t, script, again, "the same bytes give the same version")
	files["studies/s.csv"] = "other"
	again, _ = siteWithService(t, files, `<script data-version=""></script>`)
	require.Equal(t, script, again, "files that are not cached do not affect the version")
	files["icons/i.svg"] = "other"
	again, _ = siteWithService(t, files, `<script data-version=""></script>`)
	require.NotEqual(t, script, again, "files without a hash in their names affect the version")
	again, _ = siteWithService(t, files, `<script data-version=""></script> `)
	require.NotEqual(t, script, again, "the page affects the version")
}

// TestAddServiceNeedsAttribute checks the error for a page without the attribute for the version.
func TestAddServiceNeedsAttribute(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, writeFile(filepath.Join(root, servicePath), nil))
	_, err := addService(root, target{lines: true}, &assets{dir: root}, "<p>")
	require.ErrorContains(t, err, `expected data-version="" once`)
}
