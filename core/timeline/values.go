package timeline

import (
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// jobValues holds, for each job, a number that changes over time, such as its planned start.
type jobValues struct {
	offset []int32 // the values of job j are list[offset[j]:offset[j+1]]; nil if there are no values
	list   []jobValue
}

// jobValue holds a value and the time at which it was recorded.
type jobValue struct {
	at    job.Time
	value int64
	view  uint8 // virtual machine in which the value was recorded
}

// collectValues calls valueOf for each record. If valueOf reports true, collectValues stores the value
// for the job of the record.
func collectValues(l *log.Log, valueOf func(*log.Record) (value int64, ok bool)) (n jobValues) {
	offset := make([]int32, len(l.Jobs)+1)
	for r := range l.All() {
		if _, ok := valueOf(r); ok {
			offset[r.Job+1]++
		}
	}
	for j := range l.Jobs {
		offset[j+1] += offset[j]
	}
	n.list = make([]jobValue, offset[len(l.Jobs)])
	if len(n.list) == 0 {
		return n
	}
	n.offset = offset
	used := slices.Clone(offset)
	for r := range l.All() {
		if v, ok := valueOf(r); ok {
			n.list[used[r.Job]] = jobValue{r.At, v, r.View}
			used[r.Job]++
		}
	}
	return n
}

// last returns the last value of job j that was recorded at or before the given time. It returns
// nil if there is none.
func (n *jobValues) last(j job.Index, at job.Time) *jobValue {
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
