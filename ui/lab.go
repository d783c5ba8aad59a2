package ui

import (
	"encoding/json"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// lab is the page's side of the worker. It holds no time.Time and no timer: Vugu
// takes the app as an interface, which would link all that a date can print.
type lab struct {
	worker  *browser.Worker
	asked   int                                  // id of the last request
	task    int                                  // id of the open or run under way, 0 if none
	asking  int                                  // id of the last why that has no answer yet, 0 if none
	next    *protocol.Why                        // what to ask when that is answered
	tell    bool                                 // the answer is to be spoken
	reveal  bool                                 // the charts are to show the job of the answer
	opens   bool                                 // the task is an open, for which a run was given up
	halted  bool                                 // the last run was cancelled, or ended the worker twice
	fatal   *document.Plan                       // what ran when a worker ended
	take    func(document.Doc, *protocol.Opened) // what is to be done with the document of the open; nil: it is a file's
	file    browser.FileRef
	brought int         // number of the person's content that is opened, 0: it is not theirs
	unask   func() bool // drops the run that waits for a pause

	wanted   *document.Plan // what is to run next
	sent     document.Rows  // what the worker holds; it need not be sent again
	holds    bool
	running  *document.Plan // what the run under way is of
	shown    *document.Plan // what the results are of
	places   []int32        // by row of shown: the job's index
	rows     []int32        // by job index: its row; nil: the same
	ran      *protocol.Ran
	progress protocol.Progress
	fault    string      // why the last run or open failed
	checks   map[int]int // by id of a request: the result that is checked
}

func (l *lab) start(c *App) (err error) {
	l.worker, err = browser.Spawn("main", c.receive)
	return err
}

// post sends a request and returns its id.
func (l *lab) post(kind string, head any, m browser.Message) int {
	l.asked++
	m.Kind, m.ID = kind, l.asked
	m.Head, _ = json.Marshal(head)
	if l.worker != nil {
		if err := l.worker.Post(m); err != nil {
			l.fault = err.Error()
		}
	}
	return l.asked
}

// place finds the job of each row. The worker names the rows of its jobs unless
// every job sent is there, in the order in which it was sent.
func (l *lab) place(sent []int32) {
	l.places, l.rows = make([]int32, l.shown.Rows.Len()), sent
	for i := range l.places {
		l.places[i] = -1
	}
	for index := range l.ran.Jobs {
		row := index
		if sent != nil {
			row = int(sent[index])
		}
		l.places[row] = int32(index)
	}
}

// row is the row of a job of the results.
func (l *lab) row(index int32) document.Row {
	if l.rows != nil {
		index = l.rows[index]
	}
	return l.shown.Rows.At(int(index))
}
