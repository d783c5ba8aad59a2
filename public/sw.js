// This is the service worker for offline use. It caches each version of the site completely, in a
// separate cache. Files with a hash in their name may come from any version. All other files come
// from the newest complete version, so that a page never mixes versions. The service worker does
// not serve frames, which belong to other people's pages.
'use strict';
// The build inserts labSite above this script: the version and its files.
const { version, files } = self.labSite;
const scope = self.registration.scope;
// Caches belong to the whole origin, which may host several copies of the site.
const caching = `backfill-lab ${scope} `, own = caching + version;
const loose = { ignoreSearch: true, ignoreVary: true };

// While a server is being updated, it may send files of two versions. Then install caches nothing,
// and the next visit tries again.
async function install() {
  const cache = await caches.open(own);
  try {
    await cache.addAll(files.map(name => new Request(name, { cache: 'no-cache' })));
    if (!(await (await cache.match('index.html')).text()).includes(`"${version}"`)) throw new Error('the page is of another version');
  } catch (e) {
    await caches.delete(own);
    throw e;
  }
  await self.skipWaiting();
}

// carry copies the traces from the cache of an earlier version. These are only the traces that a person has opened.
async function carry(name) {
  const from = await caches.open(name), to = await caches.open(own);
  for (const request of await from.keys()) {
    if (request.url.endsWith('.gz')) await to.put(request, await from.match(request));
  }
}

// tidy deletes the caches of earlier versions, unless a page is open that may still use them.
async function tidy() {
  const open = (await self.clients.matchAll({ includeUncontrolled: true })).some(c => c.url.startsWith(scope));
  for (const name of open ? [] : await caches.keys()) {
    if (!name.startsWith(caching) || name === own) continue;
    await carry(name);
    await caches.delete(name);
  }
}

// plain removes the redirected flag of a response, because browsers refuse a redirected response for a page.
const plain = r => (r?.redirected ? new Response(r.body, r) : r);

// answer returns the response to a request. It does not call clients.get, because in Firefox that
// waits for the client, which may be a worker that is waiting for this response to importScripts.
async function answer({ request, clientId }) {
  if ((await self.clients.matchAll()).some(c => c.id === clientId && c.frameType === 'nested')) return fetch(request);
  if (request.mode === 'navigate') await tidy();
  const address = request.url.replace(/[?#].*/, '').replace(/\/$/, '/index.html');
  return plain(await kept(address) ?? await kept(`${address}.html`)) ?? fetch(request);
}

// kept resolves to a cached file of this version or, if there is none, of any version. The caller
// also tries the address with .html, because some servers omit the extension.
const kept = async address => await (await caches.open(own)).match(address, loose) ?? caches.match(address, loose);

self.oninstall = event => event.waitUntil(install());
self.onactivate = event => event.waitUntil(tidy().then(() => self.clients.claim()));
self.onfetch = event => {
  const { method, url, destination } = event.request;
  if (method === 'GET' && url.startsWith(scope) && !/frame|object|embed/.test(destination)) event.respondWith(answer(event));
};
