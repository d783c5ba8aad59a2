package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
)

// errNoData is a program whose section of data has an unknown shape.
var errNoData = errors.New("the program's section of data is not as Go 1.26 writes it")

// shrink makes a compiled program smaller when packed. A toolchain whose programs
// may look different is left alone: its program is heavier and does the same.
func shrink(wasm []byte, keepLines bool) ([]byte, error) {
	if !knownToolchain() {
		return wasm, nil
	}
	p, err := readProgram(wasm)
	if err != nil {
		return nil, err
	}
	f, err := readFunctions(p.memory)
	if err != nil {
		return nil, err
	}
	if err := f.dropFinder(); err != nil {
		return nil, err
	}
	if !keepLines {
		if err := f.dropLines(); err != nil {
			return nil, err
		}
	}
	if err := f.differ(); err != nil {
		return nil, err
	}
	return p.write(), nil
}

// knownToolchain tells whether the toolchain is the one that what lies deeper
// than the language was written for.
func knownToolchain() bool { return strings.HasPrefix(runtime.Version(), "go1.26") }

// program is a compiled program taken apart.
type program struct {
	before, after []byte // what stands around the section of data
	memory        []byte // what that puts into memory at the start
}

const (
	dataSection      = 11
	dataCountSection = 12 // Go writes none; it would have to agree with ours
	i32Const         = 0x41
	end              = 0x0b
)

func readProgram(wasm []byte) (*program, error) {
	r := wasmReader{data: wasm, at: 8}
	for r.at < len(wasm) && !r.bad {
		start := r.at
		id := r.byte()
		content := r.take(r.number())
		switch id {
		case dataCountSection:
			return nil, errNoData
		case dataSection:
			memory, err := readData(content)
			return &program{wasm[:start], wasm[r.at:], memory}, err
		}
	}
	return nil, errNoData
}

func readData(section []byte) ([]byte, error) {
	r := wasmReader{data: section}
	var memory []byte
	for n := r.number(); n > 0 && !r.bad; n-- {
		if r.number() != 0 || r.byte() != i32Const { // in memory 0
			return nil, errNoData
		}
		at := r.number()
		if r.byte() != end {
			return nil, errNoData
		}
		data := r.take(r.number())
		if more := at + len(data) - len(memory); more > 0 {
			memory = append(memory, make([]byte, more)...)
		}
		copy(memory[at:], data)
	}
	if r.bad || r.at != len(section) {
		return nil, errNoData
	}
	return memory, nil
}

// shortestGap is how many zeros in a row are left out of the section of data. The
// linker leaves out eight, which makes 72,000 pieces whose addresses pack badly;
// the zeros themselves pack to next to nothing. A sixteenth of the download; from
// 32 on the number hardly matters.
const shortestGap = 256

func (p *program) write() []byte {
	gap := make([]byte, shortestGap)
	var pieces []byte
	count := 0
	for at := 0; ; count++ {
		at += len(p.memory[at:]) - len(bytes.TrimLeft(p.memory[at:], "\x00"))
		if at == len(p.memory) {
			break
		}
		data, _, _ := bytes.Cut(p.memory[at:], gap)
		pieces = appendPiece(pieces, at, data)
		at += len(data)
	}
	head := binary.AppendUvarint(nil, uint64(count))
	out := append(bytes.Clone(p.before), dataSection)
	out = binary.AppendUvarint(out, uint64(len(head)+len(pieces)))
	return append(append(append(out, head...), pieces...), p.after...)
}

func appendPiece(out []byte, at int, data []byte) []byte {
	out = appendSigned(append(out, 0, i32Const), at)
	out = binary.AppendUvarint(append(out, end), uint64(len(data)))
	return append(out, data...)
}
