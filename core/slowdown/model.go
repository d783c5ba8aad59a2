// Package slowdown models how much jobs on shared nodes slow down each other and themselves.
// Slowdowns are given by the scenario, or drawn from table 4 of Zeng's thesis (Zeng 2009, section
// 4.10). Package speed turns them into rates. Policies decide which jobs share nodes.
package slowdown

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload/draw"
)

// Model determines SL_cos for each pair of jobs: the factor by which one job takes longer when it
// shares nodes with the other. A factor in Pairs takes precedence. For a pair that is not listed,
// the factor is drawn at random from the seed if Drawn is set; otherwise it is 1.
type Model struct {
	Drawn   bool
	Seed    int64
	ByClass bool   // whether Pairs names application classes; jobs without a class are then named by ID
	Pairs   []Pair // grouped by Of
}

// Pair gives the slowdown of job Of when it shares nodes with job NextTo. The slowdown of NextTo by
// Of is a separate pair.
type Pair struct {
	Of, NextTo string
	Slow       float64 // factor by which the runtime of Of grows
}

// Min and Max limit the slowdown of a pair.
const (
	Min = 0.9
	Max = job.MaxSlowdown
)

// MaxSeed is the maximum seed. Workload generators have the same limit.
const MaxSeed = 1<<32 - 1

// Invalid reports an invalid field of a pair.
type Invalid struct {
	Pair          Pair
	Expected, Got string // what the pair should name, such as "another job", and what it names instead
}

func (e *Invalid) Error() string {
	return "slowdown of " + strconv.Quote(e.Pair.Of) + " next to " + strconv.Quote(e.Pair.NextTo) +
		": expected " + e.Expected + ", got " + e.Got
}

// Check returns an Invalid error for the first invalid pair. A pair is invalid if it names an
// unknown job or class, or pairs a job with itself. It does not check the factors.
func (m *Model) Check(jobs []job.Job) error {
	if len(m.Pairs) == 0 {
		return nil
	}
	known := map[uint64]bool{}
	for i := range jobs {
		known[hashName(m.Name(&jobs[i]))] = true
	}
	for _, p := range m.Pairs {
		if invalid := m.CheckPair(p, func(name string) bool { return known[hashName(name)] }); invalid != nil {
			return invalid
		}
	}
	return nil
}

// CheckPair returns an error if a pair is invalid, otherwise nil. It calls isKnown to find out
// whether a name belongs to a job or an application class of the workload.
func (m *Model) CheckPair(p Pair, isKnown func(name string) bool) *Invalid {
	what := "a job"
	if m.ByClass {
		what = "an application class"
	}
	for _, name := range [2]string{p.Of, p.NextTo} {
		if !isKnown(name) {
			return &Invalid{p, what + " of the workload", strconv.Quote(name)}
		}
	}
	if p.Of == p.NextTo && !m.ByClass {
		return &Invalid{p, "another job", "itself"}
	}
	return nil
}

// Name returns the name by which pairs refer to a job: its application class, if the model uses
// classes and the job has one, otherwise its ID.
func (m *Model) Name(j *job.Job) string {
	if m.ByClass && j.More != nil && j.More.Class != "" {
		return j.More.Class
	}
	return j.ID
}

// Speed returns the speed model of the jobs on shared nodes.
func (m *Model) Speed(jobs []job.Job) speed.Model {
	keys := make([]uint64, len(jobs))
	for i := range jobs {
		keys[i] = hashName(m.Name(&jobs[i]))
	}
	given := map[[2]uint64]float64{}
	for _, p := range m.Pairs {
		given[[2]uint64{hashName(p.Of), hashName(p.NextTo)}] = p.Slow
	}
	return speed.Contention{Cos: func(i, j job.Index) float64 {
		if slow, ok := given[[2]uint64{keys[i], keys[j]}]; ok {
			return slow
		}
		if !m.Drawn {
			return 1
		}
		return drawnSlowdown(m.Seed, keys[i], keys[j])
	}}
}

// HasSelfSlowdowns reports whether any job states by how much its own processes slow each other
// down on a node (SLnos or SLcrs in job.More).
func HasSelfSlowdowns(jobs []job.Job) bool {
	for i := range jobs {
		if m := jobs[i].More; m != nil && (m.SLnos > 0 || m.SLcrs > 0) {
			return true
		}
	}
	return false
}

// Bins holds the distribution of a slowdown as the percentages of nine bins. Each bin is 0.1 wide,
// and the first starts at 0.9. Within a bin, the distribution is uniform.
type Bins [9]int

// Crs, Nos and Cos hold the columns of table 4 in Zeng 2009, and have the names of these columns.
// Nos is the slowdown of a job when two of its own processes share a node. Crs is the additional
// slowdown when four of its processes share a node. Cos is the slowdown of a job when it shares
// nodes with another job.
var (
	Crs = Bins{0, 25, 17, 17, 13, 17, 8, 3, 0}
	Nos = Bins{25, 45, 12, 5, 13}
	Cos = Bins{0, 68, 17, 7, 3, 2, 1, 1, 1}
)

// Sample returns a slowdown drawn from the distribution, given two uniform random numbers in [0,1).
// The first number selects the bin, and the second one selects the position within the bin. The
// result is cut to four decimals, so that it is easy to read.
func (b *Bins) Sample(bin, place float64) float64 {
	percent, k := int(bin*100), 0
	for ; percent >= b[k]; k++ {
		percent -= b[k]
	}
	return math.Floor(9000+float64(1000*(float64(k)+place))) / 10000
}

// hashName returns the FNV-1a hash of the name of a job or class. The hash identifies the job or class
// in pairs and in random draws. The index of a job would not work, because it changes when other jobs
// are added.
func hashName(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// drawnSlowdown returns a slowdown of one job by another, drawn from the distribution Cos. It depends
// only on the seed and on i and j, the hashes of the two names. Adding other jobs does not change it.
func drawnSlowdown(seed int64, i, j uint64) float64 {
	h := draw.Mix(draw.Mix(draw.Mix(uint64(seed))^i) ^ j)
	return Cos.Sample(uniform(h), uniform(draw.Mix(h)))
}

// uniform maps the upper 53 bits of h to [0,1).
func uniform(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// SelfLimits limits how many processes of one job a scheduler places on a node. Processes on the
// same node slow each other down. Each field is the highest accepted slowdown factor, at least 1.
type SelfLimits struct {
	Four float64 // limit for four processes per node; MAX_SL in Zeng 2009
	Two  float64 // limit for two processes per node; SELF_SL_2 in Zeng 2009
}

// ThesisLimits holds the limits of Zeng 2009, section 5.1.
var ThesisLimits = SelfLimits{Four: 1.25, Two: 1.12}

// ProcsPerNode returns PPN, the number of processes per node of a job that runs alone on its nodes
// (Zeng 2009, formula 11). The arguments nos and crs are the slowdowns of the job by its own processes
// (see the variables Nos and Crs). Each node has the given number of cores. A job above the limit for
// two processes may still be within the limit for four.
func (l *SelfLimits) ProcsPerNode(procs int, nos, crs float64, cores int) int {
	switch {
	case procs > 1 && cores >= 4 && speed.ProcessSlowdown(nos, crs, 4) <= l.Four:
		return 4
	case procs > 1 && cores >= 2 && speed.ProcessSlowdown(nos, crs, 2) <= l.Two:
		return 2
	}
	return 1
}

// GrownSize returns the size of a job of procs processes after its workload moves from single-core
// to multi-core nodes. Zeng 2009, formula 7, computes this size as procs*PPN, divided by the
// slowdown of the job by its own processes. For PPN, nos and crs, see ProcsPerNode. If procs is a
// power of two, the size is rounded to the nearest power of two on the logarithmic scale. This
// rounding keeps the fraction of sizes that are powers of two. The size is at most nodes*PPN,
// because a larger job could never start.
func GrownSize(procs int, nos, crs float64, nodes, cores int) int {
	perNode := ThesisLimits.ProcsPerNode(procs, nos, crs, cores)
	if perNode == 1 {
		return min(procs, nodes)
	}
	size := float64(procs*perNode) / speed.ProcessSlowdown(nos, crs, perNode)
	n := int(math.Round(size))
	if procs&(procs-1) == 0 {
		n = powerOfTwo(size)
	}
	return min(n, nodes*perNode)
}

// powerOfTwo returns the power of two that is nearest to x on the logarithmic scale. The argument x
// must be at least 1. The midpoint between n and 2n is the square root of 2*n*n.
func powerOfTwo(x float64) int {
	n := 1
	for float64(x*x) >= float64(2*n*n) {
		n *= 2
	}
	return n
}
