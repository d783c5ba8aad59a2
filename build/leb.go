package main

import "encoding/binary"

// wasmReader notes that it was asked for more than there is.
type wasmReader struct {
	data []byte
	at   int
	bad  bool
}

func (r *wasmReader) take(n int) []byte {
	if n < 0 || r.at+n > len(r.data) {
		r.bad, n = true, 0
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *wasmReader) byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// number reads a LEB128 number; those read here are no negative ones.
func (r *wasmReader) number() int {
	n := 0
	for shift := 0; ; shift += 7 {
		b := r.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 || shift > 28 {
			return n
		}
	}
}

// appendSigned writes a number that is not negative as a signed LEB128: a last
// byte whose seventh bit is set would mean a negative one.
func appendSigned(out []byte, n int) []byte {
	out = binary.AppendUvarint(out, uint64(n))
	if last := len(out) - 1; out[last]&0x40 != 0 {
		out[last] |= 0x80
		out = append(out, 0)
	}
	return out
}
