package workload

import (
	"strconv"
)

// name gives every job its id and makes the ids unique. Of several jobs with id 12, the first keeps
// 12, the next ones become 12#2, 12#3 and so on. It skips suffixed ids that other jobs already
// have.
func (b *Builder) name() {
	rising := b.write()
	if rising {
		return
	}
	taken := make(map[string]int, len(b.jobs))
	for i := range b.jobs {
		taken[b.jobs[i].ID]++
	}
	if len(taken) == len(b.jobs) {
		return
	}
	b.suffix(taken)
}

func (b *Builder) suffix(taken map[string]int) {
	met := make(map[string]int, len(taken))
	for i := range b.jobs {
		id := b.jobs[i].ID
		met[id]++
		if met[id] == 1 {
			continue
		}
		b.report.add(IDRepeated, int(b.rows[i].line))
		for n := met[id]; ; n++ {
			other := id + "#" + strconv.Itoa(n)
			if taken[other] == 0 {
				b.jobs[i].ID = other
				taken[other], met[id] = 1, n
				break
			}
		}
	}
}

// write builds all numeric ids in one string. It reports whether the ids are increasing numbers,
// and therefore unique.
func (b *Builder) write() (rising bool) {
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
	b.slice(string(arena), ends)
	return rising
}

func (b *Builder) slice(ids string, ends []int) {
	start := 0
	for i := range b.jobs {
		if b.jobs[i].ID == "" {
			b.jobs[i].ID = ids[start:ends[i]]
		}
		start = ends[i]
	}
}
