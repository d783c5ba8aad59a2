// Package raw scans JSON text and records where each value is. It builds no tree, and decodes only
// the texts and numbers that the caller requests. It keeps all other text unchanged, so that
// unknown fields of a file can be written back.
package raw

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
)

// Value is a JSON value in a text that the function Check has accepted.
type Value struct {
	Text string // JSON source of the value; empty for a missing value
	At   int    // offset of its first byte in the whole text
}

// Kind names the type of a JSON value in error messages.
type Kind string

// These are the kinds of JSON values.
const (
	Nothing Kind = "nothing" // a missing value
	Object  Kind = "an object"
	Array   Kind = "a list"
	Text    Kind = "a text"
	Number  Kind = "a number"
	Boolean Kind = "true or false"
	Null    Kind = "null"
)

// Kind returns the type of the value, which its first byte determines.
func (v Value) Kind() Kind {
	if v.Text == "" {
		return Nothing
	}
	switch v.Text[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return Text
	case 't', 'f':
		return Boolean
	case 'n':
		return Null
	}
	return Number
}

// Fields yields the name and the value of each field of an object, in order.
func (v Value) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for key, value := range v.members() {
			if !yield(key.Word(), value) {
				return
			}
		}
	}
}

// Items yields the items of a list and their indexes, from 0.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		i := 0
		for _, item := range v.members() {
			if !yield(i, item) {
				return
			}
			i++
		}
	}
}

// members yields the keys and values of an object, or the items of a list with empty keys. It
// yields nothing for any other value.
func (v Value) members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		keyed := v.Kind() == Object
		if !keyed && v.Kind() != Array {
			return
		}
		s := scanner{text: v.Text, at: 1}
		for s.skipBlank(); s.at < len(s.text)-1; s.skipBlank() {
			if s.text[s.at] == ',' {
				s.at++
				continue
			}
			var key Value
			if keyed {
				key = s.takeValue(v.At)
				s.skipBlank()
				s.at++ // skip the colon
				s.skipBlank()
			}
			if !yield(key, s.takeValue(v.At)) {
				return
			}
		}
	}
}

// takeValue consumes the next value. The scanner's text begins at offset base of the whole text.
func (s *scanner) takeValue(base int) Value {
	from := s.at
	_ = s.skipValue(0)
	return Value{s.text[from:s.at], base + from}
}

// Word returns the decoded content of the value if it is a text. For any other value, it returns
// the JSON.
func (v Value) Word() string {
	if v.Kind() != Text {
		return v.Text
	}
	return unquote(v.Text)
}

// Int returns the value as an integer. It accepts 3.0 and 1e3. It reports false if the value is not
// a whole number.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	n := int64(f)
	return n, err == nil && f > -1<<53 && f < 1<<53 && float64(n) == f
}

// Float returns the value as a floating-point number. It reports false if the value is not a
// number.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	return f, err == nil
}

// Shown returns the JSON of the value for an error message, cut to 40 bytes. For an object, a list or
// a missing value, it returns the kind instead.
func (v Value) Shown() string {
	const maxBytes = 40
	switch k := v.Kind(); {
	case k == Nothing, k == Object, k == Array:
		return string(k)
	case len(v.Text) > maxBytes:
		return fmt.Sprintf("%.*s...", maxBytes, v.Text)
	}
	return v.Text
}

// Place converts a byte offset in data to a line and a column, both counted from 1. Columns count
// bytes.
func Place(data []byte, at int) (line, column int) {
	at = min(at, len(data))
	before := data[:at]
	return bytes.Count(before, []byte("\n")) + 1, at - bytes.LastIndexByte(before, '\n')
}
