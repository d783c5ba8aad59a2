// Tests the charts without a browser: time windows, the piece at a point, and drawings, which are
// recorded as a log of canvas calls.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as colours from '../../public/js/chart/colours.js';
import * as pieces from '../../public/js/chart/pieces.js';
import * as series from '../../public/js/chart/series.js';
import * as time from '../../public/js/chart/time.js';
import './fixtures/plain-times.js';
import { gantt, sliceTitle } from '../../public/js/chart/gantt.js';
import { marks } from '../../public/js/chart/marks.js';
import { describe } from '../../public/js/chart/words.js';

const styles = new URL('../../public/css/chart.css', import.meta.url);
const round = v => (typeof v === 'number' ? Math.round(v * 100) / 100 : v);

// recorder returns a canvas context that logs its calls.
function recorder() {
  const log = [], path = [], record = (name, n) => (...args) => path.push(`${name} ${args.slice(0, n).map(round).join(' ')}`);
  const ctx = { log, globalAlpha: 1, beginPath() { path.length = 0; }, moveTo: record('from', 2), lineTo: record('to', 2), rect: record('rect', 4), roundRect: record('round', 5), setLineDash(d) { ctx.dash = d; }, save() {}, restore() {}, clip() {} };
  const logPath = (verb, style) => {
    if (path.length) log.push(`${verb} ${style}${ctx.globalAlpha === 1 ? '' : ' alpha ' + round(ctx.globalAlpha)}: ${path.join(', ')}`);
  };
  ctx.fill = () => logPath('fill', ctx.fillStyle);
  ctx.stroke = () => logPath(`stroke ${ctx.lineWidth}${ctx.dash?.length ? ' dashed' : ''}`, ctx.strokeStyle);
  ctx.fillText = (text, x, y) => log.push(`text ${text} at ${round(x)} ${round(y)} ${ctx.fillStyle}${ctx.globalAlpha === 1 ? '' : ' alpha ' + ctx.globalAlpha}`);
  return ctx;
}

const assertEqualJSON = (got, want) => assert.deepEqual(JSON.parse(JSON.stringify(got)), want);

test('windows stay inside the bounds and keep their length where possible', () => {
  assertEqualJSON(time.bounds(0, 48), { from: 0, to: 50 });
  assertEqualJSON(time.bounds(0, 1), { from: 0, to: 1 });
  assertEqualJSON(time.clamp(-10, 10, { from: 0, to: 50 }), [0, 20]);
  assertEqualJSON(time.clamp(45, 65, { from: 0, to: 50 }), [30, 50]);
  assertEqualJSON(time.clamp(-100, 300, { from: 0, to: 50 }), [0, 50]);
  assertEqualJSON(time.clamp(10, 10.1, { from: 0, to: 50 }), [9.55, 10.55]);
});

test('similar time windows give the same request, which covers all of them', () => {
  const run = { from: 0, to: 1e6 }, ask = (a, b) => time.quantise(a, b, 700, run);
  const first = ask(500000, 501000);
  assertEqualJSON(ask(500003, 501003), JSON.parse(JSON.stringify(first)));
  assert.equal(Math.log2(first.level) % 1, 0);
  assert.ok(first.level <= 1000 / 700 && first.columns * first.level >= first.to - first.from);
  for (let a = 0; a < 1e6 - 1000; a += 7777) {
    const q = ask(a, a + 1000);
    assert.ok(time.covers(q, a, a + 1000, 700, run), `${a} is not covered`);
    assert.ok(time.covers(q, a + 800, a + 1800, 700, run), `panning from ${a} sends a request too early`);
    assert.ok(q.to - q.from <= 4000 && Number.isInteger(q.from) && Number.isInteger(q.to));
  }
  assert.ok(!time.covers(first, 500000, 500400, 700, run), 'zooming in needs more detail');
  assert.ok(!time.covers(first, 505000, 506000, 700, run));
  assertEqualJSON(ask(0, 1e6), { from: 0, to: 1e6, level: 1024, width: 700, columns: 977 });
});

const rows = (...rows) => Float64Array.from(rows.flat());
const sample = rows(
  [0, 5, 0, 5, 0, 0], [5, 21, 7, 8, 5, 2], [5, 12, 5, 7, 3, 4], [21, 30, 0, 2, 8, 16], [21, 30, 4, 8, 8, 8],
  [30, 32, 0, 4, 37, 1 + 256 * 128], [5, 5.01, 0, 1, 2, 0]);

test('a hit is the piece at a time and a lane, with some slack for narrow pieces', () => {
  assert.equal(pieces.pieceAt(sample, 3, 2), 0);
  assert.equal(pieces.pieceAt(sample, 5, 7), 6);
  assert.equal(pieces.pieceAt(sample, 4, 7), -1);
  assert.equal(pieces.pieceAt(sample, 5.2, 0), -1);
  assert.equal(pieces.pieceAt(sample, 5.2, 0, 0.5), 36);
  assert.equal(pieces.pieceAt(sample, 31, 3), 30);
  assert.equal(pieces.pieceAt(new Float64Array(0), 1, 1), -1);
});

test('the extent of a job and the totals of a time range are correct', () => {
  assertEqualJSON(pieces.extentOf(sample, 8, 21), [21, 30, 6]);
  assert.ok(!pieces.extentOf(sample, 37), 'the count of a bin is not a job');
  assertEqualJSON(pieces.totals(sample, 0, 10), { jobs: 4, area: 25 + 5 + 10, about: '' });
  assertEqualJSON(pieces.totals(sample, 21, 40), { jobs: 38, area: 54 + 4, about: 'about ' });
});

test('text on a colour is black or white, whichever is more readable', () => {
  const css = readFileSync(styles, 'utf8');
  const linear = v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const luminance = hex => [0.2126, 0.7152, 0.0722].reduce((sum, k, i) => sum + k * linear(parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16) / 255), 0);
  const all = ['--chart-jobs: ([^;]+);', '--step-0: (.+)', '--side-0: (.+)'].flatMap(name => new RegExp(name).exec(css)[1].match(/#[0-9a-f]{6}/g));
  assert.equal(all.length, 12 + 7 + 7);
  for (const c of all) {
    const text = (luminance(c) + 0.05) / 0.05 > 1.05 / (luminance(c) + 0.05) ? '#000' : '#fff';
    assert.equal(colours.readableOn(c), text, c);
    assert.ok((text === '#000' ? (luminance(c) + 0.05) / 0.05 : 1.05 / (luminance(c) + 0.05)) >= 4.5, c);
  }
});

const look = { font: 'sans', grid: 'grid', label: 'label', ink: 'ink', paper: 'paper', accent: 'accent', busy: 'busy', queue: 'queue', bin: 'bin',
  edge: 0.5, jobs: ['red', 'blue'], over: ['black', 'white'] };
const scene = more => ({ width: 400, height: 80, ratio: 1, t0: 0, t1: 40, lanes: 8, pieces: sample, labels: { 0: '1', 5: '6', 8: '9' }, look,
  bucket: job => job % 2, fullHeight: 80, selected: null, hover: null, cursor: null, range: null, capacity: 8, from: 0, to: 40, run: {}, ...more });

// colourView returns a colour scale of three classes for the sample. The third piece of the sample starts
// 5 s later than in the compared schedule.
const colourView = more => {
  const scale = { palette: 'sides', shades: [0, 1, 2], words: ['before', 'same', 'after'], tell: ['{} early', 'alike', '{} late', 'mean {}'], seconds: true, ...more };
  const classes = Float64Array.from({ length: sample.length / 3 }, (_, i) => (i % 2 ? [-7, 0, 5, 5][i >> 1] ?? NaN : i === 4 ? 2 : 1));
  return { scale, classes, of: colours.classesOf(sample, classes) };
};

test('classes colour jobs and bins', () => {
  const view = colourView(), painted = colours.withColours({ ...look, sides: ['#000001', '#000002', '#fffffe'], bin: '#333333' }, view);
  assertEqualJSON(painted.look.jobs, ['#000001', '#000002', '#fffffe', '#333333']);
  assertEqualJSON(painted.look.over, ['#fff', '#fff', '#000', '#fff']);
  assert.equal(painted.bucket(sample[4]), 1);
  assert.equal(painted.bucket(99), 3, 'a job that the answer does not contain');
  const ctx = recorder();
  gantt(ctx, scene({ ...view, ...painted }));
  const fills = ctx.log.filter(l => l.startsWith('fill')).map(l => l.split(':')[0]);
  assert.ok(fills.includes('fill #fffffe') && fills.includes('fill #000002'), fills.join('; '));
  assert.ok(fills.some(f => /^fill #00000[12] alpha 0\.\d$/.test(f)), 'a bin has the colour of its class');
  assert.ok(!fills.some(f => f.startsWith('fill bin')));
  assert.ok(ctx.log.some(l => /^text .*[+−][57]/.test(l)), ctx.log.join('\n'));
});

test('the classes and values of jobs are described in words', () => {
  const view = colourView();
  assert.equal(colours.classWords(view, 0), '7 s early');
  assert.equal(colours.classWords(view, 6), 'alike');
  assert.equal(colours.classWords(view, 12), '5 s late');
  assert.equal(colours.classWords(view, 12, true), 'mean after');
  assert.equal(colours.classWords(colourView({ named: true }), 12), 'after late');
  assert.equal(colours.classWords(colourView({ seconds: false }), 12), '5 late');
  assert.equal(colours.classWords({}, 0), '');
  assertEqualJSON([0, 6, 12].map(i => colours.lateness(view, i)), [['−7', '◂'], [], ['+5', '▸']]);
  assertEqualJSON(colours.lateness(colourView({ palette: 'steps' }), 12), []);
});

test('a chart draws every piece, its marks and its names', () => {
  const ctx = recorder();
  gantt(ctx, scene());
  assert.deepEqual(ctx.log.slice(1), [
    'fill red: round 0 30 49 49 2, round 210 60 89 19 2, round 210 0 89 39 2, rect 50 70 1 9',
    'stroke 1 ink alpha 0.5: round 0 30 49 49 2, round 210 60 89 19 2, round 210 0 89 39 2, rect 50 70 1 9',
    'fill blue: round 50 0 159 9 2, round 50 10 69 19 2',
    'stroke 1 ink alpha 0.5: round 50 0 159 9 2, round 50 10 69 19 2',
    'fill bin alpha 0.6: rect 300 40 20 40',
    'stroke 1.5 ink: round 50.75 0.75 157.5 7.5 2',
    'stroke 2 dashed ink: from 51 10, to 51 29, from 298 0, to 298 39',
    'text 1 at 24.5 55 black',
    'text 9 at 254.5 70 black',
    'text 9 at 254.5 20 black',
  ]);
  assert.match(ctx.log[0], /^stroke 1 grid: from 0.5 0, to 0.5 80/);
});

test('lines separate nodes, dotted lines mark shared nodes, and rates follow the names of jobs', () => {
  const ctx = recorder(), p = rows([0, 20, 0, 1, 0, 0], [0, 20, 1, 2, 5, 0], [20, 24, 0, 1, 0, 0]);
  gantt(ctx, scene({ pieces: p, run: { cores: 4 }, paces: rows([0.8333, 1, 1], [1, 0, 1], [0.5, 1, 1]), shares: rows([0, 20, 0, 4, 0, 0]) }));
  assert.deepEqual(ctx.log.slice(5, 9), [
    'stroke 2 dashed paper: from 0 69, to 199 69, from 0 59, to 199 59, from 0 49, to 199 49',
    'stroke 2 dashed ink: from 0 69, to 199 69, from 0 59, to 199 59, from 0 49, to 199 49',
    'stroke 3 paper: from 0 39.5, to 400 39.5',
    'stroke 1 label: from 0 39.5, to 400 39.5',
  ]);
  const wide = recorder();
  gantt(wide, scene({ pieces: p, height: 160, run: { cores: 4 }, paces: rows([0.8333, 1, 1], [1, 0, 1], [0.5, 1, 1]) }));
  assert.deepEqual(wide.log.filter(l => l.startsWith('text')), ['text 1 ×0.83 at 99.5 150 black', 'text 6 at 99.5 130 white', 'text 1 at 219.5 150 black'], 'the last piece is too narrow for its rate');
  const small = recorder();
  gantt(small, scene({ pieces: undefined, lanes: 512, run: { cores: 4 }, shares: rows([0, 20, 0, 256, 0, 0]) }));
  assert.deepEqual(small.log.slice(1), [
    'stroke 2 dashed paper: from 0 73, to 199 73, from 0 67, to 199 67, from 0 61, to 199 61, from 0 55, to 199 55, from 0 49, to 199 49, from 0 43, to 199 43',
    'stroke 2 dashed ink: from 0 73, to 199 73, from 0 67, to 199 67, from 0 61, to 199 61, from 0 55, to 199 55, from 0 49, to 199 49, from 0 43, to 199 43',
  ], 'thin nodes have no borders, and dotted lines keep a distance');
});

test('every piece is visible, because it is at least one device pixel wide', () => {
  const p = rows([10, 10.001, 3, 4, 0, 0]);
  assertEqualJSON(pieces.boxOf(scene({ t1: 1e6, lanes: 4000 }), p, 0), [0, 80, 1, 1]);
  assertEqualJSON(pieces.boxOf(scene({ t1: 1e6, lanes: 4000, ratio: 2 }), p, 0), [0, 80, 0.5, 0.5]);
  assert.equal(pieces.boxOf(scene({ t0: 20 }), p, 0), null);
  assertEqualJSON(pieces.boxOf(scene({ t0: 10, t1: 10.0001 }), p, 0), [0, 40, 408, 9]);
});

test('the upper layer has marks of selected and hovered jobs, the cursor, the measured range and the hatched plan', () => {
  const ctx = recorder();
  marks(ctx, scene({ selected: 8, hover: 0, cursor: 5, range: [10, 20],
    plan: { pieces: rows([32, 36, 0, 1, 9, 16]), labels: { 9: '10' } } }));
  assert.deepEqual(ctx.log.filter(l => !/^stroke 2.5 blue/.test(l)), [
    'fill paper alpha 0.82: rect 320 70 39 9',
    'stroke 1.5 dashed ink alpha 0.6: rect 320 70 39 9',
    'fill accent alpha 0.16: rect 100 0 100 80',
    'fill accent: rect 49 0 2 80',
    'stroke 1.5 ink: rect 0 30 49 49',
    'stroke 2.5 accent: rect 210 60 89 19',
    'stroke 2.5 accent: rect 210 0 89 39',
  ]);
  assert.match(ctx.log[1], /^stroke 2.5 blue: from/);
});

test('the strip draws busy processors and waiting jobs below its labels, and the overview draws a brush', () => {
  const steps = rows([4, 0], [8, 2], [0, 1], [0, 0]);
  const strip = recorder();
  series.series(strip, scene({ pieces: steps, lanes: false, axis: true }));
  assert.deepEqual(strip.log, [
    'fill busy: rect 0 51 100.4 29, rect 100 22 100.4 58, rect 200 80 100.4 0, rect 300 80 100.4 0',
    'stroke 1.5 queue: to 0 79, to 100 79, to 100 40.72, to 200 40.72, to 200 59.86, to 300 59.86, to 300 79, to 400 79',
    'text 0 at 3.5 8 label', 'text 10 at 100 8 label', 'text 20 at 200 8 label', 'text 30 at 300 8 label', 'text 40 at 393 8 label',
  ]);
  const overview = recorder();
  marks(overview, scene({ pieces: steps, lanes: false, brush: [10, 20] }));
  assert.deepEqual(overview.log, [
    'fill paper alpha 0.72: rect 0 0 100 80', 'fill paper alpha 0.72: rect 200 0 200 80', 'stroke 1 label: rect 100.5 0.5 99 79',
  ]);
});

test('ranges of submit times that the metrics ignore are shaded, and a single time is a line', () => {
  const ctx = recorder();
  series.leftOut(ctx, scene({ run: { left: [[0, 10], [30, 30]] } }));
  series.leftOut(ctx, scene({ run: {} }));
  assert.deepEqual(ctx.log, ['fill label alpha 0.25: rect 0 0 100 80', 'fill label alpha 0.25: rect 300 0 2 80']);
});

const types = ['Short', 'Medium', 'Long'];
const sharedScene = more => scene({ types, fullHeight: 104, pieces: undefined, look: { ...look, slices: ['none', 'first', 'second', 'third'] },
  bands: rows([0, 2, 0, 8, 0, 0], [2, 7, 0, 8, 2, 0], [7, 30, 0, 8, 3, 0], [30, 40, 0, 8, 12, 1], [50, 60, 0, 8, 1, 0]), ...more });

test('time slices are shaded behind the lanes, with labelled bars below that are higher for longer jobs', () => {
  const ctx = recorder();
  gantt(ctx, sharedScene());
  assert.deepEqual(ctx.log.filter(l => !l.includes('grid')), [
    'text o at 9.5 87.5 ink', 'text Medium at 44.5 87.5 ink', 'text Long at 184.5 87.5 ink', 'text 12 slices at 350 87.5 ink',
    'fill none: rect 0 95 19 9, rect 300 95 100 9',
    'fill none alpha 0.13: rect 0 0 19 80',
    'fill second: rect 20 98 49 6',
    'fill second alpha 0.13: rect 20 0 49 80',
    'fill third: rect 70 95 229 9',
    'fill third alpha 0.13: rect 70 0 229 80',
  ]);
  const without = recorder();
  gantt(without, sharedScene({ types: undefined }));
  assert.equal(without.log.length, 1, 'without types there are no slices');
});

test('a line joins the pieces of a preempted job, and hovering marks its lanes in between', () => {
  const joins = rows([5, 21, 0, 4, 8, 0]), ctx = recorder();
  gantt(ctx, sharedScene({ bands: undefined, joins }));
  assert.equal(ctx.log.at(-1), 'stroke 1.5 red: from 50 59.5, to 209 59.5');
  const over = recorder();
  marks(over, sharedScene({ joins, hover: 8, cursor: 4 }));
  assert.deepEqual(over.log, ['fill accent: rect 39 0 2 104', 'stroke 1.5 ink: rect 50 40 159 39']);
});

test('a time slice has a title', () => {
  assert.deepEqual([[0, 2], [0, 0], [1, 40]].map(([bin, n]) => sliceTitle(types, bin, n)), ['Medium', 'overhead', '40 slices']);
});

test('an empty chart draws only its grid', () => {
  const ctx = recorder();
  gantt(ctx, scene({ pieces: undefined }));
  series.series(ctx, scene({ pieces: undefined, lanes: false }));
  marks(ctx, scene({ pieces: undefined }));
  assert.equal(ctx.log.length, 1);
});

test('a description never names a job by its row, and a bin has at least one job', () => {
  const view = { pieces: rows([0, 5, 0, 5, 0, 0], [5, 9, 0, 5, 7, 0], [9, 12, 0, 8, 0, 1 + 256 * 51]), labels: { 0: 'J1' }, waits: [0, 3], paces: new Float64Array() };
  assert.deepEqual([0, 6, 12].map(i => describe({ view }, i)), [
    'job J1: 5 × 5 s, 0 to 5, no wait', 'job: 5 × 4 s, 5 to 9, waited 3 s', 'at least 1 job here, 20 % busy, 9 to 12']);
});
