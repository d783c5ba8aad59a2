package worker

import (
	"sort"
	"strconv"

	"backfill-lab/core/colour"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

const maxLabels = 2000 // largest number of labels in a view

// view answers with the visible part of a chart.
func (s *Session) view(m Message, q protocol.View) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	set := rs.colourClasses(q.Colour, q.Base)
	v := r.gantt().View(gantt.Query{T0: q.From, T1: q.To, Columns: q.Columns, Lanes0: q.Lane0, Lanes1: q.Lane1, Rows: q.Rows, JobClasses: viewClasses(set, q.Result)})
	head := protocol.Viewed{Generation: rs.generation, View: q, Labels: labels(r, v.Pieces, q)}
	for i := range v.Outages {
		p := &v.Outages[i]
		head.Labels[strconv.Itoa(int(p.Job))] = r.gantt().OutageName(p)
	}
	bufs := [][]byte{v.Encode(nil), gantt.Encode(v.Joins, nil), v.EncodeBands(nil), gantt.Encode(v.Outages, gantt.Encode(v.Shares, nil)), v.EncodePaces(nil)}
	if set != nil {
		scale := protocol.Scale(set.Scale)
		head.Scale = &scale
		bufs = append(bufs, v.EncodeClasses(func(j job.Index) float64 { return set.Value(q.Result, j) }, nil))
	} else {
		bufs = append(bufs, nil)
	}
	bufs = append(bufs, r.waits(v.Pieces, job.Never))
	s.host.Post("view", m.ID, head, bufs)
	return nil
}

// waits returns, for each piece, how long the job waited before it started, encoded by protocol.EncodeTimes. For a
// job that has not started by time `at`, it returns the wait until `at`. If `at` is job.Never, it returns
// the full wait. For bins, which stand for several jobs, it returns -1.
func (r *result) waits(pieces []gantt.Piece, at job.Time) []byte {
	all := make([]job.Time, len(pieces))
	for i := range pieces {
		all[i] = -1
		if p := &pieces[i]; p.Flags&gantt.Bin == 0 {
			until := at
			if start := r.outcomes()[p.Job].Start; start != job.Never && (at == job.Never || start <= at) {
				until = start
			}
			all[i] = max(until-r.log.Jobs[p.Job].Submit, 0)
		}
	}
	return protocol.EncodeTimes(all)
}

// labelWidths lists minimum widths of pieces, in pixels. A piece of the first width has space for most job
// names, and a piece of the second width has space for one character. The third width admits all pieces.
var labelWidths = []float64{24, 11, 0}

// labels returns the names of at most maxLabels jobs that have a piece, by job index. For each width in
// labelWidths, it adds the jobs with a piece of at least this width. If a piece is too narrow for the name of
// its job, only the tooltip shows the name.
func labels(r *result, pieces []gantt.Piece, q protocol.View) map[string]string {
	out := map[string]string{}
	perPixel := float64(q.To-q.From) / float64(max(q.Columns, 1))
	for _, width := range labelWidths {
		for i := range pieces {
			if len(out) == maxLabels {
				return out
			}
			if p := &pieces[i]; p.Flags&gantt.Bin == 0 && float64(p.To-p.From) >= width*perPixel {
				out[strconv.Itoa(int(p.Job))] = r.log.Jobs[p.Job].ID
			}
		}
	}
	return out
}

// series answers with the use of processors, or of an extra resource, over time.
func (s *Session) series(m Message, q protocol.View) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	columns := min(q.Columns, maxColumns)
	var samples []gantt.Sample
	if q.Resource == nil {
		samples = r.gantt().Series(q.From, q.To, columns)
	} else {
		samples = r.gantt().ResourceSeries(*q.Resource, q.From, q.To, columns)
	}
	head := protocol.Viewed{Generation: rs.generation, View: q}
	s.host.Post("series", m.ID, head, [][]byte{gantt.EncodeSeries(samples, nil)})
	return nil
}

// maxColumns is the largest number of columns in an answer. It exceeds the width of any screen. If a request
// asks for more columns, the answer has maxColumns columns.
const maxColumns = 1 << 16

// plan answers with the reservations at a time, or with the planned schedule after an event.
func (s *Session) plan(m Message, q protocol.TimeQuery) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	var pieces []gantt.Piece
	if q.Event != nil {
		pieces = plannedPieces(r.eventReplay(), *q.Event, q.At)
	} else {
		pieces = r.gantt().ReservationPieces(r.reservations(), q.At)
	}
	v := protocol.View{Result: q.Result, From: q.At, To: q.At, Lane1: r.gantt().Lanes}
	for i := range pieces {
		v.To = max(v.To, pieces[i].To)
	}
	head := protocol.Viewed{Generation: rs.generation, View: v, Labels: map[string]string{}, TimeSlice: r.sliceText(q.At, rs.clock)}
	for i := range pieces {
		j := pieces[i].Job
		head.Labels[strconv.Itoa(int(j))] = r.log.Jobs[j].ID
	}
	s.host.Post("plan", m.ID, head, [][]byte{gantt.Encode(pieces, nil), r.waits(pieces, q.At)})
	return nil
}

// event answers with an event time: the first one after q.At (Step > 0), the last one before q.At
// (Step < 0), or the last one at or before q.At (Step = 0).
func (s *Session) event(m Message, q protocol.TimeQuery) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	at := r.eventTimes()
	i := sort.Search(len(at), func(k int) bool { return at[k] > q.At }) - 1 // the last time at or before q.At
	switch {
	case q.Step > 0:
		i++
	case q.Step < 0 && i >= 0 && at[i] == q.At:
		i--
	}
	head := protocol.EventTime{Generation: rs.generation, Result: q.Result, At: q.At, Total: len(at), Number: min(i+1, len(at))}
	if i >= 0 && i < len(at) {
		head.At, head.Found = at[i], true
	}
	head.State = r.stateText(head.At, rs.clock)
	s.host.Post("event", m.ID, head, nil)
	return nil
}

// check answers with the findings of the schedule checker.
func (s *Session) check(m Message, q protocol.TimeQuery) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	r.check(rs.clock)
	head := protocol.Checked{Generation: rs.generation, Result: q.Result, Findings: append([]string{}, r.findings...)}
	s.host.Post("checked", m.ID, head, nil)
	return nil
}

// colourClasses returns the classes by which the charts colour jobs, nil if kind is empty. It
// caches the classes of the last request.
func (rs *results) colourClasses(kind string, base int) *colour.Classification {
	if kind == "" {
		return nil
	}
	if rs.classSet == nil || rs.classSet.Kind != kind || rs.classBase != base {
		runs := make([]colour.Run, len(rs.list))
		for i, r := range rs.list {
			runs[i] = colour.Run{Title: r.title, Log: r.log, Outcomes: r.outcomes()}
		}
		rs.classSet, rs.classBase = colour.Classify(kind, runs, base), base
	}
	return rs.classSet
}

// viewClasses converts the classes of result i to the form that package gantt needs.
func viewClasses(s *colour.Classification, i int) gantt.JobClasses {
	if s == nil {
		return gantt.JobClasses{}
	}
	return gantt.JobClasses{ClassOf: s.Classes[i], Classes: len(s.Labels), Mean: s.UsesMean()}
}
