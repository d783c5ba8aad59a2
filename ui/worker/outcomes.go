package worker

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
	"backfill-lab/ui/protocol"
)

// mostPlaced is the jobs up to which the table tells where and when each was: in
// the charts of longer runs that cannot be made out either.
const mostPlaced = 2000

func (s *Session) outcomes(m Message, q protocol.Moment) error {
	rs, r, err := s.present(q.Generation, q.Result)
	if err != nil {
		return err
	}
	out := r.became()
	columns := [protocol.OutcomeColumns][]job.Time{}
	for i := range columns {
		columns[i] = make([]job.Time, len(out))
	}
	for i, o := range out {
		columns[0][i], columns[1][i], columns[2][i], columns[3][i], columns[4][i], columns[5][i] = o.Start, o.Finish, o.Promised, job.Never, job.Never, job.Never
		if j := job.Index(i); o.Start != job.Never {
			columns[3][i], columns[4][i], columns[5][i] = int64(r.log.Width(j).Procs), int64(r.gantt().Pieces(j)), r.speed(j)
		}
	}
	head := protocol.Outcomes{Generation: rs.generation, Result: q.Result, Jobs: len(out)}
	if len(out) <= mostPlaced {
		head.Slots, head.Pieces = r.places()
	}
	s.host.Post("outcomes", m.ID, head, [][]byte{protocol.Times(columns[:]...)})
	return nil
}

// places is, in words, the slots of each job, and the times of its pieces where it
// has several.
func (r *result) places() (slots, pieces []string) {
	rows := schedule.From(r.log).Rows
	slots, pieces = make([]string, len(rows)), make([]string, len(rows))
	for i := range rows {
		slots[i] = rows[i].Alloc.String()
		if len(rows[i].Segments) < 2 {
			continue
		}
		var all []string
		for _, s := range rows[i].Segments {
			all = append(all, fmt.Sprintf("%d-%d", s.From, s.To))
		}
		pieces[i] = strings.Join(all, " ")
	}
	return slots, pieces
}
