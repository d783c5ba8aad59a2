// Package examples holds the examples that the page opens. It is not the place
// for traces: an example is a small file, perhaps of a generator, says what to look at, and runs in a blink.
package examples

import _ "embed" // into texts: a file system of them would weigh more than they do

// Example is an entry of the list.
type Example struct {
	Name     string // of the file, without its ending
	Title    string
	Scenario string // the file
}

// List is the examples in the order in which they teach; the first one is
// what the page opens on. It is that of index.json.
var List = []Example{
	{"first", "EASY and conservative backfilling", first},
	{"hole", "A hole that one job fits", hole},
	{"promises", "One promise or a promise for every job", promises},
	{"jin-figure-4", "Backfilling twice", jinFigure4},
	{"two-ends", "Two ends at one moment", twoEnds},
	{"orders", "One queue in four orders", orders},
	{"early-end", "Sooner is not always sooner", earlyEnd},
	{"zeng-wins", "Three jobs on the nodes of one", zengWins},
	{"zeng-loses", "Better alone on half of the nodes", zengLoses},
	{"lublin", "Two thousand jobs of a model", lublin},
}

var (
	//go:embed first.json
	first string
	//go:embed hole.json
	hole string
	//go:embed promises.json
	promises string
	//go:embed jin-figure-4.json
	jinFigure4 string
	//go:embed two-ends.json
	twoEnds string
	//go:embed orders.json
	orders string
	//go:embed early-end.json
	earlyEnd string
	//go:embed zeng-wins.json
	zengWins string
	//go:embed zeng-loses.json
	zengLoses string
	//go:embed lublin.json
	lublin string
)
