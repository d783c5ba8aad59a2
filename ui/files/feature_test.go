package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// others stands in for the charts and lessons and does nothing.
type others struct{}

func (others) LinkView(*link.View)                      {}
func (others) ColourBy(string, int)                     {}
func (others) Pause()                                   {}
func (others) SeekEvent(protocol.PlayerQuery)           {}
func (others) Event() *protocol.Played                  { return nil }
func (others) Seeking() bool                            { return false }
func (others) LinkedLesson() string                     { return "" }
func (others) InLesson() bool                           { return false }
func (others) LessonTitle() string                      { return "The lesson" }
func (others) FollowLink(*lesson.Lesson, link.Fragment) {}
func (others) ShowLessonFile(string, []byte) error      { return nil }
func (others) AfterLoading(string, func())              {}
func (others) Writing() bool                            { return false }
func (others) Previewing() bool                         { return false }
func (others) Edit()                                    {}
func (others) Unsaved() *document.Doc                   { return nil }
func (others) HasNoFlaws() bool                         { return true }
func (others) Draft() []byte                            { return nil }
func (others) Finish() []byte                           { return nil }
func (others) Fetch(string) string                      { return "" }

// newFiles returns the file handling of a session with the first example.
func newFiles(t require.TestingT) *Files {
	c := New(sessiontest.Example(t), others{}, others{}, others{})
	c.Events.Locked = c.Locked
	return c
}

// A link with an invalid lesson has no effect except a notice.
func TestBrokenLesson(t *testing.T) {
	broken := newFiles(t)
	require.False(t, broken.openLink("v=1&l="+link.EncodePayload(link.DeflateStored([]byte(`{"title": 3}`))), true))
	require.Contains(t, broken.Notice, "The link could not be opened: lesson in the link, title: expected a text in double quotes, got 3")
}

// Opening a link is a single undo step.
func TestLinkCanBeUndone(t *testing.T) {
	c := newFiles(t)
	before := *c.Doc()
	f := link.Fragment{Version: link.Version, Payload: link.EncodePayload(link.DeflateStored(link.Pack(currentLink(oddFiles(t)))))}
	require.True(t, c.openLink(f.String(), false))
	require.Equal(t, "Undo: jobs from a link (Ctrl+Z)", c.UndoTitle())
	opened := *c.Doc()
	c.Undo()
	require.Equal(t, before, *c.Doc())
	c.Redo()
	require.Equal(t, opened, *c.Doc())
}

// If a link from a later version names an unknown column, the page refuses the link instead of dropping the
// column.
func TestLinkOfALaterVersion(t *testing.T) {
	l := currentLink(oddFiles(t))
	l.Typed = []link.Typed{{Row: 0, Column: link.FirstAmount + 3, Text: "x"}}
	_, err := documentOfLink(l)
	require.ErrorIs(t, err, errNewerLink)
	l.Typed[0].Column--
	_, err = documentOfLink(l)
	require.NoError(t, err)
}

// The page opens every link to a scenario in ../link/testdata. A new link from the opened document contains
// the same data.
func TestGoldenLinksInThePage(t *testing.T) {
	files, err := filepath.Glob("../link/testdata/v*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		f := link.Parse(strings.TrimSpace(string(text)))
		if f.Payload == "" {
			continue // the browser tests cover links with lessons
		}
		want, err := link.DecodePayload(f.Version, f.Payload)
		require.NoError(t, err)
		got := roundTripLink(t, want)
		require.Equal(t, got, roundTripLink(t, got), file)
		if want.Typed == nil { // typed texts replace values of the scenario
			require.Equal(t, string(scenario.Format(want.Scenario)), string(scenario.Format(got.Scenario)), file)
			require.Empty(t, got.Typed, file)
		}
	}
}

// roundTripLink opens the data of a link in the page, and returns the data of the link to the opened document.
func roundTripLink(t *testing.T, l *link.Document) *link.Document {
	d, err := documentOfLink(l)
	require.NoError(t, err)
	c := newFiles(t)
	c.ReplaceUnchecked("", d)
	c.Plan, c.Bad = c.Doc().Check()
	return currentLink(c)
}

// currentLink returns the link of the current document.
func currentLink(c *Files) *link.Document { return linkDocumentOf(c.Doc(), c.Bad) }

// The title of a frame is the title of the open lesson. If no lesson is open, it is the title of the scenario.
func TestFrameTitle(t *testing.T) {
	c := newFiles(t)
	require.Equal(t, c.Doc().Title, c.frameTitle())
	c.Events.InLesson = func() bool { return true }
	require.Equal(t, "The lesson", c.frameTitle())
	c.Events.InLesson = func() bool { return false }
	d := *c.Doc()
	d.Title = ""
	c.Do("", d)
	require.Equal(t, "Backfill Lab", c.frameTitle())
}

// The notice about lessons that are not saved counts them.
func TestDraftNotice(t *testing.T) {
	c := newFiles(t)
	c.drafts.list = []draft{{Title: "a"}}
	require.Equal(t, "This browser has a lesson that you have not saved.", c.DraftNotice())
	c.drafts.list = append(c.drafts.list, draft{Title: "b"}, draft{Title: "c"})
	require.Contains(t, c.DraftNotice(), "3 lessons")
}
