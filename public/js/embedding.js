// This module exchanges messages between this page and the page that embeds it. It accepts only
// messages from the parent window, and checks their form and size. It passes one call at a time to
// the program.
import { option } from './parts.js';
import { measured, turn } from './measured.js';

const { parent } = window;

// These constants are limits: the number of unanswered calls, the characters of a call without its
// scenario, and the characters of an error. PAUSE is the pause in ms before each call shortly after the page has
// rejected a call.
const MAX_CALLS = 64, MAX_HEAD = 65_536, LONGEST_ERROR = 500, PAUSE = 50;

const waiting = []; // calls that arrived while another one is handled
let busy = false; // whether a call is being handled
let callId = null; // the id of this call
let lastRejected = -Infinity; // the time when a call was last rejected because there were too many

const post = message => parent.postMessage({ type: 'backfill-lab', v: 1, ...message }, '*');

// call checks a call and passes it to the program.
async function call(message, origin) {
  const { scenario, ...rest } = await measured(message), head = JSON.stringify(rest);
  if (head.length > MAX_HEAD) throw new TypeError(`expected at most ${MAX_HEAD} characters apart from the scenario, got ${head.length}`);
  const text = typeof scenario === 'string' || scenario === undefined ? scenario : JSON.stringify(scenario);
  window.labCalled(head, text ?? null, origin);
}

// next handles the waiting calls one after another.
async function next() {
  if (busy || !waiting.length) return;
  busy = true;
  const { message, id, origin } = waiting.shift();
  callId = id;
  try {
    if (performance.now() - lastRejected < 1000) await new Promise(done => setTimeout(done, PAUSE));
    else if (waiting.length) await turn();
    await call(message, origin);
  } catch (fault) {
    answer({ op: 'error', error: fault instanceof RangeError ? 'expected a message with fewer nested levels' : fault.message });
  }
}

// answer sends the answer to the current call, and continues with the next call.
function answer(message) {
  if (message.error?.length > LONGEST_ERROR) message.error = message.error.slice(0, LONGEST_ERROR) + '…';
  post({ ...message, id: callId });
  busy = false;
  next();
}

// reply sends the program's answer to the current call.
export const reply = text => answer(JSON.parse(text));

// sendGrade sends the grade of an exercise to the embedding page. The program calls it only if the
// embedding page has asked for grades.
export const sendGrade = (text, origin) => parent.postMessage({ type: 'backfill-lab', v: 1, op: 'grade', ...JSON.parse(text) }, origin === 'null' ? '*' : origin);

// receive handles a message, and ignores it unless the parent window sent it.
function receive({ source, origin, data: message }, allowed) {
  if (source !== parent || allowed && !allowed.includes(origin) || !window.labCalled) return;
  if (message?.type !== 'backfill-lab' || message.v !== 1) return;
  const id = ['string', 'number'].includes(typeof message.id) ? message.id : null;
  if (waiting.length + busy >= MAX_CALLS) {
    lastRejected = performance.now();
    return post({ id, op: 'error', error: `expected at most ${MAX_CALLS} unfinished calls` });
  }
  waiting.push({ message, id, origin });
  next();
}

// listenToParent sets up the messages of an embedded page.
export function listenToParent() {
  const allow = option('allow'), allowed = allow && decodeURIComponent(allow).split(',');
  addEventListener('message', event => receive(event, allowed));
  addEventListener('lab-ready', () => {
    const page = document.querySelector('.lab');
    post({ op: 'ready' });
    new ResizeObserver(() => post({ op: 'resize', height: Math.ceil(page.getBoundingClientRect().height) })).observe(page);
  });
}
