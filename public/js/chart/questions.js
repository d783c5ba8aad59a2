// This module sends the requests of the charts to the worker. Each chart has at most one open
// request.
import { changed, place } from './frames.js';
import { charts, isFresh, resultOf, state } from './state.js';
import { classesOf } from './colours.js';
import { covers, quantise } from './time.js';

// FIRST is the smallest request id of the charts. It is above the ids of the program.
const FIRST = 2 ** 30;

// BUFFERS is the largest number of buffers in an answer.
const BUFFERS = 7;

const asked = new Map(); // open requests by id
let last = FIRST; // id of the last request
let send; // sends a message to the worker
let lastScale; // the colour scale that was passed to the program last, as JSON

// connect sets the function that sends messages to the worker.
export function connect(to) { send = to; }

// ask sends a request for a chart. `onAnswer` receives the head and the buffers of the answer. Unless the kind
// is event, ask does nothing while the chart waits for an answer. It does not repeat a request that has just
// failed.
export function ask(chart, kind, head, onAnswer) {
  const { generation } = state.run, question = JSON.stringify({ generation, result: resultOf(chart), ...head }), key = kind + question;
  if (chart.asked && kind !== 'event' || chart.failed === key || !send || generation === undefined) return;
  chart.asked = ++last;
  asked.set(last, { chart, key, onAnswer });
  send({ kind, id: last, head: question, bufs: [] });
}

// receive handles a message of the worker. It returns false if the message is not for the charts.
export function receive(message) {
  const question = asked.get(message.id);
  if (!question) return message.id > FIRST;
  asked.delete(message.id);
  const { chart, key, onAnswer } = question, head = JSON.parse(message.head || '{}');
  if (chart.asked === message.id) chart.asked = 0;
  if (head.generation === undefined) chart.failed = key;
  else if (head.generation === state.run.generation) onAnswer(head, ...Array.from({ length: BUFFERS }, (_, i) => new Float64Array(message.bufs[i] ?? 0)));
  changed();
  return true;
}

// dropRequests makes the charts ignore the answers to all open requests.
export function dropRequests() {
  asked.clear();
  for (const chart of charts) chart.asked = chart.failed = 0;
}

// forgetScale forgets the last colour scale, so that the next one is passed to the program even
// if it is equal.
export function forgetScale() { lastScale = undefined; }

// requestNow requests missing data at once instead of in the next frame, for the charts whose
// number of lanes has not changed.
export function requestNow() {
  for (const chart of charts) if (chart.width && (!chart.run || chart.run.lanes === state.run.lanes)) request(chart);
}

// hasColours reports whether an answer contains the colour classes that are currently selected.
const hasColours = view => (view.colour ?? '') === state.colour && (view.base ?? 0) === state.base;

// request requests the missing data of a chart: first pieces or series, then the plan.
export function request(chart) {
  const { t0, t1, width, lanes } = place(chart), { run, cursor } = state;
  if (!isFresh(chart, chart.view) || !covers(chart.view, t0, t1, width, run) || lanes && !hasColours(chart.view)) requestView(chart);
  else if (lanes && cursor !== null && !(isFresh(chart, chart.plan) && chart.plan.at === cursor && chart.plan.event === planEvent(chart))) requestPlan(chart);
}

function requestView(chart) {
  const { t0, t1, width, height, lanes } = place(chart), { run, colour, base } = state;
  const wanted = quantise(t0, t1, width, run), { from, to, columns } = wanted, resource = chart.host.dataset.resource && Number(chart.host.dataset.resource);
  const head = { from, to, columns, lane0: 0, lane1: run.lanes, rows: height, resource, ...lanes && { colour, base } };
  ask(chart, lanes ? 'view' : 'series', head, (got, pieces, joins, bands, shares, paces, classes, waits) => {
    const { arrived } = chart, view = { ...got, ...wanted, pieces, joins, bands, shares, paces, classes, waits, hues: state.run.hues, of: classesOf(pieces, classes) };
    Object.assign(chart, { view, arrived: null });
    if (lanes && lastScale !== (lastScale = JSON.stringify(got.scale ?? null))) window.labOnScale?.(lastScale);
    arrived?.();
  });
}

function requestPlan(chart) {
  const wanted = { at: state.cursor, event: planEvent(chart) };
  ask(chart, 'plan', wanted, (head, pieces, waits) => { chart.plan = { ...head, pieces, waits, ...wanted }; });
}

// planEvent returns the number of the event whose plan a chart shows, or undefined if the player is closed or not at
// the cursor. If the player has shown an event of this chart's schedule at the time of the cursor, planEvent returns
// that event. Otherwise, the player shows an event of another schedule. If that event is the last one at its time,
// planEvent returns -1, for the state after all events at this time; else it returns -2, for the state before them.
function planEvent(chart) {
  const { play, plays, cursor } = state, own = plays[resultOf(chart)];
  if (!play || play.at !== cursor) return undefined;
  return own?.at === cursor ? own.event : play.last ? -1 : -2;
}
