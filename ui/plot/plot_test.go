package plot

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestBins(t *testing.T) {
	l := CountHistogram()
	require.Empty(t, l.Bins())
	for _, v := range []int64{1, 2, 3, 4, 7, 16, 16} {
		l.Add(v)
	}
	require.Equal(t, []Bin{{1, 2, 1}, {2, 4, 2}, {4, 8, 2}, {8, 16, 0}, {16, 32, 2}}, l.Bins())
	l = DurationHistogram()
	for _, v := range []int64{-5, 0, 60, 119, 3600 * 24 * 36525} {
		l.Add(v)
	}
	require.Equal(t, Bin{0, 1, 2}, l.Bins()[0])
	require.Contains(t, l.Bins(), Bin{60, 120, 2})
	require.Equal(t, Bin{3600 * 24 * 36525, math.MaxInt64, 1}, l.Bins()[len(l.Bins())-1])
}

// Each value is counted in exactly one bin, whose range contains the value.
func TestEveryValueIsCountedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(1, math.MaxInt64), 1, 50).Draw(t, "values")
		l := rapid.SampledFrom([]func() *Histogram{CountHistogram, DurationHistogram}).Draw(t, "bins")()
		for _, v := range values {
			l.Add(v)
		}
		for i, b := range l.Bins() {
			n := 0
			for _, v := range values {
				if v >= b.From && (v < b.To || b.To == math.MaxInt64) {
					n++
				}
			}
			require.Equal(t, n, b.N)
			require.True(t, i == 0 || l.Bins()[i-1].To == b.From)
		}
	})
}

func TestBarChartIsWellFormed(t *testing.T) {
	p := BarChart{Name: `Runtime of "a" & <b>`, Times: true, Bins: []Bin{{0, 1, 3}, {1, 2, 0}, {2, 4, 1000}}}
	require.Equal(t, `Runtime of "a" & <b>: 1003 values. Most frequent: 2 s to below 4 s (1000). Smallest: 0 s (3).`, p.Description())
	d := xml.NewDecoder(strings.NewReader(p.SVG()))
	bars, label := []string{}, ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			a := map[string]string{}
			for _, x := range e.Attr {
				a[x.Name.Local] = x.Value
			}
			switch e.Name.Local {
			case "svg":
				label = a["aria-label"]
			case "rect":
				bars = append(bars, a["x"]+" "+a["width"]+" "+a["height"])
			}
		}
	}
	require.Equal(t, p.Description(), label)
	require.Equal(t, []string{"1 98 1", "101 98 0", "201 98 54"}, bars, "every non-empty bin has a visible bar")
	require.Equal(t, "Runtime: no values.", (&BarChart{Name: "Runtime"}).Description())
	require.Contains(t, (&BarChart{}).SVG(), "</svg>")
}

// The scale preserves the order of values of any size. All positions are in the drawing, and the labels of the axis do
// not overlap.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{Min: rapid.SampledFrom([]float64{0, 1}).Draw(t, "least"), Times: rapid.Bool().Draw(t, "times")}
		s.Max = s.Min + rapid.Float64Range(0, 1e12).Draw(t, "span")
		a := rapid.Float64Range(s.Min, s.Max).Draw(t, "a")
		b := rapid.Float64Range(a, s.Max).Draw(t, "b")
		require.LessOrEqual(t, s.position(a), s.position(b))
		require.GreaterOrEqual(t, s.position(s.Min), 1.0)
		require.LessOrEqual(t, s.position(s.Max), 98.001)
		last := -11.0
		for _, v := range s.marks() {
			require.GreaterOrEqual(t, s.position(v)-last, 11.0)
			last = s.position(v)
		}
	})
}

func TestBoxes(t *testing.T) {
	s := Scale{Max: 100, Times: true}
	require.Equal(t, []float64{0, 1, 5, 10, 20, 60}, s.marks())
	require.Contains(t, s.Axis(), ">1 min</text>")
	svg := s.Boxes(`"1" & 2`, []Box{{Name: "EASY <1>", Low: 0, Q1: 1, Median: 2, Q3: 3, High: 10, Mean: 4, Max: 100}, {Name: "few", Values: []float64{1, 100}}})
	require.Contains(t, svg, `aria-label="&quot;1&quot; &amp; 2"`)
	require.Equal(t, 1, strings.Count(svg, "<rect"), "a few values are drawn as dots")
	require.Equal(t, 2, strings.Count(svg, `class="one"`))
	require.Contains(t, svg, "<title>EASY &lt;1&gt;</title>")
	require.Contains(t, svg, `class="most" r="3" cx="98.00%"`)
}
