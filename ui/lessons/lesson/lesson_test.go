package lesson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/explain"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/lessons/lesson"
)

// check lists facts about the schedule of a policy, for the lesson's scenario with some changes.
// Lessons contain checks, so that the tests can verify the answers to their questions.
type check struct {
	Policy int               `json:"policy"`
	Set    map[string]string `json:"set"`    // changed knobs of the policy
	Add    []plainJob        `json:"add"`    // additional jobs
	Change []plainJob        `json:"change"` // changed jobs
	Pairs  slowdowns         `json:"pairs"`  // changed slowdowns between pairs of jobs

	Starts   map[string]job.Time `json:"starts"`
	Ends     map[string]job.Time `json:"ends"`
	PerNode  map[string]int      `json:"pernode"`  // processes of a job on each node
	Groups   []string            `json:"groups"`   // first groups of jobs that share nodes; see groups()
	Moves    map[string]int      `json:"moves"`    // how often the planned start of a job moves
	Sizes    map[string]int      `json:"sizes"`    // processors of a job
	Response float64             `json:"response"` // mean response time in seconds to two decimals, 0 if not checked
	Why      map[string]string   `json:"why"`      // part of the explanation of a job
}

// plainJob is a job to add, or the new values of a job to change.
type plainJob struct {
	ID       string   `json:"id"`
	Job      string   `json:"job"` // id of the job to change
	Submit   job.Time `json:"submit"`
	Procs    int      `json:"procs"`
	Estimate job.Time `json:"estimate"`
	Runtime  job.Time `json:"runtime"`
	SLnos    float64  `json:"slnos"`
	SLcrs    float64  `json:"slcrs"`
}

// slowdowns maps two jobs to the factor by which the second one slows down the first one if they share
// nodes.
type slowdowns map[string]map[string]float64

// parsed parses the file of a lesson.
func parsed(f lessons.Lesson) (*lesson.Lesson, error) {
	l, err := lesson.Parse([]byte(f.Text))
	if err == nil {
		l.Name = f.Name
	}
	return l, err
}

// fetched returns a lesson as the page receives it, with the scenario and the checks as compact JSON.
func fetched(t *testing.T, l lesson.Lesson) *lesson.Lesson {
	l.Questions = slices.Clone(l.Questions)
	parts := []*json.RawMessage{&l.Scenario}
	for i := range l.Questions {
		parts = append(parts, &l.Questions[i].Check)
	}
	for _, part := range parts {
		var b bytes.Buffer
		require.NoError(t, json.Compact(&b, *part))
		*part = b.Bytes()
	}
	return &l
}

// each runs f as a subtest for every lesson of the project, and passes it the lesson and its scenario.
func each(t *testing.T, f func(t *testing.T, l *lesson.Lesson, s *scenario.Scenario)) {
	for _, file := range lessons.List {
		t.Run(file.Name, func(t *testing.T) {
			l, err := parsed(file)
			require.NoError(t, err)
			s, err := scenario.Parse(l.Scenario)
			require.NoError(t, err)
			f(t, l, s)
		})
	}
}

// run runs a policy of a scenario and returns its full log.
func run(t *testing.T, s *scenario.Scenario, policy int) *log.Log {
	setup, err := s.Setup()
	require.NoError(t, err)
	c, err := setup.Config(policy, log.Full)
	require.NoError(t, err)
	e, err := sim.New(c)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	require.Empty(t, schedule.CheckLog(e.Log(), true))
	return e.Log()
}

// strict decodes JSON and fails the test on unknown fields.
func strict(t *testing.T, text []byte, to any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(to))
}

// Every file in public/lessons is a complete lesson without unknown fields.
func TestLessonsAreComplete(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "public", "lessons", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, len(lessons.List))
	require.Len(t, lesson.All(), len(lessons.List))
	each(t, func(t *testing.T, l *lesson.Lesson, s *scenario.Scenario) {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "public", "lessons", l.Name+".json"))
		require.NoError(t, err)
		strict(t, text, &struct {
			*lesson.Lesson
			Question *lesson.Question `json:"question"`
		}{})
		require.Equal(t, fetched(t, *l), lesson.Find(l.Name))
		require.NoError(t, s.Validate())
		texts := append(l.Text, l.Title, l.Paper, l.Summary, s.Title, s.Text)
		if !l.Brief { // the questions of a brief lesson already make students change the jobs, and check the answer
			texts = append(texts, l.Play)
		}
		for _, q := range l.Questions {
			texts = append(texts, q.Text, q.Because)
			require.GreaterOrEqual(t, len(q.Choices), 2)
			require.Less(t, q.Answer, len(q.Choices))
			require.Len(t, q.Replies, len(q.Choices))
		}
		for _, text := range texts {
			require.NotEmpty(t, text)
		}
		require.NotEmpty(t, l.Text)
		require.NotEmpty(t, l.Questions)
	})
	require.Nil(t, lesson.Find("none"))
}

// TestStepsNameExistingEvents checks that the event of each step occurs in its schedule, and
// that the player's sentence about it names the job and what happens.
func TestStepsNameExistingEvents(t *testing.T) {
	each(t, checkSteps)
}

// eventWords maps a kind of event to words that the player uses in its sentence about such an event.
var eventWords = map[string]string{"move": "The planned start of job", "promise": "is promised", "start": "starts", "finish": "ends", "submit": "is submitted",
	"resize": "The planned size of job", "fair": "The fair start of job", "node": "was tried in a set", "suspend": "is suspended", "resume": "resumes",
	"form": " is tried", "candidate": " suit", "gains": "a gain of", "purge": "is removed from set", "judge": "With this group of", "group": "is matched with"}

func checkSteps(t *testing.T, l *lesson.Lesson, s *scenario.Scenario) {
	require.NotEmpty(t, l.Steps)
	for i, x := range l.Steps {
		done := run(t, s, x.Policy)
		p := replay.New(explain.NewIndex(done), gantt.New(done))
		n, ok := p.Find(x.Place)
		require.True(t, ok, "step %d: %+v", i+1, x.Place)
		require.NotEmpty(t, x.Text)
		if x.Place.Event == replay.Before || x.Place.Event == replay.After {
			continue
		}
		require.Equal(t, x.Place.Time, p.At(n), "step %d", i+1)
		require.Equal(t, x.Place.Job, p.Jobs()[p.Job(n)].ID, "step %d", i+1)
		require.Contains(t, strings.ToLower(p.Text(n).Text()), "job "+strings.ToLower(x.Place.Job), "step %d", i+1)
		words := eventWords[x.Place.Event]
		if x.Place.Event == "hold" {
			words = "is first in the queue"
			if strings.HasPrefix(l.Name, "zeng-") {
				words = "waits; the plan made at"
			}
		}
		require.NotEmpty(t, words, "step %d: the words of an event of kind %s", i+1, x.Place.Event)
		require.Contains(t, p.Text(n).Text(), words, "step %d", i+1)
	}
}

// The facts behind the questions of each lesson are true in the simulation.
func TestQuestionsAreTrue(t *testing.T) {
	each(t, checkQuestions)
}

func checkQuestions(t *testing.T, l *lesson.Lesson, s *scenario.Scenario) {
	for _, q := range l.Questions {
		var checks []check
		strict(t, q.Check, &checks)
		require.NotEmpty(t, checks)
		for i, c := range checks {
			c.verify(t, i+1, run(t, c.changed(t, s), c.Policy))
		}
	}
}

// verify checks that a log agrees with the facts of c.
func (c *check) verify(t *testing.T, fact int, r *log.Log) {
	moves := map[string]int{}
	for x := range r.All() {
		if x.Kind == log.Move {
			moves[r.Jobs[x.Job].ID]++
		}
	}
	starts, ends, response := map[string]job.Time{}, map[string]job.Time{}, 0.0
	sizes, perNode := map[string]int{}, map[string]int{}
	for j, o := range r.Outcomes() {
		id, wide := r.Jobs[j].ID, r.Layout(job.Index(j))
		starts[id], ends[id], sizes[id], perNode[id] = o.Start, o.Finish, int(wide.Procs), int(wide.PerNode)
		response += float64(o.Finish-r.Jobs[j].Submit) / float64(len(r.Jobs))
	}
	require.NotEmpty(t, len(c.Starts)+len(c.Ends)+len(c.Moves)+len(c.Sizes)+len(c.PerNode)+len(c.Groups)+len(c.Why))
	for id, words := range c.Why {
		require.Contains(t, explanation(r, id), words, "fact %d: why %s", fact, id)
	}
	for id, at := range c.Starts {
		require.Equal(t, at, starts[id], "fact %d: start of %s", fact, id)
	}
	for id, at := range c.Ends {
		require.Equal(t, at, ends[id], "fact %d: end of %s", fact, id)
	}
	for id, n := range c.PerNode {
		require.Equal(t, n, perNode[id], "fact %d: processes of %s on a node", fact, id)
	}
	formed := groups(r)
	require.GreaterOrEqual(t, len(formed), len(c.Groups), "fact %d", fact)
	for i, g := range c.Groups {
		require.Equal(t, g, formed[i], "fact %d: group %d", fact, i+1)
	}
	for id, n := range c.Moves {
		require.Equal(t, n, moves[id], "fact %d: moves of %s", fact, id)
	}
	for id, n := range c.Sizes {
		require.Equal(t, n, sizes[id], "fact %d: size of %s", fact, id)
	}
	if c.Response > 0 {
		require.InDelta(t, c.Response, response, 0.005, "fact %d: mean response", fact)
	}
}

// explanation returns all sentences of the player about a job.
func explanation(l *log.Log, id string) (text string) {
	x := explain.NewIndex(l)
	for r := range l.All() {
		if r.Job != job.None && l.Jobs[r.Job].ID == id {
			text += x.RecordText(r).Text() + "\n"
		}
	}
	return text
}

// changed returns a copy of the lesson's scenario with the changes of the check.
func (c *check) changed(t *testing.T, s *scenario.Scenario) *scenario.Scenario {
	out := *s
	out.Workload.Jobs = append([]job.Job{}, s.Workload.Jobs...)
	out.Policies = append([]scenario.Policy{}, s.Policies...)
	p := &out.Policies[c.Policy]
	knobs := map[string]string{}
	for k, v := range p.Knobs {
		knobs[k] = v
	}
	for k, v := range c.Set {
		knobs[k] = v
	}
	p.Knobs = knobs
	for _, a := range c.Add {
		out.Workload.Jobs = append(out.Workload.Jobs, job.Job{ID: a.ID, Runtime: a.Runtime, Request: job.Request{Submit: a.Submit, Procs: a.Procs, Estimate: a.Estimate}})
	}
	out.Slowdown = c.Pairs.apply(s.Slowdown)
	for _, a := range c.Change {
		j := find(t, out.Workload.Jobs, a.Job)
		j.More = a.ownSlowdowns(j.More)
		j.Submit = max(j.Submit, a.Submit)
		if a.Procs > 0 {
			j.Procs = a.Procs
		}
		if a.Estimate > 0 {
			j.Estimate, j.Runtime = a.Estimate, a.Runtime
		}
	}
	return &out
}

func find(t *testing.T, jobs []job.Job, id string) *job.Job {
	for i := range jobs {
		if jobs[i].ID == id {
			return &jobs[i]
		}
	}
	require.Fail(t, "no job", id)
	return nil
}

// Lessons about figures of papers contain the same jobs as the scenario files in the tests of the
// policies. They have the schedules and moves that the papers show. Three kinds of lessons are left
// out. The introduction is not from a paper. Lessons about moldable jobs check their facts in their
// questions. TestSharing checks the lessons about shared nodes.
func TestSchedulesMatchThePapers(t *testing.T) {
	files := map[string]string{"figure-1": "compression/b1-figure-1", "figure-2": "compression/b2-figure-2", "figure-3": "compression/b3-figure-3",
		"figure-3-behind": "compression/b4-arrival-behind", "figure-3-ahead": "compression/b5-arrival-ahead",
		"leinberger-figure-1": "resources/c1-figure-1", "leinberger-balance": "resources/c2-first-choice", "leinberger-fullness": "resources/c3-fullness",
		"jin-figure-1": "rigid/j1-space-sharing", "jin-figure-2": "rigid/a1-holes", "jin-figure-4": "rigid/a3-jin-figure-4",
		"jin-figure-6": "fair-slack/d5-edge", "jin-decision": "fair-slack/d4-figure", "scojo-first-hour": "slices/e4-short-slice"}
	each(t, func(t *testing.T, l *lesson.Lesson, s *scenario.Scenario) {
		if strings.HasPrefix(l.Name, "intro-") || strings.HasPrefix(l.Name, "wu-") || strings.HasPrefix(l.Name, "zeng-") {
			return
		}
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "core", "policy", "policytest", "testdata", filepath.FromSlash(files[l.Name])))
		require.NoError(t, err)
		expected := string(text)
		extra := ""
		for _, r := range s.Machine.Resources { // a lesson has at most one resource
			extra += fmt.Sprintf(" extra=%d", r.Capacity)
		}
		require.Contains(t, expected, fmt.Sprintf("m=%d%s\n%s----", s.Machine.Slots(), extra, policytest.FormatJobs(s.Workload.Jobs)))
		for i := range s.Policies {
			r := run(t, s, i)
			_, after, found := strings.Cut(expected, "\nrun "+words(s.Policies[i])+"\n----\n")
			require.True(t, found, "run %s", words(s.Policies[i]))
			block, _, _ := strings.Cut(after, "\n\n")
			require.Equal(t, strings.TrimSpace(block), strings.TrimSpace(policytest.FormatIntervals(r)+policytest.FormatMoves(r)))
			var moves []string
			for line := range strings.Lines(policytest.FormatMoves(r)) {
				move, _, _ := strings.Cut(line, " because of ")
				moves = append(moves, move)
			}
			require.Equal(t, moves, movesInWords(r), "the moves in the sentences of the player")
		}
	})
}

// movesInWords returns the moves of planned starts that the player's sentences report. It writes them like
// policytest.FormatMoves, but without their causes.
func movesInWords(l *log.Log) (out []string) {
	sentence := regexp.MustCompile(`The planned start of job (\w+) moves from (\d+) to (\d+)`)
	p := replay.New(explain.NewIndex(l), gantt.New(l))
	for n := 1; n <= p.Len(); n++ {
		if m := sentence.FindStringSubmatch(p.Text(n).Text()); m != nil {
			out = append(out, fmt.Sprintf("at %d %s moves %s->%s", p.At(n), m[1], m[2], m[3]))
		}
	}
	return out
}

// words returns a policy and its knobs in the notation that the test files of the policies use.
func words(p scenario.Policy) string {
	out := p.Name
	for _, knob := range []string{"order", "restart", "pick", "fullness", "goal", "non-type"} {
		if v, ok := p.Knobs[knob]; ok {
			out += " " + knob + "=" + v
		}
	}
	return out
}

// The example lesson in the guide for lecturers passes the tests of the project's
// lessons.
func TestGuideExample(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "public", "lessons")
	text, err := os.ReadFile(filepath.Join(folder, "guide", "shortest-first.json"))
	require.NoError(t, err)
	guide, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "lessons.md"))
	require.NoError(t, err)
	l, err := lesson.Parse(text)
	require.NoError(t, err)
	s, err := scenario.Parse(l.Scenario)
	require.NoError(t, err)
	checkSteps(t, l, s)
	checkQuestions(t, l, s)
	require.Contains(t, string(guide), "guide/shortest-first.json")
	for _, x := range l.Steps { // the guide quotes the places as in the file
		place := fmt.Sprintf(`{"time": %d, "event": "%s"`, x.Place.Time, x.Place.Event)
		require.Contains(t, string(guide), place)
		require.Contains(t, string(text), place)
	}
}
