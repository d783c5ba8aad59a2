// Drawing on a given context: a scene says all there is to draw, nothing is kept.
// Pieces are six numbers each, as package gantt encodes them: from, to, lane0,
// lane1, job or count, flags + 256 x busy.
'use strict';
(() => {
  const { max, min, round } = Math, { ticks, moment } = labTime, { differs } = labColour;
  const BIN = 1, BACKFILLED = 2, RESUMED = 4, CONTINUES = 8, AWAY = 32;
  // Pixels of the labels above a strip.
  const AXIS = 20;

  const xOf = (s, t) => (t - s.t0) * s.w / (s.t1 - s.t0);
  const tOf = (s, x) => s.t0 + x * (s.t1 - s.t0) / s.w;

  // box is the rectangle of a piece: edges on device pixels, a pixel of air to the
  // next job, never less than a device pixel. Null: out of sight.
  function box(s, p, i) {
    if (p[i + 1] <= s.t0 || p[i] >= s.t1) return null;
    const { w, h, dpr } = s, snap = v => round(v * dpr) / dpr, yOf = lane => snap(h - lane * h / s.lanes);
    const x = snap(max(xOf(s, p[i]), -9)), y = yOf(p[i + 3]);
    const size = v => max(v > 3 && !(p[i + 5] & BIN) ? v - 1 : v, 1 / dpr);
    return [x, y, size(snap(min(xOf(s, p[i + 1]), w + 9)) - x), size(yOf(p[i + 2]) - y)];
  }

  // hit is the place of the piece at a moment and a lane, or -1; slivers are met
  // from `slack` seconds away.
  function hit(p, t, lane, slack = 0) {
    let best = -1, least = slack;
    for (let i = 0; i < p.length; i += 6) {
      if (lane < p[i + 2] || lane >= p[i + 3]) continue;
      if (t >= p[i] && t < p[i + 1]) return i;
      const off = max(p[i] - t, t - p[i + 1]);
      if (off < least) [best, least] = [i, off];
    }
    return best;
  }

  // extent is the first begin and last end of a job, and its lanes at a begin.
  function extent(p, job, begin) {
    const e = [Infinity, 0, 0];
    for (let i = 0; i < p.length; i += 6) {
      if (p[i + 4] !== job || p[i + 5] & BIN) continue;
      e[0] = min(e[0], p[i]);
      e[1] = max(e[1], p[i + 1]);
      if (p[i] === begin) e[2] += p[i + 3] - p[i + 2];
    }
    return e[1] && e;
  }

  // totals counts jobs and lane-seconds between two moments; `about`: by bins.
  function totals(p, t0, t1) {
    const jobs = new Set();
    let binned = 0, area = 0, about = '';
    for (let i = 0; i < p.length; i += 6) {
      const d = min(p[i + 1], t1) - max(p[i], t0), bin = p[i + 5] & BIN;
      if (d <= 0) continue;
      area += d * (p[i + 3] - p[i + 2]) * (bin ? (p[i + 5] >> 8) / 255 : 1);
      if (!bin) jobs.add(p[i + 4]);
      else [binned, about] = [binned + p[i + 4] * d / (p[i + 1] - p[i]), 'about '];
    }
    return { jobs: jobs.size + round(binned), area: round(area), about };
  }

  // each does something for every piece in sight.
  function each(s, p, act) {
    for (let i = 0; i < p.length; i += 6) {
      const b = box(s, p, i);
      if (b) act(b, p[i + 5], p[i + 4], i);
    }
  }

  // A path is remembered here until it is drawn: freeing thousands of long Path2D, as
  // many as a minute of zooming makes, holds the page up.
  const STEPS = ['moveTo', 'lineTo', 'rect', 'roundRect'];
  class Path {
    steps = [];
    on(ctx) {
      ctx.beginPath();
      for (let i = 0, a = this.steps; i < a.length;) ctx[STEPS[a[i++]]](a[i++], a[i++], a[i++], a[i++], a[i++]);
      return ctx;
    }
  }
  STEPS.forEach((name, k) => { Path.prototype[name] = function (x, y, w = 0, h = 0, r = 0) { this.steps.push(k, x, y, w, h, r); }; });

  const blank = () => new Path();

  // sorted is paths by colour, made as they are asked for.
  function sorted() {
    const paths = new Map();
    return [paths, key => paths.get(key) ?? paths.set(key, blank()).get(key)];
  }

  function line(path, x0, y0, x1, y1) {
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
  }

  function rect(...b) {
    const path = blank();
    path.rect(...b);
    return path;
  }

  function fill(ctx, colour, path, alpha = 1) {
    ctx.globalAlpha = alpha;
    ctx.fillStyle = colour;
    path.on(ctx).fill();
  }

  function stroke(ctx, colour, path, width, alpha = 1, dash = []) {
    ctx.globalAlpha = alpha;
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.setLineDash(dash);
    path.on(ctx).stroke();
  }

  function write(ctx, s, text, x, y, colour) {
    ctx.globalAlpha = 1;
    ctx.font = `11px ${s.look.font}`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = colour;
    ctx.fillText(visible(text), x, y);
  }

  // visible is a text with a sign for each character that cannot be seen but changes how
  // others are (as in ui/vugu/render).
  const visible = text => String(text ?? '').replace(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');

  // name writes the first of some texts for which the part of a box that is in sight
  // has room; signs need little.
  function name(ctx, s, texts, [x, y, w, h], colour, ground) {
    const x0 = max(x, 0), x1 = min(x + w, s.w), mid = (x0 + x1) / 2;
    const text = h >= 11 && [texts].flat().find(t => t && x1 - x0 >= max(t > '\u2000' ? 0 : 24, t.length * 7 + 4)), half = text?.length * 3.5 + 4;
    if (!text) return;
    if (ground) fill(ctx, ground, rect(mid - half, y + h / 2 - 7, 2 * half, 14), 0.85);
    write(ctx, s, text, mid, y + h / 2 + 0.5, colour);
  }

  function grid(ctx, s) {
    const path = blank(), ky = s.h / s.lanes;
    for (const t of ticks(s.t0, s.t1, s.w).at) {
      const x = min(round(xOf(s, t)) + 0.5, s.w - 0.5);
      line(path, x, 0, x, s.h);
    }
    for (let y = s.h - ky; ky >= 8 && y > 1; y -= ky) line(path, 0, round(y) - 0.5, s.w, round(y) - 0.5);
    stroke(ctx, s.look.grid, path, 1);
  }

  // title names a time slice by its number; a bin of them by how many there are.
  const title = (types, bin, n) => (bin ? n + ' slices' : types[n - 1] ?? 'overhead');

  // slices shades the time slices behind the lanes and names them at the foot: the
  // longer its jobs may be, the higher a bar.
  function slices(ctx, s) {
    const { look, h, tall, types } = s, [paths, into] = sorted();
    each(s, types && s.bands || [], ([x, , w], bin, n) => {
      const view = bin ? 0 : n, high = 9 * view / types.length || 9, text = title(types, bin, n);
      into(view).rect(x, tall - high, w, high);
      if (!bin) into(view + 4).rect(x, 0, w, h);
      name(ctx, s, bin || w > 48 ? text : text[0], [x, h, w, 14], look.ink);
    });
    for (const [k, path] of paths) fill(ctx, look.slices[k % 4], path, k > 3 ? 0.13 : 1);
  }

  // nodes parts nodes of several cores, and dots between these where jobs share one.
  // A block is hatched.
  function nodes(ctx, s) {
    const { look, run: { cores }, shares = [] } = s;
    const ky = s.h / s.lanes, tall = ky * cores, by = max(ky, 6), edges = blank(), dots = blank();
    each(s, shares, (b, f, block) => {
      const [x, y, w, h] = b;
      if (f & AWAY) hatched(ctx, s, b, block);
      else for (let d = y + h - by; d > y; d -= by) line(dots, x, d, x + w, d);
    });
    stroke(ctx, look.paper, dots, 2, 1, [4, 2]);
    stroke(ctx, look.ink, dots, 2, 1, [2, 4]);
    for (let y = s.h - tall; cores > 1 && tall >= 8 && y > 1; y -= tall) line(edges, 0, round(y) - 0.5, s.w, round(y) - 0.5);
    stroke(ctx, look.paper, edges, 3);
    stroke(ctx, look.label, edges, 1);
  }

  function hatched(ctx, s, b, block) {
    const [x, y, w, h] = b, hatch = blank();
    for (let d = x - x % 9 - h - h % 9; d < x + w; d += 9) line(hatch, d, y + h, d + h, y);
    within(ctx, rect(...b), () => stroke(ctx, s.look.label, hatch, 1));
    name(ctx, s, s.labels[block], b, s.look.ink, s.look.paper);
  }

  // gantt draws one path a colour; bins in eight shades of how busy they are.
  function gantt(ctx, s) {
    const { look, p = [], joins = [], paces = [] } = s, few = p.length < 12000, names = [], [paths, into] = sorted(), [threads, thread] = sorted();
    const outline = blank(), cut = blank();
    slices(ctx, s);
    grid(ctx, s);
    each(s, joins, ([x, y, w, h], _, job) => line(thread(s.bucket(job)), x, y + h / 2, x + w, y + h / 2));
    for (const [c, path] of threads) stroke(ctx, look.jobs[c], path, 1.5);
    each(s, p, (b, f, job, i) => {
      const [x, y, w, h] = b, rate = paces[i / 2] ?? 1;
      // Of a bin eight shades of how busy it is, and its class.
      const c = f & BIN ? -1 - (f >> 13) - (s.scale ? 8 + 8 * s.classes[i / 3] : 0) : s.bucket(job);
      if (few && c >= 0 && w > 5 && h > 5) into(c).roundRect(...b, 2);
      else into(c).rect(...b);
      if (c < 0 || w < 4 || h < 4) return;
      const id = s.labels[job], by = differs(s, i);
      const texts = by.length ? [id && `${id} ${by[0]}`, ...by] : [rate !== 1 && id && `${id} ×${rate.toFixed(2)}`, id];
      if (w >= (by.length ? 11 : 24)) names.push([texts, b, look.over[c], paces.length && look.jobs[c]]);
      if (f & BACKFILLED && h >= 8) outline.roundRect(x + 0.75, y + 0.75, w - 1.5, h - 1.5, 2);
      if (f & RESUMED) line(cut, x + 1, y, x + 1, y + h);
      if (f & CONTINUES) line(cut, x + w - 1, y, x + w - 1, y + h);
    });
    for (const [c, path] of paths) {
      const k = -1 - c;
      fill(ctx, look.jobs[c < 0 ? (k >> 3) - 1 : c] ?? look.bin, path, c < 0 ? 0.2 + 0.1 * (k & 7) : 1);
      if (c >= 0 && few) stroke(ctx, look.ink, path, 1, look.edge);
    }
    stroke(ctx, look.ink, outline, 1.5);
    stroke(ctx, look.ink, cut, 2, 1, [3, 2]);
    nodes(ctx, s);
    for (const n of names) name(ctx, s, ...n);
  }

  function within(ctx, path, paint) {
    ctx.save();
    path.on(ctx).clip();
    paint();
    ctx.restore();
  }

  // plan draws the reservations of a moment, hatched over what came to be; of an
  // event also what running jobs hold, and where the job that moved was.
  function plan(ctx, s, { p, labels }) {
    each(s, p, (b, f, job) => {
      const [x, y, w, h] = b, path = rect(...b), hatch = blank(), colour = s.look.jobs[s.bucket(job)], its = job === s.job;
      for (let d = x - x % 7 - h - h % 7; d < x + w; d += 7) line(hatch, d, y + h, d + h, y);
      if (!(f & RESUMED)) {
        fill(ctx, s.look.paper, path, 0.82);
        if (f & CONTINUES) fill(ctx, colour, path, 0.4);
        else within(ctx, path, () => stroke(ctx, colour, hatch, 2.5));
        name(ctx, s, labels[job], b, s.look.ink, s.look.paper);
      }
      stroke(ctx, its ? s.look.accent : s.look.ink, path, its ? 2.5 : 1.5, its ? 1 : 0.6, its && !(f & RESUMED) ? [] : [4, 3]);
    });
  }

  // used is how much of a resource is in use at a moment, in words.
  const used = ({ p, from, to, name, capacity }, t) => `${name} ${Number((p[2 * Math.floor((t - from) / (to - from) * p.length / 2)] ?? 0).toFixed(2))} of ${capacity}`;

  // marks draws, on a canvas of its own, what changes while the pieces stand still.
  function marks(ctx, s) {
    const { w, h, tall, look, p = [], joins = [] } = s, x = t => round(xOf(s, t)), [a, b] = (s.brush || s.range || []).map(x);
    // What the event did not know is hidden.
    if (s.play && s.lanes) {
      const later = rect(x(s.cursor), 0, w, tall);
      fill(ctx, look.paper, later);
      within(ctx, later, () => grid(ctx, s));
    }
    if (s.plan) plan(ctx, s, s.plan);
    if (s.brush) {
      for (const side of [rect(0, 0, a, h), rect(b, 0, w - b, h)]) fill(ctx, look.paper, side, 0.72);
      stroke(ctx, look.label, rect(a + 0.5, 0.5, max(b - a, 3) - 1, h - 1), 1);
    } else if (s.range) fill(ctx, look.accent, rect(a, 0, b - a, h), 0.16);
    if (s.cursor !== null) fill(ctx, look.accent, rect(min(x(s.cursor) - 1, w - 2), s.axis ? AXIS - 4 : 0, 2, tall));
    if (s.name && s.cursor !== null && p.length) {
      const text = used(s, s.cursor), wide = text.length * 7 + 8;
      name(ctx, s, text, [max(min(x(s.cursor) + 4, w - wide), 0), 0, wide, h], look.ink, look.paper);
    }
    for (const all of s.lanes ? [joins, p] : []) {
      each(s, all, (b, f, job) => {
        const chosen = job === s.selected;
        if ((chosen || job === s.hover) && !(f & BIN)) stroke(ctx, chosen ? look.accent : look.ink, rect(...b), chosen ? 2.5 : 1.5);
      });
    }
    for (const [info, edit] of s.jobs ?? []) labJob.sketch(ctx, s, info, edit);
  }

  // series draws the busy processors; below an axis the waiting jobs as well.
  function series(ctx, s) {
    const { p = [], look } = s, room = s.h - 2 - (s.axis ? AXIS : 0), by = (s.to - s.from) * 2 / p.length;
    const busy = blank(), queue = blank(), most = p.reduce((m, v, i) => (i % 2 ? max(m, v) : m), 1);
    for (let i = 0, from = 0; i < p.length; i += 2) {
      if (p[i] === p[i + 2] && p[i + 1] === p[i + 3]) continue;
      const [x0, x1] = [from, from = i + 2].map(k => min(max(xOf(s, s.from + k / 2 * by), 0), s.w));
      if (x0 === x1) continue;
      const full = room * min(p[i] / s.capacity, 1), y = s.h - 1 - 0.66 * room * p[i + 1] / most;
      busy.rect(x0, s.h - full, x1 - x0 + 0.4, full);
      queue.lineTo(x0, y);
      queue.lineTo(x1, y);
    }
    fill(ctx, look.busy, busy);
    if (!s.axis) return;
    stroke(ctx, look.queue, queue, 1.5);
    axis(ctx, s);
  }

  function axis(ctx, s) {
    const { at, by } = ticks(s.t0, s.t1, s.w);
    for (const t of at) {
      const text = moment(t, by, s.t1 < 1000), half = text.length * 3.5;
      write(ctx, s, text, min(max(xOf(s, t), half), s.w - half), 8, s.look.label);
    }
  }

  // shade marks when the jobs were submitted that the metrics leave out.
  function shade(ctx, s) {
    for (const [a, b] of s.run.left ?? []) fill(ctx, s.look.label, rect(xOf(s, a), 0, max(xOf(s, b) - xOf(s, a), 2), s.h), 0.25);
  }

  // paint draws what stands still while marks change.
  function paint(ctx, s) {
    (s.lanes ? gantt : series)(ctx, s);
    shade(ctx, s);
  }

  globalThis.labDraw = { visible, BIN, xOf, tOf, box, blank, line, rect, fill, stroke, hit, extent, totals, title, used, gantt, marks, series, shade, axis, paint };
})();
