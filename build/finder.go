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
// runtime of this program needs no table.
func (f *functions) dropFinder() error {
	module := f.module()
	if module < 0 || module+8*moduleWords > len(f.mem) {
		return errNoTable
	}
	word := func(i int) int { return int(binary.LittleEndian.Uint64(f.mem[module+8*i:])) }
	from, pcs := word(findfunctabAt), word(maxpcAt)-word(minpcAt)
	to := from + (pcs+bucketPCs-1)/bucketPCs*bucket
	if from <= f.at || to <= from || to > len(f.mem) || pcs>>functionShift+1 != f.count {
		return errNoTable
	}
	clear(f.mem[from:to])
	return nil
}

// module is where the moduledata lies, which begins with the places of the table and
// of its names.
func (f *functions) module() int {
	start := binary.LittleEndian.AppendUint64(nil, uint64(f.at))
	return bytes.Index(f.mem, binary.LittleEndian.AppendUint64(start, uint64(f.at+f.names)))
}

// differ replaces numbers that grow from function to function by their differences,
// which pack well: 34 KB of the download. The runtime sums them up as it starts, in
// the place where it would look whether they grow.
func (f *functions) differ() error {
	for i := range f.count {
		known := f.known(i)
		if f.number(i) != f.number(0)+uint32(i) || binary.LittleEndian.Uint32(known[numberAt:]) != f.number(i) {
			return errNoTable
		}
		clear(known[numberAt : numberAt+4])
	}
	for i := f.count - 1; i > 0; i-- {
		subtract(f.known(i)[nameAt:], f.known(i - 1)[nameAt:])
		subtract(f.listed()[8*i+4:], f.listed()[8*i-4:])
		clear(f.listed()[8*i : 8*i+4])
	}
	return nil
}

func subtract(from, value []byte) {
	v := binary.LittleEndian.Uint32(from) - binary.LittleEndian.Uint32(value)
	binary.LittleEndian.PutUint32(from, v)
}

// summed is what the runtime does instead of verifying: see differ. The entry behind
// the last function is only a number.
const summed = `func moduledataverify1(datap *moduledata) {
	n := len(datap.ftab) - 1
	name := int32(0)
	for i := 0; i < n; i++ {
		if i > 0 {
			datap.ftab[i].entryoff = datap.ftab[0].entryoff + uint32(i)
			datap.ftab[i].funcoff += datap.ftab[i-1].funcoff
		}
		f := (*_func)(unsafe.Pointer(&datap.pclntable[datap.ftab[i].funcoff]))
		f.entryOff = datap.ftab[i].entryoff
		f.nameOff += name
		name = f.nameOff
	}
}

func verified(`
