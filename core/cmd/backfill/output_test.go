package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPieces(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 20_000)
	var p pieces
	for _, cut := range [][2]int{{0, 0}, {0, 3}, {3, 150_000}, {150_000, 200_000}} {
		n, err := p.Write(text[cut[0]:cut[1]])
		require.NoError(t, err)
		require.Equal(t, cut[1]-cut[0], n)
	}
	var out bytes.Buffer
	n, err := p.WriteTo(&out)
	require.NoError(t, err)
	require.EqualValues(t, len(text), n)
	require.Equal(t, text, out.Bytes())
	_, err = p.WriteTo(broken{})
	require.EqualError(t, err, "closed")
}
