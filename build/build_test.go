package main

import (
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAssetsAreNamedByContentAndRewritten checks that the page refers to files by their hashed names.
func TestAssetsAreNamedByContentAndRewritten(t *testing.T) {
	a := assets{dir: t.TempDir(), names: map[string]string{}}
	require.NoError(t, a.add("js/page.js", []byte("1")))
	require.NoError(t, a.add("icons/icon.svg", []byte("<svg/>")))
	page, err := a.replaceNames(`<script src="js/page.js"></script><link href="icons/icon.svg">`)
	require.NoError(t, err)
	require.Equal(t, `<script src="js/page.6b86b273ff.js"></script><link href="icons/icon.svg">`, page)
	require.FileExists(t, filepath.Join(a.dir, "js", "page.6b86b273ff.js"))
}

// TestAssetsRejectAnUnknownName checks the error for a file that the site does not have.
func TestAssetsRejectAnUnknownName(t *testing.T) {
	a := assets{dir: t.TempDir(), names: map[string]string{}}
	_, err := a.replaceNames(`<script src="js/gone.js"></script>`)
	require.ErrorContains(t, err, "js/gone.js")
}

// TestGuardRecognisesVuguHelper checks that guard.js recognises the start of Vugu's helper script.
func TestGuardRecognisesVuguHelper(t *testing.T) {
	root, err := repoRoot()
	require.NoError(t, err)
	script, err := vuguHelper(root)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(script), helperStart))
	guard, err := os.ReadFile(filepath.Join(root, "public", "js", "guard.js"))
	require.NoError(t, err)
	require.Contains(t, string(guard), "'"+helperStart+"'", "guard.js and build/compile.go must agree")
}

// TestReplaceDirLeavesNothingBehind checks that only the new folder remains after replaceDir.
func TestReplaceDirLeavesNothingBehind(t *testing.T) {
	base := t.TempDir()
	dst, finished := filepath.Join(base, "site"), filepath.Join(base, ".site-1")
	require.NoError(t, writeFile(filepath.Join(dst, "old.html"), nil))
	require.NoError(t, writeFile(filepath.Join(finished, "new.html"), nil))
	require.NoError(t, replaceDir(finished, dst))
	entries, err := os.ReadDir(base)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.FileExists(t, filepath.Join(dst, "new.html"))
	require.NoFileExists(t, filepath.Join(dst, "old.html"))
}

// TestServerSendsHeaders checks the headers of a file that the local server sends.
func TestServerSendsHeaders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, writeFile(filepath.Join(dir, "lab.wasm"), []byte("\x00asm")))
	w := httptest.NewRecorder()
	siteHandler(dir).ServeHTTP(w, httptest.NewRequest("GET", "/lab.wasm", nil))
	require.Equal(t, 200, w.Code)
	require.Equal(t, "application/wasm", w.Header().Get("Content-Type"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.Equal(t, "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'", w.Header().Get("Content-Security-Policy"))
}

// TestListenTriesTheNextPort checks that listen tries the next port if a port is in use, unless the
// port is fixed.
func TestListenTriesTheNextPort(t *testing.T) {
	first, err := listen(0, false)
	require.NoError(t, err)
	defer first.Close()
	port := portOf(t, first.Addr().String())
	second, err := listen(port, false)
	require.NoError(t, err)
	defer second.Close()
	require.NotEqual(t, port, portOf(t, second.Addr().String()))
	_, err = listen(port, true)
	require.Error(t, err)
}

// TestLongFlags checks to which arguments longFlags adds a second dash.
func TestLongFlags(t *testing.T) {
	require.Equal(t, []string{"serve", "--port", "0", "-h", "--out", "-"}, longFlags([]string{"serve", "-port", "0", "-h", "--out", "-"}))
}

// portOf returns the port of an address.
func portOf(t *testing.T, addr string) int {
	t.Helper()
	_, p, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	n, err := strconv.Atoi(p)
	require.NoError(t, err)
	return n
}

// TestIsInput checks which files affect the site.
func TestIsInput(t *testing.T) {
	for _, p := range []string{"build/compile.go", "build/browser/package-lock.json", "ui/X.vugu", "public/js/page.js"} {
		require.True(t, isInput(p), p)
	}
	for _, p := range []string{"build/pack_test.go", "build/browser/lab.mjs", "build/cache/x.zst", "ui/X_gen.go"} {
		require.False(t, isInput(p), p)
	}
}
