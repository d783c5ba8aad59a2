package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// These numbers come from the binary format of WebAssembly.
const (
	moduleHeader     = 8
	dataSection      = 11
	dataCountSection = 12
	constInstruction = 0x41
	endInstruction   = 0x0b
)

// largestGap is the largest number of zeros between two segments that mergeSegments merges.
const largestGap = 64

// mergeSegments merges data segments of a WebAssembly program that have few zeros between them. The Go
// linker starts a new segment after eight zeros, until there are 100,000 segments, the limit of browsers.
// Zeros compress much better than the offsets of many segments.
func mergeSegments(program []byte) ([]byte, error) {
	for at := moduleHeader; at < len(program); {
		size, n := binary.Uvarint(program[at+1:])
		begin := at + 1 + n
		if n <= 0 || size > uint64(len(program)-begin) {
			return nil, fmt.Errorf("the section at byte %d of the program is longer than the program", at)
		}
		end := begin + int(size)
		switch program[at] {
		case dataSection:
			merged, err := mergeData(program[begin:end])
			if err != nil {
				return nil, err
			}
			return slices.Concat(program[:at], binary.AppendUvarint([]byte{dataSection}, uint64(len(merged))), merged, program[end:]), nil
		case dataCountSection:
			return nil, errors.New("the program counts its data segments: adapt build/segments.go to this version of Go")
		}
		at = end
	}
	return nil, errors.New("the program has no data section")
}

// segment is a part of the memory of a program with its initial content.
type segment struct {
	offset uint64
	data   []byte
}

// mergeData merges the segments of a data section.
func mergeData(section []byte) ([]byte, error) {
	list, err := readSegments(section)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b segment) int { return cmp.Compare(a.offset, b.offset) })
	merged := list[:0]
	for _, s := range list {
		if len(merged) > 0 {
			last := &merged[len(merged)-1]
			filled := last.offset + uint64(len(last.data))
			if s.offset < filled {
				return nil, fmt.Errorf("two data segments of the program contain byte %d of the memory", s.offset)
			}
			if gap := s.offset - filled; gap <= largestGap {
				last.data = append(append(last.data, make([]byte, gap)...), s.data...)
				continue
			}
		}
		merged = append(merged, segment{s.offset, slices.Clone(s.data)})
	}
	out := binary.AppendUvarint(nil, uint64(len(merged)))
	for _, s := range merged {
		out = appendConst(append(out, 0, constInstruction), s.offset)
		out = binary.AppendUvarint(append(out, endInstruction), uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out, nil
}

// readSegments reads the segments of a data section. It returns an error unless all segments have
// constant offsets in memory 0, the only memory.
func readSegments(section []byte) (list []segment, err error) {
	next := func() uint64 {
		x, n := binary.Uvarint(section)
		section = section[max(n, 0):]
		return x
	}
	for range next() {
		memory, instruction, operand := next(), next(), section
		offset, end, size := next(), next(), next()
		if memory != 0 || instruction != constInstruction || !bytes.HasPrefix(operand, appendConst(nil, offset)) || end != endInstruction || size > uint64(len(section)) {
			return nil, errors.New("a data segment of the program has no constant offset: adapt build/segments.go to this version of Go")
		}
		list = append(list, segment{offset, section[:size]})
		section = section[size:]
	}
	return list, nil
}

// appendConst appends a non-negative number as the operand of a const instruction (signed LEB128).
func appendConst(out []byte, x uint64) []byte {
	for ; x >= 1<<6; x >>= 7 {
		out = append(out, byte(x)|1<<7)
	}
	return append(out, byte(x))
}
