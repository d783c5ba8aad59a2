// This module draws the marks of a single job in a chart: its wait, its estimate, and the grips for
// editing it. During an edit, the marks show the new values.
import { BIN, boxOf, extentOf, xOf } from './pieces.js';
import { Path, fill, line, stroke } from './paths.js';

const { abs, max } = Math;

// piecesAt returns the pieces of a job that begin (edge 0) or end (edge 1) at a time.
function piecesAt({ pieces = [] }, job, edge, at) {
  const all = [];
  for (let i = 0; i < pieces.length; i += 6) {
    if (pieces[i + 4] === job && !(pieces[i + 5] & BIN) && pieces[i + edge] === at) all.push(pieces.subarray(i, i + 6));
  }
  return all;
}

// boxes returns the rectangles of the given pieces. It omits pieces that are not visible.
const boxes = (scene, all) => all.map(piece => boxOf(scene, piece, 0)).filter(area => area);

// positionsOf returns the times and positions that determine the marks of a job, or null if the job
// has no pieces.
function positionsOf(scene, info) {
  const found = extentOf(scene.pieces ?? [], info.job);
  if (!found) return null;
  const [from, to] = found, tops = piecesAt(scene, info.job, 1, to), [first] = boxes(scene, piecesAt(scene, info.job, 0, from));
  return { from, to, tops, boxes: boxes(scene, tops), late: xOf(scene, to + info.estimate - info.ran), submit: xOf(scene, info.submit), middle: first && first[1] + first[3] / 2 };
}

// grip returns a grip at most `slop` pixels away from a point, or null if there is none. A job that
// is not selected has fewer grips, so that a person can still drag the chart itself.
export function grip(scene, info, x, y, slop, selected) {
  const at = positionsOf(scene, info), near = (v, edge) => abs(v - edge) <= slop;
  if (!at) return null;
  for (const [left, top, width, height] of at.boxes) {
    const inside = y >= top - slop && y <= top + height + slop, right = left + width;
    if (inside && near(x, right) && width >= (selected ? 8 : 24)) return { field: 'runtime', ...at };
    if (selected && inside && near(x, at.late) && at.late - right > 8) return { field: 'estimate', ...at };
    if (x < left || x > right || height < (selected ? 12 : 16)) continue;
    if (near(y, top)) return { field: 'procs', side: 1, ...at };
    if (near(y, top + height)) return { field: 'procs', side: -1, ...at };
  }
  const submit = selected && at.middle && near(x, at.submit) && abs(y - at.middle) <= slop + 6;
  return submit ? { field: 'submit', ...at } : null;
}

// addWait adds the line from submission to start to the path `wait`, and its grip to `grips`.
function addWait(scene, at, submit, wait, grips) {
  const x = xOf(scene, submit), start = xOf(scene, at.from);
  if (!at.middle || start - x <= 6) return;
  line(wait, x, at.middle, start, at.middle);
  line(wait, x, at.middle - 6, x, at.middle + 6);
  grips.rect(x - 2, at.middle - 6, 4, 12);
}

// addPiece adds the shapes of a piece of a job to three paths: the piece itself to `ghost`, the rest of the estimate
// after the runtime to `late`, and the grips of both to `grips`. The piece is on the lanes from `low` to `high`, and
// the job has the values `now`.
function addPiece(scene, [from, low, high], at, info, now, { ghost, late, grips }) {
  const end = max(at.to + now.runtime - info.ran, from + 1);
  const area = boxOf(scene, [from, end, low, high, 0, 0], 0), rest = boxOf(scene, [end, at.to + now.estimate - info.ran, low, high, 0, 0], 0);
  if (area) ghost.rect(...area);
  if (rest && rest[2] > 2 && now.estimate > now.runtime) late.rect(...rest);
  if (area && area[2] >= 8 && area[3] >= 12) {
    const [x, y, width, height] = area;
    grips.rect(x + width - 2, y + height / 2 - 6, 4, 12);
    for (const edge of [y, y + height]) grips.rect(x + width / 2 - 6, edge - 2, 12, 4);
  }
  if (rest && rest[2] > 8) grips.rect(rest[0] + rest[2] - 2, rest[1] + rest[3] / 2 - 6, 4, 12);
}

// drawJobMarks draws the marks of a job over the pieces. If there is an edit, it uses the edited
// value.
export function drawJobMarks(ctx, scene, info, edit) {
  const at = positionsOf(scene, info), { accent, ink, paper } = scene.look;
  if (!at) return;
  const now = { ...info, ...edit && { [edit.field]: edit.value } }, colour = edit ? accent : ink, more = now.procs - info.had, upward = edit?.side > 0;
  const wait = new Path(), paths = { ghost: new Path(), late: new Path(), grips: new Path() };
  addWait(scene, at, now.submit, wait, paths.grips);
  at.tops.forEach(([from, , low, high], i) => {
    const by = i === (upward ? at.tops.length - 1 : 0) ? more : 0;
    addPiece(scene, upward ? [from, low, high + by] : [from, low - by, high], at, info, now, paths);
  });
  stroke(ctx, colour, wait, 1.5);
  stroke(ctx, colour, paths.late, 1, 0.8, [2, 3]);
  if (edit) {
    fill(ctx, accent, paths.ghost, 0.18);
    stroke(ctx, accent, paths.ghost, 2, 1, [6, 3]);
  }
  if (scene.selected !== info.job || scene.still) return;
  fill(ctx, paper, paths.grips);
  stroke(ctx, accent, paths.grips, 1.5);
}
