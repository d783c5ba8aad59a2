package log

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// TestReasonInWords checks the reasons that a policy states in words. A log stores equal texts once, on one
// line and at most MaxText characters long. A log that was written and read back has the same
// texts.
func TestReasonInWords(t *testing.T) {
	jobs := []job.Job{{ID: "a", Request: job.Request{Procs: 1, Estimate: 1}, Runtime: 1}, {ID: "b", Request: job.Request{Procs: 1, Estimate: 1}, Runtime: 1}}
	l := New(cluster.Flat(2), jobs, Decisions)
	first := l.ReasonInWords("fits beside\nthe plan.")
	require.Equal(t, first, l.ReasonInWords(" fits beside the plan "))
	require.Equal(t, "fits beside the plan", l.Text(first.X))
	require.Equal(t, NoReason, l.ReasonInWords(" \n").Code)
	require.Len(t, []rune(l.Text(l.ReasonInWords(strings.Repeat("ä", 500)).X)), MaxText)
	require.Empty(t, l.Text(99))
	for i, words := range [...]string{`a "quoted" reason`, "1"} {
		why := l.ReasonInWords(words)
		l.Add(Record{Kind: Start, Job: job.Index(i), Other: job.None, Code: why.Code, X: why.X})
		l.RecordSlots(job.Index(i), cluster.Set{{Lo: int32(i), Hi: int32(i) + 1}}, Layout{Procs: 1})
	}
	f := l.Fork(2)
	require.NotEqual(t, f.ReasonInWords("only in the fork"), f.ReasonInWords("1"))
	l.Add(Record{Kind: Hold, Job: 1, Other: job.None, Code: SaidWaiting, X: l.ReasonInWords("1").X})
	var text bytes.Buffer
	require.NoError(t, Write(&text, l, nil))
	require.Contains(t, text.String(), `0 start a slots=0 why=said text="a \"quoted\" reason"`)
	back, _, err := Read(bytes.NewReader(text.Bytes()))
	require.NoError(t, err)
	require.Equal(t, `a "quoted" reason`, back.Text(back.Record(0).X))
	require.Equal(t, "1", back.Text(back.Record(1).X))
	require.Contains(t, text.String(), `0 hold b why=said-waiting text=1`)
	require.Equal(t, "1", back.Text(back.Record(2).X))
	for _, bad := range []string{"0 start a slots=0 why=said", "0 start a slots=0 why=head text=x"} {
		_, _, err := Read(strings.NewReader(strings.Replace(text.String(), `0 start a slots=0 why=said text="a \"quoted\" reason"`, bad, 1)))
		require.ErrorContains(t, err, "a text if the reason is said")
	}
}
