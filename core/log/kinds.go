package log

// Kind says what a record tells.
type Kind uint8

const (
	Start   Kind = iota // Job starts on its allocation; Code, Other, X, Y say why
	Finish              // Job is done
	Suspend             // Job is taken off its slots
	Resume              // Job goes on, on the slots it had
	Reprice             // Job's progress per second becomes the float64 with the bits X
	Promise             // Job is promised a start no later than X
	Move                // Job's planned start moves from X to Y because of Other
	Hold                // Job waits from now on; Code, Other, X, Y say why
	Slice               // View begins its slice (X = 1), which is to end at Y, or ends it (X = 0)
	Size                // Job, which has just started, is as wide as it is because of Code; its last processor saves X, one more would save Y
	Resize              // the size of the waiting Job goes from X processors to Y; 0 is none yet
	Effort              // the policy has looked at X profile steps to compress its plan
	Fair                // the fair start time of Job, found at its submission, is X
	Node                // a search tries the set kept as number X, and Job with it; Code says whether that set is kept or why not, Other whose start would be too late, Y its latest start
	Scored              // with the set kept last, waiting jobs start X s after their fair starts in all, and Y s before
	Choice              // of Y sets tried, the one kept as number X starts, for the reason Code; 0 is none
	kinds
)

// Level says how much is recorded; each level holds those before it.
type Level uint8

const (
	Spans     Level = iota // starts, ends and what lies between
	Decisions              // and the reasons and promises
	Full                   // and every move
)

// KindInfo describes a kind of record.
type KindInfo struct {
	Name  string
	Level Level
}

// Kinds is the table of record kinds; codec and documentation read it.
var Kinds = [kinds]KindInfo{
	Start:   {"start", Spans},
	Finish:  {"finish", Spans},
	Suspend: {"suspend", Spans},
	Resume:  {"resume", Spans},
	Reprice: {"rate", Spans},
	Promise: {"promise", Decisions},
	Move:    {"move", Full},
	Hold:    {"hold", Decisions},
	Slice:   {"slice", Spans},
	Size:    {"size", Decisions},
	Resize:  {"resize", Full},
	Effort:  {"effort", Decisions},
	Fair:    {"fair", Decisions},
	Node:    {"node", Full},
	Scored:  {"scored", Full},
	Choice:  {"choice", Decisions},
}
