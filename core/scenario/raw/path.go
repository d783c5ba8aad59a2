package raw

import (
	"fmt"
	"strconv"
	"strings"
)

// Path names a place in a file by the fields and rows that lead to it, such as "workloads, row 2,
// name".
type Path string

// Field returns the path of a field in the object at path p.
func (p Path) Field(field string) Path { return Path(strings.TrimPrefix(string(p)+", "+field, ", ")) }

func (p Path) String() string { return string(p) }

// Error reports what is invalid in a file, and where.
type Error struct {
	Line     int    // counted from 1
	Where    string // place in the file, or the column if the text is not JSON
	Expected string
	Got      string
	Err      error // error from another package; it replaces Expected and Got
}

func (e *Error) Error() string {
	where := fmt.Sprintf("line %d", e.Line)
	if e.Where != "" {
		where += ", " + e.Where
	}
	if e.Err != nil {
		return where + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s: expected %s, got %s", where, e.Expected, e.Got)
}

func (e *Error) Unwrap() error { return e.Err }

// NewReader returns a reader with the given limits. Its errors have type *Error.
func NewReader(data []byte, maxName, maxText, maxFields int) Reader[Path] {
	return Reader[Path]{
		Data: data, MaxName: maxName, MaxText: maxText, MaxFields: maxFields,
		NewError: func(line, column int, where, expected, got string) error {
			if where == "" {
				where = fmt.Sprintf("column %d", column)
			}
			return &Error{Line: line, Where: where, Expected: expected, Got: got}
		},
	}
}

// Rows passes each item of the list v, with the place of the item, to the function visit. It
// returns the number of items. It fails if there are more than maxItems items. The argument plural,
// such as "checks", names the items in this error.
func (r *Reader[P]) Rows(v Value, at P, maxItems int, plural string, visit func(at P, v Value)) int {
	n := 0
	r.List(v, at, func(row int, v Value) {
		if n = row; n > maxItems {
			r.TooMany(v, at, fmt.Sprintf("at most %d %s", maxItems, plural))
			return
		}
		visit(at.Field("row "+strconv.Itoa(row)), v)
	})
	return n
}
