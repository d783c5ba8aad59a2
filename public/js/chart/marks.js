// This module draws the two layers of a chart. paint draws the lower layer: the pieces of a
// schedule, or the use of processors over time. marks draws the upper layer, which changes more
// often: cursor, selection, range, plan and edits.
import { BIN, CONTINUES, RESUMED, eachVisible, xOf } from './pieces.js';
import { fill, hatch, label, rect, stroke, within } from './paths.js';
import { gantt, grid } from './gantt.js';
import { AXIS, leftOut, series, usageAtCursor } from './series.js';
import { drawJobMarks } from './jobmarks.js';

const { max, min, round } = Math;

// paint draws the lower layer of a chart.
export function paint(ctx, scene) {
  (scene.lanes ? gantt : series)(ctx, scene);
  leftOut(ctx, scene);
}

// plan draws the reservations at a given time, hatched, over the actual schedule. If the player
// shows an event, plan also draws the running jobs, and the previous position of the job that the
// event moved.
function plan(ctx, scene, { pieces, labels }) {
  const { look } = scene;
  eachVisible(scene, pieces, (area, flags, job) => {
    const path = rect(...area), colour = look.jobs[scene.bucket(job)], moved = job === scene.job;
    if (!(flags & RESUMED)) {
      fill(ctx, look.paper, path, 0.82);
      if (flags & CONTINUES) fill(ctx, colour, path, 0.4);
      else within(ctx, path, () => stroke(ctx, colour, hatch(area, 7), 2.5));
      label(ctx, scene, labels[job], area, look.ink, look.paper);
    }
    stroke(ctx, moved ? look.accent : look.ink, path, moved ? 2.5 : 1.5, moved ? 1 : 0.6, moved && !(flags & RESUMED) ? [] : [4, 3]);
  });
}

// hideLater covers everything after the event that the player shows. It covers the whole chart if the
// lesson explains its schedule only in a later step.
function hideLater(ctx, scene, x) {
  const { look, width, fullHeight, lanes } = scene, later = lanes ? rect(x, 0, width, fullHeight) : rect(x, 1, width - x - 1, fullHeight - 2); // inside the frame of the chart
  fill(ctx, look.paper, later);
  if (lanes) within(ctx, later, () => grid(ctx, scene));
  if (lanes && !x) label(ctx, scene, scene.shown < 0 ? 'Later in this lesson' : '', [0, 0, width, fullHeight], look.ink, look.paper);
}

// markRange covers everything outside the time window in the overview. In other charts, it tints the range that
// is being measured.
function markRange(ctx, { brush, look, width, height }, from, to) {
  if (!brush) return fill(ctx, look.accent, rect(from, 0, to - from, height), 0.16);
  for (const side of [rect(0, 0, from, height), rect(to, 0, width - to, height)]) fill(ctx, look.paper, side, 0.72);
  stroke(ctx, look.label, rect(from + 0.5, 0.5, max(to - from, 3) - 1, height - 1), 1);
}

// outlines marks the selected job and the job under the pointer.
function outlines(ctx, scene, pieces) {
  const { look, selected, hover } = scene;
  eachVisible(scene, pieces, (area, flags, job) => {
    const chosen = job === selected;
    if ((chosen || job === hover) && !(flags & BIN)) stroke(ctx, chosen ? look.accent : look.ink, rect(...area), chosen ? 2.5 : 1.5);
  });
}

// marks draws the upper layer of a chart.
export function marks(ctx, scene) {
  const { width, fullHeight, look, pieces = [], cursor } = scene, x = t => round(xOf(scene, t));
  const covers = scene.play && (scene.lanes || scene.name), known = covers ? max(x(max(scene.shown, scene.t0)), 0) : width;
  if (covers) hideLater(ctx, scene, known);
  if (scene.plan) plan(ctx, scene, scene.plan);
  const range = scene.brush || scene.range;
  if (range) markRange(ctx, scene, ...range.map(x));
  if (cursor !== null) fill(ctx, look.accent, rect(min(x(cursor) - 1, width - 2), scene.axis ? AXIS - 4 : 0, 2, fullHeight));
  if (scene.name && cursor !== null && pieces.length && (scene.play?.last ?? true) && scene.shown >= cursor) usageAtCursor(ctx, scene, x(cursor));
  if (scene.lanes) within(ctx, rect(0, 0, known, fullHeight), () => [scene.joins ?? [], pieces].forEach(all => outlines(ctx, scene, all)));
  for (const [info, edit] of scene.jobs ?? []) drawJobMarks(ctx, scene, info, edit);
}
