'use strict';
(() => {
const helper = window.vuguRender;
const setHandler = window.vuguSetEventHandler;
const evaluate = window.eval;
const helperStart = '(function(){if(window.vuguRender)return';
let rendering = 0;
window.vuguRender = () => {
rendering++;
try { return helper.call(window); } finally { rendering--; }
};
window.vuguSetEventHandler = handle => setHandler(buf => {
if (rendering === 0 && !window.labDead) handle(buf);
});
window.eval = text => String(text).startsWith(helperStart) ? undefined : evaluate(text);
window.labLater = f => { if (rendering > 0) queueMicrotask(f); else f(); };
})();
