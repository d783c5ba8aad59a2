package files

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
)

// A document that is too large for an address is kept as records in a database: a
// head, with all but the jobs, which names the parts of the table, and a record for
// each of these. Records are as links, so that both bring back the same. The keys
// begin with the name of the page that wrote them.

// headKey returns the key of the head; the others end in a number.
func headKey(page string) string { return page + "/head" }

func partKey(page string, n int) string { return page + "/" + strconv.Itoa(n) }

// pageOf returns the page that wrote a record.
func pageOf(key string) string {
	page, _, _ := strings.Cut(key, "/")
	return page
}

// head is what the first record says.
type head struct {
	At     int64 // when it was written, in milliseconds
	Jobs   int
	Source string // of the jobs, in words
	Parts  []int
	Frame  []byte // a link without jobs
}

var errKept = errors.New("it was not written whole")

func (h *head) bytes() []byte {
	out := binary.AppendVarint(nil, h.At)
	out = binary.AppendUvarint(out, uint64(h.Jobs))
	out = binary.AppendUvarint(out, uint64(len(h.Source)))
	out = append(out, h.Source...)
	out = binary.AppendUvarint(out, uint64(len(h.Parts)))
	for _, n := range h.Parts {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return append(out, h.Frame...)
}

// headOf reads a head.
func headOf(data []byte) (h head, err error) {
	next := func() int {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > 1<<50 {
			err, n, v = errKept, len(data), 0
		}
		data = data[n:]
		return int(v)
	}
	at, n := binary.Varint(data)
	if n <= 0 {
		return h, errKept
	}
	data = data[n:]
	h.At, h.Jobs = at, next()
	if n := next(); n <= len(data) {
		h.Source, data = string(data[:n]), data[n:]
	}
	for n := next(); n > 0 && err == nil; n-- {
		h.Parts = append(h.Parts, next())
	}
	h.Frame = data
	return h, err
}

// partBytes returns the record of a part of the document: which rows may stand as they
// came, though they break a rule, and a link of the rows.
func partBytes(d *document.Doc, rows document.Rows) []byte {
	var excused []int
	for i, r := range rows.All() {
		if d.Excused(r) {
			excused = append(excused, i)
		}
	}
	out := binary.AppendUvarint(nil, uint64(len(excused)))
	for _, i := range excused {
		out = binary.AppendUvarint(out, uint64(i))
	}
	s := scenario.Scenario{}
	s.Machine.Nodes, s.Machine.Processors, s.Machine.Cores = 1, 1, 1
	s.Machine.Resources = d.Scenario().Machine.Resources
	doc := link.Document{Scenario: &s}
	linkRows(&doc, d, rows, nil)
	return append(out, link.Pack(&doc)...)
}

// partOf reads the record of a part.
func partOf(data []byte) (rows document.Rows, excused []document.Row, err error) {
	var places []int
	count, n := binary.Uvarint(data)
	for ; n > 0 && count > 0; count-- {
		var i uint64
		data = data[n:]
		i, n = binary.Uvarint(data)
		places = append(places, int(i))
	}
	if n <= 0 {
		return rows, nil, errKept
	}
	l, err := link.Unpack(data[n:])
	if err != nil {
		return rows, nil, err
	}
	list, err := document.JobRows(l.Scenario)
	if err != nil {
		return rows, nil, err
	}
	if _, err := retype(list, l.Typed, len(l.Scenario.Machine.Resources)); err != nil {
		return rows, nil, err
	}
	for _, i := range places {
		if i >= len(list) {
			return rows, nil, errKept
		}
		excused = append(excused, list[i])
	}
	return document.NewRows(list), excused, nil
}

// keptDoc reads a document, letting the page work meanwhile.
func keptDoc(h *head, read func(part int) ([]byte, error), pause func(done int) error) (document.Doc, error) {
	l, err := link.Unpack(h.Frame)
	if err != nil {
		return document.Doc{}, err
	}
	d := retyped(document.FromScenario(l.Scenario, document.Rows{}), l.Typed)
	var lists []document.Rows
	var excused []document.Row
	done := 0
	for _, n := range h.Parts {
		data, err := read(n)
		if err != nil {
			return d, err
		}
		rows, some, err := partOf(data)
		if err != nil {
			return d, err
		}
		lists, excused = append(lists, rows), append(excused, some...)
		done += rows.Len()
		if err := pause(done); err != nil {
			return d, err
		}
	}
	d.Rows = document.Joined(lists)
	d.Origin, d.Source = d.Rows, h.Source
	d.ExcuseRows(excused)
	return d, nil
}

// keeper writes a document, only what is not there yet.
type keeper struct {
	page  string
	there map[document.Part]int // what the database has of the table
	last  int                   // the number of the last record
	stale []string              // records to be dropped with the next head
}

const partsAtOnce = 8 // a quarter of a megabyte

// keep writes what has changed; the head last, so that at every moment the database
// holds a whole document.
func (k *keeper) keep(d *document.Doc, h head, write func([]browser.Record, []string) error, pause func(done int) error) error {
	there := make(map[document.Part]int, len(k.there))
	var batch []browser.Record
	for _, p := range d.Rows.Parts() {
		n, ok := k.there[p]
		if !ok {
			k.last++
			n = k.last
			k.stale = append(k.stale, partKey(k.page, n)) // until a head names it
			batch = append(batch, browser.Record{Key: partKey(k.page, n), Data: partBytes(d, p.Rows())})
		}
		there[p] = n
		h.Parts = append(h.Parts, n)
		if err := pause(0); err != nil {
			return err
		}
		if len(batch) == partsAtOnce {
			if err := write(batch, nil); err != nil {
				return err
			}
			batch = nil
		}
	}
	batch = append(batch, browser.Record{Key: headKey(k.page), Data: h.bytes()})
	drop := k.unnamed(there)
	if err := write(batch, drop); err != nil {
		return err
	}
	k.there, k.stale = there, nil
	return nil
}

// unnamed returns the records that a head which names some parts leaves out.
func (k *keeper) unnamed(there map[document.Part]int) (drop []string) {
	named := make(map[string]bool, len(there))
	for _, n := range there {
		named[partKey(k.page, n)] = true
	}
	for _, key := range k.stale {
		if !named[key] {
			drop = append(drop, key)
		}
	}
	for p, n := range k.there {
		if _, ok := there[p]; !ok {
			drop = append(drop, partKey(k.page, n))
		}
	}
	return drop
}
