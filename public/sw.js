// Keeps the site for use without a network: each version whole, in a cache of its own.
// A page has all its parts from one version: what has a hash in its name may come from
// any, all else comes from the newest that is whole. Not for frames, which are parts of
// pages of others.
'use strict';
// The build writes it above: the version, and the files that belong to it.
const { version, files } = self.labSite;
const scope = self.registration.scope;
// Caches belong to the whole server, on which there may be more sites like this one.
const caching = `backfill-lab ${scope} `, own = caching + version;
const loose = { ignoreSearch: true, ignoreVary: true };

// A server that is just being given another version hands out files of both: then this
// one is not kept, and the next visit tries again.
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

// Earlier versions stay for as long as pages are open that may be theirs.
async function tidy() {
  const open = (await self.clients.matchAll({ includeUncontrolled: true })).some(c => c.url.startsWith(scope));
  for (const name of open ? [] : await caches.keys()) {
    if (name.startsWith(caching) && name !== own) await caches.delete(name);
  }
}

// A page must not be told by redirection what it is.
const plain = r => (r?.redirected ? new Response(r.body, r) : r);

// Not clients.get: Firefox asks the client then, and a worker that imports scripts waits
// for this answer.
async function answer({ request, clientId }) {
  if ((await self.clients.matchAll()).some(c => c.id === clientId && c.frameType === 'nested')) return fetch(request);
  if (request.mode === 'navigate') await tidy();
  const address = request.url.replace(/[?#].*/, '').replace(/\/$/, '/index.html');
  return plain(await kept(address) ?? await kept(`${address}.html`)) ?? fetch(request);
}

// kept is a file of the newest version that has it. Some servers leave out the end of a
// page's name.
const kept = async address => await (await caches.open(own)).match(address, loose) ?? caches.match(address, loose);

self.oninstall = event => event.waitUntil(install());
self.onactivate = event => event.waitUntil(tidy().then(() => self.clients.claim()));
self.onfetch = event => {
  const { method, url, destination } = event.request;
  if (method === 'GET' && url.startsWith(scope) && !/frame|object|embed/.test(destination)) event.respondWith(answer(event));
};
