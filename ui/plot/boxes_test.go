package plot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Values keep their order on the scale, whatever their size.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{Least: rapid.SampledFrom([]float64{0, 1}).Draw(t, "least"), Times: rapid.Bool().Draw(t, "times")}
		s.Most = s.Least + rapid.Float64Range(0, 1e12).Draw(t, "span")
		a := rapid.Float64Range(s.Least, s.Most).Draw(t, "a")
		b := rapid.Float64Range(a, s.Most).Draw(t, "b")
		require.LessOrEqual(t, s.at(a), s.at(b))
		require.GreaterOrEqual(t, s.at(s.Least), 1.0)
		require.LessOrEqual(t, s.at(s.Most), 98.001)
		last := -11.0
		for _, v := range s.marks() {
			require.GreaterOrEqual(t, s.at(v)-last, 11.0)
			last = s.at(v)
		}
	})
}

func TestBoxes(t *testing.T) {
	s := Scale{Most: 100, Times: true}
	require.Equal(t, []float64{0, 1, 5, 10, 20, 60}, s.marks())
	require.Contains(t, s.Axis(), ">1 min</text>")
	svg := s.Boxes(`"1" & 2`, []Box{{Name: "EASY <1>", Low: 0, Q1: 1, Median: 2, Q3: 3, High: 10, Mean: 4, Most: 100}, {Name: "few", Few: []float64{1, 100}}})
	require.Contains(t, svg, `aria-label="&quot;1&quot; &amp; 2"`)
	require.Equal(t, 1, strings.Count(svg, "<rect"), "few values are dots")
	require.Equal(t, 2, strings.Count(svg, `class="one"`))
	require.Contains(t, svg, "<title>EASY &lt;1&gt;</title>")
	require.Contains(t, svg, `class="most" r="3" cx="98.00%"`)
}
