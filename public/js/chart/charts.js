// This module has the chart functions that the other scripts and the program call.
import { fit, moveCursor, setWindow, showRange, updateBounds, zoomHere } from './view.js';
import { changed, scene, set } from './frames.js';
import { charts, isFresh, resultOf, state } from './state.js';
import { connect, dropRequests, forgetScale, receive, requestNow } from './questions.js';
import { onTheme, readLook } from './look.js';
import { Edits } from './edits.js';
import { listenToGestures } from './gestures.js';
import { listenToKeys } from './keys.js';
import { say } from './words.js';
import { forgetTimes } from './time.js';

const { ceil, floor, max, min } = Math;

const resized = new ResizeObserver(() => changed(false));

// attach creates a chart in an empty host element. The kind of chart is gantt (the schedule of the result that
// data-result names), use (of the resource that data-resource names), strip or overview. If the element
// already has a chart, attach redraws it only if data-result has changed.
function attach(host, kind) {
  const known = host.labChart, { result } = host.dataset;
  if (known && known.result !== (known.result = result)) changed(); // the chart shows another result now
  if (known) return;
  host.innerHTML = `<div class="lab-chart lab-${kind}" aria-hidden="true"><div class="lab-gutter"></div><div class="lab-surface"><canvas></canvas><canvas></canvas><div class="lab-tip" hidden></div></div></div><p class="lab-note" hidden></p>`;
  const [box, note] = host.children, [gutter, surface] = box.children, [base, over, tip] = surface.children;
  const chart = host.labChart = { kind, host, result, box, note, gutter, surface, tip, foot: 0, layers: [base, over].map(el => el.getContext('2d')),
    // The data of the chart is still being fetched.
    get fetching() { return !isFresh(chart, chart.view); },
    // The chart is outdated: the scenario was edited, or data is being fetched.
    get stale() { return state.stale || chart.fetching; } };
  const edits = new Edits(chart);
  listenToGestures(chart, edits);
  if (kind === 'gantt') listenToKeys(chart, edits);
  resized.observe(box);
  charts.add(chart);
  changed();
}

// showResults shows the results of a run. `hues` has a letter for each job: a stands for the first colour, b for
// the second, and so on. It is empty if a job's index determines its colour.
function showResults(run, hues) {
  forgetTimes();
  set({ run: { ...run, hues, to: max(run.to, run.from + 1), lanes: max(run.lanes, 1) }, stale: false, hover: null, at: null, range: null, plays: {}, jobs: new Map(), edit: null });
  dropRequests();
  updateBounds();
  requestNow();
}

// setStale records whether the results are outdated: the scenario was edited, and the new
// results have not arrived yet. It also drops the open requests.
function setStale(stale) {
  dropRequests();
  set({ stale });
}

// zoomToReadable zooms in if the charts show the whole run and the run has many jobs. The new time window contains
// the given time and about 100 jobs.
function zoomToReadable(at) {
  const { run, bounds, fitted } = state, part = 100 / run.jobs;
  if (!fitted || part > 0.3) return;
  const span = part * (bounds.to - bounds.from);
  setWindow(at - span / 4, at + 3 * span / 4);
}

// play shows an event of a result in the player. After the time of the event, the charts show the
// plan of the policy instead of the actual schedule. Without an event, play closes the player.
function play(event) {
  const turned = !event !== !state.play;
  set({ play: event, plays: event ? { ...state.plays, [event.result]: event } : {} });
  // Plans can extend beyond the end of the schedule.
  if (turned) updateBounds();
  if (!event) return;
  if (turned) zoomToReadable(event.at);
  moveCursor(event.at);
  requestNow();
}

// After the scenario was anonymised, wipe clears the last announcement to screen readers and the stored colour
// scale, because both may contain names.
function wipe() {
  forgetScale();
  say('');
}

// visible returns the results whose charts are in view, as numbers with spaces between them. A
// chart is in view if its middle is visible.
function visible() {
  const isInView = ({ host }) => {
    const { top, bottom } = host.getBoundingClientRect(), stage = host.closest('.stage').getBoundingClientRect(), middle = (top + bottom) / 2;
    return middle > max(stage.top, 0) && middle < min(stage.bottom, innerHeight);
  };
  return [...charts].filter(chart => chart.kind === 'gantt' && isInView(chart)).map(resultOf).sort((a, b) => a - b).join(' ');
}

// chartMethods has the methods of the charts. The program calls them by these names.
export const chartMethods = {
  attach, connect, receive, say, wipe, play, fit, visible, setWindow, zoom: zoomHere,
  results: showResults,
  stale: setStale,
  cursor: moveCursor,
  colour: (colour, base) => set({ colour, base }), // '' gives each job its own colour
  job: info => set({ jobs: new Map(state.jobs).set(info.job, info) }), // values of a job, for editing it in a chart
  hover: hover => set({ hover }),
  select: selected => set({ selected }),
  reveal: showRange,
  // whole makes the charts show the whole time range of the next results, regardless of the current
  // window.
  whole: () => { state.fitted = true; },
  // clear removes the window, the cursor and the selected job.
  clear: () => set({ fitted: true, cursor: null, selected: null, hover: null, range: null }),
  view: () => [state.fitted ? -1 : max(floor(state.t0), 0), ceil(state.t1), state.cursor ?? -1].join(' '),
  window: () => [state.t0, state.t1],
  // scene returns what exported charts show, with the current colours.
  scene: chart => scene(chart, readLook()),
  selected: () => state.selected,
  known: () => [...state.jobs.values()].filter(job => job),
};

// callChart calls a method by its name, with the arguments as JSON. The program uses it,
// because it cannot pass objects.
export const callChart = (method, json) => chartMethods[method](...JSON.parse(json));

onTheme(changed);
