package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const wasmHead = "\x00asm\x01\x00\x00\x00"

func TestDataIsWrittenInFewPieces(t *testing.T) {
	far := strings.Repeat("\x00", 300)
	pieces := appendPiece([]byte{4}, 64, []byte("near"))
	pieces = appendPiece(pieces, 77, []byte("nearer"))
	pieces = appendPiece(pieces, 8192, []byte("far"+far+"ther"))
	pieces = appendPiece(pieces, 8, []byte("first"))
	rest := "\x00\x02ab"
	p := program{before: []byte(wasmHead), after: []byte(rest)}
	var err error
	p.memory, err = readData(pieces)
	require.NoError(t, err)
	require.Equal(t, "first", string(p.memory[8:13]))
	require.Equal(t, "near", string(p.memory[64:68]))

	out := p.write()
	require.Equal(t, 3, bytes.Count(out, []byte{0, i32Const}), "what lies close together is one piece")
	require.True(t, bytes.HasPrefix(out, p.before))
	require.True(t, bytes.HasSuffix(out, p.after))
	again, err := readProgram(out)
	require.NoError(t, err)
	require.Equal(t, p.memory, again.memory)
	require.Equal(t, out, again.write())
}

func TestNumbersThatAreNotNegativeStaySo(t *testing.T) {
	for n, want := range map[int]string{0: "\x00", 63: "\x3f", 64: "\xc0\x00", 127: "\xff\x00", 128: "\x80\x01", 8191: "\xff\x3f", 8192: "\x80\xc0\x00"} {
		require.Equal(t, []byte(want), appendSigned(nil, n), "%d", n)
		r := wasmReader{data: []byte(want)}
		require.Equal(t, n, r.number())
		require.Equal(t, len(want), r.at)
	}
}

func TestProgramOfAnotherShapeIsRefused(t *testing.T) {
	for name, sections := range map[string]string{
		"no data":                  "",
		"data in another memory":   "\x0b\x07\x01\x02\x41\x00\x0b\x01a",
		"data for later":           "\x0b\x04\x01\x01\x01a",
		"a place that is a global": "\x0b\x07\x01\x00\x23\x00\x0b\x01a",
		"less than announced":      "\x0b\x7f\x01\x00",
		"more than announced":      "\x0b\x08\x01\x00\x41\x00\x0b\x01aa",
		"pieces counted before":    "\x0c\x01\x01\x0b\x07\x01\x00\x41\x00\x0b\x01a",
	} {
		_, err := readProgram(slices.Concat([]byte(wasmHead), []byte(sections)))
		require.ErrorIs(t, err, errNoData, name)
	}
	_, err := readProgram(nil)
	require.ErrorIs(t, err, errNoData)
}
