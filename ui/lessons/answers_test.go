package lessons

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/lessons/lesson"
)

// TestAnswersSurviveAReload checks that the selected choices are read as they were written, and that a text that
// does not fit the lesson is ignored.
func TestAnswersSurviveAReload(t *testing.T) {
	l := &lesson.Lesson{Questions: []lesson.Question{{Choices: []string{"a", "b"}}, {Choices: []string{"a", "b", "c"}}}}
	for _, selected := range [][]int{{-1, -1}, {0, 2}, {1, -1}} {
		got, ok := parseAnswers(formatAnswers(selected), l)
		require.True(t, ok)
		require.Equal(t, selected, got)
	}
	for _, text := range []string{"", "0", "0 1 2", "0 3", "-2 0", "0 x", "2 0"} {
		_, ok := parseAnswers(text, l)
		require.False(t, ok, text)
	}
	other := *l
	other.Questions = l.Questions[:1]
	require.NotEqual(t, answersKey(l), answersKey(&other))
}
