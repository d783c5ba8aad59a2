// This module handles the scrolling tables of jobs and of schedules. It reports the visible rows to
// the program, and moves the keyboard focus between cells. The cells are named cell-ROW-COLUMN in
// the table of jobs, and line-ROW-COLUMN in tables of schedules.
import { byId } from './parts.js';
import { chartMethods } from './chart/charts.js';

// ROW is the height of a row in pixels, as in css/lab.css.
const ROW = 28;

// place returns the name of the table (cell or line), the row and the column of a field, or
// undefined if it is not in such a table.
export const place = el => /^(cell|line)-(\d+)-(\d+)$/.exec(el?.id || '')?.slice(1);

// sizeSpacers sets the heights of the spacers, which take the place of the rows that are not
// rendered.
function sizeSpacers() {
  for (const host of document.querySelectorAll('[data-rows]')) {
    const child = host.firstChild || host.appendChild(document.createElement('div'));
    child.style.height = host.dataset.rows * ROW + 'px';
  }
}

// reportRows tells the program which rows are visible, if they have changed.
function reportRows(el) {
  const first = Math.floor(el.scrollTop / ROW / 8) * 8, count = Math.ceil(el.clientHeight / ROW) + 8;
  if (!el.dataset.window || el.labTold === (el.labTold = `${first} ${count}`)) return;
  window.labScrolled(el.dataset.window, first, count);
}

// watchRows makes a table report its visible rows now and after each scroll or resize.
function watchRows(el) {
  if (el.labWatched) return;
  el.labWatched = true;
  el.addEventListener('scroll', () => reportRows(el), { passive: true });
  new ResizeObserver(() => reportRows(el)).observe(el);
}

// focusCell focuses an element. It returns false if the element does not exist.
function focusCell(id) {
  let cell = byId(id);
  if (!cell) return false;
  if (cell.closest('#menus-list') && !cell.offsetParent) cell = byId('menus'); // the menus are closed
  if (cell.previousElementSibling?.matches('lab-editor:not(:empty)')) cell = cell.previousElementSibling;
  cell.focus();
  if (!cell.matches('textarea:read-write')) cell.select?.(); // in a textarea, typing must not replace the whole text
  return true;
}

// While a table scrolls, Vugu reuses its fields for other rows. keepFocus moves the keyboard focus to
// the field of the same row, or removes it if that row is no longer rendered.
let focusedCell = '';
document.addEventListener('focusin', event => { focusedCell = place(event.target) ? event.target.id : ''; });
function keepFocus() {
  const field = document.activeElement;
  if (!focusedCell || !place(field) || field.id === focusedCell) return;
  const sameField = byId(focusedCell);
  if (sameField) sameField.focus({ preventScroll: true }); else field.blur();
}

// pendingRow is the row to focus once it is rendered, or null if there is none.
let pendingRow = null;

// move moves the keyboard focus from a cell down by a number of rows.
export function move([name, row, column], by) {
  const to = Math.max(0, (pendingRow ?? Number(row)) + by);
  pendingRow = focusCell(`${name}-${to}-${column}`) ? null : to;
  if (pendingRow !== null) window.labGo(name, to, Number(column));
}

// afterRender is called after each render. `focus` is the id of the element to focus, if any.
// `reveal` is the id of the element to scroll into view, if any.
export function afterRender(focus, reveal) {
  sizeSpacers();
  document.querySelectorAll('[data-window]').forEach(watchRows);
  for (const host of document.querySelectorAll('[data-chart]')) chartMethods.attach(host, host.dataset.chart);
  queueMicrotask(() => {
    if (!focus) keepFocus();
    else if (focusCell(focus)) pendingRow = null;
    if (reveal) byId(reveal)?.scrollIntoView({ block: 'nearest' });
  });
}

// The charts highlight the job of the table row under the pointer.
for (const name of ['pointerover', 'pointerout']) {
  document.addEventListener(name, event => {
    const job = event.target.closest?.('tr[data-job]')?.dataset.job;
    if (job) chartMethods.hover(name === 'pointerover' ? Number(job) : null);
  });
}
