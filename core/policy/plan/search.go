package plan

import "backfill-lab/core/policy"

// The ways to look for the next job that can move.
const (
	Pruned = "pruned"
	Plain  = "plain"
)

// SearchKnob is the knob by which policies that compress offer them.
var SearchKnob = policy.Knob{Name: "search", Kind: policy.Choice, Default: Pruned, Choices: []string{Pruned, Plain},
	Help: "how the next job to move is found: leaving out those that cannot move, or trying every job as the papers write it down; the schedule is the same, the effort is not"}
