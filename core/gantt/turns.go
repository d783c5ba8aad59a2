package gantt

import (
	"sort"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Slice is a time slice [From,To) of a virtual machine. The clock of the virtual machine runs from
// On to To. The time before On is overhead.
type Slice struct {
	View         uint8
	From, On, To job.Time

	clockAtOn job.Time // clock of the virtual machine at On
}

// timeSlices holds the time slices in order.
type timeSlices struct {
	all   []Slice
	views uint8 // number of virtual machines
}

// readSlices returns the time slices. The first call reads them from the log.
func (c *Chart) readSlices() *timeSlices {
	if c.slices == nil {
		c.slices = &timeSlices{}
		c.slices.read(c)
	}
	return c.slices
}

// read reads the slices of a log. If no clock runs, the machine is switching slices or, without
// unfinished jobs, idle.
func (s *timeSlices) read(c *Chart) {
	l := c.log
	var clocks [256]job.Time
	arrived, unfinished, from, open := 0, 0, job.Time(0), -1
	for r := range l.All() {
		for ; arrived < len(l.Jobs) && l.Jobs[arrived].Submit <= r.At; arrived++ {
			if unfinished++; unfinished == 1 {
				from = max(from, l.Jobs[arrived].Submit)
			}
		}
		switch {
		case r.Kind == log.Finish:
			unfinished--
		case r.Kind != log.Slice || r.View == 0:
		case r.X != 0:
			open = len(s.all)
			s.all = append(s.all, Slice{r.View, min(from, r.At), r.At, max(min(r.Y, c.End), r.At), clocks[r.View]})
			s.views = max(s.views, r.View)
		case open >= 0 && s.all[open].View == r.View:
			s.all[open].To = r.At
			clocks[r.View] += r.At - s.all[open].On
			from, open = r.At, -1
		}
	}
}

// firstAfter returns the index of the first slice that ends after t.
func (s *timeSlices) firstAfter(t job.Time) int {
	return sort.Search(len(s.all), func(i int) bool { return s.all[i].To > t })
}

// SliceAt returns the slice at time t, and false if there is none.
func (c *Chart) SliceAt(t job.Time) (Slice, bool) {
	s := c.readSlices()
	if i := s.firstAfter(t); i < len(s.all) && s.all[i].From <= t {
		return s.all[i], true
	}
	return Slice{}, false
}

// Slices returns the number of slices of each virtual machine, starting with virtual machine 1. It
// returns nil if there are no time slices.
func (c *Chart) Slices() []int {
	s := c.readSlices()
	if s.views == 0 {
		return nil
	}
	out := make([]int, s.views)
	for i := range s.all {
		out[s.all[i].View-1]++
	}
	return out
}

// Types returns the capitalized names of the virtual machines, in the order of Slices.
func (c *Chart) Types() (out []string) {
	for v := range c.readSlices().views {
		name := log.ViewName(v + 1)
		out = append(out, strings.ToUpper(name[:1])+name[1:])
	}
	return out
}

// Clocks returns the clock of each virtual machine at time t, in the order of Slices.
func (c *Chart) Clocks(t job.Time) []job.Time {
	s := c.readSlices()
	out := make([]job.Time, s.views)
	for i := range s.all {
		x := &s.all[i]
		if x.On > t {
			break
		}
		out[x.View-1] = x.clockAtOn + min(t, x.To) - x.On
	}
	return out
}

// Band is a slice in a view, or several slices that are too short to show separately.
type Band struct {
	From, On, To job.Time
	View         uint8 // virtual machine; 0 for several slices
	Count        int32 // number of slices
}

// bandsIn returns the slices in a window. It merges neighbours that are shorter than minTime.
func (c *Chart) bandsIn(q Query, minTime job.Time) (out []Band) {
	s := c.readSlices()
	for _, x := range s.all[s.firstAfter(q.T0):] {
		if x.From >= q.T1 {
			break
		}
		if n := len(out) - 1; n >= 0 && x.To-x.From < minTime && x.From-out[n].To < minTime && (out[n].View == 0 || out[n].To-out[n].From < minTime) {
			out[n] = Band{out[n].From, out[n].From, x.To, 0, out[n].Count + 1}
			continue
		}
		out = append(out, Band{x.From, x.On, x.To, x.View, 1})
	}
	return out
}

// EncodeBands appends bands to dst as pieces on all lanes, Stride numbers each. The job of a piece
// is the number of the virtual machine, or 0 for overhead. A band of several slices is a bin.
func (v *View) EncodeBands(dst []byte) []byte {
	lanes := int32(v.Query.Lanes1)
	var pieces []Piece
	for _, b := range v.Bands {
		if b.View == 0 {
			pieces = append(pieces, Piece{From: b.From, To: b.To, Lane1: lanes, Flags: Bin, Count: b.Count})
			continue
		}
		if b.From < b.On {
			pieces = append(pieces, Piece{From: b.From, To: b.On, Lane1: lanes})
		}
		pieces = append(pieces, Piece{From: b.On, To: b.To, Lane1: lanes, Job: job.Index(b.View)})
	}
	return Encode(pieces, dst)
}
