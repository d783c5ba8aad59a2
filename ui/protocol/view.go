package protocol

// View asks for the visible part of a chart.
type View struct {
	Result  int   `json:"result"`  // index in Ran.Results
	From    int64 `json:"from"`    // start of the visible times, in seconds
	To      int64 `json:"to"`      // end of the visible times, in seconds
	Columns int   `json:"columns"` // width in pixels
	Lane0   int   `json:"lane0"`   // lowest visible lane
	Lane1   int   `json:"lane1"`   // lane above the highest visible one
	Rows    int   `json:"rows"`    // height in pixels

	// Resource is the index of an extra resource, for a series request. The answer then contains
	// the use of this resource instead of busy processors, and 0 instead of the queue length.
	Resource *int `json:"resource,omitempty"`

	Colour string `json:"colour,omitempty"` // property that determines the colours of the pieces: the Name of a colour.Kind, or "" for a colour per job
	Base   int    `json:"base,omitempty"`   // index of the result with which start times are compared

	Generation int `json:"generation,omitempty"` // generation of the results, 0 = current
}

// Viewed answers the requests view, series and plan.
type Viewed struct {
	Generation int `json:"generation"` // generation of the results
	View
	Labels    map[string]string `json:"labels"`          // job index -> ID; -1-i -> name of outage i
	TimeSlice string            `json:"turn,omitempty"`  // for a plan, in words: the time slice, and the slice time of each type of job so far
	Scale     *Scale            `json:"scale,omitempty"` // for a view with Colour
}

// TimeQuery asks about a time in a result. Only the request event uses Step: +1 asks for the next
// event time, -1 for the previous one, and 0 for the last one at or before At. Only the request plan
// uses Event: it is the number of an event at time At, -1 for the last event at that time, or -2 for
// the state before all events at that time.
type TimeQuery struct {
	Result int   `json:"result"` // index in Ran.Results
	At     int64 `json:"at"`
	Step   int   `json:"step"`
	Event  *int  `json:"event,omitempty"`

	Generation int `json:"generation,omitempty"` // generation of the results, 0 = current
}

// EventTime answers the request event with an event time and its number among all event times. If there is
// no such event time, Found is false and At is the time of the request.
type EventTime struct {
	Generation int   `json:"generation"`
	Result     int   `json:"result"` // index in Ran.Results
	At         int64 `json:"at"`
	Found      bool  `json:"found"`
	Number     int   `json:"number"` // from 1; 0 before the first
	Total      int   `json:"total"`  // number of all event times

	State string `json:"state,omitempty"` // current time slice and use of extra resources, in words
}

// Outcomes is the reply to the request outcomes. Its buffer is encoded by EncodeTimes and has one value
// per job in each column. The columns are: start, finish, promised start, processors used, number
// of pieces (intervals without preemption), and relative speed in percent. job.Never marks a missing
// value.
type Outcomes struct {
	Generation int `json:"generation"`
	Result     int `json:"result"` // index in Ran.Results
	Jobs       int `json:"jobs"`   // number of jobs

	Slots  []string `json:"slots,omitempty"`  // slots of each job, such as "0-3 8"; nil for large runs
	Pieces []string `json:"pieces,omitempty"` // times of the pieces, such as "0-5 9-12"; empty for a job in one piece; nil for large runs
}

// OutcomeColumns is the number of columns in the buffer of outcomes.
const OutcomeColumns = 6

// Checked is the reply to the request check.
type Checked struct {
	Generation int      `json:"generation"`
	Result     int      `json:"result"`   // index in Ran.Results
	Findings   []string `json:"findings"` // empty if the schedule is valid
}

// Scale describes the classes that determine the colours of the jobs in a view. bufs[5] of
// the view holds the class of each piece.
type Scale struct {
	Kind          string   `json:"kind"`    // what determines the class: the Name of a colour.Kind
	Title         string   `json:"title"`   // name of the kind in menus
	Palette       string   `json:"palette"` // one of the constants colour.Sequential, colour.Diverging and colour.Hues
	ColourIndexes []int    `json:"shades"`  // by class: index in the palette
	Labels        []string `json:"words"`   // name of each class

	// Sentences holds four texts: for a job with a value below 0, equal to 0 and above 0, and for
	// several jobs. {} stands for the value of the job, or for the class of the jobs.
	Sentences []string `json:"tell"`

	Named   bool `json:"named"`   // the value is a class, shown by its name
	Seconds bool `json:"seconds"` // the value is a number of seconds
}
