// Time on the charts: ticks, words for moments, and which window to ask for.
'use strict';
(() => {
  const DAY = 86400;
  const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, DAY];

  // decimal is the smallest of 1, 2, 5, 10, 20 ... that is at least `least`.
  function decimal(least) {
    const unit = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return unit * [1, 2, 5, 10].find(k => k * unit >= least);
  }

  // ticks are at least 64 pixels apart and round in the unit that is read:
  // seconds below 1000, the clock above.
  function ticks(t0, t1, width) {
    const least = (t1 - t0) * 64 / width, at = [];
    const by = t1 < 1000 ? decimal(least) : clock.find(s => s >= least) ?? DAY * decimal(least / DAY);
    for (let t = Math.ceil(t0 / by) * by; t <= t1; t += by) at.push(t);
    return { by, at };
  }

  // moment is a point in time in words, as exact as ticks every `by` need it.
  function moment(t, by = 1, seconds = t < 1000) {
    t = Math.round(t);
    if (seconds) return String(t);
    const part = n => String(Math.floor(t / n) % 60).padStart(2, '0'), days = Math.floor(t / DAY);
    if (by >= DAY) return `${days} d`;
    return (days ? `${days}d ` : '') + `${Math.floor(t % DAY / 3600)}:${part(60)}` + (by < 60 ? ':' + part(1) : '');
  }

  // clamp keeps a window inside the bounds and at least a second long.
  function clamp(t0, t1, { from, to }) {
    const span = Math.min(Math.max(t1 - t0, 1), to - from);
    const start = Math.min(Math.max((t0 + t1 - span) / 2, from), to - span);
    return [start, start + span];
  }

  // bounds are the round moments around a run.
  function bounds(from, to) {
    const { by } = ticks(from, to, 800);
    return { from: Math.floor(from / by) * by, to: Math.ceil(to / by) * by };
  }

  const levelOf = (t0, t1, width) => 2 ** Math.floor(Math.log2((t1 - t0) / width));

  // quantise says what to ask for: a window more on either side, at a
  // resolution and an origin that are the same for most neighbouring windows.
  function quantise(t0, t1, width, run) {
    const level = levelOf(t0, t1, width), block = level * 2 ** Math.ceil(Math.log2(width)) / 4;
    const from = Math.max(Math.floor(Math.floor((2 * t0 - t1) / block) * block), run.from);
    const to = Math.max(Math.min(Math.ceil(Math.ceil((2 * t1 - t0) / block) * block), run.to), from + 1);
    return { from, to, level, width, columns: Math.ceil((to - from) / level) };
  }

  // spans tells whether q holds what there is of a run in a window.
  const spans = (q, t0, t1, run) => q.from <= Math.max(t0, run.from) && q.to >= Math.min(t1, run.to);

  // covers tells whether q still serves a window, an eighth of it to spare.
  const covers = (q, t0, t1, width, run) => q.width === width && q.level === levelOf(t0, t1, width) &&
    spans(q, t0 - (t1 - t0) / 8, t1 + (t1 - t0) / 8, run);

  globalThis.labTime = { decimal, ticks, moment, clamp, bounds, quantise, spans, covers };
})();
