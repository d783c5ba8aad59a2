// This script draws the plots of experiments with Observable Plot. The page loads it when a person
// first sees a plot.
import { areaY, boxY, cell, dot, line, lineY, plot, ruleY, text } from '@observablehq/plot';
import { leftMargin, valueAxis } from './plots/axis.js';
import { legendOf } from './plots/legend.js';
import { exported } from './plots/export.js';
import { makePoints, refocus, spreadPoints } from './plots/points.js';

// COLOURS holds the colours of the series, as CSS variables. Symbols and dashes are for people who
// cannot distinguish the colours.
const COLOURS = Array.from({ length: 8 }, (_, i) => `var(--of-${i})`);
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye', 'cross', 'hexagon'];
const DASHES = [null, '7 3', '2 3', '10 3 2 3'];

// HEAT_LEFT is the margin for the names of the series beside a heat map, in pixels.
const HEAT_LEFT = 150;

const colourOf = s => COLOURS[s % COLOURS.length];
const symbolOf = s => SYMBOLS[s % SYMBOLS.length];
const dashOf = s => DASHES[(s / COLOURS.length | 0) % DASHES.length];

const bySeries = (spec, mark) => spec.series.map((_, s) => mark(spec.points.filter(p => p.s === s), s)).filter(Boolean);

// plotParts has a function for each kind of plot. The function returns the marks and scales for
// Observable Plot. The last mark has the points that a person can open as runs. If the
// data of this mark is not spec.points, the function also returns it, as `points`.
const plotParts = {
  line(spec) {
    const x = d => (spec.numeric ? Number(d.x) : d.x), floor = Math.min(...spec.points.flatMap(d => [d.y, d.lo ?? d.y]).filter(v => v > 0));
    // A band that reaches 0 ends at the bottom of a logarithmic axis.
    const banded = spec.points.filter(d => d.lo !== undefined).map(d => (spec.log ? { ...d, lo: Math.max(d.lo, floor) } : d));
    const sorted = points => (spec.numeric ? [...points].sort((a, b) => x(a) - x(b)) : points);
    return {
      x: { label: spec.xLabel, ...spec.numeric ? { type: 'linear', ticks: ticksOf(spec), tickFormat: String, inset: 8 } : { type: 'point' } },
      y: valueAxis(spec),
      marks: [
        ...bySeries({ ...spec, points: banded }, (points, s) => areaY(sorted(points), { x, y1: 'lo', y2: 'hi', fill: colourOf(s), fillOpacity: 0.15 })),
        ...bySeries(spec, (points, s) => lineY(sorted(points), { x, y: 'y', stroke: colourOf(s), strokeWidth: 2, strokeDasharray: dashOf(s) })),
        dot(spec.points, { x, y: 'y', r: 5, fill: d => colourOf(d.s), stroke: 'var(--paper)', symbol: d => symbolOf(d.s), ...pointMarks }),
      ],
      symbol: { type: 'identity' },
    };
  },
  box(spec) {
    return {
      x: { label: null, domain: spec.series, type: 'band', tickFormat: shortened(spec) },
      y: valueAxis(spec),
      marks: [
        boxY(spec.points, { x: 'x', y: 'y', fill: d => colourOf(d.s), fillOpacity: 0.35, stroke: 'currentColor', r: 0 }),
        dot(spec.points, { x: 'x', y: 'y', r: 3.5, fill: d => colourOf(d.s), stroke: 'var(--paper)', ...pointMarks }),
      ],
    };
  },
  ecdf(spec) {
    const ranked = bySeries(spec, points => [...points].sort((a, b) => a.y - b.y).map((p, i, all) => ({ ...p, share: (i + 1) / all.length }))), points = ranked.flat();
    return {
      points,
      x: { ...valueAxis(spec), grid: false },
      y: { label: 'Share of the seeds, %', domain: [0, 100], grid: true },
      marks: [
        ...ranked.filter(all => all.length).map(all => line([{ ...all[0], share: 0 }, ...all], { x: 'y', y: d => 100 * d.share, curve: 'step-after', stroke: colourOf(all[0].s), strokeWidth: 2 })),
        dot(points, { x: 'y', y: d => 100 * d.share, r: 4, fill: d => colourOf(d.s), stroke: 'var(--paper)', symbol: d => symbolOf(d.s), ...pointMarks }),
      ],
      symbol: { type: 'identity' },
    };
  },
  heat(spec, width) {
    const names = [...new Set(spec.points.map(p => p.x))], fontSize = (width - HEAT_LEFT) / names.length < 48 ? 10 : 12;
    if (spec.numeric) names.sort((a, b) => a - b);
    const [low, high] = [Math.min(...spec.points.map(p => p.y)), Math.max(...spec.points.map(p => p.y))];
    // shade returns the percentage of the accent colour in a cell. CSS mixes the accent colour with
    // the colour of the page.
    const shade = y => Math.round(8 + 82 * (high > low ? (y - low) / (high - low) : 0));
    return {
      x: { label: spec.xLabel, domain: names, type: 'band' },
      y: { label: null, domain: spec.series, type: 'band', tickFormat: shortened(spec) },
      marks: [text(spec.points, { x: 'x', y: d => spec.series[d.s], text: d => d.y.toPrecision(3), fontSize, fill: d => (shade(d.y) > 50 ? 'var(--paper)' : 'currentColor'), pointerEvents: 'none' }), cell(spec.points, { x: 'x', y: d => spec.series[d.s], fill: d => `color-mix(in srgb, var(--of-0) ${shade(d.y)}%, var(--paper))`, stroke: 'var(--line)', inset: 1, ...pointMarks })],
      scale: { low, high },
    };
  },
};

// pointMarks holds options of the marks whose points open runs. points.js finds these marks by the
// class name.
const pointMarks = { className: 'x-points' };

const ticksOf = spec => [...new Set(spec.points.map(p => Number(p.x)))];

// shortened returns a function that shortens the name of a series so that it fits on an axis. It
// keeps the end of the name, because names of policies often differ only in the values of their knobs.
const shortened = () => name => (name.length > 22 ? name.slice(0, 6) + '…' + name.slice(-15) : name);

let lastSpec; // the specification that was drawn last

// draw draws a plot into the element x-plot. It removes the style element that Observable Plot adds,
// because the content security policy forbids it.
function draw(spec) {
  const host = document.getElementById('x-plot');
  lastSpec = spec;
  if (!host) return;
  const width = Math.max(280, host.clientWidth), heat = spec.kind === 'heat', { marks, scale, symbol, points = spec.points, ...scales } = plotParts[spec.kind](spec, width);
  const legend = legendOf(spec, width - 16, { colourOf, symbolOf, dashOf, scale });
  const plain = heat ? 70 + 34 * spec.series.length : Math.min(420, Math.max(300, width * 0.5));
  const drawn = marginLeft => plot({
    ...scales, x: { ...scales.x, labelOffset: 38 }, marks: heat ? marks : [ruleY([]), ...marks], width,
    height: legend.height + plain, marginTop: 24, marginLeft, marginBottom: 44 + legend.height, marginRight: 16,
    color: { type: 'identity' }, ...symbol && { symbol: { legend: false } },
    style: { background: 'none', fontSize: '12px', overflow: 'visible' },
  });
  let svg = drawn(heat ? HEAT_LEFT : 56);
  if (!heat && leftMargin(svg) > 56) svg = drawn(leftMargin(svg));
  for (const style of svg.querySelectorAll('style')) style.remove();
  const cells = svg.querySelector('.x-points'), numbers = heat && cells.previousElementSibling;
  if (numbers) cells.after(numbers); // draws the numbers over the cells
  legend.node.setAttribute('transform', `translate(8,${plain})`);
  svg.append(legend.node);
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', `${spec.title}: ${spec.label}${spec.xLabel ? ' by ' + spec.xLabel.toLowerCase() : ''}`);
  for (const g of svg.querySelectorAll('g')) for (const name of ['aria-label', 'aria-description']) g.removeAttribute(name);
  const focused = refocus(host);
  makePoints(svg, points);
  if (spec.kind === 'line') spreadPoints(svg);
  host.replaceChildren(svg);
  focused(host);
}

window.labPlots = {
  draw,
  save: (name, paper) => window.labDownload(name, 'image/svg+xml', new TextEncoder().encode(exported(document.querySelector('#x-plot svg'), lastSpec, paper))),
};

addEventListener('resize', () => { if (lastSpec) requestAnimationFrame(() => draw(lastSpec)); });
