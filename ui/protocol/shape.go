package protocol

import (
	"encoding/binary"
	"math"

	"backfill-lab/core/job"
)

// A shape is the binary form of the optional data of a job: its amounts of extra resources, its
// speedup curve, and whether it lacks a wall time limit. All jobs of a generated workload may have
// such data, and decoding 100,000 of them from JSON would block the page for seconds. A shape
// consists of little-endian 64-bit words: the job index, the number of amounts, the amounts, and
// flags (1 for a curve, 2 for a job without a wall time limit). If there is a curve, its parameters
// L, A and sigma follow as float64.

// Flags of a shape.
const (
	withCurve = 1
	noLimit   = 2
)

// hasShape reports whether a job has optional data that a shape can encode completely.
func hasShape(m *job.More) bool {
	if m == nil || m.HasTextFields() || m.SLnos != 0 || m.SLcrs != 0 {
		return false
	}
	return m.Speedup == nil || m.Speedup.Table == nil
}

// appendShape appends the shape of job i to buf.
func appendShape(buf []byte, i int, m *job.More) []byte {
	word := func(v uint64) { buf = binary.LittleEndian.AppendUint64(buf, v) }
	word(uint64(i))
	word(uint64(len(m.Extra)))
	for _, a := range m.Extra {
		word(uint64(a))
	}
	flags := uint64(0)
	if m.NoLimit {
		flags = noLimit
	}
	if m.Speedup == nil {
		word(flags)
		return buf
	}
	word(flags | withCurve)
	word(math.Float64bits(m.Speedup.L))
	word(math.Float64bits(m.Speedup.A))
	word(math.Float64bits(m.Speedup.Sigma))
	return buf
}

// decodeShape decodes the first shape in buf if it belongs to job i. It returns the rest of buf and the decoded data.
// If buf is empty or the shape belongs to another job, decodeShape returns its arguments buf and previous unchanged. If
// the shape is damaged, it returns ErrColumns.
func decodeShape(buf []byte, i int, previous *job.More) ([]byte, *job.More, error) {
	if len(buf) == 0 || len(buf) >= 8 && binary.LittleEndian.Uint64(buf) != uint64(i) {
		return buf, previous, nil
	}
	words, bad := buf, false
	next := func() uint64 {
		if len(words) < 8 {
			bad = true
			return 0
		}
		v := binary.LittleEndian.Uint64(words)
		words = words[8:]
		return v
	}
	next()
	m := &job.More{}
	if n := next(); n > uint64(len(words)/8) {
		bad = true
	} else if n > 0 {
		m.Extra = make([]int64, n)
		for k := range m.Extra {
			m.Extra[k] = int64(next())
		}
	}
	flags := next()
	if flags&withCurve != 0 {
		m.Speedup = &job.Speedup{L: math.Float64frombits(next()), A: math.Float64frombits(next()), Sigma: math.Float64frombits(next())}
	}
	m.NoLimit = flags&noLimit != 0
	if bad || flags > withCurve|noLimit {
		return nil, nil, ErrColumns
	}
	if m.NoLimit && m.Extra == nil && m.Speedup == nil { // many jobs have only this flag, so they share one object
		m = job.OnlyNoLimit
	}
	return words, m, nil
}
