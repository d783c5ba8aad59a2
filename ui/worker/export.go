package worker

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
	"backfill-lab/ui/protocol"
)

// exports maps protocol.Export.What to the files that can be exported for a result. The command
// backfill writes these files with the same functions, so its files have the same bytes.
var exports = map[string]struct {
	ending, mime string
	write        func(io.Writer, *results, *result) error
}{
	"jobs":           {".jobs.csv", "text/csv", writeJobs},
	"log":            {".log", "text/plain", writeLog},
	"policy-metrics": {".metrics.json", "application/json", writeMetrics},
}

// imageTypes maps the formats of chart images to their MIME types. The page draws the images.
var imageTypes = map[string]string{"svg": "image/svg+xml", "png": "image/png", "figure": "image/figure"}

// export answers with an exported file. For an image, which the page draws, it answers with the
// caption.
func (s *Session) export(m Message, q protocol.Export) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if mime, ok := imageTypes[q.What]; ok {
		rs.writeCaption(&b)
		return s.postExported(m, protocol.Exported{Name: "charts." + q.What, Mime: mime}, &b)
	}
	if q.What == "metrics" {
		if err := writeAllMetrics(&b, rs); err != nil {
			return err
		}
		return s.postExported(m, protocol.Exported{Name: "metrics.json", Mime: "application/json"}, &b)
	}
	x, ok := exports[q.What]
	if !ok {
		return fmt.Errorf("export: expected jobs, log, svg, png, figure, metrics or policy-metrics, got %q", q.What)
	}
	if err := x.write(&b, rs, r); err != nil {
		return err
	}
	return s.postExported(m, protocol.Exported{Name: rs.baseName(q.Result) + x.ending, Mime: x.mime}, &b)
}

// postExported answers an export request with the bytes in b.
func (s *Session) postExported(m Message, head protocol.Exported, b *bytes.Buffer) error {
	s.host.Post("exported", m.ID, head, [][]byte{b.Bytes()})
	return nil
}

// baseName returns the name, without extension, of exported files of result i. This is the title that the
// user gave the policy, otherwise the name of the policy. If several results have this policy, baseName
// appends the number of the result. For the external schedule, the name is "schedule".
func (rs *results) baseName(i int) string {
	if rs.list[i].isExternal {
		return "schedule"
	}
	if own := fileName(rs.titles[i]); own != "" && rs.Scenario.Policies[i].Title != "" {
		return own
	}
	name := rs.list[i].policy.Name
	for k, r := range rs.list {
		if k != i && r.policy.Name == name {
			return fmt.Sprintf("%s-%d", name, i+1)
		}
	}
	return name
}

// fileName returns the words of a title, joined by hyphens. A word is a sequence of letters and
// digits.
func fileName(title string) string {
	return strings.Join(strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
}

func writeJobs(w io.Writer, _ *results, r *result) error { return schedule.FromLog(r.log).WriteCSV(w) }

func writeLog(w io.Writer, rs *results, r *result) error { return log.Write(w, r.log, rs.meta(r)) }

// writeCaption writes the caption of a chart image: the program, the scenario, and how its jobs were changed.
func (rs *results) writeCaption(b *bytes.Buffer) {
	m := rs.Meta(0)
	b.WriteString(m[0].Value + ", scenario " + m[1].Value)
	if text := rs.Scenario.ChangesText(); text != "" {
		b.WriteString("; jobs: " + text)
	}
}

func writeMetrics(w io.Writer, rs *results, r *result) error {
	var meta []metrics.Meta
	for _, m := range rs.meta(r) {
		meta = append(meta, metrics.Meta{Key: m.Key, Value: m.Value})
	}
	return metrics.WriteJSON(w, r.values, rs.Scenario.MetricOptions(), meta)
}

// writeAllMetrics writes the metrics of all results, including the external schedule. If there is one
// result, it writes a JSON object, otherwise a list of objects.
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
