// Package ui is not for scheduling: it shows what the core computed and hands on
// what the person asked for. Structs and methods live in .go files, markup in
// .vugu files.
package ui

import (
	"encoding/json"

	"github.com/vugu/vugu"

	"backfill-lab/ui/bridge"
)

// App is the root component.
type App struct {
	Reply string

	env    vugu.EventEnv
	worker *bridge.Worker
	asked  int
}

// Start connects the app to its worker.
func (c *App) Start(env vugu.EventEnv) {
	c.env = env
	w, err := bridge.Spawn("main", c.receive)
	if err != nil {
		c.Reply = "no worker: " + err.Error()
		return
	}
	c.worker = w
	c.Ping()
}

// Ping asks the worker for a sign of life.
func (c *App) Ping() {
	if c.worker == nil {
		return
	}
	c.asked++
	if err := c.worker.Post(bridge.Message{Kind: "ping", ID: c.asked}); err != nil {
		c.Reply = err.Error()
	}
}

func (c *App) receive(m bridge.Message) {
	c.env.Lock()
	defer c.env.UnlockRender()
	switch m.Kind {
	case "pong":
		var words string
		if err := json.Unmarshal(m.Head, &words); err != nil {
			words = err.Error()
		}
		c.Reply = words
	default:
		c.Reply = m.Kind + ": " + string(m.Head)
	}
}
