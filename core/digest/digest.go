// Package digest is SHA-256 (FIPS 180-4) in plain Go. It is not for secrets: it
// names files by their content. The standard library's gives the same sums and
// is faster, but brings its self-tests along, 48 KB of the page's download.
package digest

import (
	"encoding/binary"
	"math/bits"
)

// Hash takes what is written to it and sums it up.
type Hash struct {
	state [8]uint32
	block [64]byte
	fill  int
	size  uint64 // bytes written
}

// New returns the hash of nothing.
func New() *Hash {
	return &Hash{state: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}}
}

// Write adds p; it never fails.
func (h *Hash) Write(p []byte) (int, error) {
	h.size += uint64(len(p))
	for rest := p; len(rest) > 0; {
		n := copy(h.block[h.fill:], rest)
		rest = rest[n:]
		if h.fill += n; h.fill == len(h.block) {
			h.mix()
			h.fill = 0
		}
	}
	return len(p), nil
}

// Sum is the sum of all that was written so far; more may follow.
func (h *Hash) Sum() [32]byte {
	c := *h
	pad := make([]byte, 1, 73)
	pad[0] = 0x80
	for (c.size+uint64(len(pad)))%64 != 56 {
		pad = append(pad, 0)
	}
	pad = binary.BigEndian.AppendUint64(pad, c.size*8)
	_, _ = c.Write(pad)
	var out [32]byte
	for i, s := range c.state {
		binary.BigEndian.PutUint32(out[4*i:], s)
	}
	return out
}

// mix works a full block into the state.
func (h *Hash) mix() {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(h.block[4*i:])
	}
	for i := 16; i < 64; i++ {
		a, b := w[i-15], w[i-2]
		w[i] = w[i-16] + w[i-7] + (turn(a, 7) ^ turn(a, 18) ^ a>>3) + (turn(b, 17) ^ turn(b, 19) ^ b>>10)
	}
	a, b, c, d, e, f, g, k := h.state[0], h.state[1], h.state[2], h.state[3], h.state[4], h.state[5], h.state[6], h.state[7]
	for i := range w {
		t := k + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e&f ^ ^e&g) + constants[i] + w[i]
		u := (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a&b ^ a&c ^ b&c)
		k, g, f, e, d, c, b, a = g, f, e, d+t, c, b, a, t+u
	}
	for i, x := range [8]uint32{a, b, c, d, e, f, g, k} {
		h.state[i] += x
	}
}

func turn(x uint32, n int) uint32 { return bits.RotateLeft32(x, -n) }

// constants is the fractional parts of the cube roots of the first 64 primes.
var constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
