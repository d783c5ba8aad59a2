// This module has paths, and functions that draw paths and text on a canvas, or as SVG on a sheet (picture/sheet.js).
const { max, min } = Math;

// A Path records its steps until it is drawn. Path2D objects would be slow, because zooming would
// create thousands in a minute, and freeing them blocks the page.
const STEPS = ['moveTo', 'lineTo', 'rect', 'roundRect'];
export class Path {
  steps = [];
  on(ctx) {
    ctx.beginPath();
    for (let i = 0, steps = this.steps; i < steps.length;) ctx[STEPS[steps[i++]]](steps[i++], steps[i++], steps[i++], steps[i++], steps[i++]);
    return ctx;
  }
}
STEPS.forEach((name, k) => {
  Path.prototype[name] = function (x, y, width = 0, height = 0, radius = 0) { this.steps.push(k, x, y, width, height, radius); };
});

// byKey returns an empty map from keys, such as colours, to paths, and a function that returns the
// path of a key. The function creates the path if necessary.
export function byKey() {
  const paths = new Map();
  return [paths, key => paths.get(key) ?? paths.set(key, new Path()).get(key)];
}

// line adds a line to a path.
export function line(path, x0, y0, x1, y1) {
  path.moveTo(x0, y0);
  path.lineTo(x1, y1);
}

export function rect(...area) {
  const path = new Path();
  path.rect(...area);
  return path;
}

// hatch returns diagonal lines, from lower left to upper right, `by` pixels apart.
export function hatch([x, y, width, height], by) {
  const path = new Path();
  for (let at = x - x % by - height - height % by; at < x + width; at += by) line(path, at, y + height, at + height, y);
  return path;
}

export function fill(ctx, colour, path, alpha = 1) {
  ctx.globalAlpha = alpha;
  ctx.fillStyle = colour;
  path.on(ctx).fill();
}

export function stroke(ctx, colour, path, width, alpha = 1, dash = []) {
  ctx.globalAlpha = alpha;
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  path.on(ctx).stroke();
}

// within clips drawing to the inside of a path.
export function within(ctx, path, paint) {
  ctx.save();
  path.on(ctx).clip();
  paint();
  ctx.restore();
}

// visible returns a text in which a visible sign replaces each invisible character that affects
// how other text is displayed. ui/vugu/render does the same.
export const visible = text => String(text ?? '').replace(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');

// write draws a text. y is the middle of its line.
export function write(ctx, text, x, y, font, colour, align = 'center') {
  ctx.globalAlpha = 1;
  ctx.font = font;
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.textBaseline = 'middle';
  ctx.fillText(visible(text), x, y);
}

// label writes the first of several texts that fits into the visible part of a box, if any text
// fits. `ground` is the colour of its background.
export function label(ctx, scene, texts, [x, y, width, height], colour, ground) {
  const left = max(x, 0), right = min(x + width, scene.width), middle = (left + right) / 2, room = right - left;
  const text = height >= 11 && [texts].flat().find(t => t && room >= t.length * 7 + 4);
  if (!text) return;
  const half = text.length * 3.5 + 4;
  if (ground) fill(ctx, ground, rect(middle - half, y + height / 2 - 7, 2 * half, 14), 0.85);
  write(ctx, text, middle, y + height / 2 + 0.5, `11px ${scene.look.font}`, colour);
}
