package compare

import (
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
)

// Classes sorts jobs into classes, of which none is empty.
type Classes struct {
	Names []string
	Of    []int32 // by job: the place of its class
}

// Sizes sorts jobs by the processors they ask for: 1, 2 to 4, 5 to 16 and so on, each
// class up to four times as wide as the one before.
func Sizes(jobs []job.Job) *Classes {
	widest := 1
	for i := range jobs {
		widest = max(widest, jobs[i].Procs)
	}
	c := &Classes{Of: make([]int32, len(jobs))}
	for from, to := 1, 1; from <= widest; from, to = to+1, 4*to {
		c.Names = append(c.Names, between(from, min(to, widest)))
	}
	for i := range jobs {
		for to := 1; to < jobs[i].Procs; to *= 4 {
			c.Of[i]++
		}
	}
	return c.occupied()
}

// between names a range of processors.
func between(from, to int) string {
	switch {
	case to == 1:
		return "1 processor"
	case from == to:
		return strconv.Itoa(to) + " processors"
	}
	return strconv.Itoa(from) + " to " + strconv.Itoa(to) + " processors"
}

// Lengths sorts jobs by their estimates into the types of package metrics. The
// estimate is that of the request, so that a job is in one class under every
// policy.
func Lengths(jobs []job.Job, o metrics.Options) *Classes {
	short, medium := seconds(o.ShortMax), seconds(o.MediumMax)
	c := &Classes{Names: []string{"short, up to " + short, "medium, up to " + medium, "long, above " + medium}, Of: make([]int32, len(jobs))}
	for i := range jobs {
		c.Of[i] = int32(slices.Index(metrics.Types, o.Type(jobs[i].Estimate)))
	}
	return c.occupied()
}

func seconds(t job.Time) string { return strconv.FormatInt(t, 10) + " s" }

// Users sorts jobs by who submitted them, in the order of first submission; nil
// where no job names a user.
func Users(jobs []job.Job) *Classes {
	c := &Classes{Of: make([]int32, len(jobs))}
	at := map[string]int32{}
	for i := range jobs {
		name := ""
		if jobs[i].More != nil {
			name = jobs[i].More.User
		}
		k, known := at[name]
		if !known {
			k = int32(len(c.Names))
			at[name] = k
			c.Names = append(c.Names, name)
		}
		c.Of[i] = k
	}
	if len(c.Names) == 1 && c.Names[0] == "" {
		return nil
	}
	return c
}

// occupied drops the classes that have no jobs.
func (c *Classes) occupied() *Classes {
	to := make([]int32, len(c.Names))
	for _, k := range c.Of {
		to[k] = 1
	}
	var names []string
	for k, has := range to {
		if to[k] = int32(len(names)); has > 0 {
			names = append(names, c.Names[k])
		}
	}
	for i, k := range c.Of {
		c.Of[i] = to[k]
	}
	c.Names = names
	return c
}
