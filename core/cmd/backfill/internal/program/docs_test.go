package program

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestDocumentation checks that docs/exec.md has at most 6000 characters, and contains the Python
// example.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../../../../docs/exec.md")
	require.NoError(t, err)
	require.LessOrEqual(t, utf8.RuneCount(page), 6000)
	example, err := os.ReadFile("../../../../../recipes/easy.py")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```python easy.py\n")
	inPage, _, _ := strings.Cut(rest, "```")
	require.Equal(t, string(example), inPage)
}
