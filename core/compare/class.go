package compare

import (
	"slices"
	"strconv"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
)

// Classes assigns each job to exactly one class. No class is empty.
type Classes struct {
	Names   []string
	ClassOf []int32 // ClassOf[i] is the index in Names of the class of job i
}

// ClassifyBySize classifies jobs by the number of requested processors: 1, 2 to 4, 5 to 16 and so on. The
// upper limit of each class is four times that of the previous class.
func ClassifyBySize(jobs []job.Job) *Classes {
	widest := 1
	for i := range jobs {
		widest = max(widest, jobs[i].Procs)
	}
	c := &Classes{ClassOf: make([]int32, len(jobs))}
	for from, to := 1, 1; from <= widest; from, to = to+1, 4*to {
		c.Names = append(c.Names, processorRange(from, min(to, widest)))
	}
	for i := range jobs {
		for to := 1; to < jobs[i].Procs; to *= 4 {
			c.ClassOf[i]++
		}
	}
	return c.withoutEmpty()
}

// processorRange returns the name of a class, such as "2 to 4 processors".
func processorRange(from, to int) string {
	switch {
	case to == 1:
		return "1 processor"
	case from == to:
		return strconv.Itoa(to) + " processors"
	}
	return strconv.Itoa(from) + " to " + strconv.Itoa(to) + " processors"
}

// ClassifyByLength classifies jobs by estimate into short, medium and long, as package metrics does.
// It uses the requested estimate, so that a job has the same class under every policy.
func ClassifyByLength(jobs []job.Job, o metrics.Options, clock format.Clock) *Classes {
	short, medium := clock.Duration(o.ShortMax), clock.Duration(o.MediumMax)
	c := &Classes{Names: []string{"short, up to " + short, "medium, up to " + medium, "long, above " + medium}, ClassOf: make([]int32, len(jobs))}
	for i := range jobs {
		c.ClassOf[i] = int32(slices.Index(metrics.Types, o.Type(jobs[i].Estimate)))
	}
	return c.withoutEmpty()
}

// ClassifyByUser returns one class for each user, in the order in which users submit their first
// jobs. Jobs without a user form a class with an empty name. ClassifyByUser returns nil if no job
// has a user.
func ClassifyByUser(jobs []job.Job) *Classes {
	c := &Classes{ClassOf: make([]int32, len(jobs))}
	classIndex := map[string]int32{}
	for i := range jobs {
		name := ""
		if jobs[i].More != nil {
			name = jobs[i].More.User
		}
		k, known := classIndex[name]
		if !known {
			k = int32(len(c.Names))
			classIndex[name] = k
			c.Names = append(c.Names, name)
		}
		c.ClassOf[i] = k
	}
	if len(c.Names) == 1 && c.Names[0] == "" {
		return nil
	}
	return c
}

// withoutEmpty drops the classes without jobs and returns c.
func (c *Classes) withoutEmpty() *Classes {
	newIndex := make([]int32, len(c.Names))
	for _, k := range c.ClassOf {
		newIndex[k] = 1
	}
	var names []string
	for k, used := range newIndex {
		if newIndex[k] = int32(len(names)); used > 0 {
			names = append(names, c.Names[k])
		}
	}
	for i, k := range c.ClassOf {
		c.ClassOf[i] = newIndex[k]
	}
	c.Names = names
	return c
}
