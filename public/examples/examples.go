// Package examples holds the examples that the page opens. It is not the place
// for traces: an example is small, says what to look at, and runs in a blink.
package examples

import (
	_ "embed"

	"backfill-lab/ui/json"
)

// Texts one by one: an embed.FS would link all that the date of a file can print.
var (
	//go:embed index.json
	index []byte
	//go:embed early-end.json
	earlyEnd []byte
	//go:embed first.json
	first []byte
	//go:embed hole.json
	hole []byte
	//go:embed jin-figure-4.json
	jinFigure4 []byte
	//go:embed orders.json
	orders []byte
	//go:embed promises.json
	promises []byte
	//go:embed two-ends.json
	twoEnds []byte
)

var files = map[string][]byte{
	"early-end":    earlyEnd,
	"first":        first,
	"hole":         hole,
	"jin-figure-4": jinFigure4,
	"orders":       orders,
	"promises":     promises,
	"two-ends":     twoEnds,
}

// Example is an entry of the list.
type Example struct {
	Name  string `json:"name"` // of the file, without its ending
	Title string `json:"title"`
}

// List is the examples in the order in which they teach; the first one is
// what the page opens on.
func List() []Example {
	var list []Example
	if err := json.Unmarshal(index, &list); err != nil {
		panic(err) // embedded: a test reads it
	}
	return list
}

// Read is the scenario file of an example, empty if there is none.
func Read(name string) []byte { return files[name] }

// First is the scenario file of the first example.
func First() []byte { return Read(List()[0].Name) }
