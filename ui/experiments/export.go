package experiments

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
)

// CanExport reports whether all runs are made, so that the table is complete.
func (c *Experiments) CanExport() bool { return c.d != nil && c.found.made == len(c.found.runs) }

// fileName returns the name of an exported file.
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

// save downloads a file and says so.
func (c *Experiments) save(ending, mime string, data []byte) {
	name := c.fileName(ending)
	if err := browser.Download(name, mime, data); err != nil {
		c.said = name + " could not be saved: " + err.Error()
		return
	}
	c.said = "Saved " + name + "."
}

// SaveDefinition downloads the definition, for the command or for later.
func (c *Experiments) SaveDefinition() { c.save(".json", "application/json", []byte(c.text)) }

// SaveCSV downloads the table of runs, with the bytes that the command writes.
func (c *Experiments) SaveCSV() {
	var b bytes.Buffer
	if err := c.d.WriteTable(&b, sweep.Shard{}, c.values); err != nil {
		c.said = err.Error()
		return
	}
	c.save(".csv", "text/csv", b.Bytes())
}

// column is a column of a Parquet file. A missing number is null.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"` // as hyparquet-writer names it
	Data []any  `json:"data"`
}

// columns returns the table of runs as columns.
func (c *Experiments) columns() []column {
	header := c.d.Header()
	types := map[string]string{"run": "INT32", "load": "DOUBLE", "seed": "DOUBLE", "workload": "STRING", "policy": "STRING", "knobs": "STRING", "title": "STRING", "key": "STRING"}
	out := make([]column, len(header))
	for i, name := range header {
		out[i] = column{Name: name, Type: "DOUBLE", Data: []any{}}
		if t := types[name]; t != "" {
			out[i].Type = t
		}
	}
	for g := range c.d.Groups() {
		for p := range c.d.Policies {
			for i, cell := range c.d.Row(g, p, c.values(g, p)) {
				out[i].add(cell)
			}
		}
	}
	return out
}

// add appends a cell.
func (k *column) add(cell string) {
	if k.Type == "STRING" {
		k.Data = append(k.Data, cell)
	} else if x, err := strconv.ParseFloat(cell, 64); err == nil {
		k.Data = append(k.Data, x)
	} else {
		k.Data = append(k.Data, nil)
	}
}

// SaveParquet downloads the table of runs as a Parquet file. A script writes it.
func (c *Experiments) SaveParquet() {
	text, err := json.Marshal(c.columns())
	if err != nil {
		c.said = err.Error()
		return
	}
	name := c.fileName(".parquet")
	go func() {
		defer browser.Recover("Parquet file")
		_, err := browser.CallAsync("labParquet", string(text), name)
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if c.said = "Saved " + name + "."; err != nil {
			c.said = name + " could not be saved: " + err.Error()
		}
	}()
}

// SaveSVG downloads the plot.
func (c *Experiments) SaveSVG() {
	name := c.fileName(".svg")
	if _, err := browser.Call("labSavePlot", name); err != nil {
		c.said = name + " could not be saved: " + err.Error()
		return
	}
	c.said = "Saved " + name + "."
}

// SaveLaTeX downloads the summary of the shown metric as a LaTeX table (package booktabs).
func (c *Experiments) SaveLaTeX() { c.save(".tex", "application/x-tex", []byte(c.latex())) }

// latex returns the summary of the shown metric on the shown workload.
func (c *Experiments) latex() string {
	m, clock := c.metric(), format.Clock{}
	unit := m.ShownUnit(clock)
	if unit != "" {
		unit = ", " + unit
	}
	b := &strings.Builder{}
	line := func(cells ...string) {
		for i, cell := range cells {
			cells[i] = latexText(cell)
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
	}
	b.WriteString("% " + strings.ReplaceAll(c.Title(), "\n", " ") + ". Half widths of 95 % confidence intervals after ±.\n")
	b.WriteString("% Needs \\usepackage{booktabs}\n\\begin{tabular}{llrrr}\n\\toprule\n")
	line("Load", "Policy", m.Title+unit, "±", "Compared with the baseline")
	for load, s := range c.summaries() {
		b.WriteString("\\midrule\n")
		for p, x := range s.Rows {
			at, mean, half, against := "", "-", "", x.AgainstText()
			if p == 0 {
				at = sweep.Number(c.d.Loads[load])
			}
			if x.Mean.N > 0 {
				mean = m.Text(x.Mean.Mean, clock)
			}
			if x.Mean.N > 1 {
				half = m.Text(x.Mean.Half(), clock)
			}
			if p == s.Baseline {
				against = "baseline"
			}
			line(at, x.Title, mean, half, against)
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return b.String()
}

// latexText escapes a text for LaTeX.
func latexText(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
		"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "−", "$-$").Replace(text)
}
