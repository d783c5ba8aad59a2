//go:build js && wasm

// Command wasm is not for logic: it is the one program the browser loads, and it
// only decides which role to play. Page and worker share it so that it is
// downloaded and compiled once.
package main

import (
	"encoding/json"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/ui"
	"backfill-lab/ui/bridge"
	"backfill-lab/ui/lab"
	"backfill-lab/ui/vugu/render"
)

func main() {
	role := worker
	if bridge.InPage() {
		role = page
	}
	if err := role(); err != nil {
		panic(err) // the crash overlay shows it
	}
}

func page() error {
	app := ui.NewApp()
	ready := false
	return render.Run(app, render.Options{
		Mount: "#app",
		Setup: app.Start,
		Soon:  app.Soon,
		After: func() {
			if !ready {
				ready = true
				_, _ = bridge.Call("labReady")
			}
			app.Drawn()
		},
	})
}

func worker() error {
	session := lab.New(host{})
	err := bridge.Listen(func(m bridge.Message) {
		q := lab.Message{Kind: m.Kind, ID: m.ID, Head: m.Head, Bufs: m.Bufs}
		if m.File.Valid() {
			q.File = m.File
		}
		session.Handle(q)
	})
	if err != nil {
		return err
	}
	if bridge.First() {
		rehearse()
	}
	select {}
}

// rehearse makes the page once, for nobody: browsers compile a function when it is
// first called, and what this worker has called the page finds compiled.
func rehearse() {
	if build, err := vugu.NewBuildEnv(nobody{}); err == nil {
		build.RunBuild(ui.NewApp())
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

func (host) Yield() { bridge.Yield() }

func (host) Now() int64 { return time.Since(begin).Milliseconds() }

func (host) Post(kind string, id int, head any, bufs [][]byte) {
	m := bridge.Message{Kind: kind, ID: id, Bufs: bufs}
	var err error
	if head != nil {
		m.Head, err = json.Marshal(head)
	}
	if err == nil {
		err = bridge.Post(m)
	}
	if err != nil {
		panic(err) // the session answers with an error, or the bridge reports it
	}
}
