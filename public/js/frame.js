// The way between this page and one that shows it in a frame. Not for what is said
// there: it lets in only what the parent window says, in the form and the size agreed,
// a call at a time, and asks the person before it hands out what they opened.
'use strict';
(() => {
  if (parent === window) return;
  // Characters of a call; calls that are not done; ms for which a call is looked at at once.
  // Characters of the members beside a scenario, and of an error; ms between calls while
  // more come than are answered.
  const most = 16 << 20, mostCalls = 64, slice = 8, mostHead = 65_536, longest = 500, pause = 50;
  const allow = labOption('allow'), allowed = allow && decodeURIComponent(allow).split(',');
  const post = m => parent.postMessage({ type: 'backfill-lab', v: 1, ...m }, '*');
  const refuse = (id, error) => post({ id, op: 'error', error });
  // turn lets everything else go first: what the person does, and what the page draws.
  const { port1, port2 } = new MessageChannel(), turns = [];
  port1.onmessage = () => turns.shift()();
  const turn = () => new Promise(done => {
    turns.push(done);
    port2.postMessage(0);
  });

  // measured goes through a value in steps and fails if it is not plain data, or too much.
  async function measured(value) {
    let room = most, since = performance.now();
    for (const rest = [value]; rest.length;) {
      const v = rest.pop();
      room -= 8;
      if (typeof v === 'string') room -= v.length;
      else if (typeof v === 'bigint') throw new TypeError('expected plain data, got a BigInt');
      else if (Object(v) === v) {
        const list = Array.isArray(v);
        if (!list && Object.getPrototypeOf(v) !== Object.prototype) throw new TypeError('expected plain data: objects, lists, texts, numbers');
        // A list may be longer than what it holds.
        if (list && 8 * v.length > room) room = -1;
        else if (list) for (let i = 0; i < v.length; i++) rest.push(v[i]);
        else {
          for (const key in v) {
            room -= key.length;
            rest.push(v[key]);
          }
        }
      }
      if (room < 0) throw new TypeError(`expected a message of at most ${most} characters`);
      if (performance.now() - since > slice) {
        await turn();
        since = performance.now();
      }
    }
    return value;
  }

  // ---- calls, one after the other

  const waiting = [];
  let busy = false, asker = null, flooded = -Infinity;

  async function next() {
    if (busy || !waiting.length) return;
    busy = true;
    const { m, id, origin } = waiting.shift();
    asker = id;
    try {
      if (performance.now() - flooded < 1000) await new Promise(done => setTimeout(done, pause));
      else if (waiting.length) await turn();
      const { scenario, ...rest } = await measured(m), head = JSON.stringify(rest);
      if (head.length > mostHead) throw new TypeError(`expected at most ${mostHead} characters beside the scenario, got ${head.length}`);
      const text = typeof scenario === 'string' || scenario === undefined ? scenario : JSON.stringify(scenario);
      labCalled(head, text ?? null, origin);
    } catch (fault) {
      done({ op: 'error', error: fault instanceof RangeError ? 'expected a message that is not nested so deep' : fault.message });
    }
  }

  function done(answer) {
    if (answer.error?.length > longest) answer.error = answer.error.slice(0, longest) + '…';
    post({ ...answer, id: asker });
    busy = false;
    next();
  }

  addEventListener('message', e => {
    if (e.source !== parent || allowed && !allowed.includes(e.origin) || !window.labCalled) return;
    const m = e.data;
    if (m?.type !== 'backfill-lab' || m.v !== 1) return;
    const id = ['string', 'number'].includes(typeof m.id) ? m.id : null;
    if (waiting.length + busy >= mostCalls) {
      flooded = performance.now();
      return refuse(id, `expected at most ${mostCalls} calls that are not done`);
    }
    waiting.push({ m, id, origin: e.origin });
    next();
  });

  window.labReply = text => done(JSON.parse(text));

  addEventListener('lab-ready', () => {
    const page = document.querySelector('.lab');
    post({ op: 'ready' });
    new ResizeObserver(() => post({ op: 'resize', height: Math.ceil(page.getBoundingClientRect().height) })).observe(page);
  });

  // ---- what the person has opened goes out with their consent alone

  // A press counts once the whole dialog has been in sight for so many ms. Where the
  // browser can tell (isVisible), nothing may cover or fade it meanwhile.
  const calm = 500;
  const dialog = document.getElementById('lab-consent'), [origin, hint, no, yes] = ['origin', 'hint', 'refuse', 'agree'].map(name => document.getElementById('lab-consent-' + name));
  let seen = Infinity, inSight = false, answer = null;
  const ripe = e => e.isTrusted && performance.now() - seen >= calm;

  // look starts the time anew whenever some of the dialog is out of sight: a frame that
  // is too small has it scroll.
  function look() {
    const whole = inSight && dialog.scrollHeight <= dialog.clientHeight + 1 && dialog.scrollWidth <= dialog.clientWidth + 1;
    seen = whole ? Math.min(seen, performance.now()) : Infinity;
    hint.classList.toggle('away', whole);
  }
  new IntersectionObserver(all => {
    const { intersectionRatio, isVisible } = all.at(-1);
    inSight = intersectionRatio > 0.99 && isVisible !== false;
    look();
  }, { threshold: [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1], trackVisibility: true, delay: 100 }).observe(dialog);
  new ResizeObserver(look).observe(dialog);

  no.onclick = e => { if (ripe(e)) dialog.close(); };
  yes.onclick = e => {
    if (!ripe(e)) return;
    answer = true;
    dialog.close();
  };
  dialog.onclose = () => {
    seen = Infinity;
    labConsented(answer);
  };
  // The dialog is modal; Tab stays in it all the same where it would leave the frame.
  dialog.onkeydown = e => {
    if (e.key !== 'Tab') return;
    e.preventDefault();
    (document.activeElement === no ? yes : no).focus();
  };

  window.labConsent = from => {
    answer = false;
    origin.textContent = from === 'null' ? dialog.dataset.opaque : from;
    dialog.showModal();
    no.focus();
  };
})();
