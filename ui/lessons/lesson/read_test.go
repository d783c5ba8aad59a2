package lesson_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/opening"
	"backfill-lab/core/scenario"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/lessons/lesson"
)

// small returns a small valid lesson in which one text is replaced by another.
func small(old, fresh string) []byte {
	const good = `{
"title": "T", "language": "de", "text": ["a"],
"scenario": {"version": 1, "machine": {"nodes": 2},
  "workload": {"jobs": [{"id": "A", "submit": 0, "procs": 1, "estimate": 2, "runtime": 1}]},
  "policies": [{"name": "fcfs"}]},
"steps": [
  {"text": "s", "place": {"time": 0, "event": "start", "job": "A"}},
  {"text": "u", "policy": 0, "place": {"time": 1, "event": "after"}}],
"question": {"text": "q", "choices": ["x", "y"], "answer": 1, "because": "b"}
}`
	return []byte(strings.Replace(good, old, fresh, 1))
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ old, fresh, want string }{
		{`"title": "T",`, ``, `line 1: title: expected this field, got nothing`},
		{`"T"`, `""`, `line 2: title: expected a text that is not blank, got ""`},
		{`"T"`, `7`, `line 2: title: expected a text in double quotes, got 7`},
		{`"title": "T"`, `"titel": "T"`, `line 2: lesson: expected one of the fields title, language, paper, summary, brief, text, scenario, steps, question, questions, play, exercise, got "titel"`},
		{`"title": "T"`, `"title": "T", "title": "U"`, `line 2: lesson: expected each field once, got title twice`},
		{`"title": "T"`, `"title": "T", "brief": 1`, `line 2: brief: expected true or false, got 1`},
		{`"de"`, `"german"`, ``},
		{`"de"`, `"german language"`, `line 2: language: expected a BCP 47 language tag, such as "de" or "pt-BR", got "german language"`},
		{`"de"`, `"d"`, `line 2: language: expected a BCP 47 language tag, such as "de" or "pt-BR", got "d"`},
		{`"de"`, `""`, `line 2: language: expected a BCP 47 language tag, such as "de" or "pt-BR", got ""`},
		{`["a"]`, `"a"`, `line 2: text: expected a list in [ ], got "a"`},
		{`["a"]`, `[]`, `line 2: text: expected 1 to 20 items, got 0`},
		{`["a"]`, `["a", 3]`, `line 2: paragraph 2: expected a text in double quotes, got 3`},
		{`["a"]`, `["` + strings.Repeat("a", 4001) + `"]`, `line 2: paragraph 1: expected at most 4000 bytes, got 4001`},
		{`"nodes": 2`, `"nodes": "x"`, `line 3: scenario, machine, nodes: expected a whole number of at least 1, got "x"`},
		{`"procs": 1`, `"procs": "x"`, `line 4: scenario, jobs, row 1, procs: expected a whole number of at least 1, got "x"`},
		{`"procs": 1`, `"procs": 3`, `line 3: scenario, jobs, row 1, procs: expected at most the machine's 2, got 3`},
		{`"jobs": [{"id": "A", "submit": 0, "procs": 1, "estimate": 2, "runtime": 1}]`, `"generator": "lublin", "seed": 1`,
			`line 3: scenario, workload: expected a list of jobs, because a lesson contains its jobs, got a file or a generator`},
		{`{"name": "fcfs"}`, ``, `line 3: scenario, policies: expected 1 to 32, got 0`},
		{`{"name": "fcfs"}`, `{"name": "exec:./mine"}`, `line 3: scenario, policies, row 1, policy: expected the name of a policy, got the program "exec:./mine": only the flag -policy of a command that runs policies can name a program`},
		{`{"name": "fcfs"}`, `{"name": "script:mine.star"}`, `line 3: scenario, policies, row 1, policy: expected the name of a policy, got the file "script:mine.star": only the flag -policy of a command that runs policies can name the file of a script; a scenario holds the script itself, as the knob source of the policy script`},
		{`"s", "place"`, `"s", "policy": 1, "place"`, `line 7: step 1, policy: expected the index of a policy of the scenario, 0 to 0, got 1`},
		{`"policy": 0`, `"policy": "easy"`, `line 8: step 2, policy: expected a whole number from 0 to 31, got "easy"`},
		{`"time": 1, `, ``, `line 8: step 2, place, time: expected this field, got nothing`},
		{`"after"`, `"begin"`, `line 8: step 2, place, event: expected before, after, submit, start, finish, promise, move, hold or another kind of event, got "begin"`},
		{`"text": "u", `, ``, `line 8: step 2, text: expected this field, got nothing`},
		{`{"text": "s", "place": {"time": 0, "event": "start", "job": "A"}}`, `3`, `line 7: step 1: expected an object in { }, got 3`},
		{`"job": "A"}`, `"job": "A", "nth": 0}`, fmt.Sprintf(`line 7: step 1, place, nth: expected a whole number from 1 to %d, got 0`, 5_000_000)},
		{`["x", "y"]`, `["x"]`, `line 9: question, choices: expected 2 to 8 items, got 1`},
		{`"answer": 1`, `"answer": 2`, `line 9: question, answer: expected the index of a choice, 0 to 1, got 2`},
		{`"because": "b"`, `"because": ["b"]`, `line 9: question, because: expected a text in double quotes, got a list`},
		{`"b"}`, `"b"},`, `line 10, column 1: expected a name in double quotes, got "}"`},
		{`"question": {`, `"questions": {`, `line 9: questions: expected a list in [ ], got an object`},
		{`"because": "b"`, `"because": "b", "after": 3`, `line 9: question 1, after: expected the number of a step, 1 to 2, got 3`},
	} {
		_, err := lesson.Parse(small(c.old, c.fresh))
		if c.want == "" {
			require.NoError(t, err, c.fresh)
			continue
		}
		var s *scenario.Error
		require.True(t, errors.As(err, &s), c.fresh)
		require.Equal(t, "x.json", strings.Split(opening.WithFile("x.json", err).Error(), ",")[0][:6])
		got := err.Error()
		if s.Where != "" {
			got = fmt.Sprintf("line %d: %s", s.Line, got)
		}
		require.Equal(t, c.want, got)
	}
}

func TestLessonsAreDistinguishedFromScenarios(t *testing.T) {
	require.True(t, lesson.IsLesson(small("", "")))
	l, err := lesson.Parse(small("", ""))
	require.NoError(t, err)
	require.False(t, lesson.IsLesson(l.Scenario))
	require.False(t, lesson.IsLesson([]byte("{")))
}

// Formatting a lesson and parsing the text returns the same lesson. Formatting that lesson again
// returns the same text.
func TestFormat(t *testing.T) {
	again := func(t *testing.T, l *lesson.Lesson, s *scenario.Scenario) {
		text := lesson.Format(l, scenario.Format(s))
		got, err := lesson.Parse(text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, l.Lang(), got.Lang())
		same, err := scenario.Parse(got.Scenario)
		require.NoError(t, err)
		require.Equal(t, scenario.Format(s), scenario.Format(same))
		require.Equal(t, string(text), string(lesson.Format(got, scenario.Format(same))))
		got.Name, got.Language, got.Scenario = l.Name, l.Language, l.Scenario
		require.Equal(t, l, got)
	}
	each(t, again)
	l, err := lesson.Parse(small(`"s"`, `"\"s\"\nü \u2028\\"`))
	require.NoError(t, err)
	s, err := scenario.Parse(l.Scenario)
	require.NoError(t, err)
	again(t, l, s)
}

// A lesson may have several questions, which can follow different steps, or no questions.
func TestQuestions(t *testing.T) {
	q := func(text, after string) string {
		return `{"text": "` + text + `", "choices": ["x", "y"], "answer": 1, "because": "b"` + after + `}`
	}
	text := small(`"question": `+q("q", ""), `"questions": [`+q("q", "")+`, `+q("r", `, "after": 1`)+`]`)
	l, err := lesson.Parse(text)
	require.NoError(t, err)
	require.Len(t, l.Questions, 2)
	require.Equal(t, []int{0, 1}, []int{l.Questions[0].After, l.Questions[1].After})
	again, err := lesson.Parse(lesson.Format(l, l.Scenario))
	require.NoError(t, err)
	require.Equal(t, l.Questions, again.Questions)

	l.Questions = nil
	none, err := lesson.Parse(lesson.Format(l, l.Scenario))
	require.NoError(t, err)
	require.Empty(t, none.Questions)
	require.True(t, lesson.IsLesson([]byte(`{"questions": []}`)))
}

// A draft may have missing, too long or invalid parts. Writing and reading it again gives the same
// draft.
func TestDrafts(t *testing.T) {
	for _, d := range []*lesson.Lesson{
		{Language: "x", Text: []string{"a", "", "\n"}, Questions: []lesson.Question{{Choices: []string{""}, Replies: []string{"", "x", "y"}, Answer: 5, After: 9}}},
		{Language: "en", Title: strings.Repeat("long ", 2000), Steps: []lesson.Step{{Policy: 3}}},
	} {
		text := lesson.Format(d, nil)
		got, err := lesson.ParseDraft(text)
		require.NoError(t, err)
		require.Equal(t, string(text), string(lesson.Format(got, nil)))
		_, err = lesson.Parse(text)
		require.Error(t, err)
	}
}

func TestLanguageNames(t *testing.T) {
	for tag, want := range map[string]string{"": "", "en": "", "en-GB": "", "de": "Deutsch", "de-CH": "Deutsch", "DE": "Deutsch", "tlh": "tlh"} {
		require.Equal(t, want, (&lesson.Lesson{Language: tag}).LanguageName(), tag)
	}
}

// The next lesson is always in the same language.
func TestFollowing(t *testing.T) {
	for _, l := range lesson.All() {
		if next := lesson.Next(l.Name); next != nil {
			require.Equal(t, l.Lang(), next.Lang())
		}
	}
	last := lessons.List[len(lessons.List)-1]
	require.Nil(t, lesson.Next(last.Name))
	require.Nil(t, lesson.Next(""))
}

func FuzzParse(f *testing.F) {
	f.Add(small("", ""))
	f.Add([]byte(lessons.List[0].Text))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := lesson.Parse(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		s, err := scenario.Parse(l.Scenario)
		require.NoError(t, err)
		again, err := lesson.Parse(lesson.Format(l, scenario.Format(s)))
		require.NoError(t, err)
		require.Equal(t, l.Steps, again.Steps)
	})
}
