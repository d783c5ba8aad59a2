package workload

import (
	"strconv"
)

// setIDs gives every job its id and makes the ids unique. If several jobs have id 12, the first one
// keeps 12, and the next ones become 12#2, 12#3 and so on. It skips an id such as 12#2 if another
// job already has it.
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

// addSuffixes makes repeated ids unique by adding suffixes such as #2. The map taken holds the
// number of jobs with each id.
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

// writeNumbers sets each empty id to the job number of the record or, if that is missing, to the position of
// the record. It builds one string that contains all these ids. It reports whether all jobs
// got such ids, in increasing order. In this case, the ids are unique.
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

// sliceIDs sets each empty id to a substring of ids. The id of job i ends at offset ends[i].
func (b *Builder) sliceIDs(ids string, ends []int) {
	start := 0
	for i := range b.jobs {
		if b.jobs[i].ID == "" {
			b.jobs[i].ID = ids[start:ends[i]]
		}
		start = ends[i]
	}
}
