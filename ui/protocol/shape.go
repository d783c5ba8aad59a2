package protocol

import (
	"encoding/binary"
	"math"

	"backfill-lab/core/job"
)

// A shape is what every job of a generated workload may have: amounts of extra
// resources, and a curve. In JSON a hundred thousand of them would keep the page
// from answering for seconds. It is little-endian words of 64 bits: the job, how
// many amounts, these, and 1 and L, A, sigma as float64 where there is a curve,
// else 0.

// shaped reports whether a job has more, and that is a shape.
func shaped(m *job.More) bool {
	if m == nil || m.HasWords() || m.SLnos != 0 || m.SLcrs != 0 {
		return false
	}
	return m.Speedup == nil || m.Speedup.Table == nil
}

// shape appends that of a job.
func shape(buf []byte, at int, m *job.More) []byte {
	word := func(v uint64) { buf = binary.LittleEndian.AppendUint64(buf, v) }
	word(uint64(at))
	word(uint64(len(m.Extra)))
	for _, a := range m.Extra {
		word(uint64(a))
	}
	if m.Speedup == nil {
		word(0)
		return buf
	}
	word(1)
	word(math.Float64bits(m.Speedup.L))
	word(math.Float64bits(m.Speedup.A))
	word(math.Float64bits(m.Speedup.Sigma))
	return buf
}

// shapeOf reads the next shape if it is that of the job, and returns those to come;
// a job without one has what it had.
func shapeOf(buf []byte, at int, had *job.More) ([]byte, *job.More, error) {
	if len(buf) == 0 || len(buf) >= 8 && binary.LittleEndian.Uint64(buf) != uint64(at) {
		return buf, had, nil
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
	switch next() {
	case 0:
	case 1:
		m.Speedup = &job.Speedup{L: math.Float64frombits(next()), A: math.Float64frombits(next()), Sigma: math.Float64frombits(next())}
	default:
		bad = true
	}
	if bad {
		return nil, nil, ErrColumns
	}
	return words, m, nil
}
