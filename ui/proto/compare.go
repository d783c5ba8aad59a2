package proto

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
