package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
)

// contentPolicy is the strictest policy the page promises to run under: scripts
// from its own files and WebAssembly, nothing inline, no eval.
const contentPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

const firstPort = 8080

func serveCommand() *cobra.Command {
	var t target
	var port int
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Build what is missing or stale and serve the site on this machine",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			return serve(root, t, port, cmd.Flags().Changed("port"))
		},
	}
	t.flags(cmd)
	cmd.Flags().IntVar(&port, "port", firstPort, "port on 127.0.0.1; 0 takes any free one")
	return cmd
}

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

// listen takes the port asked for; without one, the first free from 8080 on.
func listen(port int, fixed bool) (net.Listener, error) {
	for p := port; ; p++ {
		ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
		if err == nil || fixed || !errors.Is(err, syscall.EADDRINUSE) || p >= port+100 {
			return ln, err
		}
	}
}

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
	".zst":         "application/zstd",
	".txt":         "text/plain; charset=utf-8",
	".swf":         "text/plain; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
}

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
