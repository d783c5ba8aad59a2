package scenario_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
)

// earlyError returns the error that EarlyCheck finds in a text. It appends blanks, because
// EarlyCheck returns no error within the first parseOnlyBytes bytes.
func earlyError(text string) error {
	a := &scenario.EarlyCheck{}
	if _, err := a.Write([]byte(text)); err != nil {
		return err
	}
	_, err := a.Write([]byte(strings.Repeat(" ", 2<<20+1)))
	return err
}

// TestEarlyCheck checks that EarlyCheck finds errors before the text ends, and names their places.
func TestEarlyCheck(t *testing.T) {
	const over = scenario.MaxText + 1
	p := strings.Repeat("p", over)
	const got = ": expected at most 131072 bytes, got more"
	const named = ": expected a name of at most 131072 bytes, got more"
	for text, want := range map[string]string{
		`{"title":"` + p: "title" + got,
		`{"title":"` + strings.Repeat(`\u00e9`, over):           "title" + got,
		`{"title":"` + strings.Repeat(`\"`, over):               "title" + got,
		`{"title":"a","text":"` + p:                             "text" + got,
		`{"title":["` + p:                                       "title, row 1" + got,
		"{\n" + `"workload":{"jobs":[{"id":"a"},{"id":"` + p:    "jobs, row 2, id" + got,
		`{"workload":{"file":"` + p:                             "workload, file" + got,
		`{"policies":[{},{"knobs":{"a":"b","order":"` + p:       "policies, row 2, order" + got,
		`{"policies":[{"knobs":{"a":1,"` + p:                    "policies, row 1, " + p[:40] + "..." + named,
		`{"machine":{"resources":[{"name":"` + p:                "machine, resources, row 1, name" + got,
		`{"view":{"a":[` + strings.Repeat("1,", over/2):         "view" + got,
		`{"x":{"a":[` + strings.Repeat("1,", over/2) + `1]}}`:   "x" + got,
		`{"a":` + strings.Repeat("[", 101):                      "line 1, column 106: expected at most 100 nested lists and objects, got \"[\"",
		"{\n" + `"workload":{"a":` + strings.Repeat("[", 100):   "line 2, column 116: expected at most 100 nested lists and objects, got \"[\"",
		`{"workload":{"jobs":[` + strings.Repeat(",", 5000000):  "jobs: expected at most 5000000, got more",
		`{"workload":{"other":[` + strings.Repeat(",", 5000000): "",
		`{"title":"` + p[1:] + `"}`:                             "",
		`{"title":"` + strings.Repeat(`\"`, over-1) + `"}`:      "",
		`{"workload":{"a":[` + strings.Repeat("1,", over):       "",
		`{"a":[],"b":[],"c":` + strings.Repeat(" ", over) + `1`: "",
		`{"a":"` + "\n" + p:                                     "", // Parse reports this error instead
		`{}"` + p + `"`:                                         ": expected at most 131072 bytes, got more",
		`}`:                                                     "",
		`,`:                                                     "",
	} {
		err := earlyError(text)
		if len(text) > 60 {
			text = text[:60]
		}
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
		var e *scenario.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, 1+strings.Count(text, "\n"), e.Line)
	}
	_, err := (&scenario.EarlyCheck{}).Write([]byte(`{"title":"` + p))
	require.NoError(t, err, "only Parse checks a short text")
}

// FuzzEarlyCheck checks that Parse rejects whatever EarlyCheck rejects, however the text is split
// into parts.
func FuzzEarlyCheck(f *testing.F) {
	for _, s := range []string{whole, validWith("", ""), generated, shared, `{"a":"` + strings.Repeat("b", 1<<17+1) + `"}`, strings.Repeat("[", 102) + strings.Repeat("]", 102)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var a, b scenario.EarlyCheck
		_, _ = a.Write([]byte(text))
		_, _ = io.Copy(&b, iotest.OneByteReader(strings.NewReader(text)))
		require.Equal(t, a.Found(), b.Found())
		if a.Found() != nil {
			_, bad := scenario.Parse([]byte(text))
			require.Error(t, bad, "%v", a.Found())
		}
	})
}
