package digest_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/digest"
)

func TestSumIsSHA256(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		var s digest.Sum
		for rest := text; len(rest) > 0; {
			k := min(len(rest), 1+r.IntN(100))
			wrote, err := s.Write(rest[:k])
			require.NoError(t, err)
			require.Equal(t, k, wrote)
			rest = rest[k:]
		}
		want := fmt.Sprintf("%x", sha256.Sum256(text))
		require.Equal(t, want, s.Hex(), "%d bytes", n)
		require.Equal(t, want, s.Hex(), "asking changes nothing")
	}
}

func BenchmarkSum(b *testing.B) {
	text := make([]byte, 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var s digest.Sum
		_, _ = s.Write(text)
		s.Hex()
	}
}
