package worker

import (
	"bytes"
	"fmt"
	"io"

	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
	"backfill-lab/ui/protocol"
)

// exports is the files of a result: the same calls of the core as the command
// makes, so that the bytes are the same.
var exports = map[string]struct {
	ending, mime string
	write        func(io.Writer, *results, *result) error
}{
	"jobs":           {".jobs.csv", "text/csv", writeJobs},
	"log":            {".log", "text/plain", writeLog},
	"policy-metrics": {".metrics.json", "application/json", writeMetrics},
}

// pictures is the kinds of those that the page draws.
var pictures = map[string]string{"svg": "image/svg+xml", "png": "image/png"}

func (s *Session) export(m Message, q protocol.Export) error {
	rs, r, err := s.present(q.Generation, q.Result)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if mime, ok := pictures[q.What]; ok {
		rs.source(&b)
		return s.exported(m, protocol.Exported{Name: "charts." + q.What, Mime: mime}, &b)
	}
	if q.What == "metrics" {
		if err := writeAllMetrics(&b, rs); err != nil {
			return err
		}
		return s.exported(m, protocol.Exported{Name: "metrics.json", Mime: "application/json"}, &b)
	}
	x, ok := exports[q.What]
	if !ok {
		return fmt.Errorf("export: expected jobs, log, svg, png, metrics or policy-metrics, got %q", q.What)
	}
	if err := x.write(&b, rs, r); err != nil {
		return err
	}
	return s.exported(m, protocol.Exported{Name: rs.file(q.Result) + x.ending, Mime: x.mime}, &b)
}

func (s *Session) exported(m Message, head protocol.Exported, b *bytes.Buffer) error {
	s.host.Post("exported", m.ID, head, [][]byte{b.Bytes()})
	return nil
}

// file names the files of result i: by its policy, and by its place where two
// results have the same.
func (rs *results) file(i int) string {
	name := rs.list[i].policy.Name
	if rs.list[i].file {
		return "schedule"
	}
	for k, r := range rs.list {
		if k != i && r.policy.Name == name {
			return fmt.Sprintf("%s-%d", name, i+1)
		}
	}
	return name
}

func writeJobs(w io.Writer, _ *results, r *result) error { return schedule.From(r.log).WriteCSV(w) }

func writeLog(w io.Writer, rs *results, r *result) error { return log.Write(w, r.log, rs.meta(r)) }

// source says of what a picture is: the page draws it, as it shows the charts.
func (rs *results) source(b *bytes.Buffer) {
	m := rs.Meta(0)
	b.WriteString(m[0].Value + ", scenario " + m[1].Value)
}

func writeMetrics(w io.Writer, rs *results, r *result) error {
	var meta []metrics.Meta
	for _, m := range rs.meta(r) {
		meta = append(meta, metrics.Meta{Key: m.Key, Value: m.Value})
	}
	return metrics.WriteJSON(w, r.values, rs.Scenario.Metrics(), meta)
}

// writeAllMetrics writes the metrics of every policy: of one as it is, of
// several as a list.
func writeAllMetrics(b *bytes.Buffer, rs *results) error {
	if len(rs.list) == 1 {
		return writeMetrics(b, rs, rs.list[0])
	}
	b.WriteString("[\n")
	for i, r := range rs.list {
		if i > 0 {
			b.WriteString(",\n")
		}
		if err := writeMetrics(b, rs, r); err != nil {
			return err
		}
	}
	b.WriteString("]\n")
	return nil
}
