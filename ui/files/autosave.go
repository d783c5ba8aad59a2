package files

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// autosave saves a document in the browser's database if it is too large for the address. Each page
// has a random name, and stores its records under this name. The browser tab remembers the name.
// The page holds a lock on the name, so that no other page uses it.
type autosave struct {
	db          *browser.Database // nil if there is none, or until it is open
	opened      bool              // the attempt to open the database has finished
	saver       documentSaver
	busy        bool            // a read or write is in progress
	editedSince bool            // the document was edited since the write began
	hasDocument bool            // the database has a document of this page
	refused     bool            // the browser has refused to store something, so the page stores nothing more
	found       []autosavedWork // work of other pages that the user may reopen
}

// autosavedWork is the work of a page that was closed or crashed, as autosave stored it.
type autosavedWork struct {
	page string   // name of the page
	keys []string // keys of the records of the page
	head head
}

const (
	database   = "backfill-lab"
	maxOffered = 3
)

// head returns the head record of the document. The record contains the given time of saving, in milliseconds since
// 1970.
func (c *Files) head(at int64) head {
	return head{At: at, Jobs: c.Doc().Rows.Len(), Source: c.Doc().Source, Lesson: c.lessons.Draft(), LinkWithoutJobs: link.Pack(linkWithoutJobs(c.Doc())), Report: c.storedReport()}
}

// start opens the database and looks for autosaved work. It opens the work of this tab. If the address has a
// scenario, or if opening the work has crashed the page before, it only offers to open the work.
//
// In a frame, autosave is off. Otherwise the embedding page could trick users into opening their
// autosaved work, and read it.
func (a *autosave) start(c *Files, linked bool) {
	if browser.Framed() {
		a.opened, a.refused = true, true
		return
	}
	page, _ := browser.Session.Get("page")
	if _, failed := browser.Session.Get("opening"); failed || linked {
		browser.Session.Remove("opening")
		page = ""
	}
	go func() {
		defer browser.Recover("looking for unsaved work")
		db, err := browser.OpenDatabase(database)
		if err == nil {
			page, err = claimName(page)
		}
		var all []autosavedWork
		if err == nil {
			all, err = readAutosavedWork(db, page)
		}
		a.receiveFound(c, db, page, all, err)
	}()
}

// claimName locks a name for this page and returns it. It first tries the name that the tab
// remembers. If the tab is a duplicate of another open tab, this name is in use, so claimName makes
// a new one.
func claimName(page string) (string, error) {
	for tries := 0; ; tries++ {
		if page == "" || tries == 4 {
			page = browser.RandomName()
		}
		mine, err := browser.AcquireLock(database + " " + page)
		if mine || err != nil {
			browser.Session.Set("page", page)
			return page, err
		}
		time.Sleep(150 * time.Millisecond) // after a reload, the old page may still hold the lock
	}
}

// readAutosavedWork returns the autosaved work of this tab, followed by the work of other closed pages, from the
// newest to the oldest. It returns at most maxOffered items of other pages, and deletes older items and unreadable
// records.
func readAutosavedWork(db *browser.Database, page string) ([]autosavedWork, error) {
	keys, err := db.Keys()
	if err != nil {
		return nil, err
	}
	var own, others []autosavedWork
	var drop []string
	for _, l := range byPage(keys) {
		if l.page != page {
			if free, err := browser.AcquireLock(database + " " + l.page); err != nil || !free {
				continue
			}
		}
		data, err := db.Read(headKey(l.page))
		if err == nil {
			l.head, err = decodeHead(data)
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
	for len(others) > maxOffered {
		drop, others = append(drop, others[maxOffered].keys...), append(others[:maxOffered:maxOffered], others[maxOffered+1:]...)
	}
	if len(drop) > 0 {
		_ = db.Write(nil, drop)
	}
	return append(own, others...), nil
}

// byPage groups keys by the page that wrote them. The keys of a page must be adjacent.
func byPage(keys []string) (all []autosavedWork) {
	for _, key := range keys {
		if n := len(all); n == 0 || all[n-1].page != pageOf(key) {
			all = append(all, autosavedWork{page: pageOf(key)})
		}
		l := &all[len(all)-1]
		l.keys = append(l.keys, key)
	}
	return all
}

// insert inserts l into a list that is sorted from the newest to the oldest.
func insert(list []autosavedWork, l autosavedWork) []autosavedWork {
	i := 0
	for i < len(list) && list[i].head.At > l.head.At {
		i++
	}
	return append(list[:i:i], append([]autosavedWork{l}, list[i:]...)...)
}

// receiveFound stores the result of the search for autosaved work. It opens the work of this tab, and offers the
// work of other tabs.
func (a *autosave) receiveFound(c *Files, db *browser.Database, page string, all []autosavedWork, err error) {
	c.Env.Lock()
	a.opened, a.refused, a.saver.page = true, err != nil, page
	if err == nil {
		a.db = db
	}
	own := len(all) > 0 && all[0].page == page
	if a.found, a.busy = all, own; own { // do not write until the work of this tab is read
		a.found = all[1:]
	}
	c.Env.UnlockRender()
	if own {
		c.reopen(&all[0], true)
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	a.busy = false
	a.saveOrClear(c)
}

// reopen opens autosaved work in steps. It stops if the user edits the document meanwhile. The argument `first` is true
// if the page has just been opened and the work was saved in the same tab.
func (c *Files) reopen(l *autosavedWork, first bool) {
	defer browser.Session.Remove("opening")
	browser.Session.Set("opening", l.page)
	a := &c.autosave
	c.Env.Lock()
	edits := c.Edits
	c.EditProgress = protocol.Progress{Phase: "Opening your work", Total: int64(l.head.Jobs), Unit: "jobs"}
	c.EditCancelled = false
	c.Env.UnlockRender()
	d, err := savedDocument(&l.head, func(n int) ([]byte, error) { return a.db.Read(partKey(l.page, n)) },
		c.StepPacer(func() bool { return c.Edits == edits && !c.EditCancelled }))
	l.head.Report, _ = a.db.Read(reportKey(l.page)) // without a report, the work is still complete
	if err == session.ErrChanged && first {         // the page now offers this work, whose records keep the old name, so the page needs a new name
		a.saver.page, _ = claimName("")
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	c.EditProgress = protocol.Progress{}
	switch {
	case err == session.ErrChanged:
		a.found = append(a.found, *l)
	case err != nil:
		c.Notice = fmt.Sprintf("Your unsaved work could not be recovered: %v.", err)
		a.forget(l)
	default:
		a.adopt(l, &d)
		c.showReopened(d, first && edits == c.Edits)
		c.restoreReport(l.head.Report)
	}
}

// showReopened replaces the document with the reopened work. Undo restores the previous document, unless the page has
// just been opened.
func (c *Files) showReopened(d document.Doc, first bool) {
	s := &c.link
	s.payload, s.length, s.jobs = "", d.Rows.Len(), d.Rows.Len() // only work too long for a link is saved
	if first {
		c.Session.Open(d)
		c.Events.JobsReplaced()
		c.HandleChange()
	} else {
		c.Replace(d)
	}
	c.Notice = fmt.Sprintf("Recovered your work: %s.", format.Count(d.Rows.Len(), "job"))
}

// adopt takes over the records of reopened work, so that the next save writes only what has changed. If another page
// wrote the records, the next save deletes them.
func (a *autosave) adopt(l *autosavedWork, d *document.Doc) {
	k := &a.saver
	if l.page != k.page {
		k.stale = append(k.stale, l.keys...)
		return
	}
	k.stored, a.hasDocument = map[document.Part]int{}, true
	parts := d.Rows.Parts()
	for i, n := range l.head.Parts {
		if k.last = max(k.last, n); len(parts) == len(l.head.Parts) {
			k.stored[parts[i]] = n
		}
	}
	for _, key := range l.keys {
		if key == reportKey(k.page) {
			k.hasReport = true
			continue
		}
		_, number, _ := strings.Cut(key, "/")
		n, _ := strconv.Atoi(number)
		k.last = max(k.last, n)
		if number != "head" {
			k.stale = append(k.stale, key)
		}
	}
}

// forget deletes the records of autosaved work in the background.
func (a *autosave) forget(l *autosavedWork) {
	go func() {
		defer browser.Recover("deleting the stored copy of your work")
		_ = a.db.Write(nil, l.keys)
	}()
}

// saveOrClear saves the document in the database if it is too long for the address. Otherwise it deletes the copy in
// the database. It runs after each update of the fragment. While the database is busy, it only notes that it
// must run again.
func (a *autosave) saveOrClear(c *Files) {
	switch {
	case a.db == nil || a.refused:
	case a.busy:
		a.editedSince = true
	case c.link.length > 0:
		a.save(c)
	case a.hasDocument:
		a.clear(c)
	}
}

// save writes the document in the background. If the document is edited during the write, writeDone starts another
// save.
func (a *autosave) save(c *Files) {
	if a.db == nil || a.refused || a.busy {
		return
	}
	a.busy, a.editedSince, a.hasDocument = true, false, true
	d, h := *c.Doc(), c.head(time.Now().UnixMilli())
	go func() {
		defer browser.Recover("saving the scenario in the browser")
		var pace browser.Pace
		a.writeDone(c, a.saver.save(&d, h, a.db.Write, func(int) error {
			pace.YieldIfDue()
			return nil
		}))
	}()
}

// clear deletes the saved document of this page.
func (a *autosave) clear(c *Files) {
	a.busy, a.editedSince, a.hasDocument = true, false, false
	k := &a.saver
	drop := append(k.unlisted(nil), headKey(k.page), reportKey(k.page))
	k.stored, k.stale, k.hasReport = nil, nil, false
	go func() {
		defer browser.Recover("deleting the stored copy of your work")
		a.writeDone(c, a.db.Write(nil, drop))
	}()
}

// writeDone runs after each write. If the write failed, the page no longer saves the document. If the document was
// edited during the write, writeDone calls saveOrClear.
func (a *autosave) writeDone(c *Files, err error) {
	c.Env.Lock()
	a.busy = false
	if err != nil {
		a.refused = true
		c.Env.UnlockRender() // to show the warning
		return
	}
	defer c.Env.UnlockOnly()
	if a.editedSince {
		a.saveOrClear(c)
	}
}
