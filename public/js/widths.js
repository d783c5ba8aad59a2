// This module lets a person drag the widths of the columns of the jobs table and of its panel. A
// column that has not been dragged is as wide as its content.
import { byId, remembered } from './parts.js';

const sheet = new CSSStyleSheet(), STEP = 16;
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

// fitted holds, for each column, the width in characters that its content needs. dragged holds the widths in
// pixels of the columns that the person has dragged.
const fitted = new Map(), dragged = new Map();
let panel = Number(remembered('panel')) || 0, written = '';

// basic lists the columns that determine the width of the panel until a person drags it: the panel is just wide
// enough for them.
const basic = ['id', 'submit', 'procs', 'estimate', 'runtime'];
let needed = '';

// typing is true while a person types in the table. The panel then keeps its width.
let typing = false;
const inTable = event => !!event.target.closest?.('.grid');
document.addEventListener('input', event => { typing ||= inTable(event); });
document.addEventListener('focusin', event => { typing &&= inTable(event); });

// write updates the style sheet with the current widths.
function write() {
  const space = name => (name === 'id' ? 34 : 12);
  const rules = [...fitted].map(([name, n]) => {
    const width = dragged.has(name) ? `${dragged.get(name)}px` : `calc(${n}ch + ${space(name)}px)`;
    const padding = name === 'id' ? `.grid { scroll-padding-left: ${width}; }` : ''; // the pinned column must not cover the focused cell
    return `.grid col[data-column="${CSS.escape(name)}"] { width: ${width}; }${padding}`;
  });
  if (panel) rules.push(`.lab { --panel: ${panel}px; }`);
  if (!typing) {
    const shown = basic.filter(name => fitted.has(name)), sum = f => shown.reduce((s, name) => s + f(name), 0);
    needed = `.lab { --needed: calc(${sum(name => fitted.get(name))} * 13ch / 14 + ${sum(space) + 6}px); }`; // 6 px for the border and rounding
  }
  rules.push(needed);
  if (written !== (written = rules.join('\n'))) sheet.replaceSync(written);
}

// widthIn returns the width of a text as a number of digits. Spaces, colons and hyphens are about half as
// wide as digits.
const widthIn = text => Math.ceil(text.length - 0.4 * (text.match(/[ :-]/g)?.length ?? 0));

// fit makes the columns as wide as the rendered rows need. While the first row is not rendered, because the
// person has scrolled down, columns never become narrower.
export function fit() {
  const columns = [...document.querySelectorAll('.grid col')], top = byId('cell-0-0');
  if (!columns.length) return;
  const names = columns.map(col => col.dataset.column), rows = document.querySelectorAll('.grid tbody tr:not(.space)');
  for (const name of fitted.keys()) if (!names.includes(name)) fitted.delete(name);
  columns.forEach((col, i) => {
    const name = names[i];
    let n = Math.max(Math.ceil(col.dataset.title.length * 0.85), 4, top ? 0 : fitted.get(name) ?? 0);
    for (const row of rows) n = Math.max(n, widthIn(row.cells[i]?.querySelector('input')?.value ?? ''));
    fitted.set(name, Math.min(n, name === 'id' ? 28 : 40)); // a long name must leave room for the numbers
  });
  write();
}

const widthOf = grip => (grip.closest('th') ?? byId('edit')).getBoundingClientRect().width;

// resize sets the width of a column or the panel. It stores the width of the panel, and reports it to screen
// readers. A width of 0 restores the fitted or default width.
function resize(grip, width) {
  const name = grip.dataset.grip;
  if (name === 'panel') {
    panel = width && Math.round(Math.max(240, Math.min(width, innerWidth / 2)));
    remembered('panel', panel);
  } else if (width) dragged.set(name, Math.round(Math.max(28, width)));
  else dragged.delete(name);
  write();
  if (name === 'panel') grip.ariaValueNow = Math.round(widthOf(grip));
}

const gripOf = event => event.target.closest?.('[data-grip]');

document.addEventListener('pointerdown', event => {
  const grip = gripOf(event);
  if (!grip || event.button) return;
  event.preventDefault();
  const from = event.clientX, width = widthOf(grip), by = new AbortController();
  grip.setPointerCapture(event.pointerId);
  grip.addEventListener('pointermove', e => resize(grip, width + e.clientX - from), by);
  for (const end of ['pointerup', 'pointercancel']) grip.addEventListener(end, () => by.abort(), by);
});
document.addEventListener('dblclick', event => { if (gripOf(event)) resize(gripOf(event), 0); });
document.addEventListener('keydown', event => {
  const grip = gripOf(event), by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
  if (!grip || !by) return;
  event.preventDefault();
  resize(grip, widthOf(grip) + by);
});
write();
