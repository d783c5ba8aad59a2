package link

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a frame asks for stays in the fragment through edits, but for the policies, which
// are of the scenario from then on; a page of its own is asked for nothing.
func TestFrame(t *testing.T) {
	f := Parse("v=1&embed=1&show=charts,%20jobs,,why&lock=machine&policy=easy,pc&allow=https%3A%2F%2Fa.example&x=1&s=abc")
	require.Equal(t, Frame{Embed: true, Show: []string{"charts", "jobs", "why"}, Lock: []string{"machine"}}, f.Frame())
	require.Equal(t, []string{"easy", "pc"}, f.Policies)
	require.Equal(t, "v=1&embed=1&show=charts,%20jobs,,why&lock=machine&allow=https%3A%2F%2Fa.example&x=1&s=abc", f.String())
	require.Equal(t, "v=1&x=1&s=abc", f.Unframed().String())
	require.Equal(t, Frame{}, Parse("v=1&embed=yes").Frame())
}
