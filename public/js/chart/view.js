// This module moves the time window and the cursor. Gestures, keys and the program call these
// functions.
import { MOVED, changed, set } from './frames.js';
import { charts, resultOf, state } from './state.js';
import { bounds, clamp } from './time.js';
import { extentOf } from './pieces.js';

const { floor, max, min, round } = Math;

// setWindow shows the times from t0 to t1, within the bounds.
export function setWindow(t0, t1) {
  [state.t0, state.t1] = clamp(t0, t1, state.bounds);
  state.fitted = state.t1 - state.t0 === state.bounds.to - state.bounds.from;
  for (const chart of charts) chart.tip.hidden = true;
  changed(MOVED);
}

// fit shows the whole run.
export const fit = () => setWindow(state.bounds.from, state.bounds.to);
// zoom multiplies the width of the window by a factor. The time t keeps its position.
export const zoom = (t, factor) => setWindow(t - (t - state.t0) * factor, t + (state.t1 - t) * factor);

// zoomHere zooms at the current piece of keyboard navigation or, if there is none, at the cursor.
// If this time is not visible, it zooms at the middle of the window.
export function zoomHere(factor) {
  const t = state.at?.from ?? state.cursor;
  zoom(t !== null && t >= state.t0 && t <= state.t1 ? t : (state.t0 + state.t1) / 2, factor);
}
// pan moves the window by a fraction of its width.
export const pan = part => setWindow(state.t0 + part * (state.t1 - state.t0), state.t1 + part * (state.t1 - state.t0));

// reveal pans to a time range unless a part of it is visible.
export function reveal(from, to = from + 1) {
  if (to <= state.t0 || from >= state.t1) pan((from - state.t0) / (state.t1 - state.t0) - 0.3);
}

// showRange makes a time range visible. It zooms if the range would be too small or too large.
export function showRange(from, to) {
  const long = to - from, part = long / (state.t1 - state.t0), room = part < 0.005 ? 40 * long : long;
  if (part < 0.005 || part > 0.6) setWindow(from - room, to + room);
  else reveal(from, to);
}

// fitJob shows a job with some space around it, or the whole run if the job is not in the chart.
export function fitJob(chart, job) {
  const found = chart.view && extentOf(chart.view.pieces, job);
  if (!found) return fit();
  const [from, to] = found;
  setWindow(1.6 * from - 0.6 * to, 1.6 * to - 0.6 * from);
}

// updateBounds sets the limits of the time window to those of the run. While the player is open, the limits
// include the plans. updateBounds moves the window into these limits. If the window showed the whole run, it
// shows the whole run again.
export function updateBounds() {
  state.bounds = bounds(state.run.from, state.play && state.run.planned || state.run.to);
  if (state.fitted) fit();
  else setWindow(state.t0, state.t1);
}

// moveCursor moves the cursor to a time and makes this time visible. If the argument is null, it
// removes the cursor.
export function moveCursor(cursor) {
  if (cursor === state.cursor) return;
  if (cursor !== null) reveal(cursor);
  set({ cursor });
}

// setCursor moves the cursor after an action of the person, and tells the program.
export function setCursor(t) {
  const cursor = round(min(max(t, state.bounds.from), state.bounds.to));
  moveCursor(cursor);
  window.labOnCursor?.(cursor);
}

// selectJob selects a job in a chart, or no job if the argument is null. It tells the program the job
// and the time.
export function selectJob(chart, selected, t) {
  set({ selected });
  window.labOnSelect?.(selected, floor(t), resultOf(chart));
}
