// Package glomarc implements the policy G-LOMARC-TS (Zeng 2009, chapters 4 and 5): jobs share nodes
// of several cores in groups. A group is a primary job and the jobs matched with it, which slow each
// other down only a little. A group starts if it uses the nodes better than a job alone and delays no job
// too much. The speed model determines how much jobs slow each other down. PPN is the number of
// processes that a job runs on each of its nodes.
//
// A scheduling step (glomarc.go) collects the candidates for each case of the thesis (cases.go,
// candidate.go) and forms sets from them (sets.go). It chooses the fair set with the largest gain
// (choose.go, fair.go) and starts it on its nodes (start.go). Cases 1 to 5 are the ways to start the
// first waiting job. The file docs/policies/glomarc-ts.md lists the steps and explains the
// symbols of the thesis, such as SL_nos, U_gain and R_est.
package glomarc

import (
	"fmt"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/sim"
)

// The values of the knob variant: the complete policy, and the reduced variants with which Zeng 2009
// compares it.
const (
	glts  = "glts"  // the complete policy
	ssp   = "ssp"   // space sharing: no groups
	cst   = "cst"   // only pairs; starts the best pair
	cstws = "cstws" // only pairs; starts the first acceptable pair
	fbo   = "fbo"   // sets of the first block only
	ns    = "ns"    // blocks are not sorted
	nh    = "nh"    // neither blocks nor sorting; starts the first acceptable set
)

// The values of the knob unfair: which late jobs make a group unfair.
const (
	anyLong  = "any"      // every job that ends too late
	worsened = "worsened" // only a job that would end earlier if no group started
)

// The values of the knob backfill-serial: how serial jobs are backfilled.
const (
	single = "single" // each serial job by itself
	burst  = "burst"  // a serial job can also join a group with a later parallel job and other serial jobs
)

// Spec describes the policy.
var Spec = policy.Spec{
	Name: "glomarc-ts", Title: "G-LOMARC-TS",
	Summary:      "Jobs share multi-core nodes in groups: a primary job and the jobs matched with it. A group starts if sharing saves enough node time and delays no job too much.",
	Paper:        "Zeng 2009, chapters 4 and 5",
	SelectsSlots: true,
	Knobs: []policy.Knob{
		{Name: "variant", Title: "variant", Kind: policy.Choice, Default: glts, Choices: []string{glts, ssp, cst, cstws, fbo, ns, nh},
			ChoiceTitles: []string{"full policy (GLTS)", "no groups (SSP)", "best pair (CST)", "first acceptable pair (CSTWS)", "first block of candidates only (FBO)", "blocks not sorted (NS)", "no blocks, first acceptable group (NH)"}, Needs: policy.NeedsCores,
			Help: "the full policy, or a simpler one. glts: full; ssp: no groups; cst: only pairs, and the best pair starts; cstws: only pairs, and the first acceptable pair starts; fbo: groups only from the first block of candidates (see block-size); ns: the candidates in a block are not sorted by remaining work; nh: no blocks, and the first acceptable group starts"},
		{Name: "max-slowdown", Title: "largest slowdown", Kind: policy.Number, Default: "1.25", Min: 1, Max: 10, Needs: policy.NeedsCores,
			Help: "MAX_SL: largest slowdown that a job may suffer from its own processes or from another job"},
		{Name: "self-slowdown-2", Title: "largest slowdown of two processes", Kind: policy.Number, Default: "1.12", Min: 1, Max: 10, Needs: policy.NeedsCores,
			Help: "SELF_SL_2: largest slowdown at which two processes of a job are placed on one node"},
		{Name: "min-gain", Title: "smallest gain", Kind: policy.Number, Default: "0.45", Min: 0, Max: 10, Needs: policy.NeedsCores,
			Help: "MIN_UTILGAIN: smallest gain (U_gain) that a group must have: the node time that sharing saves, divided by the node time that the group uses"},
		{Name: "block-size", Title: "block size", Kind: policy.Integer, Default: "16", Min: 1, Max: 1000, Unit: "jobs", Needs: policy.NeedsCores,
			Help: "BLOCK_SIZE: number of jobs in a block. The candidates, the jobs that can be matched with a primary, are divided into blocks. Groups are formed from the first block; jobs of later blocks may then be added"},
		{Name: "exceed-primary", Title: "nodes beyond the primary", Kind: policy.Number, Default: "0.125", Min: 0, Max: 1, Needs: policy.NeedsCores,
			Help: "MATCHED_EXCEED_PRIM: how many additional nodes the matched jobs may use, as a fraction of the number of the primary's nodes"},
		{Name: "running-primaries", Title: "running primaries", Kind: policy.Integer, Default: "8", Min: 0, Max: 1000, Unit: "jobs", Needs: policy.NeedsCores,
			Help: "RUNNING_PRIM_NUM: number of running jobs that are tried as primaries of waiting jobs. The least delayed ones are tried"},
		{Name: "longer-than-primary", Title: "time beyond the primary", Kind: policy.Integer, Default: "3000", Min: 0, Max: maxTime, Unit: "s", Needs: policy.NeedsCores,
			Help: "MAX_MATCHED_LONGER_PRIM: how much longer than the primary a matched job may run"},
		{Name: "slack", Title: "slack", Kind: policy.Number, Default: "1.5", Min: 0, Max: 100,
			Help: "F_slack: a group is unfair if a job's response time exceeds this factor times the response time estimated at its submission"},
		{Name: "estimate-adjust", Title: "estimate adjustment", Kind: policy.Number, Default: "0.75", Min: 0.01, Max: 10,
			Help: "factor for R_est: at submission, the response time of a job is estimated as this factor times the response time predicted without groups"},
		{Name: "unfair", Title: "jobs that make a group unfair", Kind: policy.Choice, Default: worsened, Choices: []string{worsened, anyLong},
			ChoiceTitles: []string{"late jobs that the group delays", "all late jobs"},
			Help:         "which late jobs make a group unfair. worsened: only jobs that the group delays (our choice, because it fits the number of groups in the thesis better); any: every late job"},
		{Name: "cst-compare-space", Title: "pair must gain more than its first job alone", Kind: policy.Switch, Default: "true", DependsOn: "variant", DependsOnValues: []string{cst, cstws},
			Help: "what starts if both an acceptable pair and its first job alone, with up to four processes per node, are possible. true: the one with the larger gain; false: the pair"},
		{Name: "pack-alone", Title: "two processes per node without a group", Kind: policy.Switch, Default: "true",
			Help: "what a medium or long job without a group does if it does not fit with one process per node. true: it starts with two, if they slow it down by at most max-slowdown; false: it waits. This knob does not affect short jobs, and has no effect with variant=ssp"},
		{Name: "backfill-serial", Title: "serial jobs", Kind: policy.Choice, Default: single, Choices: []string{single, burst},
			ChoiceTitles: []string{"like other jobs", "matched first"},
			Help:         "how a serial job is backfilled. single: like any other job, alone or as the primary of a group; burst: first as a match of the next parallel job in the queue, together with other serial jobs"},
		{Name: "short-max", Title: "longest short job", Kind: policy.Integer, Default: "600", Min: 1, Max: maxTime, Unit: "s",
			Help: "longest estimate of a short job. Short jobs never join a group"},
		{Name: "medium-max", Title: "longest medium job", Kind: policy.Integer, Default: "10800", Min: 1, Max: maxTime, Unit: "s",
			Help: "longest estimate of a medium job. Longer jobs are long. All jobs of a group have the same type"},
	},
	New:         func(v policy.Values) sim.Policy { return &Glomarc{parameters: parametersOf(v)} },
	NeverStarts: neverStarts,
}

// maxTime is the maximum value of the knobs that hold times, in seconds.
const maxTime = 1_000_000_000_000

// parameters holds the values of the knobs. Zeng 2009, section 5.1, lists most of the parameters.
type parameters struct {
	gain.Limits   // MAX_SL, SELF_SL_2 and MAX_MATCHED_LONGER_PRIM
	policy.Bounds // longest estimates of short and medium jobs

	variant           string  // glts or a reduced variant, such as cst
	minUtilGain       float64 // MIN_UTILGAIN: smallest U_gain of a group
	blockSize         int     // BLOCK_SIZE: number of candidates in a block
	matchedExceedPrim float64 // MATCHED_EXCEED_PRIM: additional nodes of matched jobs, as a fraction of the primary's
	runningPrimNum    int     // RUNNING_PRIM_NUM: number of running jobs that are tried as primaries
	fSlack            float64 // F_slack: longest fair response time, as a multiple of R_est
	estimateAdjust    float64 // R_est, as a multiple of the predicted response time

	onlyWorsened bool // unfair=worsened: only a job that the group delays can make the group unfair
	compareSpace bool // a pair starts only if it gains more than the first job alone (Case 5)
	packAlone    bool // Case 4: two processes per node if the job does not fit with one
	serialBursts bool // backfill-serial=burst
}

func parametersOf(v policy.Values) parameters {
	return parameters{
		Limits:            Limits(v),
		Bounds:            policy.BoundsOf(v),
		variant:           v.Text("variant"),
		minUtilGain:       v.Float("min-gain"),
		blockSize:         v.Int("block-size"),
		matchedExceedPrim: v.Float("exceed-primary"),
		runningPrimNum:    v.Int("running-primaries"),
		fSlack:            v.Float("slack"),
		estimateAdjust:    v.Float("estimate-adjust"),
		onlyWorsened:      v.Text("unfair") == worsened,
		compareSpace:      v.On("cst-compare-space"),
		packAlone:         v.On("pack-alone"),
		serialBursts:      v.Text("backfill-serial") == burst,
	}
}

// Limits returns the limits that the knobs set, for the formulas of package gain.
func Limits(v policy.Values) gain.Limits {
	return gain.Limits{MaxSlowdown: v.Float("max-slowdown"), MaxSelfSlowdown: v.Float("self-slowdown-2"), MaxLonger: v.Float("longer-than-primary")}
}

// onlyPairs reports whether a group has at most one matched job.
func (q *parameters) onlyPairs() bool { return q.variant == cst || q.variant == cstws }

// takesFirst reports whether the variant starts the first acceptable group instead of the best.
func (q *parameters) takesFirst() bool { return q.variant == cstws || q.variant == nh }

// neverStarts returns an error for the first job that is too large for the machine, or nil if there
// is none. A job is too large if, with the processes per node of formula 11, it needs more nodes
// than the machine has. The policy could not plan this job alone on its nodes, so the job might
// never start.
func neverStarts(v policy.Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
	limits := Limits(v)
	for i := range jobs {
		j := gain.NewJob(&jobs[i].Request)
		perNode := limits.PerNode(j, m.SlotsPerNode())
		if alone := j.WithPerNode(perNode); alone.Nodes() <= m.Nodes {
			continue
		}
		return &job.Invalid{Row: i, ID: jobs[i].ID, Field: "procs", Got: strconv.Itoa(j.Procs),
			Expected: fmt.Sprintf("at most %d (%d nodes; processes of this job per node under glomarc-ts: %d)", perNode*m.Nodes, m.Nodes, perNode)}
	}
	return nil
}
