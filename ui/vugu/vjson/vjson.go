// Package vjson replaces Vugu's module of the same name by encoding/json, so that the program
// contains only one JSON package. A replace directive in the go.mod of the repository selects this
// package.
package vjson

import "encoding/json"

// RawMessage is JSON text that is copied unchanged.
type RawMessage = json.RawMessage

// Marshal returns the JSON encoding of v.
func Marshal(v any) ([]byte, error) { return json.Marshal(v) }

// Unmarshal decodes JSON into the value that v points to.
func Unmarshal(text []byte, v any) error { return json.Unmarshal(text, v) }
