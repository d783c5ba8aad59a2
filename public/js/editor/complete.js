// This module suggests completions in scripts: attributes and methods of known values, with
// explanations, and the names of functions and keywords.
import { ifNotIn } from '@codemirror/autocomplete';
import { localCompletionSource } from '@codemirror/lang-python';
import words from './words.json';

const KEYWORDS = ['and', 'break', 'continue', 'def', 'elif', 'else', 'False', 'for', 'if', 'in', 'lambda', 'None', 'not', 'or', 'pass', 'return', 'True', 'while'];

// option returns a suggestion. If the suggestion inserts a call with arguments, the cursor is then between the
// parentheses.
function option(word, info, of, boost) {
  const [, label, args = ''] = /^(\w+)(\(.*\))?$/.exec(word);
  return { label, info, boost, detail: args + (of && `  ${of}`), type: args ? 'function' : 'property', ...args && { apply: call } };
}

function call(view, { label, detail }, from, to) {
  const empty = detail.startsWith('()') && label !== 'print';
  const brackets = view.state.sliceDoc(to, to + 1) === '(' ? '' : '()';
  view.dispatch({ changes: { from, to, insert: label + brackets }, selection: { anchor: from + label.length + (empty ? 2 : 1) }, userEvent: 'input.complete' });
}

const optionsOf = (kind, of = '') => Object.entries(words[kind]).map(([word, info], i) => option(word, info, of, -i));

const KINDS = Object.keys(words).filter(Boolean);
const all = KINDS.flatMap(kind => optionsOf(kind, kind));

// KNOWN holds the expressions whose values are known, by kind of value. NAME stands for the name of
// a variable.
const KNOWN = {
  pass: [/\bdef\s+schedule\(\s*NAME\b/],
  profile: [/\bNAME\s*=[^=\n]*\.profile\(\)/],
  event: [/\bfor\s+NAME\s+in\b[^\n]*\.events\b/],
  job: [/\bfor\s+NAME\s+in\b[^\n]*(\.waiting|\.running|queue|jobs)\b/, /\bNAME\s*=[^=\n]*\.job\b/, /\b(waiting|running|queue|jobs)\b[^\n]*\blambda\s+NAME\b/],
};

// USUAL guesses the kinds of variables from their usual names.
const USUAL = { pass: /^p$/, job: /^(j|job|head|first)$/, event: /^(e|event)$/, profile: /^(plan|profile)$/ };

// kindOf returns the kind of the value before a dot, or undefined if it is unknown.
function kindOf(before, text) {
  if (/\.profile\(\)$/.test(before)) return 'profile';
  if (/\.job$|\b(waiting|running|queue)\[[^\]]*\]$/.test(before)) return 'job';
  const name = /(?:^|[^\w.])([A-Za-z_]\w*)$/.exec(before)?.[1];
  if (!name) return undefined;
  const holds = pattern => new RegExp(pattern.source.replaceAll('NAME', name)).test(text);
  return KINDS.find(kind => KNOWN[kind].some(holds)) ?? KINDS.find(kind => USUAL[kind].test(name));
}

// members suggests the attributes and methods of the value before a dot.
function members(context) {
  const word = context.matchBefore(/\.\w*/);
  if (!word) return null;
  const { state } = context, line = state.doc.lineAt(word.from);
  const kind = kindOf(line.text.slice(0, word.from - line.from), state.doc.toString());
  return { from: word.from + 1, options: kind ? optionsOf(kind) : all, validFor: /^\w*$/ };
}

const known = [...optionsOf(''), ...KEYWORDS.map(label => ({ label, type: 'keyword' }))];

// names suggests functions and keywords.
function names(context) {
  const word = context.matchBefore(/[A-Za-z_]\w*/), from = word ? word.from : context.pos;
  if (!word && !context.explicit || context.state.sliceDoc(from - 1, from) === '.') return null;
  return { from, options: known, validFor: /^\w*$/ };
}

const written = source => ifNotIn(['String', 'FormatString', 'Comment'], source);

export const complete = [written(members), written(names), localCompletionSource];
