// What a chart shows of one job: its wait since the submission, its estimate, and
// the grips by which it is edited; while it is, what it would be.
'use strict';
(() => {
  const { abs, max } = Math, { BIN, xOf, box, blank, extent, line, rect, fill, stroke } = labDraw;

  // parts is the pieces of a job that begin first or end last.
  function parts({ p = [] }, job, end, at) {
    const all = [];
    for (let i = 0; i < p.length; i += 6) if (p[i + 4] === job && !(p[i + 5] & BIN) && p[i + end] === at) all.push(p.subarray(i, i + 6));
    return all;
  }

  // lay is where things of a job are in a scene; null: nowhere.
  function lay(s, info) {
    const e = extent(s.p ?? [], info.job);
    if (!e) return null;
    const tops = parts(s, info.job, 1, e[1]), [first] = parts(s, info.job, 0, e[0]).map(q => box(s, q, 0)).filter(b => b);
    const late = xOf(s, e[1] + info.estimate - info.ran);
    return { from: e[0], to: e[1], tops, boxes: tops.map(q => box(s, q, 0)).filter(b => b), late, submit: xOf(s, info.submit), mid: first && first[1] + first[3] / 2 };
  }

  // grip is the field that can be taken hold of at a place; `slop` is how near that
  // must be. Those of a job that is not selected leave room to move the chart.
  function grip(s, info, x, y, slop, sure) {
    const at = lay(s, info), near = (v, edge) => abs(v - edge) <= slop;
    if (!at) return null;
    for (const [bx, by, bw, bh] of at.boxes) {
      const inside = y >= by - slop && y <= by + bh + slop, end = bx + bw;
      if (inside && near(x, end) && bw >= (sure ? 8 : 24)) return { field: 'runtime', ...at };
      if (sure && inside && near(x, at.late) && at.late - end > 8) return { field: 'estimate', ...at };
      if (x < bx || x > end || bh < (sure ? 12 : 16)) continue;
      if (near(y, by)) return { field: 'procs', side: 1, ...at };
      if (near(y, by + bh)) return { field: 'procs', side: -1, ...at };
    }
    return sure && at.mid && near(x, at.submit) && abs(y - at.mid) <= slop + 6 ? { field: 'submit', ...at } : null;
  }

  // sketch draws a job over the pieces; an edit has its values instead.
  function sketch(ctx, s, info, edit) {
    const at = lay(s, info), { accent, ink, paper } = s.look;
    if (!at) return;
    const now = { ...info, ...edit && { [edit.field]: edit.value } }, colour = edit ? accent : ink, end = at.to + now.runtime - info.ran, by = now.procs - info.had;
    const sure = s.selected === info.job, wait = blank(), grips = blank(), x = xOf(s, now.submit), late = blank(), ghost = blank();
    if (at.mid && xOf(s, at.from) - x > 6) {
      line(wait, x, at.mid, xOf(s, at.from), at.mid);
      line(wait, x, at.mid - 6, x, at.mid + 6);
      grips.rect(x - 2, at.mid - 6, 4, 12);
    }
    at.tops.forEach(([from, , a, b], i) => {
      const up = i === (edit?.side > 0 ? at.tops.length - 1 : 0) ? by : 0, q = [from, max(end, from + 1), edit?.side > 0 ? a : a - up, edit?.side > 0 ? b + up : b, 0, 0];
      const g = box(s, q, 0), rest = box(s, [q[1], at.to + now.estimate - info.ran, q[2], q[3], 0, 0], 0);
      if (g) ghost.rect(...g);
      if (rest && rest[2] > 2 && now.estimate > now.runtime) late.rect(...rest);
      if (g && g[2] >= 8 && g[3] >= 12) {
        grips.rect(g[0] + g[2] - 2, g[1] + g[3] / 2 - 6, 4, 12);
        for (const y of [g[1], g[1] + g[3]]) grips.rect(g[0] + g[2] / 2 - 6, y - 2, 12, 4);
      }
      if (rest && rest[2] > 8) grips.rect(rest[0] + rest[2] - 2, rest[1] + rest[3] / 2 - 6, 4, 12);
    });
    stroke(ctx, colour, wait, 1.5);
    stroke(ctx, colour, late, 1, 0.8, [2, 3]);
    if (edit) {
      fill(ctx, accent, ghost, 0.18);
      stroke(ctx, accent, ghost, 2, 1, [6, 3]);
    }
    if (!sure || s.still) return;
    fill(ctx, paper, grips);
    stroke(ctx, accent, grips, 1.5);
  }

  globalThis.labJob = { grip, sketch, lay };
})();
