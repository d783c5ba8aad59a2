package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMergeSegments checks that segments with few zeros between them become one, in the order of their
// addresses, and that all other parts of the program stay the same.
func TestMergeSegments(t *testing.T) {
	const memory, rest = "\x05\x03\x01\x00\x01", "\x00\x03\x01x\x07" // another section before and after
	program := func(data string) []byte {
		return []byte("\x00asm\x01\x00\x00\x00" + memory + "\x0b" + string(rune(len(data))) + data + rest)
	}
	const near, far = "\x00\x41\x10\x0b\x02ab", "\x00\x41\xff\x00\x0b\x01d" // at 16 and 127
	const apart = "\x00\x41\x3e\x0b\x01c"                                   // at 62, after 44 zeros
	got, err := mergeSegments(program("\x03" + far + near + apart))
	require.NoError(t, err)
	require.Equal(t, program("\x01\x00\x41\x10\x0b\x70ab"+strings.Repeat("\x00", 44)+"c"+strings.Repeat("\x00", 64)+"d"), got)

	got, err = mergeSegments(program("\x02\x00\x41\x80\x01\x0b\x01d" + near)) // at 128, after more than largestGap zeros
	require.NoError(t, err)
	require.Equal(t, program("\x02"+near+"\x00\x41\x80\x01\x0b\x01d"), got)

	for text, bad := range map[string][]byte{
		"has no data section":                              []byte("\x00asm\x01\x00\x00\x00" + memory),
		"section at byte 8 of the program is longer":       []byte("\x00asm\x01\x00\x00\x00\x0b\x09\x00"),
		"counts its data segments":                         []byte("\x00asm\x01\x00\x00\x00\x0c\x01\x01"),
		"two data segments of the program contain byte 17": program("\x02" + near + "\x00\x41\x11\x0b\x01c"),
		"no constant offset":                               program("\x01\x00\x23\x00\x0b\x01c"),
	} {
		_, err := mergeSegments(bad)
		require.ErrorContains(t, err, text)
	}
	_, err = mergeSegments(program("\x01\x00\x41\x7f\x0b\x01c")) // at -1
	require.ErrorContains(t, err, "no constant offset")
}
