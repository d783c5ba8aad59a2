// The charts: their canvases, the state they share (one window of time, one
// cursor, one selection) and what they ask of the worker.
'use strict';
(() => {
  const { floor, max, min, round } = Math, T = labTime, D = labDraw, C = labColour;
  const S = { run: { lanes: 8, from: 0, to: 50 }, t0: 0, t1: 50, bounds: { from: 0, to: 50 }, fitted: true, stale: false,
    selected: null, hover: null, at: null, cursor: null, range: null, play: null, plays: {}, colour: '', base: 0, jobs: new Map(), edit: null };
  const charts = new Set(), asked = new Map(), probe = document.createElement('canvas').getContext('2d');
  const moved = 'moved', LATE = 150;
  let lastID = 2 ** 30, frame = 0, look, told, saying, scaled, marked = null;

  const resultOf = c => Number(c.host.dataset.result || 0);
  const fresh = (c, v) => v && v.generation === S.run.generation && v.result === resultOf(c);
  // played is the event whose plan a chart shows: the last that it played at this
  // moment; without one the state after (-1) or before (-2) it, like that played.
  function played(c) {
    const { play, plays, cursor } = S, own = plays[resultOf(c)];
    if (!play || play.at !== cursor) return undefined;
    return own?.at === cursor ? own.event : play.last ? -1 : -2;
  }

  function readLook() {
    const style = getComputedStyle(document.body), property = name => style.getPropertyValue('--chart-' + name);
    const list = name => property(name).trim().split(/\s+/).map(colour => {
      probe.fillStyle = colour;
      return probe.fillStyle;
    });
    const found = { font: style.fontFamily, edge: Number(property('edge')), jobs: list('jobs'), slices: list('slices') };
    [found.hues, found.steps, found.sides] = [found.jobs, list('steps'), list('sides')];
    for (const name of ['grid', 'label', 'ink', 'paper', 'accent', 'busy', 'queue', 'bin']) [found[name]] = list(name);
    return found;
  }

  // ---- frames

  function place(c) {
    const { from, to } = S.bounds, whole = c.kind === 'overview';
    return { ...c, t0: whole ? from : S.t0, t1: whole ? to : S.t1, lanes: c.kind === 'gantt' && S.run.lanes };
  }

  function changed(all = true) {
    // It shows the whole, whatever the window.
    for (const c of charts) c.dirty ||= all && !(all === moved && c.kind === 'overview');
    frame ||= requestAnimationFrame(draw);
  }

  function set(part) {
    Object.assign(S, part);
    changed(false);
  }

  function measure(c) {
    const { clientWidth: w, clientHeight: tall } = c.surface, h = tall - c.foot, dpr = devicePixelRatio;
    if (c.w === w && c.h === h && c.tall === tall && c.dpr === dpr) return;
    Object.assign(c, { w, h, tall, dpr, dirty: true, sized: true });
    for (const { canvas } of c.layers) [canvas.width, canvas.height] = [round(w * dpr), round(tall * dpr)];
  }

  // retell fits a chart to the lanes of a run.
  function retell(c) {
    const { lanes, cores = 1 } = c.run = S.run, nodes = lanes / cores, h = min(max(lanes * 22, 88), 352);
    // Those that share the machine by time slices.
    c.types = c.run.results?.[resultOf(c)]?.slices;
    c.foot = c.types ? 24 : 0;
    c.note.hidden = !c.box.classList.toggle('lab-sliced', !!c.types);
    c.box.style.height = h + c.foot + 'px';
    c.gutter.replaceChildren();
    for (let n = 0; n < nodes; n += T.decimal(16 * nodes / h)) {
      const el = c.gutter.appendChild(document.createElement('span'));
      el.textContent = cores > 1 && (nodes < 10 || !n) ? 'node ' + n : n;
      el.style.bottom = `${c.foot + max((n + 0.5) / nodes * h, 6)}px`;
    }
  }

  const bare = s => !s.plan && !s.brush && !s.range && s.cursor === null && s.hover === null && s.selected === null;

  // known is the jobs pointed at, as the program tells of them, with what is being
  // done to one of them in a chart; it is asked for those it has not told.
  function known(c) {
    const { hover, at, selected, edit, jobs, play } = S, all = new Set([hover, at?.job, selected].filter(job => job >= 0 && job !== null));
    return [...all].filter(job => jobs.get(job) && c.kind === 'gantt' && !play).map(job => [jobs.get(job), edit?.chart === c && edit.job === job && edit]);
  }

  // learn has the program tell of the jobs pointed at, and marks their rows in tables.
  function learn() {
    if (marked !== (marked = S.hover)) {
      for (const row of document.querySelectorAll('tr[data-job]')) row.classList.toggle('lab-hovered', row.dataset.job === String(marked));
    }
    for (const job of [S.hover, S.at?.job, S.selected]) {
      if (job === null || job === undefined || S.jobs.has(job) || S.stale) continue;
      S.jobs.set(job, null);
      window.labOnJob?.(job);
    }
  }

  // fade dims a chart that has been of another scenario for longer than one looks.
  function fade(c) {
    const now = performance.now();
    c.stale = S.stale || !fresh(c, c.view);
    if (c.stale && !c.since) setTimeout(changed, LATE, false);
    c.since = c.stale && (c.since || now);
    c.box.classList.toggle('lab-stale', c.stale && now - c.since >= LATE);
  }

  // aside tells whether another schedule is played.
  const aside = c => !!S.play && c.kind === 'gantt' && S.play.result !== resultOf(c);

  // scene is all there is to draw of a chart.
  const scene = (c, look) => ({ labels: {}, ...c.view, ...S, ...place(c), ...C.paint(look, c.view), capacity: S.run.capacity || S.run.lanes, ...c.host.dataset,
    axis: c.kind === 'strip', brush: c.kind === 'overview' && [S.t0, S.t1],
    jobs: known(c), job: aside(c) ? null : S.play?.job, plan: fresh(c, c.plan) && (S.play || c.plan.at === S.cursor) && c.plan });

  function draw() {
    frame = 0;
    learn();
    for (const c of charts) {
      if (!c.host.isConnected) charts.delete(c);
      if (c.kind === 'gantt' && c.run !== S.run) retell(c);
      measure(c);
      if (!c.w) continue;
      request(c);
      fade(c);
      // The picture of other results is on its way; until then the old one stands.
      const held = c.stale && !S.stale && c.asked && !c.sized && c.view;
      c.box.classList.toggle('lab-aside', aside(c));
      c.look = look ??= readLook();
      const now = scene(c, look);
      c.layers.forEach((ctx, i) => {
        // A canvas costs time even if nothing is on it.
        if (i ? c.blank && bare(now) : !c.dirty || held) return;
        if (i) c.blank = bare(now);
        ctx.setTransform(c.dpr, 0, 0, c.dpr, 0, 0);
        ctx.clearRect(0, 0, c.w, c.tall);
        D[i ? 'marks' : 'paint'](ctx, now);
      });
      c.dirty = held;
      c.sized = false;
      const turn = now.plan?.turn ?? '';
      if (c.note.textContent !== turn) c.note.textContent = turn;
    }
    if (told !== (told = `${S.t0} ${S.t1}`)) window.labOnWindow?.(S.t0, S.t1);
  }

  // ---- asking the worker: one question a chart at a time, the latest wins

  function ask(c, kind, head, got) {
    const key = kind + JSON.stringify(head), { generation } = S.run;
    if (c.asked && kind !== 'event' || c.failed === key || !api.send || generation === undefined) return;
    c.asked = ++lastID;
    asked.set(lastID, { c, key, got });
    api.send({ kind, id: lastID, head: JSON.stringify({ generation, result: resultOf(c), ...head }), bufs: [] });
  }

  const painted = v => (v.colour ?? '') === S.colour && (v.base ?? 0) === S.base;

  function request(c) {
    const { t0, t1, w, h, lanes } = place(c), { run, cursor: at, colour, base } = S;
    if (!fresh(c, c.view) || !T.covers(c.view, t0, t1, w, run) || lanes && !painted(c.view)) {
      const q = T.quantise(t0, t1, w, run), { from, to, columns } = q;
      const resource = c.host.dataset.resource && Number(c.host.dataset.resource);
      ask(c, lanes ? 'view' : 'series', { from, to, columns, lane0: 0, lane1: run.lanes, rows: h, resource, ...lanes && { colour, base } }, (head, p, joins, bands, shares, paces, classes) => {
        const { arrived } = c;
        Object.assign(c, { view: { ...head, ...q, p, joins, bands, shares, paces, classes, of: C.classesOf(p, classes) }, arrived: null });
        if (lanes && scaled !== (scaled = JSON.stringify(head.scale ?? null))) window.labOnScale?.(scaled);
        arrived?.();
      });
    } else if (lanes && at !== null && !(fresh(c, c.plan) && c.plan.at === at && c.plan.event === played(c))) {
      const q = { at, event: played(c) };
      ask(c, 'plan', q, (head, p) => { c.plan = { ...head, p, ...q }; });
    }
  }

  function forget() {
    asked.clear();
    for (const c of charts) c.asked = c.failed = 0;
  }

  // demand asks at once, not with the next frame, for what charts of the same form lack.
  function demand() {
    for (const c of charts) if (c.w && (!c.run || c.run.lanes === S.run.lanes)) request(c);
  }

  // bound sets how far the charts reach.
  function bound() {
    S.bounds = T.bounds(S.run.from, S.play && S.run.planned || S.run.to);
    if (S.fitted) api.fit();
    else setWindow(S.t0, S.t1);
  }

  // ---- what gestures and keys use

  function setWindow(t0, t1) {
    [S.t0, S.t1] = T.clamp(t0, t1, S.bounds);
    S.fitted = S.t1 - S.t0 === S.bounds.to - S.bounds.from;
    for (const c of charts) c.tip.hidden = true;
    changed(moved);
  }
  const zoom = (t, factor) => setWindow(t - (t - S.t0) * factor, t + (S.t1 - t) * factor);
  const pan = part => setWindow(S.t0 + part * (S.t1 - S.t0), S.t1 + part * (S.t1 - S.t0));
  const reveal = (from, to = from + 1) => { if (to <= S.t0 || from >= S.t1) pan((from - S.t0) / (S.t1 - S.t0) - 0.3); };

  // describe is a piece in words.
  function describe({ view }, i) {
    const { p, labels, paces } = view;
    const [from, to, , , job, flags] = p.subarray(i, i + 6), when = `${T.moment(from)} to ${T.moment(to)}`;
    if (flags & D.BIN) return `${job} job${job === 1 ? '' : 's'} here, ${round((flags >> 8) / 2.55)} % busy, ${[C.tell(view, i, true), when].filter(n => n).join(', ')}`;
    const time = T.moment(to - from) + (to - from < 1000 ? ' s' : ''), [, , lanes] = D.extent(p, job, from);
    const notes = ['', 'backfilled', 'resumed', 'unfinished'].filter((n, k) => flags >> k & 1);
    const [rate = 1, beside, others] = paces.subarray(i / 2), who = j => labels[j] ?? api.name(j);
    const pace = [rate !== 1 && `at ${rate.toFixed(2)} of its speed`, others < 0 && 'on average', others > 0 && 'beside ' + who(beside), others > 1 && `and ${others - 1} more`];
    if (flags > 255) notes.unshift(`piece ${floor(flags / 256) % 2 ** 22} of ${floor(flags / 2 ** 30)}`);
    return [`job ${who(job)}: ${lanes} × ${time}`, when, C.tell(view, i), ...notes, pace.filter(n => n).join(' ')].filter(n => n).join(', ');
  }

  // slice is the time slice at a moment in words.
  function slice({ view: { bands }, types }, t) {
    const i = D.hit(bands, t, 0), [from, to, , , n, bin] = bands.subarray(i, i + 6);
    return i < 0 ? '' : `${D.title(types, bin, n)}: ${T.moment(from)} to ${T.moment(to)}`;
  }

  function say(text) {
    clearTimeout(saying);
    saying = setTimeout(() => { document.getElementById('lab-live').textContent = D.visible(text); }, 150);
  }

  function tip({ tip: el, w, h }, text, x, y) {
    el.hidden = !text;
    el.textContent = D.visible(text);
    el.style.transform = `translate(calc(${x}px - ${100 * x / w}%), ${y > h / 2 ? y - 36 : y + 16}px)`;
  }

  function fitJob(c, job) {
    const e = c.view && D.extent(c.view.p, job);
    if (e) setWindow(1.6 * e[0] - 0.6 * e[1], 1.6 * e[1] - 0.6 * e[0]);
    else api.fit();
  }

  function setCursor(t) {
    api.cursor(t = round(min(max(t, S.bounds.from), S.bounds.to)));
    window.labOnCursor?.(t);
  }

  function choose(c, job, t) {
    api.select(job);
    window.labOnSelect?.(job, floor(t), resultOf(c));
  }

  // ---- what the owner uses

  const watch = new ResizeObserver(() => changed(false));
  const api = window.labChart = {
    // (message): to the worker.
    send: null,
    // Of jobs too narrow for the worker to name.
    name: job => `number ${job + 1}`,

    // attach fills an empty host: gantt (data-result says whose), use (of data-resource), strip or overview.
    attach(host, kind) {
      if (host.labChart) return;
      host.innerHTML = `<div class="lab-chart lab-${kind}" aria-hidden="true"><div class="lab-gutter"></div><div class="lab-surface"><canvas></canvas><canvas></canvas><div class="lab-tip" hidden></div></div></div><p class="lab-note" hidden></p>`;
      const [box, note] = host.children, [gutter, surface] = box.children, [base, over, tip] = surface.children;
      const c = host.labChart = { kind, host, box, note, gutter, surface, tip, foot: 0, layers: [base, over].map(el => el.getContext('2d')) };
      const edits = labDrag(kit, c);
      labGestures(kit, c, edits);
      if (kind === 'gantt') labKeys(kit, c, edits);
      watch.observe(box);
      charts.add(c);
      changed();
    },

    results(run) {
      Object.assign(S, { run: { ...run, to: max(run.to, run.from + 1), lanes: max(run.lanes, 1) }, stale: false, hover: null, at: null, range: null, plays: {}, jobs: new Map(), edit: null });
      forget();
      bound();
      demand();
    },

    stale(stale) {
      forget();
      set({ stale });
    },

    // take tells whether a message was for the charts.
    take(m) {
      const q = asked.get(m.id);
      if (!q) return m.id > 2 ** 30;
      asked.delete(m.id);
      if (q.c.asked === m.id) q.c.asked = 0;
      const head = JSON.parse(m.head || '{}');
      if (head.generation === undefined) q.c.failed = q.key;
      else if (head.generation === S.run.generation) q.got(head, ...[0, 1, 2, 3, 4, 5].map(i => new Float64Array(m.bufs[i] ?? 0)));
      changed();
      return true;
    },

    cursor(cursor) {
      if (cursor === S.cursor) return;
      if (cursor !== null) reveal(cursor);
      set({ cursor });
    },

    // play shows an event of a result: its plan in the place of what came later.
    play(play) {
      const turned = !play !== !S.play;
      set({ play, plays: play ? { ...S.plays, [play.result]: play } : {} });
      // Plans reach further than what came to be.
      if (turned) bound();
      if (play) {
        api.cursor(play.at);
        demand();
      }
    },

    // colour has the jobs coloured by a kind of classes, '' by themselves.
    colour: (colour, base) => set({ colour, base }),

    // job tells of one, for those who edit it in a chart.
    job: info => set({ jobs: new Map(S.jobs).set(info.job, info) }),

    hover: hover => set({ hover }),
    select: selected => set({ selected }),
    say,
    // wipe forgets what was said and the scale that was told: they may hold names.
    wipe() {
      scaled = undefined;
      say('');
    },

    // reveal brings a stretch into sight: neither too small nor too large to be seen.
    reveal(from, to) {
      const long = to - from, part = long / (S.t1 - S.t0), room = part < 0.005 ? 40 * long : long;
      if (part < 0.005 || part > 0.6) setWindow(from - room, to + room);
      else reveal(from, to);
    },
    window: () => [S.t0, S.t1],
    // For pictures that are kept: with the colours that hold now.
    scene: c => scene(c, readLook()),
    selected: () => S.selected,
    known: () => [...S.jobs.values()].filter(j => j),
    // For Go.
    view: () => [S.fitted ? -1 : max(floor(S.t0), 0), Math.ceil(S.t1), S.cursor ?? -1].join(' '),
    setWindow,
    // The results to come are seen whole, whatever is seen of these.
    whole: () => { S.fitted = true; },
    fit: () => setWindow(S.bounds.from, S.bounds.to),
  };
  // Go passes no objects.
  window.labChartCall = (method, json) => api[method](...JSON.parse(json));

  const kit = { S, T, D, api, place, set, ask, setWindow, zoom, pan, reveal, describe, slice, say, tip, fitJob, setCursor, choose };
  // The theme.
  const repaint = () => {
    look = undefined;
    changed();
  };
  new MutationObserver(repaint).observe(document.documentElement, { attributes: true });
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', repaint);
})();
