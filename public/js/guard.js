// Keeps Vugu v0.4.0 alive. Not for features: only what its runtime would trip over.
//
// - Vugu evals its helper script; a strict policy forbids eval. The build ships
//   that script as a file, loaded before this one, and the eval becomes a no-op.
// - Removing a focused element fires blur and change in the midst of a render,
//   whose handler would wait for the lock the render holds: the program would
//   stop. Events raised by our own edits of the page are dropped.
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

  // For scripts that may run inside a render and want to call into Go.
  window.labLater = f => { if (rendering > 0) queueMicrotask(f); else f(); };
})();
