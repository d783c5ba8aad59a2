// Command cmd is the program for the browser tests of package traps. It is not part of the
// site.
package main

import (
	"fmt"
	"os"

	"backfill-lab/ui/browser"
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
	if !browser.InPage() {
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
			_, _ = browser.Call("labReady")
			page.Drawn()
		},
	})
}
