// Package json is not for files: scenarios have core/scenario/raw, which keeps
// what it does not know. It writes and reads the heads of messages in place of
// encoding/json, which alone would be an eighth of what the page downloads.
//
// Tags mean what they mean there (name, "-", omitempty, omitzero), embedded
// structs are flattened, and types with a text form are written as text. It does
// less: names must match exactly, a map's keys are strings, <, > and & stay as
// they are, and what the heads never hold is an error: bytes other than
// RawMessage, arrays, channels, functions, complex numbers.
package json

import (
	"fmt"
	"reflect"
)

// RawMessage is JSON that is copied as it is.
type RawMessage []byte

// MarshalJSON lets encoding/json treat a RawMessage as this package does.
func (m RawMessage) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return m, nil
}

// UnmarshalJSON lets encoding/json treat a RawMessage as this package does.
func (m *RawMessage) UnmarshalJSON(text []byte) error {
	*m = append((*m)[:0], text...)
	return nil
}

var rawMessage = reflect.TypeFor[RawMessage]()

// Unsupported is a Go value without a JSON form here.
type Unsupported struct{ What string }

func (e *Unsupported) Error() string { return "json: no form for " + e.What }

// Mismatch is JSON of one kind where the Go value is of another.
type Mismatch struct {
	Path string // of names and places, empty for the whole
	Want string // the Go type
	Got  string // the JSON value, shortened
}

func (e *Mismatch) Error() string {
	where := ""
	if e.Path != "" {
		where = e.Path + ": "
	}
	return fmt.Sprintf("json: %s%s is no %s", where, e.Got, e.Want)
}
