// This module controls the chart that has the focus with the keyboard. It recognises most keys by
// their position on the keyboard, not by their character.
import { BIN, xOf } from './pieces.js';
import { fit, fitJob, pan, reveal, selectJob, setCursor, zoomHere } from './view.js';
import { describe, grouped, say, showTip } from './words.js';
import { place, set } from './frames.js';
import { ask } from './questions.js';
import { instant } from './time.js';
import { horizon, state } from './state.js';

const { min } = Math;

// isAt reports whether piece i is the current piece of keyboard navigation. If there is no current
// piece, it reports whether piece i belongs to the selected job.
const isAt = (pieces, i) => (state.at ? pieces[i + 4] === state.at.job && pieces[i] === state.at.from : pieces[i + 4] === state.selected);

// find returns the index of the first matching piece at or after index i. If by is -1, it searches
// backwards from i. It returns -1 if no piece matches.
function find(pieces, i, by, fits) {
  while (i in pieces && (pieces[i + 5] & BIN || !fits(pieces, i))) i += 6 * by;
  return i in pieces ? i : -1;
}

class Keys {
  constructor(chart) { this.chart = chart; }

  get pieces() { return this.chart.view?.pieces ?? []; }

  go(i) {
    const { chart, pieces } = this, text = describe(chart, i), [from, to, low, , job] = pieces.subarray(i, i + 5);
    reveal(from, to);
    set({ at: { job, from }, hover: job });
    say(text);
    showTip(chart, text, xOf(place(chart), Math.max(from, state.t0)), chart.height * (1 - low / state.run.lanes) - 12);
  }

  // walk moves to the next piece in time, or to the previous piece if by is -1. If the worker's
  // answer contains no further piece, it moves the window and continues when the next answer
  // arrives.
  walk(by) {
    const { chart, pieces } = this, now = find(pieces, 0, 1, isAt), { view = state.run } = chart;
    const inSight = (_, k) => pieces[k + 1] > state.t0 && pieces[k] < min(state.t1, horizon(chart)), another = (_, k) => !isAt(pieces, k) && pieces[k] < horizon(chart);
    const i = now < 0 ? find(pieces, by > 0 ? 0 : pieces.length - 6, by, inSight) : find(pieces, now, by, another);
    if (i >= 0) return this.go(i);
    if (by > 0 ? view.to < min(state.run.to, horizon(chart)) : view.from > state.run.from) {
      chart.arrived = () => this.walk(by);
      return pan(by);
    }
    say(`No ${by > 0 ? 'later' : 'earlier'} job${pieces.at(-1) & BIN ? ' large enough; W zooms in' : ''}`);
  }

  // climb moves to the nearest piece above or below, at the same time if possible.
  climb(by) {
    const { pieces } = this, now = find(pieces, 0, 1, isAt), middle = (pieces[now] + pieces[now + 1]) / 2;
    if (now < 0) return this.walk(1);
    let best = -1, least = Infinity;
    find(pieces, 0, 1, (_, i) => {
      const gap = by > 0 ? pieces[i + 2] - pieces[now + 3] : pieces[now + 2] - pieces[i + 3];
      const cost = Math.max(pieces[i] - middle, middle - pieces[i + 1], 0) * 1e6 + gap;
      if (gap >= 0 && pieces[i] < horizon(this.chart) && cost < least) [best, least] = [i, cost];
    });
    if (best < 0) say(`No job ${by > 0 ? 'above' : 'below'}`);
    else this.go(best);
  }

  // event moves the cursor to the next or the previous event of the log.
  event(by) {
    ask(this.chart, 'event', { at: state.cursor ?? Math.floor(state.t0), step: by }, head => {
      if (head.found) setCursor(head.at);
      say(head.found ? `Event ${grouped(head.number)} of ${grouped(head.total)} at ${instant(head.at)}. ${head.state ?? ''}` : 'No further event');
    });
  }

  pick() { if (state.at) selectJob(this.chart, state.at.job, state.at.from); }

  clear() {
    this.chart.tip.hidden = true;
    set({ range: null, at: null, hover: null, cursor: null });
    selectJob(this.chart, null, state.t0);
  }
}

const closer = () => zoomHere(0.7), wider = () => zoomHere(1 / 0.7);
const pick = keys => keys.pick();

// ACTIONS holds the actions by key position (KeyboardEvent.code).
const ACTIONS = {
  KeyW: closer, Equal: closer, NumpadAdd: closer, KeyS: wider, Minus: wider, NumpadSubtract: wider, Digit0: fit, Numpad0: fit,
  KeyA: () => pan(-0.15), KeyD: () => pan(0.15), Home: () => pan(-1e9), End: () => pan(1e9),
  ArrowLeft: keys => keys.walk(-1), ArrowRight: keys => keys.walk(1), ArrowUp: keys => keys.climb(1), ArrowDown: keys => keys.climb(-1),
  KeyF: keys => fitJob(keys.chart, state.at?.job ?? state.selected),
  BracketLeft: keys => keys.event(-1), BracketRight: keys => keys.event(1), Escape: keys => keys.clear(),
  // The space bar belongs to the player, and so do [ and ] while the player is open (see
  // keyboard.js).
  Space() {},
  Enter: pick, NumpadEnter: pick,
};

// NUDGES holds the keys that edit a job, and SHIFTED the keys that edit a job together with Shift.
// For each key, they list the field to edit, the field to edit if Alt is pressed too, and the
// direction.
const NUDGES = { Comma: ['submit', 'submit', -1], Period: ['submit', 'submit', 1] };
const SHIFTED = {
  ArrowRight: ['runtime', 'estimate', 1], ArrowLeft: ['runtime', 'estimate', -1],
  ArrowUp: ['procs', 'procs', 1], ArrowDown: ['procs', 'procs', -1],
};

// SIGNS holds the actions by character (KeyboardEvent.key).
const SIGNS = { '?': () => window.labShowKeys(), '/': () => document.getElementById('find')?.focus() };

// listenToKeys makes a chart handle keys.
export function listenToKeys(chart, edits) {
  const keys = new Keys(chart);
  chart.host.addEventListener('keydown', event => {
    const { key, code, altKey, shiftKey, ctrlKey, metaKey } = event, shifted = shiftKey && SHIFTED[code];
    const sign = SIGNS[key], nudge = !sign && (shifted || NUDGES[code]), act = sign ?? ACTIONS[code];
    if (!nudge && !act || ctrlKey || metaKey || altKey && !shifted) return;
    event.preventDefault();
    if (nudge) edits.nudge(nudge[altKey ? 1 : 0], nudge[2]);
    else act(keys);
  });
  chart.host.addEventListener('blur', () => { chart.tip.hidden = true; });
}
