package explain

import (
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// words makes sentences about the jobs and resources of a log.
type words struct {
	jobs      []job.Job
	resources []cluster.Resource
}

// say fills a template: {j} is a job, {t} an instant, {d} a duration, {n} a
// number, {r} one in millionths, each taking the next argument. What is said of several goes for one
// as well: "1 processors are" becomes "1 processor is".
func (w words) say(template string, args ...int64) Sentence {
	return w.fill(template, func(name string) Part {
		x := args[0]
		args = args[1:]
		switch name {
		case "j":
			return w.job(job.Index(x))
		case "t":
			return moment(x)
		case "d":
			return duration(x)
		case "r":
			return w.argument(log.Ratio, x)
		}
		return number(x)
	})
}

// because says why a planned start moved.
func (w words) because(r *log.Record) Sentence {
	return w.arguments(log.Codes[r.Code].Moved, r.Job, r.At, r.Reason())
}

// reason returns the sentence of a record with a reason.
func (w words) reason(r *log.Record) Sentence {
	return w.arguments(log.Codes[r.Code].Sentence, r.Job, r.At, r.Reason())
}

// derived returns the sentence of a reason of job j that no record at that time
// gives, so the sentence cannot name the time of a record.
func (w words) derived(j job.Index, r log.Reason) Sentence {
	return w.arguments(log.Codes[r.Code].Sentence, j, job.Never, r)
}

// arguments fills a template with the job, time and arguments of a reason.
func (w words) arguments(template string, j job.Index, at job.Time, r log.Reason) Sentence {
	info := &log.Codes[r.Code]
	return w.fill(template, func(name string) Part {
		switch name {
		case "job":
			return w.job(j)
		case "other":
			return w.job(r.Other)
		case "at":
			return moment(at)
		case "x":
			return w.argument(info.X, r.X)
		}
		return w.argument(info.Y, r.Y)
	})
}

// fill replaces each {name} of the template.
func (w words) fill(template string, value func(name string) Part) Sentence {
	var out Sentence
	for {
		i := strings.IndexByte(template, '{')
		if i < 0 {
			return out.word(template)
		}
		end := i + strings.IndexByte(template[i:], '}')
		if i > 0 {
			out = out.word(template[:i])
		}
		p := value(template[i+1 : end])
		if len(out) == 0 {
			p.Text = strings.ToUpper(p.Text[:1]) + p.Text[1:]
		}
		out = append(out, p)
		if template = template[end+1:]; p.Kind == Word && p.Text == "1" {
			template = singular(template)
		}
	}
}

func (s Sentence) word(text string) Sentence {
	if text == "" {
		return s
	}
	return append(s, Part{Text: text, Job: job.None})
}

var singulars = [][2]string{
	{" processors were", " processor was"}, {" processors are", " processor is"},
	{" processors stay", " processor stays"}, {" processors", " processor"},
	{" processes", " process"}, {" nodes", " node"},
	{" free processors", " free processor"}, {" spare processors", " spare processor"},
	{" jobs", " job"}, {" were", " was"}, {" are", " is"},
}

// singular returns the rest of a sentence after the number 1.
func singular(rest string) string {
	for _, s := range singulars {
		if after, ok := strings.CutPrefix(rest, s[0]); ok {
			return s[1] + after
		}
	}
	return rest
}

func (w words) job(j job.Index) Part {
	if j < 0 || int(j) >= len(w.jobs) {
		return Part{Text: "another job", Job: job.None}
	}
	return Part{Text: "job " + w.jobs[j].ID, Kind: JobName, Job: j}
}

func moment(t job.Time) Part {
	if t == job.Never {
		return Part{Text: "never", Job: job.None}
	}
	return Part{Text: itoa(t), Kind: Moment, Job: job.None, Time: t}
}

func duration(t job.Time) Part {
	return Part{Text: itoa(t) + " s", Kind: Duration, Job: job.None, Time: t}
}

func number(n int64) Part { return Part{Text: itoa(n), Job: job.None} }

func (w words) argument(kind log.Arg, x int64) Part {
	switch kind {
	case log.Instant:
		return moment(x)
	case log.Duration:
		return duration(x)
	case log.Ratio:
		return Part{Text: strconv.FormatFloat(float64(x)/1e6, 'f', 3, 64), Job: job.None}
	case log.Resource:
		return Part{Text: w.resource(int(x)), Job: job.None}
	}
	return number(x)
}

// resource returns the name of a resource: 0 the processors, k+1 extra resource k.
func (w words) resource(k int) string {
	if k < 1 || k > len(w.resources) {
		return "the processors"
	}
	return w.resources[k-1].Name
}

// units returns what stands after an amount of a resource.
func (w words) units(k int) string {
	if k == 0 {
		return "processors"
	}
	return "of " + plain(w.resource(k))
}
