// Package digest is not for keeping secrets: it is SHA-256 for telling files from
// one another. The standard package is the same function with far more around it,
// 50 KB of download that a browser gets for nothing.
package digest

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

const block = 64

// Sum takes bytes as an io.Writer and then gives their SHA-256. The zero value
// has taken none.
type Sum struct {
	state [8]uint32 // of the whole blocks, less their start
	rest  []byte    // of the block begun
	total uint64    // bytes
}

// The first 32 bits of the fractional parts of the roots of the first primes: of
// square roots the start, of cube roots the rounds.
var (
	start  = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	rounds = [block]uint32{
		0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
		0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
		0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
		0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
		0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
		0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
		0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
		0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
	}
)

// Write never fails.
func (s *Sum) Write(p []byte) (int, error) {
	s.total += uint64(len(p))
	n := len(p)
	if len(s.rest) > 0 {
		k := min(block-len(s.rest), len(p))
		s.rest, p = append(s.rest, p[:k]...), p[k:]
		if len(s.rest) < block {
			return n, nil
		}
		s.mix(s.rest)
		s.rest = s.rest[:0]
	}
	for ; len(p) >= block; p = p[block:] {
		s.mix(p)
	}
	s.rest = append(s.rest, p...)
	return n, nil
}

// Hex is the sum of what was written, in hexadecimal digits.
func (s *Sum) Hex() string {
	end := *s
	end.rest = append([]byte(nil), s.rest...)
	pad := make([]byte, 1+(2*block-9-len(s.rest))%block)
	pad[0] = 0x80
	_, _ = end.Write(binary.BigEndian.AppendUint64(pad, s.total*8))
	var out []byte
	for i, v := range end.state {
		out = binary.BigEndian.AppendUint32(out, v+start[i])
	}
	return hex.EncodeToString(out)
}

// mix takes the first block of p.
func (s *Sum) mix(p []byte) {
	var w [block]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(p[4*i:])
	}
	for i := 16; i < block; i++ {
		x, y := w[i-15], w[i-2]
		w[i] = w[i-16] + w[i-7] +
			(bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3) +
			(bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10)
	}
	var v [8]uint32
	for i := range v {
		v[i] = s.state[i] + start[i]
	}
	a, b, c, d, e, f, g, h := v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
	for i, k := range rounds {
		t1 := h + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) + k + w[i]
		t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, x := range [8]uint32{a, b, c, d, e, f, g, h} {
		s.state[i] += x
	}
}
