package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainScript(t *testing.T) {
	got, err := plainScript("a.js", "// Words.\n'use strict';\n\nif (x) {\n  // more\n  y(`//`, \"a\"); // kept\n}\n")
	require.NoError(t, err)
	require.Equal(t, "'use strict';\nif (x) {\ny(`//`, \"a\"); // kept\n}\n", got)
	_, err = plainScript("a.js", "x = `one\n  two`;\n")
	require.EqualError(t, err, "a.js:1: expected a template text to end in its line")
}
