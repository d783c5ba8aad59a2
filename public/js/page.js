// What the page needs of the browser beyond Vugu: rows that scroll, the keyboard
// and clipboard in the jobs table, and the way between charts and program. Not
// for state, and not for drawing.
'use strict';
(() => {
  // As in css/lab.css.
  const rowHeight = 28;
  const byId = id => document.getElementById(id);
  const chart = window.labChart;

  // ---- after each render

  function stretch() {
    for (const host of document.querySelectorAll('[data-rows]')) {
      const child = host.firstChild || host.appendChild(document.createElement('div'));
      child.style.height = host.dataset.rows * rowHeight + 'px';
    }
  }

  function tellScroll(el) {
    const first = Math.floor(el.scrollTop / rowHeight / 8) * 8, seen = Math.ceil(el.clientHeight / rowHeight) + 8;
    if (!el.dataset.window || el.labTold === (el.labTold = `${first} ${seen}`)) return;
    labScrolled(el.dataset.window, first, seen);
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
  document.addEventListener('focusin', e => { here = place(e.target) ? e.target.id : ''; });
  function stay() {
    const field = document.activeElement;
    if (!here || !place(field) || field.id === here) return;
    const own = byId(here);
    if (own) own.focus({ preventScroll: true }); else field.blur();
  }

  window.labDrawn = focus => {
    stretch();
    document.querySelectorAll('[data-window]').forEach(watchRows);
    for (const host of document.querySelectorAll('[data-chart]')) chart.attach(host, host.dataset.chart);
    queueMicrotask(() => {
      if (!focus) stay();
      else if (focusCell(focus)) going = null;
    });
  };

  // ---- the tables of jobs (cell) and of schedules (line)

  const place = el => /^(cell|line)-(\d+)-(\d+)$/.exec(el?.id || '')?.slice(1);

  // The row whose cell a render has yet to bring.
  let going = null;

  function move(e, [name, row, col], by) {
    e.preventDefault();
    const to = Math.max(0, (going ?? Number(row)) + by);
    going = focusCell(`${name}-${to}-${col}`) ? null : to;
    if (going !== null) labGo(name, to, Number(col));
  }

  document.addEventListener('keydown', e => {
    const key = e.key.toLowerCase(), control = e.ctrlKey || e.metaKey;
    if (control && (key === 'z' || key === 'y')) {
      e.preventDefault();
      if (key === 'y' || e.shiftKey) labRedo(); else labUndo();
      return;
    }
    if (e.key === 'Escape') {
      document.querySelector('.menu:has(.list) > button')?.focus();
      labCloseMenu();
    }
    if (e.target.id === 'find') searching(e);
    if (e.key === 'Enter' && e.target.matches('.op-form input')) byId(e.target.closest('.op').firstElementChild.id + '-do').click();
    among(e);
    const at = place(e.target), chord = (control ? 'C' : '') + (e.altKey ? 'A' : '') + (e.shiftKey ? 'S' : '') + e.key;
    if (at?.[0] === 'cell' && (/^([AS]Arrow[UD]|SPage|C(a|d|Enter)$)/.test(chord) || byId('set-do') && /^(Del|Esc)/.test(chord))) {
      e.preventDefault();
      return labRows(chord, +at[1], +at[2]);
    }
    if (!at || control || e.altKey) return;
    const by = { Enter: e.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1, PageDown: 16, PageUp: -16 }[e.key];
    if (by && !(e.key === 'Enter' && at[0] === 'line')) move(e, at, by);
  });

  // among goes from tab to tab, and from entry to entry of a menu.
  function among(e) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key], group = e.target.closest('.menu, .tabs');
    const all = by && group ? [...group.querySelectorAll('button')] : [], i = all.indexOf(e.target), to = all[(i + by + all.length) % all.length];
    if (i < 0) return;
    e.preventDefault();
    to.focus();
    if (to.role === 'tab') to.click();
  }

  // The keys of the player work wherever they type nothing, and before those of a chart.
  document.addEventListener('keydown', e => {
    const id = { BracketLeft: 'player-before', BracketRight: 'player-next', Space: 'player-play' }[e.code];
    const busy = 'input:not([type=range]), select, textarea, dialog' + (e.code === 'Space' ? ', button' : '');
    if (!id || !byId(id) || e.ctrlKey || e.altKey || e.metaKey || e.target.closest(busy)) return;
    e.preventDefault();
    e.stopPropagation();
    byId(id).click();
  }, true);

  // Enter goes from match to match, Escape back to the charts.
  function searching(e) {
    if (e.key === 'Enter') labFind(e.shiftKey ? -1 : 1);
    if (e.key === 'Escape') byId('gantt-0')?.focus();
  }

  // What is too long for its field is refused whole: nothing is cut off unseen.
  // As in ui/document/limits.go.
  const longestCell = 10_000, longestPaste = 4 * 2 ** 20;
  function refused(e, text) {
    const field = e.target, at = field.matches('input, textarea') && !field.readOnly && !field.disabled;
    const limit = field.maxLength > 0 ? field.maxLength : longestCell, long = text.length + (field.value?.length ?? 0) - (field.selectionEnd - field.selectionStart || 0);
    if (!at || long <= limit) return false;
    e.preventDefault();
    labRefused(field.ariaLabel || field.labels?.[0]?.textContent.trim() || field.id, limit, text.length);
    return true;
  }

  document.addEventListener('paste', e => {
    const empty = !e.target.matches('input, textarea') && document.querySelector('#grid [aria-rowcount="1"]');
    const at = empty ? ['cell', 0, 0] : place(e.target);
    const text = e.clipboardData?.getData('text/plain') || '';
    if (at?.[0] !== 'cell' || !/[\t\n]/.test(text)) return refused(e, text);
    e.preventDefault();
    if (text.length > longestPaste) return labRefused('the table', longestPaste, text.length);
    labPaste(Number(at[1]), Number(at[2]), text);
  });

  document.addEventListener('copy', e => {
    if (!byId('set-do') || !place(e.target)) return;
    e.preventDefault();
    window.labCopied = text => e.clipboardData.setData('text/plain', text);
    labCopy();
  });

  document.addEventListener('click', e => {
    if (!e.target.closest('.menu') && document.querySelector('.menu .list')) labCloseMenu();
  });

  // ---- charts and program

  // The row under the pointer marks its job in the charts.
  for (const name of ['pointerover', 'pointerout']) {
    document.addEventListener(name, e => {
      const job = e.target.closest?.('tr[data-job]')?.dataset.job;
      if (job) chart.hover(name === 'pointerover' ? Number(job) : null);
    });
  }

  window.labShowKeys = () => byId('lab-keys').showModal();

  // A worker that works answers between two steps. When it was spoken to, or has
  // spoken, it is asked for a sign of life; several seconds without one are too long.
  const patience = 5;
  // Seconds since it was asked, -1: it was not.
  let main = null, talk = false, silent = -1;
  const post = (w, ...message) => Worker.prototype.postMessage.apply(w, message);
  setInterval(() => {
    if (!main || document.hidden) return;
    if (silent >= 0) {
      if (++silent === patience) labHung(true);
    } else if (talk) {
      [talk, silent] = [false, 0];
      post(main, { kind: 'ping', id: 2 ** 31, head: '', bufs: [] });
    }
  }, 1000);

  function heard(m) {
    if (silent >= patience) labHung(false);
    if (m.kind === 'pong') silent = -1;
    else [talk, silent] = [true, Math.min(silent, 0)];
  }

  window.labSpawnWorker = (name, handle) => {
    const worker = labWorker(name, m => {
      if (worker === main) heard(m);
      // Views never pass through Go.
      if (!chart.take(m)) handle(m);
    });
    if (name !== 'main') return worker;
    [main, talk, silent] = [worker, false, -1];
    worker.postMessage = (...message) => {
      talk = true;
      return post(worker, ...message);
    };
    chart.send = m => worker.postMessage(m);
    return worker;
  };
})();
