// Scrolling tables: that of jobs (cells) and that of schedules (lines). This module reports
// the visible rows and moves the keyboard focus between cells.
import { byId } from './parts.js';
import { chartMethods } from './chart/charts.js';

// Height of a row in pixels, as in css/lab.css.
const ROW = 28;

// place returns the name of the table, the row and the column of a field.
export const place = el => /^(cell|line)-(\d+)-(\d+)$/.exec(el?.id || '')?.slice(1);

// stretch sizes the spacers that stand in for rows that are not rendered.
function stretch() {
  for (const host of document.querySelectorAll('[data-rows]')) {
    const child = host.firstChild || host.appendChild(document.createElement('div'));
    child.style.height = host.dataset.rows * ROW + 'px';
  }
}

// tellScroll tells the program which rows are visible, if they have changed.
function tellScroll(el) {
  const first = Math.floor(el.scrollTop / ROW / 8) * 8, seen = Math.ceil(el.clientHeight / ROW) + 8;
  if (!el.dataset.window || el.labTold === (el.labTold = `${first} ${seen}`)) return;
  window.labScrolled(el.dataset.window, first, seen);
}

function watchRows(el) {
  if (el.labWatched) return;
  el.labWatched = true;
  el.addEventListener('scroll', () => tellScroll(el), { passive: true });
  new ResizeObserver(() => tellScroll(el)).observe(el);
}

function focusCell(id) {
  let cell = byId(id);
  if (!cell) return false;
  if (cell.closest('#menus-list') && !cell.offsetParent) cell = byId('menus'); // the menus are closed
  cell.focus();
  if (!cell.matches('textarea:read-write')) cell.select?.(); // a long text is not to be typed over
  return true;
}

// Vugu reuses the fields of a scrolled table for other rows. stay keeps the keyboard focus
// on its row, and removes it once that row is no longer rendered.
let here = '';
document.addEventListener('focusin', event => { here = place(event.target) ? event.target.id : ''; });
function stay() {
  const field = document.activeElement;
  if (!here || !place(field) || field.id === here) return;
  const own = byId(here);
  if (own) own.focus({ preventScroll: true }); else field.blur();
}

// The row to focus once it is rendered.
let going = null;

// move moves the keyboard focus from a cell by so many rows down.
export function move([name, row, column], by) {
  const to = Math.max(0, (going ?? Number(row)) + by);
  going = focusCell(`${name}-${to}-${column}`) ? null : to;
  if (going !== null) window.labGo(name, to, Number(column));
}

// drawn runs after each render; `focus` is the id of the element to focus, if any.
export function drawn(focus) {
  stretch();
  document.querySelectorAll('[data-window]').forEach(watchRows);
  for (const host of document.querySelectorAll('[data-chart]')) chartMethods.attach(host, host.dataset.chart);
  queueMicrotask(() => {
    if (!focus) stay();
    else if (focusCell(focus)) going = null;
  });
}

// Highlights in the charts the job of the row under the pointer.
for (const name of ['pointerover', 'pointerout']) {
  document.addEventListener(name, event => {
    const job = event.target.closest?.('tr[data-job]')?.dataset.job;
    if (job) chartMethods.hover(name === 'pointerover' ? Number(job) : null);
  });
}
