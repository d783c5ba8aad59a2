// This module has helpers for tests of hosting and embedding: a plain file server, calls from an
// embedding page, and a check that a page works.
import { readFileSync, existsSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import assert from 'node:assert/strict';
import { startServer, root, findProgram, waitText, textOf } from './lab.mjs';
import { waitForCharts, drawnJobs, dropFile, command, nativeJobs, firstExample } from './page.mjs';

export const builtSite = join(root, 'build', 'site');

// pagePolicy is the content security policy under which the page must work.
export const pagePolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
export const strictHeaders = { 'Content-Security-Policy': pagePolicy, 'X-Content-Type-Options': 'nosniff' };
export const oneFile = join(builtSite, 'backfill-lab.html');

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

// host serves a folder below a path like a plain file server: all files except pages, scripts and
// styles have the type octet-stream. `pages` has additional pages by name. If `shortening` is set,
// host redirects addresses of pages to addresses without .html. The returned server has fields:
// tests may set `folder`, and `requested` collects the requested names. The server does not answer
// while `off` is set, nor for names that match `refuse`.
export async function host(folder, { path = '/courses/17/files/lab/', pages = {}, headers = {}, shortening = false } = {}) {
  const server = { folder, pages, requested: [], off: false };
  const { port, address, stop } = await startServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    server.requested.push(name);
    if (server.off || server.refuse?.test(name)) return request.destroy();
    const answer = (status, type, body) => response.writeHead(status, { ...(type && { 'Content-Type': type }), ...headers }).end(body);
    if (name === '/favicon.ico') return answer(204);
    if (name in pages) return answer(200, 'text/html', pages[name]);
    const short = shortening ? name.replace(/(index)?\.html$/, '') : name, place = join(server.folder, normalize(name.slice(path.length)));
    if (short !== name) return response.writeHead(301, { Location: short, ...headers }).end();
    const file = [place, join(place, 'index.html'), ...(shortening ? [`${place}.html`] : [])].find(f => existsSync(f) && statSync(f).isFile());
    if (!name.startsWith(path) || !file) return answer(404, 'text/plain', 'no such file');
    return answer(200, types[extname(file)] ?? 'application/octet-stream', readFileSync(file));
  });
  // `named` has another host name, so browsers treat it as another site. It ends in localhost, so they allow workers.
  return Object.assign(server, { port, stop, url: address + path, named: `http://lab.localhost:${port}${path}` });
}

// embedLab embeds the lab in a page and returns its frame once the lab is ready. In the page,
// `heard` collects the messages of the lab, and `say` sends a message.
export async function embedLab(page, src, style = '') {
  await page.evaluate((src, style) => new Promise(done => {
    window.heard = [];
    addEventListener('message', e => {
      heard.push(e.data);
      if (e.data.op === 'ready') done();
    });
    const frame = document.createElement('iframe');
    frame.id = 'lab';
    frame.style = style;
    frame.src = src;
    document.body.append(frame);
    window.say = m => frame.contentWindow.postMessage(m, '*');
  }), src, style);
  return (await page.$('#lab')).contentFrame();
}

// labClient returns functions with which a host page calls the lab. say sends a call, heard returns
// the answer to a call, and ask does both.
export function labClient(page) {
  let last = 0;
  const say = async m => {
    const id = m.id ?? ++last;
    await page.evaluate(m => say({ type: 'backfill-lab', v: 1, ...m }), { ...m, id });
    return id;
  };
  const heard = (id, timeout = 30_000) => page.waitForFunction(id => heard.find(m => m.id === id), { timeout }, id).then(x => x.jsonValue());
  return { say, heard, ask: async m => heard(await say(m)) };
}

// openDropped drops a file and waits until it is open.
export async function openDropped(frame, name, data) {
  await dropFile(frame, name, data);
  await waitText(frame, '#notice', name);
  await waitForCharts(frame);
}

// engineMissing returns the reason to skip the tests of an engine, or false.
export const engineMissing = engine => engine === 'firefox' && !findProgram('firefox')
  && 'there is no Firefox: install it (on Debian the package firefox-esr), or set FIREFOX to its program';

// repeated returns the options of a test that `make test` runs only in Chromium, because both
// engines behave alike in it. `make test-firefox` runs it in Firefox too.
export const repeated = engine => ({ skip: engine === 'firefox' && !process.env.LAB_ALL && 'make test-firefox runs it' });

// repeatedFile returns the options of a file or block of tests that `make test` runs only in Chromium.
export const repeatedFile = engine => ({ skip: engineMissing(engine) || repeated(engine).skip });

const backfill = command();

// assertFirstExampleRuns waits until a page or frame has run the first example. It compares
// every job in the charts with the native command, and checks a number of the metrics.
export async function assertFirstExampleRuns(page) {
  page.messages ??= [];
  await page.waitForSelector('[data-chart="gantt"]', { timeout: 60_000 });
  await waitForCharts(page);
  const s = firstExample();
  for (const [i, policy] of ['easy', 'conservative'].entries()) {
    assert.deepEqual(await drawnJobs(page, i), nativeJobs(backfill, s, policy), policy);
  }
  await waitText(page, '#scores', '6.25');
  assert.match(await textOf(page, '#scores'), /EASY/);
}
