package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Of four tries to form a group one has four jobs that suit, one has one, two have
// none; a job that is tried alone on dense nodes is no such try.
func TestForms(t *testing.T) {
	l := log.New(cluster.Flat(2), make([]job.Job, 6), log.Full)
	form := func(code log.Code, suits int) {
		l.Add(log.Record{Kind: log.Form, Code: code, Other: job.None})
		for i := range suits {
			l.Add(log.Record{Kind: log.Candidate, Code: log.Suited, Job: job.Index(i + 1)})
		}
		l.Add(log.Record{Kind: log.Candidate, Code: log.RunsLonger, Job: 5})
	}
	form(log.CaseWaiting, 4)
	form(log.CaseRunning, 0)
	form(log.CaseJoin, 1)
	form(log.CaseAlone, 0)
	form(log.CaseJoin, 0)
	c := Cell{}
	c.addForms(l)
	require.Equal(t, Cell{"forms": 4, "few-suits": 0.75, "none-suit": 0.5}, c)
}
