//go:build js && wasm

// Command wasm is the WebAssembly program that the browser loads. It runs as the page or as the
// worker, depending on where it was started. Both share one program, so that the browser downloads
// and compiles it only once.
package main

import (
	"encoding/json"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/ui/app"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/vugu/render"
	"backfill-lab/ui/worker"
)

func main() {
	role := runWorker
	if browser.InPage() {
		role = page
	}
	if err := role(); err != nil {
		panic(err) // the page's crash overlay shows the text
	}
}

// page runs the user interface.
func page() error {
	root := app.New()
	ready := false
	return render.Run(root, render.Options{
		Mount: "#app",
		Setup: root.Start,
		Soon:  root.ExpectsAnswer,
		After: func() {
			if !ready {
				ready = true
				_, _ = browser.Call("labReady")
			}
			root.AfterRender()
		},
	})
}

// runWorker answers requests of the page. It returns only with an error.
func runWorker() error {
	session := worker.New(host{})
	err := browser.Listen(func(m browser.Message) {
		q := worker.Message{Kind: m.Kind, ID: m.ID, Head: m.Head, Bufs: m.Bufs}
		if m.File.Valid() {
			q.File = m.File
		}
		session.Handle(q)
	})
	if err != nil {
		return err
	}
	if browser.IsFirstWorker() {
		rehearse()
	}
	select {}
}

// rehearse renders the page once and discards the result. Browsers compile a function at its first
// call, and the page shares the functions compiled for this worker.
func rehearse() {
	if build, err := vugu.NewBuildEnv(noEvents{}); err == nil {
		build.RunBuild(app.New())
	}
}

// noEvents is an event environment without locking or rendering.
type noEvents struct{}

func (noEvents) Lock()         {}
func (noEvents) UnlockOnly()   {}
func (noEvents) UnlockRender() {}
func (noEvents) RLock()        {}
func (noEvents) RUnlock()      {}

// host provides a worker's session with the browser's clock, event loop and messages.
type host struct{}

// begin is the time at which the program started. It is not a field of host, because converting a
// time.Time to an interface would link its formatting code into the program.
var begin = time.Now()

func (host) Yield() { browser.Yield() }

func (host) Now() int64 { return time.Since(begin).Milliseconds() }

func (host) Post(kind string, id int, head any, bufs [][]byte) {
	m := browser.Message{Kind: kind, ID: id, Bufs: bufs}
	var err error
	if head != nil {
		m.Head, err = json.Marshal(head)
	}
	if err == nil {
		err = browser.Post(m)
	}
	if err != nil {
		panic(err) // the session answers with an error, or package browser reports it
	}
}
