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

// resultStore stores the results of runs in the database of the browser. Each write adds a database record with
// the results that arrived since the previous write. The keys of these records contain the build of the
// program, because another build may compute other results.
type resultStore struct {
	db      recordStore             // nil if there is none, or until it is open
	build   string                  // file name of the program, which identifies the build
	waiting map[string]sweep.Values // results that are not stored yet, by the key of the run
	saving  bool                    // a write is in progress or scheduled
	last    string                  // the definition that was written last
	err     error                   // the last error of the database; while it is set, nothing is stored
}

// recordStore has the methods of browser.Database that a resultStore calls.
type recordStore interface {
	Keys() ([]string, error)
	ReadAll(keys []string) ([][]byte, error)
	Write(put []browser.Record, drop []string) error
}

const (
	database      = "backfill-lab-experiments"
	runsPrefix    = "runs "
	definitionKey = "definition"
	mergeAbove    = 40          // if a build has more records than this, the method read merges them into one
	savePause     = time.Second // time from a change to the write that stores it
	storeFailure  = "This browser cannot store the results of runs: "
)

// add adds a result to the results that the next write stores.
func (k *resultStore) add(key string, v sweep.Values) {
	if k.waiting == nil {
		k.waiting = map[string]sweep.Values{}
	}
	k.waiting[key] = v
}

// prefix returns the start of the keys of this build's records.
func (k *resultStore) prefix() string { return runsPrefix + k.build + " " }

// newKey returns a key for a new record. The key contains a random number, so that no other tab uses it.
func (k *resultStore) newKey() string {
	return k.prefix() + strconv.FormatInt(time.Now().UnixMilli(), 36) + strconv.FormatUint(uint64(browser.Random()), 36)
}

// read returns the stored results of this build. It deletes unreadable records and records of other builds, and
// merges the records of this build if there are more than mergeAbove.
func (k *resultStore) read() (map[string]sweep.Values, error) {
	keys, err := k.db.Keys()
	if err != nil {
		return nil, err
	}
	var ownKeys, obsoleteKeys []string
	for _, key := range keys {
		switch {
		case strings.HasPrefix(key, k.prefix()):
			ownKeys = append(ownKeys, key)
		case strings.HasPrefix(key, runsPrefix):
			obsoleteKeys = append(obsoleteKeys, key)
		}
	}
	records, err := k.db.ReadAll(ownKeys)
	if err != nil {
		return nil, err
	}
	stored := map[string]sweep.Values{}
	for i, data := range records {
		part := map[string]sweep.Values{}
		if err := json.Unmarshal(data, &part); err != nil {
			obsoleteKeys = append(obsoleteKeys, ownKeys[i]) // delete an unreadable record
			continue
		}
		for key, v := range part {
			stored[key] = v
		}
	}
	var put []browser.Record
	if len(ownKeys) > mergeAbove {
		if data, err := json.Marshal(stored); err == nil {
			put, obsoleteKeys = []browser.Record{{Key: k.newKey(), Data: data}}, slices.Concat(obsoleteKeys, ownKeys)
		}
	}
	if put != nil || obsoleteKeys != nil {
		err = k.db.Write(put, obsoleteKeys)
	}
	return stored, err
}

// takeWaiting returns the waiting results as a record, and empties k.waiting. It returns nil if there are none.
func (k *resultStore) takeWaiting() ([]browser.Record, error) {
	if len(k.waiting) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(k.waiting)
	k.waiting = nil
	return []browser.Record{{Key: k.newKey(), Data: data}}, err
}

// saveSoon waits for the duration savePause, and then stores the waiting results and the definition. It does so in the
// background.
func (k *resultStore) saveSoon(c *Experiments) {
	if k.db == nil || k.saving || k.err != nil || c.Env == nil {
		return
	}
	k.saving = true
	time.AfterFunc(savePause, func() {
		defer browser.Recover("storing results")
		c.Env.Lock()
		put, err := k.takeWaiting()
		if c.text != k.last {
			k.last = c.text
			put = append(put, browser.Record{Key: definitionKey, Data: []byte(c.text)})
		}
		c.Env.UnlockOnly()
		if err == nil && put != nil {
			err = k.db.Write(put, nil)
		}
		c.Env.Lock()
		k.saving = false
		if err != nil {
			k.err = fmt.Errorf("%s%w", storeFailure, err)
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

// loadStored reads the stored results from the database, and shows the stored definition if this tab has none. It
// continues the runs that a reload of the page interrupted. If the user has edited the definition meanwhile, loadStored
// only adds the results.
func (c *Experiments) loadStored(hasText, interrupted bool) {
	if c.Env == nil {
		return
	}
	textBefore := c.text
	go func() {
		defer browser.Recover("reading the stored experiment")
		k, stored, text, err := openStore()
		c.Env.Lock()
		defer c.Env.UnlockRender()
		k.waiting = c.store.waiting
		if c.store = k; err != nil {
			c.store.db, c.store.err = nil, fmt.Errorf("%s%w", storeFailure, err)
		}
		for key, v := range stored {
			c.results.known[key] = v
		}
		if !hasText && text != "" && c.text == textBefore {
			c.SetText(text)
		} else {
			c.check()
		}
		if interrupted && c.text == textBefore {
			c.Run()
		}
	}()
}

// openStore opens the database and returns the results and the definition in it.
func openStore() (k resultStore, stored map[string]sweep.Values, text string, err error) {
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
	if stored, err = k.read(); err != nil {
		return k, nil, "", err
	}
	records, err := db.ReadAll([]string{definitionKey})
	if err == nil && len(records) == 1 {
		text = string(bytes.TrimSpace(records[0]))
	}
	return k, stored, text, err
}

// storeDefinition stores the definition, and whether the runs must continue, so that the page can restore both after
// a reload. Only a short definition goes to the session storage. The database stores definitions of any length.
func (c *Experiments) storeDefinition() {
	if len(c.text) < longText {
		browser.Session.Set(textKey, c.text)
	} else {
		browser.Session.Remove(textKey)
	}
	c.store.saveSoon(c)
	c.markRunning()
}

// markRunning stores whether the next load of the page has to continue the runs, because some are in
// progress or their results are not stored yet.
func (c *Experiments) markRunning() {
	unstored := !c.busy() && c.definition != nil && c.results.done == len(c.results.runs) && c.store.saving
	if c.Running() || unstored {
		browser.Session.Set(runningKey, "true")
	} else {
		browser.Session.Remove(runningKey)
	}
}

// dropAll deletes all stored results in the background, including those of other builds. If that fails, it calls
// onError.
func (k *resultStore) dropAll(onError func(error)) {
	db := k.db
	if db == nil {
		return
	}
	go func() {
		defer browser.Recover("deleting results")
		keys, err := db.Keys()
		if err == nil {
			err = db.Write(nil, slices.DeleteFunc(keys, func(key string) bool { return !strings.HasPrefix(key, runsPrefix) }))
		}
		if err != nil {
			onError(fmt.Errorf("the results could not be deleted: %w", err))
		}
	}()
}
