package decision

import (
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Account is a decision as pages and commands tell it.
type Account interface {
	Told() bool               // the log holds all that was tried
	Says() string             // sentences, a line each
	Tables(*Options) []*Table // what was tried
	Group() *Group            // that is shown in a picture, nil for none
}

// Reader reads the decision at a place of a log.
type Reader func(l *log.Log, place int) Account

// Places is where in a log the decisions are, in order.
func Places(l *log.Log) (out []int32) {
	for i := range l.Len() {
		if l.Record(i).Kind == log.Choice {
			out = append(out, int32(i))
		}
	}
	return out
}

// Until returns how many of the decisions at these places are not after a moment.
func Until(l *log.Log, places []int32, at job.Time) int {
	return sort.Search(len(places), func(i int) bool { return l.Record(int(places[i])).At > at })
}
