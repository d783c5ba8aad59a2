package digest

import (
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The sums are those of the standard library, however the bytes are cut.
func TestLikeTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, want := New(), sha256.New()
		for _, part := range rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 200), 0, 5).Draw(t, "parts") {
			_, _ = h.Write(part)
			_, _ = want.Write(part)
			sum := h.Sum()
			require.Equal(t, want.Sum(nil), sum[:])
		}
		sum := h.Sum()
		require.Equal(t, want.Sum(nil), sum[:])
	})
}

func BenchmarkWrite(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(int64(len(data)))
	h := New()
	for b.Loop() {
		_, _ = h.Write(data)
	}
}
