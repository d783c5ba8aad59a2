// This module makes the blocks of an exported image: charts, legends and text of the page. A block
// is an object with a height and a paint function.
import { fill, rect, stroke, write } from '../chart/paths.js';
import { eachVisible } from '../chart/pieces.js';
import { marks, paint } from '../chart/marks.js';
import { axis } from '../chart/series.js';
import { chartMethods } from '../chart/charts.js';
import { axisName, timesIn } from '../chart/time.js';

// GUTTER is the width in pixels of the space to the left of a chart, as in css/chart.css.
export const GUTTER = 48;

// LONGEST is the maximum number of characters of a drawn text, and LETTER the typical width of a
// character in pixels.
const LONGEST = 600, LETTER = 7;

let pen;

// widthOf returns the width of a text in a font.
function widthOf(words, font) {
  pen ??= document.createElement('canvas').getContext('2d');
  pen.font = font;
  return pen.measureText(words).width;
}

export const all = selector => [...document.querySelectorAll(selector)];

const small = look => '11px ' + look.font;

// labelsOf returns the labels to the left of a chart: text, y and colour.
function labelsOf(chart, scene) {
  const { look, fullHeight } = scene;
  const labels = [...chart.gutter.children].map(el => [el.textContent, fullHeight - parseFloat(el.style.bottom), look.label]);
  if (chart.foot) labels.push(['slice', fullHeight - 11, look.label]);
  if (scene.axis) labels.push([axisName(), 8, look.label], ['busy', 27, look.label], ['queue', 41, look.queue]);
  return labels;
}

// chartBlock returns the block of a chart with its labels. It has a time axis if `ownAxis` is set,
// and a cursor, plan and selection if `marked` is set.
export function chartBlock(chart, wide, ownAxis, marked = true) {
  const scene = chartMethods.scene(chart), { look, fullHeight } = scene, width = wide - GUTTER, lanes = chart.kind === 'gantt';
  Object.assign(scene, { width, hover: null, still: true, jobs: scene.jobs.filter(([job]) => job.job === scene.selected) });
  if (!marked) Object.assign(scene, { jobs: [], selected: null, cursor: null, plan: null, range: null, play: null });
  const labels = labelsOf(chart, scene);
  return { height: fullHeight + (lanes && ownAxis ? 20 : 8), look, paint(ctx) {
    for (const [words, y, colour] of labels) write(ctx, words, GUTTER - 8, y, small(look), colour, 'right');
    ctx.translate(GUTTER, 0);
    if (lanes && ownAxis) {
      ctx.save();
      ctx.translate(0, fullHeight);
      axis(ctx, scene);
      ctx.restore();
    }
    rect(0, 0, width, fullHeight).on(ctx).clip();
    paint(ctx, scene);
    marks(ctx, scene);
    if (scene.name) stroke(ctx, look.grid, rect(0, 0, width, fullHeight), 2);
  } };
}

// wordsOf returns the texts and legend keys in an element. It skips elements that match the
// selector `without`.
function wordsOf(el, without) {
  return [...el.childNodes].flatMap(node => {
    if (without && node.matches?.(without)) return [];
    if (node.data === undefined) return node.firstChild ? wordsOf(node, without) : node.offsetWidth ? [{ key: node }] : [];
    const { color, fontWeight, fontSize, fontFamily } = getComputedStyle(el), text = node.data.trim();
    return text ? [{ text, font: `${fontWeight} ${fontSize} ${fontFamily}`, colour: color }] : [];
  });
}

// splitLongText splits the last text of a group of words into several groups, one for each line, if it is too
// long for one line. It truncates texts of more than LONGEST characters.
function splitLongText(group, room) {
  const last = group.at(-1), fits = last?.text?.length < LONGEST && widthOf(last.text, last.font) <= room;
  if (fits) return [group];
  const letters = room / LETTER | 0, line = RegExp(`.{1,${letters}}( |$)|.{1,${letters}}`, 'gs');
  const word = group.pop(), [first = '', ...rest] = word?.text?.slice(0, LONGEST).match(line) ?? [];
  return word ? [[...group, { ...word, text: first }], ...rest.map(text => [{ ...word, text, newLine: true }])] : [];
}

// setWords places the words of a group next to each other and returns their width.
function setWords(group) {
  let width = 0;
  for (const word of group) {
    word.at = width;
    width += 5 + (word.key ? 18 : widthOf(word.text, word.font));
  }
  return width;
}

// flow returns a block that arranges groups of words in lines. It does not break a group.
function flow(groups, wide, left = GUTTER) {
  const set = [];
  let x = left, y = 0;
  for (const group of groups.flatMap(group => splitLongText(group, wide - left))) {
    const width = setWords(group);
    if ((group[0]?.newLine || x + width > wide) && x > left) [x, y] = [left, y + 18];
    for (const word of group) set.push({ ...word, x: x + word.at, y });
    x += width + 12;
  }
  return { height: y + 22, paint(ctx) {
    for (const { key, text, x, y, font, colour } of set) {
      if (key) drawKey(ctx, key, x, y + 4); else write(ctx, text, x, y + 10, font, colour, 'left');
    }
  } };
}

// KEYS holds, for each legend key that looks like a piece of a job, a scene with one such piece.
// Other keys are boxes in the colour that they have on the page.
const piece = (flags, top = 1, job = 0) => [0.05, 0.95, top - 1, top, job, flags];
const plan = flags => ({ plan: { pieces: piece(flags, 1, 1), labels: {} } });
const KEYS = {
  backfilled: { pieces: piece(2) }, cut: { pieces: piece(8) }, bin: { pieces: piece(1 + (180 << 8)) },
  planned: plan(0), held: plan(8), was: plan(4), away: { shares: piece(32) },
  shared: { pieces: [...piece(0), ...piece(0, 2, 1)], shares: [0, 1, 0, 2, 0, 0], lanes: 2, run: { cores: 2 } },
};

function drawKey(ctx, el, x, y) {
  const { backgroundColor, height } = getComputedStyle(el), key = KEYS[el.classList[1]];
  const { look } = chartMethods.scene(all('#charts [data-chart]')[0].labChart);
  const scene = { look, t0: 0.03, t1: 0.97, width: 20, height: 11, fullHeight: 11, ratio: 4, lanes: 1, labels: {}, bucket: job => job, cursor: null, run: {}, ...key };
  ctx.save();
  ctx.translate(x - 1, y);
  if (key) {
    paint(ctx, scene);
    marks(ctx, scene);
  } else fill(ctx, backgroundColor, rect(1, 0, 18, Math.min(parseFloat(height), 11)));
  ctx.restore();
}

// unitsBlock returns the block that explains the units of the time axis, and the curves of the strip.
export function unitsBlock(chart, wide) {
  const { look, capacity } = chartMethods.scene(chart);
  let text = `Time in ${timesIn()}.`;
  if (chart.kind === 'strip') text += ` Area: busy processors, of ${capacity}. Line: waiting jobs. Both under ${chart.host.dataset.policy}.`;
  return flow([[{ text, font: small(look), colour: look.label }]], wide);
}

// title returns the title of the scenario, or else the names of the schedules for which `shown` returns true.
export const title = (shown = () => true) => document.querySelector('.top .title').textContent || all('.chart').filter((_, i) => shown(i)).map(el => el.ariaLabel).join(', ');

// keyIsDrawn reports whether the charts contain what a legend key stands for. `flags` combines the
// flags of the charts' pieces.
const keyIsDrawn = (key, flags, marked) => ({ backfilled: flags & 2, cut: flags & 12, bin: flags & 1, planned: marked, held: marked, was: marked })[key] ?? true;

// flagsOf returns the flags that occur in the visible pieces of the schedules, combined.
function flagsOf(charts) {
  let found = 0;
  for (const chart of charts) {
    const scene = chartMethods.scene(chart);
    eachVisible(scene, scene.pieces ?? [], (_, flags) => { found |= flags & 15; });
  }
  return found;
}

// blocksOf returns the blocks of charts, legends and text in the order of the page. `about`
// describes how the schedules were made. For a figure, `show` selects the parts and holds the
// title. Without `show`, the blocks contain everything that the page shows. The block above a chart
// also has the field `description`, which holds the text of the block.
export function blocksOf(wide, about, show) {
  const has = part => !show || show[part], blocks = [], sections = all('.chart');
  const partOf = el => (el.closest('.chart') ? 'chart' + sections.indexOf(el.closest('.chart')) : el.id === 'strip' ? 'curve' : 'legend');
  const shown = all('.chart-head, #charts [data-chart], .chart .use, .lab-note, #strip, #scale, #scale + .legend').filter(el => el.offsetHeight && has(partOf(el)));
  const lanes = shown.map(el => el.labChart).filter(chart => chart?.kind === 'gantt'), flags = show && flagsOf(lanes);
  // The baseline has no differences. If the baseline is not part of the figure, differences are left out.
  const heads = shown.filter(el => el.matches('.chart-head')), differs = el => [...el.querySelectorAll('.delta')].some(delta => delta.textContent);
  const without = show && heads.every(differs) ? '.delta' : '';
  for (const el of shown) {
    const chart = el.labChart;
    let parts = [...el.children];
    if (show && el.matches('.chart-head') && !show.numbers) parts = parts.slice(0, 1);
    if (show && el.matches('.legend')) parts = parts.filter(li => keyIsDrawn(li.firstElementChild.classList[1], flags, show.marks));
    if (!chart) {
      const groups = (parts.length ? parts : [el]).map(part => wordsOf(part, without)), description = heads.includes(el) ? groups.flat().map(word => word.text).join(' ') : [];
      blocks.push({ ...flow(groups, wide), description });
    } else {
      const ownAxis = show && !show.curve && chart === lanes.at(-1);
      blocks.push(chartBlock(chart, wide, ownAxis, has('marks')), ...ownAxis || chart.kind === 'strip' ? [unitsBlock(chart, wide)] : []);
    }
  }
  const { look } = chartMethods.scene(all('#charts [data-chart]')[0].labChart), line = (text, font, colour, left) => flow([[{ text, font, colour }]], wide, left);
  if (has('title')) blocks.unshift(line(show ? show.title : title(), '600 15px ' + look.font, look.ink, 0));
  if (has('text')) blocks.push(line(about, small(look), look.label));
  return blocks.map(block => ({ look, ...block }));
}
