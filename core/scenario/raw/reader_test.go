package raw_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario/raw"
)

// path names a place by the fields that lead to it.
type path string

func (p path) Field(field string) path { return p + "." + path(field) }
func (p path) String() string          { return string(p) }

// read reads an object with fields of different types, each with a different method of Reader. It
// returns the first error.
func read(text string) error {
	r := &raw.Reader[path]{
		Data: []byte(text), MaxName: 5, MaxText: 8, MaxFields: 3,
		NewError: func(line, column int, where, expected, got string) error {
			return fmt.Errorf("%d:%d %s: expected %s, got %s", line, column, where, expected, got)
		},
	}
	top, err := r.Check()
	if err != nil {
		return err
	}
	r.Object(top, "top", func(name string, v raw.Value) bool {
		at := path("top").Field(name)
		switch name {
		case "n":
			r.WholeNumber(v, at, 1, 9)
		case "f":
			r.Number(v, at, 0.5, 2)
		case "on":
			r.Boolean(v, at)
		case "word":
			r.LongText(v, at)
		case "name":
			r.Name(v, at)
		case "list":
			r.List(v, at, func(row int, v raw.Value) { r.ShortText(v, at.Field(fmt.Sprint(row))) })
		default:
			return false
		}
		return true
	})
	return r.Err
}

// TestReader checks the error for each kind of invalid value, and the place in the error. If a text
// has several errors, the reader must return the first one.
func TestReader(t *testing.T) {
	require.NoError(t, read(`{"n": 3, "f": 1.5, "on": true}`))
	require.NoError(t, read(`{"word": "12345678", "name": 7, "list": ["a", "b"]}`))
	for text, want := range map[string]string{
		`[]`:                    "1:1 top: expected an object in { }, got a list",
		`{"n": 0}`:              "1:7 top.n: expected a whole number of at least 1, got 0",
		`{"n": 10, "f": 0}`:     "1:7 top.n: expected a whole number of at most 9, got 10",
		"{\n \"f\": 0.4}":       "2:7 top.f: expected a number of at least 0.5, got 0.4",
		`{"f": 3}`:              "1:7 top.f: expected a number of at most 2, got 3",
		`{"on": 1}`:             "1:8 top.on: expected true or false, got 1",
		`{"word": "123456789"}`: "1:10 top.word: expected at most 8 bytes, got 9",
		`{"name": ""}`:          `1:10 top.name: expected a name, got ""`,
		`{"list": ["a", 1]}`:    "1:16 top.list.2: expected a text in double quotes, got 1",
		`{"list": 1}`:           "1:10 top.list: expected a list in [ ], got 1",
		`{"x": 1}`:              `1:7 top: expected a known field, got "x"`,
		`{"n": 1, "n": 2}`:      "1:15 top.n: expected each field only once, got it again",
		`{"toolong": 1}`:        "1:13 top.toolong: expected a name of at most 5 bytes, got 7",
		`{"n": 1`:               "1:8 : expected",
	} {
		err := read(text)
		require.Error(t, err, text)
		require.True(t, strings.HasPrefix(err.Error(), want), "%s: %v", text, err)
	}
}
