package knob_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/knob"
)

// TestTitles checks the texts in which titles replace the names of knobs and values.
func TestTitles(t *testing.T) {
	all := []knob.Knob{
		{Name: "pick", Title: "backfill candidate", Kind: knob.Choice, Choices: []string{"first", "bb"}, ChoiceTitles: []string{"first in the queue (FF)", "best balance (BB)"},
			Help: "what starts. first: the first; bb: the best. With order=-wait or slack-max=2, it starts the first"},
		{Name: "order", Title: "queue order", Kind: knob.Order, Choices: []string{"fifo"}, ChoiceTitles: []string{"first in, first out (FIFO)"}},
		{Name: "slack-max", Title: "largest slack", Kind: knob.Integer, Choices: []string{"auto"}, Unit: "s", Help: "auto: as slack-max"},
		{Name: "restart", Title: "restart", Kind: knob.Switch, Help: "true: try again; false: one pass", DependsOn: "pick", DependsOnValues: []string{"first", "bb"}},
		{Name: "inner.size", Title: "size", Help: "see max-size"},
		{Name: "inner.max-size", Title: "largest size"},
	}
	for i, want := range []string{
		"what starts. first in the queue (FF): the first; best balance (BB): the best. With queue order: -wait or largest slack: 2 s, it starts the first",
		"", `auto: as "largest slack"`, "on: try again; off: one pass", `see "largest size"`, "",
	} {
		require.Equal(t, want, all[i].HelpTitle(all))
	}
	for i, x := range []struct{ value, want string }{
		{"bb", "backfill candidate: best balance (BB)"}, {"-wait", "queue order: -wait"}, {"600", "largest slack: 600 s"}, {"false", "restart: off"},
	} {
		require.Equal(t, x.want, all[i].Setting(x.value))
	}
	require.Equal(t, "largest slack: auto", all[2].Setting("auto"))
	require.Equal(t, "fifo [first in, first out (FIFO)] or a formula", all[1].RangeWithTitles())
	value := func(k *knob.Knob) string { return "other" }
	require.Equal(t, "only with backfill candidate: first in the queue (FF) or best balance (BB)", all[3].NoEffect(all, value, knob.Facts{}))
	require.Equal(t, "only with pick=first or bb", all[3].Condition(), "the command and the documentation keep the names")
	require.Equal(t, "x has a choice without a title", (&knob.Knob{Name: "x", Title: "x", Kind: knob.Choice, Choices: []string{"a"}}).TitleProblem(nil))
}
