// Paths, and how they and words are put on a canvas or a sheet of SVG.
const { max, min } = Math;

// A path is remembered here until it is drawn: freeing thousands of long Path2D, as
// many as a minute of zooming makes, holds the page up.
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

// byKey returns paths by their colour or the like, made as they are asked for.
export function byKey() {
  const paths = new Map();
  return [paths, key => paths.get(key) ?? paths.set(key, new Path()).get(key)];
}

export function line(path, x0, y0, x1, y1) {
  path.moveTo(x0, y0);
  path.lineTo(x1, y1);
}

export function rect(...area) {
  const path = new Path();
  path.rect(...area);
  return path;
}

// hatch returns lines from the lower left to the upper right, `by` pixels apart.
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

// within paints inside of a path alone.
export function within(ctx, path, paint) {
  ctx.save();
  path.on(ctx).clip();
  paint();
  ctx.restore();
}

// visible returns a text with a sign for each character that cannot be seen but changes how
// others are (as in ui/vugu/render).
export const visible = text => String(text ?? '').replace(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');

export function write(ctx, text, x, y, font, colour, align = 'center') {
  ctx.globalAlpha = 1;
  ctx.font = font;
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.textBaseline = 'middle';
  ctx.fillText(visible(text), x, y);
}

// label writes the first of some texts for which the part of a box that is in sight
// has room; signs need little.
export function label(ctx, scene, texts, [x, y, width, height], colour, ground) {
  const left = max(x, 0), right = min(x + width, scene.width), middle = (left + right) / 2, room = right - left;
  const text = height >= 11 && [texts].flat().find(t => t && room >= max(t > '\u2000' ? 0 : 24, t.length * 7 + 4));
  if (!text) return;
  const half = text.length * 3.5 + 4;
  if (ground) fill(ctx, ground, rect(middle - half, y + height / 2 - 7, 2 * half, 14), 0.85);
  write(ctx, text, middle, y + height / 2 + 0.5, `11px ${scene.look.font}`, colour);
}
