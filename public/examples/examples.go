// Package examples embeds the example scenarios of the page. An example is a small file that runs
// in well under a second, and its text says what to look at.
package examples

import _ "embed" // as strings, since an embed.FS would be larger than the files

// Example is an entry of List.
type Example struct {
	Name     string // name of the file, without extension
	Title    string
	Scenario string // content of the file
}

// List contains the examples in teaching order, like index.json. The page opens the first one.
var List = []Example{
	{"first", "EASY and conservative backfilling", first},
	{"hole", "Backfilling: a short job starts early, a long one has to wait", hole},
	{"promises", "One reservation, or one for every job: which jobs are delayed?", promises},
	{"jin-figure-4", "Conservative backfilling starts narrow jobs early and delays none", jinFigure4},
	{"two-ends", "Two jobs end at once, but only one long job may be backfilled", twoEnds},
	{"orders", "Four queue orders: first come, shortest, longest or widest first", orders},
	{"early-end", "A backfilled job can cost others an early start", earlyEnd},
	{"zeng-wins", "Sharing nodes pays: two jobs use the idle cores of a third", zengWins},
	{"zeng-loses", "Sharing nodes does not pay: two jobs slow each other down", zengLoses},
	{"lublin", "Two thousand random jobs: which policy has the shorter mean wait?", lublin},
}

// Trace describes the example with a real trace. Its file is not part of the program: the page
// fetches it when a user opens the example. docs/guide.md says how the file was made.
var Trace = struct{ File, Title, Text string }{
	"sdsc-sp2-5000.swf.gz",
	"A real trace: 5,000 jobs of the SDSC SP2, 128 nodes, 1999",
	"Seven weeks on the IBM SP2 of the San Diego Supercomputer Center. Which policy makes the users wait less, and which users?\n" +
		"Source: the log SDSC-SP2-1998-4.2-cln of the Parallel Workloads Archive, provided by Victor Hazlewood, SDSC. " +
		"JOBLOG data, Copyright 2000 The Regents of the University of California, all rights reserved. It may be used, copied, modified and distributed " +
		"for educational, research and non-profit purposes if this notice is kept and work based on the data refers to it.",
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
