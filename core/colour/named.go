package colour

import (
	"bytes"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
)

// maxNamed is the maximum number of names that get a class of their own. The palette has eight
// hues, and the last one is for all other names.
const maxNamed = 7

// reasonClass maps the logged reason of a start to the index of its class in reasonNames, plus 1.
// Reasons that it does not list map to 0; byStartReason puts jobs with such a reason into the
// last class, "otherwise".
var reasonClass = [256]uint8{
	log.Head: 1, log.HeadAlone: 1,
	log.FirstFit: 2, log.BeforeShadow: 2, log.WithinExtra: 2, log.LeastUsed: 2, log.BestBalance: 2, log.LeavesLessFree: 2,
	log.DelaysNoReservation: 2, log.FairSet: 2, log.UtilizationSet: 2, log.BackfilledAlone: 2,
	log.Planned: 3, log.Replanned: 3, log.AtOnce: 3,
	log.MovedAfterEarlyEnd: 4, log.MovedNow: 4, log.MovedToKeepPlace: 4, log.MovedByCompression: 4, log.MovedAfterProgress: 4,
	log.StartedAsGuest: 5,
	log.Leads:          6, log.Grouped: 6, log.GroupedApart: 6,
}

var reasonNames = []string{"first in its queue", "backfilled", "as planned", "moved earlier", "in the slice of another type", "in a group", "otherwise"}

// classifyByName makes one class for each name that at least one job has. The classes have no
// order. For each job, classOf must return the index of the job's name in the given list.
func (c *classifier) classifyByName(sentence string, names []string, classOf func(run int, j job.Index) int) *Classification {
	s := Scale{Palette: Hues, Named: true, Sentences: []string{2: sentence, 3: "mostly " + sentence}}
	classes, newIndex := c.classesOf(classOf), make([]uint8, len(names))
	for k, name := range names {
		if isUsed(classes, uint8(k)) {
			newIndex[k] = uint8(len(s.Labels))
			s.Labels, s.ColourIndexes = append(s.Labels, name), append(s.ColourIndexes, k)
		}
	}
	for r := range classes {
		for j := range classes[r] {
			classes[r][j] = newIndex[classes[r][j]]
		}
	}
	return &Classification{s, classes, func(r int, j job.Index) float64 { return float64(classes[r][j]) + 1 }}
}

// isUsed reports whether at least one job of any run belongs to the class.
func isUsed(classes [][]uint8, class uint8) bool {
	for r := range classes {
		if bytes.IndexByte(classes[r], class) >= 0 {
			return true
		}
	}
	return false
}

// byType classifies jobs as short, medium or long by their estimates.
func (c *classifier) byType() *Classification {
	o := metrics.Default
	return c.classifyByName("type {}", metrics.Types, func(r int, j job.Index) int {
		name := o.Type(c.runs[r].Log.Jobs[j].Estimate)
		for k, t := range metrics.Types {
			if t == name {
				return k
			}
		}
		return 0
	})
}

// byStartReason classifies jobs by the logged reasons of their starts.
func (c *classifier) byStartReason() *Classification {
	reasons := make([][]uint8, len(c.runs))
	for r := range c.runs {
		reasons[r] = make([]uint8, len(c.runs[r].Log.Jobs))
		for x := range c.runs[r].Log.All() {
			if x.Kind == log.Start {
				reasons[r][x.Job] = reasonClass[x.Code]
			}
		}
	}
	last := len(reasonNames) - 1
	return c.classifyByName("started: {}", reasonNames, func(r int, j job.Index) int {
		if k := int(reasons[r][j]); k > 0 {
			return k - 1
		}
		return last
	})
}

// byName classifies jobs by an optional name, such as the user. The maxNamed most frequent names
// get a class each, and all other names share one. Jobs without a name count as jobs with the same
// name, which the legend shows as unnamedLabel.
func (c *classifier) byName(sentence, unnamedLabel string, nameIn func(*job.More) string) *Classification {
	jobs := c.runs[0].Log.Jobs
	name := func(j job.Index) string {
		if jobs[j].More == nil {
			return ""
		}
		return nameIn(jobs[j].More)
	}
	var names []string // in order of their first jobs
	count, classNumber := map[string]int{}, map[string]int{}
	for j := range jobs {
		n := name(job.Index(j))
		if count[n]++; count[n] == 1 {
			names = append(names, n)
		}
	}
	var labels []string
	for len(labels) < min(maxNamed, len(names)) {
		best := -1
		for i, n := range names {
			if classNumber[n] == 0 && (best < 0 || count[n] > count[names[best]]) {
				best = i
			}
		}
		labels = append(labels, names[best])
		classNumber[names[best]] = len(labels)
	}
	if len(labels) < len(names) {
		labels = append(labels, "others")
	}
	for k, w := range labels {
		if w == "" {
			labels[k] = unnamedLabel
		}
	}
	return c.classifyByName(sentence, labels, func(_ int, j job.Index) int {
		if k := classNumber[name(j)]; k > 0 {
			return k - 1
		}
		return len(labels) - 1
	})
}
