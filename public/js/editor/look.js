// This module determines the look of the editor: the colours of the page, in both themes.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view';
import { RangeSetBuilder } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { StyleModule } from 'style-mod';

// CodeMirror would insert a style element, which the content security policy forbids. A style sheet
// made by a script is allowed. Later modules take precedence.
const sheet = new CSSStyleSheet();
let mounted = [];
StyleModule.mount = (_, modules) => {
  if (modules.every(m => mounted.includes(m))) return;
  mounted = [...mounted.filter(m => !modules.includes(m)), ...modules];
  sheet.replaceSync(mounted.map(m => m.getRules()).join('\n'));
};
document.adoptedStyleSheets.push(sheet);

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword, tags.definitionKeyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--better)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--worse)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.function(tags.definition(tags.variableName)), fontWeight: '600' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

const box = { backgroundColor: 'var(--paper)', color: 'inherit', border: '1px solid var(--edge)', borderRadius: '6px' };

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--edge)', borderRadius: '4px', overflow: 'hidden' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '6px 0' },
  '.cm-content:focus-visible': { outline: '2px solid transparent', outlineOffset: '-2px' }, // the frame shows the focus
  '.cm-scroller': { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', fontSize: '12.5px', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--stage)', color: 'var(--soft)', border: 'none', borderRight: '1px solid var(--line)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '18px', padding: '0 4px 0 2px' },
  '.cm-gutter-lint': { width: '10px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '5px 0 0 2px' },
  '.cm-lint-marker-error': { content: 'normal', width: '8px', height: '8px', borderRadius: '50%', backgroundColor: 'var(--bad)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)', textDecorationSkipInk: 'none' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-tooltip': box,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', fontSize: '12.5px', maxWidth: 'min(480px, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--paper)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { fontStyle: 'normal', marginLeft: '2px', opacity: '1' },
  '.cm-completionInfo': { padding: '4px 8px', fontSize: '13px' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--mark)', outline: '1px solid var(--edge)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--bad)' },
});

// The continuation of a wrapped line begins two columns after the beginning of the line.
const indents = [];
const hanging = columns => indents[columns] ??= Decoration.line({ attributes: { style: `padding-left: calc(${columns + 2}ch + 6px); text-indent: -${columns + 2}ch` } });

// indented returns the decorations of the visible lines.
function indented({ state, visibleRanges }) {
  const builder = new RangeSetBuilder();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      builder.add(line.from, line.from, hanging(/^ */.exec(line.text)[0].length));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const wrapping = ViewPlugin.define(view => ({
  decorations: indented(view),
  update(change) { if (change.docChanged || change.viewportChanged) this.decorations = indented(change.view); },
}), { decorations: plugin => plugin.decorations });

export const look = [theme, syntaxHighlighting(colours), EditorView.lineWrapping, wrapping];
