package files

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/session"
)

// records is an in-memory database whose writes can fail.
type records struct {
	has   map[string][]byte
	fails bool
	wrote int // number of records written; tests reset it
}

var errFull = errors.New("full")

func (r *records) write(put []browser.Record, drop []string) error {
	if r.fails {
		return errFull
	}
	for _, x := range put {
		r.has[x.Key] = x.Data
		r.wrote++
	}
	for _, key := range drop {
		delete(r.has, key)
	}
	return nil
}

// read returns the saved document, as a newly opened page would read it. It checks that the database
// has no other records.
func (r *records) read(t require.TestingT, page string) document.Doc {
	h, err := decodeHead(r.has[headKey(page)])
	require.NoError(t, err)
	d, err := savedDocument(&h, func(n int) ([]byte, error) { return r.has[partKey(page, n)], nil }, document.NoPause)
	require.NoError(t, err)
	require.Equal(t, d.Rows.Len(), h.Jobs)
	require.Len(t, r.has, len(h.Parts)+1, "nothing is left behind")
	return d
}

func (c *Files) keepIn(k *documentSaver, r *records, pause func(int) error) error {
	return k.save(c.Doc(), c.head(0), r.write, pause)
}

// assertSameDocument asserts that two documents have the same errors, the same data except the jobs, and the same
// text in every cell of the table.
func assertSameDocument(t require.TestingT, want, have document.Doc) {
	a, b := newFiles(t), newFiles(t)
	a.Session.Open(want)
	b.Session.Open(have)
	a.Plan, a.Bad = a.Doc().Check()
	b.Plan, b.Bad = b.Doc().Check()
	require.Equal(t, a.Bad, b.Bad)
	require.Equal(t, link.Pack(linkWithoutJobs(a.Doc())), link.Pack(linkWithoutJobs(b.Doc())))
	require.Equal(t, want.Source, have.Source)
	require.Equal(t, want.Rows.Len(), have.Rows.Len())
	for i, r := range want.Rows.All() {
		if x := have.Rows.At(i); !r.Plain() || x != *r {
			for _, col := range want.AllColumns() {
				require.Equal(t, r.Text(col), x.Text(col), "row %d", i)
			}
		}
	}
}

// big returns a document with at least n rows. The rows contain every kind of cell.
func big(t require.TestingT, n int) document.Doc {
	d, err := document.Read([]byte(odd))
	require.NoError(t, err)
	d.Excuse(nil)
	d = d.AddResource().SetCell(1, document.Amounts, "1").SetCell(0, document.SLnos, "1.5").SetCell(2, document.Class, "cg")
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "j%d\t%d\t%d\t9\t5\n", i, i, 1+i%8)
	}
	d, err = d.Paste(3, d.Columns(0), text.String(), nil, document.NoPause)
	require.NoError(t, err)
	d.Source = "the file x"
	return d
}

// After random edits, and saves that may fail or stop at any point, a newly opened page reads the document of the
// last complete save.
func TestKeptDocumentsComeBack(t *testing.T) {
	start := big(t, 4200)
	rapid.Check(t, func(t *rapid.T) {
		c, r := newFiles(t), &records{has: map[string][]byte{}}
		c.Session.Open(start)
		k := &documentSaver{page: "a"}
		require.NoError(t, c.keepIn(k, r, document.NoPause))
		written := *c.Doc()
		for range rapid.IntRange(1, 8).Draw(t, "edits") {
			n := c.Doc().Rows.Len()
			row := rapid.IntRange(0, n-1).Draw(t, "row")
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				c.Do("", c.Doc().SetCell(row, document.Runtime, rapid.SampledFrom([]string{"7", "4 s", "", "99"}).Draw(t, "text")))
			case 1:
				c.Do("", c.Doc().Duplicate(row, 1))
			case 2:
				c.Do("", c.Doc().DeleteRows(row, min(n-row, 1500)))
			case 3:
				c.Do("", c.Doc().SetMachineText(0, rapid.SampledFrom([]string{"4", "x", "16"}).Draw(t, "nodes")))
			case 4:
				c.Do("", c.Doc().AddResource())
			case 5:
				c.Undo()
			case 6:
				c.Do("", c.Doc().SetCell(row, document.ID, "j1"))
			}
			if c.Doc().Rows.Len() == 0 {
				return
			}
			end := rapid.IntRange(0, 3).Draw(t, "ends")
			r.fails = end == 1
			err := c.keepIn(k, r, func(int) error {
				if end == 2 {
					return session.ErrChanged
				}
				return nil
			})
			if r.fails = false; err == nil {
				written = *c.Doc()
				if end == 3 {
					assertSameDocument(t, written, r.read(t, "a"))
				}
			}
		}
		h, err := decodeHead(r.has[headKey("a")])
		require.NoError(t, err)
		d, err := savedDocument(&h, func(n int) ([]byte, error) { return r.has[partKey("a", n)], nil }, document.NoPause)
		require.NoError(t, err)
		assertSameDocument(t, written, d)
	})
}

func TestAnEditWritesFewRecords(t *testing.T) {
	c, r := newFiles(t), &records{has: map[string][]byte{}}
	c.Session.Open(big(t, 60_000))
	k := &documentSaver{page: "a"}
	require.NoError(t, c.keepIn(k, r, document.NoPause))
	require.Greater(t, r.wrote, 29)
	r.wrote = 0
	c.Do("", c.Doc().SetCell(30_000, document.Runtime, "6"))
	require.NoError(t, c.keepIn(k, r, document.NoPause))
	require.Equal(t, 2, r.wrote, "the part and the head")
	r.wrote = 0
	c.Do("", c.Doc().SetMachineText(0, "9"))
	require.NoError(t, c.keepIn(k, r, document.NoPause))
	require.Equal(t, 1, r.wrote, "the head")
}

// The head record contains the lesson that is being written, even if the lesson is not complete.
func TestRecordsKeepTheLesson(t *testing.T) {
	c := newFiles(t)
	h := c.head(7)
	h.Lesson = []byte(`{"title": "", "steps": []}`)
	whole := h.bytes()
	got, err := decodeHead(whole)
	require.NoError(t, err)
	require.Equal(t, h, got)
	d, err := savedDocument(&got, nil, document.NoPause)
	require.NoError(t, err)
	require.NotNil(t, d.Lesson)
	for i := range len(whole) - len(h.LinkWithoutJobs) {
		_, err := decodeHead(whole[:i])
		require.Error(t, err, i)
	}
}

func TestBrokenRecordsAreErrors(t *testing.T) {
	c := newFiles(t)
	c.Session.Open(big(t, 10))
	h := c.head(0)
	whole, part := h.bytes(), partBytes(c.Doc(), c.Doc().Rows)
	for i := range part {
		_, _, _ = decodePart(part[:i])
	}
	for i := range len(whole) - len(h.LinkWithoutJobs) {
		_, err := decodeHead(whole[:i])
		require.Error(t, err, i)
	}
	h.Parts = []int{1}
	_, err := savedDocument(&h, func(int) ([]byte, error) { return nil, nil }, document.NoPause)
	require.Error(t, err)
}
