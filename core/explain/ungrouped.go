package explain

import (
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// ungrouped says why a waiting job came into no group at the last instant at which
// it could have, where the log holds that: whom it does or does not suit, and what
// was wrong with the sets that have it.
func (x *Index) ungrouped(a *Answer) {
	const most = 6
	var in []int64 // numbers of these sets
	told := 0
	first, end := x.looked(a.Job, a.At)
	for i := first; i < end && told < most; i++ {
		r := x.log.Record(i)
		mine := r.Job == a.Job
		switch {
		case r.Kind == log.Choice:
			in = in[:0]
		case r.Kind == log.Member && mine:
			in = append(in, r.X)
		case r.Kind == log.Candidate && mine, (r.Kind == log.Judge || r.Code == log.TooLittle) && (mine || slices.Contains(in, r.X)):
			a.add(append(x.words.say("At {t}: ", r.At), lower(x.words.step(r))...))
			told++
		}
	}
}

// looked returns the records of the last instant up to another at which job j is a
// candidate of a group, or the primary of a set that could be one; none if the log
// does not tell.
func (x *Index) looked(j job.Index, at job.Time) (first, end int) {
	const far = 1 << 16
	after := func(at job.Time) int {
		return sort.Search(x.log.Len(), func(i int) bool { return x.log.Record(i).At > at })
	}
	n := after(at)
	for i := n - 1; i >= max(0, n-far); i-- {
		if r := x.log.Record(i); r.Job == j && (r.Kind == log.Candidate || r.Kind == log.Gains) {
			return after(r.At - 1), after(r.At)
		}
	}
	return 0, 0
}
