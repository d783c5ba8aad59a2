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
	l := Doubling()
	require.Empty(t, l.Bins())
	for _, v := range []int64{1, 2, 3, 4, 7, 16, 16} {
		l.Add(v)
	}
	require.Equal(t, []Bin{{1, 2, 1}, {2, 4, 2}, {4, 8, 2}, {8, 16, 0}, {16, 32, 2}}, l.Bins())
	l = Times()
	for _, v := range []int64{-5, 0, 60, 119, 3600 * 24 * 36525} {
		l.Add(v)
	}
	require.Equal(t, Bin{0, 1, 2}, l.Bins()[0])
	require.Contains(t, l.Bins(), Bin{60, 120, 2})
	require.Equal(t, Bin{3600 * 24 * 36525, math.MaxInt64, 1}, l.Bins()[len(l.Bins())-1])
}

func TestDuration(t *testing.T) {
	for s, want := range map[int64]string{0: "0 s", 59: "59 s", 60: "1 min", 61: "1 min 1 s", 3600: "1 h", 3661: "1 h 1 min", 3601: "1 h 1 s", 86400 * 3: "3 d", 90000: "1 d 1 h", 86400 + 61: "1 d 1 min"} {
		require.Equal(t, want, Duration(s), s)
	}
}

// Each value lies in the one bin that counts it.
func TestEveryValueIsCountedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(1, math.MaxInt64), 1, 50).Draw(t, "values")
		l := rapid.SampledFrom([]func() *Counts{Doubling, Times}).Draw(t, "bins")()
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

func TestPictureIsWellFormed(t *testing.T) {
	p := Picture{Name: `Runtime of "a" & <b>`, Times: true, Bins: []Bin{{0, 1, 3}, {1, 2, 0}, {2, 4, 1000}}}
	require.Equal(t, `Runtime of "a" & <b>: 1003 values, of these 1000 of 2 s to below 4 s; the least 3 of 0 s.`, p.Says())
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
	require.Equal(t, p.Says(), label)
	require.Equal(t, []string{"1 98 1", "101 98 0", "201 98 54"}, bars, "what is there is seen, however few")
	require.Equal(t, "Runtime: no values.", (&Picture{Name: "Runtime"}).Says())
	require.Contains(t, (&Picture{}).SVG(), "</svg>")
}
