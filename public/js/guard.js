// Keeps Vugu v0.4.0 alive. Not for features: only what its runtime would trip over.
//
// - Vugu evals its helper script; a strict policy forbids eval. The build ships
//   that script as a file, and the eval becomes a no-op.
// - Removing a focused element fires blur and change in the midst of a render,
//   whose handler would wait for the lock the render holds: the program would
//   stop. Events raised by our own edits of the page are dropped.
import { isDead } from './faults.js';

const HELPER = '(function(){if(window.vuguRender)return';

let rendering = 0;

// guardVugu is called once Vugu's script is there and before the program runs.
export function guardVugu() {
  const { vuguRender, vuguSetEventHandler, eval: evaluate } = window;
  window.vuguRender = () => {
    rendering++;
    try { return vuguRender.call(window); } finally { rendering--; }
  };
  window.vuguSetEventHandler = handle => vuguSetEventHandler(event => {
    if (rendering === 0 && !isDead()) handle(event);
  });
  window.eval = text => (String(text).startsWith(HELPER) ? undefined : evaluate(text));
}

// later is for scripts that may run inside a render and want to call into Go.
export function later(f) { if (rendering > 0) queueMicrotask(f); else f(); }
