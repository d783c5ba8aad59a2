package truth

import (
	"slices"

	"backfill-lab/core/job"
)

// checkPick checks a start out of queue order. The record's job may start now, but it is not the
// first job in the queue that may. This first job must be the other job of the record.
func (c *checker) checkPick() {
	r := c.record
	var startable []job.Index
	for _, k := range c.queue(c.backfillOrder(), c.isOfCurrentType) {
		if c.mayStart(k) {
			startable = append(startable, k)
		}
	}
	c.expect(slices.Contains(startable, r.Job), "the job may start")
	c.expect(len(startable) > 0 && startable[0] == r.Other && r.Other != r.Job, "the other job is the first in the queue that may start")
}

// millionths converts a ratio to an integer number of millionths, as in records.
func millionths(x float64) int64 { return int64(float64(x*1e6) + 0.5) }

// resourceShares returns, for each resource, the share of the capacity that is used. The
// share is -1 if the machine has none of the resource.
func (c *checker) resourceShares(used amount) []float64 {
	out := make([]float64, len(used))
	for k, all := range c.capacity() {
		if out[k] = -1; all > 0 {
			out[k] = float64(used[k]) / float64(all)
		}
	}
	return out
}

// leastUsed returns the index of the resource with the smallest share in use.
func (c *checker) leastUsed() int {
	used, least := c.resourceShares(c.capacity().minus(c.free())), -1
	for k, u := range used {
		if u >= 0 && (least < 0 || u < used[least]-1e-9) {
			least = k
		}
	}
	return least
}

// checkLeastUsed checks that the record's job requests the share Y of resource X, which has the
// smallest share in use.
func (c *checker) checkLeastUsed() {
	r := c.record
	c.checkPick()
	least := c.leastUsed()
	c.expectEqual("resource least in use", r.X, int64(least))
	c.expectEqual("share", r.Y, millionths(c.resourceShares(c.demand(r.Job))[least]))
}

// checkUnmatched checks that the record's job may start now, but that resource X is the least used
// one and no startable job requests enough of it.
func (c *checker) checkUnmatched() {
	r := c.record
	c.expect(c.mayStart(r.Job), "the job may start")
	c.expectEqual("resource least in use", r.X, int64(c.leastUsed()))
	for _, k := range c.queue(c.backfillOrder(), c.isOfCurrentType) {
		c.expect(!c.mayStart(k) || !c.matchesLeastUsed(k), "job %s may not start, or requests too little of the resource", c.jobID(k))
	}
}

// matchesLeastUsed reports whether a job requests at least as large a share of the least used resource
// as of any other resource. With fullness=relaxed, a smaller share suffices, in proportion to the share
// of the machine that would stay free.
func (c *checker) matchesLeastUsed(k job.Index) bool {
	demanded, required := c.resourceShares(c.demand(k)), 1.0
	if c.Knobs.Text("fullness") == "relaxed" {
		_, required = c.balanceWith(k)
	}
	return demanded[c.leastUsed()] >= slices.Max(demanded)*required-1e-9
}

// balanceWith returns two numbers about the resources in use after a start of job k. The first one,
// the balance, is the largest share in use divided by the mean share; 1 is perfectly balanced. The
// second one, the free share, is 1 minus the mean share.
func (c *checker) balanceWith(k job.Index) (balance, free float64) {
	used, demanded := c.resourceShares(c.capacity().minus(c.free())), c.resourceShares(c.demand(k))
	totalShare, maxShare, n := 0.0, 0.0, 0.0
	for i, u := range used {
		if u >= 0 {
			totalShare, maxShare, n = totalShare+(u+demanded[i]), max(maxShare, u+demanded[i]), n+1
		}
	}
	return maxShare / (totalShare / n), 1 - totalShare/n
}

// checkBestBalance checks that the balance of the resources is X with the record's job and Y with
// the record's other job, and that X is better.
func (c *checker) checkBestBalance() {
	c.checkPick()
	withJob, _ := c.balanceWith(c.record.Job)
	withOther, _ := c.balanceWith(c.record.Other)
	c.checkSmaller("balance", withJob, withOther, "the balance with the job is better than with the other job")
}

// checkLeavesLessFree checks that the record's job leaves the share X of the machine free. The other job
// would leave the share Y free, which must be larger.
func (c *checker) checkLeavesLessFree() {
	c.checkPick()
	_, withJob := c.balanceWith(c.record.Job)
	_, withOther := c.balanceWith(c.record.Other)
	c.checkSmaller("share free", withJob, withOther, "the job leaves less free than the other job")
}

// checkSmaller checks the numbers of a record that compares two jobs. X must be withJob and Y must
// be withOther, both in millionths. Also, withJob must be smaller than withOther. The arguments
// name and claim are only for error messages.
func (c *checker) checkSmaller(name string, withJob, withOther float64, claim string) {
	c.expectEqual(name, c.record.X, millionths(withJob))
	c.expectEqual(name+" with the other job", c.record.Y, millionths(withOther))
	c.expect(withJob < withOther, "%s", claim)
}
