// This module manages the workers of the program. The main worker also answers the charts. To notice when it
// hangs, this module sends it a ping at most once a second, and only if messages were sent or arrived since the
// last ping. The main worker answers a ping between two steps of its computation. If no message arrives for
// several seconds after a ping, the worker counts as hung.
import { chartMethods } from './chart/charts.js';
import { startWorker } from './load.js';

const PATIENCE = 5; // seconds without a message after which a worker that got a ping counts as hung

// PING is the id of ping messages.
const PING = 2 ** 31;

// active is true if messages were sent or arrived since the last ping. silentSeconds counts the seconds without
// a message since the last ping, if it is unanswered; otherwise it is -1.
let main = null, active = false, silentSeconds = -1;

const post = (worker, ...message) => Worker.prototype.postMessage.apply(worker, message);

setInterval(() => {
  if (!main || document.hidden) return;
  if (silentSeconds >= 0) {
    if (++silentSeconds === PATIENCE) window.labHung(true);
  } else if (active) {
    [active, silentSeconds] = [false, 0];
    post(main, { kind: 'ping', id: PING, head: '', bufs: [] });
  }
}, 1000);

// onMessage handles a message of the main worker.
function onMessage(message) {
  if (silentSeconds >= PATIENCE) window.labHung(false);
  if (message.kind === 'pong') silentSeconds = -1;
  else [active, silentSeconds] = [true, Math.min(silentSeconds, 0)];
}

// spawnWorker starts a worker. `handle` receives its messages, except those for the charts.
export function spawnWorker(name, handle) {
  const worker = startWorker(name, message => {
    if (worker === main) onMessage(message);
    // Messages for the charts do not pass through Go.
    if (!chartMethods.receive(message)) handle(message);
  });
  if (name !== 'main' && name !== 'scripts') return worker;
  [main, active, silentSeconds] = [worker, false, -1];
  worker.postMessage = (...message) => {
    active = true;
    return post(worker, ...message);
  };
  chartMethods.connect(message => worker.postMessage(message));
  return worker;
}
