package explain

import (
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// itoa formats a number without commas.
func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// phrases builds sentences about the jobs and resources of one log.
type phrases struct {
	jobs      []job.Job
	resources []cluster.Resource
	text      func(int64) string // returns the text with a given number in the log
	clock     format.Clock       // formats times and durations
}

// phrase fills the placeholders of a template with the arguments, in order. The placeholder {j}
// stands for a job, {t} for a time, {d} for a duration, {n} for a number and {r} for a number in
// millionths. A template uses the plural; phrase changes "1 processors are" to "1 processor is".
func (w phrases) phrase(template string, args ...int64) Sentence {
	return w.fillTemplate(template, func(name string) Part {
		x := args[0]
		args = args[1:]
		switch name {
		case "j":
			return w.jobPart(job.Index(x))
		case "t":
			return w.instantPart(x)
		case "d":
			return w.durationPart(x)
		case "r":
			return w.argumentPart(log.Ratio, x)
		}
		return numberPart(x)
	})
}

// moveReason returns a phrase that says why a planned start changed.
func (w phrases) moveReason(r *log.Record) Sentence {
	return w.reasonTemplate(log.Codes[r.Code].Moved, r.Job, r.At, r.Reason())
}

// reason returns a sentence with the reason in a record.
func (w phrases) reason(r *log.Record) Sentence {
	return w.reasonTemplate(log.Codes[r.Code].Sentence, r.Job, r.At, r.Reason())
}

// reasonWithoutTime returns the sentence for a reason about job j. The reason does not come from a
// record, so its template must not contain {at}, the time of the record.
func (w phrases) reasonWithoutTime(j job.Index, r log.Reason) Sentence {
	return w.reasonTemplate(log.Codes[r.Code].Sentence, j, job.Never, r)
}

// reasonTemplate fills a template of the reason r. The placeholders in the template stand for job
// j, for the given time, and for the values in r.
func (w phrases) reasonTemplate(template string, j job.Index, at job.Time, r log.Reason) Sentence {
	info := &log.Codes[r.Code]
	return w.fillTemplate(template, func(name string) Part {
		switch name {
		case "job":
			return w.jobPart(j)
		case "other":
			return w.jobPart(r.Other)
		case "at":
			return w.instantPart(at)
		case "x":
			return w.argumentPart(info.X, r.X)
		}
		return w.argumentPart(info.Y, r.Y)
	})
}

// fillTemplate replaces each {name} in the template by the part value(name). If the sentence begins
// with a placeholder, the inserted text is capitalized.
func (w phrases) fillTemplate(template string, value func(name string) Part) Sentence {
	var out Sentence
	for {
		i := strings.IndexByte(template, '{')
		if i < 0 {
			return out.withText(template)
		}
		end := i + strings.IndexByte(template[i:], '}')
		p, before := value(template[i+1:end]), template[:i]
		if p.Kind == Instant && w.clock.Units {
			before = strings.TrimSuffix(before, "t = ") // "t = " only precedes a plain number of seconds
		}
		out = out.withText(before)
		if len(out) == 0 {
			p.Text = strings.ToUpper(p.Text[:1]) + p.Text[1:]
		}
		out = append(out, p)
		if template = template[end+1:]; p.Kind == Word && p.Text == "1" {
			template = singular(template)
		}
	}
}

// withText returns the sentence, followed by plain text.
func (s Sentence) withText(text string) Sentence {
	if text == "" {
		return s
	}
	return append(s, Part{Text: text, Job: job.None})
}

// singulars holds pairs of a plural and its singular. Function singular uses the first pair whose
// plural begins the text.
var singulars = [][2]string{
	{" processors were", " processor was"}, {" processors are", " processor is"},
	{" processors stay", " processor stays"}, {" processors", " processor"},
	{" processes", " process"}, {" nodes were", " node was"}, {" nodes", " node"},
	{" free processors", " free processor"}, {" more processors", " more processor"}, {" spare processors", " spare processor"},
	{" more jobs", " more job"}, {" steps", " step"}, {" jobs", " job"}, {" sets", " set"}, {" were", " was"}, {" are", " is"},
}

// singular changes the first words of rest, the text after the number 1, to the singular.
func singular(rest string) string {
	for _, s := range singulars {
		if after, ok := strings.CutPrefix(rest, s[0]); ok {
			return s[1] + after
		}
	}
	return rest
}

// jobPart returns a part with the name of a job, such as "job 3".
func (w phrases) jobPart(j job.Index) Part {
	if j < 0 || int(j) >= len(w.jobs) {
		return Part{Text: "another job", Job: job.None}
	}
	return Part{Text: "job " + w.jobs[j].ID, Kind: JobName, Job: j}
}

// instantPart returns a part with a time.
func (w phrases) instantPart(t job.Time) Part {
	if t == job.Never {
		return Part{Text: "never", Job: job.None}
	}
	return Part{Text: w.clock.Instant(t), Kind: Instant, Job: job.None, Time: t}
}

func (w phrases) durationPart(t job.Time) Part {
	return Part{Text: w.clock.Duration(t), Kind: Duration, Job: job.None, Time: t}
}

func numberPart(n int64) Part { return Part{Text: format.Whole(n), Job: job.None} }

// argumentPart returns a part with an argument of a reason. It formats the value x according to the
// kind of the argument.
func (w phrases) argumentPart(kind log.Arg, x int64) Part {
	switch kind {
	case log.Instant:
		return w.instantPart(x)
	case log.Duration:
		return w.durationPart(x)
	case log.Ratio:
		return Part{Text: strconv.FormatFloat(float64(x)/1e6, 'f', 3, 64), Job: job.None}
	case log.Resource:
		return Part{Text: w.resource(int(x)), Job: job.None}
	case log.Text:
		return Part{Text: w.text(x), Job: job.None}
	}
	return numberPart(x)
}

// resource returns the name of resource k for a sentence: processors if k is 0, otherwise extra
// resource k-1.
func (w phrases) resource(k int) string {
	if k < 1 || k > len(w.resources) {
		return "the processors"
	}
	return w.resources[k-1].Name
}

// unitWords returns the words that follow an amount of resource k, such as "processors".
func (w phrases) unitWords(k int) string {
	if k == 0 {
		return "processors"
	}
	return "of " + escapeBraces(w.resource(k))
}
