package charts

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// Chart is the chart of a schedule as rendered. Host is the id of the element that the
// scripts draw in; Label and Summary describe the chart to screen readers.
type Chart struct {
	I            int // index of the result
	ID           string
	Title        string         // title of the result
	Facts        []widgets.Fact // metrics to show next to the title
	Finding      string         // first error found by the schedule checker, and the number of errors; "" if none
	ExplainedJob string         // index of the job that the drawer explains; "" if the user selected this job in another chart
	Note         string         // says that the schedule is too large to be checked in the page; "" otherwise

	Host, Label, SummaryID, Summary string
	ResourceStrips                  []ResourceStrip
}

// NoCharts reports whether there are results but the charts of all policies are switched off.
func (c *Charts) NoCharts() bool { return c.Ran != nil && len(c.Charts()) == 0 }

// ShowAll switches the charts of all policies on.
func (c *Charts) ShowAll() { c.Do("", c.Doc().ShowCharts()) }

// ShowScores scrolls to the table of metrics, which is below the charts on a narrow screen.
func (c *Charts) ShowScores() { c.ScrollTo = "scores" }

// Charts returns the charts, one for each result whose chart is switched on.
func (c *Charts) Charts() (out []Chart) {
	if c.Ran == nil {
		return nil
	}
	for i := range c.Ran.Results {
		r := &c.Ran.Results[i]
		if r.NoChart {
			continue
		}
		x := Chart{I: i, ID: fmt.Sprintf("chart-%d", i), Host: fmt.Sprintf("gantt-%d", i), Title: r.Title, ExplainedJob: c.AskedAbout(i),
			Facts: c.headlines(i), Label: "Schedule by " + r.Title, SummaryID: fmt.Sprintf("summary-%d", i),
			Summary: strings.TrimSpace(c.summary(r)+" "+c.LeftOut()) + " Left and Right move between jobs, Enter selects, question mark lists the keys."}
		if n := len(r.Findings); n > 0 {
			x.Finding = fmt.Sprintf("Errors in this schedule: %d. First error: %s", n, r.Findings[0])
		}
		if !r.Checked && c.Ran.Jobs >= protocol.CheckBelow {
			x.Note = fmt.Sprintf("Not checked for errors: the page checks only schedules of fewer than %s jobs. The command “backfill check” checks any schedule.", format.Whole(protocol.CheckBelow))
		}
		x.ResourceStrips = c.resourceStrips(i, r.Title)
		out = append(out, x)
	}
	return out
}

// headlines returns the metrics to show next to the title of a chart: mean wait and utilization. If a brief lesson
// hides panels (see lesson.Lesson) and there are several policies, it returns only the mean wait.
func (c *Charts) headlines(result int) []widgets.Fact {
	if c.Events.Folded() && len(c.Ran.Results) > 1 {
		return []widgets.Fact{c.Headline(result, 0)}
	}
	return []widgets.Fact{c.Headline(result, 0), c.Headline(result, 3)}
}

// summary describes a schedule in sentences. It returns "" while a lesson has further
// steps, because the sentences would reveal what these steps explain.
func (c *Charts) summary(r *protocol.Result) string {
	if c.Events.HidesLaterEvents() {
		return ""
	}
	return r.Summary
}

// ResourceStrip is a strip under a chart that shows the use of an extra resource over time.
type ResourceStrip struct {
	K                        int    // index of the resource
	ID, Name, Caption, Label string // Name: of the resource; Caption: visible text; Label: text for screen readers
	Capacity                 int64  // amount of the resource that the machine has
}

// resourceStrips returns the strips under the chart of a result.
func (c *Charts) resourceStrips(i int, title string) (out []ResourceStrip) {
	for k, r := range c.ShownPlan.Run.Machine.Resources {
		u := ResourceStrip{K: k, ID: fmt.Sprintf("use-%d-%d", i, k), Name: r.Name, Capacity: r.Capacity}
		u.Caption = fmt.Sprintf("%s in use, out of %d", r.Name, r.Capacity)
		u.Label = fmt.Sprintf("%s in use over time under %s (capacity %d). “Schedule as a table” below the charts lists how much each job requests.", r.Name, title, r.Capacity)
		out = append(out, u)
	}
	return out
}

// neverReserve lists the policies that never make a reservation for a job.
var neverReserve = []string{"fcfs", "first-fit"}

// ExplainsReservations reports whether the player and the legend explain reservations. In a lesson, they do so only
// if some policy of its scenario makes reservations.
func (c *Player) ExplainsReservations() bool {
	return !c.Events.InLesson() || slices.ContainsFunc(c.Doc().Policies, func(p document.Policy) bool { return !slices.Contains(neverReserve, p.Name) })
}

// ExplainsBackfilling reports whether the legend explains backfilled jobs. It does not do so in a lesson whose only
// policy is FCFS, because FCFS never backfills.
func (c *Charts) ExplainsBackfilling() bool {
	return !c.Events.InLesson() || slices.ContainsFunc(c.Doc().Policies, func(p document.Policy) bool { return p.Name != "fcfs" })
}

// fewJobs is a number of jobs so small that each job has its own box in a chart.
const fewJobs = 30

// ExplainsBins reports whether the legend explains boxes that stand for several jobs. A lesson with few
// jobs has no such boxes.
func (c *Charts) ExplainsBins() bool { return !c.Events.InLesson() || c.Doc().Rows.Len() > fewJobs }

// SliceKeys returns the legend of time slices, or nil if no policy uses them.
func (c *Charts) SliceKeys() (out []widgets.Key) {
	if c.Ran == nil {
		return nil
	}
	for _, r := range c.Ran.Results {
		for i, name := range r.Slices {
			if i == len(out) {
				out = append(out, widgets.Key{Class: fmt.Sprintf("key slice n%d", i+1), Text: name + " slice"})
			}
		}
	}
	if out != nil {
		out = append(out, widgets.Key{Class: "key slice n0", Text: "switch overhead, or several slices too short to draw"}, widgets.Key{Class: "key join", Text: "preempted"})
	}
	return out
}
