// This module describes what the charts show, in tooltips and for screen readers.
import { BIN, CONTINUES, RESUMED, extentOf, pieceAt } from './pieces.js';
import { classWords } from './colours.js';
import { duration, instant } from './time.js';
import { sliceTitle } from './gantt.js';
import { visible } from './paths.js';

const { floor, max, round } = Math;

// grouped returns a number with commas between thousands, in the same way as the program.
export const grouped = n => n.toLocaleString('en-US');

let saying;

// say announces a text to screen readers.
export function say(text) {
  clearTimeout(saying);
  saying = setTimeout(() => { document.getElementById('lab-live').textContent = visible(text); }, 150);
}

// showTip shows a tooltip of a chart at a position. An empty text hides the tooltip.
export function showTip({ tip, width, height }, text, x, y) {
  tip.hidden = !text;
  tip.textContent = visible(text);
  tip.style.transform = `translate(calc(${x}px - ${100 * x / width}%), ${y > height / 2 ? y - 36 : y + 16}px)`;
}

// joined joins the non-empty parts of a text with the separator `by`.
const joined = (parts, by) => parts.filter(part => part).join(by);

// describe describes piece i of a chart in words.
export function describe(chart, i) {
  const [from, to] = chart.view.pieces.subarray(i, i + 2), when = `${instant(from)} to ${instant(to)}`;
  return chart.view.pieces[i + 5] & BIN ? describeBin(chart, i, when) : describeJob(chart, i, when);
}

function describeBin({ view }, i, when) {
  const [count, flags] = view.pieces.subarray(i + 4, i + 6);
  const least = max(count, 1); // a bin does not count jobs that a bin to its left or below already counts
  return `at least ${grouped(least)} job${least === 1 ? '' : 's'} here, ${round((flags >> 8) / 2.55)} % busy, ${joined([classWords(view, i, true), when], ', ')}`;
}

function describeJob({ view }, i, when) {
  const { pieces, labels } = view, [from, to, , , job, flags] = pieces.subarray(i, i + 6);
  const time = duration(to - from), [, , lanes] = extentOf(pieces, job, from);
  const id = labels[job], notes = ['', 'backfilled', 'resumed', 'unfinished'].filter((_, k) => flags >> k & 1);
  if (flags > 255) notes.unshift(`piece ${floor(flags / 256) % 2 ** 22} of ${floor(flags / 2 ** 30)}`);
  return joined([`job${id === undefined ? '' : ' ' + id}: ${lanes} × ${time}`, when, classWords(view, i), waitWords(view, i), ...notes, describePace(view, i)], ', ');
}

// waitWords describes how long the job of piece i waited. It returns '' if colours show the wait,
// because the description then already contains it.
function waitWords({ waits, scale }, i) {
  const wait = waits[i / 6];
  if (scale?.kind === 'wait' || wait === undefined) return '';
  return wait > 0 ? `waited ${duration(wait)}` : 'no wait';
}

// describePlan describes a piece of a plan in words. A piece is the reservation of a waiting job
// or, while the player is open, a running job until the end of its estimate.
export function describePlan({ pieces, labels, waits }, i) {
  const [from, to, , , job, flags] = pieces.subarray(i, i + 6), waited = duration(waits[i / 6]), name = `job ${labels[job]}`;
  if (flags & CONTINUES) return `${name}: running, waited ${waited}, ends by ${instant(to)} if its estimate holds`;
  return `${name}: ${flags & RESUMED ? 'was planned' : 'waiting for ' + waited + ', planned'} from ${instant(from)} to ${instant(to)}`;
}

// describePace describes in words how fast a job runs, and with which jobs it shares nodes.
function describePace({ paces, labels }, i) {
  const [rate = 1, neighbour, others] = paces.subarray(i / 2);
  return joined([rate !== 1 && `at ${rate.toFixed(2)} of its speed`, others < 0 && 'on average', others > 0 && 'next to ' + (labels[neighbour] ?? 'another job'), others > 1 && `and ${others - 1} more`], ' ');
}

// describeSlice describes in words the time slice at time t.
export function describeSlice({ view: { bands }, types }, t) {
  const i = pieceAt(bands, t, 0);
  if (i < 0) return '';
  const [from, to, , , n, bin] = bands.subarray(i, i + 6);
  return `${sliceTitle(types, bin, n)}: ${instant(from)} to ${instant(to)}`;
}
