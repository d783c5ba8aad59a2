// Switches offline use of the site on and off. The service worker sw.js implements it. It is not
// available in frames. On localhost it is off by default, so that developers see their changes.
import { absolute, byId, get, option, parts, remembered } from './parts.js';

const { service, version } = parts;
const scope = new URL('./', document.baseURI).href;
const key = 'backfill-lab offline';

// showMessage shows the page's message for a state, with a button for the opposite choice.
function showMessage(word) {
  const box = byId('lab-offline'), button = byId('lab-offline-switch');
  const kept = word === 'kept' || word === 'newer';
  box.hidden = false;
  byId('lab-offline-said').textContent = box.dataset[word];
  button.textContent = kept ? box.dataset.remove : box.dataset.keep;
  button.onclick = () => (kept ? switchOff : switchOn)(remembered(key, kept ? 'off' : 'on'));
}

// ownCaches returns the names of the caches of this site, the newest last.
const ownCaches = async () => (await caches.keys()).filter(name => name.startsWith(`backfill-lab ${scope} `));

// showState shows whether the next visit opens the version of this page or a newer version, which may
// already be installed. `kept` is the service worker, empty if it failed.
const showState = async kept => showMessage(!kept ? 'failed' : (await ownCaches()).at(-1)?.endsWith(version) ? 'kept' : 'newer');

// switchOn installs the service worker, and shows when the site is available offline.
async function switchOn() {
  try {
    const kept = await navigator.serviceWorker.register(service, { updateViaCache: 'none' });
    kept.onupdatefound = () => {
      const next = kept.installing;
      if (!next) return showState(kept.active);
      next.onstatechange = () => {
        const done = next.state === 'activated';
        if (done || next.state === 'redundant') showState(done || kept.active);
      };
    };
    await kept.onupdatefound();
  } catch { showMessage('failed'); }
}

// fetchFile fetches a file of the site that few people need, and returns it with the given name.
// If offline use is on, it also adds the file to the cache.
export async function fetchFile(part, name) {
  const response = await get(parts[part]), copy = response.clone();
  const newest = await ownCaches().catch(() => []);
  if (newest.length) await (await caches.open(newest.at(-1))).put(absolute(parts[part]), copy).catch(() => {});
  return new File([await response.blob()], name);
}

// switchOff removes the service worker and all stored files.
async function switchOff() {
  // The host may have another service worker, for all its sites. That one must stay.
  const kept = await navigator.serviceWorker.getRegistration(scope);
  if (kept?.scope === scope) await kept.unregister();
  for (const name of await ownCaches()) await caches.delete(name);
  showMessage('removed');
}

// offerOffline switches offline use on or off, as the person chose, once the program runs. It ignores
// errors, because a browser may forbid storage.
export function offerOffline() { addEventListener('lab-ready', () => start().catch(() => {})); }

async function start() {
  if (!version || top !== self || option('embed') === '1' || !isSecureContext || !navigator.serviceWorker) return;
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
  await ((remembered(key, option('offline')) ?? (local ? 'off' : 'on')) === 'on' ? switchOn() : switchOff());
}
