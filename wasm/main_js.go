//go:build js && wasm

// Command wasm is not for logic: it is the one program the browser loads, and it
// only decides which role to play. Page and worker share it so that it is
// downloaded and compiled once.
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
		panic(err) // the crash overlay shows it
	}
}

func page() error {
	root := app.New()
	ready := false
	return render.Run(root, render.Options{
		Mount: "#app",
		Setup: root.Start,
		Soon:  root.Soon,
		After: func() {
			if !ready {
				ready = true
				_, _ = browser.Call("labReady")
			}
			root.Drawn()
		},
	})
}

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
	if browser.First() {
		rehearse()
	}
	select {}
}

// rehearse makes the page once, for nobody: browsers compile a function when it is
// first called, and what this worker has called the page finds compiled.
func rehearse() {
	if build, err := vugu.NewBuildEnv(nobody{}); err == nil {
		build.RunBuild(app.New())
	}
}

// nobody waits for no drawing.
type nobody struct{}

func (nobody) Lock()         {}
func (nobody) UnlockOnly()   {}
func (nobody) UnlockRender() {}
func (nobody) RLock()        {}
func (nobody) RUnlock()      {}

// host is the worker's world as a session sees it.
type host struct{}

var begin = time.Now() // in the host, which is an interface, it would link all that a date can print

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
