// What the page needs of the browser beyond Vugu: rows that scroll, the keyboard
// and clipboard in the jobs table, and the way between charts and program. Not
// for state, and not for drawing.
'use strict';
(() => {
  const rowHeight = 28; // as in css/lab.css
  const byId = id => document.getElementById(id);
  const chart = window.labChart;

  // ---- after each render

  function stretch() {
    for (const host of document.querySelectorAll('[data-rows]')) {
      const child = host.firstChild || host.appendChild(document.createElement('div'));
      child.style.height = host.dataset.rows * rowHeight + 'px';
    }
  }

  let told = '';
  function tellScroll() {
    const grid = byId('grid');
    if (!grid) return;
    const first = Math.floor(grid.scrollTop / rowHeight / 8) * 8;
    const seen = Math.ceil(grid.clientHeight / rowHeight) + 8;
    if (told === first + ' ' + seen) return;
    told = first + ' ' + seen;
    labScrolled(first, seen);
  }

  function watchGrid() {
    const grid = byId('grid');
    if (!grid || grid.labWatched) return;
    grid.labWatched = true;
    told = '';
    grid.addEventListener('scroll', tellScroll, { passive: true });
    new ResizeObserver(tellScroll).observe(grid);
  }

  function focusCell(id) {
    const cell = byId(id);
    if (!cell) return false;
    cell.focus();
    cell.select();
    return true;
  }

  // Vugu reuses the fields of a scrolled table for other rows. The keyboard stays
  // with its row; when that has left the table, it leaves too.
  let here = '';
  document.addEventListener('focusin', e => { here = place(e.target) ? e.target.id : ''; });
  function stay() {
    const field = document.activeElement;
    if (!here || !place(field) || field.id === here) return;
    const own = byId(here);
    if (own) own.focus({ preventScroll: true }); else field.blur();
  }

  window.labDrawn = focus => {
    stretch();
    watchGrid();
    for (const host of document.querySelectorAll('[data-chart]')) chart.attach(host, host.dataset.chart);
    queueMicrotask(() => {
      if (!focus) stay();
      else if (focusCell(focus)) going = null;
    });
  };

  // ---- the jobs table

  const place = el => /^cell-(\d+)-(\d+)$/.exec(el?.id || '')?.slice(1).map(Number);

  let going = null; // the row whose cell a render has yet to bring

  function move(e, [row, col], by) {
    e.preventDefault();
    const to = Math.max(0, (going ?? row) + by);
    going = focusCell(`cell-${to}-${col}`) ? null : to;
    if (going !== null) labGo(to, col);
  }

  document.addEventListener('keydown', e => {
    const key = e.key.toLowerCase();
    if ((e.ctrlKey || e.metaKey) && (key === 'z' || key === 'y')) {
      e.preventDefault();
      if (key === 'y' || e.shiftKey) labRedo(); else labUndo();
      return;
    }
    if (e.key === 'Escape') {
      document.querySelector('.menu:has(.list) > button')?.focus();
      labCloseMenu();
    }
    const at = place(e.target);
    if (!at || e.ctrlKey || e.metaKey || e.altKey) return;
    const by = { Enter: e.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1, PageDown: 16, PageUp: -16 }[e.key];
    if (by) move(e, at, by);
  });

  document.addEventListener('paste', e => {
    const at = place(e.target);
    const text = e.clipboardData?.getData('text/plain') || '';
    if (!at || !/[\t\n]/.test(text)) return;
    e.preventDefault();
    labPaste(...at, text);
  });

  document.addEventListener('click', e => {
    if (!e.target.closest('.menu') && document.querySelector('.menu .list')) labCloseMenu();
  });

  // ---- charts and program

  window.labShowKeys = () => byId('lab-keys').showModal();

  const spawn = window.labSpawnWorker;
  window.labSpawnWorker = (name, handle) => {
    const worker = spawn(name, m => chart.take(m) || handle(m)); // views never pass through Go
    if (name === 'main') chart.send = m => worker.postMessage(m);
    return worker;
  };
})();
