// The charts: their canvases, the state they share (one window of time, one
// cursor, one selection) and what they ask of the worker.
'use strict';
(() => {
  const T = globalThis.labTime, D = globalThis.labDraw;
  const S = { run: null, t0: 0, t1: 50, bounds: { from: 0, to: 50 }, fitted: true, stale: false, plans: true,
    active: 0, selected: null, hover: null, at: null, cursor: null, range: null };
  const charts = new Set(), asked = new Map(), probe = document.createElement('canvas').getContext('2d');
  let lastID = 2 ** 30, frame = 0, told, saying, mode;

  const resultOf = c => Number(c.host.dataset.result ?? S.active);
  const fresh = (c, v) => v && S.run && v.generation === S.run.generation && v.result === resultOf(c);

  function readLook(el) {
    const style = getComputedStyle(el), property = name => style.getPropertyValue('--chart-' + name);
    const hex = colour => {
      probe.fillStyle = colour;
      return probe.fillStyle;
    };
    const look = { font: style.fontFamily, edge: matchMedia('(forced-colors: active)').matches ? 1 : 0.35 };
    for (const name of ['grid', 'label', 'ink', 'paper', 'accent', 'busy', 'queue', 'bin']) look[name] = hex(property(name));
    look.jobs = (mode?.palette ?? Array.from({ length: 12 }, (_, i) => property(`job-${i + 1}`))).map(hex);
    look.over = look.jobs.map(D.over);
    return look;
  }

  // ---- frames

  function place(c) {
    const { from, to } = S.bounds, [t0, t1] = c.kind === 'overview' ? [from, to] : [S.t0, S.t1];
    return { w: c.w, h: c.h, dpr: c.dpr, t0, t1, lanes: c.kind === 'gantt' && (S.run?.lanes ?? 8) };
  }

  function changed(all = true) {
    for (const c of charts) c.dirty ||= all;
    frame ||= requestAnimationFrame(draw);
  }

  function set(part) {
    Object.assign(S, part);
    changed(false);
  }

  function measure(c) {
    const { clientWidth: w, clientHeight: h } = c.surface, dpr = devicePixelRatio;
    if (c.w === w && c.h === h && c.dpr === dpr) return;
    Object.assign(c, { w, h, dpr, dirty: true });
    for (const ctx of [c.base, c.over]) {
      ctx.canvas.width = Math.round(w * dpr);
      ctx.canvas.height = Math.round(h * dpr);
      ctx.scale(dpr, dpr);
    }
  }

  // retell brings what does not depend on the window up to a run.
  function retell(c) {
    const { lanes } = c.run = S.run, h = Math.min(Math.max(lanes * 22, 88), 352);
    c.box.style.height = h + 'px';
    c.gutter.replaceChildren();
    for (let lane = 0; lane < lanes; lane += T.decimal(16 * lanes / h)) {
      const el = c.gutter.appendChild(document.createElement('span'));
      el.textContent = lane;
      el.style.bottom = `${Math.max((lane + 0.5) / lanes * h, 6)}px`;
    }
  }

  function draw() {
    frame = 0;
    for (const c of charts) {
      if (!c.host.isConnected) charts.delete(c);
      if (c.kind === 'gantt' && S.run && c.run !== S.run) retell(c);
      measure(c);
      if (!c.w) continue;
      request(c);
      c.box.classList.toggle('lab-stale', S.stale || !fresh(c, c.view));
      if (c.dirty) c.look = readLook(c.box);
      const { look } = c, plan = S.plans && fresh(c, c.plan) && c.plan.at === S.cursor && c.plan;
      const scene = { labels: {}, ...c.view, ...S, ...place(c), look, plan, axis: c.kind === 'strip', capacity: S.run?.capacity || S.run?.lanes,
        brush: c.kind === 'overview' && [S.t0, S.t1], bucket: mode?.of ?? (job => job % look.jobs.length) };
      if (c.dirty) D[scene.lanes ? 'gantt' : 'series'](c.base, scene);
      D.marks(c.over, scene);
      c.dirty = false;
    }
    if (told !== (told = `${S.t0} ${S.t1}`)) api.onWindow(S.t0, S.t1);
  }

  // ---- asking the worker: one question a chart at a time, the latest wins

  function ask(c, kind, head, got) {
    const key = kind + JSON.stringify(head);
    if (c.asked && kind !== 'event' || c.failed === key || !api.send || !S.run) return;
    c.asked = ++lastID;
    asked.set(lastID, { c, key, got });
    api.send({ kind, id: lastID, head: JSON.stringify({ generation: S.run.generation, result: resultOf(c), ...head }), bufs: [] });
  }

  function request(c) {
    const { t0, t1, lanes } = place(c), { run, cursor: at } = S;
    if (!run) return;
    if (!fresh(c, c.view) || !T.covers(c.view, t0, t1, c.w, run)) {
      const q = T.quantise(t0, t1, c.w, run), { from, to, columns } = q;
      ask(c, lanes ? 'view' : 'series', { from, to, columns, lane0: 0, lane1: run.lanes, rows: Math.round(c.h) }, (head, p) => {
        c.view = { ...head, ...q, p };
        c.arrived?.();
      });
    } else if (lanes && S.plans && at !== null && !(fresh(c, c.plan) && c.plan.at === at)) {
      ask(c, 'plan', { at, step: 0 }, (head, p) => { c.plan = { ...head, p, at }; });
    }
  }

  function forget() {
    asked.clear();
    for (const c of charts) c.asked = c.failed = 0;
  }

  // ---- what gestures and keys use

  function setWindow(t0, t1) {
    [S.t0, S.t1] = T.clamp(t0, t1, S.bounds);
    S.fitted = S.t1 - S.t0 === S.bounds.to - S.bounds.from;
    for (const c of charts) c.tip.hidden = true;
    changed();
  }
  const zoom = (t, factor) => setWindow(t - (t - S.t0) * factor, t + (S.t1 - t) * factor);
  const pan = part => setWindow(S.t0 + part * (S.t1 - S.t0), S.t1 + part * (S.t1 - S.t0));
  const reveal = (from, to = from + 1) => { if (to <= S.t0 || from >= S.t1) pan((from - S.t0) / (S.t1 - S.t0) - 0.3); };

  // describe is a piece in words.
  function describe({ view: { p, labels } }, i) {
    const [from, to, , , job, flags] = p.subarray(i, i + 6), when = `${T.moment(from)} to ${T.moment(to)}`;
    if (flags & D.BIN) return `${job} job${job === 1 ? '' : 's'} here, ${Math.round((flags >> 8) / 2.55)} % busy, ${when}`;
    let lanes = 0;
    for (let k = 0; k < p.length; k += 6) if (p[k + 4] === job && p[k] === from && !(p[k + 5] & D.BIN)) lanes += p[k + 3] - p[k + 2];
    const notes = ['', 'backfilled', 'resumed', 'unfinished', 'shared nodes'].filter((n, k) => n && flags >> k & 1);
    return [`job ${labels[job] ?? api.name(job)}: ${lanes} × ${T.moment(to - from)}${to - from < 1000 ? ' s' : ''}`, when, ...notes].join(', ');
  }

  // say speaks through the page's one live region.
  function say(text) {
    clearTimeout(saying);
    saying = setTimeout(() => { document.getElementById('lab-live').textContent = text; }, 150);
  }

  function tip({ tip: el, w, h }, text, x, y) {
    el.hidden = !text;
    el.textContent = text;
    const below = y + 16 + el.offsetHeight > h ? y - el.offsetHeight - 8 : y + 16;
    el.style.transform = `translate(${Math.max(0, Math.min(x + 12, w - el.offsetWidth))}px, ${below}px)`;
  }

  function fitJob(c, job) {
    const e = c.view && D.extent(c.view.p, job);
    if (e) setWindow(1.6 * e[0] - 0.6 * e[1], 1.6 * e[1] - 0.6 * e[0]);
    else api.fit();
  }

  function setCursor(t) {
    api.cursor(t = Math.round(Math.min(Math.max(t, S.bounds.from), S.bounds.to)));
    api.onCursor(t);
  }

  function choose(c, job, t) {
    S.active = resultOf(c);
    api.select(job);
    api.onSelect(job, t, S.active);
    changed();
  }

  // ---- what the owner uses

  const passOn = name => (...args) => globalThis[name]?.(...args);
  const gutters = { gantt: '', strip: '<span>busy</span><span>queue</span>', overview: '<span>run</span>' };
  const api = globalThis.labChart = {
    send: null, // (message): to the worker
    name: job => `number ${job + 1}`, // of jobs too narrow for the worker to name
    onSelect: passOn('labOnSelect'), onCursor: passOn('labOnCursor'), onWindow: passOn('labOnWindow'),

    // attach fills an empty host (or its id): gantt (data-result says whose), strip or overview.
    attach(host, kind) {
      if (typeof host === 'string') host = document.getElementById(host);
      if (!host || host.labChart) return;
      host.innerHTML = `<div class="lab-chart lab-${kind}"><div class="lab-gutter" aria-hidden="true">${gutters[kind]}</div>` +
        '<div class="lab-surface" aria-hidden="true"><canvas></canvas><canvas></canvas><div class="lab-tip" hidden></div></div></div>';
      const box = host.firstChild, [gutter, surface] = box.children, [base, over, tip] = surface.children;
      const c = host.labChart = { kind, host, box, gutter, surface, base: base.getContext('2d'), over: over.getContext('2d'), tip };
      globalThis.labGestures(kit, c);
      if (kind === 'gantt') globalThis.labKeys(kit, c);
      watch.observe(box);
      charts.add(c);
      changed();
    },

    results(run) {
      run = { ...run, to: Math.max(run.to, run.from + 1), lanes: Math.max(run.lanes, 1) };
      const bounds = T.bounds(run.from, run.to), { fitted } = S;
      Object.assign(S, { run, bounds, stale: false, hover: null, at: null, range: null, active: Math.min(S.active, run.results.length - 1) });
      forget();
      if (fitted) api.fit();
      else setWindow(S.t0, S.t1);
    },

    stale(stale) {
      forget();
      set({ stale });
    },

    // take tells whether a message was meant for the charts.
    take(m) {
      const q = asked.get(m.id);
      if (!q) return m.id > 2 ** 30;
      asked.delete(m.id);
      if (q.c.asked === m.id) q.c.asked = 0;
      const head = JSON.parse(m.head || '{}');
      if (head.generation === undefined) q.c.failed = q.key;
      else if (head.generation === S.run.generation) q.got(head, new Float64Array(m.bufs[0] ?? 0));
      changed();
      return true;
    },

    select: selected => set({ selected }),

    cursor(cursor) {
      if (cursor === S.cursor) return;
      if (cursor !== null) reveal(cursor);
      set({ cursor });
    },

    // colours takes 'job', or { of: job => place in palette, palette: [css colours] }.
    colours(by) {
      mode = by === 'job' ? null : by;
      changed();
    },

    plans: plans => set({ plans }),
    window: () => [S.t0, S.t1],
    setWindow,
    fit: () => setWindow(S.bounds.from, S.bounds.to),
  };
  globalThis.labChartCall = (method, json) => { api[method](...JSON.parse(json)); }; // Go passes no objects

  const kit = { S, T, D, api, place, set, ask, setWindow, zoom, pan, reveal, describe, say, tip, fitJob, setCursor, choose };
  const watch = new ResizeObserver(() => changed(false));
  new MutationObserver(changed).observe(document.documentElement, { attributes: true }); // the theme
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', changed);
})();
