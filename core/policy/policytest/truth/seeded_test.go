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
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest/truth"
)

// seeded is an error that is put into an answer. It reports whether the answer has
// what it changes.
type seeded struct {
	name string
	put  func(a *truth.Answer, x *truth.Case) bool
}

// sections returns the lines of an answer that are sentences.
func sections(a *truth.Answer) []*[]truth.Line {
	return []*[]truth.Line{&a.Lines, &a.Holders, &a.Overtakers, &a.History, &a.Later}
}

// change changes the first sentence that a pattern matches.
func change(pattern string, to func(m []string) string) func(*truth.Answer, *truth.Case) bool {
	p := regexp.MustCompile(pattern)
	return func(a *truth.Answer, _ *truth.Case) bool {
		for _, part := range sections(a) {
			for i := range *part {
				line := &(*part)[i]
				if at := p.FindStringSubmatchIndex(line.Text); at != nil {
					m := p.FindStringSubmatch(line.Text)
					was := line.Text
					line.Text = was[:at[0]] + to(m) + was[at[1]:]
					return line.Text != was
				}
			}
		}
		return false
	}
}

// off changes the number of the first sentence that a pattern matches: the pattern is a
// text with N for that number and M for other ones.
func off(text string, by int64) func(*truth.Answer, *truth.Case) bool {
	p := strings.ReplaceAll(regexp.QuoteMeta(text), "M", `\d+`)
	before, after, _ := strings.Cut(p, "N")
	return change("("+before+`)(\d+)(`+after+")", func(m []string) string { return m[1] + plus(m[2], by) + m[3] })
}

func plus(n string, by int64) string {
	was, _ := strconv.ParseInt(n, 10, 64)
	return fmt.Sprint(was + by)
}

// replaced puts a text in the place of another one.
func replaced(was, is string) func(*truth.Answer, *truth.Case) bool {
	return change(regexp.QuoteMeta(was), func([]string) string { return is })
}

// swapped exchanges the two parts of a pattern that has five.
func swapped(pattern string) func(*truth.Answer, *truth.Case) bool {
	return change(pattern, func(m []string) string { return m[1] + m[4] + m[3] + m[2] + m[5] })
}

// named names another job: the pattern has what comes before the job and what after it.
func named(before, after string) func(*truth.Answer, *truth.Case) bool {
	p := regexp.MustCompile("(" + before + `)(\S+?)(` + after + ")")
	return func(a *truth.Answer, x *truth.Case) bool {
		return change(p.String(), func(m []string) string {
			for k := range x.Log.Jobs {
				if id := x.Log.Jobs[k].ID; id != m[2] && id != x.Log.Jobs[a.Job].ID {
					return m[1] + id + m[3]
				}
			}
			return m[0]
		})(a, x)
	}
}

// fact changes a fact; the change returns nothing to take it away.
func fact(name string, to func(value string) string) func(*truth.Answer, *truth.Case) bool {
	return func(a *truth.Answer, _ *truth.Case) bool {
		for i, f := range a.Facts {
			if f.Name != name {
				continue
			}
			if a.Facts[i].Text = to(f.Text); a.Facts[i].Text == "" {
				a.Facts = slices.Delete(a.Facts, i, i+1)
				return true
			}
			return a.Facts[i].Text != f.Text
		}
		return false
	}
}

// first changes the first number of a text.
func first(by int64) func(string) string {
	return func(text string) string {
		done := false
		return regexp.MustCompile(`\d+`).ReplaceAllStringFunc(text, func(n string) string {
			if done {
				return n
			}
			done = true
			return plus(n, by)
		})
	}
}

// exchange exchanges two neighbours that are not the same, for which fit holds.
func exchange(part func(*truth.Answer) []truth.Line, fit func(a, b truth.Line) bool) func(*truth.Answer, *truth.Case) bool {
	return func(a *truth.Answer, _ *truth.Case) bool {
		lines := part(a)
		for i := 1; i < len(lines); i++ {
			if lines[i] != lines[i-1] && fit(lines[i-1], lines[i]) {
				lines[i-1], lines[i] = lines[i], lines[i-1]
				return true
			}
		}
		return false
	}
}

func anyTwo(a, b truth.Line) bool { return true }

// drop takes the last line of a part away.
func drop(part func(*truth.Answer) *[]truth.Line) func(*truth.Answer, *truth.Case) bool {
	return func(a *truth.Answer, _ *truth.Case) bool {
		lines := part(a)
		if len(*lines) == 0 {
			return false
		}
		*lines = (*lines)[:len(*lines)-1]
		return true
	}
}

// seededErrors is what people got wrong, or could.
var seededErrors = []seeded{
	// What is known of the job.
	{"state of another time", fact("state", func(s string) string { return map[string]string{"waiting": "running", "running": "done"}[s] })},
	{"submission late", fact("submitted", first(1))},
	{"one processor too many", fact("asks for", first(1))},
	{"promise late", fact("promised", first(1))},
	{"promise left out", fact("promised", func(string) string { return "" })},
	{"start early", fact("started", first(-1))},
	{"wait long", fact("waited", first(1))},
	{"end late", fact("ended", first(1))},
	{"size of a moldable job", fact("runs on", first(1))},
	{"later time late", fact("later", first(1))},
	{"what is later left out", fact("later", func(string) string { return "" })},
	{"start stated before it is known", func(a *truth.Answer, x *truth.Case) bool {
		for i, f := range a.Facts {
			if at, later := strings.CutPrefix(f.Text, "started at t = "); f.Name == "later" && later {
				at, _, _ = strings.Cut(at, ",")
				a.Facts[i] = truth.Line{Name: "started", Text: at}
				return true
			}
		}
		return false
	}},

	// Why it waits.
	{"start of the first job late", off("it can start at N and leaves", 1)},
	{"estimates of another time", off("by the estimates of t = N it can", -1)},
	{"processors for backfilling miscounted", off("and leaves N processor", 1)},
	{"first job: no estimates said", change(`by the estimates of t = \d+ it can start`, func([]string) string { return "it can start" })},
	{"record of the first job is an old one", func(a *truth.Answer, x *truth.Case) bool {
		var all []*log.Record
		for r := range x.Log.All() {
			if r.Kind == log.Hold && r.Job == a.Job && r.At <= a.At && r.Code == log.Blocked {
				all = append(all, r)
			}
		}
		if n := len(all); n < 2 || all[n-1].X == all[n-2].X || !strings.Contains(a.Lines[0].Text, "is first in the queue") {
			return false
		}
		r := all[len(all)-2]
		a.Lines[0].Text = fmt.Sprintf("Job %s is first in the queue; by the estimates of t = %d it can start at %d and leaves %d processors free for backfilling.", x.Log.Jobs[a.Job].ID, r.At, r.X, r.Y)
		return true
	}},
	{"behind another job", named("waits behind job ", ", which is first")},
	{"behind: no estimates said", replaced("and is to start at", "and starts at")},
	{"behind: start of the first job late", off("and is to start at N by", 1)},
	{"needs one more", off("It needs N processor", 1)},
	{"one less is free", change(`^(It needs \d+ processors? and )(\d+)`, func(m []string) string { return m[1] + plus(m[2], -1) })},
	{"needed and free exchanged", swapped(`^(It needs )(\d+)( processors? and )(\d+)( (?:is|are) free)`)},
	{"free processors miscounted", off("does not fit the N free processor", 1)},
	{"to spare miscounted", change(`(where )(\d+)( (?:is|are) to spare)`, func(m []string) string { return m[1] + plus(m[2], 1) + m[3] })},
	{"end and start of the first exchanged", swapped(`(it would end at )(\d+)(, after )(\d+)(, and)`)},
	{"reservation of another job", named(": job ", " holds a reservation of")},
	{"reservation late", off("holds a reservation from N", 1)},
	{"move from and to exchanged", swapped(`(planned start moved up from )(\d+)( to )(\d+)( )`)},
	{"move for another reason", replaced("ended before its estimate.", "ended, since it could start at once.")},
	{"move at another time", off("from M to M at t = N", -1)},
	{"move because of another job", named("when job ", " ended before its estimate")},
	{"plan without its time", change(`the plan made at t = \d+ has`, func([]string) string { return "the plan has" })},
	{"plan of another time", off("the plan made at t = N has", -1)},
	{"planned start late", off("has it start at N, by", 1)},
	{"next slice late", off("the next one begins at N at", 1)},
	{"slice: plan without its time", change(`by the plan known at t = \d+ it`, func([]string) string { return "by the plan it" })},
	{"reason of another time", change(`^(At t = )(\d+)`, func(m []string) string { return m[1] + plus(m[2], -1) })},

	// Who is on the machine, and who overtook it.
	{"holder holds one more", off("holds N processor", 1)},
	{"holder ends late", off("until N by its estimate", 1)},
	{"holder: no estimate said", change(`until (\d+) by its estimate`, func(m []string) string { return "until " + m[1] })},
	{"holders out of order", exchange(func(a *truth.Answer) []truth.Line { return a.Holders }, anyTwo)},
	{"holder left out", drop(func(a *truth.Answer) *[]truth.Line { return &a.Holders })},
	{"overtaker at another time", func(a *truth.Answer, x *truth.Case) bool {
		if len(a.Overtakers) == 0 {
			return false
		}
		a.Overtakers[0].Text = first(-1)(a.Overtakers[0].Text)
		return true
	}},
	{"overtaker left out", drop(func(a *truth.Answer) *[]truth.Line { return &a.Overtakers })},
	{"overtakers out of order", exchange(func(a *truth.Answer) []truth.Line { return a.Overtakers }, func(a, b truth.Line) bool {
		return strings.SplitN(a.Text, ":", 2)[0] != strings.SplitN(b.Text, ":", 2)[0]
	})},

	// Why it started.
	{"started late", off("started at N, ", 1)},
	{"started, wait long", off("started at M, N s after its submission", 1)},
	{"started at once after a wait", change(`, \d+ s after its submission`, func([]string) string { return ", at once" })},
	{"free for the first job miscounted", off("was first in the queue and N processor", 1)},
	{"first in the queue instead of backfilled", change(`was backfilled: .*`, func([]string) string { return "was first in the queue and 1 processor was free." })},
	{"backfilled: no estimates said", replaced(", could start by the estimates.", ", could start.")},
	{"backfilled before another job", named("when job ", ", first in the queue, could")},
	{"backfilled: end and free exchanged", change(`was backfilled: (\d+) (processors? (?:was|were) free, and by its estimate it was to end by )(\d+)`, func(m []string) string {
		return "was backfilled: " + m[3] + " " + m[2] + m[1]
	})},
	{"backfilled: left free counted after the start", off("and leave N processor", -1)},
	{"reservation that is none", change(`started at (\d+): the plan made then, of all waiting jobs in queue order, starts it at once`, func(m []string) string {
		return "started when its reservation began, at " + m[1]
	})},
	{"reservation made in the same second", replaced("started when it was submitted: enough was free, and it delayed no reservation made before", "started when its reservation began, at 0")},
	{"sooner than promised by more", off("and started N s sooner", 1)},
	{"promise kept that was not", change(`( and started )\d+ s sooner`, func(m []string) string { return ", and that was kept" })},
	{"end by the estimate late", off("By its estimate it ends at N", 1)},
	{"time slice ends late", off("the time slice ends at N", 1)},
	{"left fewer processors", off("and left N processor", -1)},
	{"ended earlier than estimated by more", off("N s before its estimate", 1)},
	{"end at another time", off("It ended at N", -1)},
	{"group gains more", change(`, which gains (-?\d+)`, func(m []string) string { return ", which gains 7" + m[1] })},
	{"speed in the group", change(`of the group does \S+ s`, func([]string) string { return "of the group does 0.123 s" })},
	{"one job named a chain of jobs", replaced("as primary it gains too little.", "as primary they gain too little.")},

	// What happened, in order.
	{"order within an instant", exchange(func(a *truth.Answer) []truth.Line { return a.History }, func(a, b truth.Line) bool { return a.Name == b.Name })},
	{"history at another time", func(a *truth.Answer, x *truth.Case) bool {
		if len(a.History) == 0 {
			return false
		}
		a.History[len(a.History)-1].Name += "0"
		return a.History[len(a.History)-1].Name != "00"
	}},
	{"history tells what is later", func(a *truth.Answer, x *truth.Case) bool {
		if len(a.Later) == 0 {
			return false
		}
		a.History, a.Later = append(a.History, a.Later[0]), a.Later[1:]
		return true
	}},
	{"unknown sentence", func(a *truth.Answer, x *truth.Case) bool {
		a.Lines = append(a.Lines, truth.Line{Text: "It could not start any earlier."})
		return true
	}},
}

// copied returns an answer of its own.
func copied(a *truth.Answer) *truth.Answer {
	b := *a
	b.Facts = slices.Clone(a.Facts)
	for i, part := range sections(a) {
		*sections(&b)[i] = slices.Clone(*part)
	}
	return &b
}

// Each of the errors is found wherever it is put into an answer.
func TestSeededErrorsAreFound(t *testing.T) {
	require.GreaterOrEqual(t, len(seededErrors), 50)
	put, missed, examples := map[string]int{}, map[string]int{}, map[string]string{}
	for n, s := range settings {
		for run := range 4 {
			x := judged(t, s.generator().Example(3000+run))
			index, r, reader := explain.NewIndex(x.Log), rand.New(rand.NewPCG(uint64(n), uint64(run))), x.NewReader(map[string]int{})
			for _, q := range questions(x, r, 25) {
				text := index.Why(q.job, q.at, explain.Options{})
				a := truth.Parse(text.Text(), q.job, q.at)
				require.Empty(t, reader.Read(a), "it is true before anything is changed")
				for _, e := range seededErrors {
					b := copied(a)
					if put[e.name] > 60 || !e.put(b, x) {
						continue
					}
					if put[e.name]++; len(reader.Read(b)) == 0 {
						missed[e.name]++
						examples[e.name] = fmt.Sprint(b)
					}
				}
			}
		}
	}
	for _, e := range seededErrors {
		require.Positive(t, put[e.name], "%s: no answer has what it changes", e.name)
		t.Logf("%3d of %3d found: %s", put[e.name]-missed[e.name], put[e.name], e.name)
	}
	for _, name := range slices.Sorted(maps.Keys(missed)) {
		t.Errorf("%s: %d of %d not found: %s", name, missed[name], put[name], examples[name])
	}
}
