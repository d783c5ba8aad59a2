package sacct

import (
	"sort"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// MachineFacts holds facts about the machine that the records reveal. They help a user to set the
// size of the machine. No record contains the size, but the maximum in use at any time is a lower
// bound.
type MachineFacts struct {
	Partitions []NameCount // partitions in all records, except records of job steps
	Procs      Usage       // processors; Choice.Unit says what counts as one
	Resources  []Usage     // memory, GPUs and licences, in order of appearance
	Nodes      int         // number of different node names in the records
	PerNode    int         // maximum number of CPUs that a job used on one node
}

// NameCount holds a name and the number of records that contain this name.
type NameCount struct {
	Name string
	N    int
}

// Usage says how the jobs used a resource.
type Usage struct {
	Name     string // name of the resource; empty for processors
	Jobs     int    // number of jobs that used the resource
	Widest   int64  // maximum amount used by one job
	MaxInUse int64  // maximum amount in use at any time; 0 if the file contains no start times
}

// MinCapacity returns the smallest amount of the resource with which a machine can run the jobs.
func (u *Usage) MinCapacity() int64 { return max(u.Widest, u.MaxInUse, 1) }

// Proposal is a machine that fits the records, with sentences that give the reasons.
type Proposal struct {
	Nodes, Cores int // number of nodes, and of cores on each node
	Why          []string
}

// Propose returns a machine that fits the records. The machine has all nodes that the records name,
// and at least as many processors as were in use at any time. If the records name no nodes, the
// machine has just enough nodes of PerNode cores. Each node has one core if u is Nodes, or if the
// records contain neither the names nor the numbers of nodes.
func (f *MachineFacts) Propose(u Unit) Proposal {
	minProcs, unit := int(f.Procs.MinCapacity()), [...]string{CPUs: "CPU", Nodes: "node"}[u]
	p := Proposal{Nodes: max(f.Nodes, minProcs), Cores: 1}
	switch {
	case u == CPUs && f.Nodes > 0:
		p.Nodes, p.Cores = f.Nodes, max(f.PerNode, (minProcs+f.Nodes-1)/f.Nodes)
	case u == CPUs && f.PerNode > 0:
		p.Nodes, p.Cores = (minProcs+f.PerNode-1)/f.PerNode, f.PerNode
	}
	switch {
	case f.Nodes > 0:
		p.Why = append(p.Why, "The records name "+format.Count(f.Nodes, "node")+" (NodeList).")
	case p.Cores > 1:
		p.Why = append(p.Why, "No record names its nodes (NodeList), so the proposal has just enough nodes for these jobs.")
	case u == CPUs:
		p.Why = append(p.Why, "No record names its nodes (NodeList), so each CPU counts as a node.")
	default:
		p.Why = append(p.Why, "No record names its nodes (NodeList).")
	}
	if f.PerNode > 0 && u == CPUs {
		p.Why = append(p.Why, "A job used up to "+format.Count(f.PerNode, "CPU")+" on one node.")
	}
	if f.Procs.MaxInUse > 0 {
		p.Why = append(p.Why, "At most "+format.Count(f.Procs.MaxInUse, unit)+" were in use at the same time.")
	}
	p.Why = append(p.Why, "The widest job had "+format.Count(f.Procs.Widest, unit)+".")
	return p
}

// facts collects the data from which MachineFacts is computed: the start and the end of each job
// that ran or still runs, and the amount of each resource that the job used. Each component of a heterogeneous job
// has its own entry.
type facts struct {
	start, end []job.Time          // by entry: its start, which can be unknown, and its end
	uses       []Usage             // usage of each resource; the first one is processors
	amounts    [][]int64           // amounts[k][i] is the amount of resource k in entry i; 0 if i is beyond the end of amounts[k]
	leader     string              // heterogeneous job of the last entry, or ""; see leaderOf
	ofJob      []int64             // ofJob[k] is the amount of resource k that this job used, in all entries so far
	nodes      map[string]struct{} // names of nodes seen so far
	lists      map[string]struct{} // lists of nodes that have been expanded
	perNode    int64               // maximum number of CPUs that a job used per node

	mostNames, mostNamesLine int // maximum number of new node names in one line, and this line
}

// collectFacts adds the facts about the machine that the record of a job contains, such as the
// names of nodes. The argument leader is the result of leaderOf.
func (p *parser) collectFacts(j *job.Job, t *times, leader string) error {
	f := &p.facts
	if leader == "" || leader != f.leader {
		clear(f.ofJob)
	}
	f.leader = leader
	f.start = append(f.start, t.start)
	f.end = append(f.end, t.start+max(t.runtime, 1))
	f.addAmount("", int64(j.Procs))
	if p.nodes > 0 {
		f.perNode = max(f.perNode, (p.cpus+p.nodes-1)/p.nodes)
	}
	if err := p.addNodeNames(); err != nil {
		return err
	}
	var err error
	bad := p.eachResource(func(name string) {
		n, amountErr := p.amountOfJob(name, p.cpus, p.nodes)
		if err == nil {
			err = amountErr
		}
		f.addAmount(name, n)
	})
	if bad != nil {
		return bad
	}
	return err
}

// addAmount records that the last entry used the amount n of the resource with the given name.
func (f *facts) addAmount(name string, n int64) {
	k := 0
	for k < len(f.uses) && f.uses[k].Name != name {
		k++
	}
	if k == len(f.uses) {
		f.uses, f.amounts, f.ofJob = append(f.uses, Usage{Name: strings.Clone(name)}), append(f.amounts, nil), append(f.ofJob, 0)
	}
	if n <= 0 || len(f.amounts[k]) == len(f.start) {
		return
	}
	for len(f.amounts[k]) < len(f.start)-1 {
		f.amounts[k] = append(f.amounts[k], 0)
	}
	f.amounts[k] = append(f.amounts[k], n)
	u := &f.uses[k]
	if f.ofJob[k] == 0 {
		u.Jobs++
	}
	f.ofJob[k] += n
	u.Widest = max(u.Widest, f.ofJob[k])
}

// setMachineFacts computes the facts about the machine after all records have been read.
func (p *parser) setMachineFacts() {
	f, out := &p.facts, &p.out.MachineFacts
	for _, m := range p.tally.partitions {
		if !strings.Contains(m.Name, ",") { // a job that never ran may have a list of partitions
			out.Partitions = append(out.Partitions, m)
		}
	}
	out.Nodes, out.PerNode = len(f.nodes), int(f.perNode)
	byStart, byEnd := sortedIndexes(f.start), sortedIndexes(f.end)
	for k := range f.uses {
		u := f.uses[k]
		u.MaxInUse = f.maxInUse(f.amounts[k], byStart, byEnd)
		if k == 0 {
			out.Procs = u
		} else if u.Jobs > 0 {
			out.Resources = append(out.Resources, u)
		}
	}
}

// maxInUse returns the maximum amount of a resource that is in use at any time. An entry that ends at
// time t no longer counts at t. The arguments byStart and byEnd hold the indexes of the entries, sorted
// by start and by end.
func (f *facts) maxInUse(amounts []int64, byStart, byEnd []int32) (peak int64) {
	amount := func(i int32) int64 {
		if int(i) < len(amounts) && f.start[i] != unknown {
			return amounts[i]
		}
		return 0
	}
	now, ended := int64(0), 0 // amount in use, and number of entries that have ended
	for _, i := range byStart {
		for ; f.end[byEnd[ended]] <= f.start[i]; ended++ {
			now -= amount(byEnd[ended])
		}
		now += amount(i)
		peak = max(peak, now)
	}
	return peak
}

// sortedIndexes returns the indexes of the times, sorted by time.
func sortedIndexes(times []job.Time) []int32 {
	o := timeOrder{times, make([]int32, len(times))}
	for i := range o.indexes {
		o.indexes[i] = int32(i)
	}
	sort.Sort(o)
	return o.indexes
}

// timeOrder sorts indexes by time. Indexes with equal times are sorted by index.
type timeOrder struct {
	times   []job.Time
	indexes []int32
}

func (o timeOrder) Len() int      { return len(o.indexes) }
func (o timeOrder) Swap(i, k int) { o.indexes[i], o.indexes[k] = o.indexes[k], o.indexes[i] }
func (o timeOrder) Less(i, k int) bool {
	a, b := o.indexes[i], o.indexes[k]
	return o.times[a] < o.times[b] || o.times[a] == o.times[b] && a < b
}
