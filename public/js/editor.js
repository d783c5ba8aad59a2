// This script is the editor of scripts, based on CodeMirror. The page loads it when it first shows
// a script.
//
// The element lab-editor precedes the text field of a script. The page shows the editor in this
// element, instead of the field. The field still holds the text: every edit in the editor writes
// the field and fires its input event, and the editor follows changes of the field. If the editor
// is missing, the person types in the field.
import { autocompletion, acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { pythonLanguage } from '@codemirror/lang-python';
import { diagnosticCount, lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { complete } from './editor/complete.js';
import { look } from './editor/look.js';

// difference returns the change that turns one text into another. It replaces only the part between the
// common beginning and the common end, so that the cursor stays in its place in unchanged text.
function difference(before, after) {
  const shorter = Math.min(before.length, after.length);
  let from = 0, end = 0;
  while (from < shorter && before[from] === after[from]) from++;
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

// rangeOf returns the range of the word at a line and a column. Columns count characters from 1.
function rangeOf(doc, line, column) {
  const { from, text } = doc.line(Math.min(line, doc.lines));
  const start = [...text].slice(0, column - 1).join('').length, word = /^(\w+|.?)/u.exec(text.slice(start))[0];
  return { from: from + (word ? start : Math.max(0, start - 1)), to: from + start + word.length };
}

class Editor extends HTMLElement {
  #view;
  #field;
  #problem = ''; // text of the problem that the editor shows
  #leaves = false; // whether Tab moves the focus out of the editor instead of indenting

  // follow shows the text and the problem of the field.
  follow() {
    const field = this.nextElementSibling;
    if (this.#field !== field) this.#create(field);
    const text = this.#view.state.doc.toString();
    if (field.value !== text) this.#view.dispatch({ changes: difference(text, field.value), annotations: isolateHistory.of('full') });
    this.#mark(field.dataset);
  }

  // focus moves the keyboard focus to the editor and scrolls to it, as for a text field.
  focus() {
    this.#view.focus();
    this.scrollIntoView({ block: 'nearest' });
  }

  disconnectedCallback() {
    this.#view?.destroy();
    this.#view = this.#field = undefined;
    this.replaceChildren();
  }

  // #create replaces the editor by a new editor for a field. If the field has the focus, the new
  // editor gets it.
  #create(field) {
    const focused = document.activeElement === field, selection = { anchor: field.selectionStart, head: field.selectionEnd };
    this.#view?.destroy();
    this.#field = field;
    this.#problem = '';
    this.#view = new EditorView({
      parent: this,
      state: EditorState.create({ doc: field.value, ...focused && { selection }, extensions: [this.#fieldExtensions(field), this.#keys(), common] }),
    });
    if (focused) this.focus();
  }

  // #fieldExtensions returns the extensions that connect the editor with its field.
  #fieldExtensions(field) {
    return [
      EditorView.contentAttributes.of(() => ({
        tabindex: '0', 'aria-label': field.labels[0].textContent, 'aria-describedby': field.getAttribute('aria-describedby'), 'aria-invalid': field.getAttribute('aria-invalid'),
      })),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        this.#leave(false);
        const text = state.doc.toString();
        if (field.value === text) return;
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
      EditorView.domEventHandlers({
        blur: () => this.#leave(false),
        drop: event => event.dataTransfer.types.includes('Files'), // the page opens the file
      }),
    ];
  }

  // #keys returns the keys of the editor. Tab indents. After Escape, Tab moves the focus out of the editor.
  #keys() {
    return keymap.of([
      ...completionKeymap, { key: 'Tab', run: acceptCompletion }, { key: 'Escape', run: () => this.#leave(true) },
      { key: 'F8', run: nextDiagnostic }, indentWithTab, ...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap,
    ]);
  }

  #leave(leaves) {
    if (this.#leaves !== leaves) this.#view.setTabFocusMode(this.#leaves = leaves);
  }

  // #mark marks the word that caused the error in the last run.
  #mark({ line, column, problem }) {
    const { state } = this.#view, problemText = Number(line) > 0 ? `${line} ${column} ${problem}` : '';
    if (this.#problem === problemText && !problemText === !diagnosticCount(state)) return;
    this.#problem = problemText;
    this.#view.dispatch(setDiagnostics(state, problemText ? [{ ...rangeOf(state.doc, Number(line), Number(column)), severity: 'error', message: problem }] : []));
  }
}

const common = [
  lineNumbers(), lintGutter(), history(), pythonLanguage, indentUnit.of('    '), indentOnInput(), bracketMatching(), closeBrackets(),
  autocompletion({ override: complete, icons: false }), look,
];

customElements.define('lab-editor', Editor);

// A click on the label of a field focuses its editor.
document.addEventListener('click', event => {
  const editor = event.target.closest?.('label')?.control?.previousElementSibling;
  if (editor instanceof Editor) editor.focus();
});
