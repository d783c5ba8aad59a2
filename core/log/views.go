package log

import "strconv"

// views holds the names of the virtual machines, by number. Each one runs one type of
// job in its own time slices.
var views = [...]string{1: "short", 2: "medium", 3: "long"}

// ViewName returns the name of a virtual machine.
func ViewName(number uint8) string {
	if number > 0 && int(number) < len(views) {
		return views[number]
	}
	return "view " + strconv.Itoa(int(number))
}
