package glossary_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/glossary"
	"backfill-lab/ui/lessons/lesson"
)

// The table "Words" of the guide must equal the English glossary.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(guide), "## Words\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var want []string
	for _, e := range glossary.English {
		want = append(want, fmt.Sprintf("| %s | %s |", e.Word, e.Meaning))
	}
	require.Contains(t, section, "|---|---|\n"+strings.Join(want, "\n")+"\n\n")
	require.Equal(t, len(want)+1, strings.Count(section, "\n| "))
}

func TestSplit(t *testing.T) {
	marked := func(language string, texts ...string) (out []string) {
		for i, parts := range glossary.Split(texts, language) {
			whole := ""
			for _, p := range parts {
				if whole += p.Text + p.Tail; p.IsTerm() {
					out = append(out, p.Text)
				}
			}
			require.Equal(t, texts[i], whole)
		}
		return out
	}
	require.Equal(t, []string{"Backfilling", "bounded slowdown", "slowdown"},
		marked("en-GB", "Backfilling, not backfills.", "The bounded slowdown is a slowdown; slackening is no word."))
	require.Equal(t, []string{"Schätzung", "Backfilling"}, marked("de", "Die Schätzung und das Backfilling. Überschätzung."))
	require.Equal(t, []glossary.Part{{Text: "to "}, {"backfill", glossary.Meaning("backfill"), ".)"}, {Text: " Backfill"}},
		glossary.Split([]string{"to backfill.) Backfill"}, "en")[0])
	require.Empty(t, marked("fr", "backfill"))
	require.Empty(t, marked("en", "", "ſlack", "Éslack\xff"))
	require.Equal(t, []string{"slack"}, marked("en", "\xffslack\xff"))
	require.Contains(t, glossary.Meaning("mean bounded slowdown"), "10 s")
	require.Empty(t, glossary.Meaning("none"))
}

// The lessons for newcomers, in both languages, contain words of the glossary.
func TestLessonsHaveWords(t *testing.T) {
	for _, name := range []string{"intro-fcfs", "intro-backfilling", "intro-de"} {
		l, n := lesson.Find(name), 0
		for _, s := range l.Steps {
			for _, p := range glossary.Split([]string{s.Text}, l.Lang())[0] {
				if p.IsTerm() {
					n++
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: expected at least one word of the glossary", l.Name)
		}
	}
}
