// Package gantt turns a log into the lanes and rectangles of a Gantt chart. It writes charts
// as text and SVG, and encodes rectangles for the page, which draws them. A chart depends
// on the log only.
package gantt

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// Chart holds the spans of one run, and everything drawn with them. Lanes are slots; on single-core
// nodes they are the nodes. Callers must not change a chart.
type Chart struct {
	*timeline.Timeline
	Lanes int

	log         *log.Log
	flags       []Flags  // by span
	parts       jobParts // spans of preempted jobs
	paces       pacePhases
	shares      []share // in order of start
	usage       usage
	resourceUse []stepFunction // by extra resource; read on first use
	slices      *timeSlices    // read on first use
}

// New makes the chart of a log. It takes time proportional to the number of records, and memory
// proportional to the number of spans.
func New(l *log.Log) *Chart {
	c := &Chart{Timeline: timeline.New(l), Lanes: l.Machine.Slots(), log: l}
	c.flags = make([]Flags, len(c.Jobs))
	c.parts = readParts(c)
	readPaces(c)
	c.setFlags()
	c.usage = readUsage(c)
	return c
}

// slotsOf returns the slots on which the job of span i runs.
func (c *Chart) slotsOf(i int) cluster.Set { return c.log.Alloc(c.Jobs[i]) }
