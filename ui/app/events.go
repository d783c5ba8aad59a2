package app

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/session"
)

// connect sets the functions that handle the session's events. Features do not import each other. Instead,
// one feature raises an event, and these functions pass it to the features concerned.
func (c *App) connect() {
	c.session.Events = session.Events{
		Locked:           c.files.Locked,
		InLesson:         c.lessons.InLesson,
		HidesLaterEvents: c.lessons.HidesLaterEvents,
		Folded:           c.lessons.Folded,
		ToggleFold:       c.lessons.ToggleFold,
		PlayedAt:         c.charts.Player.At,
		Unwritten:        c.lessons.Unwritten,
		HiddenResults:    c.lessons.HiddenResults,
		Edited:           c.documentEdited,
		Replaced:         c.scenarioReplaced,
		JobsReplaced:     c.jobs.ToTop,
		Opened:           c.experiments.Close,
		Started:          c.clearFeatures,
		Ran:              c.repeatQuestions,
		Settled:          c.charts.Finder.ResultsArrived,
		Selected:         c.jobs.SetCurrentRow,
		Explained:        c.explain.UpdateForm,
		Viewed:           c.files.ScheduleLinkUpdate,
		TabShown:         c.workload.Refresh,
		Anonymised:       c.forgetNames,
		Received:         c.files.ContinueCalls,
		Answered:         c.passAnswer,
		Failed:           c.requestFailed,
		Lost:             c.workerLost,
	}
	c.lessons.Graded, c.lessons.Saved = c.files.HandleGrade, c.files.DeleteSavedDraft
}

// documentEdited updates the features that show the document.
func (c *App) documentEdited() {
	c.jobs.Update()
	c.lessons.HandleEdit()
	c.workload.Refresh()
}

// scenarioReplaced closes the lesson, rewinds the player and scrolls the table to its first row when another
// scenario replaces the document.
func (c *App) scenarioReplaced() {
	c.lessons.Close()
	c.charts.Rewind()
	c.jobs.ToTop()
}

// clearFeatures is called when an example or a lesson is about to replace the scenario. It switches to the charts
// and clears everything that the features show about the old scenario.
func (c *App) clearFeatures() {
	c.experiments.Close()
	c.explain.Forget()
	c.charts.Clear()
	c.jobs.ClearSelection()
}

// repeatQuestions is called when a new run has replaced the results. It makes the features ask the worker again for
// everything that they show about the results.
func (c *App) repeatQuestions() {
	c.results.AskAgain()
	c.charts.AskAgain()
	c.explain.DropOldAnswers()
}

// passAnswer passes an answer of the worker to the feature that asked for it. It reports whether a
// feature has handled the answer.
func (c *App) passAnswer(m browser.Message) (bool, error) {
	for _, take := range []func(browser.Message) (bool, error){c.explain.HandleAnswer, c.charts.HandleAnswer, c.results.HandleAnswer, c.files.HandleAnswer, c.lessons.HandleAnswer, c.policies.HandleAnswer} {
		if taken, err := take(m); taken {
			return true, err
		}
	}
	return false, nil
}

// requestFailed tells the features that a request failed or was cancelled. It reports whether the
// request asked about results that no longer exist.
func (c *App) requestFailed(id int) (outdated bool) {
	c.charts.HandleFailure(id)
	c.files.HandleFailure(id)
	return c.results.AskedFor(id)
}

// workerLost tells the features that the worker has ended and will not answer any open request.
func (c *App) workerLost() {
	c.charts.HandleWorkerLoss()
	c.files.HandleWorkerLoss()
	c.results.HandleWorkerLoss()
	c.explain.HandleWorkerLoss()
}

// forgetNames is called after the scenario has been anonymised. It removes everything that may contain an original
// name: results, explanations, chart contents, search hits and text typed in forms. The next run produces new
// results.
func (c *App) forgetNames() {
	c.session.ForgetResults()
	c.explain.Forget()
	c.charts.Forget()
	c.results.Forget()
	c.experiments.Forget()
	c.files.Forget()
	for _, p := range c.panels {
		if f, ok := p.component.(interface{ Forget() }); ok {
			f.Forget()
		}
	}
	_ = session.CallCharts("wipe", "")
}
