package protocol

// Compare asks how the result Other differs from the result Base. Both are indexes in
// Ran.Results.
type Compare struct {
	Base  int `json:"base"`
	Other int `json:"other"`

	Generation int `json:"generation,omitempty"`
}

// Compared answers Compare. Differences of start times are in seconds; negative values mean
// earlier than in the base.
type Compared struct {
	Generation int `json:"generation"`
	Base       int `json:"base"`
	Other      int `json:"other"`

	All             Tally            `json:"all"`
	Gainers         []ShiftedJob     `json:"gainers"` // jobs whose start moved most to an earlier time
	Payers          []ShiftedJob     `json:"payers"`  // jobs whose start moved most to a later time
	Classifications []Classification `json:"sorts"`   // by size, by estimate and, if jobs have users, by user
}

// Tally counts the jobs that start earlier than in the base, later, and at the same time. Gained is the total
// number of seconds by which jobs start earlier, and Paid the total by which jobs start later.
type Tally struct {
	Name    string `json:"name,omitempty"` // name of the class
	Earlier int    `json:"earlier"`
	Later   int    `json:"later"`
	Same    int    `json:"same"`
	Gained  int64  `json:"gained"`
	Paid    int64  `json:"paid"`
}

// Classification holds the non-empty classes of one way to divide the jobs, such as by size.
// More counts the omitted classes.
type Classification struct {
	Title   string  `json:"title"`
	Classes []Tally `json:"classes"`
	More    int     `json:"more,omitempty"`
}

// ShiftedJob is a job that starts at time From in the base and at time To in the other result.
type ShiftedJob struct {
	Job  int    `json:"job"`
	ID   string `json:"id"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

// Spread asks for the distribution of the waits in a result. If Slowdown is set, it asks for the
// distribution of the bounded slowdowns instead.
type Spread struct {
	Result   int  `json:"result"`
	Slowdown bool `json:"slowdown,omitempty"`

	Generation int `json:"generation,omitempty"`
}

// Spreads answers Spread.
type Spreads struct {
	Generation int                 `json:"generation"`
	Result     int                 `json:"result"`
	Sorts      []BoxClassification `json:"sorts"` // all jobs, by size and by estimate
}

// BoxClassification holds the distribution in each class of one way to divide the jobs.
type BoxClassification struct {
	Title string `json:"title"`
	Boxes []Box  `json:"boxes"`
}

// Box describes the distribution of the values in a class. At holds the minimum, the 5th,
// 25th, 50th, 75th and 95th percentiles and the maximum. Values lists the values if there are
// only a few.
type Box struct {
	Name   string    `json:"name"`
	Jobs   int       `json:"jobs"` // if 0, the other fields have no meaning
	At     []float64 `json:"at"`
	Mean   float64   `json:"mean"`
	Values []float64 `json:"few,omitempty"`
}
