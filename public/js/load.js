// Loads the program, shows the progress, and starts it.
import { absolute, byId, get, parts } from './parts.js';
import { crashed, messages, showFault } from './faults.js';
import { guardVugu } from './guard.js';
import { runProgram } from './run.js';

const { wasm, exec, worker, unpack } = parts;

// The scripts that a worker needs in addition to its own.
const scripts = { exec: absolute(exec), unpack: unpack && absolute(unpack) };

// The compiled program, from which further workers start without another download, and the first
// worker until it is used.
let compiled, first = null;

// Sets a performance mark, for measurements of the start.
const mark = name => performance.mark('lab ' + name);

// A promise that resolves once the elements after this script exist in the page.
const whole = new Promise(done => document.addEventListener('DOMContentLoaded', done));

// spawn starts a worker. A sandboxed frame without an origin cannot load a worker by its
// address, and neither can a page opened as a file. These start it from a blob.
function spawn(name) {
  if (origin !== 'null' && !byId(worker)) return new Worker(absolute(worker), { name });
  const text = part => byId(part)?.text ?? `importScripts("${absolute(part)}")`;
  return new Worker(URL.createObjectURL(new Blob([[exec, unpack, worker].filter(Boolean).map(text).join('\n')])), { name });
}

// moduleOf returns a promise of the module that a worker compiles.
const moduleOf = compiler => new Promise((done, failed) => {
  compiler.onmessage = ({ data: { module, text } }) => (module ? done(module) : failed(Error(text)));
  compiler.onerror = event => {
    event.preventDefault();
    failed(TypeError(worker));
  };
});

// compile passes the program to the first worker while it downloads, and returns the compiled
// module. The worker decompresses and compiles the program, which would block the page. Later it
// also runs it.
async function compile(name) {
  if (byId(worker)) await whole; // elements at the end of the page contain the worker's scripts
  first = spawn('main');
  try {
    const module = moduleOf(first);
    module.catch(() => {});
    const response = await get(name), total = response.headers.get('Content-Length');
    let seen = 0;
    for (const reader = response.body.getReader(); ;) {
      const { value } = await reader.read(), bar = byId('lab-progress');
      first.postMessage({ kind: 'part', bytes: value, scripts }, value ? [value.buffer] : []);
      if (!value) return await module;
      seen += value.length;
      if (bar && total > 0) bar.value = Math.min(seen / total, 1);
    }
  } catch (e) {
    first.terminate();
    throw e;
  }
}

const isForbidden = e => /Security Policy|CSP|unsafe-eval/i.test(e);

// load loads and compiles the program: the compressed one or, if that fails, the uncompressed one.
async function load() {
  if (unpack) {
    try { return await compile(wasm + '.zst'); } catch (e) { if (isForbidden(e) || byId(wasm + '.zst')) throw e; }
  }
  return compile(wasm);
}

// reason returns the message that explains why the program could not be loaded.
function reason(e) {
  if (isForbidden(e)) return messages.forbidden;
  if (location.protocol === 'file:') return messages.disk;
  return e instanceof TypeError ? messages.lost : messages.failed;
}

// start loads and runs the program, or shows why that is impossible.
export async function start() {
  if (!window.WebAssembly?.compileStreaming) return showFault(messages.cannot, messages.none);
  try {
    [compiled] = await Promise.all([load(), whole]);
    mark('compiled');
  } catch (e) {
    return showFault(messages.unloaded, reason(e), String(e));
  }
  guardVugu();
  crashed(await runProgram(compiled, 'page'));
}

// ready removes the loading screen. The program calls it after the first render.
export function ready() {
  byId('lab-boot')?.remove();
  mark('drawn');
  dispatchEvent(new Event('lab-ready'));
}

// startWorker starts the program in a worker and passes the worker's messages to `handle`.
export function startWorker(name, handle) {
  const started = first ?? spawn(name);
  first = null;
  started.onmessage = event => {
    mark('worker');
    started.onmessage = ({ data }) => handle(data);
    handle(event.data);
  };
  started.onerror = event => {
    event.preventDefault();
    handle({ kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker ' + name, text: event.message || messages.idle }), bufs: [] });
  };
  started.postMessage({ kind: 'boot', module: compiled, scripts });
  return started;
}
