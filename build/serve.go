package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// contentPolicy is the strictest content security policy under which the page must work. It allows
// WebAssembly and scripts from files of the site, but no inline scripts and no eval.
const contentPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

// defaultPort is the port that `build serve` uses if the flag -port is not given.
const defaultPort = 8080

// serveCommand returns the command that serves the site on this machine.
func serveCommand() *cobra.Command {
	var t target
	var port int
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Build the site if necessary, and serve it on this machine",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return serve(root, t, port, cmd.Flags().Changed("port"))
		},
	}
	t.addFlags(cmd)
	cmd.Flags().IntVar(&port, "port", defaultPort, "port on 127.0.0.1; 0 selects a free port")
	return cmd
}

// serve serves the site until the program is stopped. It first builds the site if necessary. If the
// port is in use, it uses one of the next ports, unless fixed is set.
func serve(root string, t target, port int, fixed bool) error {
	if err := ensureSite(root, t); err != nil {
		return err
	}
	ln, err := listen(port, fixed)
	if err != nil {
		return err
	}
	fmt.Printf("Backfill Lab is at http://%s/  (stop with Ctrl+C)\n", ln.Addr())
	return http.Serve(ln, siteHandler(filepath.Join(root, filepath.FromSlash(t.out))))
}

// listen listens on a port of 127.0.0.1. If the port is in use, it tries the next hundred ports,
// unless fixed is set.
func listen(port int, fixed bool) (net.Listener, error) {
	for p := port; ; p++ {
		ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
		if err == nil || fixed || !errors.Is(err, syscall.EADDRINUSE) || p >= port+100 {
			return ln, err
		}
	}
}

// mimeTypes holds the content type of a file, by file extension.
var mimeTypes = map[string]string{
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".json":        "application/json",
	".webmanifest": "application/manifest+json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".wasm":        "application/wasm",
	".xz":          "application/x-xz",
	".txt":         "text/plain; charset=utf-8",
	".swf":         "text/plain; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
}

// siteHandler returns a handler that serves the files in a folder. It sends contentPolicy and
// forbids caching.
func siteHandler(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		if m := mimeTypes[filepath.Ext(r.URL.Path)]; m != "" {
			h.Set("Content-Type", m)
		}
		files.ServeHTTP(w, r)
	})
}

// inputs lists the files and folders from which a site is built.
var inputs = []string{"core", "ui", "wasm", "public", "docs", "build", "index.html", "CONTRIBUTING.md", "go.mod", "go.sum"}

// fingerprint returns a hash that changes when the Go version, the flags of the target or an input of
// the site change. For each input, the hash contains only the name, the size and the modification
// time, because it is only used to avoid unnecessary builds. The command `build site` always builds.
func fingerprint(root string, t target) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), t.pkg, t.lines, t.quick)
	for _, in := range inputs {
		err := walkFiles(root, in, func(p string, info fs.FileInfo) error {
			if isInput(p) {
				fmt.Fprintln(h, p, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// isInput reports whether a file affects the site. Tests, build output and generated Go files do
// not, but .vugu files do. The lock file of npm affects the site too, because it determines the compressor and
// the decoder.
func isInput(p string) bool {
	if strings.HasPrefix(p, "build/") {
		isBuildTool := strings.HasPrefix(p, "build/docs/") || filepath.Ext(p) == ".go" && strings.Count(p, "/") == 1
		return p == "build/browser/package-lock.json" || isBuildTool && !isTest(p)
	}
	return !isTest(p) && !strings.HasSuffix(p, "_gen.go")
}

// stampPath returns the name of the file with the fingerprint of the last build.
func stampPath(root string, t target) string {
	name := strings.NewReplacer("/", "-", "\\", "-").Replace(t.out)
	return filepath.Join(root, "build", "cache", name+".stamp")
}

// ensureSite builds the site if it is missing or if its inputs have changed.
func ensureSite(root string, t target) error {
	current, err := fingerprint(root, t)
	if err != nil {
		return err
	}
	stamp, _ := os.ReadFile(stampPath(root, t))
	_, err = os.Stat(filepath.Join(root, filepath.FromSlash(t.out), "index.html"))
	if err == nil && bytes.Equal(stamp, []byte(current)) {
		return nil
	}
	fmt.Println("building the site ...")
	return buildSite(root, t)
}
