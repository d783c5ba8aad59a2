// Package pick selects the job that best balances the use of several resources (Leinberger,
// Karypis and Kumar 1999, section 2.2). The caller passes the jobs that may start and starts
// the selected one.
package pick

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// The values of the knob pick: the selection rules.
const (
	First = "first" // FF: the first job in the queue
	BL    = "bl"    // BL: the first job whose largest demand is for the least used resource
	BB    = "bb"    // BB: the job that leaves the resources used most evenly
)

// The values of the knob fullness: how the score of a job depends on the two results of the function
// Balance, the balance and the mean free share. The job with the lowest score starts.
const (
	Relaxed = "relaxed" // BB: (balance - 1) times the mean free share; BL: the balance alone, but a smaller demand suffices to match
	Product = "product" // the balance times the mean free share
	Sum     = "sum"     // the balance plus the mean free share
	None    = "none"    // the balance alone

	DefaultFullness = Relaxed // the default of the knob
)

// The values of the knob fallback: which job the rule BL selects if no job has its largest demand for
// the least used resource.
const (
	FirstJob = "first" // the first job that may be backfilled
	NoJob    = "none"  // no job
)

// Knobs lists the knobs of a policy that uses this package.
var Knobs = []policy.Knob{
	{Name: "pick", Title: "backfill candidate", Kind: policy.Choice, Default: First, Choices: []string{First, BL, BB},
		ChoiceTitles: []string{"first in the queue (FF)", "least used resource (BL)", "best balance (BB)"}, Needs: policy.NeedsResources,
		Help: "which backfill candidate starts. first: the first candidate; bl: the first candidate whose largest demand is for the least used resource; bb: the candidate that leaves the resources used most evenly"},
	{Name: "fullness", Title: "effect of free capacity", Kind: policy.Choice, Default: DefaultFullness, Choices: []string{Relaxed, Product, Sum, None},
		ChoiceTitles: []string{"relaxed rule", "balance × free share", "balance + free share", "balance only"}, DependsOn: "pick", DependsOnValues: []string{BL, BB},
		Help: "how the score of a candidate depends on the share of the machine that it leaves free. The lowest score wins. relaxed: bb multiplies the deviation from perfect balance by this share, and bl accepts a smaller demand; product: the balance times this share; sum: the balance plus this share; none: the balance alone"},
	{Name: "fallback", Title: "if no candidate matches", Kind: policy.Choice, Default: FirstJob, Choices: []string{FirstJob, NoJob},
		ChoiceTitles: []string{"the first candidate", "no job"}, DependsOn: "pick", DependsOnValues: []string{BL}, Needs: policy.NeedsResources,
		Help: "what starts if no candidate matches the rule bl. first: the first candidate; none: no job. With reservations=0, the first candidate always starts"},
}

// Shares holds, for each resource, a share of its capacity from 0 to 1. The first entry is for the
// processors. Resources with capacity 0 have no entry.
type Shares []float64

// Job returns the n shares of job i. The slice s concatenates the shares of several jobs.
func (s Shares) Job(n, i int) Shares { return s[i*n : (i+1)*n] }

// AppendShares converts the demand n to shares of the capacities of machine m and appends them to
// dst.
func AppendShares(dst Shares, m *cluster.Machine, n job.Demand) Shares {
	dst = append(dst, float64(n.Procs)/float64(m.Slots()))
	for k, r := range m.Resources {
		if r.Capacity > 0 {
			dst = append(dst, float64(n.Amount(k))/float64(r.Capacity))
		}
	}
	return dst
}

// ResourceNumber converts k, the index of an entry of Shares, to the number of its resource in a log:
// 0 for the processors, i+1 for extra resource i. Shares has no entries for resources of capacity 0.
func ResourceNumber(m *cluster.Machine, k int) int64 {
	for i, r := range m.Resources {
		if k > i && r.Capacity == 0 {
			k++
		}
	}
	return int64(k)
}

// SharesInUse returns, for each resource of machine m, the share of its capacity that is in use.
func SharesInUse(m *cluster.Machine, free *policy.Capacity) Shares {
	used := job.Demand{Procs: m.Slots() - free.Procs}
	for k, r := range m.Resources {
		used.Extra = append(used.Extra, r.Capacity-free.Extra[k])
	}
	return AppendShares(nil, m, used)
}

// Balance returns how unevenly the resources would be used if a job with the given demand started: the
// largest share in use divided by the mean share. The best value is 1, for equal shares. Balance also
// returns the mean share that would stay free.
func Balance(used, demand Shares) (balance, free float64) {
	sum, maxShare := 0.0, 0.0
	for k := range used {
		v := used[k] + demand[k]
		sum += v
		maxShare = max(maxShare, v)
	}
	mean := sum / float64(len(used))
	return maxShare / mean, 1 - mean
}

// Picker holds the settings of a selection rule other than First.
type Picker struct {
	Rule, Fullness string // values of the knobs pick and fullness
	Fallback       string // for BL; empty means FirstJob
}

// NoMatch is the result of Pick if it selects no job.
const NoMatch = -1

// tolerance is the difference below which two scores count as equal.
const tolerance = 1e-9

// Less reports whether score a is less than score b by more than the tolerance.
func Less(a, b float64) bool { return a < b-tolerance }

// Pick returns the index of the job to start. The argument demands holds the shares that at least
// one job demands, concatenated in queue order. If several jobs have the best score, Pick returns
// the first. It returns NoMatch if the rule is BL, no job matches, and Fallback is NoJob.
func (p Picker) Pick(used, demands Shares) int {
	n, best, bestScore := len(used), NoMatch, 0.0
	mustMatch := p.Rule == BL && p.Fallback == NoJob
	for i := range len(demands) / n {
		demand := demands.Job(n, i)
		if mustMatch && !p.Matches(used, demand) {
			continue
		}
		if s := p.Score(used, demand); best == NoMatch || Less(s, bestScore) {
			best, bestScore = i, s
		}
	}
	return best
}

// Score returns the score of a job. The job with the lowest score starts. Under BL, the balance in
// the score is replaced by 1 if the job matches, and by the number of resources otherwise.
func (p Picker) Score(used, demand Shares) float64 {
	balance, free := Balance(used, demand)
	if p.Rule == BL {
		balance = float64(len(used))
		if p.Matches(used, demand) {
			balance = 1
		}
	}
	switch p.Fullness {
	case Relaxed:
		if p.Rule == BB {
			return float64((balance - 1) * free)
		}
	case Product:
		return float64(balance * free)
	case Sum:
		return balance + free
	}
	return balance
}

// Matches reports whether a job matches under BL: its share of the least used resource must be at
// least its share of any other resource. With the fullness Relaxed, a smaller share suffices. The
// required share is then multiplied by the share of the machine that would stay free.
func (p Picker) Matches(used, demand Shares) bool {
	enough := largest(demand)
	if p.Fullness == Relaxed {
		_, free := Balance(used, demand)
		enough = float64(enough * free)
	}
	return !Less(demand[LeastUsed(used)], enough)
}

// LeastUsed returns the index of the least used resource, given the share of each resource that is
// in use. Ties go to the first resource.
func LeastUsed(used Shares) int {
	least := 0
	for k := range used {
		if Less(used[k], used[least]) {
			least = k
		}
	}
	return least
}

// largest returns the largest share of a demand.
func largest(demand Shares) float64 {
	maxShare := 0.0
	for _, share := range demand {
		maxShare = max(maxShare, share)
	}
	return maxShare
}
