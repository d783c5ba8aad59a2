package jobs

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// The key of a line covers every field that is rendered. An edit of a field outside
// the key would not appear on the page.
func TestLineKeyCoversEveryField(t *testing.T) {
	l := Line{Cells: make([]Cell, 2)}
	seen := map[string]string{l.key(): "nothing"}
	each := func(where string, v reflect.Value) {
		for i := range v.NumField() {
			f, name := v.Field(i), where+v.Type().Field(i).Name
			if name == "Key" || name == "Cells" {
				continue
			}
			was := reflect.ValueOf(f.Interface())
			if f.Kind() == reflect.String {
				f.SetString("x")
			} else {
				f.Set(reflect.ValueOf(7).Convert(f.Type()))
			}
			require.NotContains(t, seen, l.key(), "%s is not in the key", name)
			seen[l.key()] = name
			f.Set(was)
		}
	}
	each("", reflect.ValueOf(&l).Elem())
	for i := range l.Cells {
		each("Cells.", reflect.ValueOf(&l.Cells[i]).Elem())
	}
	l.Cells = l.Cells[:1]
	require.NotContains(t, seen, l.key())
}
