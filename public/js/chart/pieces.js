// Pieces of a schedule, as package gantt encodes them in six numbers each: from, to, the
// lowest lane, the lane above the highest, job or count, flags + 256 x busy. And where
// they are in a scene.
const { max, min, round } = Math;

// Flags of a piece. A bin stands for pieces too small to be seen.
export const BIN = 1, BACKFILLED = 2, RESUMED = 4, CONTINUES = 8, AWAY = 32;

export const xOf = (scene, t) => (t - scene.t0) * scene.width / (scene.t1 - scene.t0);
export const timeOf = (scene, x) => scene.t0 + x * (scene.t1 - scene.t0) / scene.width;

// box returns the rectangle of a piece: edges on device pixels, a pixel of air to the
// next job, never less than a device pixel. Null: out of sight.
export function box(scene, pieces, i) {
  if (pieces[i + 1] <= scene.t0 || pieces[i] >= scene.t1) return null;
  const { width, height, ratio, lanes } = scene, snap = v => round(v * ratio) / ratio, yOf = lane => snap(height - lane * height / lanes);
  const x = snap(max(xOf(scene, pieces[i]), -9)), y = yOf(pieces[i + 3]);
  const size = v => max(v > 3 && !(pieces[i + 5] & BIN) ? v - 1 : v, 1 / ratio);
  return [x, y, size(snap(min(xOf(scene, pieces[i + 1]), width + 9)) - x), size(yOf(pieces[i + 2]) - y)];
}

// each does something for every piece in sight.
export function each(scene, pieces, act) {
  for (let i = 0; i < pieces.length; i += 6) {
    const area = box(scene, pieces, i);
    if (area) act(area, pieces[i + 5], pieces[i + 4], i);
  }
}

// hit returns the place of the piece at a moment and a lane, or -1; slivers are met
// from `slack` seconds away.
export function hit(pieces, t, lane, slack = 0) {
  let best = -1, least = slack;
  for (let i = 0; i < pieces.length; i += 6) {
    if (lane < pieces[i + 2] || lane >= pieces[i + 3]) continue;
    if (t >= pieces[i] && t < pieces[i + 1]) return i;
    const off = max(pieces[i] - t, t - pieces[i + 1]);
    if (off < least) [best, least] = [i, off];
  }
  return best;
}

// extent returns the first begin and last end of a job, and its lanes at a begin.
export function extent(pieces, job, begin) {
  let first = Infinity, last = 0, lanes = 0;
  for (let i = 0; i < pieces.length; i += 6) {
    if (pieces[i + 4] !== job || pieces[i + 5] & BIN) continue;
    first = min(first, pieces[i]);
    last = max(last, pieces[i + 1]);
    if (pieces[i] === begin) lanes += pieces[i + 3] - pieces[i + 2];
  }
  return last && [first, last, lanes];
}

// totals counts jobs and lane-seconds between two moments; `about`: by bins.
export function totals(pieces, t0, t1) {
  const jobs = new Set();
  let binned = 0, area = 0, about = '';
  for (let i = 0; i < pieces.length; i += 6) {
    const seconds = min(pieces[i + 1], t1) - max(pieces[i], t0), bin = pieces[i + 5] & BIN;
    if (seconds <= 0) continue;
    area += seconds * (pieces[i + 3] - pieces[i + 2]) * (bin ? (pieces[i + 5] >> 8) / 255 : 1);
    if (!bin) jobs.add(pieces[i + 4]);
    else [binned, about] = [binned + pieces[i + 4] * seconds / (pieces[i + 1] - pieces[i]), 'about '];
  }
  return { jobs: jobs.size + round(binned), area: round(area), about };
}
