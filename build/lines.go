package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"strings"
)

// errNoTable is a program whose table of functions has an unknown shape.
var errNoTable = errors.New("the program's table of functions is not as Go 1.26 writes it")

// dropLines blanks the line numbers in a compiled program, a fourteenth of the
// download; whoever reads a stack sees the functions and "?:0". The zeros stay in
// the file and vanish in its compressed form. A toolchain whose table may look
// different is left alone: its program is heavier and does the same.
func dropLines(wasm []byte) ([]byte, error) {
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		return wasm, nil
	}
	out := bytes.Clone(wasm)
	m, err := readMemory(out)
	if err != nil {
		return nil, err
	}
	if err := blankLines(m.bytes); err != nil {
		return nil, err
	}
	for _, s := range m.segments {
		copy(s.data, m.bytes[s.at:])
	}
	return out, nil
}

// memory is what the program's memory holds at its start.
type memory struct {
	bytes    []byte
	segments []segment
}

type segment struct {
	at   int
	data []byte // within the program
}

func readMemory(wasm []byte) (*memory, error) {
	r := wasmReader{data: wasm, at: 8}
	for r.at < len(wasm) && !r.bad {
		id := r.byte()
		size := r.number()
		if id != 11 { // the section of data
			r.at += size
			continue
		}
		m := &memory{}
		for n := r.number(); n > 0 && !r.bad; n-- {
			if r.number() != 0 || r.byte() != 0x41 { // memory 0, i32.const
				return nil, errNoTable
			}
			s := segment{at: r.number()}
			if r.byte() != 0x0b { // end
				return nil, errNoTable
			}
			s.data = r.take(r.number())
			m.segments = append(m.segments, s)
			if end := s.at + len(s.data); end > len(m.bytes) {
				m.bytes = append(m.bytes, make([]byte, end-len(m.bytes))...)
			}
			copy(m.bytes[s.at:], s.data)
		}
		if r.bad {
			break
		}
		return m, nil
	}
	return nil, errNoTable
}

// wasmReader notes that it was asked for more than there is.
type wasmReader struct {
	data []byte
	at   int
	bad  bool
}

func (r *wasmReader) take(n int) []byte {
	if n < 0 || r.at+n > len(r.data) {
		r.bad, n = true, 0
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *wasmReader) byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// number reads a LEB128 number; those read here are no negative ones.
func (r *wasmReader) number() int {
	n := 0
	for shift := 0; ; shift += 7 {
		b := r.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 || shift > 28 {
			return n
		}
	}
}

// The table as the runtime reads it, see pcHeader and _func in its symtab.go and
// runtime2.go: a head, then the parts it names, among them pctab, which holds a
// function's tables one after the other, and the functions.
const (
	tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"
	pcspAt     = 16 // places in a function's entry, four bytes each
	pcfileAt   = 20
	pclnAt     = 24
	npcdataAt  = 28
	pcdataAt   = 44
)

// blankLines makes every function one without files and lines, and blanks the
// tables that no function has any more. Equal tables are stored once, whatever
// they are of, so some of lines are also of something else, and stay.
func blankLines(mem []byte) error {
	at := bytes.Index(mem, []byte(tableMagic))
	if at < 0 || at+72 > len(mem) {
		return errNoTable
	}
	u64 := func(i int) int { return int(binary.LittleEndian.Uint64(mem[at+8+8*i:])) }
	count, pctab, funcs := u64(0), u64(6), u64(7)
	if count <= 0 || pctab <= 0 || funcs <= pctab || count > len(mem)/8 || at+funcs+8*count > len(mem) {
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
	}
	for s := range used {
		starts = append(starts, s)
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	if starts[len(starts)-1] != len(tables) {
		return errNoTable
	}
	for i, s := range starts[:len(starts)-1] {
		if !used[s] {
			clear(tables[s:starts[i+1]])
		}
	}
	return nil
}
