// This module lets a person edit a job in a chart, by dragging its edges or its submission mark (the
// grips of the job), or with keys. The program writes the new values into the jobs table.
import { decimal, step } from './time.js';
import { place, set } from './frames.js';
import { say, showTip } from './words.js';
import { grip } from './jobmarks.js';
import { state } from './state.js';
import { timeOf } from './pieces.js';

const { max, min, round } = Math;

// UNITS holds the units of the fields that can be edited, and MINIMUM their smallest values.
const UNITS = { submit: 's', procs: 'processors', estimate: 's', runtime: 's' };
const MINIMUM = { submit: 0, procs: 1, estimate: 1, runtime: 1 };

// SLOP is the maximum distance in pixels from which a finger can catch a grip (touch), or a mouse
// can catch a grip of the selected job (selected) or of another job (hover).
const SLOP = { touch: 12, selected: 5, hover: 3 };

// limit returns the valid value of a field that is closest to the given value.
const limit = (field, value) => max(MINIMUM[field], field === 'procs' ? min(value, state.run.lanes) : value);

const inWords = ({ info, field }, value) => `job ${info.name}: ${field === 'procs' ? '' : field + ' '}${value} ${UNITS[field]}`;

export class Edits {
  dragged = null; // the grip being dragged

  constructor(chart) { this.chart = chart; }

  // seconds and lanes convert a number of pixels to a round number of seconds or lanes.
  seconds(pixels) { return step((state.t1 - state.t0) * pixels / this.chart.width, state.t1); }
  lanes(pixels) { return decimal(state.run.lanes * pixels / this.chart.height); }

  // find returns the grip at a point, or null if there is none. Only the selected job and the job
  // under the pointer have grips.
  find(x, y, { pointerType, altKey }, hover) {
    const { chart } = this, touch = pointerType === 'touch';
    if (chart.kind !== 'gantt' || state.play || !chart.view) return null;
    const scene = { ...place(chart), pieces: chart.view.pieces };
    for (const job of touch ? [state.selected] : [state.selected, hover]) {
      const info = state.jobs.get(job), selected = job === state.selected;
      const found = info && grip(scene, info, x, y, touch ? SLOP.touch : selected ? SLOP.selected : SLOP.hover, selected);
      if (found) return { ...found, info, field: altKey && found.field === 'runtime' ? 'estimate' : found.field };
    }
    return null;
  }

  // whyNot returns why a field cannot be edited, or undefined if it can.
  whyNot({ info, field }) { return info.fixed?.[field]; }

  cursor(found) {
    if (!found) return '';
    if (this.whyNot(found)) return 'not-allowed';
    return found.field === 'procs' ? 'ns-resize' : 'ew-resize';
  }

  // value returns the value that a field gets when its grip is dragged to a position.
  value({ field, side, info, to, tops, from }, x, y) {
    const second = this.seconds(4), t = round(timeOf(place(this.chart), x) / second) * second;
    if (field === 'submit') return limit(field, min(t, max(from, info.submit)));
    if (field !== 'procs') return limit(field, round(info.ran + t - to));
    const laneStep = this.lanes(6), lane = round((1 - y / this.chart.height) * state.run.lanes / laneStep) * laneStep;
    return limit(field, info.had + (side > 0 ? lane - tops.at(-1)[3] : tops[0][2] - lane));
  }

  // startDrag starts dragging a grip. It returns the functions to call when the pointer moves and
  // when the gesture ends.
  startDrag(found) {
    this.dragged = found;
    addEventListener('keydown', this.cancelOnEscape, true);
    return { move: (x, y) => this.dragged && this.move(x, y), end: done => this.end(done) };
  }

  move(x, y) {
    const { dragged, chart } = this, { info, field, side } = dragged, value = this.value(dragged, x, y), { runtime, estimate } = { ...info, [field]: value };
    dragged.edit = { field, value, side, job: info.job, chart };
    set({ edit: dragged.edit });
    const long = runtime > estimate ? `; the runtime is above the estimate of ${estimate} s` : '';
    showTip(chart, `${inWords(dragged, value)}, was ${info[field]}${long}`, x, y);
  }

  end(done) {
    const { edit, info, field } = this.dragged ?? {};
    this.dragged = null;
    removeEventListener('keydown', this.cancelOnEscape, true);
    set({ edit: null });
    this.chart.tip.hidden = true;
    if (!done || !edit || edit.value === info[field]) return;
    say(inWords({ info, field }, edit.value));
    window.labOnEdit(info.job, field, edit.value, false);
  }

  cancelOnEscape = event => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.end(false);
  };

  // nudge changes a field after a key press. It changes the current job of keyboard navigation or, if there is none,
  // the selected job. The change is just large enough to be visible.
  nudge(field, way) {
    const info = state.jobs.get(state.at?.job ?? state.selected);
    if (!info) return;
    const reason = state.play ? 'The player is open.' : this.whyNot({ info, field });
    if (reason) return say(reason);
    const value = limit(field, info[field] + way * (field === 'procs' ? this.lanes(6) : this.seconds(8)));
    say(inWords({ info, field }, value));
    if (value !== info[field]) window.labOnEdit(info.job, field, value, true);
  }
}
