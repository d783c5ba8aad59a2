// This module loads the program, shows the progress, and starts it.
import { absolute, byId, get, parts } from './parts.js';
import { crashed, messages, showFault } from './faults.js';
import { guardVugu } from './guard.js';
import { runProgram } from './run.js';

// packed is the file name ending of compressed programs. It is not set if the site contains only
// uncompressed programs.
const { wasm, exec, worker, packed } = parts;

// execAddress is the address of the script that a worker needs in addition to its own script.
const execAddress = absolute(exec);

// compiled is the compiled program, with which further workers start without another download.
// firstWorker is the worker that compiled it, or null once that worker is in use.
let compiled, firstWorker = null;

// mark sets a performance mark, with which tests measure the start.
const mark = name => performance.mark('lab ' + name);

// pageParsed is a promise that resolves once the elements after this script exist in the page.
const pageParsed = new Promise(done => document.addEventListener('DOMContentLoaded', done));

// spawn starts a worker. A sandboxed frame without an origin cannot load a worker by its address,
// and neither can a page opened as a file. In these cases, and in the single-file page, spawn starts the worker
// from a blob.
function spawn(name) {
  if (origin !== 'null' && !byId(worker)) return new Worker(absolute(worker), { name });
  const text = part => byId(part)?.text ?? `importScripts("${absolute(part)}")`;
  return new Worker(URL.createObjectURL(new Blob([[exec, worker].map(text).join('\n')])), { name });
}

// moduleOf returns a promise that resolves to the module that a worker compiles.
const moduleOf = compiler => new Promise((done, failed) => {
  compiler.onmessage = ({ data: { module, text } }) => (module ? done(module) : failed(Error(text)));
  compiler.onerror = event => {
    event.preventDefault();
    failed(TypeError(worker));
  };
});

// compile downloads the program and returns the compiled module. It passes the program to the first
// worker during the download, because decompressing and compiling it would block the page. Later this
// worker also runs the program.
async function compile(name) {
  if (byId(worker)) await pageParsed; // elements at the end of the page contain the worker's scripts
  firstWorker = spawn('main');
  try {
    const module = moduleOf(firstWorker);
    module.catch(() => {});
    await sendProgram(name, firstWorker, share => {
      const bar = byId('lab-progress');
      if (bar) bar.value = share;
    });
    return await module;
  } catch (e) {
    firstWorker.terminate();
    throw e;
  }
}

const isForbidden = e => /Security Policy|CSP|unsafe-eval/i.test(e);

// load loads and compiles the compressed program. If that fails, it uses the uncompressed program.
async function load() {
  if (packed) {
    try { return await compile(wasm + packed); } catch (e) { if (isForbidden(e) || byId(wasm + packed)) throw e; }
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
    [compiled] = await Promise.all([load(), pageParsed]);
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

// sendProgram downloads a program and passes it to a worker, which compiles it during the download. It
// calls onProgress with the fraction of the program that has arrived.
async function sendProgram(program, to, onProgress = () => {}) {
  const response = await get(program), total = response.headers.get('Content-Length');
  let bytes = 0;
  for (const reader = response.body.getReader(); ;) {
    const { value } = await reader.read();
    to.postMessage({ kind: 'part', bytes: value, exec: execAddress }, value ? [value.buffer] : []);
    if (!value) return;
    bytes += value.length;
    if (total > 0) onProgress(Math.min(bytes / total, 1));
  }
}

// interpreter is the compiled program of workers that run policies written as scripts.
let interpreter;

// scriptsFor returns the compiled program for a worker that runs policies written as scripts. The first
// such worker compiles it during the download.
async function scriptsFor(worker) {
  if (interpreter) return interpreter;
  if (!parts.scripts) throw new Error(messages.alone);
  const module = moduleOf(worker);
  await Promise.all([sendProgram(parts.scripts + (packed ?? ''), worker), module]);
  return interpreter = await module;
}

// startWorker starts the program in a worker and passes the worker's messages to `handle`. If the name
// begins with "scripts", the worker runs policies written as scripts.
export function startWorker(name, handle) {
  const scripted = name.startsWith('scripts'), started = (!scripted && firstWorker) || spawn(name);
  const crash = text => handle({ kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker ' + name, text }), bufs: [] });
  const boot = module => {
    started.onmessage = event => {
      mark('worker');
      started.onmessage = ({ data }) => handle(data);
      handle(event.data);
    };
    started.onerror = event => {
      event.preventDefault();
      crash(event.message || messages.idle);
    };
    started.postMessage({ kind: 'boot', module, exec: execAddress });
  };
  if (scripted) {
    scriptsFor(started).then(boot, e => crash(`${messages.unscripted}: ${e.message}`));
    return started;
  }
  firstWorker = null;
  boot(compiled);
  return started;
}
