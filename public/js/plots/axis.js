// This module computes the axis that shows the values of a plot.
import { LETTER } from './legend.js';

// MAX_TICKS is the maximum number of labels on a logarithmic axis. If there are more, only powers
// of ten get labels.
const MAX_TICKS = 9;

// BESIDE is the space next to a label of the axis, in pixels.
const BESIDE = 16;

// roundNumbers returns the numbers of the form 1, 2 or 5 times a power of ten in a range of positive numbers. It widens
// the range so that it begins and ends with such a number.
function roundNumbers(low, high) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.floor(Math.log10(high)) + 1; power++) for (const n of [1, 2, 5]) all.push(Number(`${n}e${power}`));
  const first = Math.max(...all.filter(v => v <= low)), last = Math.min(...all.filter(v => v >= high && v > first));
  return all.filter(v => v >= first && v <= last);
}

// logScale returns the options of a logarithmic axis that fits the values and the intervals. A
// scale of type log would omit most labels of the ticks. A scale of type symlog with a small
// constant has the same form and shows all these labels.
function logScale(points) {
  const values = points.flatMap(d => [d.y, d.lo ?? d.y, d.hi ?? d.y]).filter(v => v > 0);
  const round = roundNumbers(Math.min(...values), Math.max(...values));
  const ticks = round.length > MAX_TICKS ? round.filter(v => Number.isInteger(Number(Math.log10(v).toFixed(9)))) : round;
  return { type: 'symlog', constant: round[0] / 1e9, nice: false, domain: [round[0], round.at(-1)], ticks, tickFormat: v => v.toLocaleString('en', { maximumFractionDigits: 20 }) };
}

// valueAxis returns the options of the axis that shows the values of the metric. A linear axis begins
// at 0, because no metric is negative.
export const valueAxis = ({ label, log, points }) => ({ label, grid: true, nice: true, ...log ? logScale(points) : { zero: true, tickSpacing: 50 } });

// leftMargin returns the margin that the labels of the vertical axis of a plot need.
export function leftMargin(svg) {
  const labels = [...svg.querySelectorAll('[aria-label="y-axis tick label"] text')];
  return BESIDE + Math.ceil(LETTER * Math.max(0, ...labels.map(label => label.textContent.length)));
}
