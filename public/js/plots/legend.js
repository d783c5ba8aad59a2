// This module draws the legend of a plot as part of the plot's SVG, so that exported plots have it too.
export const SVG = 'http://www.w3.org/2000/svg';

// LEGEND_LINE is the height of a line of the legend, and LETTER the typical width of a character,
// in pixels.
const LEGEND_LINE = 20;
export const LETTER = 6.9;
const KEY = 30, GAP = 16;

// make returns an SVG element.
export function make(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const label = (text, x, y) => make('text', { x, y: y + 4, fill: 'currentColor', 'font-size': 12, 'text-anchor': 'start' }, text);

// PATHS holds a path around the point 0,0 for each symbol.
const PATHS = {
  circle: 'M5,0A5,5 0 1 1 -5,0A5,5 0 1 1 5,0Z', square: 'M-4.5,-4.5H4.5V4.5H-4.5Z', triangle: 'M0,-6L5.5,4H-5.5Z', diamond: 'M0,-6L4,0L0,6L-4,0Z',
  star: 'M0,-6L1.6,-2L6,-2L2.4,1L4,5.5L0,2.8L-4,5.5L-2.4,1L-6,-2L-1.6,-2Z', wye: 'M-1.6,6V0.8L-5.6,-2.4L-4,-5L0,-1.6L4,-5L5.6,-2.4L1.6,0.8V6Z', cross: 'M-2,-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z', hexagon: 'M0,-5.5L4.8,-2.7V2.7L0,5.5L-4.8,2.7V-2.7Z',
};

// heatLegend returns a legend with the lowest and the highest value and their colours.
function heatLegend({ label: what }, { low, high }) {
  const steps = Array.from({ length: 10 }, (_, i) => make('rect', { x: i * 14, y: 4, width: 14, height: 12, fill: `color-mix(in srgb, var(--of-0) ${Math.round(8 + 82 * i / 9)}%, var(--paper))` }));
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(high), 1e-9))));
  const text = `${low.toFixed(Math.min(digits, 6))} to ${high.toFixed(Math.min(digits, 6))}: ${what}`;
  return { height: LEGEND_LINE, node: make('g', { class: 'x-legend' }, ...steps, label(text, 150, 10)) };
}

// legendOf returns the legend of a plot and its height.
export function legendOf(spec, width, { colourOf, symbolOf, dashOf, scale }) {
  if (scale) return heatLegend(spec, scale);
  if (spec.kind === 'box') return { height: 0, node: make('g', {}) };
  const node = make('g', { class: 'x-legend' });
  let x = 0, y = LEGEND_LINE / 2;
  spec.series.forEach((name, s) => {
    const text = name.length > 48 ? name.slice(0, 47) + '…' : name, wide = KEY + text.length * LETTER + GAP;
    if (x > 0 && x + wide > width) [x, y] = [0, y + LEGEND_LINE];
    node.append(
      make('line', { x1: x, x2: x + 24, y1: y, y2: y, stroke: colourOf(s), 'stroke-width': 2, 'stroke-dasharray': dashOf(s) }),
      make('path', { d: PATHS[symbolOf(s)], transform: `translate(${x + 12},${y})`, fill: colourOf(s) }), label(text, x + KEY, y));
    x += wide;
  });
  return { height: y + LEGEND_LINE / 2, node };
}
