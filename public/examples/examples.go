// Package examples holds the examples that the page opens. It is not the place
// for traces: an example is small, says what to look at, and runs in a blink.
package examples

import (
	"embed"
	"encoding/json"
)

//go:embed *.json
var files embed.FS

// Example is an entry of the list.
type Example struct {
	Name  string `json:"name"` // of the file, without its ending
	Title string `json:"title"`
}

// List is the examples in the order in which they teach; the first one is
// what the page opens on.
func List() []Example {
	var list []Example
	data, err := files.ReadFile("index.json")
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		panic(err) // embedded: a test reads it
	}
	return list
}

// Read is the scenario file of an example, empty if there is none.
func Read(name string) []byte {
	data, err := files.ReadFile(name + ".json")
	if err != nil {
		return nil
	}
	return data
}

// First is the scenario file of the first example.
func First() []byte { return Read(List()[0].Name) }
