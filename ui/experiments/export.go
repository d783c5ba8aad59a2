package experiments

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/widgets"
)

// CanExport reports whether all runs are done, so that the table of runs is complete.
func (c *Experiments) CanExport() bool {
	return c.definition != nil && c.results.done == len(c.results.runs)
}

// Export saves the file that the user selected in the Export menu of the page. The file is given by its file name
// extension, or by "means" for the CSV file of means.
func (c *Experiments) Export(ending string) {
	c.CloseMenu()
	switch ending {
	case "json":
		c.SaveDefinition()
	case "csv":
		c.SaveCSV()
	case "parquet":
		c.SaveParquet()
	case "means":
		c.SaveSummary()
	case "tex":
		c.SaveLaTeX()
	case "svg":
		c.SaveSVG()
	}
}

// fileName returns the name of an exported file: the title in lower case, followed by ending. A hyphen replaces
// each character of the title that is neither an ASCII letter nor a digit. Hyphens at the start and end of the
// title are dropped.
func (c *Experiments) fileName(ending string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, c.Title())
	return strings.Trim(name, "-") + ending
}

// save downloads a file and shows a message.
func (c *Experiments) save(ending, mime string, data []byte) {
	name := c.fileName(ending)
	if err := browser.Download(name, mime, data); err != nil {
		c.message = name + " could not be saved: " + err.Error()
		return
	}
	c.message = "Saved " + name + "."
}

// SaveDefinition downloads the definition. The page can open the file, and the command backfill sweep can
// run it.
func (c *Experiments) SaveDefinition() { c.save(".json", "application/json", []byte(c.text)) }

// SaveCSV downloads the table of runs. The command backfill sweep writes an identical file.
func (c *Experiments) SaveCSV() {
	c.saveTable(".csv", func(w io.Writer) error { return c.definition.WriteTable(w, sweep.Shard{}, c.values) })
}

// SaveSummary downloads the mean of each metric, with its confidence interval and its difference from the
// baseline. The command backfill sweep -summary writes an identical file.
func (c *Experiments) SaveSummary() {
	c.saveTable("-means.csv", func(w io.Writer) error { return c.definition.WriteSummary(w, c.values) })
}

// saveTable downloads a CSV file whose name ends with the given ending.
func (c *Experiments) saveTable(ending string, write func(io.Writer) error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		c.message = err.Error()
		return
	}
	c.save(ending, "text/csv", b.Bytes())
}

// column is a column of a Parquet file. A missing number is null.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"` // name of the type in hyparquet-writer
	Data []any  `json:"data"` // by row: a text, a number, or nil for a missing number
}

// columns returns the table of runs as columns of a Parquet file.
func (c *Experiments) columns() []column {
	header := c.definition.Header()
	types := map[string]string{"run": "INT32", "load": "DOUBLE", "seed": "DOUBLE", "workload": "STRING", "policy": "STRING", "knobs": "STRING", "title": "STRING", "key": "STRING"}
	out := make([]column, len(header))
	for i, name := range header {
		out[i] = column{Name: name, Type: "DOUBLE", Data: []any{}}
		if t := types[name]; t != "" {
			out[i].Type = t
		}
	}
	for g := range c.definition.Groups() {
		for p := range c.definition.Policies {
			for i, cell := range c.definition.Row(g, p, c.values(g, p)) {
				out[i].add(cell)
			}
		}
	}
	return out
}

// add converts a cell to the type of the column and appends it.
func (k *column) add(cell string) {
	if k.Type == "STRING" {
		k.Data = append(k.Data, cell)
	} else if x, err := strconv.ParseFloat(cell, 64); err == nil {
		k.Data = append(k.Data, x)
	} else {
		k.Data = append(k.Data, nil)
	}
}

// SaveParquet downloads the table of runs as a Parquet file, which public/js/parquet.js encodes.
func (c *Experiments) SaveParquet() {
	text, err := json.Marshal(c.columns())
	if err != nil {
		c.message = err.Error()
		return
	}
	name := c.fileName(".parquet")
	go func() {
		defer browser.Recover("Parquet file")
		_, err := browser.CallAsync("labParquet", string(text), name)
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if c.message = "Saved " + name + "."; err != nil {
			c.message = name + " could not be saved: " + err.Error()
		}
	}()
}

// SaveSVG downloads the plot.
func (c *Experiments) SaveSVG() {
	name := c.fileName(".svg")
	if _, err := browser.Call("labSavePlot", name, c.view.background); err != nil {
		c.message = name + " could not be saved: " + err.Error()
		return
	}
	c.message = "Saved " + name + "."
}

// Backgrounds returns the options for the background of the exported plot. They are the same as for exported
// figures of schedules.
func (c *Experiments) Backgrounds() (out []widgets.Option) {
	for _, name := range []string{"white", "transparent", "dark"} {
		out = append(out, widgets.Option{Value: name, Text: name, Selected: name == c.view.background})
	}
	return out
}

// SetBackground selects the background of the exported plot.
func (c *Experiments) SetBackground(e vugu.DOMEvent) {
	c.view.background = e.PropString("target", "value")
}

// SaveLaTeX downloads the summary of the shown metric as a LaTeX table (package booktabs).
func (c *Experiments) SaveLaTeX() { c.save(".tex", "application/x-tex", []byte(c.latex())) }

// latex returns the summary of the shown metric on the shown workload as a LaTeX table. The heading of a
// column names the unit of all its values. The unit and the number of decimals suit the smallest mean.
func (c *Experiments) latex() string {
	var means []float64
	for _, s := range c.summaries() {
		for _, x := range s.Rows {
			if x.Mean.N > 0 {
				means = append(means, x.Mean.Mean)
			}
		}
	}
	factor, label := c.scaleFor(format.SmallestNonZero(means))
	for i := range means {
		means[i] *= factor
	}
	digits := format.ColumnDecimals(means, 0)
	number := func(v float64) string { return format.WithoutCommas(format.Decimals(factor*v, digits)) }
	b := &strings.Builder{}
	line := func(cells ...string) {
		for i, cell := range cells {
			cells[i] = latexText(cell)
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
	}
	b.WriteString("% " + strings.ReplaceAll(c.Title(), "\n", " ") + ". Half widths of 95 % confidence intervals after ±.\n")
	b.WriteString("% Change: ratio of the mean to the mean of the baseline on the same seeds, minus 1, with the interval of this ratio (delta method with Student's t; Cochran 1977, section 6.3).\n")
	if c.HasExcluded() {
		b.WriteString("% " + c.ExcludedText() + "\n")
	}
	b.WriteString("% Needs \\usepackage{booktabs}\n\\begin{tabular}{llrrrr}\n\\toprule\n")
	unclear := false // the interval of some change contains 0, so the table needs the footnote that explains ~
	line("Load factor", "Policy", label, "±", "Change, %", "±")
	for load, s := range c.summaries() {
		b.WriteString("\\midrule\n")
		for p, x := range s.Rows {
			cells := []string{"", x.Title, "-", "", "", ""}
			if p == 0 {
				cells[0] = sweep.Number(c.definition.Loads[load])
			}
			if x.Mean.N > 0 {
				cells[2] = number(x.Mean.Mean)
			}
			if x.Mean.N > 1 {
				cells[3] = number(x.Mean.HalfWidth())
			}
			against := strings.NewReplacer(" %", "", "(", "", ")", "").Replace(x.AgainstText())
			if cells[4], cells[5], _ = strings.Cut(against, " ± "); p == s.Baseline {
				cells[4] = "baseline"
			}
			unclear = unclear || strings.HasPrefix(against, "~")
			line(cells...)
		}
	}
	b.WriteString("\\bottomrule\n")
	if unclear {
		b.WriteString("\\multicolumn{6}{l}{$\\sim$: the 95 \\% interval of the change contains 0} \\\\\n")
	}
	b.WriteString("\\end{tabular}\n")
	return b.String()
}

// latexText escapes a text for LaTeX.
func latexText(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
		"~", `$\sim$`, "^", `\textasciicircum{}`, "±", `$\pm$`, "−", "$-$").Replace(text)
}
