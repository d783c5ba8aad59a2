package lesson_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/lessons/lesson"
)

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
	checkQuestion(t, l, s)
	require.Contains(t, string(guide), "guide/shortest-first.json")
	for _, x := range l.Steps { // the guide quotes the places as in the file
		place := fmt.Sprintf(`{"time": %d, "event": "%s"`, x.Place.Time, x.Place.Event)
		require.Contains(t, string(guide), place)
		require.Contains(t, string(text), place)
	}
}
