// The way between this page and one that shows it in a frame. Not for what is said
// there: it lets in only what the parent window says, in the form and the size agreed.
'use strict';
(() => {
  if (parent === window) return;
  const most = 16 << 20; // characters
  const allow = labOption('allow'), allowed = allow && decodeURIComponent(allow).split(',');
  const post = m => parent.postMessage({ type: 'backfill-lab', v: 1, ...m }, '*');

  // plain is the text of a message that is nothing but data and not too much.
  function plain(m) {
    let room = most;
    return JSON.stringify(m, (key, value) => {
      room -= 8 + key.length + (typeof value === 'string' ? value.length : 0);
      const bare = Object(value) !== value || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
      if (room < 0 || !bare) throw new TypeError(bare ? `expected a message of at most ${most} characters` : 'expected plain data');
      return value;
    });
  }

  addEventListener('message', e => {
    const m = e.data;
    if (e.source !== parent || allowed && !allowed.includes(e.origin) || m?.type !== 'backfill-lab' || m.v !== 1 || !window.labCalled) return;
    const id = ['string', 'number'].includes(typeof m.id) ? m.id : null;
    try {
      labCalled(plain({ ...m, id }));
    } catch (fault) {
      post({ id, op: 'error', error: fault.message });
    }
  });

  window.labReply = text => post(JSON.parse(text));

  addEventListener('lab-ready', () => {
    const page = document.querySelector('.lab');
    post({ op: 'ready' });
    new ResizeObserver(() => post({ op: 'resize', height: Math.ceil(page.getBoundingClientRect().height) })).observe(page);
  });
})();
