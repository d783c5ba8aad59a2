package results

import (
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/plot"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// SpreadSort is the pictures of a way to sort jobs.
type SpreadSort struct {
	Title   string
	Axis    vugu.HTML
	Classes []SpreadPicture
}

// SpreadPicture is the distributions of a class.
type SpreadPicture struct {
	Name string
	SVG  vugu.HTML
}

// SpreadSorts returns the pictures, all on one scale.
func (c *Results) SpreadSorts() (out []SpreadSort) {
	shown := c.spread.shown
	if len(shown) == 0 {
		return nil
	}
	scale := c.spread.scale()
	for k, s := range shown[0].Sorts {
		x := SpreadSort{Title: sortTitle(s.Title), Axis: vugu.HTML(scale.Axis())}
		for i := range s.Boxes {
			name := counted(s.Boxes[i].Jobs, "job")
			if s.Title != "" {
				name = s.Boxes[i].Name + ", " + name
			}
			var list []plot.Box
			for r := range shown {
				if b := &shown[r].Sorts[k].Boxes[i]; b.Jobs > 0 {
					list = append(list, plot.Box{Name: c.spread.titles[r] + ": " + saysBox(b), Low: b.At[1], Q1: b.At[2], Median: b.At[3], Q3: b.At[4], High: b.At[5], Most: b.At[6], Mean: b.Mean, Few: b.Few})
				} else {
					list = append(list, plot.Box{Name: c.spread.titles[r] + ": none", Few: []float64{}})
				}
			}
			x.Classes = append(x.Classes, SpreadPicture{name, vugu.HTML(scale.Boxes(name+": the table has the numbers", list))})
		}
		out = append(out, x)
	}
	return out
}

// scale returns that of what is shown.
func (d *spread) scale() *plot.Scale {
	s := &plot.Scale{Times: d.of != slowdowns}
	if d.of == slowdowns {
		s.Least = 1
	}
	for _, x := range d.shown {
		if b := &x.Sorts[0].Boxes[0]; b.Jobs > 0 {
			s.Most = max(s.Most, b.At[6])
		}
	}
	return s
}

func sortTitle(title string) string {
	if title == "" {
		return "All jobs"
	}
	return "By " + title
}

func saysBox(b *protocol.Box) string {
	return "median " + widgets.Show(b.At[3], -1) + ", mean " + widgets.Show(b.Mean, -1) + ", most " + widgets.Show(b.At[6], -1)
}

// SpreadLedgers returns the numbers of the pictures.
func (c *Results) SpreadLedgers() (out []Ledger) {
	d := &c.spread
	if !d.table || len(d.shown) == 0 {
		return nil
	}
	for k, s := range d.shown[0].Sorts {
		t := Ledger{ID: "spread-" + strconv.Itoa(k), Caption: sortTitle(s.Title) + ": " + spreadMeasures[d.of].name + spreadMeasures[d.of].unit,
			Heads: []string{"class", "policy", "jobs", "least", "5 %", "25 %", "median", "75 %", "95 %", "most", "mean"}}
		for i := range s.Boxes {
			for r := range d.shown {
				b := &d.shown[r].Sorts[k].Boxes[i]
				e := Entry{Name: b.Name, Job: -1, Cells: []Figure{{c.spread.titles[r], "text"}, figure(int64(b.Jobs))}}
				for _, v := range append(b.At[:7:7], b.Mean) {
					text := "–"
					if b.Jobs > 0 {
						text = widgets.Show(v, -1)
					}
					e.Cells = append(e.Cells, Figure{text, ""})
				}
				t.Rows = append(t.Rows, e)
			}
		}
		out = append(out, t)
	}
	return out
}
