// Package lessons embeds the lessons of the page, one file each. The tests of ui/lessons/lesson
// run every scenario, and compare the texts of the lessons with the results.
package lessons

import (
	_ "embed"
	"encoding/json"
)

// Lesson holds a lesson and its name.
type Lesson struct {
	Name string `json:"name"` // name of the file, without extension
	Text Text   `json:"lesson"`
}

// Text is the JSON text of a lesson. json.Marshal copies it unchanged.
type Text string

// MarshalJSON returns the text unchanged.
func (t Text) MarshalJSON() ([]byte, error) { return []byte(t), nil }

// File returns all lessons as one JSON file, which the page fetches.
func File() ([]byte, error) { return json.Marshal(List) }

// List contains the lessons in teaching order.
var List = []Lesson{
	{"intro-chart", introChart},
	{"intro-fcfs", introFCFS},
	{"intro-backfilling", introBackfilling},
	{"intro-estimates", introEstimates},
	{"intro-promises", introPromises},
	{"intro-de", introDe},
	{"jin-figure-1", jinFigure1},
	{"jin-figure-2", jinFigure2},
	{"jin-figure-4", jinFigure4},
	{"figure-1", figure1},
	{"figure-2", figure2},
	{"figure-3", figure3},
	{"figure-3-behind", figure3Behind},
	{"figure-3-ahead", figure3Ahead},
	{"leinberger-figure-1", leinbergerFigure1},
	{"leinberger-balance", leinbergerBalance},
	{"leinberger-fullness", leinbergerFullness},
	{"wu-figure-1", wuFigure1},
	{"wu-figure-3", wuFigure3},
	{"wu-figure-4", wuFigure4},
	{"jin-figure-6", jinFigure6},
	{"jin-decision", jinDecision},
	{"scojo-first-hour", scojoFirstHour},
	{"zeng-sharing", zengSharing},
	{"zeng-gain", zengGain},
	{"zeng-cases", zengCases},
	{"zeng-poor-good", zengPoorGood},
	{"zeng-window", zengWindow},
	{"zeng-fair", zengFair},
}

var (
	//go:embed intro-chart.json
	introChart Text
	//go:embed intro-fcfs.json
	introFCFS Text
	//go:embed intro-backfilling.json
	introBackfilling Text
	//go:embed intro-estimates.json
	introEstimates Text
	//go:embed intro-promises.json
	introPromises Text
	//go:embed intro-de.json
	introDe Text
	//go:embed figure-1.json
	figure1 Text
	//go:embed figure-2.json
	figure2 Text
	//go:embed figure-3.json
	figure3 Text
	//go:embed figure-3-behind.json
	figure3Behind Text
	//go:embed figure-3-ahead.json
	figure3Ahead Text
	//go:embed leinberger-figure-1.json
	leinbergerFigure1 Text
	//go:embed leinberger-balance.json
	leinbergerBalance Text
	//go:embed leinberger-fullness.json
	leinbergerFullness Text
	//go:embed wu-figure-1.json
	wuFigure1 Text
	//go:embed wu-figure-3.json
	wuFigure3 Text
	//go:embed wu-figure-4.json
	wuFigure4 Text
	//go:embed jin-figure-1.json
	jinFigure1 Text
	//go:embed jin-figure-2.json
	jinFigure2 Text
	//go:embed jin-figure-4.json
	jinFigure4 Text
	//go:embed jin-figure-6.json
	jinFigure6 Text
	//go:embed jin-decision.json
	jinDecision Text
	//go:embed scojo-first-hour.json
	scojoFirstHour Text
	//go:embed zeng-sharing.json
	zengSharing Text
	//go:embed zeng-gain.json
	zengGain Text
	//go:embed zeng-cases.json
	zengCases Text
	//go:embed zeng-poor-good.json
	zengPoorGood Text
	//go:embed zeng-window.json
	zengWindow Text
	//go:embed zeng-fair.json
	zengFair Text
)
