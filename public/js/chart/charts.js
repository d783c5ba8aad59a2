// The charts, as their owner and the program use them.
import { bound, fit, frame, moveCursor, setWindow } from './view.js';
import { changed, scene, set } from './frames.js';
import { charts, state } from './state.js';
import { connect, demand, forget, forgetScale, take } from './questions.js';
import { onTheme, readLook } from './look.js';
import { Edits } from './edits.js';
import { listenToHands } from './gestures.js';
import { listenToKeys } from './keys.js';
import { say } from './words.js';

const { ceil, floor, max } = Math;

const resized = new ResizeObserver(() => changed(false));

// attach fills an empty host: gantt (data-result says whose), use (of data-resource), strip or overview.
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
  set({ run: { ...run, to: max(run.to, run.from + 1), lanes: max(run.lanes, 1) }, stale: false, hover: null, at: null, range: null, plays: {}, jobs: new Map(), edit: null });
  forget();
  bound();
  demand();
}

// setStale says whether the scenario is edited and its results are on their way.
function setStale(stale) {
  forget();
  set({ stale });
}

// play shows an event of a result: its plan instead of what came later.
function play(event) {
  const turned = !event !== !state.play;
  set({ play: event, plays: event ? { ...state.plays, [event.result]: event } : {} });
  // Plans reach further than what came to be.
  if (turned) bound();
  if (!event) return;
  moveCursor(event.at);
  demand();
}

// wipe forgets what was said and the scale that was told: they may hold names.
function wipe() {
  forgetScale();
  say('');
}

// The charts as others use them; the program does by these names.
export const chartMethods = {
  attach, connect, take, say, wipe, play, fit, setWindow,
  results: showResults,
  stale: setStale,
  cursor: moveCursor,
  colour: (colour, base) => set({ colour, base }), // '' by the jobs themselves
  job: info => set({ jobs: new Map(state.jobs).set(info.job, info) }), // tells of one, for those who edit it in a chart
  hover: hover => set({ hover }),
  select: selected => set({ selected }),
  reveal: frame,
  // The next results are shown whole, whatever part of these is in sight.
  whole: () => { state.fitted = true; },
  view: () => [state.fitted ? -1 : max(floor(state.t0), 0), ceil(state.t1), state.cursor ?? -1].join(' '),
  window: () => [state.t0, state.t1],
  // For pictures that are kept: with the colours that hold now.
  scene: chart => scene(chart, readLook()),
  selected: () => state.selected,
  known: () => [...state.jobs.values()].filter(job => job),
};

// callChart is for the program, which passes no objects.
export const callChart = (method, json) => chartMethods[method](...JSON.parse(json));

onTheme(changed);
