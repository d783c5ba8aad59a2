package workload

import (
	"strconv"
)

// setIDs gives every job its id and makes the ids unique. Of several jobs with id 12, the first keeps
// 12, the next ones become 12#2, 12#3 and so on. It skips suffixed ids that other jobs already
// have.
func (b *Builder) setIDs() {
	if b.writeNumbers() {
		return
	}
	taken := make(map[string]int, len(b.jobs))
	for i := range b.jobs {
		taken[b.jobs[i].ID]++
	}
	if len(taken) == len(b.jobs) {
		return
	}
	b.addSuffixes(taken)
}

// addSuffixes makes repeated ids unique. Taken has the number of jobs with each id.
func (b *Builder) addSuffixes(taken map[string]int) {
	seen := make(map[string]int, len(taken))
	for i := range b.jobs {
		id := b.jobs[i].ID
		seen[id]++
		if seen[id] == 1 {
			continue
		}
		b.report.add(IDRepeated, int(b.rows[i].line))
		for n := seen[id]; ; n++ {
			other := id + "#" + strconv.Itoa(n)
			if taken[other] == 0 {
				b.jobs[i].ID = other
				taken[other], seen[id] = 1, n
				break
			}
		}
	}
}

// writeNumbers sets the ids of jobs that have none to their numbers. It builds one string for all of
// these ids. It reports whether all ids are increasing numbers, and therefore unique.
func (b *Builder) writeNumbers() (rising bool) {
	rising = true
	last := int64(noNumber)
	arena := make([]byte, 0, 8*len(b.jobs))
	ends := make([]int, len(b.jobs))
	for i := range b.jobs {
		j, r := &b.jobs[i], &b.rows[i]
		if j.ID == "" && r.number < 0 {
			r.number = int64(r.index) + 1
			b.report.add(NoID, int(r.line))
		}
		if j.ID == "" {
			arena = strconv.AppendInt(arena, r.number, 10)
		}
		rising = rising && j.ID == "" && r.number > last
		last, ends[i] = r.number, len(arena)
	}
	b.sliceIDs(string(arena), ends)
	return rising
}

// sliceIDs sets empty ids to substrings of ids. The id of job i ends at ends[i].
func (b *Builder) sliceIDs(ids string, ends []int) {
	start := 0
	for i := range b.jobs {
		if b.jobs[i].ID == "" {
			b.jobs[i].ID = ids[start:ends[i]]
		}
		start = ends[i]
	}
}
