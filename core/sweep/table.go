package sweep

import (
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/version"
)

// Hash returns a text that identifies a sweep by the keys of its runs, the titles of its policies,
// and the metrics in its table.
func (d *Definition) Hash() string {
	if d.hash != "" {
		return d.hash
	}
	h := fnv.New128a()
	for g := range d.Groups() {
		for p := range d.Policies {
			fmt.Fprintln(h, d.Key(d.Group(g), p))
		}
	}
	fmt.Fprintln(h, d.Titles(), d.Metrics)
	d.hash = fmt.Sprintf("%032x", h.Sum(nil))
	return d.hash
}

// Shard selects one of the N parts of a sweep. The parts are numbered from 0, and I is the number
// of the selected part. The zero Shard selects the whole sweep.
type Shard struct{ I, N int }

// ParseShard parses a shard such as 3/8, which means the third of eight shards.
func ParseShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	a, bad := strconv.Atoi(i)
	b, worse := strconv.Atoi(n)
	if !ok || bad != nil || worse != nil || a < 1 || b < a || b > MaxRuns {
		return Shard{}, fmt.Errorf("expected I/N with 1 <= I <= N, such as 3/8, got %q", text)
	}
	return Shard{a - 1, b}, nil
}

// Groups returns the groups of the shard, in order, in a sweep with n groups. Every block of N
// consecutive groups is spread over all N shards, and each block starts one shard later than the
// previous block. Without this shift, one shard of a sweep without seeds could get all runs at the
// highest load.
func (s Shard) Groups(n int) iter.Seq[int] {
	parts := max(1, s.N)
	return func(yield func(int) bool) {
		for block := 0; block*parts < n; block++ {
			g := block*parts + (s.I+parts-block%parts)%parts
			if g < n && !yield(g) {
				return
			}
		}
	}
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I+1, max(1, s.N)) }

// MetaLines returns the comment lines before the table of a shard.
func (d *Definition) MetaLines(s Shard, hash string) string {
	return fmt.Sprintf("# program: backfill-lab %s\n# sweep: %s\n# shard: %s\n", version.Program, hash, s)
}

// paramColumns lists the columns with the parameters of a run.
var paramColumns = []string{"run", "workload", "load", "seed", "policy", "knobs", "title", "key"}

// Header returns the column names: the parameters of a run, followed by the metrics.
func (d *Definition) Header() []string { return slices.Concat(paramColumns, d.Metrics) }

// Row returns the cells about one run. The cell of a metric that does not apply is empty. Times are
// in seconds.
func (d *Definition) Row(group, policy int, v Values) []string {
	g, p := d.Group(group), &d.Policies[policy]
	seed := ""
	if d.SeedsOf(g.Workload) != nil {
		seed = strconv.FormatInt(g.Seed, 10)
	}
	settings := strings.TrimPrefix(strings.TrimPrefix(d.policyText(g.Workload, policy), p.Name), " ")
	row := []string{strconv.Itoa(group*len(d.Policies) + policy), d.Workloads[g.Workload].Name, Number(g.Load), seed, p.Name, settings, d.Titles()[policy], d.Key(g, policy)}
	for _, m := range d.Metrics {
		cell := ""
		if x, ok := v[m]; ok {
			cell = Number(x)
		}
		row = append(row, cell)
	}
	return row
}

// Number formats a number so that parsing it gives exactly the same number.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// WriteTable writes the results of a shard as CSV. It calls valuesOf for the results of a run.
// Equal results give equal bytes.
func (d *Definition) WriteTable(w io.Writer, s Shard, valuesOf func(group, policy int) Values) error {
	sum := fnv.New128a()
	both := io.MultiWriter(w, sum)
	if _, err := io.WriteString(both, d.MetaLines(s, d.Hash())); err != nil {
		return err
	}
	out := csv.NewWriter(both)
	if err := out.Write(d.Header()); err != nil {
		return err
	}
	for g := range s.Groups(d.Groups()) {
		for p := range d.Policies {
			if err := out.Write(d.Row(g, p, valuesOf(g, p))); err != nil {
				return err
			}
		}
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	_, err := fmt.Fprintf(w, "%s%x\n", endMark, sum.Sum(nil))
	return err
}

// endMark begins the last line of a table. The rest of this line is the hash of all earlier lines.
const endMark = "# end: "
