// This module computes the positions of the pieces of a schedule in a scene. Package gantt encodes
// each piece in six numbers: start, end, lowest lane, lane above the highest one, job (for a bin
// the number of jobs), and flags. For a bin, the flags also contain a number from 0 to 255, times
// 256, that says how busy the bin is.
const { max, min, round } = Math;

// These are the flags of a piece. A bin stands for several pieces that are too small to see.
export const BIN = 1, BACKFILLED = 2, RESUMED = 4, CONTINUES = 8, AWAY = 32;

// xOf returns the horizontal position of a time in a scene, and timeOf the time at a position.
export const xOf = (scene, t) => (t - scene.t0) * scene.width / (scene.t1 - scene.t0);
export const timeOf = (scene, x) => scene.t0 + x * (scene.t1 - scene.t0) / scene.width;

// boxOf returns the rectangle of piece i as x, y, width and height, or null if it is not visible. Its edges
// lie on device pixels. It is at least one device pixel wide and, if it is large enough, leaves one pixel free
// before the next job.
export function boxOf(scene, pieces, i) {
  if (pieces[i + 1] <= scene.t0 || pieces[i] >= scene.t1) return null;
  const { width, height, ratio, lanes } = scene, snap = v => round(v * ratio) / ratio, yOf = lane => snap(height - lane * height / lanes);
  const x = snap(max(xOf(scene, pieces[i]), -9)), y = yOf(pieces[i + 3]);
  const size = v => max(v > 3 && !(pieces[i + 5] & BIN) ? v - 1 : v, 1 / ratio);
  return [x, y, size(snap(min(xOf(scene, pieces[i + 1]), width + 9)) - x), size(yOf(pieces[i + 2]) - y)];
}

// eachVisible calls a function for every visible piece, with its rectangle, flags, job and index.
export function eachVisible(scene, pieces, act) {
  for (let i = 0; i < pieces.length; i += 6) {
    const area = boxOf(scene, pieces, i);
    if (area) act(area, pieces[i + 5], pieces[i + 4], i);
  }
}

// pieceAt returns the index of the piece at a time and a lane, or -1 if there is none. It accepts pieces less
// than `slack` seconds away, so that the pointer can hit narrow ones.
export function pieceAt(pieces, t, lane, slack = 0) {
  let best = -1, least = slack;
  for (let i = 0; i < pieces.length; i += 6) {
    if (lane < pieces[i + 2] || lane >= pieces[i + 3]) continue;
    if (t >= pieces[i] && t < pieces[i + 1]) return i;
    const off = max(pieces[i] - t, t - pieces[i + 1]);
    if (off < least) [best, least] = [i, off];
  }
  return best;
}

// extentOf returns the first start and the last end of a job among the pieces, and the number of lanes of the
// job's pieces that start at `begin`. It returns 0 if the job has no piece.
export function extentOf(pieces, job, begin) {
  let first = Infinity, last = 0, lanes = 0;
  for (let i = 0; i < pieces.length; i += 6) {
    if (pieces[i + 4] !== job || pieces[i + 5] & BIN) continue;
    first = min(first, pieces[i]);
    last = max(last, pieces[i + 1]);
    if (pieces[i] === begin) lanes += pieces[i + 3] - pieces[i + 2];
  }
  return last && [first, last, lanes];
}

// totals returns how many jobs and how many lane-seconds (`area`) the pieces show between two times. `about`
// is 'about ' if some pieces are bins, because the numbers are then approximate; otherwise it is ''.
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
