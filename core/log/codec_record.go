package log

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// placement holds the fields of a record line that are stored in the log but not in a Record.
type placement struct {
	slots  cluster.Set // slots of the job that starts, or of the outage that begins
	layout Layout
	text   string // the words of the reasons Said and SaidWaiting
}

// recordLine parses the line of a record and adds the record to the log.
func (p *parser) recordLine() error {
	r := Record{Other: job.None}
	at, rest, _ := strings.Cut(p.rest, " ")
	kind, rest, _ := strings.Cut(rest, " ")
	p.rest = rest
	var err error
	if r.At, err = p.integer(at); err != nil {
		return err
	}
	if r.At < 0 || r.At > job.MaxEndTime {
		return p.malformed(fmt.Sprintf("a time from 0 to %d", int64(job.MaxEndTime)), at)
	}
	k := slices.IndexFunc(Kinds[:], func(i KindInfo) bool { return i.Name == kind })
	if k < 0 {
		return p.malformed("a kind of record", job.QuoteShort(kind))
	}
	if r.Kind = Kind(k); Kinds[k].Level > p.log.Level {
		return p.malformed("a kind of record that belongs in a log of level "+p.log.Level.String(), kind)
	}
	if r.Job, err = p.jobRef(); err != nil {
		return err
	}
	var pl placement
	if r.Job != job.None {
		pl.layout.Procs = int32(p.log.Jobs[r.Job].Procs)
	} else if r.Kind == Start {
		return p.malformed("a job that starts", "none")
	}
	p.seen = p.seen[:0]
	for p.rest != "" {
		if err := p.recordField(&r, &pl); err != nil {
			return err
		}
	}
	if said := p.log.ReasonInWords(pl.text); (said.Code == Said) != r.Code.hasText() {
		return p.malformed("a text if the reason is said or said-waiting, and no text otherwise", job.QuoteShort(pl.text))
	} else if r.Code.hasText() {
		r.X = said.X
	}
	p.log.Add(r)
	switch r.Kind {
	case Start:
		p.log.RecordSlots(r.Job, pl.slots, pl.layout)
	case OutageEdge:
		if r.X != 0 && 0 <= r.Y && r.Y < int64(len(p.log.Machine.Outages)) {
			p.log.RecordOutage(int(r.Y), pl.slots)
		}
	}
	return nil
}

// recordField parses the next field of a record.
func (p *parser) recordField(r *Record, pl *placement) (err error) {
	names := lineFields[r.Kind]
	name, value, ok := strings.Cut(p.rest, "=")
	if p.rest = value; !ok {
		return p.malformed("a field such as why=head", job.QuoteShort(name))
	}
	if err := p.rejectRepeated(name); err != nil {
		return err
	}
	if name == names.other || name == defaultNames.other {
		r.Other, err = p.jobRef()
		return err
	}
	if value, err = p.value(); err != nil {
		return err
	}
	switch {
	case name == "rate" && names.x == name:
		var f float64
		f, err = p.float(value)
		r.X = int64(math.Float64bits(f))
	case name == names.x || name == defaultNames.x:
		r.X, err = p.integer(value)
	case name == names.y || name == defaultNames.y:
		r.Y, err = p.integer(value)
	case name == "text":
		pl.text = value
	case name == "why":
		r.Code, err = p.reasonCode(value)
	case name == "view":
		var n int64
		if n, err = p.integerUpTo(value, math.MaxUint8); err == nil {
			r.View = uint8(n)
		}
	case r.Kind == Start || r.Kind == OutageEdge && name == "slots":
		err = p.placementField(pl, name, value)
	default:
		err = p.malformed("a field of "+Kinds[r.Kind].Name, job.QuoteShort(name))
	}
	return err
}

// placementField parses a field that only lines of the kinds Start and OutageEdge have.
func (p *parser) placementField(pl *placement, name, value string) (err error) {
	var n int64
	switch name {
	case "slots":
		pl.slots, err = cluster.ParseSet(strings.ReplaceAll(value, ",", " "))
		if err != nil {
			return p.malformed("slots such as 0-3,8", job.QuoteShort(value))
		}
	case "procs":
		n, err = p.integerUpTo(value, cluster.MaxSlots)
		pl.layout.Procs = int32(n)
	case "per-node":
		n, err = p.integerUpTo(value, cluster.MaxSlots)
		pl.layout.PerNode = int32(n)
	default:
		err = p.malformed("a field of a start record", job.QuoteShort(name))
	}
	return err
}

// reasonCode returns the code of the reason with the given name.
func (p *parser) reasonCode(value string) (Code, error) {
	c := slices.IndexFunc(Codes, func(i CodeInfo) bool { return i.Name == value })
	if c < 0 {
		return 0, p.malformed("a reason", job.QuoteShort(value))
	}
	return Code(c), nil
}

// jobRef parses a reference to a job: its id, "#" and its number, or "-" for no job.
func (p *parser) jobRef() (job.Index, error) {
	if strings.HasPrefix(p.rest, "#") {
		word := p.word()
		n, err := strconv.Atoi(word[1:])
		if err != nil || n < 1 || n > len(p.log.Jobs) {
			return 0, p.malformed("the number of a job, #1 to #"+strconv.Itoa(len(p.log.Jobs)), word)
		}
		return job.Index(n - 1), nil
	}
	if p.rest == "-" || strings.HasPrefix(p.rest, "- ") {
		p.word()
		return job.None, nil
	}
	id, err := p.text("the id of a job")
	if err != nil {
		return 0, err
	}
	j, ok := p.ids[id]
	if !ok || j == ambiguous {
		return 0, p.malformed("the id of exactly one job", job.QuoteShort(id))
	}
	return j, nil
}

// word consumes and returns the text up to the next space.
func (p *parser) word() string {
	word, rest, _ := strings.Cut(p.rest, " ")
	p.rest = rest
	return word
}

// value consumes a word or a quoted text, and returns it without quotes.
func (p *parser) value() (string, error) {
	if !strings.HasPrefix(p.rest, `"`) {
		return p.word(), nil
	}
	quoted, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		return "", p.malformed("a quoted text", p.rest)
	}
	p.rest = strings.TrimPrefix(p.rest[len(quoted):], " ")
	text, err := strconv.Unquote(quoted)
	if err != nil {
		return "", p.malformed("a quoted text", quoted)
	}
	return text, nil
}

// text consumes a value that must not be empty. The description names the value in the error.
func (p *parser) text(description string) (string, error) {
	v, err := p.value()
	if err == nil && v == "" {
		err = p.malformed(description, "nothing")
	}
	return strings.Clone(v), err
}

// field consumes a name and its value.
func (p *parser) field() (name, value string, err error) {
	name, rest, ok := strings.Cut(p.rest, "=")
	if !ok || name == "" || strings.Contains(name, " ") {
		return "", "", p.malformed("a field such as submit=0", job.QuoteShort(p.rest))
	}
	if err := p.rejectRepeated(name); err != nil {
		return "", "", err
	}
	p.rest = rest
	value, err = p.value()
	return name, value, err
}

// rejectRepeated returns an error if an earlier field of the line has the same name.
func (p *parser) rejectRepeated(name string) error {
	if slices.Contains(p.seen, name) {
		return p.malformed("each field only once", name+" twice")
	}
	p.seen = append(p.seen, name)
	return nil
}

func (p *parser) integer(text string) (int64, error) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, p.malformed("a whole number", job.QuoteShort(text))
	}
	return v, nil
}

// integerUpTo parses a whole number from 0 to limit.
func (p *parser) integerUpTo(text string, limit int64) (int64, error) {
	v, err := p.integer(text)
	if err == nil && (v < 0 || v > limit) {
		err = p.malformed("0 to "+strconv.FormatInt(limit, 10), text)
	}
	return v, err
}

func (p *parser) float(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, p.malformed("a number", job.QuoteShort(text))
	}
	return v, nil
}
