package worker_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

// Opening, running and exporting a real trace gives the reference schedules. The test logs how long
// each step takes.
func TestReferenceTrace(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" || testing.Short() {
		t.Skip("BACKFILL_REFERENCE is not set, or short tests: the reference schedules are left out")
	}
	const trace = "KTH-SP2-1996-2.1-cln"
	data, err := os.ReadFile(filepath.Join(folder, "golden", trace+".norm.swf.gz"))
	require.NoError(t, err)
	p := newPage(t)
	timed(t, "open", func() {
		p.asked++
		p.Handle(worker.Message{Kind: "open", ID: p.asked, Head: []byte(`{"name":"kth.swf.gz"}`), File: &file{name: "kth.swf.gz", data: data}})
		r := p.wait(p.asked)
		require.Equal(t, "opened", r.kind, string(r.head))
	})
	for policy, reference := range map[string]string{"fcfs": "fcfs", "easy": "easy", "conservative": "cons-start"} {
		var head protocol.Ran
		timed(t, "run "+policy, func() {
			head = read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(100), Policies: policies(policy)}))
		})
		timed(t, "check", func() {
			x := read[protocol.Checked](t, p.ask("checked", "check", protocol.TimeQuery{Generation: head.Generation}))
			assert.Empty(t, x.Findings)
		})
		want := referenceStarts(t, filepath.Join(folder, "golden", trace+"."+reference+".csv.gz"))
		var file reply
		timed(t, "jobs CSV", func() { file = p.ask("exported", "export", protocol.Export{What: "jobs"}) })
		assert.True(t, slices.Equal(want, starts(t, file.bufs[0])), "%s: other starts than the reference", policy)
		questions(t, p, head)
	}
}

// questions sends the requests that a page sends after a run.
func questions(t *testing.T, p *page, head protocol.Ran) {
	v := protocol.View{From: head.From, To: head.To, Columns: 1200, Lane1: head.Lanes, Rows: 400}
	timed(t, "first view", func() { p.ask("view", "view", v) })
	timed(t, "next view", func() { p.ask("view", "view", v) })
	timed(t, "first why", func() { p.ask("why", "why", protocol.Why{Job: head.Jobs / 2, At: head.To / 2}) })
	timed(t, "next why", func() { p.ask("why", "why", protocol.Why{Job: head.Jobs / 3, At: head.To / 3}) })
	timed(t, "first plan", func() { p.ask("plan", "plan", protocol.TimeQuery{At: head.To / 2}) })
	timed(t, "first event", func() { p.ask("event", "event", protocol.TimeQuery{At: head.To / 2, Step: 1}) })
}

func timed(t *testing.T, what string, f func()) {
	t.Helper()
	begin := time.Now()
	f()
	t.Logf("%-16s %7.1f ms", what, float64(time.Since(begin).Microseconds())/1000)
}

func referenceStarts(t *testing.T, name string) (out []string) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	s := bufio.NewScanner(z)
	s.Scan() // skip the header
	for s.Scan() {
		_, at, _ := strings.Cut(s.Text(), ",")
		out = append(out, at)
	}
	require.NoError(t, s.Err())
	return out
}
