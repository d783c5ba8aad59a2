package files

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/link"
)

// docs/embedding.md has an entry for every part of the page, every link option, and every op and member of a message.
func TestEmbeddingIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "embedding.md"))
	require.NoError(t, err)
	words := append([]string{"embed=1", "show=PARTS", "lock=TABS", "policy=NAMES", "allow=ORIGINS", "ready", "resize", "load", "run", "step", "result", "state", "all"}, link.Parts...)
	for _, x := range []any{call{}, callAnswer{}} {
		for i := range reflect.TypeOf(x).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(x).Field(i).Tag.Get("json"), ",")
			words = append(words, name)
		}
	}
	for _, w := range words {
		require.Contains(t, string(text), "`"+w, w)
	}
}

// The page refuses an edit of a locked part and shows a notice. It applies edits of other parts.
func TestLocked(t *testing.T) {
	c := newFiles(t)
	edits := map[string]func(){
		"jobs":     func() { c.Do("", c.Doc().SetCell(0, 1, "7")) },
		"policies": func() { c.Do("", c.Doc().SetPolicy(0, "pc")) },
		"text": func() {
			d := *c.Doc()
			d.Title += "!"
			c.Do("", d)
		},
		"machine": func() {
			d := *c.Doc()
			d.Machine[0] = "9"
			c.Do("", d)
		},
		"workload": func() {
			d := *c.Doc()
			d.Warmup = 10
			c.Do("", d)
		},
	}
	for part, edit := range edits {
		for _, lock := range []string{part, "all"} {
			c = newFiles(t)
			c.outer = link.Frame{Embed: true, Lock: []string{lock}}
			before := *c.Doc()
			edit()
			require.Equal(t, before, *c.Doc(), part)
			require.Contains(t, c.Notice, part)
			c.outer.Lock = []string{"none of these"}
			edit()
			require.Equal(t, []string{part}, before.ChangedTabs(c.Doc()))
			c.outer.Lock, c.Notice = []string{lock}, ""
			c.Undo()
			require.Equal(t, []string{part}, before.ChangedTabs(c.Doc()), "undo is refused as well")
			require.Contains(t, c.Notice, part)
		}
	}
}

func TestFrameClass(t *testing.T) {
	c := newFiles(t)
	require.Empty(t, c.FrameClass())
	c.outer = link.Frame{Embed: true}
	require.Equal(t, " embed", c.FrameClass())
	c.applyFrameOptions(link.Parse("embed=1&show=charts,policies"))
	require.Equal(t, "policies", c.Tab)
	require.Equal(t, " embed without-jobs without-workload without-machine without-text without-player without-scores without-compare without-why", c.FrameClass())
	c.applyFrameOptions(link.Parse("embed=1&show=charts"))
	require.Contains(t, c.FrameClass(), "without-edit")
}
