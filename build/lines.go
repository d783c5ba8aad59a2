package main

import (
	"encoding/binary"
	"slices"
)

// dropLines makes every function one without files and lines, and blanks the
// tables that no function has any more. Equal tables are stored once, whatever
// they are of, so some of lines are also of something else, and stay.
func (f *functions) dropLines() error {
	tables := f.mem[f.at+f.pctab : f.at+f.list]
	used := map[int]bool{0: true}
	starts := []int{len(tables)}
	for i := range f.count {
		known := f.known(i)
		field := func(at int) int { return int(binary.LittleEndian.Uint32(known[at:])) }
		n := field(npcdataAt)
		if n > 16 || pcdataAt+4*n > len(known) {
			return errNoTable
		}
		used[field(pcspAt)] = true
		for k := range n {
			used[field(pcdataAt+4*k)] = true
		}
		starts = append(starts, field(pcfileAt), field(pclnAt))
		clear(known[pcfileAt : pclnAt+4])
		clear(known[unitAt : startAt+4])
	}
	for s := range used {
		starts = append(starts, s)
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	if starts[len(starts)-1] != len(tables) {
		return errNoTable
	}
	clear(f.mem[f.at+f.units : f.at+f.pctab])
	for i, s := range starts[:len(starts)-1] {
		if !used[s] {
			clear(tables[s:starts[i+1]])
		}
	}
	return nil
}
