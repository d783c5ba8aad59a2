'use strict';
globalThis.labGestures = (kit, c) => {
const { S, D, T } = kit, el = c.surface, touches = new Map(), gantt = c.kind === 'gantt';
let drag;
const on = (name, f) => el.addEventListener(name, f, { passive: false });
const at = e => {
const { left, top } = el.getBoundingClientRect();
return [e.clientX - left, e.clientY - top];
};
const timeAt = x => D.tOf(kit.place(c), x);
const pieces = () => (gantt && c.view?.p) || [];
const hit = (x, y) => D.hit(pieces(), timeAt(x), Math.floor((1 - y / c.h) * S.run.lanes), timeAt(3) - S.t0);
const jobAt = i => (i < 0 || pieces()[i + 5] & D.BIN ? null : pieces()[i + 4]);
function hover(x, y) {
const i = hit(x, y), t = timeAt(x);
if (c.kind === 'use') return kit.tip(c, `${D.used({ ...c.view, ...c.host.dataset }, t)} at ${T.moment(t)}`, x, y);
kit.tip(c, i >= 0 ? kit.describe(c, i) : c.view ? kit.slice(c, t) : '', x, y);
kit.set({ hover: jobAt(i) });
}
function click(x, y) {
const job = jobAt(hit(x, y));
if (job === null) kit.setCursor(timeAt(x));
else kit.choose(c, job, timeAt(x));
}
const moves = {
gantt: x => kit.pan((drag.t - timeAt(x)) / (S.t1 - S.t0)),
overview: x => kit.setWindow(...[drag.t, timeAt(x)].sort((a, b) => a - b)),
strip: x => kit.setCursor(timeAt(x)),
range(x, y) {
const range = [drag.t, timeAt(x)].map(Math.round).sort((a, b) => a - b), { jobs, area, about } = D.totals(pieces(), ...range);
drag.text = `${range.map(t => T.moment(t)).join(' to ')}: ${about}${jobs} jobs, ${about}${area} processor-seconds`;
kit.set({ range });
kit.tip(c, drag.text, x, y);
},
pinch() {
const [a, b = a] = touches.values(), k = (b.t - a.t) / (b.x - a.x), t0 = a.t - a.x * k;
if (k > 0 && k < Infinity) kit.setWindow(t0, t0 + k * c.w);
},
};
on('wheel', e => {
const zooms = e.ctrlKey || e.metaKey, by = (e.deltaY || e.deltaX) * (e.deltaMode ? 16 : 1);
if (!zooms && !e.shiftKey) return;
e.preventDefault();
if (zooms) kit.zoom(timeAt(at(e)[0]), Math.exp(Math.max(-1, Math.min(by / 250, 1))));
else kit.pan(by / c.w);
});
on('pointerdown', e => {
if (e.button) return;
const [x, y] = at(e), t = timeAt(x);
el.setPointerCapture(e.pointerId);
touches.set(e.pointerId, { x, t });
const moved = touches.size > 1;
drag = { x, y, t, moved, move: moves[moved ? 'pinch' : gantt && e.shiftKey ? 'range' : c.kind] ?? moves.strip };
});
on('pointermove', e => {
const [x, y] = at(e), finger = touches.get(e.pointerId);
if (!finger) return hover(x, y);
finger.x = x;
drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > 4;
if (drag.moved) drag.move(x, y);
});
on('pointerup', e => {
if (!touches.delete(e.pointerId)) return;
if (!drag.moved) click(...at(e));
if (drag.text) kit.say(drag.text);
});
on('pointercancel', e => touches.delete(e.pointerId));
on('pointerleave', () => {
c.tip.hidden = true;
kit.set({ hover: null });
});
on('dblclick', e => kit.fitJob(c, jobAt(hit(...at(e)))));
};
