//go:build js && wasm

// Command wasm is not for logic: it is the one program the browser loads, and it
// only decides which role to play. Page and worker share it so that it is
// downloaded and compiled once.
package main

import (
	"fmt"
	"os"

	"backfill-lab/ui"
	"backfill-lab/ui/bridge"
	"backfill-lab/ui/render"
)

func main() {
	role := worker
	if bridge.InPage() {
		role = page
	}
	if err := role(); err != nil {
		fmt.Fprintln(os.Stderr, "panic:", err) // the crash overlay shows what follows "panic:"
		os.Exit(1)
	}
}

func page() error {
	app := &ui.App{}
	ready := false
	return render.Run(app, render.Options{
		Mount: "#app",
		Setup: app.Start,
		After: func() {
			if !ready {
				ready = true
				_, _ = bridge.Call("labReady")
			}
		},
	})
}

func worker() error {
	err := bridge.Listen(func(m bridge.Message) {
		if m.Kind == "ping" {
			_ = bridge.Post(bridge.Message{Kind: "pong", ID: m.ID, Head: []byte(`"The worker answers."`)})
		}
	})
	if err != nil {
		return err
	}
	select {}
}
