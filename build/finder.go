package main

import (
	"bytes"
	"encoding/binary"
)

// Places in the runtime's moduledata, eight bytes each (see its symtab.go).
const (
	findfunctabAt = 19
	minpcAt       = 20
	maxpcAt       = 21
	moduleWords   = 22
	bucket        = 20   // bytes of a findfuncbucket
	bucketPCs     = 4096 // addresses that it is for
	functionShift = 16   // of a WebAssembly function's number in an address
)

// dropFinder blanks the table in which the runtime looks up the function of an
// address: 1.5 MB of memory, 15 KB of the download. In WebAssembly an address holds
// the number of its function, and the functions are listed in that order, so the
// runtime of this program (see switched) needs no table.
func dropFinder(mem []byte) error {
	table := bytes.Index(mem, []byte(tableMagic))
	if table < 0 || table+72 > len(mem) {
		return errNoTable
	}
	names := table + int(binary.LittleEndian.Uint64(mem[table+32:]))
	start := binary.LittleEndian.AppendUint64(nil, uint64(table))
	module := bytes.Index(mem, binary.LittleEndian.AppendUint64(start, uint64(names)))
	if module < 0 || module+8*moduleWords > len(mem) {
		return errNoTable
	}
	word := func(i int) int { return int(binary.LittleEndian.Uint64(mem[module+8*i:])) }
	from, pcs := word(findfunctabAt), word(maxpcAt)-word(minpcAt)
	to := from + (pcs+bucketPCs-1)/bucketPCs*bucket
	if from <= table || to <= from || to > len(mem) || !inOrder(mem[table:], pcs>>functionShift+1) {
		return errNoTable
	}
	clear(mem[from:to])
	return nil
}

// inOrder tells whether a table of functions lists so many, by consecutive numbers.
func inOrder(table []byte, count int) bool {
	at := int(binary.LittleEndian.Uint64(table[64:]))
	if int(binary.LittleEndian.Uint64(table[8:])) != count || at <= 0 || count > len(table)/8 || at+8*count > len(table) {
		return false
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(table[at+8*i:]) }
	for i := range count {
		if number(i) != number(0)+uint32(i) {
			return false
		}
	}
	return true
}
