//go:build js && wasm

package browser

import (
	"errors"

	js "github.com/hack-pad/safejs"
)

// records is the name of the only table of a Database.
const records = "records"

// Database stores bytes by key in the browser's IndexedDB. Its methods block until the
// browser answers, so they must not be called in a callback.
type Database struct{ db js.Value }

// OpenDatabase opens a database, and creates it if necessary. It returns an error if the
// browser forbids storage, as some do in frames or with strict settings.
func OpenDatabase(name string) (*Database, error) {
	request, err := tryGlobal("indexedDB").Call("open", name, 1)
	if err != nil {
		return nil, err
	}
	upgrade := callback("new database", func([]js.Value) {
		_, _ = get(request, "result").Call("createObjectStore", records)
	})
	defer upgrade.Release()
	if err := request.Set("onupgradeneeded", upgrade.Value()); err != nil {
		return nil, err
	}
	if err := waitForEvent(request, "onsuccess", "onerror", "onblocked"); err != nil {
		return nil, err
	}
	return &Database{get(request, "result")}, nil
}

// waitForEvent waits for an event of source, which is a request or a transaction. It returns nil if source raises the
// event `good`. It returns the error of source if source raises one of the events in `bad`.
func waitForEvent(source js.Value, good string, bad ...string) error {
	done := make(chan error, 1)
	tell := func(err func() error) js.Func {
		return callback("database", func([]js.Value) {
			select {
			case done <- err():
			default: // ignore a second event, such as an abort after an error
			}
		})
	}
	ok := tell(func() error { return nil })
	defer ok.Release()
	failed := tell(func() error { return jsError(get(source, "error")) })
	defer failed.Release()
	if err := source.Set(good, ok.Value()); err != nil {
		return err
	}
	for _, name := range bad {
		if err := source.Set(name, failed.Value()); err != nil {
			return err
		}
	}
	return <-done
}

// begin starts a transaction. It returns the transaction and its object store.
func (d *Database) begin(mode string) (t, s js.Value, err error) {
	if t, err = d.db.Call("transaction", records, mode); err == nil {
		s, err = t.Call("objectStore", records)
	}
	return t, s, err
}

// Read returns the bytes stored under a key, or nil if there are none.
func (d *Database) Read(key string) ([]byte, error) {
	v, err := d.ask("get", key)
	if err != nil || v.IsUndefined() {
		return nil, err
	}
	return fromBytes(v, nil)
}

// Keys returns all keys.
func (d *Database) Keys() (keys []string, err error) {
	list, err := d.ask("getAllKeys")
	n := int(number(get(list, "length")))
	for i := range n {
		if k, err := list.Index(i); err == nil {
			keys = append(keys, text(k))
		}
	}
	return keys, err
}

// ReadAll returns, for each key, the bytes stored under the key, or nil if there are none. It reads all keys in one
// transaction.
func (d *Database) ReadAll(keys []string) ([][]byte, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	t, s, err := d.begin("readonly")
	if err != nil {
		return nil, err
	}
	requests := make([]js.Value, len(keys))
	for i, key := range keys {
		if requests[i], err = s.Call("get", key); err != nil {
			return nil, err
		}
	}
	if err := waitForEvent(t, "oncomplete", "onabort", "onerror"); err != nil {
		return nil, err
	}
	out := make([][]byte, len(keys))
	for i, r := range requests {
		if v := get(r, "result"); !v.IsUndefined() {
			if out[i], err = fromBytes(v, nil); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// ask starts a read-only transaction, calls the given method of its object store, and returns the result.
func (d *Database) ask(method string, args ...any) (js.Value, error) {
	_, s, err := d.begin("readonly")
	if err != nil {
		return js.Undefined(), err
	}
	request, err := s.Call(method, args...)
	if err == nil {
		err = waitForEvent(request, "onsuccess", "onerror")
	}
	return get(request, "result"), err
}

// Write stores the given records and deletes the records with the given keys, in one transaction.
func (d *Database) Write(put []Record, drop []string) error {
	t, s, err := d.begin("readwrite")
	if err != nil {
		return err
	}
	for _, r := range put {
		data, err := toBytes(r.Data)
		if err != nil {
			return err
		}
		if _, err := s.Call("put", data, r.Key); err != nil {
			return err
		}
	}
	for _, key := range drop {
		if _, err := s.Call("delete", key); err != nil {
			return err
		}
	}
	return waitForEvent(t, "oncomplete", "onabort", "onerror")
}

// AcquireLock acquires a lock that only one page of this site can hold. It returns false if
// another page holds the lock. The browser releases the lock when the page is closed or
// crashes.
func AcquireLock(name string) (bool, error) {
	locks := get(global("navigator"), "locks")
	if !truthy(locks) {
		return false, errors.New("this browser does not support the Web Locks API")
	}
	forever, err := global("Promise").New(callback("lock", func([]js.Value) {}).Value())
	if err != nil {
		return false, err
	}
	got := make(chan bool, 1)
	granted, err := js.FuncOf(func(_ js.Value, args []js.Value) any {
		got <- truthy(arg(args, 0))
		return forever
	})
	if err != nil {
		return false, err
	}
	promise, err := locks.Call("request", name, map[string]any{"ifAvailable": true}, granted.Value())
	if err != nil {
		return false, err
	}
	refused := make(chan error, 1)
	no := callback("lock", func(args []js.Value) { refused <- jsError(arg(args, 0)) })
	if _, err := promise.Call("catch", no.Value()); err != nil {
		return false, err
	}
	select {
	case ok := <-got:
		return ok, nil
	case err := <-refused:
		return false, err
	}
}
