package protocol

// Scale is the classes by which the jobs of a view are coloured, as package shade
// has them: those of a job come from bufs[5] of the view.
type Scale struct {
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Palette string   `json:"palette"`
	Shades  []int    `json:"shades"` // by class: its place in the palette
	Words   []string `json:"words"`  // by class
	Tell    []string `json:"tell"`   // of a job below, at and above 0, and of many; {} is the value, of many the class
	Named   bool     `json:"named"`  // the value is a class, told by its words
	Seconds bool     `json:"seconds"`
}
