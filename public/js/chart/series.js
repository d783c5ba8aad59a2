// This module draws the use of processors and resources over time.
import { fill, label, Path, rect, stroke, write } from './paths.js';
import { ticks } from './time.js';
import { xOf } from './pieces.js';

const { max, min } = Math;

// AXIS is the height of the time labels above the strip (the chart below the schedules), in pixels.
export const AXIS = 20;

// series draws the busy processors and, in the strip with an axis, the waiting jobs.
export function series(ctx, scene) {
  const { width, height, pieces = [], look } = scene, plotHeight = height - 2 - (scene.axis ? AXIS : 0), step = (scene.to - scene.from) * 2 / pieces.length;
  const busy = new Path(), queue = new Path(), maxWaiting = pieces.reduce((m, v, i) => (i % 2 ? max(m, v) : m), 1);
  for (let i = 0, from = 0; i < pieces.length; i += 2) {
    if (pieces[i] === pieces[i + 2] && pieces[i + 1] === pieces[i + 3]) continue;
    const [x0, x1] = [from, from = i + 2].map(k => min(max(xOf(scene, scene.from + k / 2 * step), 0), width));
    if (x0 === x1) continue;
    const full = plotHeight * min(pieces[i] / scene.capacity, 1), y = height - 1 - 0.66 * plotHeight * pieces[i + 1] / maxWaiting;
    busy.rect(x0, height - full, x1 - x0 + 0.4, full);
    queue.lineTo(x0, y);
    queue.lineTo(x1, y);
  }
  fill(ctx, look.busy, busy);
  if (!scene.axis) return;
  stroke(ctx, look.queue, queue, 1.5);
  axis(ctx, scene);
}

// axis writes the labels of the time axis.
export function axis(ctx, scene) {
  for (const { at, label: text } of ticks(scene.t0, scene.t1, scene.width)) {
    const half = text.length * 3.5;
    write(ctx, text, min(max(xOf(scene, at), half), scene.width - half), 8, `11px ${scene.look.font}`, scene.look.label);
  }
}

// usage describes in words how much of a resource is in use at a time.
export function usage({ pieces, from, to, name, capacity }, t) {
  const used = pieces[2 * Math.floor((t - from) / (to - from) * pieces.length / 2)] ?? 0;
  return `${name} ${Number(used.toFixed(2))} of ${capacity}`;
}

// usageAtCursor writes the usage next to the cursor.
export function usageAtCursor(ctx, scene, x) {
  const text = usage(scene, scene.cursor), width = text.length * 7 + 8;
  label(ctx, scene, text, [max(min(x + 4, scene.width - width), 0), 0, width, scene.height], scene.look.ink, scene.look.paper);
}

// leftOut marks the ranges of submit times whose jobs the metrics ignore.
export function leftOut(ctx, scene) {
  for (const [from, to] of scene.run.left ?? []) {
    const x = xOf(scene, from);
    fill(ctx, scene.look.label, rect(x, 0, max(xOf(scene, to) - x, 2), scene.height), 0.25);
  }
}
