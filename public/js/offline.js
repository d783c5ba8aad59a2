// This module switches offline use of the site on and off. The service worker sw.js implements it.
// Offline use is not available in frames. On localhost it is off by default, so that developers see
// their changes.
import { absolute, byId, get, option, parts, remembered } from './parts.js';

const { service, version } = parts;
const scope = new URL('./', document.baseURI).href;
const key = 'backfill-lab offline';

// showMessage shows the message for a state, with a button that switches offline use on or off.
function showMessage(state) {
  const box = byId('lab-offline'), button = byId('lab-offline-switch');
  const isOn = state === 'kept' || state === 'newer';
  box.hidden = false;
  byId('lab-offline-said').textContent = box.dataset[state];
  button.textContent = isOn ? box.dataset.remove : box.dataset.keep;
  button.onclick = () => (isOn ? switchOff : switchOn)(remembered(key, isOn ? 'off' : 'on'));
}

// ownCaches returns the names of this site's caches, with the newest last.
const ownCaches = async () => (await caches.keys()).filter(name => name.startsWith(`backfill-lab ${scope} `));

// showState shows whether the site is available offline. If it is, showState also shows whether the
// next visit opens a newer version than this one. `registration` is empty if the service worker
// could not be installed.
const showState = async registration => showMessage(!registration ? 'failed' : (await ownCaches()).at(-1)?.endsWith(version) ? 'kept' : 'newer');

// switchOn installs the service worker, and shows when the site is available offline.
async function switchOn() {
  try {
    const registration = await navigator.serviceWorker.register(service, { updateViaCache: 'none' });
    registration.onupdatefound = () => {
      const newWorker = registration.installing;
      if (!newWorker) return showState(registration.active);
      newWorker.onstatechange = () => {
        const done = newWorker.state === 'activated';
        if (done || newWorker.state === 'redundant') showState(done || registration.active);
      };
    };
    await registration.onupdatefound();
  } catch { showMessage('failed'); }
}

// fetchFile fetches a file that few people need, and returns it under the given name. If offline
// use is on, it also adds the file to the cache.
export async function fetchFile(part, name) {
  const response = await get(parts[part]), copy = response.clone();
  const newest = await ownCaches().catch(() => []);
  if (newest.length) await (await caches.open(newest.at(-1))).put(absolute(parts[part]), copy).catch(() => {});
  return new File([await response.blob()], name);
}

// switchOff removes the service worker and all stored files.
async function switchOff() {
  // The origin may have another service worker for all its sites, which must not be removed.
  const registration = await navigator.serviceWorker.getRegistration(scope);
  if (registration?.scope === scope) await registration.unregister();
  for (const name of await ownCaches()) await caches.delete(name);
  showMessage('removed');
}

// Once the program runs, offerOffline switches offline use on or off, as the person chose. It ignores
// errors, because a browser may forbid storage.
export function offerOffline() { addEventListener('lab-ready', () => start().catch(() => {})); }

async function start() {
  if (!version || top !== self || option('embed') === '1' || !isSecureContext || !navigator.serviceWorker) return;
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
  await ((remembered(key, option('offline')) ?? (local ? 'off' : 'on')) === 'on' ? switchOn() : switchOff());
}
