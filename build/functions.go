package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errNoTable is a program whose table of functions has an unknown shape.
var errNoTable = errors.New("the program's table of functions is not as Go 1.26 writes it")

// tableMagic begins the table as the runtime reads it, see pcHeader and _func in
// its symtab.go and runtime2.go: a head, then the parts it names, among them pctab,
// which holds a function's tables one after the other, and the functions: where
// each is, then what there is to know of it.
const tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// Places in what there is to know of a function, four bytes each.
const (
	numberAt  = 0
	nameAt    = 4
	pcspAt    = 16
	pcfileAt  = 20
	pclnAt    = 24
	npcdataAt = 28
	unitAt    = 32 // with the tables of units and files it says which file
	startAt   = 36 // the line a function starts in
	pcdataAt  = 44
)

// functions is the table in the memory of a program.
type functions struct {
	mem          []byte
	at           int // place of the table in memory
	count        int
	names, units int // places of parts in the table
	pctab, list  int
}

func readFunctions(mem []byte) (*functions, error) {
	at := bytes.Index(mem, []byte(tableMagic))
	if at < 0 || at+72 > len(mem) {
		return nil, errNoTable
	}
	head := func(i int) int { return int(binary.LittleEndian.Uint64(mem[at+8+8*i:])) }
	f := &functions{mem: mem, at: at, count: head(0), names: head(3), units: head(4), pctab: head(6), list: head(7)}
	if f.count <= 0 || f.names <= 0 || f.units <= f.names || f.pctab <= f.units || f.list <= f.pctab ||
		f.count > len(mem)/8 || at+f.list+8*f.count > len(mem) {
		return nil, errNoTable
	}
	for i := range f.count {
		if f.place(i)+pcdataAt > len(f.listed()) {
			return nil, errNoTable
		}
	}
	return f, nil
}

// listed is the functions.
func (f *functions) listed() []byte { return f.mem[f.at+f.list:] }

// number is that of the i-th function in the program, place where in the list
// stands what there is to know of it, known that.
func (f *functions) number(i int) uint32 { return binary.LittleEndian.Uint32(f.listed()[8*i:]) }
func (f *functions) place(i int) int     { return int(binary.LittleEndian.Uint32(f.listed()[8*i+4:])) }
func (f *functions) known(i int) []byte  { return f.listed()[f.place(i):] }
