// Time on the charts: ticks, times in words, and which window to request.
const { ceil, floor, log2, max, min } = Math, DAY = 86400;
const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, DAY];

// decimal returns the smallest of 1, 2, 5, 10, 20 ... that is at least `least`.
export function decimal(least) {
  const unit = 10 ** floor(Math.log10(max(least, 1)));
  return unit * [1, 2, 5, 10].find(k => k * unit >= least);
}

// step returns the smallest round duration of at least `least`: round in seconds below
// 1000, round on the clock above.
export const step = (least, end) => (end < 1000 ? decimal(least) : clock.find(s => s >= least) ?? DAY * decimal(least / DAY));

// ticks returns the ticks of a time axis, at least 64 pixels apart.
export function ticks(t0, t1, width) {
  const by = step((t1 - t0) * 64 / width, t1), at = [];
  for (let t = ceil(t0 / by) * by; t <= t1; t += by) at.push(t);
  return { by, at };
}

// moment returns a time in words, as precise as ticks at intervals of `by` require.
export function moment(t, by = 1, seconds = t < 1000) {
  t = Math.round(t);
  if (seconds) return String(t);
  const two = n => String(floor(t / n) % 60).padStart(2, '0'), days = floor(t / DAY);
  if (by >= DAY) return `${days} d`;
  return `${days ? days + 'd ' : ''}${floor(t % DAY / 3600)}:${two(60)}${by < 60 ? ':' + two(1) : ''}`;
}

// clamp limits a window to the bounds and to at least one second.
export function clamp(t0, t1, { from, to }) {
  const span = min(max(t1 - t0, 1), to - from), start = min(max((t0 + t1 - span) / 2, from), to - span);
  return [start, start + span];
}

// bounds returns the round times around a run.
export function bounds(from, to) {
  const { by } = ticks(from, to, 800);
  return { from: floor(from / by) * by, to: ceil(to / by) * by };
}

const levelOf = (t0, t1, width) => 2 ** floor(log2((t1 - t0) / width));

// quantise returns the window to request: one more window width on either side, with a
// resolution and origin that most neighbouring windows share.
export function quantise(t0, t1, width, run) {
  const level = levelOf(t0, t1, width), block = level * 2 ** ceil(log2(width)) / 4;
  const from = max(floor(floor((2 * t0 - t1) / block) * block), run.from);
  const to = max(min(ceil(ceil((2 * t1 - t0) / block) * block), run.to), from + 1);
  return { from, to, level, width, columns: ceil((to - from) / level) };
}

// covers reports whether an answer covers a window with a margin of an eighth.
export function covers(q, t0, t1, width, run) {
  const spare = (t1 - t0) / 8;
  return q.width === width && q.level === levelOf(t0, t1, width) &&
    q.from <= max(t0 - spare, run.from) && q.to >= min(t1 + spare, run.to);
}
