package raw_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario/raw"
)

func TestWalk(t *testing.T) {
	v, err := raw.Check([]byte(" {\"a\" : [ 1 , {\"b\":2} ,[] ], \"c\\n\":\"x\\u00e9\\ud83d\\ude00\\ud800\" , \"d\":{}} "))
	require.NoError(t, err)
	var seen []string
	for name, f := range v.Fields() {
		seen = append(seen, name+"="+f.Compact())
		for i, item := range f.Items() {
			seen = append(seen, string(rune('0'+i))+":"+string(item.Kind())+" "+item.Text)
		}
	}
	require.Equal(t, []string{`a=[1,{"b":2},[]]`, "0:a number 1", `1:an object {"b":2}`, "2:a list []",
		"c\n=\"x\\u00e9\\ud83d\\ude00\\ud800\"", "d={}"}, seen)
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-7": -7, "3.0": 3, "1e3": 1000, "9007199254740993": 9007199254740993} {
		n, ok := raw.Value{Text: text}.Int()
		require.True(t, ok, text)
		require.Equal(t, want, n)
	}
	for _, text := range []string{"1.5", "1e30", "true", `"3"`, ""} {
		_, ok := raw.Value{Text: text}.Int()
		require.False(t, ok, text)
	}
}

// FuzzCheck compares Check with encoding/json. The results must agree, except that encoding/json
// accepts invalid UTF-8 and deeper nesting.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,true,null,"\u12aF\\"]}`, `[`, `{"a":1,}`, `01`, `"\x"`, "\"\x7f\"", "-"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := raw.Check(data)
		if strings.Count(string(data), "[")+strings.Count(string(data), "{") > raw.MaxDepth || strings.ToValidUTF8(string(data), "") != string(data) {
			return
		}
		require.Equal(t, json.Valid(data), err == nil, "%q: %v", data, err)
		if err != nil {
			return
		}
		var word string
		if json.Unmarshal(data, &word) == nil && v.Kind() == raw.Text {
			require.Equal(t, word, v.Word())
			require.NoError(t, json.Unmarshal(raw.Quote(nil, word), &word))
			require.Equal(t, word, v.Word())
		}
		require.True(t, json.Valid([]byte(v.Compact())))
	})
}
