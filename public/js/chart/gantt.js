// This module draws a schedule on a canvas, or as SVG on a sheet (picture/sheet.js). The scene contains
// all data, and nothing is stored between calls.
import { BIN, BACKFILLED, RESUMED, CONTINUES, AWAY, eachVisible, xOf } from './pieces.js';
import { Path, byKey, fill, hatch, label, line, rect, stroke, within } from './paths.js';
import { lateness } from './colours.js';
import { ticks } from './time.js';

const { max, min, round } = Math;

// FEW decides whether pieces get round corners and outlines: only if the worker's answer has fewer
// numbers than FEW, six for each piece. The pieces of a longer answer are too small for them.
const FEW = 12_000;

// grid draws lines at the ticks of the time axis and between lanes.
export function grid(ctx, scene) {
  const { width, height } = scene, path = new Path(), lane = height / scene.lanes;
  for (const { at } of ticks(scene.t0, scene.t1, width)) {
    const x = min(round(xOf(scene, at)) + 0.5, width - 0.5);
    line(path, x, 0, x, height);
  }
  for (let y = height - lane; lane >= 8 && y > 1; y -= lane) line(path, 0, round(y) - 0.5, width, round(y) - 0.5);
  stroke(ctx, scene.look.grid, path, 1);
}

// sliceTitle returns the name of a time slice. For a bin, it returns the number of its slices instead.
export const sliceTitle = (types, bin, n) => (bin ? n + ' slices' : types[n - 1] ?? 'overhead');

// slices shades the time slices behind the lanes. Below the lanes, it draws a labelled bar for each
// slice. Slices of longer jobs have higher bars.
function slices(ctx, scene) {
  const { look, height, fullHeight, types } = scene, [paths, pathOf] = byKey();
  eachVisible(scene, types && scene.bands || [], ([x, , width], bin, n) => {
    const view = bin ? 0 : n, high = 9 * view / types.length || 9, text = sliceTitle(types, bin, n);
    pathOf(view).rect(x, fullHeight - high, width, high);
    if (!bin) pathOf(view + 4).rect(x, 0, width, height);
    label(ctx, scene, bin || width > 48 ? text : text[0], [x, height, width, 14], look.ink);
  });
  for (const [k, path] of paths) fill(ctx, look.slices[k % 4], path, k > 3 ? 0.13 : 1);
}

// nodes draws lines between multi-core nodes, dotted lines between the cores of shared nodes, and
// hatched outages.
function nodes(ctx, scene) {
  const { look, width, height, run: { cores }, shares = [] } = scene;
  const lane = height / scene.lanes, node = lane * cores, by = max(lane, 6), edges = new Path(), dots = new Path();
  eachVisible(scene, shares, (area, flags, block) => {
    const [x, y, wide, high] = area;
    if (flags & AWAY) outage(ctx, scene, area, block);
    else for (let at = y + high - by; at > y; at -= by) line(dots, x, at, x + wide, at);
  });
  stroke(ctx, look.paper, dots, 2, 1, [4, 2]);
  stroke(ctx, look.ink, dots, 2, 1, [2, 4]);
  for (let y = height - node; cores > 1 && node >= 8 && y > 1; y -= node) line(edges, 0, round(y) - 0.5, width, round(y) - 0.5);
  stroke(ctx, look.paper, edges, 3);
  stroke(ctx, look.label, edges, 1);
}

// outage hatches the area of an outage and writes its label. `index` is the index of the outage.
function outage(ctx, scene, area, index) {
  within(ctx, rect(...area), () => stroke(ctx, scene.look.label, hatch(area, 9), 1));
  label(ctx, scene, scene.labels[index], area, scene.look.ink, scene.look.paper);
}

// preemptions connects the pieces of preempted jobs with lines.
function preemptions(ctx, scene) {
  const [paths, pathOf] = byKey();
  eachVisible(scene, scene.joins ?? [], ([x, y, width, height], _, job) => line(pathOf(scene.bucket(job)), x, y + height / 2, x + width, y + height / 2));
  for (const [colour, path] of paths) stroke(ctx, scene.look.jobs[colour], path, 1.5);
}

// binColourKey returns the key of the colour of a bin. The key is a negative number that combines the
// class of the bin with one of eight shades, which show how busy the bin is.
const binColourKey = (scene, flags, i) => -1 - (flags >> 13) - (scene.scale ? 8 + 8 * scene.classes[i / 3] : 0);

// pieceTexts returns the possible labels of piece i, the longest first. `late` is the result of lateness for it.
function pieceTexts(scene, job, i, late) {
  const id = scene.labels[job], rate = scene.paces?.[i / 2] ?? 1;
  if (late.length) return [id && `${id} ${late[0]}`, ...late];
  return [rate !== 1 && id && `${id} ×${rate.toFixed(2)}`, id];
}

// jobPieces draws all pieces, as one path for each colour. It returns their labels, which are
// drawn on top later.
function jobPieces(ctx, scene) {
  const { look, pieces = [] } = scene, few = pieces.length < FEW, labels = [], [paths, pathOf] = byKey();
  const outline = new Path(), cut = new Path();
  eachVisible(scene, pieces, (area, flags, job, i) => {
    const [x, y, width, height] = area, colour = flags & BIN ? binColourKey(scene, flags, i) : scene.bucket(job);
    if (few && colour >= 0 && width > 5 && height > 5) pathOf(colour).roundRect(...area, 2);
    else pathOf(colour).rect(...area);
    if (colour < 0 || width < 4 || height < 4) return;
    const late = lateness(scene, i);
    if (width >= 11) labels.push([pieceTexts(scene, job, i, late), area, look.over[colour], scene.paces?.length && look.jobs[colour]]);
    if (flags & BACKFILLED && height >= 8) outline.roundRect(x + 0.75, y + 0.75, width - 1.5, height - 1.5, 2);
    if (flags & RESUMED) line(cut, x + 1, y, x + 1, y + height);
    if (flags & CONTINUES) line(cut, x + width - 1, y, x + width - 1, y + height);
  });
  for (const [colour, path] of paths) {
    const k = -1 - colour;
    fill(ctx, look.jobs[colour < 0 ? (k >> 3) - 1 : colour] ?? look.bin, path, colour < 0 ? 0.2 + 0.1 * (k & 7) : 1);
    if (colour >= 0 && few) stroke(ctx, look.ink, path, 1, look.edge);
  }
  stroke(ctx, look.ink, outline, 1.5);
  stroke(ctx, look.ink, cut, 2, 1, [3, 2]);
  return labels;
}

// gantt draws the lower layer of the chart of a schedule.
export function gantt(ctx, scene) {
  slices(ctx, scene);
  grid(ctx, scene);
  preemptions(ctx, scene);
  const labels = jobPieces(ctx, scene);
  nodes(ctx, scene);
  for (const texts of labels) label(ctx, scene, ...texts);
}
