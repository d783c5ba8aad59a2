//go:build linux

package main

import (
	"fmt"
	"strings"
)

// hostileInputs lists all inputs of the hostile tests.
var hostileInputs = concat(hostileTraces, hostileTables, hostileScenarios, hostileRecords, hostileLogs, hostileSchedules, hostileFlags, hostileLinks, hostileLessons)

func concat(lists ...[]hostileInput) (all []hostileInput) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// manyItems is more than twice the limits on the numbers of policies, of fields, and of runtimes of
// a moldable job.
const manyItems = 200_000

var hostileTraces = []hostileInput{
	{name: "a line of 100 MB", file: "line.swf", data: repeated(swfHead, "9", 100_000_000, ""), want: "line.swf: line 2: expected a line of at most 65536 bytes", page: noPage},
	{name: "a line of 1 MB", file: "line1.swf", data: repeated(swfHead, "9", 1_000_000, ""), want: "line1.swf: line 2: expected a line of at most 65536 bytes"},
	{name: "a field of 60 KB", file: "field.swf", data: repeated(swfHead+"1 ", "9", 60_000, " -1\n"), want: "field.swf: line 2"},
	{name: "comments of 10 MB", file: "comments.swf", data: repeated("", "; nothing to see\n", 600_000, swfJob), want: "expected at most 4194304 bytes of comments, got more"},
	{name: "a machine of 2^63", file: "machine.swf", data: constant("; MaxProcs: 9223372036854775808\n" + swfJob), want: "machine.swf", page: noPage},
	{name: "a machine of -1", file: "minus.swf", data: constant("; MaxProcs: -1\n" + swfJob), args: "run -in FILE -policy easy", want: "the size of the machine is unknown", page: noPage},
	{name: "no machine", file: "bare.swf", data: constant(swfJob), args: "run -in FILE -policy easy", want: "with -nodes", page: noPage},
	{name: "20 million blank lines and more", file: "blank.swf", data: repeated(swfHead, "\n", 20_500_000, ""), want: "line 20000001: expected at most 20000000 lines", page: noPage},
	{name: "a bomb of blank lines", file: "bomb.swf.gz", data: gzipRepeated(swfHead, "\n", 64_000_000), want: "expected gzip data that expands at most 200-fold"},
	{name: "a bomb of jobs", file: "jobs.swf.gz", data: gzipRepeated(swfHead, swfJob, 1_500_000), want: "expected gzip data that expands at most 200-fold"},
	{name: "a bomb of one line", file: "oneline.swf.gz", data: gzipRepeated(swfHead, "1", 64_000_000), want: "line 2: expected a line of at most 65536 bytes"},
	{name: "a bomb of comments", file: "said.swf.gz", data: gzipRepeated("", "; said\n", 30_000_000), want: "bytes of comments"},
	{name: "zeros behind a head", file: "sparse.swf", data: repeated(swfHead, swfJob, 20, ""), size: 400 << 20, want: "line 22: expected a line of at most 65536 bytes", page: noPage},
	{name: "1 GB and more", file: "vast.swf", data: constant(swfHead + swfJob), size: 2 << 30, want: "the text is too large: more than 536870912 bytes", page: noPage},
	{name: "a terabyte", file: "tera.swf", data: constant(swfHead), size: 1 << 40, want: "the text is too large: more than 536870912 bytes", page: noPage},
	{name: "a runtime of 10^300", file: "e300.swf", data: constant(swfHead + strings.Replace(swfJob, " 5 ", " 1e300 ", 1)), want: "line 2, field 4 (run time): expected a number below 10^18"},
	{name: "NaN", file: "nan.swf", data: constant(swfHead + strings.Replace(swfJob, " 5 ", " NaN ", 1)), want: "line 2, field 4 (run time): expected a number"},
	{name: "an escape sequence for a number", file: "escape.swf", data: constant(swfHead + strings.Replace(swfJob, " 5 ", " "+escape+" ", 1)), want: `expected a number`, page: noPage},
	{name: "binary data behind the first page", file: "late.swf", data: repeated(swfHead+strings.Repeat(swfJob, 20), "\x00\xff", 100_000, ""), want: "late.swf: line 22"},
	{name: "gzip cut short", file: "cut.swf.gz", data: func() []byte { d := gzipRepeated(swfHead, swfJob, 1000)(); return d[:len(d)-9] }, want: "the gzip data is damaged"},
	{name: "a wrong checksum", file: "sum.swf.gz", data: func() []byte { d := gzipRepeated(swfHead, swfJob, 10)(); d[len(d)-6] ^= 1; return d }, want: "the gzip data is damaged"},
	{name: "gzip of nothing", file: "nothing.swf.gz", data: gzipRepeated("", "", 0), want: "the file is empty"},
	{name: "gzip in gzip", file: "twice.swf.gz", data: func() []byte { return gzipRepeated(string(gzipRepeated(swfHead, swfJob, 1)()), "", 0)() }, want: "gzip data inside gzip data"},
	{name: "a gzip header alone", file: "head.swf.gz", data: constant("\x1f\x8b"), want: "the gzip data is damaged"},
	{name: "nulls", file: "null.swf", data: repeated("", "\x00", 1000, ""), want: "binary data"},
	{name: "a runtime of 10^12 under time slices", file: "slices.swf", data: constant(swfHead + "1 0 -1 1000000000000 2 -1 -1 2 1000000000000 -1 1 1 1 1 1 1 -1 -1\n"), args: "run -in FILE -policy scojo-pect -jobs out.csv", want: `job 1 (id "1"), runtime: expected at most 252000000 s under scojo-pect`, page: noPage},
	{name: "the same with short intervals", file: "short.swf", data: constant(swfHead + "1 0 -1 900000 2 -1 -1 2 900000 -1 1 1 1 1 1 1 -1 -1\n"), args: "run -in FILE -policy scojo-pect -set interval=6 -set short-max=1 -set medium-max=2 -jobs out.csv", want: `job 1 (id "1"), runtime: expected at most 400000 s under scojo-pect`, page: noPage},
}

var hostileTables = []hostileInput{
	{name: "1,000 extra resources", file: "wide.csv", data: func() []byte {
		return []byte("id,submit,procs,runtime" + string(numbered("", ",res:r%d", 1000, "\n1,0,1,1\n")()))
	}, want: "wide.csv: line 1, column \"res:r16\": expected at most 16 extra resources, got more"},
	{name: "3,000 extra resources", file: "wider.csv", data: func() []byte {
		return []byte("id,submit,procs,runtime" + string(numbered("", ",res:r%d", 3000, "\n1,0,1,1\n")()))
	}, want: "wider.csv: line 1, column \"res:r16\": expected at most 16 extra resources, got more"},
	{name: "200,000 columns", file: "columns.csv", data: func() []byte {
		return numbered("id,submit,procs,runtime", ",c%d", 200_000, "\n1,0,1,1\n")()
	}, want: "row of at most 1048576 bytes"},
	{name: "100,000 columns", file: "columns1.csv", data: func() []byte { return repeated("id,submit,procs,runtime", ",c", 100_000, "\n1,0,1,1\n")() }, want: "line 1: expected at most 69632 columns, got 100004"},
	{name: "2,000 unknown columns", file: "unknown.csv", data: func() []byte { return numbered("id,submit,procs,runtime", ",c%d", 2_000, "\n1,0,1,1\n")() }, want: "expected at most 1000 columns that are not read, got more"},
	{name: "cells that are not read, by the million", file: "unread.csv.gz", data: func() []byte {
		return gzipRepeated("id,submit,procs,runtime"+string(numbered("", ",c%d", 999, "\n")()), "1,0,1,1\n", 30_000)()
	}, want: "expected at most 20000000 cells in columns that are not read", page: noPage},
	{name: "a row of 100 MB", file: "row.csv", data: repeated(csvHead, ",", 60_000_000, ""), want: "row.csv: line 2: expected a row of at most 1048576 bytes, got a longer one", page: noPage},
	{name: "a row of 10 MB", file: "row1.csv", data: repeated(csvHead, ",", 10_000_000, ""), want: "row1.csv: line 2: expected a row of at most 1048576 bytes, got a longer one"},
	{name: "a header of 10 MB", file: "header.csv", data: repeated("", "x", 10_000_000, "\n1\n"), want: "line 1: expected a row of at most 1048576 bytes"},
	{name: "a quoted cell of 100 MB", file: "quoted.csv", data: repeated(csvHead+`"`, "x", 100_000_000, `",0,1,1,1`+"\n"), want: "line 2: expected a row of at most 1048576 bytes", page: noPage},
	{name: "a quoted cell of 5 MB", file: "quoted1.csv", data: repeated(csvHead+`"`, "x\n", 2_500_000, `",0,1,1,1`+"\n"), want: "line 2: expected a row of at most 1048576 bytes"},
	{name: "quotes without an end", file: "quotes.csv", data: repeated(csvHead+`"`, `""`, 1_000_000, ""), want: "line 2: expected a row of at most 1048576 bytes"},
	{name: "a quote left open", file: "open.csv", data: constant(csvHead + `"1,0,2,9,5` + "\n"), want: "open.csv: line 2: expected a closing quote, got the end of the file"},
	{name: "a name of 500 KB", file: "name.csv", data: repeated(csvHead, "n", 500_000, ",0,2,9,5\n"), want: "line 2, column id: expected a name of at most 131072 bytes, got 500000 bytes"},
	{name: "a user of 500 KB", file: "user.csv", data: repeated("id,submit,procs,runtime,user\n1,0,1,1,", "n", 500_000, "\n"), want: "line 2, column user: expected a name of at most 131072 bytes"},
	{name: "a resource with a name of 500 KB", file: "resource.csv", data: repeated("id,submit,procs,runtime,res:", "n", 500_000, "\n1,0,1,1,1\n"), want: "expected a name of at most 131072 bytes"},
	{name: "a bomb of blank rows", file: "bomb.csv.gz", data: gzipRepeated(csvHead, "\n", 64_000_000), want: "expected gzip data that expands at most 200-fold"},
	{name: "a bomb of jobs", file: "jobs.csv.gz", data: gzipRepeated(csvHead, csvJob, 6_000_000), want: "expected gzip data that expands at most 200-fold"},
	{name: "a bomb of jobs in two parts", file: "parts.csv.gz", data: func() []byte {
		return append(gzipRepeated(csvHead, csvJob, 6_000_000)(), gzipRepeated("", csvJob, 1)()...)
	}, want: "expected gzip data that expands at most 200-fold"},
	{name: "a bomb of one cell", file: "cell.csv.gz", data: gzipRepeated(csvHead+`"`, "x", 64_000_000), want: "line 2: expected a row of at most 1048576 bytes"},
	{name: "a bomb of separators", file: "commas.csv.gz", data: gzipRepeated(csvHead, ",", 64_000_000), want: "line 2: expected a row of at most 1048576 bytes"},
	{name: "20 million blank rows and more", file: "blank.csv", data: repeated(csvHead, "\n", 20_500_000, ""), want: "line 20000001: expected at most 20000000 lines", page: noPage},
	{name: "more than 5,000,000 jobs", file: "jobs.csv", data: repeated("submit,procs,runtime\n", "0,1,1\n", 5_000_001, ""), args: "run -in FILE -policy easy -nodes 8", want: "line 5000002: the file has too many jobs: more than 5000000"},
	{name: "more than 5,000,000 jobs of a trace", file: "jobs.swf", data: repeated(swfHead, "1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", 5_000_001, ""), want: "line 5000002: the file has too many jobs: more than 5000000"},
	{name: "zeros behind a header", file: "sparse.csv", data: repeated(csvHead, csvJob, 100, ""), size: 400 << 20, want: "line 102: expected a row of at most 1048576 bytes", page: noPage},
	{name: "no job", file: "header1.csv", data: constant(csvHead), want: "the table has no job rows"},
	{name: "a time of 10^18", file: "time.csv", data: constant(csvHead + "1,1000000000000000000,2,9,5\n"), want: "line 2, column submit: expected a number from 0 to 1000000000000"},
	{name: "-1 processors", file: "minus.csv", data: constant(csvHead + "1,0,-1,9,5\n"), want: "line 2, column procs: expected a number from 1"},
	{name: "0 processors", file: "zero.csv", data: constant(csvHead + "1,0,0,9,5\n"), want: "line 2, column procs: expected a number from 1"},
	{name: "infinity", file: "inf.csv", data: constant("submit,L,A,sigma\n0,inf,2,1\n"), want: "line 2, column L: expected a number from"},
	{name: "NaN", file: "nan.csv", data: constant("submit,L,A,sigma\n0,NaN,2,1\n"), want: "line 2, column L: expected a number"},
	{name: "a table of runtimes with a gap", file: "gap.csv", data: constant("submit,T1,T65536\n0,9,1\n"), want: "line 1: expected the columns T1 to T65536, got no T2"},
	{name: "a column twice", file: "twice.csv", data: constant("submit,submit,procs,runtime\n1,1,2,3\n"), want: "line 1, column submit: expected each column only once"},
	{name: "an escape sequence for a number", file: "escape.csv", data: constant(csvHead + "1,0," + escape + ",9,5\n"), want: `line 2, column procs: expected a whole number, got "\u009b2J\u202e"`},
	{name: "an escape sequence for a column", file: "column.csv", data: constant("id,submit,procs,runtime,res:" + escape + "\n1,0,1,1,1\n"), args: "run -in FILE -policy easy -nodes 8 -jobs out.csv", want: `column res:\u009b2J\u202e: expected a resource of the machine`, page: noPage},
	{name: "UTF-16", file: "utf16.csv", data: constant("\xff\xfei\x00d\x00"), want: "UTF-16 text"},
	{name: "separators of zeros", file: "sep.csv", data: constant("sep=\x00\nsubmit\x00procs\n"), want: "binary data"},
}

var hostileScenarios = []hostileInput{
	{name: "1,000 extra resources", file: "wide.json", data: scenarioWith("machine", `{"nodes":8,"resources":`+list(`{"name":"r%d","capacity":1}`, 1000)+`}`), want: "wide.json, line 1: machine, resources: expected at most 16, got more"},
	{name: "3,000 extra resources", file: "wider.json", data: scenarioWith("machine", `{"nodes":8,"resources":`+list(`{"name":"r%d","capacity":1}`, 3000)+`}`), want: "machine, resources: expected at most 16, got more"},
	{name: "100,000 blocks", file: "blocks.json", data: scenarioWith("machine", `{"nodes":8,"blocks":`+list(`{"from":%d,"to":2000000,"procs":1}`, 100_000)+`}`), want: "machine, blocks: expected at most 1000, got more"},
	{name: "a title of 50 MB", file: "title.json", data: func() []byte { return scenarioWith("more", `,"title":"`+strings.Repeat("t", 50_000_000)+`"`)() }, want: "title.json, line 1: title: expected at most 131072 bytes, got more"},
	{name: "a text of 50 MB", file: "text.json", data: func() []byte { return scenarioWith("more", `,"text":"`+strings.Repeat("t", 50_000_000)+`"`)() }, want: "text: expected at most 131072 bytes, got more"},
	{name: "a text of 50 MB of escapes", file: "escapes.json", data: func() []byte { return scenarioWith("more", `,"text":"`+strings.Repeat(`\u0061`, 8_000_000)+`"`)() }, want: "text: expected at most 131072 bytes"},
	{name: "a policy with a name of 50 MB", file: "policy.json", data: func() []byte { return scenarioWith("policies", `[{"name":"`+strings.Repeat("p", 50_000_000)+`"}]`)() }, want: "policies, row 1, name: expected at most 131072 bytes, got more"},
	{name: "a knob with a value of 50 MB", file: "knob.json", data: func() []byte {
		return scenarioWith("policies", `[{"name":"easy","knobs":{"order":"`+strings.Repeat("p", 50_000_000)+`"}}]`)()
	}, want: "policies, row 1, order: expected at most 131072 bytes, got more"},
	{name: "a knob with a name of 50 MB", file: "knobs.json", data: func() []byte {
		return scenarioWith("policies", `[{"name":"easy","knobs":{"`+strings.Repeat("p", 50_000_000)+`":1}}]`)()
	}, want: "expected a name of at most 131072 bytes, got more"},
	{name: "a job with a name of 50 MB", file: "id.json", data: func() []byte {
		return scenarioWith("jobs", `[{"id":"`+strings.Repeat("p", 50_000_000)+`","submit":0,"procs":1,"runtime":1}]`)()
	}, want: "jobs, row 1, id: expected at most 131072 bytes, got more"},
	{name: "an unknown field of 50 MB", file: "unknown.json", data: func() []byte { return scenarioWith("more", `,"x":[`+strings.Repeat("1,", 25_000_000)+`1]`)() }, want: "x: expected at most 131072 bytes"},
	{name: "a view of 50 MB", file: "view.json", data: func() []byte { return scenarioWith("more", `,"view":{"x":"`+strings.Repeat("1", 50_000_000)+`"}`)() }, want: "view, x: expected at most 131072 bytes"},
	{name: "200,000 fields", file: "fields.json", data: func() []byte { return numbered(`{"version":1`, `,"x%d":1`, manyItems, `}`)() }, want: "expected at most 4096 fields, got more"},
	{name: "200,000 fields of a job", file: "jobfields.json", data: func() []byte {
		return scenarioWith("jobs", string(numbered(`[{"submit":0`, `,"x%d":1`, manyItems, `}]`)()))()
	}, want: "jobs, row 1: expected at most 4096 fields, got more"},
	{name: "200,000 knobs", file: "manyknobs.json", data: func() []byte {
		return scenarioWith("policies", string(numbered(`[{"name":"easy","knobs":{"a":1`, `,"x%d":1`, manyItems, `}}]`)()))()
	}, want: "expected at most 4096 fields, got more"},
	{name: "200,000 policies", file: "policies.json", data: func() []byte { return scenarioWith("policies", list(aPolicy, manyItems))() }, want: "policies: expected 1 to 32, got more"},
	{name: "33 policies", file: "many.json", data: scenarioWith("policies", list(aPolicy, 33)), want: "policies: expected 1 to 32, got 33"},
	{name: "a million nested lists", file: "deep.json", data: repeated(`{"version":1,"x":`, "[", 1_000_000, ""), want: "deep.json: line 1, column 118: expected at most 100 nested lists and objects"},
	{name: "100 million nested lists", file: "deeper.json", data: repeated(`{"version":1,"x":`, "[", 100_000_000, ""), want: "expected at most 100 nested lists and objects", page: noPage},
	{name: "a million nested objects", file: "objects.json", data: repeated(`{"version":1,"x":`, `{"a":`, 1_000_000, ""), want: "expected at most 100 nested lists and objects"},
	{name: "a bomb of lists", file: "deep.json.gz", data: gzipRepeated(`{"version":1,"x":`, "[", 64_000_000), want: "line 1, column 118: expected at most 100 nested lists and objects"},
	{name: "a bomb of blanks", file: "blank.json.gz", data: gzipRepeated(`{`, " ", 64_000_000), want: "expected gzip data that expands at most 200-fold"},
	{name: "300 MB of blanks", file: "blanks.json", data: repeated("{", " ", 300<<20, ""), want: "the text is too large: more than 268435456 bytes", page: noPage},
	{name: "a list of 50 MB for the version", file: "version.json", data: func() []byte { return repeated(`{"version":[`, "1,", 25_000_000, `1]}`)() }, want: "version: expected at most 131072 bytes, got more"},
	{name: "version 2", file: "newer.json", data: constant(`{"version":2}`), want: "version: expected at most 1"},
	{name: "version 10^300", file: "newest.json", data: constant(`{"version":1e300}`), want: "version: expected a whole number"},
	{name: "a list and no object", file: "list.json", data: repeated("[", "1,", 1_000_000, "1]"), args: "run -in FILE -format json", want: "scenario: expected an object in { }, got a list"},
	{name: "a field twice", file: "twice.json", data: scenarioWith("more", `,"title":"a","title":"b"`), want: "title: expected each field only once"},
	{name: "bytes that are no text", file: "bytes.json", data: scenarioWith("more", ",\"title\":\"\xff\""), want: "expected text in UTF-8, got the byte 0xff"},
	{name: "nodes 10^18", file: "nodes.json", data: scenarioWith("machine", `{"nodes":1000000000000000000}`), want: "machine, nodes: expected a whole number of at most 1000000"},
	{name: "cores beyond all slots", file: "cores.json", data: scenarioWith("machine", `{"nodes":1000000,"processors":4000000,"cores":4000000}`), want: "machine, nodes x processors x cores: expected at most 4000000 slots"},
	{name: "-1 nodes", file: "minus.json", data: scenarioWith("machine", `{"nodes":-1}`), want: "machine, nodes: expected a whole number of at least 1"},
	{name: "a capacity of 10^300", file: "capacity.json", data: scenarioWith("machine", `{"nodes":8,"resources":[{"name":"a","capacity":1e300}]}`), want: "machine, resources, row 1, capacity: expected a whole number"},
	{name: "a capacity of 2^63-1", file: "capacity1.json", data: scenarioWith("machine", `{"nodes":8,"resources":[{"name":"a","capacity":9223372036854775807}]}`), want: "machine, resources, row 1, capacity: expected a whole number of at most 1000000000000000000"},
	{name: "blocks over all processors", file: "over.json", data: scenarioWith("machine", `{"nodes":8,"blocks":[{"from":0,"to":9,"procs":5},{"from":0,"to":9,"procs":5}]}`), want: "machine, block 2, procs: expected at most 3"},
	{name: "a runtime of 10^12 under time slices", file: "slices.json", data: func() []byte {
		return []byte(`{"version":1,"machine":{"nodes":8},"workload":{"jobs":[{"submit":0,"procs":2,"runtime":1000000000000}]},"policies":[{"name":"scojo-pect"}]}`)
	}, want: `slices.json: job 1 (id "1"), runtime: expected at most 252000000 s under scojo-pect`},
	{name: "a runtime of 10^300", file: "e300.json", data: scenarioWith("jobs", `[{"submit":0,"procs":1,"runtime":1e300}]`), want: "jobs, row 1, runtime: expected a whole number"},
	{name: "a moldable job of 200,000 runtimes", file: "table.json", data: scenarioWith("jobs", `[{"submit":0,"table":`+list("9", manyItems)+`}]`), want: "jobs, row 1, table: expected at most 65536 runtimes, got more"},
	{name: "a moldable job of endless length", file: "length.json", data: scenarioWith("jobs", `[{"submit":0,"L":1e300,"A":1,"sigma":0}]`), want: "jobs, row 1, L: expected a number of at most"},
	{name: "a load factor of 0", file: "load.json", data: scenarioWith("more", `,"rules":{"load-factor":0}`), want: "rules, load-factor: expected a number above 0 and at most 10^9, got 0"},
	{name: "a load factor of 10^300", file: "loads.json", data: scenarioWith("more", `,"rules":{"load-factor":1e300}`), want: "rules, load-factor: expected a number of at most 1e+09"},
	{name: "a warm-up of 100 percent", file: "warm.json", data: scenarioWith("more", `,"rules":{"warmup":100}`), want: "warm-up and cool-down: expected"},
	{name: "a window that runs backwards", file: "window.json", data: scenarioWith("more", `,"rules":{"window":"9:1"}`), want: "window: expected FROM:TO in seconds with FROM before TO"},
	{name: "200,000 slowdowns", file: "pairs.json", data: func() []byte {
		return scenarioWith("more", `,"slowdown":{"pairs":{`+strings.TrimSuffix(string(numbered("", `"a%d":{"b":1.1,"c":1.1},`, 4000, "")()), ",")+`,"z":{`+strings.TrimSuffix(string(numbered("", `"y%d":1.1,`, manyItems, "")()), ",")+`}}}`)()
	}, want: "slowdown, pairs, z: expected at most 4096 fields, got more"},
	{name: "a slowdown of 10^9", file: "slow.json", data: scenarioWith("more", `,"slowdown":{"pairs":{"1":{"2":1e9}}}`), want: "1 next to 2: expected a number of at most"},
	{name: "a model that is not there", file: "model.json", data: constant(`{"version":1,"machine":{"nodes":8},"workload":{"generator":"magic"},"policies":[` + aPolicy + `]}`), want: "expected one of"},
	{name: "a model that draws 10^12 jobs", file: "draws.json", data: constant(`{"version":1,"machine":{"nodes":8},"workload":{"generator":"lublin","parameters":{"jobs":1000000000000}},"policies":[` + aPolicy + `]}`), want: "jobs: expected 1 to 5,000,000"},
	{name: "a file outside of the folder", file: "outside.json", data: constant(`{"version":1,"machine":{"nodes":8},"workload":{"file":"../../../etc/passwd"},"policies":[` + aPolicy + `]}`), want: `outside.json, line 1: workload, file: expected the name of a file in the folder of the scenario, without a path, got "../../../etc/passwd"`, page: noPage},
	{name: "a formula of 10,000 brackets", file: "formula.json", data: scenarioWith("policies", `[{"name":"easy","knobs":{"order":"`+strings.Repeat("(", 10_000)+`"}}]`), want: "expected fifo, sjf, ljf, wjf, njf or a formula (column 501: expected at most 500 characters"},
	{name: "a formula of 400 brackets", file: "brackets.json", data: scenarioWith("policies", `[{"name":"easy","knobs":{"order":"`+strings.Repeat("(", 400)+`"}}]`), want: "policies, row 1, easy, order: expected"},
	{name: "a formula that divides by nothing", file: "divide.json", data: scenarioWith("policies", `[{"name":"easy","knobs":{"order":"1/"}}]`), want: "policies, row 1, easy, order: expected"},
	{name: "an escape sequence for a policy", file: "escape.json", data: scenarioWith("policies", `[{"name":"\u001b[2J\u202e"}]`), want: `got "\x1b[2J\u202e"`},
	{name: "an escape sequence for a resource", file: "escaped.json", data: scenarioWith("jobs", `[{"submit":0,"procs":1,"runtime":1,"resources":{"\u001b[2J":1}}]`), want: `jobs, row 1, resources: expected no resource, because the machine has none, got "\x1b[2J"`},
	{name: "jobs that are none", file: "none.json", data: scenarioWith("jobs", list("null", manyItems)), want: "jobs, row 1: expected an object in { }, got null"},
	{name: "a job of every kind of nonsense", file: "job.json", data: scenarioWith("jobs", `[{"id":{},"submit":[],"procs":"x"}]`), want: "jobs, row 1, id: expected a name, got an object"},
	{name: "a scenario cut in the middle", file: "cut.json", data: func() []byte { d := scenarioWith("more", "")(); return d[:len(d)/2] }, want: "expected"},
}

var hostileRecords = []hostileInput{
	{name: "a line of 1 MB", file: "line.sacct", data: repeated(slurmHead, "1", 1_000_000, "\n"), want: "line.sacct: line 2: expected a line of at most 262144 bytes"},
	{name: "a header of 60 KB", file: "header.sacct", data: repeated("", "x|", 30_000, "\n"), want: "line 1: expected a line of field names"},
	{name: "a bomb of records", file: "bomb.sacct.gz", data: gzipRepeated(slurmHead, slurmJob, 1_000_000), want: "expected gzip data that expands at most 200-fold"},
	{name: "a bomb of blank lines", file: "blank.sacct.gz", data: gzipRepeated(slurmHead, "\n", 64_000_000), want: "expected gzip data that expands at most 200-fold"},
	{name: "20 million blank lines and more", file: "blank.sacct", data: repeated(slurmHead, "\n", 20_500_000, ""), want: "line 20000001: expected at most 20000000 lines", page: noPage},
	{name: "an elapsed time of 10^18", file: "long.sacct", data: constant(slurmHead + strings.Replace(slurmJob, "00:01:00", "99999999999999999999-00:00:00", 1)), want: "line 2, field Elapsed: expected"},
	{name: "a year of 99999", file: "year.sacct", data: constant(slurmHead + strings.ReplaceAll(slurmJob, "2024-", "99999-")), want: "line 2, field Submit: expected"},
	{name: "a day of 99", file: "day.sacct", data: constant(slurmHead + strings.ReplaceAll(slurmJob, "03-01", "03-99")), want: "line 2, field Submit: expected"},
	{name: "too few fields", file: "few.sacct", data: constant(slurmHead + "1|COMPLETED\n"), want: "line 2: expected 7 fields"},
	{name: "an escape sequence for an id", file: "escape.sacct", data: constant(slurmHead + strings.Replace(slurmJob, "1|", escape+"|", 1)), want: `got "\u009b2J\u202e"`},
	{name: "no records", file: "none.sacct", data: constant(slurmHead), want: "none.sacct: "},
	{name: "an end before the start", file: "back.sacct", data: constant("JobID|State|Submit|Start|End|AllocCPUS\n1|COMPLETED|2024-03-01T08:00:00|2024-03-01T09:00:00|2024-03-01T08:00:00|2\n"), want: "line 2, field End: expected a time not before the start"},
}

// logWith returns a function that returns a log with extra lines after its jobs.
func logWith(lines string) func() []byte { return constant(logHead + logJob + lines) }

var hostileLogs = func() []hostileInput {
	all := []hostileInput{
		{name: "a time of 2^63-1", data: logWith("records 2\n0 start 1 slots=0-1 why=head\n9223372036854775807 finish 1\n"), want: "line 7: expected a time from 0 to 1000000000000000, got 9223372036854775807"},
		{name: "a time of 2^63", data: logWith("records 1\n9223372036854775808 finish 1\n"), want: "line 6: expected a whole number"},
		{name: "a time of -2^63", data: logWith("records 1\n-9223372036854775808 finish 1\n"), want: "line 6: expected a time from 0"},
		{name: "the machine twice", data: constant(logHead + "machine: nodes=9 processors=1 cores=1 jobs-per-node=0\n" + logJob + "records 0\n"), want: "line 3: expected only one machine line, got another one"},
		{name: "the level twice", data: constant(logHead + "level: full\nlevel: spans\n" + logJob + "records 0\n"), want: "line 4: expected only one level line, got another one"},
		{name: "a field of the machine twice", data: constant(strings.Replace(logHead, "nodes=8", "nodes=8 nodes=9", 1) + logJob + "records 0\n"), want: "line 2: expected each field only once, got nodes twice"},
		{name: "a field of a job twice", data: constant(logHead + strings.Replace(logJob, "procs=2", "procs=2 procs=3", 1) + "records 0\n"), want: "line 4: expected each field only once, got procs twice"},
		{name: "a field of a record twice", data: logWith("records 1\n0 start 1 slots=0-1 slots=2-3 why=head\n"), want: "line 6: expected each field only once, got slots twice"},
		{name: "1,000 resources", data: numbered(logHead, "resource: name=r%d capacity=1\n", 1000, logJob+"records 0\n"), want: "line 19: expected at most 16 resources, got more"},
		{name: "100,000 blocks", data: numbered(logHead, "block: from=%d to=200000 procs=1\n", 100_000, logJob+"records 0\n"), want: "expected at most 1000 blocks, got more"},
		{name: "100,000 header lines", data: numbered(logHead, "x%d: y\n", 100_000, logJob+"records 0\n"), want: "expected at most 1000 header lines, got more"},
		{name: "jobs without end", data: constant(logHead + "jobs 9999999999\n"), want: `line 3: expected "jobs" and a number`},
		{name: "records without end", data: logWith("records 9999999999\n"), want: `line 5: expected "records" and a number`},
		{name: "fewer records than told", data: logWith("records 2000000\n0 start 1 slots=0-1 why=head\n"), want: "line 7: expected 2000000 records, got the end of the file"},
		{name: "slots beyond the machine", data: logWith("records 2\n0 start 1 slots=0-3999999999 why=head\n9 finish 1\n"), want: "line 6"},
		{name: "a line of 70 MB", data: func() []byte {
			return repeated(logHead+logJob+"records 1\n0 start 1 slots=0", ",2", 35_000_000, "\n")()
		}, want: "line 6: expected a line of at most 67108864 bytes, got a longer one"},
		{name: "a machine of 10^12", data: constant(strings.Replace(logHead, "nodes=8", "nodes=1000000000000", 1) + logJob + "records 0\n"), want: "expected a valid machine"},
		{name: "a job of 10^18 s", data: constant(logHead + strings.Replace(logJob, "runtime=5", "runtime=1000000000000000000", 1) + "records 0\n"), want: "line 4: expected a valid job"},
		{name: "an escape sequence", data: logWith("records 1\n0 " + escape + " 1\n"), want: `line 6: expected a kind of record, got "\u009b2J\u202e"`},
		{name: "a log cut short", data: constant(logHead), want: `line 3: expected a header line or "jobs", got the end of the file`},
		{name: "a log of another version", data: constant("backfill-lab log 99\n"), want: `line 1: expected "backfill-lab log 1"`},
	}
	for i := range all {
		command := []string{"gantt -log FILE", "check FILE -quiet", "why -log FILE -job 1"}[i%3]
		all[i].name, all[i].file, all[i].args, all[i].page = "a log: "+all[i].name, fmt.Sprintf("log%d.txt", i), command, noPage
	}
	return append(all, hostileInput{name: "a bomb for a log", file: "bomb.log.gz", data: gzipRepeated(logHead, "x: y\n", 6_000_000), args: "gantt -log FILE -svg out.svg", want: "expected at most", page: noPage})
}()

var hostileSchedules = func() []hostileInput {
	all := []hostileInput{
		{name: "a row of 10 MB", data: repeated(jobsHead, ",", 10_000_000, ""), want: "line 2: expected a row of at most 1048576 bytes"},
		{name: "a time of 2^63-1", data: constant(jobsHead + "1,0,9223372036854775807,9223372036854775807,1,1\n"), want: "line 2, column start: expected a time or nothing"},
		{name: "a bomb", data: gzipRepeated(jobsHead, "\n", 64_000_000), want: "expected gzip data that expands at most 200-fold"},
		{name: "one job five million times", data: gzipRepeated(jobsHead, "1,0,0,1,1,1\n", 5_000_000), want: "line 3, column job: expected a job that no earlier row names"},
		{name: "slots beyond the machine", data: constant("job,submit,start,finish,procs,runtime,alloc\n1,0,0,1,1,1,0-99999999999\n"), want: "line 2, column alloc: expected slots such as 0-3 8"},
		{name: "a segment without an end", data: constant("job,submit,start,finish,procs,runtime,segments\n1,0,0,1,1,1,0\n"), want: "line 2, column segments: expected segments such as 0-5;7-9"},
		{name: "10^12 processors", data: constant(jobsHead + "1,0,0,1,1000000000000,1\n"), want: "line 2, column procs: expected 1 to 4000000"},
		{name: "no column start", data: constant("job,submit\n1,0\n"), want: `line 1: expected a column "start"`},
		{name: "an escape sequence", data: constant(jobsHead + escape + ",0,x,1,1,1\n"), want: "line 2, column start: expected a time or nothing"},
		{name: "a name of 500 KB", data: repeated(jobsHead, "n", 500_000, ",0,0,1,1,1\n"), want: "line 2, column job: expected a name of 1 to 131072 bytes"},
		{name: "a header of 1 MB", data: repeated("job", ",", 1_000_000, "\n"), want: "line 1: expected a column"},
	}
	for i := range all {
		all[i].name, all[i].file, all[i].args, all[i].page = "a schedule: "+all[i].name, fmt.Sprintf("jobs%d.csv", i), "check FILE -nodes 8", noPage
	}
	return all
}()

var hostileFlags = func() []hostileInput {
	all := []hostileInput{
		{args: "run -in pipe -policy easy -nodes 8", want: "pipe: expected a regular file, or - for standard input, got a pipe"},
		{args: "run -in /dev/zero -policy easy -nodes 8", want: "/dev/zero: expected a regular file, or - for standard input, got a device"},
		{args: "run -in . -policy easy -nodes 8", want: ".: expected a regular file, or - for standard input, got a folder"},
		{args: "check pipe -nodes 8", want: "pipe: expected a regular file"},
		{args: "gantt -log pipe", want: "pipe: expected a regular file"},
		{args: "why -log /dev/zero -job 1", want: "/dev/zero: expected a regular file"},
		{args: "study lindsay-fig5 pipe", want: "pipe: expected a"},
		{args: "bench pipe", want: "pipe: expected a"},
		{args: "run -in beside.json", want: "pipe: expected a regular file"},
		{args: "run -in good.csv -policy easy -nodes 99999999999", want: "-nodes: expected 1 to 1000000"},
		{args: "run -in good.csv -policy easy -nodes 99999999999999999999", want: "-nodes: expected"},
		{args: "run -in good.csv -policy easy -nodes 8 -load-factor 0", want: "-load-factor: expected a number above 0 and at most 10^9, got 0"},
		{args: "run -in good.csv -policy easy -nodes 8 -load-factor NaN", want: "-load-factor: expected a number above 0"},
		{args: "run -in good.csv -policy easy -nodes 8 -load-factor 1e300", want: "-load-factor: expected a number above 0"},
		{args: "run -in good.csv -policy easy -nodes 8 -limit -1", want: "-limit: expected 0 (all) or a number of jobs"},
		{args: "run -in good.csv -policy easy -nodes 8 -window 9:1", want: "-window: "},
		{args: "run -in good.csv -policy easy -nodes 8 -block 0-9:99", want: "block 1, procs: expected 1 to 8 (processors of the machine)"},
		{args: "run -in good.csv -policy easy -nodes 8 -resource =1", want: "-resource: expected name=capacity"},
		{args: "run -in good.csv -policy easy -nodes 8 -resource a=9223372036854775807", want: "-resource: expected name=capacity with a whole number from 0 to 10^18"},
		{args: "run -in good.csv -policy easy -nodes 8" + resourceFlags(20), want: "resources: expected at most 16, got 20"},
		{args: "run -in good.csv -policy easy -nodes 8 -set order=" + strings.Repeat("(", 600), want: "at most 500 characters"},
		{args: "run -in good.csv -policy easy -nodes 8 -set order=\x1b[2J", want: `got "\x1b[2J"`},
		{args: "run -in good.csv -policy \x1b[2J -nodes 8", want: `got "\x1b[2J"`},
		{args: "run -in \x1b[2J.csv -policy easy -nodes 8", want: `\x1b[2J.csv: expected a readable file`},
		{args: "run -in good.csv -policy scojo-pect -set interval=1 -nodes 8", want: "knob interval: expected 6 to"},
		{args: "run -in good.csv -policy scojo-pect -set overhead=1000000000000 -nodes 8", want: "interval: expected an interval in which"},
		{args: "run -in good.csv -policy easy -nodes 8 -warmup 50 -cooldown 50", want: "together less than 100 %"},
		{args: "run -in good.csv -policy easy -nodes 8 -jobs out.csv -metrics out.csv", want: "expected different outputs"},
		{args: "run -in good.csv -policy easy -nodes 8 -jobs no/such/folder.csv", want: "expected a writable file, got no such file or folder"},
		{args: "run -in good.csv -policy easy -nodes 8 -slowdown-seed -1", want: "-slowdown-seed: expected 0 to"},
		{args: "gantt -in good.csv -policy easy -nodes 8 -width 1000000000", want: "-width: expected 16 to 10000"},
		{args: "gantt -in good.csv -policy easy -nodes 8 -rows 1000000000", want: "-rows: expected 1 to 10000"},
		{args: "generate -model lublin -jobs 999999999999 -out out.swf", want: "jobs: expected 1 to 5,000,000"},
		{args: "generate -model lublin -jobs 0 -out out.swf", want: "jobs: expected 1 to 5,000,000"},
		{args: "generate -model \x1b[2J -out out.swf", want: `got "\x1b[2J"`},
		{args: "generate -model lublin -nodes 99999999999 -out out.swf", want: "-nodes: expected 1 to 1000000"},
		{args: "whatif -in good.csv -policy easy -nodes 8 -job 1 -change procs=99999999999999999999", want: "procs"},
		{args: "whatif -in good.csv -policy easy -nodes 8 -job 1 -change runtime=9999999999999", want: "runtime"},
		{args: "whatif -in good.csv -policy easy -nodes 8 -job 1 -change nodes=99999999999", want: "nodes"},
		{args: "whatif -in good.csv -policy easy -nodes 8 -job \x1b[2J -change procs=1", want: `\x1b[2J`},
		{args: "why -in good.csv -policy easy -nodes 8 -job nobody", want: "nobody"},
		{args: "compare -in good.csv -nodes 8" + strings.Repeat(" -policy easy", 33), want: "expected 1 to 32"},
		{args: "study \x1b[2J", want: `\x1b[2J`},
		{args: "policies magic magic", want: "backfill: "},
		{args: "run -in good.csv -policy easy -nodes 8 -keep user=", want: "-keep"},
	}
	for i := range all {
		all[i].name, all[i].page = all[i].args, noPage
		if len(all[i].name) > 90 {
			all[i].name = all[i].name[:90]
		}
	}
	return all
}()

// hostileLinks lists links, which only the page reads.
var hostileLinks = func() []hostileInput {
	bomb := func(n int) func() []byte {
		return func() []byte { return []byte("#v=1&s=" + deflate(make([]byte, n))) }
	}
	all := []hostileInput{
		{name: "200 MB of zeros", data: bomb(200 << 20), page: "it contains more than 8388608 bytes when decompressed"},
		{name: "8 MB of zeros", data: bomb(8 << 20), page: "its scenario cannot be read"},
		{name: "a lesson of 200 MB", data: func() []byte { return []byte("#v=1&lesson=x&l=" + deflate(make([]byte, 200<<20))) }, page: "it contains more than 8388608 bytes when decompressed"},
		{name: "1,000 extra resources", data: linkTo(scenarioWith("machine", `{"nodes":8,"resources":`+list(`{"name":"r%d","capacity":1}`, 1000)+`}`), 0, 0, 0), page: "machine, resources: expected at most 16, got more"},
		{name: "50,000 blocks", data: linkTo(scenarioWith("machine", `{"nodes":8,"blocks":`+list(`{"from":%d,"to":99999,"procs":1}`, 50_000)+`}`), 0, 0, 0), page: "machine, blocks: expected at most 1000, got more"},
		{name: "3,000 extra resources", data: linkTo(scenarioWith("machine", `{"nodes":8,"resources":`+list(`{"name":"r%d","capacity":1}`, 3000)+`}`), 0, 0, 0), page: "machine, resources: expected at most 16, got more"},
		{name: "a title of 5 MB", data: func() []byte {
			return linkTo(scenarioWith("more", `,"title":"`+strings.Repeat("t", 5_000_000)+`"`), 0, 0, 0)()
		}, page: "title: expected at most 131072 bytes"},
		{name: "a text of 5 MB", data: func() []byte {
			return linkTo(scenarioWith("more", `,"text":"`+strings.Repeat("t", 5_000_000)+`"`), 0, 0, 0)()
		}, page: "text: expected at most 131072 bytes"},
		{name: "50,000 policies", data: linkTo(scenarioWith("policies", list(aPolicy, 50_000)), 0, 0, 0), page: "policies: expected 1 to 32, got more"},
		{name: "100 policies", data: linkTo(scenarioWith("policies", list(aPolicy, 100)), 0, 0, 0), page: "the link has 100 policies, more than the 32 that can be compared"},
		{name: "nested lists", data: linkTo(repeated(`{"version":1,"x":`, "[", 1_000_000, ""), 0, 0, 0), page: "expected at most 100 nested lists and objects"},
		{name: "jobs without end", data: linkTo(scenarioWith("jobs", "[]"), 1<<62, 0, 0), page: "the link refers to rows or fields that do not exist"},
		{name: "version 99", data: constant("#v=99&s=AAAA"), page: "the link has version 99"},
		{name: "half-typed texts without end", data: linkTo(scenarioWith("jobs", "[]"), 0, 0, 1<<62), page: "the link refers to rows or fields that do not exist"},
		{name: "no version", data: constant("#v=x&s=AAAA"), page: "the link has no version"},
		{name: "characters that no link has", data: constant("#v=1&s=!!!!"), page: "the link contains invalid characters"},
		{name: "a megabyte of A", data: repeated("#v=1&s=", "A", 1_000_000, ""), page: "the link is incomplete or damaged"},
	}
	for i := range all {
		all[i].name = "a link: " + all[i].name
	}
	return all
}()

// lessonWith returns a function that returns a lesson with the given texts and scenario, which must
// be JSON.
func lessonWith(texts, scenario string) func() []byte {
	return constant(`{"title":"t","text":` + texts + `,"scenario":` + scenario + `,"steps":[{"text":"s","place":{"time":0,"event":"start","job":"1"}}],"question":{"text":"q","choices":["a","b"],"answer":0}}`)
}

var hostileLessons = []hostileInput{
	{name: "a lesson with a text of 1 MB", file: "text.lesson.json", data: lessonWith(`["`+strings.Repeat("t", 1_000_000)+`"]`, string(scenarioWith("more", "")())), want: "version: expected the version of the format", page: "expected at most 4000 bytes, got 1000000"},
	{name: "a lesson with 100,000 paragraphs", file: "paragraphs.lesson.json", data: lessonWith(list(`"p"`, 100_000), string(scenarioWith("more", "")())), want: "version: expected the version of the format", page: "1 to 20 items, got 100000"},
	{name: "a lesson of 3 MB", file: "big.lesson.json", data: lessonWith(`["`+strings.Repeat("t", 3_000_000)+`"]`, string(scenarioWith("more", "")())), want: "text, row 1: expected at most 131072 bytes"},
	{name: "a lesson of 1,000 extra resources", file: "wide.lesson.json", data: lessonWith(`["t"]`, string(scenarioWith("machine", `{"nodes":8,"resources":`+list(`{"name":"r%d","capacity":1}`, 1000)+`}`)())), want: "version: expected the version of the format", page: "machine, resources: expected at most 16, got more"},
	{name: "a lesson without an end", file: "cut.lesson.json", data: constant(`{"title":"t","steps":[{"text":"`), want: "expected a closing quote, got the end of the text"},
}

// resourceFlags returns n flags -resource with different names.
func resourceFlags(n int) (flags string) {
	for i := range n {
		flags += fmt.Sprintf(" -resource r%d=1", i)
	}
	return flags
}
