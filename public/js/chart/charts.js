// The interface of the charts to the other scripts and to the program.
import { bound, fit, frame, moveCursor, setWindow, zoomHere } from './view.js';
import { changed, scene, set } from './frames.js';
import { charts, state } from './state.js';
import { connect, demand, forget, forgetScale, take } from './questions.js';
import { onTheme, readLook } from './look.js';
import { Edits } from './edits.js';
import { listenToHands } from './gestures.js';
import { listenToKeys } from './keys.js';
import { say } from './words.js';
import { forgetTimes } from './time.js';

const { ceil, floor, max } = Math;

const resized = new ResizeObserver(() => changed(false));

// attach creates a chart in an empty host element. Its kind is gantt (of data-result), use
// (of data-resource), strip or overview.
function attach(host, kind) {
  if (host.labChart) return;
  host.innerHTML = `<div class="lab-chart lab-${kind}" aria-hidden="true"><div class="lab-gutter"></div><div class="lab-surface"><canvas></canvas><canvas></canvas><div class="lab-tip" hidden></div></div></div><p class="lab-note" hidden></p>`;
  const [box, note] = host.children, [gutter, surface] = box.children, [base, over, tip] = surface.children;
  const chart = host.labChart = { kind, host, box, note, gutter, surface, tip, foot: 0, layers: [base, over].map(el => el.getContext('2d')) };
  const edits = new Edits(chart);
  listenToHands(chart, edits);
  if (kind === 'gantt') listenToKeys(chart, edits);
  resized.observe(box);
  charts.add(chart);
  changed();
}

// showResults shows the results of a run.
function showResults(run) {
  forgetTimes();
  set({ run: { ...run, to: max(run.to, run.from + 1), lanes: max(run.lanes, 1) }, stale: false, hover: null, at: null, range: null, plays: {}, jobs: new Map(), edit: null });
  forget();
  bound();
  demand();
}

// setStale records whether the scenario was edited and its new results are not there yet.
function setStale(stale) {
  forget();
  set({ stale });
}

// readable zooms a whole run of many jobs to the time around an event that has some 100 of them.
function readable(at) {
  const { run, bounds, fitted } = state, part = 100 / run.jobs;
  if (!fitted || part > 0.3) return;
  const span = part * (bounds.to - bounds.from);
  setWindow(at - span / 4, at + 3 * span / 4);
}

// play shows an event of a result, with the policy's plan in place of the later schedule.
function play(event) {
  const turned = !event !== !state.play;
  set({ play: event, plays: event ? { ...state.plays, [event.result]: event } : {} });
  // Plans can extend beyond the end of the schedule.
  if (turned) bound();
  if (!event) return;
  if (turned) readable(event.at);
  moveCursor(event.at);
  demand();
}

// wipe clears announcements and the reported scale, since they may contain names.
function wipe() {
  forgetScale();
  say('');
}

// The methods of the charts. The program calls them by these names.
export const chartMethods = {
  attach, connect, take, say, wipe, play, fit, setWindow, zoom: zoomHere,
  results: showResults,
  stale: setStale,
  cursor: moveCursor,
  colour: (colour, base) => set({ colour, base }), // '' gives each job its own colour
  job: info => set({ jobs: new Map(state.jobs).set(info.job, info) }), // values of a job, for editing it in a chart
  hover: hover => set({ hover }),
  select: selected => set({ selected }),
  reveal: frame,
  // Shows the whole time range of the next results, whatever the current window.
  whole: () => { state.fitted = true; },
  // Drops the window, the cursor and the selected job.
  clear: () => set({ fitted: true, cursor: null, selected: null, hover: null, range: null }),
  view: () => [state.fitted ? -1 : max(floor(state.t0), 0), ceil(state.t1), state.cursor ?? -1].join(' '),
  window: () => [state.t0, state.t1],
  // For exported charts, with the current colours.
  scene: chart => scene(chart, readLook()),
  selected: () => state.selected,
  known: () => [...state.jobs.values()].filter(job => job),
};

// callChart calls a method by name with arguments as JSON. The program uses it, since it
// cannot pass objects.
export const callChart = (method, json) => chartMethods[method](...JSON.parse(json));

onTheme(changed);
