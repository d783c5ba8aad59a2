// This module computes time windows, round durations and ticks. The program formats times as text.
const { ceil, floor, log2, max, min } = Math, DAY = 86400;
const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, DAY];

// decimal returns the smallest of 1, 2, 5, 10, 20 ... that is at least `least`.
export function decimal(least) {
  const unit = 10 ** floor(Math.log10(max(least, 1)));
  return unit * [1, 2, 5, 10].find(k => k * unit >= least);
}

// step returns the smallest round duration of at least `least` seconds. If times end before 1000 s,
// the duration is a round number of seconds; otherwise it is a round clock time, such as 15 min.
export const step = (least, end) => (end < 1000 ? decimal(least) : clock.find(s => s >= least) ?? DAY * decimal(least / DAY));

// programCache holds the results of functions of the program, by function and arguments. forgetTimes clears
// it, because times in new results may have another format.
const programCache = new Map();

export const forgetTimes = () => programCache.clear();

// cachedCall returns the result of a function of the program, converted by `read`. It calls the function only if
// the result is not in the cache.
function cachedCall(name, numbers = [], read = answer => answer) {
  const key = name + numbers;
  if (programCache.size > 1000) programCache.clear();
  if (!programCache.has(key)) programCache.set(key, read(globalThis[name](...numbers)));
  return programCache.get(key);
}

// instant returns a time as text: in seconds, in hours and days, or as a date.
export const instant = t => cachedCall('labInstant', [Math.round(t)]);

// duration returns a duration as text.
export const duration = seconds => cachedCall('labDuration', [Math.round(seconds)]);

// timesIn returns the unit of the times that instant and duration return, such as seconds.
export const timesIn = () => cachedCall('labTimesIn');

// axisName returns the name of the time axis. Only numbers need a unit.
export const axisName = () => (timesIn() === 'seconds' ? 'time, s' : 'time');

// ticks returns the ticks of a time axis with their labels.
export const ticks = (t0, t1, width) => cachedCall('labTicks', [ceil(t0), floor(t1), Math.round(width)], flat =>
  Array.from({ length: flat.length / 2 }, (_, i) => ({ at: flat[2 * i], label: flat[2 * i + 1] })));

// clamp limits a window to the bounds and to at least one second.
export function clamp(t0, t1, { from, to }) {
  const span = min(max(t1 - t0, 1), to - from), start = min(max((t0 + t1 - span) / 2, from), to - span);
  return [start, start + span];
}

// bounds returns round times before and after a run.
export function bounds(from, to) {
  const by = step((to - from) * 64 / 800, to);
  return { from: floor(from / by) * by, to: ceil(to / by) * by };
}

// levelOf returns the resolution of a window in seconds per pixel, rounded down to a power of two.
const levelOf = (t0, t1, width) => 2 ** floor(log2((t1 - t0) / width));

// quantise returns the time window to request for a visible window. The requested window extends
// beyond the visible one by the width of the visible window on either side. Its resolution and
// limits are rounded, so that a slightly moved window leads to the same request.
export function quantise(t0, t1, width, run) {
  const level = levelOf(t0, t1, width), block = level * 2 ** ceil(log2(width)) / 4;
  const from = max(floor(floor((2 * t0 - t1) / block) * block), run.from);
  const to = max(min(ceil(ceil((2 * t1 - t0) / block) * block), run.to), from + 1);
  return { from, to, level, width, columns: ceil((to - from) / level) };
}

// covers reports whether an answer covers a window and an eighth of its width on either side.
export function covers(q, t0, t1, width, run) {
  const spare = (t1 - t0) / 8;
  return q.width === width && q.level === levelOf(t0, t1, width) &&
    q.from <= max(t0 - spare, run.from) && q.to >= min(t1 + spare, run.to);
}
