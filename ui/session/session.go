// Package session holds the state of the page: the scenario being edited, the worker that runs it,
// the results, and the selected job and time. It does not draw the page. It does not know the
// features of the page, but communicates with them through Events.
package session

import (
	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// Session is the state of the page. It must not contain a time.Time or a timer. Vugu stores the
// page in an interface, so the program would then include the code that formats dates.
type Session struct {
	Screen
	Events Events
	Env    vugu.EventEnv // nil until the page is in a browser

	// The scenario.
	Draft
	EditProgress  protocol.Progress // progress of a change of many rows by the page; empty if there is none
	EditCancelled bool              // the user has cancelled this change
	sources       []Source          // files that were opened, with their reports

	// The worker.
	worker             *browser.Worker
	lastID             int               // ID of the last request
	Task               int               // ID of the request that shows progress (to open a file, run, read a schedule or repeat a decision), 0 if none
	Progress           protocol.Progress // progress of the task
	taskOpens          bool              // the task opens a file, and may have cancelled a run
	Halted             bool              // the last run was cancelled, or the worker ended twice during it
	Unresponsive       bool              // the worker does not answer
	crashedPlan        *document.Plan    // the plan that was running when a worker last ended, nil if no worker has ended
	Failure            string            // why the last run or other request failed, "" if it did not
	PolicyFault        *protocol.Fault   // the failure, if a policy caused it
	runsScripts        bool              // the worker can run policies written as scripts
	whenRun            func()            // function to call after the current run, nil if none
	ScriptsNeedConsent bool              // the document came with a link, so its scripts run only when the user allows it

	// OnOpened receives the document of the file that is being opened. If OnOpened is nil, this
	// document replaces the current one.
	OnOpened func(document.Doc, *protocol.Opened)

	File          browser.FileRef // the file that is being opened, or was opened last
	FileContentID int             // number of its content (see NewContentID), 0 if the user did not open it
	stopTimer     func() bool     // stops the timer of a run that waits for a pause in editing
	nextPlan      *document.Plan  // the plan to run once its rows are encoded, nil if none
	Sent          document.Rows   // the rows that were last sent to the worker or received from it
	WorkerHasJobs bool            // the worker holds the rows in Sent
	checks        map[int]int     // by request ID: the result being checked

	// The results.
	Results
	RunPlan  *document.Plan // the plan of the current run, or of the last one
	Skipped  int            // number of policies that the current run leaves out because their scripts are not written yet
	External External

	// The selected job and time.
	Why          *protocol.Answers // answer about the selected job, nil if none is selected
	whyFirst     int               // index of the result in whose chart the job was selected, 0 if it was selected elsewhere
	whyRequest   int               // ID of the unanswered why request, 0 if none
	lastWhy      protocol.Why      // the last why request
	lastWhyJobID string            // ID of the job in lastWhy, "" if unknown
	Asked        bool              // the user selected this job in a chart or a list, not only by editing its row
	nextWhy      *protocol.Why     // the why request to send after the answer to the current one, nil if none
	Announce     bool              // announce the next answer to screen readers
	Reveal       bool              // scroll the charts to the job of the next answer
	Seconds      bool              // write all times in seconds, not in larger units or as dates
	typed        typedTime
	datesOf      format.Calendar  // the calendar from which dates was made
	dates        *format.Calendar // this calendar with the offsets of its time zone, nil before the first use
	ReselectRow  int              // 1 + row of the job that was edited in a chart, to select when results arrive; 0 if none
	LinkedView   *link.View       // what to show when results arrive, nil if nothing
}

// Events connects the parts of the page. The root component sets all functions.
type Events struct {
	Locked           func(was, d *document.Doc) bool // reports whether the edit from `was` to d is forbidden
	InLesson         func() bool                     // reports whether a lesson is open
	HidesLaterEvents func() bool                     // reports whether the page hides what happens later in the schedule, because an open lesson has not explained it yet
	Folded           func() bool                     // reports whether the open lesson folds all panels except its text, the table of jobs and the charts
	ToggleFold       func() bool                     // folds or unfolds these panels; returns false if the open lesson never folds them
	PlayedAt         func() int64                    // returns the time of the event that the player shows
	Unwritten        func(policy int) bool           // reports whether a policy is still the script that an exercise starts from
	HiddenResults    func() []int                    // returns the results whose charts the open page of a lesson keeps empty
	Edited           func()                          // the document or its problems changed
	Replaced         func()                          // another scenario replaces the current one
	JobsReplaced     func()                          // other jobs replace the rows of the table
	Opened           func()                          // the user opened a file or a link: the page shows the charts
	Started          func()                          // the user opened an example or a lesson: features reset what they showed of the old scenario
	Ran              func()                          // results arrived
	Settled          func()                          // after results arrived, the selected job was selected again
	Selected         func(row int)                   // the job of a row was selected
	Explained        func()                          // an answer about the selected job arrived
	Viewed           func()                          // what the page shows changed
	TabShown         func()                          // another tab of the editing panel is shown
	Anonymised       func()                          // the scenario was anonymised: features must forget all names of jobs
	Received         func()                          // a message of the worker was handled

	Answered func(browser.Message) (bool, error) // an answer arrived; reports whether a feature handled it

	// Failed is called when a request failed or was cancelled. It reports whether the request
	// was about results that no longer exist.
	Failed func(id int) (outdated bool)

	Lost func() // the worker and all its requests are gone
}

// New returns a session with an empty document and event functions that do nothing.
func New() *Session {
	nothing := func() {}
	c := &Session{
		Draft:  Draft{history: document.NewHistory(document.Doc{})},
		Screen: Screen{Tab: "jobs"},
		Events: Events{
			Locked:   func(_, _ *document.Doc) bool { return false },
			InLesson: func() bool { return false }, HidesLaterEvents: func() bool { return false }, Folded: func() bool { return false }, ToggleFold: func() bool { return false }, PlayedAt: func() int64 { return 0 }, Unwritten: func(int) bool { return false }, HiddenResults: func() []int { return nil },
			Edited: nothing, Replaced: nothing, JobsReplaced: nothing, Opened: nothing, Started: nothing, Ran: nothing, Settled: nothing, Selected: func(int) {}, Explained: nothing,
			Viewed: nothing, TabShown: nothing, Anonymised: nothing, Received: nothing,
			Answered: func(browser.Message) (bool, error) { return false, nil }, Failed: func(int) bool { return false }, Lost: nothing,
		},
	}
	c.External.session = c
	return c
}

// Open sets the first document and clears the undo history.
func (c *Session) Open(d document.Doc) { c.history = document.NewHistory(d) }

// Screen records which parts of the page are open, and the last notice.
type Screen struct {
	Tabs     []string // names of the panels on the left side
	Tab      string   // the visible panel
	Drawer   string   // the panel open on a narrow screen: "", edit or why
	Embedded bool     // the page is in a frame: the panels are below the charts, except one open on a narrow screen
	Menu     string   // the open menu: "", lessons, examples, share, export or menus (all of them, on a narrow screen)
	Notice   string   // the last message to the user
	Focus    string   // ID of the element to focus after the next render
	ScrollTo string   // ID of the element to scroll into view after the next render, such as an answer

	ColouredBy string // the property of jobs that determines their colour; empty if each job has its own
}

// TakeFocus returns the ID of the element to focus and the ID of the element to scroll into view,
// and resets both.
func (c *Screen) TakeFocus() (focus, reveal string) {
	focus, reveal = c.Focus, c.ScrollTo
	c.Focus, c.ScrollTo = "", ""
	return focus, reveal
}

// CloseMenu closes the menu after a choice. The keyboard focus returns to the menu's
// button.
func (c *Screen) CloseMenu() { c.Focus, c.Menu = c.Menu, "" }

// ToggleMenu opens a menu, or closes it if it is open.
func (c *Screen) ToggleMenu(menu string) {
	if c.Menu == menu {
		menu = ""
	}
	c.Menu = menu
}
