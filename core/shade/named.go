package shade

import (
	"bytes"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
)

// mostNames is how many names have a class of their own; it leaves one of the
// eight hues for all others.
const mostNames = 7

// rights is the class of a start by its reason, less one; 0 is none of them.
var rights = [256]uint8{
	log.Head: 1, log.Alone: 1,
	log.FirstFit: 2, log.BeforeShadow: 2, log.BesideShadow: 2, log.LeastUsed: 2, log.BestBalance: 2, log.Fuller: 2,
	log.FairSet: 2, log.BusySet: 2, log.AloneFilled: 2,
	log.Planned: 3, log.Replanned: 3, log.AtOnce: 3,
	log.MovedUp: 4, log.MovedNow: 4, log.MovedAhead: 4,
	log.Entered: 5,
	log.Leads:   6, log.Grouped: 6,
}

var rightNames = []string{"first in its queue", "backfilled", "as planned", "moved up", "in the slice of another type", "on shared nodes", "otherwise"}

// hues returns a set of classes without an order, those that some job has.
func (c *classing) hues(tell string, words []string, class func(run int, j job.Index) int) *Set {
	s := Scale{Palette: Hues, Named: true, Sentences: []string{2: tell, 3: "mostly " + tell}}
	of, place := c.each(class), make([]uint8, len(words))
	for k, w := range words {
		if has(of, uint8(k)) {
			place[k] = uint8(len(s.Words))
			s.Words, s.ColourIndexes = append(s.Words, w), append(s.ColourIndexes, k)
		}
	}
	for r := range of {
		for j := range of[r] {
			of[r][j] = place[of[r][j]]
		}
	}
	return &Set{s, of, func(r int, j job.Index) float64 { return float64(of[r][j]) + 1 }}
}

func has(of [][]uint8, class uint8) bool {
	for r := range of {
		if bytes.IndexByte(of[r], class) >= 0 {
			return true
		}
	}
	return false
}

func (c *classing) types() *Set {
	o := metrics.Default
	return c.hues("type {}", metrics.Types, func(r int, j job.Index) int {
		name := o.Type(c.runs[r].Log.Jobs[j].Estimate)
		for k, t := range metrics.Types {
			if t == name {
				return k
			}
		}
		return 0
	})
}

// started tells starts apart by their reasons.
func (c *classing) started() *Set {
	of := make([][]uint8, len(c.runs))
	for r := range c.runs {
		of[r] = make([]uint8, len(c.runs[r].Log.Jobs))
		for x := range c.runs[r].Log.All() {
			if x.Kind == log.Start {
				of[r][x.Job] = rights[x.Code]
			}
		}
	}
	last := len(rightNames) - 1
	return c.hues("started: {}", rightNames, func(r int, j job.Index) int {
		if k := int(of[r][j]); k > 0 {
			return k - 1
		}
		return last
	})
}

// named tells jobs apart by a name that they may have; names that few jobs have
// are one class.
func (c *classing) named(tell, none string, of func(*job.More) string) *Set {
	jobs := c.runs[0].Log.Jobs
	name := func(j job.Index) string {
		if jobs[j].More == nil {
			return ""
		}
		return of(jobs[j].More)
	}
	var names []string // in the order of the jobs
	count, place := map[string]int{}, map[string]int{}
	for j := range jobs {
		n := name(job.Index(j))
		if count[n]++; count[n] == 1 {
			names = append(names, n)
		}
	}
	var words []string
	for len(words) < min(mostNames, len(names)) {
		best := -1
		for i, n := range names {
			if place[n] == 0 && (best < 0 || count[n] > count[names[best]]) {
				best = i
			}
		}
		words = append(words, names[best])
		place[names[best]] = len(words)
	}
	if len(words) < len(names) {
		words = append(words, "others")
	}
	for k, w := range words {
		if w == "" {
			words[k] = none
		}
	}
	return c.hues(tell, words, func(_ int, j job.Index) int {
		if k := place[name(j)]; k > 0 {
			return k - 1
		}
		return len(words) - 1
	})
}
