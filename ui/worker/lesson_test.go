package worker_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/public/lessons"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// A lesson opens with its scenario, and goes to the page as it is.
func TestLessonFiles(t *testing.T) {
	p := newPage(t)
	for _, f := range lessons.List {
		r := p.ask("opened", "open", protocol.Open{Name: f.Name + ".json"}, []byte(f.Text))
		head := read[protocol.Opened](t, r)
		l, err := lesson.Parse(head.Lesson)
		require.NoError(t, err)
		jobs, err := protocol.Jobs(r.bufs)
		require.NoError(t, err)
		require.Equal(t, strings.Count(string(l.Scenario), `"submit":`), len(jobs))
	}
	r := p.ask("opened", "open", protocol.Open{Name: "x.json"}, []byte(exampleScenario))
	require.Empty(t, read[protocol.Opened](t, r).Lesson)

	text := string(lessons.List[0].Text)
	bad := strings.Replace(text, `"event": "start"`, `"event": "begin"`, 1)
	line := strings.Count(text[:strings.Index(text, `"event": "start"`)], "\n") + 1
	require.Equal(t, "mine.json, line "+strconv.Itoa(line)+": step 2, place, event: expected before, after, submit, start, finish, promise, move, hold or another kind of event, got \"begin\"",
		p.fault("open", protocol.Open{Name: "mine.json"}, []byte(bad)).Text)
}
