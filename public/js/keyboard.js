// This module handles the keyboard shortcuts of the page: undo, menus, tabs, search, tables and
// player.
import { inCell } from './cells.js';
import { move, place } from './tables.js';
import { byId } from './parts.js';

export const showKeys = () => byId('lab-keys').showModal();

// STEPS holds the number of rows by which each key moves.
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 16, PageUp: -16 };

// ROWS matches the keys that act on rows of the jobs table, and MARKED matches the keys that act
// only while rows are selected. C, A and S stand for Ctrl, Alt and Shift.
const ROWS = /^([AS]Arrow[UD]|SPage|C(a|d|Enter)$)/, MARKED = /^(Del|Esc)/;

// OWN matches fields that are not part of the scenario, and the editor of scripts. In these, the
// browser or the editor handles undo.
const OWN = '#find, #player-time, .op-form input, #whatif input, .experiments *, lab-editor *';

// history handles the keys for undo and redo.
function history(event) {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || key !== 'z' && key !== 'y' || event.target.matches(OWN)) return false;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) window.labRedo(); else window.labUndo();
  return true;
}

// inSearch handles keys in the search field. Enter selects the next match, and Escape returns to
// the charts.
function inSearch({ key, shiftKey }) {
  if (key === 'Enter') window.labFind(shiftKey ? -1 : 1);
  if (key === 'Escape') byId('gantt-0')?.focus();
}

// moveInGroup handles the arrow keys in tabs and menus: it moves the focus to another tab or entry.
function moveInGroup(event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], group = event.target.closest('.menu, .tabs');
  const all = by && group ? [...group.querySelectorAll('button')] : [], i = all.indexOf(event.target);
  if (i < 0) return;
  event.preventDefault();
  const to = all[(i + by + all.length) % all.length];
  to.focus();
  if (to.role === 'tab') to.click();
}

// inTable handles the keys of a table.
function inTable(event) {
  const at = place(event.target), control = event.ctrlKey || event.metaKey;
  if (!at) return;
  const chord = (control ? 'C' : '') + (event.altKey ? 'A' : '') + (event.shiftKey ? 'S' : '') + event.key, [name, row, column] = at;
  if (name === 'cell' && (ROWS.test(chord) || byId('set-do') && MARKED.test(chord))) {
    event.preventDefault();
    return window.labRows(chord, Number(row), Number(column));
  }
  if (name === 'cell' && inCell(event)) return event.preventDefault();
  const by = STEPS[event.key];
  if (!by || control || event.altKey) return;
  event.preventDefault();
  move(at, by);
}

document.addEventListener('keydown', event => {
  if (history(event)) return;
  const { key, target } = event;
  if (key === 'Escape') {
    if (target.closest('.why') || target === document.body && !document.querySelector('.menu .list')) byId('why-close')?.click();
    document.querySelector(document.querySelector('.menu .list') ? '.menu:has(.list) > button' : '#menus:has(+ .open)')?.focus();
    window.labCloseMenu();
  }
  if (target.id === 'find') inSearch(event);
  if (key === 'Enter' && target.matches('input')) target.closest('.op-form, #machine-if, .ask')?.querySelector('.do, .main, #set-do')?.click();
  moveInGroup(event);
  inTable(event);
});

// The keys of the player work everywhere except in text fields. They take precedence over the keys
// of a chart.
document.addEventListener('keydown', event => {
  const id = { BracketLeft: 'player-before', BracketRight: 'player-next', Space: 'player-play' }[event.code];
  const busy = 'input:not([type=range]), select, textarea, lab-editor, dialog' + (event.code === 'Space' ? ', button' : '');
  if (!id || !byId(id) || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(busy)) return;
  event.preventDefault();
  event.stopPropagation();
  byId(id).click();
}, true);

// The person may leave the page before the address contains the last edits.
addEventListener('pagehide', () => window.labKeep?.());

document.addEventListener('click', event => {
  if (!event.target.closest('.menu, #menus') && document.querySelector('.menu .list, #menus-list.open')) window.labCloseMenu();
});
