// Command cmd is not part of the site: the program behind the browser tests of
// package traps.
package main

import (
	"fmt"
	"os"

	"backfill-lab/ui/bridge"
	"backfill-lab/ui/vugu/render"
	"backfill-lab/ui/vugu/traps"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "panic:", err)
		os.Exit(1)
	}
}

func run() error {
	if !bridge.InPage() {
		if err := traps.Work(); err != nil {
			return err
		}
		select {}
	}
	page := traps.New()
	return render.Run(page, render.Options{
		Mount: "#app",
		Setup: page.Start,
		After: func() {
			_, _ = bridge.Call("labReady")
			page.Drawn()
		},
	})
}
