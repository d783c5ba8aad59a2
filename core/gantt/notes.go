package gantt

import (
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// notes is a number of each job that changes, such as its planned start.
type notes struct {
	offset []int32 // by job: its notes are list[offset[j]:offset[j+1]]; nil if there are none
	list   []note
}

// note is a value and the moment it was recorded.
type note struct {
	at    job.Time
	value int64
	view  uint8 // virtual machine of the record
}

// take collects the value of each record that has one.
func take(l *log.Log, of func(*log.Record) (value int64, ok bool)) (n notes) {
	offset := make([]int32, len(l.Jobs)+1)
	for r := range l.All() {
		if _, ok := of(r); ok {
			offset[r.Job+1]++
		}
	}
	for j := range l.Jobs {
		offset[j+1] += offset[j]
	}
	n.list = make([]note, offset[len(l.Jobs)])
	if len(n.list) == 0 {
		return n
	}
	n.offset = offset
	used := slices.Clone(offset)
	for r := range l.All() {
		if v, ok := of(r); ok {
			n.list[used[r.Job]] = note{r.At, v, r.View}
			used[r.Job]++
		}
	}
	return n
}

// last returns the value of job j at the moment at, nil if it has none.
func (n *notes) last(j job.Index, at job.Time) *note {
	if n.offset == nil {
		return nil
	}
	list := n.list[n.offset[j]:n.offset[j+1]]
	k := sort.Search(len(list), func(k int) bool { return list[k].at > at })
	if k == 0 {
		return nil
	}
	return &list[k-1]
}
