package docs

import (
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/scojo"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/core/workload/swf"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
)

// limits lists the maximum sizes and numbers in files, links and runs.
var limits = []struct {
	what  string
	limit int64
	unit  string
}{
	{"a file, and the unpacked text of a compressed file (gzip)", input.DefaultMaxBytes, "bytes"},
	{"a scenario or a lesson as text", input.MaxInMemory, "bytes"},
	{"unpacked text of a compressed file, if it is longer than " + withCommas(input.FreeGrowth) + " bytes", input.MaxGrowth, "times the length of the compressed file"},
	{"lines of a trace, a table or accounting records", input.MaxLines, ""},
	{"jobs", job.MaxJobs, ""},
	{"a time in a file", job.MaxTime, "s"},
	{"the end of a run", job.MaxEndTime, "s"},
	{"records in the log of a run", sim.MaxRecords, "plus " + withCommas(sim.RecordsPerJob) + " per job"},
	{"intervals of `scojo-pect` in which one job runs", scojo.MaxIntervals, ""},
	{"nodes", cluster.MaxNodes, ""},
	{"slots (nodes × processors × cores)", cluster.MaxSlots, ""},
	{"extra resources", cluster.MaxResources, ""},
	{"capacity of an extra resource", cluster.MaxCapacity, ""},
	{"outages of a machine", cluster.MaxOutages, ""},
	{"the name of a job, user, class, resource, policy or knob, and a knob's value", job.MaxName, "bytes"},
	{"a formula", formula.MaxLength, "characters"},
	{"runtimes of a moldable job in a table", job.MaxTable, ""},
	{"slowdown of a job, of each kind", job.MaxSlowdown, "times"},
	{"load factor", workload.MaxLoadFactor, ""},
	{"policies of a scenario", scenario.MaxPolicies, ""},
	{"title, text, view and each unknown field of a scenario", scenario.MaxText, "bytes"},
	{"fields of an object of a scenario", scenario.MaxFields, ""},
	{"pairs with a slowdown", scenario.MaxPairs, ""},
	{"nested lists and objects", raw.MaxDepth, ""},
	{"a line of a trace (SWF)", swf.MaxLine, "bytes"},
	{"comments of a trace", swf.MaxHeader, "bytes"},
	{"a line of accounting records", sacct.MaxLine, "bytes"},
	{"a row of a table (CSV)", csv.MaxRow, "bytes"},
	{"columns of a table", csv.MaxColumns, ""},
	{"columns of a table that the program does not know", csv.MaxUnknownColumns, ""},
	{"cells in unknown columns of a table", csv.MaxUnknownCells, ""},
	{"a line of a log that is read", log.MaxLine, "bytes"},
	{"records of a log that is read", log.MaxRecords, ""},
	{"header lines of a log that the program does not know", log.MaxMeta, ""},
	{"a link that the page makes", link.MaxLength, "characters"},
	{"jobs in a link", link.MaxJobs, ""},
	{"content of a link", link.MaxBytes, "bytes"},
	{"a lesson", lesson.MaxBytes, "bytes"},
	{"jobs in a lesson", lesson.MaxJobs, ""},
	{"a text of a lesson", lesson.MaxText, "bytes"},
}

// listLimits returns a table with the limits.
func listLimits() string {
	var b strings.Builder
	b.WriteString("| what | maximum |\n|---|---|\n")
	for _, l := range limits {
		writeRow(&b, l.what, strings.TrimSpace(withCommas(l.limit)+" "+l.unit))
	}
	return b.String()
}

// withCommas formats a number with a comma before every three digits, such as "1,000,000".
func withCommas(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return withCommas(n/1000) + "," + strconv.FormatInt(1000+n%1000, 10)[1:]
}
