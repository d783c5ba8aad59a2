// What the tests of hosting share: a file server that knows nothing of the site,
// and how to see that a page has run a scenario.
import { readFileSync, existsSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import assert from 'node:assert/strict';
import { startServer, root, findProgram, waitText, textOf } from './lab.mjs';
import { waitForCharts, drawnJobs, command, nativeJobs, firstExample } from './page.mjs';

export const builtSite = join(root, 'build', 'site');

// The policy that the page is made for.
export const pagePolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
export const strictHeaders = { 'Content-Security-Policy': pagePolicy, 'X-Content-Type-Options': 'nosniff' };
export const oneFile = join(builtSite, 'backfill-lab.html');

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

// host serves a folder below a path, as a plain file store does: all that is neither
// page, script nor style is octet-stream, and there are no headers of use. `pages`
// are further ones, by name; the folder may be exchanged; `asked` collects what was
// asked for; while it is `off` it does not answer, and never to names that it is to `refuse`.
// A `shortening` one sends those who ask for a page by its file's name to a shorter one.
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
  // Names below localhost are of another site, and secure enough for a worker.
  return Object.assign(server, { port, stop, url: address + path, named: `http://lab.localhost:${port}${path}` });
}

// inFrame puts the lab into a frame of a page, which keeps in `heard` what the lab says, and
// answers with the frame once the lab is ready. `say` in the page sends it a message.
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

// talk is how such a page calls the lab: it says something, hears the answer to what it
// said, or asks, which is both.
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

// drop drops a file on the lab, as a person does.
export const dropFile = (frame, name, data) => frame.evaluate((name, data) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([data], name));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
}, name, typeof data === 'string' ? data : JSON.stringify(data));

// dropped does so and waits until it is open.
export async function openDropped(frame, name, data) {
  await dropFile(frame, name, data);
  await waitText(frame, '#notice', name);
  await waitForCharts(frame);
}

// missing says why the tests in an engine are left out, if they are.
export const engineMissing = engine => engine === 'firefox' && !findProgram('firefox')
  && 'there is no Firefox: install it (on Debian the package firefox-esr), or set FIREFOX to its program';

const backfill = command();

// ran waits until a page or frame has run the first example and holds what it drew
// against the native command: every job, and a number of the table.
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
