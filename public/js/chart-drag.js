// Editing a job in a chart: by its edges and its submission, or by keys. The values
// go to the program, which has them in the jobs table.
'use strict';
globalThis.labDrag = (kit, c) => {
  const { S, D, T } = kit, { abs, max, min, round } = Math;
  const units = { submit: 's', procs: 'processors', estimate: 's', runtime: 's' };
  const least = { submit: 0, procs: 1, estimate: 1, runtime: 1 };
  let held = null;

  const scene = () => ({ ...kit.place(c), p: c.view?.p, dpr: c.dpr });
  const seconds = pixels => T.step((S.t1 - S.t0) * pixels / c.w, S.t1);
  const lanes = pixels => T.decimal(S.run.lanes * pixels / c.h);

  // find is the grip at a place: of the selected job, or of that under the pointer.
  function find(x, y, { pointerType, altKey }, hover) {
    if (c.kind !== 'gantt' || S.play || !c.view) return null;
    const touch = pointerType === 'touch';
    for (const job of touch ? [S.selected] : [S.selected, hover]) {
      const info = S.jobs.get(job), sure = job === S.selected, g = info && labJob.grip(scene(), info, x, y, touch ? 12 : sure ? 5 : 3, sure);
      if (g) return { ...g, info, field: altKey && g.field === 'runtime' ? 'estimate' : g.field };
    }
    return null;
  }

  const why = ({ info, field }) => info.fixed?.[field];
  const words = ({ info, field }, value) => `job ${info.name}: ${field === 'procs' ? '' : field + ' '}${value} ${units[field]}`;

  // bound keeps a value where it can be.
  const bound = (field, v) => max(least[field], field === 'procs' ? min(v, S.run.lanes) : v);

  // value is what a field would be with the pointer at a place, at a round moment or lane.
  function value({ field, side, info, to, tops, from }, x, y) {
    const by = seconds(4), t = round(D.tOf(kit.place(c), x) / by) * by;
    if (field === 'submit') return bound(field, min(t, max(from, info.submit)));
    if (field !== 'procs') return bound(field, round(info.ran + t - to));
    const n = lanes(6), lane = round((1 - y / c.h) * S.run.lanes / n) * n;
    return bound(field, info.had + (side > 0 ? lane - tops.at(-1)[3] : tops[0][2] - lane));
  }

  function move(x, y) {
    const v = value(held, x, y), { info, field } = held, { runtime, estimate } = { ...info, [field]: v };
    held.edit = { field, value: v, side: held.side, job: info.job, chart: c };
    kit.set({ edit: held.edit });
    kit.tip(c, `${words(held, v)}, was ${info[field]}${runtime > estimate ? `; the runtime is above the estimate of ${estimate} s` : ''}`, x, y);
  }

  function end(done) {
    const { edit, info, field } = held ?? {};
    held = null;
    removeEventListener('keydown', leave, true);
    kit.set({ edit: null });
    c.tip.hidden = true;
    if (!done || !edit || edit.value === info[field]) return;
    kit.say(words({ info, field }, edit.value));
    window.labOnEdit(info.job, field, edit.value, false);
  }

  function leave(e) {
    if (e.key !== 'Escape') return;
    e.preventDefault();
    e.stopPropagation();
    end(false);
  }

  // nudge changes a field of the job at hand by keys, a step that can be seen.
  function nudge(field, way) {
    const info = S.jobs.get(S.at?.job ?? S.selected);
    if (!info) return;
    const no = S.play ? 'The player is open.' : why({ info, field });
    if (no) return kit.say(no);
    const by = way * (field === 'procs' ? lanes(6) : seconds(8)), v = bound(field, info[field] + by);
    kit.say(words({ info, field }, v));
    if (v !== info[field]) window.labOnEdit(info.job, field, v, true);
  }

  return {
    find, why, nudge,
    // take begins to drag a grip; move and end are for the gesture.
    take(g) {
      held = g;
      addEventListener('keydown', leave, true);
      return { move: (x, y) => held && move(x, y), end };
    },
    cursor: g => (!g ? '' : why(g) ? 'not-allowed' : g.field === 'procs' ? 'ns-resize' : 'ew-resize'),
  };
};
