// Has the browser keep the site for use without a network, and stops it again: the
// service worker sw.js does the keeping. Not in frames, and on the machine that serves
// the site only if asked, since those who change it want to see their changes.
'use strict';
(() => {
  const { service, version } = document.currentScript.dataset;
  const byId = id => document.getElementById(id);
  const scope = new URL('./', document.baseURI).href;
  const key = 'backfill-lab offline';

  // remembered is what was chosen last: on, off or nothing.
  function remembered(choice) {
    try {
      if (choice) localStorage.setItem(key, choice);
      return localStorage.getItem(key);
    } catch { return choice; }
  }

  // tell says what stands in the page for a case, and offers the other choice.
  function tell(word) {
    const box = byId('lab-offline'), button = byId('lab-offline-switch');
    const kept = word === 'kept' || word === 'newer';
    box.hidden = false;
    byId('lab-offline-said').textContent = box.dataset[word];
    button.textContent = kept ? box.dataset.remove : box.dataset.keep;
    button.onclick = () => (kept ? off : on)(remembered(kept ? 'off' : 'on'));
  }

  const ours = async () => (await caches.keys()).filter(name => name.startsWith(`backfill-lab ${scope} `));

  // told says what the next visit opens: the version of this page, or the one that has
  // come last, perhaps before this page asked.
  const told = async kept => tell(!kept ? 'failed' : (await ours()).at(-1)?.endsWith(version) ? 'kept' : 'newer');

  async function on() {
    try {
      const r = await navigator.serviceWorker.register(service, { updateViaCache: 'none' });
      r.onupdatefound = () => {
        const next = r.installing;
        if (!next) return told(r.active);
        next.onstatechange = () => {
          const done = next.state === 'activated';
          if (done || next.state === 'redundant') told(done || r.active);
        };
      };
      await r.onupdatefound();
    } catch { tell('failed'); }
  }

  async function off() {
    // A server may have a worker for all that is on it: that one is not ours.
    const r = await navigator.serviceWorker.getRegistration(scope);
    if (r?.scope === scope) await r.unregister();
    for (const name of await ours()) await caches.delete(name);
    tell('removed');
  }

  async function start() {
    if (!version || top !== self || labOption('embed') === '1' || !isSecureContext || !navigator.serviceWorker) return;
    const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
    await ((remembered(labOption('offline')) ?? (local ? 'off' : 'on')) === 'on' ? on() : off());
  }

  // The program comes first. A browser may keep nothing.
  addEventListener('lab-ready', () => start().catch(() => {}));
})();
