package files

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// autosave keeps what is too large for the address, in the browser's database. A page
// has records of its own, under a name that its tab remembers and that no other page
// may take as long as it lives.
type autosave struct {
	db      *browser.Database // nil: none, or none yet
	opened  bool              // whether there is one is known
	keeper  keeper
	busy    bool
	again   bool // there were edits since the writing began
	holds   bool // the database has a document of this page
	refused bool // nothing more can be stored
	found   []leftover
}

// leftover is the work of a page that is gone.
type leftover struct {
	page string
	keys []string
	head head
}

const (
	database      = "backfill-lab"
	mostLeftovers = 3
)

// head returns the head of the records of the document.
func (c *Files) head(at int64) head {
	return head{At: at, Jobs: c.Doc().Rows.Len(), Source: c.Doc().Source, Frame: link.Pack(c.linkedFrame())}
}

// start looks for what was kept. What this tab had is opened, unless the address says
// what to show, or opening it has ended the program before: then it is offered.
//
// In a frame nothing is kept, looked for or offered: the page around it could have the
// person open their work there, and ask for it.
func (a *autosave) start(c *Files, told bool) {
	if browser.Framed() {
		a.opened, a.refused = true, true
		return
	}
	page, _ := browser.Session.Get("page")
	if _, failed := browser.Session.Get("opening"); failed || told {
		browser.Session.Remove("opening")
		page = ""
	}
	go func() {
		defer browser.Recover("what was kept")
		db, err := browser.OpenDatabase(database)
		if err == nil {
			page, err = name(page)
		}
		var all []leftover
		if err == nil {
			all, err = leftovers(db, page)
		}
		a.take(c, db, page, all, err)
	}()
}

// name takes a name for this page, the one that its tab remembers if it can be had: a
// tab that was duplicated has the name of a page that lives.
func name(page string) (string, error) {
	for tries := 0; ; tries++ {
		if page == "" || tries == 4 {
			page = strconv.FormatUint(uint64(browser.Random()), 36)
		}
		mine, err := browser.Hold(database + " " + page)
		if mine || err != nil {
			browser.Session.Set("page", page)
			return page, err
		}
		time.Sleep(150 * time.Millisecond) // a page that was reloaded may not be gone yet
	}
}

// leftovers returns what pages that are gone have left, that of this one first, then the
// newest. Older ones are forgotten.
func leftovers(db *browser.Database, page string) ([]leftover, error) {
	keys, err := db.Keys()
	if err != nil {
		return nil, err
	}
	var own, others []leftover
	var drop []string
	for _, l := range byPage(keys) {
		if l.page != page {
			if free, err := browser.Hold(database + " " + l.page); err != nil || !free {
				continue
			}
		}
		data, err := db.Read(headKey(l.page))
		if err == nil {
			l.head, err = headOf(data)
		}
		switch {
		case err != nil:
			drop = append(drop, l.keys...)
		case l.page == page:
			own = append(own, l)
		default:
			others = insert(others, l)
		}
	}
	for len(others) > mostLeftovers {
		drop, others = append(drop, others[mostLeftovers].keys...), append(others[:mostLeftovers:mostLeftovers], others[mostLeftovers+1:]...)
	}
	if len(drop) > 0 {
		_ = db.Write(nil, drop)
	}
	return append(own, others...), nil
}

// byPage groups keys by the page that wrote them. The keys of a page lie together.
func byPage(keys []string) (all []leftover) {
	for _, key := range keys {
		if n := len(all); n == 0 || all[n-1].page != pageOf(key) {
			all = append(all, leftover{page: pageOf(key)})
		}
		l := &all[len(all)-1]
		l.keys = append(l.keys, key)
	}
	return all
}

// insert keeps the newest in front.
func insert(list []leftover, l leftover) []leftover {
	i := 0
	for i < len(list) && list[i].head.At > l.head.At {
		i++
	}
	return append(list[:i:i], append([]leftover{l}, list[i:]...)...)
}

// take takes over what was found: the work of this tab is opened, other work offered.
func (a *autosave) take(c *Files, db *browser.Database, page string, all []leftover, err error) {
	c.Env.Lock()
	a.opened, a.refused, a.keeper.page = true, err != nil, page
	if err == nil {
		a.db = db
	}
	own := len(all) > 0 && all[0].page == page
	if a.found, a.busy = all, own; own { // nothing is written until it is read
		a.found = all[1:]
	}
	c.Env.UnlockRender()
	if own {
		c.reopen(&all[0], true)
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	a.busy = false
	a.settle(c)
}

// reopen opens work that was kept, in steps, unless something is edited meanwhile.
func (c *Files) reopen(l *leftover, first bool) {
	defer browser.Session.Remove("opening")
	browser.Session.Set("opening", l.page)
	a := &c.autosave
	c.Env.Lock()
	edits := c.Edits
	c.Editing = protocol.Progress{Phase: "Opening your work", Total: int64(l.head.Jobs), Unit: "jobs"}
	c.EditCancelled = false
	c.Env.UnlockRender()
	d, err := keptDoc(&l.head, func(n int) ([]byte, error) { return a.db.Read(partKey(l.page, n)) },
		c.Pacing(func() bool { return c.Edits == edits && !c.EditCancelled }))
	if err == session.ErrChanged && first { // it is offered, under the name that it has
		a.keeper.page, _ = name("")
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	c.Editing = protocol.Progress{}
	switch {
	case err == session.ErrChanged:
		a.found = append(a.found, *l)
	case err != nil:
		c.Notice = "What was kept of your work cannot be read: " + err.Error() + "."
		a.forget(l)
	default:
		a.adopt(l, &d)
		c.reopened(d, first && edits == c.Edits)
	}
}

// reopened makes it the document; undo leads back to what was edited before.
func (c *Files) reopened(d document.Doc, first bool) {
	s := &c.link
	s.payload, s.length, s.jobs = "", d.Rows.Len(), d.Rows.Len() // it was too long
	if first {
		c.Session.Open(d)
		c.Events.JobsReplaced()
		c.Changed()
	} else {
		c.Replace(d)
	}
	c.Notice = fmt.Sprintf("Your work is as you left it: %s.", widgets.Count(d.Rows.Len(), "job"))
}

// adopt makes the records of a leftover those of this page.
func (a *autosave) adopt(l *leftover, d *document.Doc) {
	k := &a.keeper
	if l.page != k.page {
		k.stale = append(k.stale, l.keys...)
		return
	}
	k.there, a.holds = map[document.Part]int{}, true
	parts := d.Rows.Parts()
	for i, n := range l.head.Parts {
		if k.last = max(k.last, n); len(parts) == len(l.head.Parts) {
			k.there[parts[i]] = n
		}
	}
	for _, key := range l.keys {
		_, number, _ := strings.Cut(key, "/")
		n, _ := strconv.Atoi(number)
		k.last = max(k.last, n)
		if number != "head" {
			k.stale = append(k.stale, key)
		}
	}
}

// forget drops the records of a leftover.
func (a *autosave) forget(l *leftover) {
	go func() {
		defer browser.Recover("what was kept")
		_ = a.db.Write(nil, l.keys)
	}()
}

// settle keeps the document, or forgets it as soon as the address holds it. It is
// called whenever that is known.
func (a *autosave) settle(c *Files) {
	switch {
	case a.db == nil || a.refused:
	case a.busy:
		a.again = true
	case c.link.length > 0:
		a.save(c)
	case a.holds:
		a.clear(c)
	}
}

// save writes the document aside, as often as it has changed meanwhile.
func (a *autosave) save(c *Files) {
	if a.db == nil || a.refused || a.busy {
		return
	}
	a.busy, a.again, a.holds = true, false, true
	d, h := *c.Doc(), c.head(time.Now().UnixMilli())
	go func() {
		defer browser.Recover("keeping the scenario")
		var pace browser.Pace
		a.done(c, a.keeper.keep(&d, h, a.db.Write, func(int) error {
			pace.Breathe()
			return nil
		}))
	}()
}

// clear drops what is kept of this page.
func (a *autosave) clear(c *Files) {
	a.busy, a.again, a.holds = true, false, false
	k := &a.keeper
	drop := append(k.unnamed(nil), headKey(k.page))
	k.there, k.stale = nil, nil
	go func() {
		defer browser.Recover("keeping the scenario")
		a.done(c, a.db.Write(nil, drop))
	}()
}

func (a *autosave) done(c *Files, err error) {
	c.Env.Lock()
	a.busy = false
	if err != nil {
		a.refused = true
		c.Env.UnlockRender() // the page says so
		return
	}
	defer c.Env.UnlockOnly()
	if a.again {
		a.settle(c)
	}
}
