package truth_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/truth"
)

// seededError holds an error that the test puts into an answer. apply reports whether it changed
// the answer.
type seededError struct {
	name  string
	apply func(a *truth.Answer, x *truth.Case) bool
}

// sentenceSections returns the parts of an answer that consist of sentences.
func sentenceSections(a *truth.Answer) []*[]truth.Line {
	return []*[]truth.Line{&a.Lines, &a.Holders, &a.Overtakers, &a.History, &a.Later}
}

// changeMatch returns a function that replaces the first match of a pattern in an answer.
func changeMatch(pattern string, to func(m []string) string) func(*truth.Answer, *truth.Case) bool {
	p := regexp.MustCompile(pattern)
	return func(a *truth.Answer, _ *truth.Case) bool {
		for _, part := range sentenceSections(a) {
			for i := range *part {
				line := &(*part)[i]
				if at := p.FindStringSubmatchIndex(line.Text); at != nil {
					m := p.FindStringSubmatch(line.Text)
					original := line.Text
					line.Text = original[:at[0]] + to(m) + original[at[1]:]
					return line.Text != original
				}
			}
		}
		return false
	}
}

// changeNumber returns a function that adds delta to a number in the first sentence that matches
// text. In the text, N stands for this number and M for any other number.
func changeNumber(text string, delta int64) func(*truth.Answer, *truth.Case) bool {
	p := strings.ReplaceAll(regexp.QuoteMeta(text), "M", `\d+`)
	before, after, _ := strings.Cut(p, "N")
	return changeMatch("("+before+`)(\d+)(`+after+")", func(m []string) string { return m[1] + addToNumber(m[2], delta) + m[3] })
}

// addToNumber adds delta to a number in text form.
func addToNumber(n string, delta int64) string {
	number, _ := strconv.ParseInt(n, 10, 64)
	return fmt.Sprint(number + delta)
}

// replaceText returns a function that replaces the first occurrence of a text in an answer.
func replaceText(old, replacement string) func(*truth.Answer, *truth.Case) bool {
	return changeMatch(regexp.QuoteMeta(old), func([]string) string { return replacement })
}

// swapParts returns a function that swaps two parts of an answer. The parts match the second and the
// fourth of the five groups of the pattern.
func swapParts(pattern string) func(*truth.Answer, *truth.Case) bool {
	return changeMatch(pattern, func(m []string) string { return m[1] + m[4] + m[3] + m[2] + m[5] })
}

// nameOtherJob returns a function that replaces the ID of a job between two patterns with the ID of
// another job. The other job has another size, because the sentence could also be true of a job of
// the same size.
func nameOtherJob(before, after string) func(*truth.Answer, *truth.Case) bool {
	p := regexp.MustCompile("(" + before + `)(\S+?)(` + after + ")")
	return func(a *truth.Answer, tc *truth.Case) bool {
		return changeMatch(p.String(), func(m []string) string {
			jobs := tc.Log.Jobs
			named := slices.IndexFunc(jobs, func(j job.Job) bool { return j.ID == m[2] })
			for k := range jobs {
				if jobs[k].ID != jobs[a.Job].ID && named >= 0 && jobs[k].Procs != jobs[named].Procs {
					return m[1] + jobs[k].ID + m[3]
				}
			}
			return m[0]
		})(a, tc)
	}
}

// changeFact returns a function that changes the fact with the given name in an answer. It calls
// edit to get the new text of the fact. If this text is empty, the fact is removed.
func changeFact(name string, edit func(value string) string) func(*truth.Answer, *truth.Case) bool {
	return func(a *truth.Answer, _ *truth.Case) bool {
		for i, f := range a.Facts {
			if f.Name != name {
				continue
			}
			if a.Facts[i].Text = edit(f.Text); a.Facts[i].Text == "" {
				a.Facts = slices.Delete(a.Facts, i, i+1)
				return true
			}
			return a.Facts[i].Text != f.Text
		}
		return false
	}
}

// addToFirstNumber returns a function that adds delta to the first number of a text.
func addToFirstNumber(delta int64) func(string) string {
	return func(text string) string {
		done := false
		return regexp.MustCompile(`\d+`).ReplaceAllStringFunc(text, func(n string) string {
			if done {
				return n
			}
			done = true
			return addToNumber(n, delta)
		})
	}
}

// swapLines returns a function that swaps two adjacent lines of an answer: the first two that
// differ and for which ok returns true.
func swapLines(part func(*truth.Answer) []truth.Line, ok func(a, b truth.Line) bool) func(*truth.Answer, *truth.Case) bool {
	return func(a *truth.Answer, _ *truth.Case) bool {
		lines := part(a)
		for i := 1; i < len(lines); i++ {
			if lines[i] != lines[i-1] && ok(lines[i-1], lines[i]) {
				lines[i-1], lines[i] = lines[i], lines[i-1]
				return true
			}
		}
		return false
	}
}

// anyTwo returns true. It is passed to swapLines to allow any two lines.
func anyTwo(a, b truth.Line) bool { return true }

// dropLast returns a function that removes the last line of a section.
func dropLast(part func(*truth.Answer) *[]truth.Line) func(*truth.Answer, *truth.Case) bool {
	return func(a *truth.Answer, _ *truth.Case) bool {
		lines := part(a)
		if len(*lines) == 0 {
			return false
		}
		*lines = (*lines)[:len(*lines)-1]
		return true
	}
}

// seededErrors holds errors that earlier versions of the answers contained, or that an answer could
// contain.
var seededErrors = []seededError{
	// Facts about the job.
	{"state of another time", changeFact("state", func(s string) string { return map[string]string{"waiting": "running", "running": "done"}[s] })},
	{"submit time too late", changeFact("submitted", addToFirstNumber(1))},
	{"one processor too many", changeFact("requests", addToFirstNumber(1))},
	{"promise late", changeFact("promised", addToFirstNumber(1))},
	{"promise missing", changeFact("promised", func(string) string { return "" })},
	{"start early", changeFact("started", addToFirstNumber(-1))},
	{"wait too long", changeFact("waited", addToFirstNumber(1))},
	{"end late", changeFact("ended", addToFirstNumber(1))},
	{"size of a moldable job", changeFact("runs on", addToFirstNumber(1))},
	{"later time late", changeFact("later", addToFirstNumber(1))},
	{"later times left out", changeFact("later", func(string) string { return "" })},
	{"start stated before it is known", func(a *truth.Answer, tc *truth.Case) bool {
		for i, f := range a.Facts {
			if at, later := strings.CutPrefix(f.Text, "started at t = "); f.Name == "later" && later {
				at, _, _ = strings.Cut(at, ",")
				a.Facts[i] = truth.Line{Name: "started", Text: at}
				return true
			}
		}
		return false
	}},

	// Reasons to wait.
	{"start of the first job late", changeNumber("it can start at N and leaves", 1)},
	{"estimates of another time", changeNumber("as estimated at t = N, it can", -1)},
	{"processors for backfilling miscounted", changeNumber("and leaves N processor", 1)},
	{"first job: estimates not mentioned", changeMatch(`as estimated at t = \d+, it can start`, func([]string) string { return "it can start" })},
	{"outdated record of the first job", func(a *truth.Answer, tc *truth.Case) bool {
		var all []*log.Record
		for r := range tc.Log.All() {
			if r.Kind == log.Hold && r.Job == a.Job && r.At <= a.At && r.Code == log.Blocked {
				all = append(all, r)
			}
		}
		if n := len(all); n < 2 || all[n-1].X == all[n-2].X || !strings.Contains(a.Lines[0].Text, "is first in the queue") {
			return false
		}
		r := all[len(all)-2]
		a.Lines[0].Text = fmt.Sprintf("Job %s is first in the queue; as estimated at t = %d, it can start at %d and leaves %d processors free for backfilling.", tc.Log.Jobs[a.Job].ID, r.At, r.X, r.Y)
		return true
	}},
	{"waits behind another job", nameOtherJob("waits behind job ", ", which is first")},
	{"behind: estimates not mentioned", replaceText("and has an estimated start of", "and starts at")},
	{"behind: start of the first job late", changeNumber("and has an estimated start of N", 1)},
	{"needs one more", changeNumber("It needs N processor", 1)},
	{"one less is free", changeMatch(`^(It needs \d+ processors? and )(\d+)`, func(m []string) string { return m[1] + addToNumber(m[2], -1) })},
	{"needed and free exchanged", swapParts(`^(It needs )(\d+)( processors? and )(\d+)( (?:is|are) free)`)},
	{"free processors miscounted", changeNumber("does not fit: only N processor", 1)},
	{"spare processors miscounted", changeMatch(`(in the queue leaves only )(\d+)(\.)`, func(m []string) string { return m[1] + addToNumber(m[2], 1) + m[3] })},
	{"end and start of the first exchanged", swapParts(`(it would run until )(\d+)(\. At )(\d+)(, it would)`)},
	{"reservation of another job", nameOtherJob(", and job ", " holds a reservation of")},
	{"reservation late", changeNumber("holds a reservation from N", 1)},
	{"move from and to exchanged", swapParts(`(planned start moved from )(\d+)( to )(\d+)( )`)},
	{"move for another reason", replaceText("ended before its estimate.", "ended and the plan was compressed.")},
	{"move as if the job could start at once", func(a *truth.Answer, tc *truth.Case) bool {
		return replaceText("ended before its estimate.", "ended and job "+tc.Log.Jobs[a.Job].ID+" could start at once.")(a, tc)
	}},
	{"move at another time", changeNumber("from M to M at t = N", -1)},
	{"move because of another job", nameOtherJob("when job ", " ended before its estimate")},
	{"plan without its time", changeMatch(`the plan made at t = \d+ estimates`, func([]string) string { return "the plan estimates" })},
	{"plan of another time", changeNumber("the plan made at t = N estimates", -1)},
	{"planned start late", changeNumber("estimates its start at N", 1)},
	{"next slice late", changeNumber("the next one begins at N at", 1)},
	{"slice: plan without its time", changeMatch(`the plan made at t = \d+ starts it`, func([]string) string { return "as planned, it starts" })},
	{"reason of another time", changeMatch(`^(As recorded at t = )(\d+)`, func(m []string) string { return m[1] + addToNumber(m[2], -1) })},

	// Mistakes about running jobs, and about jobs that overtook the explained job.
	{"holder holds one more", changeNumber("holds N processor", 1)},
	{"holder ends late", changeNumber("until N, its estimated end", 1)},
	{"holder: estimate not mentioned", changeMatch(`until (\d+), its estimated end`, func(m []string) string { return "until " + m[1] })},
	{"holders out of order", swapLines(func(a *truth.Answer) []truth.Line { return a.Holders }, anyTwo)},
	{"holder left out", dropLast(func(a *truth.Answer) *[]truth.Line { return &a.Holders })},
	{"overtaker at another time", func(a *truth.Answer, tc *truth.Case) bool {
		if len(a.Overtakers) == 0 {
			return false
		}
		a.Overtakers[0].Text = addToFirstNumber(-1)(a.Overtakers[0].Text)
		return true
	}},
	{"overtaker left out", dropLast(func(a *truth.Answer) *[]truth.Line { return &a.Overtakers })},
	{"overtakers out of order", swapLines(func(a *truth.Answer) []truth.Line { return a.Overtakers }, func(a, b truth.Line) bool {
		return strings.SplitN(a.Text, ":", 2)[0] != strings.SplitN(b.Text, ":", 2)[0]
	})},

	// Reasons to start.
	{"started late", changeNumber("started at N, ", 1)},
	{"started: wait too long", changeNumber("started at M, N s after its submission", 1)},
	{"earlier jobs miscounted", changeNumber("When it was submitted, N earlier job", 1)},
	{"overtaking jobs miscounted", changeNumber("N job submitted later", -1)},
	{"started at once after a wait", changeMatch(`, \d+ s after its submission`, func([]string) string { return ", as soon as it was submitted" })},
	{"free for the first job miscounted", changeNumber("was first in the queue and N processor", 1)},
	{"first in the queue instead of backfilled", changeMatch(`was backfilled: .*`, func([]string) string { return "was first in the queue and 1 processor was free." })},
	{"backfilled: estimates not mentioned", replaceText("the estimated start of", "the start of")},
	{"backfilled before another job", nameOtherJob("start of job ", ", which was first in the queue")},
	{"backfilled: end and free exchanged", changeMatch(`was backfilled: (\d+) (processors? (?:was|were) free, and it was estimated to end by )(\d+)`, func(m []string) string {
		return "was backfilled: " + m[3] + " " + m[2] + m[1]
	})},
	{"backfilled: left free counted after the start", changeNumber("and to leave N processor", -1)},
	{"reservation that does not exist", changeMatch(`started at (\d+): the plan made then, for all waiting jobs in queue order, starts it immediately`, func(m []string) string {
		return "started when its reservation began, at " + m[1]
	})},
	{"reservation made in the same second", replaceText("started when it was submitted: enough resources were free, and it delayed no existing reservation", "started when its reservation began, at 0")},
	{"earlier than promised by more", changeNumber("it started N s early", 1)},
	{"promise kept that was not", changeMatch(`\d+ s early`, func([]string) string { return "on time" })},
	{"end by the estimate late", changeNumber("According to its estimate, it ends at N", 1)},
	{"time slice ends late", changeNumber("the time slice ends at N", 1)},
	{"released fewer processors", changeNumber("and released N processor", -1)},
	{"ended earlier than estimated by more", changeNumber("N s before its estimate", 1)},
	{"end at another time", changeNumber("It ended at N", -1)},
	{"group gains more", changeMatch(`, which has a gain of (-?\d+)`, func(m []string) string { return ", which has a gain of 7" + m[1] })},
	{"speed in the group", changeMatch(`of the group runs at \S+ s`, func([]string) string { return "of the group runs at 0.123 s" })},
	{"single primary in the plural", replaceText("as primary, the gain is too small.", "as primary, they gain too little.")},

	// History.
	{"order within an instant", swapLines(func(a *truth.Answer) []truth.Line { return a.History }, func(a, b truth.Line) bool { return a.Name == b.Name })},
	{"history at another time", func(a *truth.Answer, tc *truth.Case) bool {
		if len(a.History) == 0 {
			return false
		}
		a.History[len(a.History)-1].Name += "0"
		return a.History[len(a.History)-1].Name != "00"
	}},
	{"later event in the history", func(a *truth.Answer, tc *truth.Case) bool {
		if len(a.Later) == 0 {
			return false
		}
		a.History, a.Later = append(a.History, a.Later[0]), a.Later[1:]
		return true
	}},
	{"unknown sentence", func(a *truth.Answer, tc *truth.Case) bool {
		a.Lines = append(a.Lines, truth.Line{Text: "It could not start any earlier."})
		return true
	}},
}

// cloneAnswer returns a deep copy of an answer.
func cloneAnswer(a *truth.Answer) *truth.Answer {
	b := *a
	b.Facts = slices.Clone(a.Facts)
	for i, part := range sentenceSections(a) {
		*sentenceSections(&b)[i] = slices.Clone(*part)
	}
	return &b
}

// TestSeededErrorsAreFound puts each error into up to 61 answers to which it applies. The checker
// must find the error each time.
func TestSeededErrorsAreFound(t *testing.T) {
	require.GreaterOrEqual(t, len(seededErrors), 50)
	applied, missed, examples := map[string]int{}, map[string]int{}, map[string]string{}
	for n, s := range settings {
		for run := range 4 {
			tc := judge.TruthCase(t, s.generator().Example(3000+run))
			index, r, checker := explain.NewIndex(tc.Log), rand.New(rand.NewPCG(uint64(n), uint64(run))), tc.NewAnswerChecker(map[string]int{})
			for _, q := range judge.Questions(tc, r, 25) {
				text := index.Why(q.Job, q.At, explain.Options{})
				a := truth.ParseAnswer(text.Text(), q.Job, q.At)
				require.Empty(t, checker.Check(a), "the unchanged answer is true")
				for _, e := range seededErrors {
					b := cloneAnswer(a)
					if applied[e.name] > 60 || !e.apply(b, tc) {
						continue
					}
					if applied[e.name]++; len(checker.Check(b)) == 0 {
						missed[e.name]++
						examples[e.name] = fmt.Sprint(b)
					}
				}
			}
		}
	}
	for _, e := range seededErrors {
		require.Positive(t, applied[e.name], "%s: applies to none of the answers", e.name)
		t.Logf("%3d of %3d found: %s", applied[e.name]-missed[e.name], applied[e.name], e.name)
	}
	for _, name := range slices.Sorted(maps.Keys(missed)) {
		t.Errorf("%s: %d of %d not found: %s", name, missed[name], applied[name], examples[name])
	}
}
