package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// service adds a service worker to a site of these files and gives script and page.
func service(t *testing.T, files map[string]string, page string) (string, string) {
	root := t.TempDir()
	a := assets{dir: filepath.Join(root, "site"), names: map[string]string{}}
	require.NoError(t, writeFile(filepath.Join(root, servicePath), []byte("work();")))
	for name, content := range files {
		require.NoError(t, a.write(name, []byte(content)))
	}
	page, err := addService(root, target{lines: true}, &a, page)
	require.NoError(t, err)
	script, err := os.ReadFile(filepath.Join(a.dir, serviceName))
	require.NoError(t, err)
	return string(script), page
}

func TestServiceKnowsItsVersionAndWhatBelongsToIt(t *testing.T) {
	files := map[string]string{
		"js/a.1.js": "", "icons/i.svg": "", "lab.1.wasm": "", "lab.1.wasm.zst": "", "studies/s.csv": "", "lessons/l.json": "", "js/x.LICENSE": "", "lessons.1.json": "",
	}
	script, page := service(t, files, `<script data-version=""></script>`)
	version := page[len(`<script data-version="`):][:10]
	require.Equal(t, `<script data-version="`+version+`"></script>`, page)
	require.Equal(t, `self.labSite={"files":["index.html","icons/i.svg","js/a.1.js","lab.1.wasm.zst","lessons.1.json"],"version":"`+version+"\"};\nwork();", script)

	again, _ := service(t, files, `<script data-version=""></script>`)
	require.Equal(t, script, again, "the same bytes are the same version")
	files["studies/s.csv"] = "other"
	again, _ = service(t, files, `<script data-version=""></script>`)
	require.Equal(t, script, again, "what is left out makes no version")
	files["icons/i.svg"] = "other"
	again, _ = service(t, files, `<script data-version=""></script>`)
	require.NotEqual(t, script, again, "files without a hash in their names count as well")
	again, _ = service(t, files, `<script data-version=""></script> `)
	require.NotEqual(t, script, again, "and so does the page")
}

func TestServiceNeedsAPlaceForItsVersion(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, writeFile(filepath.Join(root, servicePath), nil))
	_, err := addService(root, target{lines: true}, &assets{dir: root}, "<p>")
	require.ErrorContains(t, err, `expected data-version="" once`)
}
