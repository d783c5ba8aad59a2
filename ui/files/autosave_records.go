package files

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
)

// A saved document is a set of database records. The part records hold the rows of the table. The head record
// lists the part records, and holds everything except the jobs. Both kinds use the encoding of links, so a
// saved document and a link restore the same document. Another record holds the report on the opened file, if
// there is one. The key of a record begins with the name of the page that wrote it.

// headKey returns the key of the head record of a page.
func headKey(page string) string { return page + "/head" }

// partKey returns the key of part record n of a page.
func partKey(page string, n int) string { return page + "/" + strconv.Itoa(n) }

// reportKey returns the key of the record with the report on the opened file.
func reportKey(page string) string { return page + "/report" }

// pageOf returns the name of the page that wrote the record with this key.
func pageOf(key string) string {
	page, _, _ := strings.Cut(key, "/")
	return page
}

// head is the content of the head record, which describes a saved document.
type head struct {
	At              int64  // time of writing in milliseconds since 1970
	Jobs            int    // number of jobs
	Source          string // where the jobs come from, in words
	Parts           []int  // numbers of the part records in table order
	Lesson          []byte // file of the lesson that was being written, nil if there was none
	LinkWithoutJobs []byte // a link without jobs
	Report          []byte // the report on the opened file, nil if there is none; not part of the head record (see reportKey)
}

// errTruncated is the error for a truncated record.
var errTruncated = errors.New("the stored copy is incomplete")

// bytes encodes the head record, which begins with the time. A negative time shows that the record contains a lesson.
func (h *head) bytes() []byte {
	at := h.At
	if h.Lesson != nil {
		at = -at
	}
	out := binary.AppendVarint(nil, at)
	out = binary.AppendUvarint(out, uint64(h.Jobs))
	out = binary.AppendUvarint(out, uint64(len(h.Source)))
	out = append(out, h.Source...)
	out = binary.AppendUvarint(out, uint64(len(h.Parts)))
	for _, n := range h.Parts {
		out = binary.AppendUvarint(out, uint64(n))
	}
	if h.Lesson != nil {
		out = binary.AppendUvarint(out, uint64(len(h.Lesson)))
		out = append(out, h.Lesson...)
	}
	return append(out, h.LinkWithoutJobs...)
}

// decodeHead decodes a head record.
func decodeHead(data []byte) (h head, err error) {
	next := func() int {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > 1<<50 {
			err, n, v = errTruncated, len(data), 0
		}
		data = data[n:]
		return int(v)
	}
	at, n := binary.Varint(data)
	if n <= 0 {
		return h, errTruncated
	}
	data = data[n:]
	h.At, h.Jobs = at, next()
	if n := next(); n <= len(data) {
		h.Source, data = string(data[:n]), data[n:]
	}
	for n := next(); n > 0 && err == nil; n-- {
		h.Parts = append(h.Parts, next())
	}
	if at < 0 {
		h.At = -at
		if n := next(); n <= len(data) {
			h.Lesson, data = data[:n], data[n:]
		} else if err == nil {
			err = errTruncated
		}
	}
	h.LinkWithoutJobs = data
	return h, err
}

// partBytes encodes a part of the table: the indexes of its excused rows, and a link that contains
// its rows. An excused row is invalid but was accepted, because the data rules repair it.
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

// decodePart decodes the record of a part.
func decodePart(data []byte) (rows document.Rows, excused []document.Row, err error) {
	var places []int
	count, n := binary.Uvarint(data)
	for ; n > 0 && count > 0; count-- {
		var i uint64
		data = data[n:]
		i, n = binary.Uvarint(data)
		places = append(places, int(i))
	}
	if n <= 0 {
		return rows, nil, errTruncated
	}
	l, err := link.Unpack(data[n:])
	if err != nil {
		return rows, nil, err
	}
	list, err := document.JobRows(l.Scenario)
	if err != nil {
		return rows, nil, err
	}
	if _, err := applyTyped(list, l.Typed, len(l.Scenario.Machine.Resources)); err != nil {
		return rows, nil, err
	}
	for _, i := range places {
		if i >= len(list) {
			return rows, nil, errTruncated
		}
		excused = append(excused, list[i])
	}
	return document.NewRows(list), excused, nil
}

// savedDocument decodes a saved document. It calls read to read each part. After each part, it calls pause, and
// stops if pause returns an error.
func savedDocument(h *head, read func(part int) ([]byte, error), pause func(done int) error) (document.Doc, error) {
	l, err := link.Unpack(h.LinkWithoutJobs)
	if err != nil {
		return document.Doc{}, err
	}
	d := withTypedTexts(document.FromScenario(l.Scenario, document.Rows{}), l.Typed)
	var lists []document.Rows
	var excused []document.Row
	done := 0
	for _, n := range h.Parts {
		data, err := read(n)
		if err != nil {
			return d, err
		}
		rows, some, err := decodePart(data)
		if err != nil {
			return d, err
		}
		lists, excused = append(lists, rows), append(excused, some...)
		done += rows.Len()
		if err := pause(done); err != nil {
			return d, err
		}
	}
	d.Rows = document.ConcatRows(lists)
	d.Origin, d.Source = d.Rows, h.Source
	d.ExcuseRows(excused)
	if h.Lesson != nil {
		d.Lesson, err = lesson.ParseDraft(h.Lesson)
	}
	return d, err
}

// documentSaver saves a document and writes only the parts that the database does not have yet.
type documentSaver struct {
	page   string                // name of the page, with which the keys of its records begin
	stored map[document.Part]int // parts in the database, with the numbers of their records
	last   int                   // highest number that a part record has had
	stale  []string              // keys to delete when the next head is written

	hasReport bool // the database has a report
}

// partsAtOnce is the number of parts, about 250 KB in total, that the method save writes in one transaction.
const partsAtOnce = 8

// save saves the document. It writes the head record last, so that the database always contains a complete document.
func (k *documentSaver) save(d *document.Doc, h head, write func([]browser.Record, []string) error, pause func(done int) error) error {
	current := make(map[document.Part]int, len(k.stored))
	var batch []browser.Record
	for _, p := range d.Rows.Parts() {
		n, ok := k.stored[p]
		if !ok {
			k.last++
			n = k.last
			k.stale = append(k.stale, partKey(k.page, n)) // deleted by the next save if this one fails before it writes the head
			batch = append(batch, browser.Record{Key: partKey(k.page, n), Data: partBytes(d, p.Rows())})
		}
		current[p] = n
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
	drop := k.unlisted(current)
	if h.Report != nil {
		batch = append(batch, browser.Record{Key: reportKey(k.page), Data: h.Report})
	} else if k.hasReport {
		drop = append(drop, reportKey(k.page))
	}
	if err := write(batch, drop); err != nil {
		return err
	}
	k.stored, k.stale, k.hasReport = current, nil, h.Report != nil
	return nil
}

// unlisted returns the keys of the part records in the database that belong to none of the given parts.
func (k *documentSaver) unlisted(parts map[document.Part]int) (drop []string) {
	listed := make(map[string]bool, len(parts))
	for _, n := range parts {
		listed[partKey(k.page, n)] = true
	}
	for _, key := range k.stale {
		if !listed[key] {
			drop = append(drop, key)
		}
	}
	for p, n := range k.stored {
		if _, ok := parts[p]; !ok {
			drop = append(drop, partKey(k.page, n))
		}
	}
	return drop
}
