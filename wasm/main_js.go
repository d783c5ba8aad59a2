//go:build js && wasm

// Command wasm is the WebAssembly program that the browser loads. It runs in two roles: as the page, or as
// the worker if a web worker started it. Both roles are one program, so that the browser downloads and
// compiles it only once.
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
	run := runWorker
	if browser.InPage() {
		run = runPage
	}
	if err := run(); err != nil {
		panic(err) // the page's crash overlay shows the text
	}
}

// runPage shows the user interface until the program ends.
func runPage() error {
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

// runWorker answers requests of the page. It returns only if there is an error.
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
		warmUp()
	}
	select {}
}

// warmUp renders the page once and discards the result. Browsers compile a function at its first call, and
// the page can use the functions compiled for this worker.
func warmUp() {
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

// host gives the worker's session access to the clock, the event loop and the messages of the browser.
type host struct{}

// startTime is the time at which the program started. It is not a field of host: converting a struct with a
// time.Time to an interface would link the code for formatting times into the program.
var startTime = time.Now()

// Yield lets the browser handle other events.
func (host) Yield() { browser.Yield() }

// Now returns the milliseconds since the program started.
func (host) Now() int64 { return time.Since(startTime).Milliseconds() }

// Post sends a message to the page.
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
