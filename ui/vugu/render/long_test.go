package render

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"

	"backfill-lab/ui/vugu/markup"
)

type texts struct{ text string }

func (c *texts) Build(*vugu.BuildIn) *vugu.BuildOut {
	out := &vugu.BuildOut{}
	root := markup.Root(out, "p", "title", c.text)
	input := markup.Element(root, "input")
	markup.Property(input, "readOnly", false)
	markup.Property(input, "value", c.text)
	markup.Text(root, c.text)
	markup.Element(root, "b").SetInnerHTML(c.text)
	return out
}

// The attributes, properties and texts of a drawing fit into a part of 16 kB, whatever characters
// they contain. Short texts are drawn unchanged.
func TestLongTexts(t *testing.T) {
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	var kept pruner
	for _, letter := range []string{"a", "é", "\x00", "<", "\"", "\u2028", "𝛼"} {
		for _, n := range []int{10, 2_400, 3_000, 20_000, 100_000} {
			text := strings.Repeat(letter, n)
			require.NoError(t, kept.draw(env.RunBuild(&texts{text}), func(r *vugu.BuildResults) error {
				root := r.Out.Out[0]
				input, data, b := root.FirstChild, root.FirstChild.NextSibling, root.LastChild
				var shown string
				require.NoError(t, json.Unmarshal(input.Prop[1].JSONVal, &shown))
				for i, s := range []string{shown, root.Attr[0].Val, data.Data} {
					text := text
					if i > 0 { // the values of fields must stay unchanged
						text = replaceInvisible(text)
					}
					require.LessOrEqual(t, len(s), 16_000)
					require.True(t, utf8.ValidString(s))
					if begin, more := strings.CutSuffix(s, "…"); more {
						require.True(t, strings.HasPrefix(text, begin))
						require.Greater(t, len(begin), maxValue-4)
					} else {
						require.Equal(t, text, s)
					}
				}
				require.LessOrEqual(t, len(input.Prop[1].JSONVal), 16_000)
				require.Equal(t, shown != text, len(input.Prop) == 3 && string(input.Prop[2].JSONVal) == "true", "a truncated text is read-only")
				if len(*b.InnerHTML) > 16_000 {
					require.Equal(t, -1, strings.IndexFunc(*b.InnerHTML, func(r rune) bool { return r >= utf8.RuneSelf }))
				}
				return nil
			}))
		}
	}
}

// Characters that hide or reverse other text are shown as a replacement character. The
// values of options and fields stay unchanged.
func TestHiddenCharacters(t *testing.T) {
	require.Equal(t, "a\tb\nc é \u05d0 \U0001f600", replaceInvisible("a\tb\nc é \u05d0 \U0001f600"))
	for _, r := range "\x00\x07\x1b\x7f\u0085\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
		require.Equal(t, "x\ufffdy", replaceInvisible("x"+string(r)+"y"), "%U", r)
	}
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	var kept pruner
	text := "a\u202eb"
	require.NoError(t, kept.draw(env.RunBuild(&texts{text}), func(r *vugu.BuildResults) error {
		root := r.Out.Out[0]
		require.Equal(t, "a\ufffdb", root.Attr[0].Val)
		require.Equal(t, "a\ufffdb", root.FirstChild.NextSibling.Data)
		require.Equal(t, "a\ufffdb", *root.LastChild.InnerHTML)
		require.Equal(t, `"a`+"\u202e"+`b"`, string(root.FirstChild.Prop[1].JSONVal))
		return nil
	}))
}
