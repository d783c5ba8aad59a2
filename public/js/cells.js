// This module makes the cells of the jobs table behave as in a spreadsheet. A click or an arrow key
// selects a cell, and typing replaces its text. Enter, F2 or a double click starts editing inside
// the text.
import { move, place } from './tables.js';

const root = document.documentElement;

// cell is the field of the cell with the keyboard focus, and originalText is its text when it was
// selected. The mode of the cell is selected, typing (a key press replaces the text) or inside (the
// person edits the text).
let cell = null, originalText = '';
// mode returns the mode of the cell. enter changes the mode.
const mode = () => root.dataset.cell;
function enter(next) {
  root.dataset.cell = next;
  if (next === 'selected') cell.select();
}

// cellOf returns the field of an event's target, or null if it is not a cell of the jobs table.
const cellOf = event => place(event.target)?.[0] === 'cell' && event.target.matches('input') ? event.target : null;

document.addEventListener('focusin', event => {
  cell = cellOf(event);
  if (!cell) return delete root.dataset.cell;
  originalText = cell.value;
  enter('selected');
});

// Pressing the mouse button on a cell selects the cell. A double click, or a second tap, starts
// editing inside the text.
let touch = false;
document.addEventListener('pointerdown', event => { touch = event.pointerType === 'touch'; });
document.addEventListener('mousedown', event => {
  const field = cellOf(event);
  if (!field || event.button || field === cell && mode() === 'inside') return;
  if (field === cell && (touch || event.detail > 1)) return enter('inside');
  event.preventDefault();
  field.focus({ preventScroll: true });
  if (mode() !== 'typing') enter('selected');
});

// Text that arrives without a key press, such as a paste, counts as typed.
document.addEventListener('input', event => {
  if (cellOf(event) && mode() === 'selected') enter('typing');
});

// moveInRow moves to another cell of the row: to the next cell in the direction of an arrow key, or
// to the first or the last cell.
function moveInRow(key) {
  const row = [...cell.closest('tr').querySelectorAll('input')], i = row.indexOf(cell);
  const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: row.length - 1 }[key];
  row[Math.max(0, Math.min(to, row.length - 1))].focus();
}

// skipName handles Tab in the last cell of a row: it moves to the second cell of the next row. So a
// person who types values row by row cannot rename a job by accident. Shift+Tab moves from the second
// cell to the last cell of the previous row. In all other cases, skipName returns false.
function skipName(back) {
  const cells = row => [...row?.querySelectorAll('input') ?? []], row = cell.closest('tr');
  const to = back ? cells(row.previousElementSibling).at(-1) : cells(row.nextElementSibling)[1];
  if (!to || cell !== cells(row).at(back ? 1 : -1)) return false;
  to.focus();
  return true;
}

// revert restores the text that the cell had when it was selected.
function revert() {
  if (cell.value !== originalText) {
    cell.value = originalText;
    cell.dispatchEvent(new Event('input', { bubbles: true }));
  }
  enter('selected');
}

// keep ends editing. The text can no longer be reverted.
function keep() {
  originalText = cell.value;
  enter('selected');
}

// inCell handles a key press in a cell. It returns false if the browser should handle the key.
export function inCell({ key, shiftKey, ctrlKey, altKey, metaKey, isComposing }) {
  if (!cell || isComposing || ctrlKey || altKey || metaKey) return false;
  const now = mode(), typed = key.length === 1 || key === 'Backspace' || key === 'Delete';
  if (key === 'Tab') return skipName(shiftKey);
  if (key === 'Escape' && now !== 'selected') revert();
  else if (key === 'F2' || key === 'Enter' && now === 'selected' && !shiftKey && !cell.readOnly) {
    enter('inside');
    cell.setSelectionRange(cell.value.length, cell.value.length);
  } else if (key === 'Enter') {
    const left = cell;
    move(place(left), shiftKey ? -1 : 1);
    if (cell === left) keep(); // there is no row to move to
  }
  else if (now !== 'inside' && !shiftKey && /^(Arrow(Left|Right)|Home|End)$/.test(key)) moveInRow(key);
  else {
    if (typed && now === 'selected' && !cell.readOnly) {
      cell.select(); // the key replaces the text
      enter('typing');
    }
    return false;
  }
  return true;
}

// reselect selects the whole text of a selected cell again, because a render may have changed the text.
export function reselect() {
  if (cell && mode() === 'selected' && cell === document.activeElement && cell.selectionEnd - cell.selectionStart < cell.value.length) cell.select();
}
