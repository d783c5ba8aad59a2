package log

import "strconv"

// views is the names of virtual machines by their numbers: the types of jobs
// that share a machine by time slices.
var views = [...]string{1: "short", 2: "medium", 3: "long"}

// ViewName returns what a virtual machine is called.
func ViewName(number uint8) string {
	if number > 0 && int(number) < len(views) {
		return views[number]
	}
	return "view " + strconv.Itoa(int(number))
}
