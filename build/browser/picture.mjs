// This module has helpers for tests of exported charts. They return the drawing on the screen and
// in an SVG in the same form, and the contents of a PDF.
import { inflateSync } from 'node:zlib';

// recordDrawing makes the charts of a page record their drawing from now on, with separate records
// of the lower and the upper layer.
export const recordDrawing = page => page.evaluate(() => {
  const round = v => Math.round(v * 100) / 100;
  // grow has a function for each path method, which adds the arguments of a call to `shapes`, the current path.
  const grow = {
    beginPath: shapes => { shapes.length = 0; },
    moveTo: (shapes, x, y) => shapes.push(['line', round(x), round(y)]),
    lineTo: (shapes, x, y) => (shapes.at(-1)?.[0] === 'line' ? shapes.at(-1).push(round(x), round(y)) : grow.moveTo(shapes, x, y)),
    rect: (shapes, ...b) => shapes.push(['rect', ...b.slice(0, 4).map(round)]),
    roundRect: (shapes, ...b) => shapes.push(['round', ...b.slice(0, 4).map(round)]),
  };
  for (const host of document.querySelectorAll('#charts [data-chart], #strip')) {
    host.recorded = [[], []];
    host.labChart.layers.forEach((ctx, k) => {
      const list = host.recorded[k], { clearRect, fill, stroke, fillText } = ctx, shapes = [];
      for (const [name, add] of Object.entries(grow)) {
        const really = ctx[name];
        ctx[name] = (...at) => { add(shapes, ...at); return really.apply(ctx, at); };
      }
      ctx.clearRect = (...box) => { list.length = 0; return clearRect.apply(ctx, box); };
      ctx.fill = () => { if (shapes.length) list.push(['fill', ctx.fillStyle, round(ctx.globalAlpha), [...shapes]]); return fill.call(ctx); };
      ctx.stroke = () => { if (shapes.length) list.push(['stroke', ctx.strokeStyle, round(ctx.globalAlpha), [...shapes], ctx.lineWidth]); return stroke.call(ctx); };
      ctx.fillText = (text, x, y) => { list.push(['text', ctx.fillStyle, text, round(x), round(y)]); return fillText.call(ctx, text, x, y); };
    });
  }
});

// recordedDrawing returns the recorded drawing of each chart. It returns JSON, because engines can
// return a large list only once.
export const recordedDrawing = async page => JSON.parse(await page.evaluate(() => JSON.stringify([...document.querySelectorAll('#charts [data-chart], #strip')].map(host => host.recorded.flat()))));

// drawingOfSVG parses an SVG in the page. It returns its charts in the same form as
// recordedDrawing.
export const drawingOfSVG = (page, svg) => page.evaluate(text => {
  const doc = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (doc.querySelector('parsererror')) throw new Error(doc.querySelector('parsererror').textContent);
  const round = v => Math.round(v * 100) / 100, pen = document.createElement('canvas').getContext('2d');
  // attribute returns an attribute of an element. It normalizes colours in the same way as a
  // canvas.
  const attribute = (el, name) => {
    const value = el.getAttribute(name);
    if (name !== 'fill' && name !== 'stroke') return value;
    pen.fillStyle = value;
    return pen.fillStyle;
  };
  // shapesOf returns the rectangles and lines in the path data of an SVG path.
  function shapesOf(d) {
    return d.match(/M[^M]+/g).map(part => {
      const tokens = part.match(/[a-zA-Z]|-?[\d.]+/g), numbers = part.match(/-?[\d.]+/g).map(Number), [x, y] = numbers;
      if (tokens.includes('a')) {
        const [,, across, r,,,,,,, down] = numbers;
        return ['round', round(x - r), y, round(across + 2 * r), round(down + 2 * r)];
      }
      return tokens.includes('h') ? ['rect', ...numbers.slice(0, 4)] : ['line', ...numbers];
    });
  }
  // The selector matches only groups that are shifted by the width of the gutter, as charts are. Legend
  // keys are clipped too, but not shifted.
  const charts = [...doc.querySelectorAll('g[transform="translate(48 0)"] > g[clip-path]')];
  return charts.map(g => {
    let [left, top] = [0, 0];
    for (let up = g; up; up = up.parentNode.closest?.('g')) {
      const at = /translate\((\S+) (\S+)\)/.exec(attribute(up, 'transform') ?? '');
      if (at) [left, top] = [left + +at[1], top + +at[2]];
    }
    const list = [...g.querySelectorAll('path:not(clipPath path), text')].map(el => {
      if (el.localName === 'text') return ['text', attribute(el, 'fill'), el.textContent, +attribute(el, 'x'), round(attribute(el, 'y') - 0.35 * attribute(el, 'font-size'))];
      const how = el.hasAttribute('stroke') ? 'stroke' : 'fill';
      return [how, attribute(el, how), +attribute(el, how + '-opacity'), shapesOf(attribute(el, 'd')), ...how === 'stroke' ? [+attribute(el, 'stroke-width')] : []];
    });
    return { left, top, list };
  });
}, svg);

// largestDifference returns the largest difference between two numbers at the same index of two
// lists. Any other difference between the lists counts as 10^9.
export function largestDifference(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b);
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b ? 0 : 1e9;
  if (a.length !== b.length) return 1e9;
  return a.reduce((most, v, i) => Math.max(most, largestDifference(v, b[i])), 0);
}

// contentsOfPDF returns the number of pages of a PDF, the number of drawn areas, the widths of its
// images, and its text. It needs the fonts' character tables to decode the text.
export function contentsOfPDF(pdf) {
  const raw = Buffer.from(pdf).toString('latin1'), objects = new Map();
  for (const [, id, body] of raw.matchAll(/(\d+) 0 obj\b([\s\S]*?)\bendobj/g)) {
    const at = /stream\r?\n([\s\S]*?)\r?\n?endstream/.exec(body), head = body.split('stream')[0];
    let data = at ? Buffer.from(at[1], 'latin1') : null;
    if (data && /FlateDecode/.test(head)) try { data = inflateSync(data); } catch { data = null; }
    objects.set(id, { head, text: data?.toString('latin1') ?? '' });
  }
  const all = [...objects.values()];
  const content = all.filter(o => /\bBT\b|\bre\b/.test(o.text) && !/begincmap/.test(o.text)).map(o => o.text);
  return {
    pages: all.filter(o => /\/Type\s*\/Page\b/.test(o.head)).length,
    areas: content.reduce((sum, t) => sum + (t.match(/\b(re|l|c)\n/g)?.length ?? 0), 0),
    images: all.filter(o => /\/Subtype\s*\/Image/.test(o.head)).map(o => +/\/Width (\d+)/.exec(o.head)[1]),
    text: all.filter(o => /\/Type\s*\/Page\b/.test(o.head)).map(page => pageText(page, objects)).join('\n').normalize('NFKC'), // fonts have a ligature for fi
  };
}

// pageText returns the text of a page of a PDF.
function pageText(page, objects) {
  const contents = /\/Contents (\d+) 0 R/.exec(page.head)?.[1], fonts = new Map();
  for (const [, name, id] of page.head.matchAll(/\/(F\d+) (\d+) 0 R/g)) fonts.set(name, glyphsOf(objects.get(objects.get(id)?.head.match(/\/ToUnicode (\d+) 0 R/)?.[1])?.text ?? ''));
  let font, text = '';
  for (const [, name, hex, end] of (objects.get(contents)?.text ?? '').matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|\b(ET)\b/g)) {
    if (name) font = fonts.get(name);
    else if (end) text += '\n';
    else for (const code of hex.match(/.{4}/g) ?? []) text += font?.get(parseInt(code, 16)) ?? '';
  }
  return text;
}

// glyphsOf returns the characters of a font's glyphs, from its ToUnicode table.
function glyphsOf(table) {
  const glyphs = new Map(), sign = hex => String.fromCodePoint(...hex.match(/.{4}/g).map(h => parseInt(h, 16)));
  for (const [, part] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) for (const [, code, to] of part.matchAll(/<(\w+)>\s*<(\w+)>/g)) glyphs.set(parseInt(code, 16), sign(to));
  for (const [, part] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from, to, first] of part.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      for (let c = parseInt(from, 16); c <= parseInt(to, 16); c++) glyphs.set(c, String.fromCodePoint(parseInt(first, 16) + c - parseInt(from, 16)));
    }
  }
  return glyphs;
}
