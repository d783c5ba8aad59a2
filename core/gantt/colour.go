package gantt

import "backfill-lab/core/job"

// Palette is the colours of jobs, in job order and then again: the eight of
// Okabe and Ito (grey for black) and four lighter ones.
var Palette = [12]string{
	"#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00",
	"#cc79a7", "#8a8a8a", "#7fc8a9", "#b89fe0", "#e8b4a0", "#6fa8dc",
}

// inks is the colour of text on each of the palette, black or white, whichever
// has the larger contrast; it is at least 4.5 on all of them.
var inks = [12]string{4: white}

const (
	black = "#000000"
	white = "#ffffff"
)

// Hue returns the colour of job j.
func Hue(j job.Index) string { return Palette[int(j)%len(Palette)] }

// Ink returns the colour of text on Hue(j).
func Ink(j job.Index) string {
	if ink := inks[int(j)%len(inks)]; ink != "" {
		return ink
	}
	return black
}
