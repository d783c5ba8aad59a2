package protocol

// Compare asks how a result differs from another, the base.
type Compare struct {
	Base  int `json:"base"`
	Other int `json:"other"`

	Generation int `json:"generation,omitempty"`
}

// Compared is the head of compared. Differences are of starts, in seconds; below
// 0, earlier than in the base.
type Compared struct {
	Generation int `json:"generation"`
	Base       int `json:"base"`
	Other      int `json:"other"`

	All     Tally     `json:"all"`
	Gainers []Shifted `json:"gainers"` // those that start earlier by most
	Payers  []Shifted `json:"payers"`  // those that start later by most
	Sorts   []Sort    `json:"sorts"`   // by size, by length and, where jobs name them, by user
}

// Tally is how many jobs start earlier, later or at the same time, and the sums of
// seconds.
type Tally struct {
	Name    string `json:"name,omitempty"` // of the class
	Earlier int    `json:"earlier"`
	Later   int    `json:"later"`
	Same    int    `json:"same"`
	Gained  int64  `json:"gained"`
	Paid    int64  `json:"paid"`
}

// Sort is the classes of a way to sort jobs, those with jobs. More is how many were
// left out.
type Sort struct {
	Title   string  `json:"title"`
	Classes []Tally `json:"classes"`
	More    int     `json:"more,omitempty"`
}

// Shifted is a job that starts at another time than in the base.
type Shifted struct {
	Job  int    `json:"job"`
	ID   string `json:"id"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

// Spread asks how the waits of the jobs of a result are spread over classes of them,
// or with Slowdown the bounded slowdowns.
type Spread struct {
	Result   int  `json:"result"`
	Slowdown bool `json:"slowdown,omitempty"`

	Generation int `json:"generation,omitempty"`
}

// Spreads is the head of spreads.
type Spreads struct {
	Generation int       `json:"generation"`
	Result     int       `json:"result"`
	Sorts      []BoxSort `json:"sorts"` // all jobs, by size and by length
}

// BoxSort is the classes of a way to sort jobs.
type BoxSort struct {
	Title string `json:"title"`
	Boxes []Box  `json:"boxes"`
}

// Box is how the values of a class are spread: least, 5, 25, 50, 75 and 95 percent,
// most; few values are told one by one.
type Box struct {
	Name string    `json:"name"`
	Jobs int       `json:"jobs"` // 0: the rest means nothing
	At   []float64 `json:"at"`
	Mean float64   `json:"mean"`
	Few  []float64 `json:"few,omitempty"`
}
