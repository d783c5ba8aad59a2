// This module handles pointer, touch and wheel gestures on a chart. Without a modifier key, it
// leaves the wheel to the browser, which scrolls the page.
import { BIN, pieceAt, timeOf, totals } from './pieces.js';
import { fitJob, pan, selectJob, setCursor, setWindow, zoom } from './view.js';
import { describe, describePlan, describeSlice, grouped, say, showTip } from './words.js';
import { place, planOf, set } from './frames.js';
import { instant } from './time.js';
import { horizon, state } from './state.js';
import { usage } from './series.js';

// STILL is the distance in pixels that the pointer must move during a press for the press to count as a drag.
const STILL = 4;

// ordered returns its arguments in ascending order.
const ordered = (...times) => times.sort((a, b) => a - b);

class Gestures {
  touches = new Map(); // for each pointer that is down: its x, and t, the time on the time axis where it was pressed
  drag; // the current drag: { x, y, moved, move, end, t, text }

  constructor(chart, edits) { Object.assign(this, { chart, edits, surface: chart.surface, gantt: chart.kind === 'gantt' }); }

  // ---- positions

  at(event) {
    const { left, top } = this.surface.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  timeAt(x) { return timeOf(place(this.chart), x); }

  get pieces() { return (this.gantt && this.chart.view?.pieces) || []; }

  // hit returns the index of the piece at a point, or -1 if there is none. It ignores pieces that
  // the player hides because they are after its event.
  hit(x, y, pieces = this.timeAt(x) > horizon(this.chart) ? [] : this.pieces) {
    return pieceAt(pieces, this.timeAt(x), Math.floor((1 - y / this.chart.height) * state.run.lanes), this.timeAt(3) - state.t0);
  }

  // jobAt returns the job at a point, or null if there is none, and a description of what is there.
  // If a plan is drawn over the schedule, it returns the planned job.
  jobAt(x, y) {
    const { chart } = this, plan = this.gantt && planOf(chart), k = plan ? this.hit(x, y, plan.pieces) : -1, i = this.hit(x, y);
    if (k >= 0) return [plan.pieces[k + 4], describePlan(plan, k)];
    return [this.job(i), i >= 0 ? describe(chart, i) : chart.view && this.timeAt(x) <= horizon(chart) ? describeSlice(chart, this.timeAt(x)) : ''];
  }

  // job returns the job of piece i. It returns null for a bin, or if there is no piece.
  job(i) { return i < 0 || this.pieces[i + 5] & BIN ? null : this.pieces[i + 4]; }

  // ---- drags: the effect of moving the pointer, by kind of chart

  moveGantt(x) { pan((this.drag.t - this.timeAt(x)) / (state.t1 - state.t0)); }

  moveOverview(x) { setWindow(...ordered(this.drag.t, this.timeAt(x))); }

  moveStrip(x) { setCursor(this.timeAt(x)); }

  moveRange(x, y) {
    const range = ordered(...[this.drag.t, this.timeAt(x)].map(Math.round)), { jobs, area, about } = totals(this.pieces, range[0], Math.min(range[1], horizon(this.chart)));
    this.drag.text = `${range.map(t => instant(t)).join(' to ')}: ${about}${grouped(jobs)} jobs, ${about}${grouped(area)} processor-seconds`;
    set({ range });
    showTip(this.chart, this.drag.text, x, y);
  }

  // movePinch zooms so that each finger stays at the time that it touched first.
  movePinch() {
    const [a, b = a] = this.touches.values(), scale = (b.t - a.t) / (b.x - a.x), t0 = a.t - a.x * scale;
    if (scale > 0 && scale < Infinity) setWindow(t0, t0 + scale * this.chart.width);
  }

  mover(pinch, shift) {
    if (pinch) return this.movePinch;
    if (this.gantt) return shift ? this.moveRange : this.moveGantt;
    return this.chart.kind === 'overview' ? this.moveOverview : this.moveStrip;
  }

  // ---- events

  wheel(event) {
    const zooms = event.ctrlKey || event.metaKey, by = (event.deltaY || event.deltaX) * (event.deltaMode ? 16 : 1);
    if (!zooms && !event.shiftKey) return;
    event.preventDefault();
    if (zooms) zoom(this.timeAt(this.at(event)[0]), Math.exp(Math.max(-1, Math.min(by / 250, 1))));
    else pan(by / this.chart.width);
  }

  pointerdown(event) {
    if (event.button) return;
    const [x, y] = this.at(event), t = this.timeAt(x);
    this.surface.setPointerCapture(event.pointerId);
    this.touches.set(event.pointerId, { x, t });
    const moved = this.touches.size > 1, found = !moved && !event.shiftKey && this.edits.find(x, y, event, state.hover);
    this.drag?.end?.(false);
    if (found && !this.edits.whyNot(found)) this.drag = { x, y, moved, ...this.edits.startDrag(found) };
    else this.drag = { x, y, t, moved, move: this.mover(moved, event.shiftKey).bind(this) };
  }

  pointermove(event) {
    const [x, y] = this.at(event), finger = this.touches.get(event.pointerId), { drag } = this;
    if (!finger) return this.hover(x, y, event);
    finger.x = x;
    drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > STILL;
    if (drag.moved) drag.move(x, y);
  }

  pointerup(event) {
    const { drag } = this;
    if (!this.touches.delete(event.pointerId)) return;
    if (drag.end) drag.end(drag.moved);
    if (!drag.moved) this.click(...this.at(event));
    if (drag.text) say(drag.text);
  }

  pointercancel(event) {
    this.touches.delete(event.pointerId);
    this.drag?.end?.(false);
  }

  // The page must not scroll if the finger is on a grip.
  touchstart(event) {
    const [touch] = event.touches;
    if (this.edits.find(...this.at(touch), { pointerType: 'touch' })) event.preventDefault();
  }

  pointerleave() {
    this.chart.tip.hidden = true;
    set({ hover: null });
  }

  dblclick(event) { fitJob(this.chart, this.job(this.hit(...this.at(event)))); }

  hover(x, y, event) {
    const { chart, edits } = this, found = edits.find(x, y, event, state.hover), no = found && edits.whyNot(found);
    this.surface.style.cursor = edits.cursor(found);
    if (no) return showTip(chart, no, x, y);
    const t = this.timeAt(x);
    if (chart.kind === 'use') return showTip(chart, t > horizon(chart) ? '' : `${usage({ ...chart.view, ...chart.host.dataset }, t)} at ${instant(t)}`, x, y);
    const [job, text] = this.jobAt(x, y);
    showTip(chart, text, x, y);
    set({ hover: job });
  }

  click(x, y) {
    const [job] = this.jobAt(x, y);
    if (job === null) setCursor(this.timeAt(x));
    else selectJob(this.chart, job, this.timeAt(x));
  }
}

// listenToGestures makes a chart handle gestures.
export function listenToGestures(chart, edits) {
  const gestures = new Gestures(chart, edits);
  for (const name of ['wheel', 'pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'touchstart', 'pointerleave', 'dblclick']) {
    chart.surface.addEventListener(name, event => gestures[name](event), { passive: false });
  }
}
