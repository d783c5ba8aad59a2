package workload_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

func TestSpanText(t *testing.T) {
	for text, want := range map[string]string{"": "", "4": "4", "1:16": "1:16", "60:": "60:", ":60": ":60", "0:60": ":60", "0:": "", "7:7": "7"} {
		s, err := workload.ParseSpan(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, s.String(), text)
		again, err := workload.ParseSpan(s.String())
		require.NoError(t, err, text)
		assert.Equal(t, s, again)
	}
	for _, text := range []string{":", "0", ":0", "0:0", "-1", "5:4", "x", "1:x", "1:2:3", "1.5", "9999999999999:"} {
		_, err := workload.ParseSpan(text)
		assert.ErrorContains(t, err, "expected FROM:TO", text)
	}
}

// TestTimesToKeep checks that the conditions on runtimes and estimates accept durations with units and with colons.
func TestTimesToKeep(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "60:": "60:", "0:1h": ":3600", "1h:": "3600:", ":1h 30m": ":5400", "10m:1.5h": "600:5400", "2h": "7200", "90": "90",
		"02:30:00": "9000", "02:30:00:1-12:00:00": "9000:129600", "0:02:30:00": ":9000", "1-00:2-00": "86400:172800", "1h:02:30:00": "3600:9000",
	} {
		var k workload.Keep
		require.NoError(t, k.Set("runtime", text), text)
		assert.Equal(t, want, k.Runtime.String(), text)
		require.NoError(t, k.Set("estimate", text), text)
		assert.Equal(t, k.Runtime, k.Estimate)
	}
	for _, text := range []string{":", "0", "0h", ":0m", "2h:1h", "x", "1x:2", "00:00:10:20", "1.5", "9999999999999:", "-1h"} {
		assert.ErrorContains(t, (&workload.Keep{}).Set("runtime", text), "expected FROM:TO or one duration, such as 600:1h,", text)
	}
	assert.Error(t, (&workload.Keep{}).Set("procs", "0:1h"))
}

func TestKeep(t *testing.T) {
	jobs := []job.Job{
		{ID: "a", Runtime: 5, Request: job.Request{Submit: 3, Procs: 1, Estimate: 9, More: &job.More{User: "ann", Class: "x"}}},
		{ID: "b", Runtime: 0, Request: job.Request{Submit: 5, Procs: 4, Estimate: 9, More: &job.More{User: "bob"}}},
		{ID: "c", Runtime: 8, Request: job.Request{Submit: 9, Procs: 16, Estimate: 4}},
	}
	for text, want := range map[string]string{
		"procs=1:4":               "a:3:1:9:5 b:5:4:9:1",
		"procs=16":                "c:9:16:8:8",
		"runtime=1":               "b:5:4:9:1",
		"estimate=8":              "c:9:16:8:8", // the estimate was raised to 8 before this rule applied
		"user=ann,bob":            "a:3:1:9:5 b:5:4:9:1",
		"class=x":                 "a:3:1:9:5",
		"user=ann,bob procs=2:16": "b:5:4:9:1",
	} {
		w, err := workload.Clean(jobs, nil, 16, workload.Rules{Keep: keep(t, text)})
		require.NoError(t, err)
		assert.Equal(t, want, jobsText(w.Jobs), text)
		assert.Equal(t, 3-len(w.Jobs), w.Report.N(workload.NotKept))
	}
	_, err := workload.Clean(jobs, nil, 16, workload.Rules{Keep: keep(t, "user=eve")})
	assert.ErrorContains(t, err, "no job is left: 3 records read, 0 jobs kept. Dropped: 3 records excluded by the rule keep.")
	assert.ErrorContains(t, (&workload.Keep{}).Set("cores", "1"), `expected one of procs, runtime, estimate, user, class, got "cores"`)
}

func keep(t *testing.T, text string) (k workload.Keep) {
	for _, part := range strings.Split(text, " ") {
		f := strings.Split(part, "=")
		require.NoError(t, k.Set(f[0], f[1]))
	}
	return k
}

func TestShiftComesBeforeTheLoadFactor(t *testing.T) {
	jobs := []job.Job{
		{ID: "a", Runtime: 1, Request: job.Request{Submit: 100, Procs: 1, Estimate: 1}},
		{ID: "b", Runtime: 1, Request: job.Request{Submit: 103, Procs: 1, Estimate: 1}},
	}
	w, err := workload.Clean(jobs, nil, 1, workload.Rules{Shift: true, LoadFactor: 2})
	require.NoError(t, err)
	assert.Equal(t, "a:0:1:1:1 b:2:1:1:1", jobsText(w.Jobs))
	assert.Equal(t, 2, w.Report.N(workload.Shifted))
}
