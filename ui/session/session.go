// Package session is the page's end of the simulation: the scenario being edited, the
// worker that runs it, its results, and the job and time that the page is about. It
// draws nothing and knows no feature; what features need of each other passes through
// Events.
package session

import (
	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// Session holds no time.Time and no timer: Vugu takes the page as an interface, which
// would link all that a date can print.
type Session struct {
	Screen
	Events Events
	Env    vugu.EventEnv // nil until the page is in a browser

	// The scenario.
	Draft
	Editing       protocol.Progress // of changes that the page makes to many rows
	EditCancelled bool
	sources       []Source // files that were opened

	// The worker.
	worker       *browser.Worker
	asked        int                                  // id of the last request
	Task         int                                  // id of the open or run under way, 0 if none
	Progress     protocol.Progress                    // of the task
	opens        bool                                 // the task is an open, for which a run was cancelled
	Halted       bool                                 // the last run was cancelled, or ended the worker twice
	Unresponsive bool                                 // the worker does not answer
	fatal        *document.Plan                       // what ran when a worker ended
	Failure      string                               // why the last run or open failed
	Take         func(document.Doc, *protocol.Opened) // receives the opened document; nil: the document of a file is opened
	File         browser.FileRef                      // being opened
	FileContent  int                                  // number of the opened content (see NewContent), 0: the person did not bring it
	unask        func() bool                          // cancels the run that waits for a pause
	wanted       *document.Plan                       // the plan to run next
	Sent         document.Rows                        // the rows that the worker holds
	Holds        bool
	checks       map[int]int // by id of a request: the result that is checked

	// The results.
	Results
	Running  *document.Plan // of the run under way
	External External

	// The job and the time that the page is about.
	Why         *protocol.Answers // about the selected job, nil if none is selected
	whyAsked    int               // id of the last why that has no answer yet, 0 if none
	nextWhy     *protocol.Why     // what to ask when that is answered
	Announce    bool              // announce the next answer to screen readers
	Reveal      bool              // scroll the charts to the job of the next answer
	ReselectRow int               // row + 1 of the job to select when the results arrive, 0 if none
	LinkedView  *link.View        // what to show when the results arrive, nil if nothing
}

// Events are what the parts of the page tell each other. The root sets them all.
type Events struct {
	Locked       func(was, d *document.Doc) bool // reports whether the edit from was to d is forbidden
	Edited       func()                          // the document and its problems changed
	Replaced     func()                          // another scenario takes the place of the present one
	JobsReplaced func()                          // new jobs take the place of the rows
	Ran          func()                          // results arrived
	Settled      func()                          // the selected job is one of the new results
	Selected     func(row int)                   // the job of a row was selected
	Explained    func()                          // an answer about the selected job arrived
	Viewed       func()                          // what the page shows changed
	TabShown     func()                          // another tab of the panel that edits is shown
	Anonymised   func()                          // features must drop all names of jobs
	Received     func()                          // a message of the worker was handled

	Answered func(browser.Message) (bool, error) // a feature's answer arrived; reports whether one took it
	Failed   func(id int) (gone bool)            // a request gets no answer; gone: it was about earlier results
	Lost     func()                              // the worker is gone with all requests
}

// New returns a session with an empty document and events that nobody listens to.
func New() *Session {
	nothing := func() {}
	c := &Session{
		Draft:  Draft{history: document.NewHistory(document.Doc{})},
		Screen: Screen{Tab: "jobs"},
		Events: Events{
			Locked: func(_, _ *document.Doc) bool { return false },
			Edited: nothing, Replaced: nothing, JobsReplaced: nothing, Ran: nothing, Settled: nothing, Selected: func(int) {}, Explained: nothing,
			Viewed: nothing, TabShown: nothing, Anonymised: nothing, Received: nothing,
			Answered: func(browser.Message) (bool, error) { return false, nil }, Failed: func(int) bool { return false }, Lost: nothing,
		},
	}
	c.External.session = c
	return c
}

// Open makes d the document that the session begins with; there is nothing to undo.
func (c *Session) Open(d document.Doc) { c.history = document.NewHistory(d) }
