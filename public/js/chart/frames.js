// This module decides when charts are drawn, and determines their size.
import { charts, horizon, isFresh, isHiddenByLesson, resultOf, state } from './state.js';
import { withColours } from './colours.js';
import { currentLook } from './look.js';
import { axisName, decimal } from './time.js';
import { marks, paint } from './marks.js';
import { request } from './questions.js';

const { max, min, round } = Math;

// MOVED is an argument of changed. It means that only the time window has changed.
export const MOVED = 'moved';

// LATE is the time in ms after which an outdated chart is dimmed.
const LATE = 150;

let frame = 0, lastWindow, highlightedJob = null;

// place returns a copy of a chart with its time window and its number of lanes, which are needed to
// convert times and lanes to positions.
export function place(chart) {
  const { from, to } = state.bounds, isOverview = chart.kind === 'overview';
  return { ...chart, t0: isOverview ? from : state.t0, t1: isOverview ? to : state.t1, lanes: chart.kind === 'gantt' && state.run.lanes };
}

// changed redraws all charts with the next animation frame. If `what` is false, it redraws only the
// upper layer; otherwise it also redraws the pieces.
export function changed(what = true) {
  // If only the time window has moved, the overview keeps its drawing, because it always shows the whole run.
  for (const chart of charts) chart.dirty ||= what && !(what === MOVED && chart.kind === 'overview');
  frame ||= requestAnimationFrame(draw);
}

// set changes parts of the shared state and redraws the upper layers.
export function set(part) {
  Object.assign(state, part);
  changed(false);
}

// measure adapts a chart to the current size of its element. If the page has changed, the browser then computes its
// layout. So draw measures all charts before it draws the first one.
function measure(chart) {
  const { clientWidth: width, clientHeight: fullHeight } = chart.surface, height = fullHeight - chart.foot, ratio = devicePixelRatio;
  if (chart.width === width && chart.height === height && chart.fullHeight === fullHeight && chart.ratio === ratio) return;
  Object.assign(chart, { width, height, fullHeight, ratio, dirty: true, sized: true });
  for (const { canvas } of chart.layers) [canvas.width, canvas.height] = [round(width * ratio), round(fullHeight * ratio)];
}

// fitLanes sets the height of a chart for the lanes of a run, and labels them.
function fitLanes(chart) {
  const { lanes, cores = 1 } = chart.run = state.run, nodes = lanes / cores, height = min(max(lanes * 22, 88), 352);
  // chart.types lists the job types that get time slices, and is undefined without time slices.
  chart.types = chart.run.results?.[resultOf(chart)]?.slices;
  // An edit seldom changes the labels, and replacing them makes the browser lay out the page.
  if (chart.shape === (chart.shape = [lanes, cores, !!chart.types].join())) return;
  chart.foot = chart.types ? 24 : 0;
  chart.note.hidden = !chart.box.classList.toggle('lab-sliced', !!chart.types);
  chart.box.style.height = height + chart.foot + 'px';
  chart.gutter.replaceChildren();
  for (let node = 0; node < nodes; node += decimal(16 * nodes / height)) {
    const label = chart.gutter.appendChild(document.createElement('span'));
    label.textContent = cores > 1 && (nodes < 10 || !node) ? 'node ' + node : node;
    label.style.bottom = `${chart.foot + max((node + 0.5) / nodes * height, 6)}px`;
  }
}

// pointedJobs returns up to three jobs: the job under the pointer, the current job of keyboard
// navigation, and the selected job.
const pointedJobs = () => [state.hover, state.at?.job, state.selected].filter(job => job >= 0 && job !== null);

// pointedValues returns a pair for each of pointedJobs whose values the program has sent: the
// values, and the current edit of the job in this chart, or false.
function pointedValues(chart) {
  const { edit, jobs, play } = state;
  if (chart.kind !== 'gantt' || play) return [];
  return [...new Set(pointedJobs())].filter(job => jobs.get(job)).map(job => [jobs.get(job), edit?.chart === chart && edit.job === job && edit]);
}

// requestValues asks the program for missing values of pointedJobs. It also highlights the table rows
// of the job under the pointer.
function requestValues() {
  if (highlightedJob !== (highlightedJob = state.hover)) {
    for (const row of document.querySelectorAll('tr[data-job]')) row.classList.toggle('lab-hovered', row.dataset.job === String(highlightedJob));
  }
  for (const job of state.stale ? [] : pointedJobs()) {
    if (state.jobs.has(job)) continue;
    state.jobs.set(job, null);
    window.labOnJob?.(job);
  }
}

// dimIfLate dims a chart that has been outdated for longer than LATE.
function dimIfLate(chart) {
  const now = performance.now(), { stale } = chart;
  if (stale && !chart.staleSince) setTimeout(changed, LATE, false);
  chart.staleSince = stale && (chart.staleSince || now);
  chart.late = stale && now - chart.staleSince >= LATE;
  chart.box.classList.toggle('lab-stale', chart.late);
}

// showsOtherResult reports whether the player is open and shows another result than this chart.
const showsOtherResult = chart => !!state.play && chart.kind === 'gantt' && state.play.result !== resultOf(chart);

// planOf returns the plan to show in a chart, or a falsy value if there is none.
export const planOf = chart => !isHiddenByLesson(chart) && isFresh(chart, chart.plan) && (state.play || chart.plan.at === state.cursor) && chart.plan;

// scene returns all data that is needed to draw a chart.
export function scene(chart, look) {
  return {
    labels: {}, ...chart.view, ...state, ...place(chart), ...withColours(look, chart.view),
    capacity: state.run.capacity || state.run.lanes, ...chart.host.dataset,
    axis: chart.kind === 'strip', brush: chart.kind === 'overview' && [state.t0, state.t1],
    jobs: pointedValues(chart), job: showsOtherResult(chart) ? null : state.play?.job, plan: planOf(chart), shown: horizon(chart),
  };
}

// isBare reports whether the upper layer of a chart is empty.
const isBare = now => !now.plan && !now.brush && !now.range && now.cursor === null && now.hover === null && now.selected === null;

// drawLayers draws the marks, and also the pieces if they have changed. If `keepPieces` is set, it
// keeps the old pieces.
function drawLayers(chart, now, keepPieces) {
  chart.layers.forEach((ctx, i) => {
    // The upper layer is not drawn again if it was empty and stays empty, to save time.
    if (i ? chart.blank && isBare(now) : !chart.dirty || keepPieces) return;
    if (i) chart.blank = isBare(now);
    ctx.setTransform(chart.ratio, 0, 0, chart.ratio, 0, 0);
    ctx.clearRect(0, 0, chart.width, chart.fullHeight);
    (i ? marks : paint)(ctx, now);
  });
}

// drawChart draws one chart and requests its missing data.
function drawChart(chart) {
  if (!chart.width) return;
  request(chart);
  dimIfLate(chart);
  // The old drawing stays while new results are being fetched.
  const keepPieces = chart.fetching && !state.stale && chart.asked && !chart.sized && chart.view;
  chart.box.classList.toggle('lab-aside', showsOtherResult(chart));
  chart.look = currentLook();
  const now = scene(chart, chart.look), turn = now.plan?.turn ?? '';
  if (now.axis) chart.gutter.dataset.axis = axisName();
  drawLayers(chart, now, keepPieces);
  chart.dirty = keepPieces;
  chart.sized = false;
  if (chart.note.textContent !== turn) chart.note.textContent = turn;
}

// draw draws all charts, and tells the program if the time window has changed.
function draw() {
  frame = 0;
  requestValues();
  for (const chart of charts) {
    if (!chart.host.isConnected) charts.delete(chart);
    if (chart.kind === 'gantt' && chart.run !== state.run) fitLanes(chart);
  }
  for (const chart of charts) measure(chart);
  for (const chart of charts) drawChart(chart);
  // The style sheet dims all outdated numbers by this class. With :has(.lab-stale) instead, each
  // change of the page would make Chromium compute the styles of most elements again.
  document.body.classList.toggle('lab-late', [...charts].some(chart => chart.late));
  if (lastWindow !== (lastWindow = `${state.t0} ${state.t1}`)) window.labOnWindow?.(state.t0, state.t1);
}
