package protocol_test

import (
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

func TestColumnsRoundTrip(t *testing.T) {
	text := rapid.StringMatching(`[a-z0-9 \\\n,"é#-]{0,8}`)
	whole := rapid.Int64Range(0, job.MaxTime)
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) job.Job {
			j := job.Job{ID: text.Draw(t, "id"), Runtime: whole.Draw(t, "runtime"), Killed: rapid.Bool().Draw(t, "killed")}
			j.Submit, j.Estimate, j.Procs = whole.Draw(t, "submit"), whole.Draw(t, "estimate"), int(whole.Draw(t, "procs"))
			if rapid.Bool().Draw(t, "shape") {
				j.More = &job.More{}
				if rapid.Bool().Draw(t, "amounts") {
					j.More.Extra = rapid.SliceOfN(rapid.Int64(), 1, 3).Draw(t, "extra")
				}
				if rapid.Bool().Draw(t, "curve") {
					j.More.Speedup = &job.Speedup{L: rapid.Float64Range(1, 1e12).Draw(t, "L"), A: rapid.Float64Range(1, 1e9).Draw(t, "A"), Sigma: 0.5}
				}
			} else if rapid.Bool().Draw(t, "more") {
				j.More = &job.More{User: text.Draw(t, "user"), SLnos: rapid.Float64Range(0, 9).Draw(t, "slnos"),
					Extra:   rapid.SliceOfN(whole, 1, 3).Draw(t, "extra"),
					Speedup: &job.Speedup{L: 7, A: 2, Sigma: 0.5, Table: rapid.SliceOfN(whole, 1, 4).Draw(t, "table")}}
			}
			return j
		}), 0, 20).Draw(t, "jobs")
		got, err := protocol.DecodeJobs(protocol.EncodeJobs(jobs))
		require.NoError(t, err)
		require.Len(t, got, len(jobs))
		for i := range jobs {
			require.Equal(t, jobs[i], got[i])
		}
	})
}

func TestInvalidColumns(t *testing.T) {
	jobs := []job.Job{{ID: "a"}, {ID: "b"}}
	for _, bad := range []float64{0.5, math.NaN(), math.Inf(1), -math.Inf(1), 1e300} {
		bufs := protocol.EncodeJobs(jobs)
		binary.LittleEndian.PutUint64(bufs[1][8*3:], math.Float64bits(bad))
		_, err := protocol.DecodeJobs(bufs)
		var invalid *job.Invalid
		require.ErrorAs(t, err, &invalid)
		assert.Equal(t, "procs", invalid.Field)
		assert.Equal(t, 1, invalid.Row)
	}
	for _, bufs := range [][][]byte{
		nil, {nil}, {nil, nil, nil, nil, nil}, {[]byte("a\n"), make([]byte, 31)}, {[]byte("a\nb\n"), make([]byte, 32)}, {nil, make([]byte, 32)},
		{[]byte("a\n"), make([]byte, 32), []byte("{")}, {[]byte("a\n"), make([]byte, 32), []byte(`[{"job":1}]`)},
		{[]byte("a\n"), make([]byte, 32), nil, make([]byte, 7)}, {[]byte("a\n"), make([]byte, 32), nil, make([]byte, 16)},
		{[]byte("a\n"), make([]byte, 32), nil, append(make([]byte, 24), 1)}, {[]byte("a\n"), make([]byte, 32), nil, []byte("\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff")},
	} {
		_, err := protocol.DecodeJobs(bufs)
		assert.ErrorIs(t, err, protocol.ErrColumns)
	}
}

// The JSON encoder of the page cannot encode arrays, channels, functions or complex numbers.
// Without this test, a message head that contains such a value would fail only in the browser.
func TestHeadsCanBeEncoded(t *testing.T) {
	for _, head := range []any{protocol.Open{}, protocol.Opened{}, protocol.Run{}, protocol.Progress{}, protocol.Ran{}, protocol.View{}, protocol.Viewed{}, protocol.TimeQuery{}, protocol.EventTime{},
		protocol.Outcomes{}, protocol.Checked{}, protocol.Why{}, protocol.Answers{}, protocol.Export{}, protocol.Exported{}, protocol.Fault{}, protocol.PlayerQuery{}, protocol.Played{}, protocol.Trait{}} {
		requireEncodable(t, reflect.TypeOf(head), reflect.TypeOf(head).Name(), map[reflect.Type]bool{})
	}
}

// requireEncodable reports an error for each part of type x that the encoder cannot encode. In the
// errors, place is the name of the value of type x. seen contains the types that are already checked.
func requireEncodable(t *testing.T, x reflect.Type, place string, seen map[reflect.Type]bool) {
	if seen[x] || x.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return
	}
	seen[x] = true
	switch x.Kind() {
	case reflect.Array, reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128:
		t.Errorf("%s: expected a type that package json writes, got %s", place, x)
	case reflect.Struct:
		for i := range x.NumField() {
			if f := x.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				requireEncodable(t, f.Type, place+"."+f.Name, seen)
			}
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		requireEncodable(t, x.Elem(), place, seen)
	}
}

func TestBuffers(t *testing.T) {
	assert.Equal(t, []int32{2, 0, 1}, protocol.DecodeRows([][]byte{protocol.EncodeRows([]int32{2, 0, 1})}))
	assert.Nil(t, protocol.DecodeRows(nil))
	columns := [][]job.Time{{1, job.Never}, {3, 4}}
	assert.Equal(t, columns, protocol.DecodeTimes(protocol.EncodeTimes(columns...), 2))
	assert.Nil(t, protocol.DecodeTimes(make([]byte, 9), 1))
}
