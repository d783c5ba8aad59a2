// The workers of the program. The main one answers the charts, too, and is watched: one
// that works answers between two steps. When it was spoken to, or has spoken, it is asked
// for a sign of life; several seconds without one are too long.
import { chartMethods } from './chart/charts.js';
import { startWorker } from './load.js';

const PATIENCE = 5; // seconds

// The number of the question for a sign of life.
const PING = 2 ** 31;

// Seconds since the main worker was asked, -1: it was not.
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

function heard(message) {
  if (silent >= PATIENCE) window.labHung(false);
  if (message.kind === 'pong') silent = -1;
  else [talked, silent] = [true, Math.min(silent, 0)];
}

export function spawnWorker(name, handle) {
  const worker = startWorker(name, message => {
    if (worker === main) heard(message);
    // Views never pass through Go.
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
