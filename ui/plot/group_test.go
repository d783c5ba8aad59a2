package plot

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/glomarc/gain"
)

// figure11 returns the group in Zeng's Figure 11, but with a narrower second matched job.
func figure11() *Group {
	return &Group{Names: []string{"A", "J1", "<é>"}, Group: gain.Group{
		Primary: gain.Job{Procs: 8, PerNode: 2, Nos: 1, Left: 4000}, Matched: []gain.Member{
			{Job: gain.Job{Procs: 4, PerNode: 2, Nos: 1, Left: 3000}, Causes: 1.2, Suffers: 1.2},
			{Job: gain.Job{Procs: 2, PerNode: 2, Nos: 1, Left: 1500}, Causes: 1.1, Suffers: 1.0},
		}}}
}

// elements returns the rectangles and the texts of a drawing.
func elements(t *testing.T, svg string) (rects []map[string]string, texts []string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	in := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			return rects, texts
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			in = e.Name.Local
			a := map[string]string{}
			for _, x := range e.Attr {
				a[x.Name.Local] = x.Value
			}
			if in == "rect" {
				rects = append(rects, a)
			}
		case xml.CharData:
			if in == "title" {
				rects[len(rects)-1]["title"] = string(e)
			} else {
				texts = append(texts, string(e))
			}
		}
	}
}

// The drawing shows the jobs of the group as rectangles, with their speeds, and three numbers below each period.
func TestGroupDrawing(t *testing.T) {
	g := figure11()
	rects, texts := elements(t, g.SVG())
	var titles []string
	for _, r := range rects {
		titles = append(titles, r["class"]+": "+r["title"])
	}
	require.Equal(t, []string{"primary: A at 0.833", "primary: A at 0.833", "matched: <é> at 1", "matched: J1 at 0.833"}, titles)
	require.Equal(t, []string{"4 nodes", "3 shared", "A at 0.833", "t 1500 s", "SL 1.2", "alone 18000", "A at 0.833", "t 2100 s", "SL 1.2", "alone 21000", "<é> at 1", "J1 at 0.833"}, texts)
	require.Equal(t, rects[1]["x"], "234", "at five twelfths of the width")
	require.Equal(t, []string{"134.0", "98.0"}, []string{rects[2]["y"], rects[3]["y"]}, "the narrowest lies lowest")
	require.Equal(t, "36.0", rects[3]["height"], "two of four nodes")
}

// The drawing omits texts that do not fit, because the table shows them. Matched jobs on more nodes than
// the primary job still fit into the drawing.
func TestGroupOfManyPeriods(t *testing.T) {
	g := &Group{Names: []string{"A"}, Group: gain.Group{Primary: gain.Job{Procs: 16, PerNode: 1, Left: 4000}}}
	for i := range 18 {
		g.Names = append(g.Names, "J")
		g.Matched = append(g.Matched, gain.Member{Job: gain.Job{Procs: 1, PerNode: 1, Left: float64(100 * (i + 1))}, Causes: 1, Suffers: 1})
	}
	svg := g.SVG()
	rects, texts := elements(t, svg)
	require.Len(t, rects, 36)
	require.Equal(t, []string{"16 nodes", "18 shared"}, texts)
	require.Equal(t, "8.0", rects[0]["y"], "16 of 18 nodes")
	require.Less(t, len(svg), 16_000)
}
