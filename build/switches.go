package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// switched are switches of the runtime, and one of package reflect, that nothing in
// a page can turn on, written as the constants that they are there. What they lead
// to leaves the program, and the looks at them leave each allocation: 60 KB of the
// download.
var switched = []struct {
	what     *regexp.Regexp
	constant string
}{
	{ // settings of the environment, which a page has none of
		regexp.MustCompile(`\bdebug\.(checkfinalizers|clobberfree|dontfreezetheworld|efence|gccheckmark|gcpacertrace|gcshrinkstackoff|gcstoptheworld|gctrace|inittrace|sbrk|scavtrace|scheddetail|schedtrace|tracebackancestors)( (?:[<>]|[=!<]=) \d)`),
		"0$2",
	},
	{regexp.MustCompile(`\bdebug\.malloc \{`), "false {"},
	{regexp.MustCompile(`(func parsegodebug\(.*\{\n)`), "$1\treturn\n"},
	// the tracer
	{regexp.MustCompile(`\treturn trace\.(enabled|enabledWithAllocFree|shutdown\.Load\(\))\n`), "\treturn false\n"},
	{regexp.MustCompile(`\treturn tl\.gen != 0\n`), "\treturn false\n"},
	// profiles
	{regexp.MustCompile(`\b(block|mutex)profilerate > 0`), "0 > 0"},
	{regexp.MustCompile(`\n\tmProf_Malloc\(mp, x, size\)\n`), "\n"},
	{regexp.MustCompile(`(func saveblockevent\(.*\{\n)`), "$1\treturn\n"},
	// types of other modules, which a program with plugins has
	{regexp.MustCompile(`(func typelinksinit\(.*\{\n)`), "$1\treturn\n"},
	// values that are methods; who wants one is told so
	{regexp.MustCompile(`\bflagMethod +flag = 1 << 9\n`), "flagMethod flag = 0\n"},
	{regexp.MustCompile(`\tfl \|= flag\(i\)<<flagMethodShift \| flagMethod\n`), "\tpanic(\"reflect.Value.Method is left out of this program\")\n"},
	// the table of functions, see dropFinder and differ
	{regexp.MustCompile(`(?s)\tx := uintptr\(pcOff\) \+ datap\.text - datap\.minpc.*?\tfuncoff := `), "\tidx := pcOff - datap.ftab[0].entryoff\n\tfuncoff := "},
	{regexp.MustCompile(`func moduledataverify1\(`), summed},
}

// switchedOff is the files of the library with the switches off.
func switchedOff(goroot string) (map[string]string, error) {
	all := map[string]string{}
	for _, pkg := range []string{"runtime", "reflect"} {
		files, err := filepath.Glob(filepath.Join(goroot, "src", pkg, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			text := string(data)
			for _, s := range switched {
				text = s.what.ReplaceAllString(text, s.constant)
			}
			if text != string(data) {
				all["src/"+pkg+"/"+filepath.Base(file)] = text
			}
		}
	}
	return all, nil
}
