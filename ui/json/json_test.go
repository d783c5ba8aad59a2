package json_test

import (
	std "encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload"
	"backfill-lab/ui/json"
	"backfill-lab/ui/proto"
)

type inner struct {
	A int `json:"a"`
	B string
}

type all struct {
	inner
	Inner    inner             `json:"inner"`
	Pointer  *int64            `json:"pointer"`
	Absent   *int              `json:"absent,omitempty"`
	Floats   []float64         `json:"floats"`
	Table    map[string]string `json:"table,omitempty"`
	Deep     map[string][]inner
	Any      any             `json:"any"`
	Skipped  int             `json:"-"`
	Raw      json.RawMessage `json:"raw,omitempty"`
	Window   workload.Window `json:"window,omitzero"`
	Overrun  workload.Overrun
	Small    uint8
	Text     string `json:"text,omitempty"`
	Empty    *inner `json:"empty,omitempty"`
	Zero     inner  `json:"zero,omitempty"` // a struct is never empty
	hidden   int
	Embedded `json:"named"`
}

// Embedded has a name of its own.
type Embedded struct{ X int }

type flat struct {
	Generation int `json:"generation"`
	proto.View
}

func pointer[T any](v T) *T { return &v }

func values() []any {
	full := all{
		Inner: inner{1, "<&>\u2028\x00\x7f\"\\\n"}, Pointer: pointer(int64(math.MinInt64)),
		Floats: []float64{0, -0.5, 2.5e-10, 1e21, 123456789, math.MaxFloat64, math.SmallestNonzeroFloat64},
		Table:  map[string]string{"b": "2", "a": "1", "": "é😀"}, Deep: map[string][]inner{"x": {{2, "y"}}, "nil": nil},
		Any: map[string]any{"list": []any{1.5, "t", nil, true, map[string]any{}}}, Raw: json.RawMessage(`{"a":[1,2]}`),
		Small: 255, Text: "t", Empty: &inner{}, Embedded: Embedded{3}, hidden: 1,
	}
	return []any{
		nil, true, -7, uint64(math.MaxUint64), 2.5, float32(0.1), "text", "bad \xff byte", []string{}, []string(nil), map[string]int(nil), map[string]int{}, (*int)(nil), struct{}{},
		all{}, full, &full, []*all{&full, nil},
		flat{2, proto.View{From: 5, Generation: 6}},
		proto.Open{Name: "a", Rules: workload.Rules{Limit: 3, Overrun: 1, LoadFactor: 0.9}},
		proto.Ran{Results: []proto.Result{{Policy: proto.Policy{Name: "easy", Knobs: map[string]string{"order": "sjf"}}, Metrics: []proto.Metric{{Name: "wait"}, {Name: "load", Value: pointer(0.25)}}}}},
		proto.Answers{Answers: []proto.Answer{{Start: pointer(int64(3)), Lines: []proto.Line{{Parts: []proto.Part{{Text: "x", Job: pointer(0)}}}}}}},
		proto.Fault{Text: "no", Row: pointer(0)},
		proto.Viewed{Generation: 1, View: proto.View{Rows: 3}, Labels: map[string]string{"1": "a"}},
	}
}

// Both packages write the same; only the escapes of texts may differ.
func TestMarshalLikeTheStandard(t *testing.T) {
	for _, v := range values() {
		got, err := json.Marshal(v)
		require.NoError(t, err)
		want, err := std.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, compact(t, want), compact(t, got))
	}
}

// compact writes JSON anew with the escapes of encoding/json and in its order.
func compact(t *testing.T, text []byte) string {
	t.Helper()
	var names []string
	in := std.NewDecoder(strings.NewReader(string(text)))
	in.UseNumber()
	for {
		tok, err := in.Token()
		if err != nil {
			return strings.Join(names, " ")
		}
		word, err := std.Marshal(tok)
		require.NoError(t, err)
		names = append(names, string(word))
	}
}

// What one package wrote, both read into the same.
func TestUnmarshalLikeTheStandard(t *testing.T) {
	for _, v := range values() {
		if v == nil {
			continue
		}
		text, err := std.Marshal(v)
		require.NoError(t, err)
		want, got := reflect.New(reflect.TypeOf(v)), reflect.New(reflect.TypeOf(v))
		require.NoError(t, std.Unmarshal(text, want.Interface()))
		require.NoError(t, json.Unmarshal(text, got.Interface()), "%s", text)
		require.Equal(t, want.Elem().Interface(), got.Elem().Interface(), "%s", text)
	}
	var x any
	require.NoError(t, json.Unmarshal([]byte(` {"a":[1,"b",null,false,{}],"c":-2e3} `), &x))
	require.Equal(t, map[string]any{"a": []any{1.0, "b", nil, false, map[string]any{}}, "c": -2000.0}, x)
}

func TestUnmarshalIntoWhatIsThere(t *testing.T) {
	v := all{Inner: inner{1, "kept"}, Table: map[string]string{"a": "1"}, Floats: []float64{1, 2, 3}, Pointer: pointer(int64(5)), Text: "kept"}
	require.NoError(t, json.Unmarshal([]byte(`{"inner":{"a":2},"table":{"b":"2"},"floats":[9],"pointer":6,"text":null,"unknown":[{}]}`), &v))
	require.Equal(t, inner{2, "kept"}, v.Inner)
	require.Equal(t, map[string]string{"a": "1", "b": "2"}, v.Table)
	require.Equal(t, []float64{9}, v.Floats)
	require.Equal(t, int64(6), *v.Pointer)
	require.Equal(t, "kept", v.Text)
	require.NoError(t, json.Unmarshal([]byte(`{"pointer":null,"table":null}`), &v))
	require.Nil(t, v.Pointer)
	require.Nil(t, v.Table)
}

func TestUnmarshalSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`{"Deep":{"x":[{"a":1},{"a":"2"}]}}`: `json: Deep.x[1].a: "2" is no int`,
		`{"inner":{"a":1.5}}`:                `json: inner.a: 1.5 is no int`,
		`{"Small":256}`:                      `json: Small: 256 is no uint8`,
		`{"floats":{}}`:                      `json: floats: an object is no []float64`,
		`{"inner":[]}`:                       `json: inner: a list is no json_test.inner`,
		`{"table":{"a":1}}`:                  `json: table.a: 1 is no string`,
		`{"window":3}`:                       `json: window: 3 is no workload.Window`,
		`[`:                                  `json: expected a value, got the end of the text`,
		`3`:                                  `json: 3 is no json_test.all`,
	} {
		var v all
		require.EqualError(t, json.Unmarshal([]byte(text), &v), want, text)
	}
	var v all
	require.Error(t, json.Unmarshal([]byte(`{"Overrun":"never"}`), &v))
	require.Error(t, json.Unmarshal([]byte(`{}`), v), "not a pointer")
	require.Error(t, json.Unmarshal([]byte(`{}`), (*all)(nil)))
}

func TestMarshalRefuses(t *testing.T) {
	for _, v := range []any{math.NaN(), math.Inf(1), func() {}, make(chan int), [1]int{}, []byte("x"), map[int]int{}, complex(1, 2),
		map[string]any{"x": math.NaN()}, json.RawMessage(`{`), json.RawMessage(""), struct{ F func() }{}} {
		_, err := json.Marshal(v)
		require.Error(t, err, "%T", v)
	}
}

func FuzzUnmarshalLikeTheStandard(f *testing.F) {
	for _, v := range values() {
		text, _ := std.Marshal(v)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got, want any
		err := json.Unmarshal([]byte(text), &got)
		if strings.Count(text, "[")+strings.Count(text, "{") > 100 || strings.ToValidUTF8(text, "") != text {
			return
		}
		if std.Unmarshal([]byte(text), &want) != nil {
			return // also numbers too large for a float64
		}
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}
