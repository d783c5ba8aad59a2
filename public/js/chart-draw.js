// Drawing on a given context. A scene says all there is to draw; nothing is kept
// and nothing read from the page. Pieces are six numbers each, as package gantt
// encodes them: from, to, lane0, lane1, job or count, flags + 256 x busy.
'use strict';
(() => {
  const { ticks, moment } = globalThis.labTime;
  const BIN = 1, BACKFILLED = 2, RESUMED = 4, CONTINUES = 8, SHARED = 16;
  const AXIS = 20; // pixels of the labels above a strip

  // over is the colour of text on a ground: black or white, whichever is clearer.
  function over(hex) {
    const [r, g, b] = [1, 3, 5].map(i => (parseInt(hex.slice(i, i + 2), 16) / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff';
  }

  const xOf = (s, t) => (t - s.t0) * s.w / (s.t1 - s.t0);
  const tOf = (s, x) => s.t0 + x * (s.t1 - s.t0) / s.w;

  // box is the rectangle of a piece: edges on device pixels, a pixel of air to the
  // next job, never less than a device pixel. Null: out of sight.
  function box(s, p, i) {
    if (p[i + 1] <= s.t0 || p[i] >= s.t1) return null;
    const snap = v => Math.round(v * s.dpr) / s.dpr, least = 1 / s.dpr, air = p[i + 5] & BIN ? 0 : 1;
    const x = snap(Math.max(xOf(s, p[i]), -9)), y = snap(s.h - p[i + 3] * s.h / s.lanes);
    const w = snap(Math.min(xOf(s, p[i + 1]), s.w + 9)) - x, h = snap(s.h - p[i + 2] * s.h / s.lanes) - y;
    return [x, y, Math.max(w > 3 ? w - air : w, least), Math.max(h > 3 ? h - air : h, least)];
  }

  // hit is the place of the piece at a moment and a lane, -1 if there is none;
  // slivers are met from `slack` seconds away.
  function hit(p, t, lane, slack = 0) {
    let best = -1, least = slack;
    for (let i = 0; i < p.length; i += 6) {
      if (lane < p[i + 2] || lane >= p[i + 3]) continue;
      if (t >= p[i] && t < p[i + 1]) return i;
      const off = Math.max(p[i] - t, t - p[i + 1]);
      if (off < least) [best, least] = [i, off];
    }
    return best;
  }

  // extent is the first begin and the last end of a job.
  function extent(p, job) {
    let e = null;
    for (let i = 0; i < p.length; i += 6) {
      if (p[i + 4] === job && !(p[i + 5] & BIN)) e = [e ? e[0] : p[i], Math.max(e ? e[1] : 0, p[i + 1])];
    }
    return e;
  }

  // totals counts jobs and lane-seconds between two moments; `about`: by bins.
  function totals(p, t0, t1) {
    const jobs = new Set();
    let binned = 0, area = 0, about = '';
    for (let i = 0; i < p.length; i += 6) {
      const d = Math.min(p[i + 1], t1) - Math.max(p[i], t0), bin = p[i + 5] & BIN;
      if (d <= 0) continue;
      area += d * (p[i + 3] - p[i + 2]) * (bin ? (p[i + 5] >> 8) / 255 : 1);
      if (!bin) jobs.add(p[i + 4]);
      else [binned, about] = [binned + p[i + 4] * d / (p[i + 1] - p[i]), 'about '];
    }
    return { jobs: jobs.size + Math.round(binned), area: Math.round(area), about };
  }

  const line = (path, x0, y0, x1, y1) => { path.moveTo(x0, y0); path.lineTo(x1, y1); };

  function fill(ctx, colour, path, alpha = 1) {
    ctx.globalAlpha = alpha;
    ctx.fillStyle = colour;
    ctx.fill(path);
    ctx.globalAlpha = 1;
  }

  function stroke(ctx, colour, path, width, alpha = 1, dash = []) {
    ctx.globalAlpha = alpha;
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.setLineDash(dash);
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  }

  function rect(x, y, w, h) {
    const path = new Path2D();
    path.rect(x, y, w, h);
    return path;
  }

  function write(ctx, s, text, x, y, colour) {
    ctx.font = `11px ${s.look.font}`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = colour;
    ctx.fillText(text, x, y);
  }

  // name writes a job's id where the part of its box that is in sight has room.
  function name(ctx, s, id, [x, y, w, h], colour) {
    const x0 = Math.max(x, 0), x1 = Math.min(x + w, s.w);
    if (id && h >= 11 && x1 - x0 >= Math.max(24, id.length * 7 + 4)) write(ctx, s, id, (x0 + x1) / 2, y + h / 2 + 0.5, colour);
  }

  function grid(ctx, s) {
    const path = new Path2D(), ky = s.h / s.lanes;
    for (const t of ticks(s.t0, s.t1, s.w).at) {
      const x = Math.min(Math.round(xOf(s, t)) + 0.5, s.w - 0.5);
      line(path, x, 0, x, s.h);
    }
    for (let lane = 1; ky >= 8 && lane < s.lanes; lane++) {
      const y = Math.round(s.h - lane * ky) - 0.5;
      line(path, 0, y, s.w, y);
    }
    stroke(ctx, s.look.grid, path, 1);
  }

  // gantt draws one path a colour, bins in eight shades of how busy they are.
  function gantt(ctx, s) {
    const { look, p = [] } = s, few = p.length < 12000, paths = new Map(), names = [];
    const into = key => paths.get(key) ?? paths.set(key, new Path2D()).get(key);
    const extra = { shared: new Path2D(), outline: new Path2D(), cut: new Path2D() };
    ctx.clearRect(0, 0, s.w, s.h);
    grid(ctx, s);
    for (let i = 0; i < p.length; i += 6) {
      const b = box(s, p, i);
      if (!b) continue;
      const [x, y, w, h] = b, f = p[i + 5], c = f & BIN ? -1 - (f >> 13) : s.bucket(p[i + 4]);
      if (few && c >= 0 && w > 5 && h > 5) into(c).roundRect(x, y, w, h, 2);
      else into(c).rect(x, y, w, h);
      if (c < 0 || w < 4 || h < 4) continue;
      if (w >= 24) names.push([b, s.labels[p[i + 4]], look.over[c]]);
      if (f & SHARED) line(extra.shared, x, y + h - 2, x + w, y + h - 2);
      if (f & BACKFILLED && h >= 8) extra.outline.roundRect(x + 0.75, y + 0.75, w - 1.5, h - 1.5, 2);
      if (f & RESUMED) line(extra.cut, x + 1, y, x + 1, y + h);
      if (f & CONTINUES) line(extra.cut, x + w - 1, y, x + w - 1, y + h);
    }
    for (const [c, path] of paths) {
      if (c < 0) fill(ctx, look.bin, path, 0.2 - 0.1 * (c + 1));
      else fill(ctx, look.jobs[c], path);
      if (c >= 0 && few) stroke(ctx, look.ink, path, 1, look.edge);
    }
    stroke(ctx, look.ink, extra.shared, 3, 0.4);
    stroke(ctx, look.ink, extra.outline, 1.5);
    stroke(ctx, look.ink, extra.cut, 2, 1, [3, 2]);
    for (const [b, id, colour] of names) name(ctx, s, id, b, colour);
  }

  // plan draws the reservations of a moment, hatched over what came to be.
  function plan(ctx, s, p, labels) {
    for (let i = 0; i < p.length; i += 6) {
      const b = box(s, p, i);
      if (!b) continue;
      const [x, y, w, h] = b, path = rect(...b), hatch = new Path2D();
      for (let d = x - x % 7 - h - h % 7; d < x + w; d += 7) line(hatch, d, y + h, d + h, y);
      fill(ctx, s.look.paper, path, 0.82);
      ctx.save();
      ctx.clip(path);
      stroke(ctx, s.look.jobs[s.bucket(p[i + 4])], hatch, 2.5);
      ctx.restore();
      stroke(ctx, s.look.ink, path, 1.5, 0.6, [4, 3]);
      name(ctx, s, labels[p[i + 4]], b, s.look.ink);
    }
  }

  // marks draws, on a canvas of its own, what changes while the pieces stand
  // still: plan, brush, range, cursor, and the jobs that are hovered or selected.
  function marks(ctx, s) {
    const { look, p } = s, x = t => Math.round(xOf(s, t));
    ctx.clearRect(0, 0, s.w, s.h);
    if (s.plan) plan(ctx, s, s.plan.p, s.plan.labels);
    if (s.brush) {
      const [a, b] = s.brush.map(x);
      for (const side of [rect(0, 0, a, s.h), rect(b, 0, s.w - b, s.h)]) fill(ctx, look.paper, side, 0.72);
      stroke(ctx, look.label, rect(a + 0.5, 0.5, Math.max(b - a, 3) - 1, s.h - 1), 1);
    } else if (s.range) {
      fill(ctx, look.accent, rect(x(s.range[0]), 0, x(s.range[1]) - x(s.range[0]), s.h), 0.16);
    }
    if (s.cursor !== null) fill(ctx, look.accent, rect(Math.min(x(s.cursor) - 1, s.w - 2), s.axis ? AXIS - 4 : 0, 2, s.h));
    for (let i = 0; s.lanes && p && i < p.length; i += 6) {
      const chosen = p[i + 4] === s.selected, b = (chosen || p[i + 4] === s.hover) && !(p[i + 5] & BIN) && box(s, p, i);
      if (b) stroke(ctx, chosen ? look.accent : look.ink, rect(...b), chosen ? 2.5 : 1.5);
    }
  }

  // series draws the busy processors; with an axis above also the waiting jobs.
  function series(ctx, s) {
    const { p = [] } = s, top = s.axis ? AXIS : 0, room = s.h - top - 2, by = (s.to - s.from) * 2 / p.length;
    const busy = new Path2D(), queue = new Path2D();
    let most = 1, x0 = 0;
    for (let i = 1; i < p.length; i += 2) most = Math.max(most, p[i]);
    ctx.clearRect(0, 0, s.w, s.h);
    for (let i = 0; i < p.length; i += 2) {
      const x1 = xOf(s, s.from + (i / 2 + 1) * by);
      if (x1 <= 0) continue;
      x0 ||= Math.max(xOf(s, s.from + i / 2 * by), 0);
      if (x0 > s.w) break;
      const full = room * Math.min(p[i] / s.capacity, 1), y = s.h - 1 - 0.66 * room * p[i + 1] / most;
      busy.rect(x0, s.h - full, x1 - x0 + 0.4, full);
      queue.lineTo(x0, y);
      queue.lineTo(x1, y);
      x0 = x1;
    }
    fill(ctx, s.look.busy, busy);
    if (!s.axis) return;
    stroke(ctx, s.look.queue, queue, 1.5);
    const { at, by: step } = ticks(s.t0, s.t1, s.w);
    for (const t of at) {
      const text = moment(t, step, s.t1 < 1000), half = text.length * 3.5;
      write(ctx, s, text, Math.min(Math.max(xOf(s, t), half), s.w - half), 8, s.look.label);
    }
  }

  globalThis.labDraw = { BIN, over, xOf, tOf, box, hit, extent, totals, gantt, marks, series };
})();
