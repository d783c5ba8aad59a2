package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/link"
)

// CallCharts calls a method of the charts (public/js/chart/charts.js). args contains the arguments in JSON, separated
// by commas.
func CallCharts(method, args string) error {
	_, err := browser.Call("labChartCall", method, "["+args+"]")
	return err
}

// SelectJob selects a job in the charts and asks the worker why it started when it did.
func (c *Session) SelectJob(index int) {
	c.whyFirst, c.Asked = 0, false
	_ = CallCharts("select", fmt.Sprint(index))
	c.AskWhy(index, -1)
}

// showAnswer announces a new answer to screen readers if Announce is set, and scrolls the charts to its job if
// Reveal is set.
func (c *Session) showAnswer() {
	w := c.Why
	if c.Announce {
		quoted, _ := json.Marshal(c.announcement())
		_ = CallCharts("say", string(quoted))
	}
	if order := c.AnswerOrder(); c.Reveal && !c.Events.HidesLaterEvents() && len(order) > 0 {
		if a := &w.Answers[order[0]]; a.Start != nil && a.Finish != nil {
			_ = CallCharts("reveal", fmt.Sprintf("%d,%d", *a.Start, *a.Finish))
		}
	}
	c.Announce, c.Reveal = false, false
}

// AnswerOrder returns the indexes of the results in the order in which the page explains the selected
// job. The result in whose chart the user selected the job comes first.
func (c *Session) AnswerOrder() (order []int) {
	if c.Why == nil {
		return nil
	}
	for i := range c.Why.Answers {
		if i == c.whyFirst {
			order = slices.Insert(order, 0, i)
		} else {
			order = append(order, i)
		}
	}
	return order
}

// AskedAbout returns the index of the selected job as text if the user selected it in the chart of the
// given result. It returns "" for other results, and while the drawer with the answer is closed.
func (c *Session) AskedAbout(result int) string {
	if c.Drawer != "why" || result != c.whyFirst || c.Why == nil && c.whyRequest == 0 {
		return ""
	}
	return strconv.Itoa(c.lastWhy.Job)
}

// announcement returns the first sentence of the answer for each policy.
func (c *Session) announcement() string {
	text := "Job " + c.Why.ID + "."
	for _, i := range c.AnswerOrder() {
		a := &c.Why.Answers[i]
		text += " " + a.Title + ": "
		if len(a.Lines) > 0 {
			for _, p := range a.Lines[0].Parts {
				text += p.Text
			}
		}
	}
	return text
}

// ShowJob selects the job with the given index, and asks the worker about it at the time `at`. Unless the page is
// embedded, it opens the drawer with the answer. The answer begins with the given result, in whose chart the user
// selected the job. If the user selected the job elsewhere, result is negative, and the answer begins with the first
// result. If index is negative, ShowJob unselects the job and closes the drawer.
func (c *Session) ShowJob(index int, at int64, result int) {
	c.whyFirst, c.Asked = max(result, 0), index >= 0
	c.AskWhy(index, at)
	if c.Drawer == "why" {
		c.Drawer = ""
	}
	if index >= 0 && !c.Embedded {
		c.Drawer = "why"
	}
}

// RevealJob selects a job and scrolls the charts to it. Its parameters are those of ShowJob.
func (c *Session) RevealJob(index int, at int64, result int) {
	c.ShowJob(index, at, result)
	_ = CallCharts("select", fmt.Sprint(index))
	c.Reveal = true
}

// ApplyLinkedView shows the time window, the cursor and the selected job that a link specifies.
func (c *Session) ApplyLinkedView() {
	v := c.LinkedView
	c.LinkedView = nil
	if v.Window {
		_ = CallCharts("setWindow", fmt.Sprintf("%d,%d", v.From, v.To))
	}
	if v.Cursor >= 0 {
		_ = CallCharts("cursor", fmt.Sprint(v.Cursor))
	}
	if row := c.RowOfID(v.Job); v.Job != "" && row >= 0 {
		_ = CallCharts("select", fmt.Sprint(c.JobOfRow[row]))
		c.AskWhy(int(c.JobOfRow[row]), v.Cursor)
	}
}

// RowOfID returns the row of the job with this ID, -1 if the results do not contain it.
func (c *Session) RowOfID(id string) int {
	for row, r := range c.Doc().Rows.All() {
		if r.Name == id && row < len(c.JobOfRow) && c.JobOfRow[row] >= 0 {
			return row
		}
	}
	return -1
}

// CurrentRow returns the row of a job in the current document, given the index of the job in the charts. The charts may
// show an older version of the scenario. CurrentRow returns -1 if the number of rows has changed since then, or if the
// row now has another job.
func (c *Session) CurrentRow(index int) int {
	if c.ShownPlan == nil || index < 0 || index >= c.Ran.Jobs {
		return -1
	}
	row := index
	if c.jobRows != nil {
		row = int(c.jobRows[index])
	}
	if rows := c.Doc().Rows; row < rows.Len() && rows.Len() == c.ShownPlan.Rows.Len() && rows.At(row).Name == c.ShownPlan.Rows.At(row).Name {
		return row
	}
	return -1
}

// reselectJob selects a job again after a run, because the index of the job may have changed. It selects the job that
// was edited in a chart, otherwise the job that was selected. It reports whether a job was edited in a chart.
func (c *Session) reselectJob() (editedInChart bool) {
	row := c.ReselectRow - 1
	editedInChart = row >= 0
	c.ReselectRow = 0
	switch {
	case row >= 0:
	case c.whyRequest != 0:
		row = c.RowOfID(c.lastWhyJobID)
	case c.Why != nil:
		row = c.RowOfID(c.Why.ID)
	}
	if row < 0 || row >= len(c.JobOfRow) || c.JobOfRow[row] < 0 {
		return editedInChart
	}
	index := int(c.JobOfRow[row])
	_ = CallCharts("select", strconv.Itoa(index))
	c.lastWhy.Job = index
	if c.Why != nil {
		c.Why.Job = index
	}
	return editedInChart
}

// VisibleCharts returns the indexes of the results whose charts are in view, in order.
func (c *Session) VisibleCharts() (results []int) {
	answer, _ := browser.Call("labChartCall", "visible", "[]")
	text, _ := answer.(string)
	for _, part := range strings.Fields(text) {
		if i, err := strconv.Atoi(part); err == nil {
			results = append(results, i)
		}
	}
	return results
}

// Cursor returns the time of the charts' cursor, -1 if there is none.
func (c *Session) Cursor() int64 { return c.ChartView().Cursor }

// ChartView returns the time window and the cursor of the charts, as a link stores them. After the user has
// opened a link, ChartView returns the view of the link until its results arrive.
func (c *Session) ChartView() link.View {
	if c.LinkedView != nil {
		return *c.LinkedView
	}
	v := link.Whole
	answer, _ := browser.Call("labChartCall", "view", "[]")
	text, _ := answer.(string)
	var n [3]int64
	for i, part := range strings.Fields(text) {
		n[i%3], _ = strconv.ParseInt(part, 10, 64)
	}
	if text != "" {
		v.Window, v.From, v.To, v.Cursor = n[0] >= 0, max(n[0], 0), n[1], n[2]
	}
	return v
}
