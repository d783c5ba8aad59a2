package script

import _ "embed" // for the scripts

// Template is a script to start from.
type Template struct {
	Name, Title, Source string
	Policy              string            // the built-in policy that makes the same schedules
	Knobs               map[string]string // the knobs of that policy
}

//go:embed templates/fcfs.star
var fcfs string

//go:embed templates/first-fit.star
var firstFit string

//go:embed templates/easy.star
var easy string

//go:embed templates/easy-sjf.star
var easySJF string

//go:embed templates/conservative.star
var conservative string

// Templates lists the templates, the simplest first.
var Templates = []Template{
	{"fcfs", "FCFS", fcfs, "fcfs", nil},
	{"first-fit", "First fit", firstFit, "first-fit", nil},
	{"easy", "EASY", easy, "easy", nil},
	{"easy-sjf", "EASY, shortest job first", easySJF, "easy", map[string]string{"order": "sjf"}},
	{"conservative", "Conservative", conservative, "conservative", nil},
}
