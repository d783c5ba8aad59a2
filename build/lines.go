package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// errNoTable is a program whose table of functions has an unknown shape.
var errNoTable = errors.New("the program's table of functions is not as Go 1.26 writes it")

// The table as the runtime reads it, see pcHeader and _func in its symtab.go and
// runtime2.go: a head, then the parts it names, among them pctab, which holds a
// function's tables one after the other, and the functions.
const (
	tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"
	pcspAt     = 16 // places in a function's entry, four bytes each
	pcfileAt   = 20
	pclnAt     = 24
	npcdataAt  = 28
	unitAt     = 32 // with the tables of units and files it says which file
	startAt    = 36 // the line a function starts in
	pcdataAt   = 44
)

// dropLines makes every function one without files and lines, and blanks the
// tables that no function has any more. Equal tables are stored once, whatever
// they are of, so some of lines are also of something else, and stay.
func dropLines(mem []byte) error {
	at := bytes.Index(mem, []byte(tableMagic))
	if at < 0 || at+72 > len(mem) {
		return errNoTable
	}
	u64 := func(i int) int { return int(binary.LittleEndian.Uint64(mem[at+8+8*i:])) }
	count, units, pctab, funcs := u64(0), u64(4), u64(6), u64(7)
	if count <= 0 || units <= 0 || pctab <= units || funcs <= pctab || count > len(mem)/8 || at+funcs+8*count > len(mem) {
		return errNoTable
	}
	tables := mem[at+pctab : at+funcs]
	table := mem[at+funcs:]
	used := map[int]bool{0: true}
	starts := []int{len(tables)}
	for i := range count {
		entry := int(binary.LittleEndian.Uint32(table[8*i+4:]))
		if entry+pcdataAt > len(table) {
			return errNoTable
		}
		f := table[entry:]
		field := func(at int) int { return int(binary.LittleEndian.Uint32(f[at:])) }
		n := field(npcdataAt)
		if n > 16 || pcdataAt+4*n > len(f) {
			return errNoTable
		}
		used[field(pcspAt)] = true
		for k := range n {
			used[field(pcdataAt+4*k)] = true
		}
		starts = append(starts, field(pcfileAt), field(pclnAt))
		clear(f[pcfileAt : pclnAt+4])
		clear(f[unitAt : startAt+4])
	}
	for s := range used {
		starts = append(starts, s)
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	if starts[len(starts)-1] != len(tables) {
		return errNoTable
	}
	clear(mem[at+units : at+pctab])
	for i, s := range starts[:len(starts)-1] {
		if !used[s] {
			clear(tables[s:starts[i+1]])
		}
	}
	return nil
}
