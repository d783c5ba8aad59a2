// Package vjson is not a JSON of its own: it takes the place of the module of
// this name, through which Vugu would link encoding/json to read its events. The
// replace line in the repository's go.mod puts it there.
package vjson

import "encoding/json"

// RawMessage is JSON that is copied as it is.
type RawMessage = json.RawMessage

// Marshal returns the JSON of v.
func Marshal(v any) ([]byte, error) { return json.Marshal(v) }

// Unmarshal reads JSON into what v points to.
func Unmarshal(text []byte, v any) error { return json.Unmarshal(text, v) }
