package files

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWithPending checks that pending edits are restored only for the address at which they were made.
func TestWithPending(t *testing.T) {
	require.Equal(t, "v=1&s=new", withPending("", pendingText("", "v=1&s=new")))
	require.Equal(t, "v=1&s=new", withPending("v=1&s=old", pendingText("v=1&s=old", "v=1&s=new")))
	require.Equal(t, "v=1&s=other", withPending("v=1&s=other", pendingText("v=1&s=old", "v=1&s=new")))
	require.Equal(t, "", withPending("", pendingText("v=1&s=old", "v=1&s=new")))
	require.Equal(t, "v=1&s=old", withPending("v=1&s=old", ""))
}
