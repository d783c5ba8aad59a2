package sim

import (
	"slices"

	"backfill-lab/core/job"
)

// jobList is a set of jobs in index order from which a job can be removed in constant time. It is a
// doubly linked list in two arrays. Element 0 marks the ends of the list, and job j has element
// j+1.
type jobList struct {
	next, prev []int32 // by element: the next and the previous element
	count      int
}

func newJobList(jobs int) jobList {
	return jobList{next: make([]int32, jobs+1), prev: make([]int32, jobs+1)}
}

// push adds job j. Its index must be higher than the index of every job in the list.
func (l *jobList) push(j job.Index) {
	last := l.prev[0]
	l.next[last], l.prev[j+1] = j+1, last
	l.next[j+1], l.prev[0] = 0, j+1
	l.count++
}

// removed is the value in jobList.next of a job that was removed from the list.
const removed = -1

// remove removes job j, which must be in the list.
func (l *jobList) remove(j job.Index) {
	a, b := l.prev[j+1], l.next[j+1]
	l.next[a], l.prev[b], l.next[j+1] = b, a, removed
	l.count--
}

// contains reports whether job j, which was added to the list, is still in it.
func (l *jobList) contains(j job.Index) bool { return l.next[j+1] != removed }

// first returns the first job of the list, or job.None if the list is empty.
func (l *jobList) first() job.Index { return l.next[0] - 1 }

// after returns the job that follows j in the list, or job.None if j is the last one.
func (l *jobList) after(j job.Index) job.Index { return l.next[j+1] - 1 }

// clone returns a deep copy with space for only the first n jobs of the workload. Every job in the
// list must be one of these n jobs.
func (l *jobList) clone(n int) jobList {
	return jobList{slices.Clone(l.next[:n+1]), slices.Clone(l.prev[:n+1]), l.count}
}

// run holds the state of a job that has started but not finished.
type run struct {
	job           job.Index
	active        bool     // whether the job runs; false while it is suspended
	procs         int      // number of processes
	perNode       int      // processes per node; 0 if the job is not placed by node
	rate          float64  // seconds of work per second
	since         job.Time // time for which work and estimatedWork were computed
	work          float64  // remaining actual work at since, in seconds at rate 1
	estimatedWork float64  // remaining work at since according to the estimate
	end           job.Time // the last end added to the heap; job.Never while suspended
	prev          int32    // index in runPool.runs of the run that started just before this one
	next          int32    // index in runPool.runs of the run that started just after this one
}

// runPool holds the runs in a doubly linked list, in order of start. Element 0 marks the ends of the
// list.
type runPool struct {
	runs     []run
	spare    []int32 // indexes of unused elements of runs
	position []int32 // by job: index of its element in runs, or 0 if it has none
	count    int     // runs in the list, without element 0
}

func newRunPool(jobs int) runPool {
	return runPool{runs: make([]run, 1, 64), position: make([]int32, jobs)}
}

// find returns the run of job j, or nil if it has not started or has finished.
func (p *runPool) find(j job.Index) *run {
	if w := p.position[j]; w != 0 {
		return &p.runs[w]
	}
	return nil
}

// add adds a run for job j to the end of the list.
func (p *runPool) add(j job.Index) *run {
	var w int32
	if n := len(p.spare); n > 0 {
		w, p.spare = p.spare[n-1], p.spare[:n-1]
	} else {
		w = int32(len(p.runs))
		p.runs = append(p.runs, run{})
	}
	r := &p.runs[w]
	last := p.runs[0].prev
	*r = run{job: j, prev: last}
	p.runs[last].next, p.runs[0].prev = w, w
	p.position[j] = w
	p.count++
	return r
}

// remove removes the run of job j, which must exist.
func (p *runPool) remove(j job.Index) {
	w := p.position[j]
	r := &p.runs[w]
	p.runs[r.prev].next, p.runs[r.next].prev = r.next, r.prev
	p.position[j] = 0
	p.spare = append(p.spare, w)
	p.count--
}

// clone returns a deep copy with space for only the first n jobs of the workload.
func (p *runPool) clone(n int) runPool {
	return runPool{slices.Clone(p.runs), slices.Clone(p.spare), slices.Clone(p.position[:n]), p.count}
}
