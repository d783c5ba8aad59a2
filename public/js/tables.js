// Tables whose rows scroll: those of jobs (cells) and of schedules (lines). Which rows
// are in sight, and which cell has the keyboard.
import { byId } from './parts.js';
import { chartMethods } from './chart/charts.js';

// As in css/lab.css.
const ROW = 28;

// place returns where a field is in a table: its name, row and column.
export const place = el => /^(cell|line)-(\d+)-(\d+)$/.exec(el?.id || '')?.slice(1);

// stretch gives the space of the rows that are not there.
function stretch() {
  for (const host of document.querySelectorAll('[data-rows]')) {
    const child = host.firstChild || host.appendChild(document.createElement('div'));
    child.style.height = host.dataset.rows * ROW + 'px';
  }
}

// tellScroll tells the program which rows are in sight.
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
  const cell = byId(id);
  if (!cell) return false;
  cell.focus();
  cell.select?.();
  return true;
}

// Vugu reuses the fields of a scrolled table for other rows. The keyboard stays
// with its row; when that has left the table, it leaves too.
let here = '';
document.addEventListener('focusin', event => { here = place(event.target) ? event.target.id : ''; });
function stay() {
  const field = document.activeElement;
  if (!here || !place(field) || field.id === here) return;
  const own = byId(here);
  if (own) own.focus({ preventScroll: true }); else field.blur();
}

// The row whose cell a render has yet to bring.
let going = null;

// move goes from a cell to the one that many rows below.
export function move([name, row, column], by) {
  const to = Math.max(0, (going ?? Number(row)) + by);
  going = focusCell(`${name}-${to}-${column}`) ? null : to;
  if (going !== null) window.labGo(name, to, Number(column));
}

// drawn follows each render; `focus` is the cell that the keyboard is to be in.
export function drawn(focus) {
  stretch();
  document.querySelectorAll('[data-window]').forEach(watchRows);
  for (const host of document.querySelectorAll('[data-chart]')) chartMethods.attach(host, host.dataset.chart);
  queueMicrotask(() => {
    if (!focus) stay();
    else if (focusCell(focus)) going = null;
  });
}

// The row under the pointer marks its job in the charts.
for (const name of ['pointerover', 'pointerout']) {
  document.addEventListener(name, event => {
    const job = event.target.closest?.('tr[data-job]')?.dataset.job;
    if (job) chartMethods.hover(name === 'pointerover' ? Number(job) : null);
  });
}
