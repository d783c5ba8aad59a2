//go:build js && wasm

// Package host connects the session of a web worker to the browser.
package host

import (
	"encoding/json"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/worker"
)

// Run answers the requests of the page. It returns only if there is an error. In the first worker
// of a page, it calls warmUp once.
func Run(warmUp func()) error {
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

// host gives the session of the worker access to the clock, the event loop and the messages of the
// browser.
type host struct{}

// startTime is the time at which the program started. It is not a field of host, because converting
// a struct with a time.Time to an interface would link the code that formats times.
var startTime = time.Now()

// Yield lets the browser handle other events.
func (host) Yield() { browser.Yield() }

// Now returns the milliseconds since the program started.
func (host) Now() int64 { return time.Since(startTime).Milliseconds() }

// NewHash returns a new SHA-256 hash.
func (host) NewHash() worker.Hash { return browser.NewSHA256() }

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
		panic(err) // recovered by the session, which answers with an error, or by package browser, which reports it
	}
}
