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
	MakeUnique(len(b.jobs), func(i int) *string { return &b.jobs[i].ID }, func(i int) { b.report.add(IDRepeated, int(b.rows[i].line)) })
}

// MakeUnique makes the ids of n jobs unique by adding suffixes such as #2. The function id returns a
// pointer to the id of job i. MakeUnique calls changed for each job whose id it changes.
func MakeUnique(n int, id func(i int) *string, changed func(i int)) {
	taken := make(map[string]int, n) // number of jobs with each id
	for i := range n {
		taken[*id(i)]++
	}
	if len(taken) == n {
		return
	}
	seen := make(map[string]int, len(taken))
	for i := range n {
		old := *id(i)
		if seen[old]++; seen[old] == 1 {
			continue
		}
		changed(i)
		for k := seen[old]; ; k++ {
			if unique := old + "#" + strconv.Itoa(k); taken[unique] == 0 {
				*id(i), taken[unique], seen[old] = unique, 1, k
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
