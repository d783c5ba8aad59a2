// The workers of the program. The main worker also answers the charts, and is monitored: after
// any message to or from it, it gets a ping. A worker that works answers soon, between two steps
// of a computation. A worker that does not answer for several seconds counts as hung.
import { chartMethods } from './chart/charts.js';
import { startWorker } from './load.js';

const PATIENCE = 5; // seconds without an answer after which a worker counts as hung

// The id of ping messages.
const PING = 2 ** 31;

// silent counts the seconds since an unanswered ping; it is -1 if there is none.
let main = null, talked = false, silent = -1;

const post = (worker, ...message) => Worker.prototype.postMessage.apply(worker, message);

setInterval(() => {
  if (!main || document.hidden) return;
  if (silent >= 0) {
    if (++silent === PATIENCE) window.labHung(true);
  } else if (talked) {
    [talked, silent] = [false, 0];
    post(main, { kind: 'ping', id: PING, head: '', bufs: [] });
  }
}, 1000);

// heard handles a message of the main worker.
function heard(message) {
  if (silent >= PATIENCE) window.labHung(false);
  if (message.kind === 'pong') silent = -1;
  else [talked, silent] = [true, Math.min(silent, 0)];
}

export function spawnWorker(name, handle) {
  const worker = startWorker(name, message => {
    if (worker === main) heard(message);
    // Answers for charts do not pass through Go.
    if (!chartMethods.take(message)) handle(message);
  });
  if (name !== 'main') return worker;
  [main, talked, silent] = [worker, false, -1];
  worker.postMessage = (...message) => {
    talked = true;
    return post(worker, ...message);
  };
  chartMethods.connect(message => worker.postMessage(message));
  return worker;
}
