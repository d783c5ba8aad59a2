package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
)

// keeper stores the results of runs in the database of the browser. A record holds the results
// that arrived within a second, by the key of the run. Its own key begins with the build of the
// program, because another build may compute other results.
type keeper struct {
	db      store // nil if there is none, or until it is open
	build   string
	waiting map[string]sweep.Values // results that are not stored yet
	saving  bool                    // a write is under way or scheduled
	last    string                  // the definition as it was stored last
	err     error                   // why the browser stores nothing
}

// store is the database as the keeper uses it.
type store interface {
	Keys() ([]string, error)
	ReadAll(keys []string) ([][]byte, error)
	Write(put []browser.Record, drop []string) error
}

const (
	database    = "backfill-lab-experiments"
	runsPrefix  = "runs "
	definedKey  = "definition"
	mergeAbove  = 40          // number of records that are merged into one
	savePause   = time.Second // time between two writes
	loadMessage = "Results of earlier runs cannot be kept in this browser: "
)

// add notes a result that is to be stored.
func (k *keeper) add(key string, v sweep.Values) {
	if k.waiting == nil {
		k.waiting = map[string]sweep.Values{}
	}
	k.waiting[key] = v
}

// prefix returns the start of the keys of this build's records.
func (k *keeper) prefix() string { return runsPrefix + k.build + " " }

// newKey returns a key that no other tab uses.
func (k *keeper) newKey() string {
	return k.prefix() + strconv.FormatInt(time.Now().UnixMilli(), 36) + strconv.FormatUint(uint64(browser.Random()), 36)
}

// read returns the stored results of this build. It deletes those of other builds, and merges
// records if there are many.
func (k *keeper) read() (map[string]sweep.Values, error) {
	keys, err := k.db.Keys()
	if err != nil {
		return nil, err
	}
	var mine, others []string
	for _, key := range keys {
		switch {
		case strings.HasPrefix(key, k.prefix()):
			mine = append(mine, key)
		case strings.HasPrefix(key, runsPrefix):
			others = append(others, key)
		}
	}
	records, err := k.db.ReadAll(mine)
	if err != nil {
		return nil, err
	}
	found := map[string]sweep.Values{}
	for i, data := range records {
		part := map[string]sweep.Values{}
		if err := json.Unmarshal(data, &part); err != nil {
			others = append(others, mine[i]) // an unreadable record would be unreadable forever
			continue
		}
		for key, v := range part {
			found[key] = v
		}
	}
	var put []browser.Record
	if len(mine) > mergeAbove {
		if data, err := json.Marshal(found); err == nil {
			put, others = []browser.Record{{Key: k.newKey(), Data: data}}, slices.Concat(others, mine)
		}
	}
	if put != nil || others != nil {
		err = k.db.Write(put, others)
	}
	return found, err
}

// take returns the waiting results as a record.
func (k *keeper) take() ([]browser.Record, error) {
	if len(k.waiting) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(k.waiting)
	k.waiting = nil
	return []browser.Record{{Key: k.newKey(), Data: data}}, err
}

// saveSoon stores the waiting results and the definition after a pause, in the background.
func (k *keeper) saveSoon(c *Experiments) {
	if k.db == nil || k.saving || k.err != nil || c.Env == nil {
		return
	}
	k.saving = true
	time.AfterFunc(savePause, func() {
		defer browser.Recover("keeping results")
		c.Env.Lock()
		put, err := k.take()
		if c.text != k.last {
			k.last = c.text
			put = append(put, browser.Record{Key: definedKey, Data: []byte(c.text)})
		}
		c.Env.UnlockOnly()
		if err == nil && put != nil {
			err = k.db.Write(put, nil)
		}
		c.Env.Lock()
		k.saving = false
		if err != nil {
			k.err = fmt.Errorf("%s%w", loadMessage, err)
			c.Env.UnlockRender()
			return
		}
		if k.waiting != nil {
			k.saveSoon(c)
		}
		c.markRunning()
		c.Env.UnlockOnly()
	})
}

// load opens the database, and takes over what it holds: results, and the last definition unless
// this tab has its own. It continues the runs that a reload interrupted.
func (c *Experiments) load(own, interrupted bool) {
	if c.Env == nil {
		return
	}
	at := c.text
	go func() {
		defer browser.Recover("experiments of this browser")
		k, found, text, err := openKeeper()
		c.Env.Lock()
		defer c.Env.UnlockRender()
		k.waiting = c.keep.waiting
		if c.keep = k; err != nil {
			c.keep.db, c.keep.err = nil, fmt.Errorf("%s%w", loadMessage, err)
		}
		for key, v := range found {
			c.found.known[key] = v
		}
		if !own && text != "" && c.text == at {
			c.SetText(text)
		} else {
			c.check()
		}
		if interrupted && c.text == at {
			c.Run()
		}
	}()
}

// openKeeper opens the database and returns the results and the definition in it.
func openKeeper() (k keeper, found map[string]sweep.Values, text string, err error) {
	about, err := browser.Call("labAbout")
	if err != nil {
		return k, nil, "", err
	}
	k.build, _, _ = strings.Cut(fmt.Sprint(about), " ")
	db, err := browser.OpenDatabase(database)
	if err != nil {
		return k, nil, "", err
	}
	k.db = db
	if found, err = k.read(); err != nil {
		return k, nil, "", err
	}
	records, err := db.ReadAll([]string{definedKey})
	if err == nil && len(records) == 1 {
		text = string(bytes.TrimSpace(records[0]))
	}
	return k, found, text, err
}

// remember keeps the definition, and whether runs are under way, for a reload of this tab.
func (c *Experiments) remember() {
	if len(c.text) < longText {
		browser.Session.Set(textKey, c.text)
	} else {
		browser.Session.Remove(textKey)
	}
	c.keep.saveSoon(c)
	c.markRunning()
}

// markRunning remembers whether a reload has to continue: runs are under way, or their last results are
// not stored yet.
func (c *Experiments) markRunning() {
	unstored := !c.busy() && c.d != nil && c.found.made == len(c.found.runs) && c.keep.saving
	if c.Running() || unstored {
		browser.Session.Set(runningKey, "true")
	} else {
		browser.Session.Remove(runningKey)
	}
}

// ForgetRuns deletes all stored results.
func (c *Experiments) ForgetRuns() {
	c.Cancel()
	clear(c.found.known)
	c.keep.waiting = nil
	c.check()
	c.said = "All stored results are deleted."
	db, prefix := c.keep.db, runsPrefix
	if db == nil {
		return
	}
	go func() {
		defer browser.Recover("deleting results")
		keys, err := db.Keys()
		if err == nil {
			err = db.Write(nil, slices.DeleteFunc(keys, func(key string) bool { return !strings.HasPrefix(key, prefix) }))
		}
		if err != nil {
			c.Env.Lock()
			c.keep.err = fmt.Errorf("the results could not be deleted: %w", err)
			c.Env.UnlockRender()
		}
	}()
}
