// Package lessons holds the lessons that the page opens, a file each. It is not
// the place for their words about schedules to be believed: the tests of
// ui/lesson run every scenario and hold the lesson to what comes out.
package lessons

import _ "embed" // into texts: a file system of them would weigh more than they do

// File is a lesson as it is written.
type File struct {
	Name string // of the file, without its ending
	Text string
}

// List is the lessons in the order in which they teach.
var List = []File{
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
	introChart string
	//go:embed intro-fcfs.json
	introFCFS string
	//go:embed intro-backfilling.json
	introBackfilling string
	//go:embed intro-estimates.json
	introEstimates string
	//go:embed intro-promises.json
	introPromises string
	//go:embed intro-de.json
	introDe string
	//go:embed figure-1.json
	figure1 string
	//go:embed figure-2.json
	figure2 string
	//go:embed figure-3.json
	figure3 string
	//go:embed figure-3-behind.json
	figure3Behind string
	//go:embed figure-3-ahead.json
	figure3Ahead string
	//go:embed leinberger-figure-1.json
	leinbergerFigure1 string
	//go:embed leinberger-balance.json
	leinbergerBalance string
	//go:embed leinberger-fullness.json
	leinbergerFullness string
	//go:embed wu-figure-1.json
	wuFigure1 string
	//go:embed wu-figure-3.json
	wuFigure3 string
	//go:embed wu-figure-4.json
	wuFigure4 string
	//go:embed jin-figure-1.json
	jinFigure1 string
	//go:embed jin-figure-2.json
	jinFigure2 string
	//go:embed jin-figure-4.json
	jinFigure4 string
	//go:embed jin-figure-6.json
	jinFigure6 string
	//go:embed jin-decision.json
	jinDecision string
	//go:embed scojo-first-hour.json
	scojoFirstHour string
	//go:embed zeng-sharing.json
	zengSharing string
	//go:embed zeng-gain.json
	zengGain string
	//go:embed zeng-cases.json
	zengCases string
	//go:embed zeng-poor-good.json
	zengPoorGood string
	//go:embed zeng-window.json
	zengWindow string
	//go:embed zeng-fair.json
	zengFair string
)
