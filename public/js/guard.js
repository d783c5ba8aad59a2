// This module has workarounds for defects of the Vugu v0.4.0 runtime.
//
// - Vugu loads its helper script with eval, which a strict content security policy forbids. The
//   build includes that script as a file, and the guard makes the call of eval do nothing.
// - If a render removes the focused element, the browser fires blur and change. Their handlers
//   would wait forever for the lock that the render holds. The guard therefore drops
//   events during a render.
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

// later calls a function of the program at once or, if a render is in progress, after the render.
// Scripts that may run during a render use it.
export function later(f) { if (rendering > 0) queueMicrotask(f); else f(); }
