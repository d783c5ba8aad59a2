package ui

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"backfill-lab/ui/bridge"
	"backfill-lab/ui/json"
	"backfill-lab/ui/proto"
	"backfill-lab/ui/state"
)

// liveRows is the size up to which an edit runs at once; larger workloads wait
// for a pause.
const (
	liveRows = 2000
	pause    = 150 * time.Millisecond
)

// lab is the page's side of the worker. It holds no time.Time and no timer: Vugu
// takes the app as an interface, which would link all that a date can print.
type lab struct {
	worker *bridge.Worker
	asked  int        // id of the last request
	task   int        // id of the open or run under way, 0 if none
	asking int        // id of the last why that has no answer yet, 0 if none
	next   *proto.Why // what to ask when that is answered
	tell   bool       // the answer is to be spoken
	reveal bool       // the charts are to show the job of the answer
	opens  bool       // the task is an open, for which a run was given up
	halted bool       // the last run was cancelled
	file   bridge.FileRef
	unask  func() bool // drops the run that waits for a pause

	wanted   *state.Plan // what is to run next
	sent     state.Rows  // what the worker holds; it need not be sent again
	holds    bool
	running  *state.Plan // what the run under way is of
	shown    *state.Plan // what the results are of
	places   []int32     // by row of shown: the job's index
	rows     []int32     // by job index: its row; nil: the same
	ran      *proto.Ran
	progress proto.Progress
	fault    string // why the last run or open failed
}

func (l *lab) start(c *App) (err error) {
	l.worker, err = bridge.Spawn("main", c.receive)
	return err
}

// post sends a request and returns its id.
func (l *lab) post(kind string, head any, m bridge.Message) int {
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

// edited has the document run, at once or after a pause, and marks what is
// shown as outdated.
func (l *lab) edited(c *App) {
	if l.worker == nil {
		return
	}
	l.fault = ""
	l.renew(c)
}

// renew is edited where what is said stays.
func (l *lab) renew(c *App) {
	_ = chart("stale", "true")
	l.drop()
	if c.plan == nil || len(c.plan.Run.Policies) == 0 {
		return
	}
	if c.plan.Rows.Len() <= liveRows {
		l.run(c)
		return
	}
	l.unask = time.AfterFunc(pause, func() {
		c.env.Lock()
		defer c.env.UnlockRender()
		if c.plan != nil {
			l.run(c)
		}
	}).Stop
}

// drop drops the run that is to come.
func (l *lab) drop() {
	if l.unask != nil {
		l.unask()
	}
	l.wanted = nil
}

// catchUp runs what an open has ended or kept from running, if it came to nothing.
func (l *lab) catchUp(c *App) {
	if l.running != c.plan || l.opens && !c.fresh() {
		l.renew(c)
	}
	l.opens = false
}

// run has the document run. The worker is told what it does not hold yet; where
// that is much, it is written in steps.
func (l *lab) run(c *App) {
	plan, ask := c.plan, c.plan.Run
	if l.halted {
		l.halted, c.Notice = false, ""
	}
	l.wanted = plan
	from, n := 0, plan.Rows.Len()
	if l.holds {
		var gone int
		if from, gone, n = plan.Rows.Since(l.sent); n < plan.Rows.Len() {
			ask.Edit = &proto.Edit{Row: from, Gone: gone}
		}
		if n == 0 && gone == 0 {
			ask.Edit = nil
		}
	}
	ask.Scenario = c.frame()
	m := bridge.Message{}
	if all := !l.holds || ask.Edit != nil || n > 0; !all {
		l.ask(plan, ask, m)
	} else if n <= liveRows {
		m.Bufs, _ = plan.Rows.Write(from, n, func(int) error { return nil })
		l.ask(plan, ask, m)
	} else {
		go c.write(plan, ask, from, n)
	}
}

func (l *lab) ask(plan *state.Plan, ask proto.Run, m bridge.Message) {
	l.sent, l.holds, l.running = plan.Rows, true, plan
	l.begin(l.post("run", ask, m))
}

// write writes rows with pauses, and asks for the run unless the document has
// changed meanwhile.
func (c *App) write(plan *state.Plan, ask proto.Run, from, n int) {
	defer bridge.Recover("sending the jobs")
	var m bridge.Message
	var pace bridge.Pace
	var err error
	m.Bufs, err = plan.Rows.Write(from, n, func(int) error {
		pace.Breathe()
		if c.lab.wanted != plan {
			return errChanged
		}
		return nil
	})
	if err != nil {
		return
	}
	c.env.Lock()
	defer c.env.UnlockRender()
	if c.lab.wanted == plan {
		c.lab.ask(plan, ask, m)
	}
}

// errChanged ends what was begun for a document that is gone.
var errChanged = errors.New("changed meanwhile")

func (l *lab) begin(task int) {
	l.task, l.opens = task, false
	l.progress = proto.Progress{}
}

// open has a file read; procs is the size of the machine if it is not the one at hand.
func (l *lab) open(c *App, f bridge.FileRef, procs int) {
	ask := proto.Open{Name: f.Name(), Procs: procs, AtHand: c.Doc().Slots()}
	l.drop()
	l.fault, c.Notice = "", ""
	l.begin(l.post("open", ask, bridge.Message{File: f}))
	l.file, l.opens, l.holds = f, true, false // it may soon hold the jobs of the file
}

func (l *lab) export(c *App, what string, result int) {
	l.post("export", proto.Export{What: what, Result: result}, bridge.Message{})
}

// ask asks why a job is where it is at a moment. Job -1 closes the answer.
func (c *App) ask(index int, at int64) {
	l := &c.lab
	c.share.soon(c)
	if index < 0 || l.shown == nil {
		c.why, l.next, l.asking = nil, nil, 0
		return
	}
	if row := slices.Index(l.places, int32(index)); row >= 0 && c.fresh() {
		c.grid.row = row
	}
	l.asking, l.next = l.post("why", proto.Why{Job: index, At: at}, bridge.Message{}), nil
	l.tell = true
}

// follow asks about the job of the answer at another moment. While an answer is
// awaited it waits: only the last moment of a moving cursor counts.
func (c *App) follow(at int64) {
	l := &c.lab
	switch {
	case c.why == nil || !c.fresh():
	case l.asking != 0:
		l.next = &proto.Why{Job: c.why.Job, At: at}
	default:
		c.ask(c.why.Job, at)
		l.tell = false // the charts have spoken of the moment
	}
}

// receive takes the worker's messages; charts have taken theirs before.
func (c *App) receive(m bridge.Message) {
	c.env.Lock()
	defer c.env.UnlockRender()
	if err := c.answer(m); err != nil {
		c.Notice = fmt.Sprintf("An answer of the simulation could not be read (%s): %v", m.Kind, err)
	}
}

func (c *App) answer(m bridge.Message) error {
	l := &c.lab
	switch m.Kind {
	case "progress":
		if m.ID == l.task {
			return json.Unmarshal(m.Head, &l.progress)
		}
	case "ran":
		if m.ID == l.task {
			return c.ran(m)
		}
	case "opened":
		if m.ID == l.task {
			go c.opened(m)
		}
	case "why":
		if m.ID == l.asking {
			return c.explained(m)
		}
	case "played":
		if m.ID == c.player.asking {
			return c.played(m)
		}
	case "outcomes":
		return c.table.outcomes(c, m)
	case "exported":
		var x proto.Exported
		if err := json.Unmarshal(m.Head, &x); err != nil {
			return err
		}
		return bridge.Download(x.Name, x.Mime, m.Bufs[0])
	case "error", bridge.KindPanic, bridge.KindCrash:
		return c.failed(m)
	}
	return nil
}

// explained shows why.
func (c *App) explained(m bridge.Message) error {
	l := &c.lab
	l.asking = 0
	why := &proto.Answers{}
	if err := json.Unmarshal(m.Head, why); err != nil {
		return err
	}
	c.why = why
	c.present()
	if q := l.next; q != nil {
		c.ask(q.Job, q.At)
		l.tell = false
	}
	return nil
}

// ran shows new results.
func (c *App) ran(m bridge.Message) error {
	l := &c.lab
	l.task = 0
	ran := &proto.Ran{}
	if err := json.Unmarshal(m.Head, ran); err != nil {
		return err
	}
	l.ran, l.shown = ran, l.running
	l.place(proto.RowsOf(m.Bufs))
	err := chart("results", string(m.Head))
	if !c.fresh() { // edited meanwhile, into something that runs later or not at all
		_ = chart("stale", "true")
	}
	c.table.ask(c)
	c.player.renew(c)
	if c.sought != nil {
		c.seek()
	} else if c.why != nil {
		c.ask(min(c.why.Job, ran.Jobs-1), c.why.At)
	}
	c.find.ran(c)
	return err
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

func (c *App) failed(m bridge.Message) error {
	l := &c.lab
	var f proto.Fault
	if m.Kind == "error" {
		if err := json.Unmarshal(m.Head, &f); err != nil {
			return err
		}
	} else {
		var b bridge.Fault
		if err := json.Unmarshal(m.Head, &b); err != nil {
			return err
		}
		f.Text = "The simulation has stopped (" + b.Text + ")."
	}
	if m.Kind == bridge.KindCrash {
		return c.respawn(f.Text)
	}
	l.fault = f.Text
	if m.ID == c.player.asking {
		c.player.asking = 0
	}
	if m.ID == l.task {
		l.task, l.holds = 0, false // whether it took the jobs is not known
		l.catchUp(c)
	}
	return nil
}

// respawn starts another worker after one is gone; nothing typed is lost.
func (c *App) respawn(why string) error {
	l := &c.lab
	idle := l.task == 0 // else the run itself may be what ended it
	l.task, l.asking, l.holds, c.player.asking = 0, 0, false, 0
	if err := l.start(c); err != nil {
		return err
	}
	if idle {
		l.edited(c)
	}
	l.fault = why + " It was started again; the scenario is as you left it."
	return nil
}

// Revive ends a worker that does not answer and has another one run the scenario.
func (c *App) Revive() {
	l := &c.lab
	if l.worker != nil {
		_ = l.worker.Terminate()
	}
	c.Hung, l.task, l.asking, l.holds, c.player.asking = false, 0, 0, false, 0
	if err := l.start(c); err != nil {
		l.fault = err.Error()
		return
	}
	l.edited(c)
	c.Notice = "The simulation was started again; the scenario is as you left it."
}

// row is the row of a job of the results.
func (l *lab) row(index int32) state.Row {
	if l.rows != nil {
		index = l.rows[index]
	}
	return l.shown.Rows.At(int(index))
}

// Busy reports whether something has been under way long enough to say so.
func (c *App) Busy() bool { return c.lab.task != 0 && c.lab.progress.Phase != "" }

// BusyText is what is under way.
func (c *App) BusyText() string {
	p := &c.lab.progress
	if p.Total <= 0 {
		return fmt.Sprintf("%s: %d %s", p.Phase, p.Done, p.Unit)
	}
	return fmt.Sprintf("%s: %d of %d %s", p.Phase, p.Done, p.Total, p.Unit)
}

// BusyPart is the part that is done, for a progress element.
func (c *App) BusyPart() float64 {
	if p := &c.lab.progress; p.Total > 0 {
		return float64(p.Done) / float64(p.Total)
	}
	return 0
}

// Fault is why what was asked last was not done.
func (c *App) Fault() string { return c.lab.fault }
