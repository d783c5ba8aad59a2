// Package glomarc shares nodes of several cores between jobs: it matches groups of
// jobs that slow each other down little, and starts a group where it makes more of
// the nodes than a job alone and puts no one off too far (G-LOMARC-TS: Zeng 2009,
// chapters 4 and 5). How jobs slow each other down is not its business: it asks the
// speed model.
package glomarc

import (
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/sim"
)

// The variants.
const (
	glts  = "glts"  // the whole
	ssp   = "ssp"   // space sharing only
	cst   = "cst"   // pairs, the best one
	cstws = "cstws" // pairs, the first that suits
	fbo   = "fbo"   // first block only
	ns    = "ns"    // blocks that are not sorted
	nh    = "nh"    // neither blocks nor sorting, the first set that will do
)

// What makes a group unfair.
const (
	byAny      = "any"
	byWorsened = "worsened"
)

// How serial jobs are backfilled.
const (
	single = "single"
	burst  = "burst"
)

// Spec presents the policy.
var Spec = policy.Spec{
	Name: "glomarc-ts", Title: "G-LOMARC-TS",
	Summary: "Jobs share nodes of several cores in groups, where that makes more of the nodes and puts no job off too far.",
	Paper:   "Zeng 2009, chapters 4 and 5",
	Knobs: []policy.Knob{
		{Name: "variant", Kind: policy.Choice, Default: glts, Choices: []string{glts, ssp, cst, cstws, fbo, ns, nh},
			Help: "glts: all of it; ssp: no groups; cst, cstws: one job beside another, the best or the first that suits; fbo: sets of the first block only; ns: blocks are not sorted; nh: no blocks, the first set that will do"},
		{Name: "max-slowdown", Kind: policy.Number, Default: "1.25", Min: 1, Max: 10,
			Help: "MAX_SL: a job tolerates no larger slowdown, by its own processes or by another job"},
		{Name: "self-slowdown-2", Kind: policy.Number, Default: "1.12", Min: 1, Max: 10,
			Help: "SELF_SL_2: two processes of a job are placed on a node up to this slowdown"},
		{Name: "min-gain", Kind: policy.Number, Default: "0.45", Min: 0, Max: 10,
			Help: "MIN_UTILGAIN: utilization gain that a group must have at least"},
		{Name: "block-size", Kind: policy.Integer, Default: "16", Min: 1, Max: 1000, Unit: "jobs",
			Help: "BLOCK_SIZE: candidates looked at together; sets begin in the first block"},
		{Name: "exceed-primary", Kind: policy.Number, Default: "0.125", Min: 0, Max: 1,
			Help: "MATCHED_EXCEED_PRIM: share of nodes that matched jobs may have beyond those of the primary"},
		{Name: "running-primaries", Kind: policy.Integer, Default: "8", Min: 0, Max: 1000, Unit: "jobs",
			Help: "RUNNING_PRIM_NUM: running jobs, the least delayed ones, that are tried as primaries of waiting ones"},
		{Name: "longer-than-primary", Kind: policy.Integer, Default: "3000", Min: 0, Max: longest, Unit: "s",
			Help: "MAX_MATCHED_LONGER_PRIM: how much longer than the primary a matched job may run"},
		{Name: "slack", Kind: policy.Number, Default: "1.5", Min: 0, Max: 100,
			Help: "F_slack: a group is unfair if a response is longer than this multiple of the estimate made at the submission"},
		{Name: "estimate-adjust", Kind: policy.Number, Default: "0.75", Min: 0.01, Max: 10,
			Help: "share of the response predicted at the submission, without groups, that is the estimate of it"},
		{Name: "unfair", Kind: policy.Choice, Default: byWorsened, Choices: []string{byWorsened, byAny},
			Help: "what makes a group unfair: a response that is too long and that it makes longer, or any that is too long; the thesis can be read in both ways, and the first gives its numbers of groups"},
		{Name: "cst-compare-space", Kind: policy.Switch, Default: "true", With: "variant", Of: []string{cst, cstws},
			Help: "a pair starts only if it gains more than the first job alone on its nodes; else it comes first"},
		{Name: "pack-alone", Kind: policy.Switch, Default: "true",
			Help: "a medium or long job that waits to start alone with one process per node may start with two where one does not fit, if that slows it down by max-slowdown at most; short jobs and space sharing never do"},
		{Name: "backfill-serial", Kind: policy.Choice, Default: single, Choices: []string{single, burst},
			Help: "how a serial job is backfilled: single: as any other job, alone or as the primary of a group; burst: first matched, with other serial jobs, with the first parallel job behind it; the thesis can be read in both ways"},
		{Name: "short-max", Kind: policy.Integer, Default: "600", Min: 1, Max: longest, Unit: "s",
			Help: "a job is short up to this estimate, and then in no group"},
		{Name: "medium-max", Kind: policy.Integer, Default: "10800", Min: 1, Max: longest, Unit: "s",
			Help: "a job that is not short is medium up to this estimate, and else long; a group has jobs of one type"},
	},
	New:     func(v policy.Values) sim.Policy { return &Glomarc{rules: rulesOf(v)} },
	Refuses: refuses,
}

const longest = 1_000_000_000_000

// rules is the knobs.
type rules struct {
	gain.Limits
	policy.Bounds
	variant             string
	least, exceed       float64
	block, primaries    int
	slack, adjust       float64
	worsened, comparing bool
	packing             bool // two processes per node where one does not fit
	bursts              bool // serial jobs are backfilled in bursts
}

func rulesOf(v policy.Values) rules {
	return rules{
		Limits: Limits(v), variant: v.Text("variant"),
		least: v.Float("min-gain"), exceed: v.Float("exceed-primary"),
		block: v.Int("block-size"), primaries: v.Int("running-primaries"),
		slack: v.Float("slack"), adjust: v.Float("estimate-adjust"),
		worsened: v.Text("unfair") == byWorsened, comparing: v.On("cst-compare-space"), packing: v.On("pack-alone"), bursts: v.Text("backfill-serial") == burst,
		Bounds: policy.BoundsOf(v),
	}
}

// Limits returns the slowdowns that are accepted under these knobs.
func Limits(v policy.Values) gain.Limits {
	return gain.Limits{Slow: v.Float("max-slowdown"), Two: v.Float("self-slowdown-2"), Longer: v.Float("longer-than-primary")}
}

// pairs reports whether groups are of two jobs.
func (r *rules) pairs() bool { return r.variant == cst || r.variant == cstws }

// first reports whether the first set that will do is taken.
func (r *rules) first() bool { return r.variant == cstws || r.variant == nh }
