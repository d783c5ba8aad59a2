package charts

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// PositionText returns a text with the number and the time of the shown event.
func (c *Player) PositionText() string {
	x := c.shown
	if x == nil {
		return "…"
	}
	return fmt.Sprintf("event %s of %s, %s%s", format.Whole(x.Event), format.Whole(x.Events), c.Clock().At(x.At), c.Clock().Suffix())
}

// Schedules returns the numbered titles of the schedules that can be played.
func (c *Player) Schedules() (out []string) {
	if c.Ran != nil {
		for i := range c.Ran.Results {
			out = append(out, fmt.Sprintf("%d: %s", i+1, c.Ran.Results[i].Title))
		}
	}
	return out
}

// ToggleLabel returns the label of the button that opens and closes the player.
func (c *Player) ToggleLabel() string {
	switch {
	case c.open && c.Events.Folded():
		return "Show all panels"
	case c.open:
		return "Close the player"
	}
	return "Step through"
}

// ToggleTitle returns the tooltip of the button that opens the player. It names the schedule to play. It is ""
// if the player is open or there is only one schedule.
func (c *Player) ToggleTitle() string {
	if len(c.strip.Titles()) < 2 || c.open {
		return ""
	}
	return "Step through the schedule of " + c.strip.Title()
}

// IsPlayed reports whether the player shows result i.
func (c *Player) IsPlayed(i int) bool { return i == c.want.Result }

// Sentence describes the shown event in a sentence.
func (c *Player) Sentence() []widgets.SentencePart {
	if x := c.shown; x != nil {
		return widgets.SentenceParts(x.Line.Parts)
	}
	return nil
}

// MovesNote says that a large run does not record moves of planned starts. It returns "" for other
// runs and for external schedules.
func (c *Player) MovesNote() string {
	external := c.Ran != nil && c.want.Result < len(c.Ran.Results) && c.Ran.Results[c.want.Result].IsExternal
	if x := c.shown; x != nil && !x.RecordsMoves && !external {
		return "Runs of 2,000 jobs or more do not record later changes of planned starts. The player shows the promised start of each job instead of its current planned start."
	}
	return ""
}

// Button is a button of the player or of the decisions. Off is its aria-disabled value. By is the number of
// stops or decisions to move by, or a constant for another action.
type Button struct {
	ID, Text, Label, Title, Off string // Label: for screen readers; Title: tooltip
	By                          int
}

// beyondEnd is a number of events that no run reaches.
const beyondEnd = 1 << 40

// ControlButtons returns the buttons of the player. The middle one plays and pauses. A button without effect gets the
// attribute aria-disabled instead of disabled, because a button that becomes disabled loses the keyboard focus.
func (c *Player) ControlButtons() []Button {
	x := c.shown
	begin := fmt.Sprint(x == nil || x.Event == 0)
	end := fmt.Sprint(x == nil || x.Event == x.Events)
	play, stop := "Play", c.selectedStop().one
	if c.stop != nil {
		play = "Pause"
	}
	return []Button{
		{"player-first", "|‹", "To the beginning", "To the beginning", begin, -beyondEnd},
		{"player-before", "‹", "Previous " + stop, "Previous " + stop + " ([)", begin, -1},
		{"player-play", play, play, "Play or pause (Space)", "false", 0},
		{"player-next", "›", "Next " + stop, "Next " + stop + " (])", end, 1},
		{"player-last", "›|", "To the end", "To the end", end, beyondEnd},
	}
}

// Chip is a waiting, running or preempted job as rendered.
type Chip struct {
	widgets.SentencePart
	Dot   string // CSS classes of the swatch
	Times string // start as planned or expected, or end according to the estimate, in words; "" if unknown
}

// JobList is a list of waiting, running or preempted jobs as rendered. Rest is the text below the list, see restText.
type JobList struct {
	Title, ID, Rest string
	Chips           []Chip
}

// Jobs returns the lists of running, waiting and, with time slices, preempted jobs.
func (c *Player) Jobs() []JobList {
	x := c.shown
	if x == nil {
		return nil
	}
	lists := []JobList{
		{"Running", "player-running", restText(len(x.Running), x.MoreRunning), c.chips(x, x.Running, "until ")},
		{"Waiting", "player-waiting", restText(len(x.Waiting), x.MoreWaiting), c.chips(x, x.Waiting, "starts ")},
	}
	if x.TimeSlice != "" { // only time slices preempt jobs
		lists = append(lists, JobList{"Preempted", "player-off", restText(len(x.Preempted), x.MorePreempted), c.chips(x, x.Preempted, "")})
	}
	return lists
}

// chips converts jobs for rendering. It writes the given prefix, such as "until ", before the start or end of each
// job.
func (c *Player) chips(x *protocol.Played, list []protocol.PlayerJob, prefix string) (out []Chip) {
	for _, q := range list {
		chip := Chip{SentencePart: widgets.SentencePart{Text: q.ID, Job: q.Job, At: -1}, Dot: c.colour(q.Job)}
		if q.At != nil {
			chip.Times = prefix + c.Clock().Instant(*q.At)
		}
		if q.Expected != nil {
			chip.Times = "expected " + c.Clock().Instant(*q.Expected)
		}
		if q.PreviousAt != nil {
			chip.Times += ", previously " + c.Clock().Instant(*q.PreviousAt)
		}
		if q.Job == x.Job && (q.New || q.PreviousAt != nil || x.Kind == "promise") {
			chip.Class = "new"
		}
		out = append(out, chip)
	}
	return out
}

// ExpectedHelp returns the explanation of expected starts, or "" if none is shown.
func (c *Player) ExpectedHelp() string {
	if x := c.shown; x != nil {
		for i := range x.Waiting {
			if x.Waiting[i].Expected != nil {
				return "Expected starts, if no more jobs arrive and every job runs for its full estimate."
			}
		}
	}
	return ""
}

// restText returns the text below a list of n entries: how many further entries exist, or "none" if there are no
// entries at all. It returns "" if the list is complete and has entries.
func restText(n, more int) string {
	switch {
	case more > 0:
		return "and " + format.Whole(more) + " more"
	case n == 0:
		return "none"
	}
	return ""
}

// FreeRow is a row of the table of free processors.
type FreeRow struct {
	Name  string         // heading of the row
	Cells []widgets.Fact // one for each time at which the number of free processors changes
}

// StateColumnsClass returns the CSS classes of the columns that show the state of the machine after the event. The
// columns are wider if times are shown with units.
func (c *Player) StateColumnsClass() string {
	if c.Clock().Units {
		return "now long"
	}
	return "now"
}

// FreeRows returns the rows of the table of free processors: the times at which the number of free processors
// changes, and the numbers from these times on, according to the plans before and after the event.
func (c *Player) FreeRows() []FreeRow {
	x := c.shown
	if x == nil {
		return nil
	}
	rows := []FreeRow{{Name: "from"}, {Name: "before the event"}, {Name: "after the event"}}
	for _, s := range x.Free {
		for i, text := range []string{strings.ReplaceAll(c.Clock().Instant(s.At), "-", "\u2011"), strconv.Itoa(s.Before), strconv.Itoa(s.After)} {
			f := widgets.Fact{Value: text}
			if i > 0 && s.Before != s.After {
				f.DeltaClass = "new"
			}
			rows[i].Cells = append(rows[i].Cells, f)
		}
	}
	if x.FreeCut {
		rows[0].Cells = append(rows[0].Cells, widgets.Fact{Value: "…"})
	}
	return rows
}

// FollowLink follows a link in a sentence: it selects a job, or moves the cursor to a time.
func (c *Player) FollowLink(w widgets.SentencePart) {
	switch {
	case w.Job >= 0:
		_ = session.CallCharts("select", fmt.Sprint(w.Job))
		c.AskWhy(w.Job, c.At())
	case w.At >= 0:
		_ = session.CallCharts("cursor", fmt.Sprint(w.At))
		c.ShowAt(w.At)
	}
}

// SliceText describes the time slice after the event. It also says how much time each type of job (short, medium and
// long) has received in its slices so far. It returns "" if the policy uses no time slices.
func (c *Player) SliceText() string {
	if x := c.shown; x != nil {
		return x.TimeSlice
	}
	return ""
}
