package claims

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/experiment"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/stats"
	"backfill-lab/public/lessons"
)

// checkExample runs the scenario of a lesson. It compares start times, promised starts and moves of
// planned starts with the paper.
func (p *Part) checkExample() (Finding, error) {
	l, err := p.runExample()
	if err != nil {
		return Finding{}, fmt.Errorf("lesson %s, %s: %w", p.Lesson, p.Policy, err)
	}
	starts, promised := map[string]int64{}, map[string]int64{}
	for i, o := range l.Outcomes() {
		starts[l.Jobs[i].ID], promised[l.Jobs[i].ID] = o.Start, o.Promised
	}
	var texts, expected []string
	add := func(word string, want, got map[string]int64) {
		for _, id := range slices.Sorted(maps.Keys(want)) {
			texts = append(texts, fmt.Sprintf("%s %s %d", id, word, got[id]))
			expected = append(expected, fmt.Sprintf("%s %s %d", id, word, want[id]))
		}
	}
	if p.Moves != nil {
		texts, expected = append(texts, "moves "+join(movesOf(l))), append(expected, "moves "+join(p.Moves))
	}
	add("starts at", p.Starts, starts)
	add("is promised", p.Promised, promised)
	label := p.Label
	if label == "" {
		label = p.Policy
	}
	return exactFinding(label, texts, expected), nil
}

// exactFinding returns a finding that holds if the texts are exactly the expected ones.
func exactFinding(label string, texts, expected []string) Finding {
	verdict := DoesNotHold
	if slices.Equal(texts, expected) {
		verdict = Holds
	}
	return Finding{label, join(texts), join(expected), stats.Interval{}, verdict}
}

// movesOf returns the changes of planned starts that a log records, such as "C 4→3".
func movesOf(l *log.Log) (out []string) {
	for r := range l.All() {
		if r.Kind == log.Move {
			out = append(out, fmt.Sprintf("%s %d→%d", l.Jobs[r.Job].ID, r.X, r.Y))
		}
	}
	return out
}

// runExample runs the policy of the part on the scenario of its lesson. If the schedule is invalid,
// it returns an error.
func (p *Part) runExample() (*log.Log, error) {
	s, err := lessonScenario(p.Lesson)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(p.Policy)
	run := scenario.Policy{Name: words[0]}
	for _, w := range words[1:] {
		knob, value, _ := strings.Cut(w, "=")
		if run.Knobs == nil {
			run.Knobs = map[string]string{}
		}
		run.Knobs[knob] = value
	}
	s.Policies = []scenario.Policy{run}
	setup, err := s.Setup()
	if err != nil {
		return nil, err
	}
	c, err := setup.Config(0, log.Full) // only full logs record changes of planned starts
	if err != nil {
		return nil, err
	}
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	if err := e.Run(); err != nil {
		return nil, err
	}
	if found := schedule.CheckLogWith(e.Log(), schedule.Options{Promises: setup.Speed == nil, Rates: setup.Speed != nil}); len(found) > 0 {
		return nil, fmt.Errorf("the schedule is invalid: %s", found[0])
	}
	return e.Log(), nil
}

// lessonScenario returns the scenario of the lesson with the given name.
func lessonScenario(name string) (*scenario.Scenario, error) {
	i := slices.IndexFunc(lessons.List, func(l lessons.Lesson) bool { return l.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("expected the name of a lesson, got %q", name)
	}
	var text struct{ Scenario json.RawMessage }
	if err := json.Unmarshal([]byte(lessons.List[i].Text), &text); err != nil {
		return nil, err
	}
	return scenario.Parse(text.Scenario)
}

// checkFigure computes a worked figure and compares the cells in p.FigureCells with the paper.
func (p *Part) checkFigure() (Finding, error) {
	_, figures, err := experiment.Find(p.Figure)
	if err != nil || len(figures) != 1 {
		return Finding{}, fmt.Errorf("expected the name of a worked figure, got %q", p.Figure)
	}
	g, err := figures[0].Make()
	if err != nil {
		return Finding{}, err
	}
	var texts, expected []string
	for _, key := range slices.Sorted(maps.Keys(p.FigureCells)) {
		row, column, ok := strings.Cut(key, " | ")
		text, err := gridCell(g, row, column)
		if !ok || err != nil {
			return Finding{}, fmt.Errorf("%s, cell %q: %w", p.Figure, key, err)
		}
		texts, expected = append(texts, text), append(expected, p.FigureCells[key])
	}
	return exactFinding(p.Label, texts, expected), nil
}

// gridCell returns a cell of a worked figure, given the first cells of its row, joined by commas,
// and the title of its column.
func gridCell(g *experiment.Grid, row, column string) (string, error) {
	k := slices.Index(g.Head, column)
	names := strings.Split(row, ", ")
	for _, cells := range g.Rows {
		if k >= 0 && len(names) <= len(cells) && slices.Equal(cells[:len(names)], names) {
			return cells[k], nil
		}
	}
	return "", fmt.Errorf("expected the first cells of a row and the title of a column of the figure")
}
