// The way between this page and one that shows it in a frame. Not for what is said
// there: it lets in only what the parent window says, in the form and the size agreed,
// a call at a time.
import { option } from './parts.js';
import { measured, turn } from './measured.js';

const { parent } = window;

// Calls that are not done; characters of the members beside a scenario, and of an error;
// ms between calls while more come than are answered.
const MOST_CALLS = 64, MOST_HEAD = 65_536, LONGEST_ERROR = 500, PAUSE = 50;

const waiting = [];
let busy = false, asker = null, flooded = -Infinity;

const post = message => parent.postMessage({ type: 'backfill-lab', v: 1, ...message }, '*');

// call gives the program a call, once it is found to be sound.
async function call(message, origin) {
  const { scenario, ...rest } = await measured(message), head = JSON.stringify(rest);
  if (head.length > MOST_HEAD) throw new TypeError(`expected at most ${MOST_HEAD} characters beside the scenario, got ${head.length}`);
  const text = typeof scenario === 'string' || scenario === undefined ? scenario : JSON.stringify(scenario);
  window.labCalled(head, text ?? null, origin);
}

// next takes the calls one after the other.
async function next() {
  if (busy || !waiting.length) return;
  busy = true;
  const { message, id, origin } = waiting.shift();
  asker = id;
  try {
    if (performance.now() - flooded < 1000) await new Promise(done => setTimeout(done, PAUSE));
    else if (waiting.length) await turn();
    await call(message, origin);
  } catch (fault) {
    answer({ op: 'error', error: fault instanceof RangeError ? 'expected a message that is not nested so deep' : fault.message });
  }
}

function answer(message) {
  if (message.error?.length > LONGEST_ERROR) message.error = message.error.slice(0, LONGEST_ERROR) + '…';
  post({ ...message, id: asker });
  busy = false;
  next();
}

// reply is for the program, which has done a call.
export const reply = text => answer(JSON.parse(text));

// hear takes what the parent says.
function hear({ source, origin, data: message }, allowed) {
  if (source !== parent || allowed && !allowed.includes(origin) || !window.labCalled) return;
  if (message?.type !== 'backfill-lab' || message.v !== 1) return;
  const id = ['string', 'number'].includes(typeof message.id) ? message.id : null;
  if (waiting.length + busy >= MOST_CALLS) {
    flooded = performance.now();
    return post({ id, op: 'error', error: `expected at most ${MOST_CALLS} calls that are not done` });
  }
  waiting.push({ message, id, origin });
  next();
}

// listenToParent is for a page in a frame.
export function listenToParent() {
  const allow = option('allow'), allowed = allow && decodeURIComponent(allow).split(',');
  addEventListener('message', event => hear(event, allowed));
  addEventListener('lab-ready', () => {
    const page = document.querySelector('.lab');
    post({ op: 'ready' });
    new ResizeObserver(() => post({ op: 'resize', height: Math.ceil(page.getBoundingClientRect().height) })).observe(page);
  });
}
