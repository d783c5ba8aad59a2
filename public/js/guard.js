// Workarounds for defects of the Vugu v0.4.0 runtime.
//
// - Vugu evals its helper script; a strict policy forbids eval. The build ships
//   that script as a file, and the eval becomes a no-op.
// - Removing a focused element during a render fires blur and change. Their handlers
//   would wait forever for the lock that the render holds. Events that a render itself
//   causes are therefore dropped.
import { isDead } from './faults.js';

const HELPER = '(function(){if(window.vuguRender)return';

let rendering = 0;

// guardVugu installs the workarounds. It runs after Vugu's script has loaded and before the
// program starts.
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

// later defers a call into Go for scripts that may run during a render.
export function later(f) { if (rendering > 0) queueMicrotask(f); else f(); }
