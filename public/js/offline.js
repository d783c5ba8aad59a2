// Has the browser keep the site for use without a network, and stops it again: the
// service worker sw.js does the keeping. Not in frames, and on the machine that serves
// the site only if asked, since those who change it want to see their changes.
import { byId, option, parts } from './parts.js';

const { service, version } = parts;
const scope = new URL('./', document.baseURI).href;
const key = 'backfill-lab offline';

// remembered returns what was chosen last: on, off or nothing.
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
    const kept = await navigator.serviceWorker.register(service, { updateViaCache: 'none' });
    kept.onupdatefound = () => {
      const next = kept.installing;
      if (!next) return told(kept.active);
      next.onstatechange = () => {
        const done = next.state === 'activated';
        if (done || next.state === 'redundant') told(done || kept.active);
      };
    };
    await kept.onupdatefound();
  } catch { tell('failed'); }
}

async function off() {
  // A server may have a worker for all that is on it: that one is not ours.
  const kept = await navigator.serviceWorker.getRegistration(scope);
  if (kept?.scope === scope) await kept.unregister();
  for (const name of await ours()) await caches.delete(name);
  tell('removed');
}

// offerOffline begins once the program runs. A browser may keep nothing.
export function offerOffline() { addEventListener('lab-ready', () => start().catch(() => {})); }

async function start() {
  if (!version || top !== self || option('embed') === '1' || !isSecureContext || !navigator.serviceWorker) return;
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
  await ((remembered(option('offline')) ?? (local ? 'off' : 'on')) === 'on' ? on() : off());
}
