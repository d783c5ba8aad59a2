// The keyboard on a chart that has the focus, by the place of the keys.
'use strict';
globalThis.labKeys = (kit, c, edits) => {
  const { S, D, T, api } = kit;
  const pieces = () => c.view?.p ?? [];
  const isAt = (p, i) => (S.at ? p[i + 4] === S.at.job && p[i] === S.at.from : p[i + 4] === S.selected);

  // find is the place of the next job that fits, -1 if there is none.
  function find(p, i, by, fits) {
    while (i in p && (p[i + 5] & D.BIN || !fits(p, i))) i += 6 * by;
    return i in p ? i : -1;
  }
  const here = p => find(p, 0, 1, isAt);

  function go(p, i) {
    const text = kit.describe(c, i);
    kit.reveal(p[i], p[i + 1]);
    kit.set({ at: { job: p[i + 4], from: p[i] }, hover: p[i + 4] });
    kit.say(text);
    kit.tip(c, text, D.xOf(kit.place(c), Math.max(p[i], S.t0)), c.h * (1 - p[i + 2] / S.run.lanes) - 12);
  }

  // walk goes to the next stretch in time. Where the answer at hand ends it moves
  // the window, and goes on when the next answer is there.
  function walk(by) {
    const p = pieces(), now = here(p), { view = S.run } = c;
    const i = now < 0 ? find(p, by > 0 ? 0 : p.length - 6, by, (_, k) => p[k + 1] > S.t0 && p[k] < S.t1) : find(p, now, by, (_, k) => !isAt(p, k));
    if (i >= 0) return go(p, i);
    if (by > 0 ? view.to < S.run.to : view.from > S.run.from) {
      c.arrived = () => walk(by);
      return kit.pan(by);
    }
    kit.say(`No ${by > 0 ? 'later' : 'earlier'} job${p.at(-1) & D.BIN ? ' large enough; W zooms in' : ''}`);
  }

  // climb goes to the nearest lanes above or below, at the same time if it can.
  function climb(by) {
    const p = pieces(), now = here(p), mid = (p[now] + p[now + 1]) / 2;
    if (now < 0) return walk(1);
    let best = -1, least = Infinity;
    find(p, 0, 1, (_, i) => {
      const gap = by > 0 ? p[i + 2] - p[now + 3] : p[now + 2] - p[i + 3];
      const cost = Math.max(p[i] - mid, mid - p[i + 1], 0) * 1e6 + gap;
      if (gap >= 0 && cost < least) [best, least] = [i, cost];
    });
    if (best < 0) kit.say(`No job ${by > 0 ? 'above' : 'below'}`);
    else go(p, best);
  }

  function zoom(factor) {
    const t = S.at?.from ?? S.cursor;
    kit.zoom(t >= S.t0 && t <= S.t1 ? t : (S.t0 + S.t1) / 2, factor);
  }

  function event(step) {
    kit.ask(c, 'event', { at: S.cursor ?? Math.floor(S.t0), step }, head => {
      if (head.found) kit.setCursor(head.at);
      kit.say(head.found ? `Event ${head.number} of ${head.total} at ${T.moment(head.at)}. ${head.state ?? ''}` : 'No further event');
    });
  }

  function clear() {
    c.tip.hidden = true;
    kit.set({ range: null, at: null, hover: null, cursor: null });
    kit.choose(c, null, S.t0);
  }

  const closer = () => zoom(0.7), wider = () => zoom(1 / 0.7), pick = () => S.at && kit.choose(c, S.at.job, S.at.from);
  const actions = {
    KeyW: closer, Equal: closer, NumpadAdd: closer, KeyS: wider, Minus: wider, NumpadSubtract: wider, Digit0: api.fit, Numpad0: api.fit,
    KeyA: () => kit.pan(-0.15), KeyD: () => kit.pan(0.15), Home: () => kit.pan(-1e9), End: () => kit.pan(1e9),
    ArrowLeft: () => walk(-1), ArrowRight: () => walk(1), ArrowUp: () => climb(1), ArrowDown: () => climb(-1),
    KeyF: () => kit.fitJob(c, S.at?.job ?? S.selected), BracketLeft: () => event(-1), BracketRight: () => event(1), Escape: clear,
    // The player's, as [ and ] are while it is open: see page.js.
    Space() {},
    Enter: pick, NumpadEnter: pick,
  };
  const shifted = {
    ArrowRight: alt => edits.nudge(alt ? 'estimate' : 'runtime', 1), ArrowLeft: alt => edits.nudge(alt ? 'estimate' : 'runtime', -1),
    ArrowUp: () => edits.nudge('procs', 1), ArrowDown: () => edits.nudge('procs', -1),
  };
  Object.assign(actions, { Comma: () => edits.nudge('submit', -1), Period: () => edits.nudge('submit', 1) });
  const byKey = { '?': () => labShowKeys(), '/': () => document.getElementById('find')?.focus() };

  c.host.addEventListener('keydown', e => {
    const act = byKey[e.key] ?? (e.shiftKey && shifted[e.code] || actions[e.code]);
    if (!act || e.ctrlKey || e.altKey && !(e.shiftKey && shifted[e.code]) || e.metaKey) return;
    e.preventDefault();
    act(e.altKey);
  });
  c.host.addEventListener('blur', () => { c.tip.hidden = true; });
};
