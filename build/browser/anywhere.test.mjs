// Tests the page in all supported places: on a plain file server, as a single file, and in frames
// of other sites. In each place, the page runs the first example, and the results are compared with
// those of the native command.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, open, assertNoConsoleErrors, waitText, sites } from './lab.mjs';
import { click } from './page.mjs';
import { begin } from './begin.mjs';
import { host, assertFirstExampleRuns, builtSite, oneFile, engineMissing, strictHeaders } from './anywhere.mjs';

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {

const lab = begin({ site: sites.shipped, engine });

// openFrame opens a page with one frame and returns both.
async function openFrame(url, { browser } = lab) {
  const page = await open(browser, url, { ready: false });
  const element = await page.waitForSelector('iframe');
  return { page, frame: await element.contentFrame() };
}

const pageWithFrame = (src, attributes = '') => `<!DOCTYPE html><title>Course</title><iframe width="1200" height="800" ${attributes} src="${src}"></iframe>`;

test('the site runs below a path on a plain file server that sends the program as octet-stream', async () => {
  const plain = await host(builtSite);
  const page = await open(lab.browser, plain.url);
  await assertFirstExampleRuns(page);
  assert.ok(plain.requested.every(name => name.startsWith('/courses/17/files/lab/') || name === '/favicon.ico'), plain.requested.join(' '));
  assertNoConsoleErrors(page);
});

test('the site runs on a host with a strict content security policy', async () => {
  const plain = await host(builtSite, { headers: strictHeaders });
  const page = await open(lab.browser, plain.url);
  await assertFirstExampleRuns(page);
  assertNoConsoleErrors(page);
});

test('the single file opens from disk without network requests', async () => {
  const path = join(lab.folder, 'With a space & ümlaut.html');
  copyFileSync(oneFile, path);
  const page = await lab.browser.newPage(), requests = [];
  page.messages = [];
  page.on('console', m => page.messages.push(m.text()));
  page.on('pageerror', e => page.messages.push(String(e)));
  page.on('request', r => requests.push(r.url()));
  await page.goto(pathToFileURL(path).href);
  await assertFirstExampleRuns(page);
  await page.goto(`${pathToFileURL(path).href}#v=1&lesson=figure-1`);
  await page.reload();
  await waitText(page, '#lesson-title', 'Figure 1');
  assert.deepEqual(requests.filter(url => !/^(file|blob|data):/.test(url)), []);
  assertNoConsoleErrors(page);
});

test('the single file keeps edits in its address', async () => {
  const page = await open(lab.browser, pathToFileURL(oneFile).href);
  await assertFirstExampleRuns(page);
  await click(page, '#cell-3-2', { count: 3 });
  await page.keyboard.type('7');
  await page.waitForFunction(() => location.hash.includes('s='));
  await page.reload();
  await page.waitForFunction(() => document.querySelector('#cell-3-2')?.value === '7');
  assertNoConsoleErrors(page);
});

test('the single file runs in a sandbox without an origin, as on a course server', async () => {
  const plain = await host(builtSite, { pages: { '/course': pageWithFrame('/courses/17/files/lab/backfill-lab.html', 'sandbox="allow-scripts"') } });
  const { page, frame } = await openFrame(`http://127.0.0.1:${plain.port}/course`);
  await assertFirstExampleRuns(frame);
  assert.equal(await frame.evaluate(() => origin), 'null');
  assertNoConsoleErrors(page);
});

test('the single file runs as the srcdoc of a sandboxed frame', async () => {
  const plain = await host(builtSite, { pages: { '/course': pageWithFrame('about:blank') } });
  const page = await open(lab.browser, `http://127.0.0.1:${plain.port}/course`, { ready: false });
  await page.evaluate(html => {
    const frame = document.createElement('iframe');
    Object.assign(frame, { width: 1200, height: 800, srcdoc: html });
    frame.sandbox = 'allow-scripts';
    document.querySelector('iframe').replaceWith(frame);
  }, readFileSync(oneFile, 'utf8'));
  const frame = await (await page.waitForSelector('iframe[srcdoc]')).contentFrame();
  await assertFirstExampleRuns(frame);
  await frame.click('#cell-3-2', { count: 3 });
  await frame.type('#cell-3-2', '7');
  await waitForNewMetrics(frame);
  assertNoConsoleErrors(page);
});

// waitForNewMetrics waits until the metrics differ from those of the first example.
const waitForNewMetrics = frame => frame.waitForFunction(() => !document.querySelector('#scores').textContent.includes('6.25'));

test('the multi-file page opened from disk says which file to open instead', async () => {
  const page = await open(lab.browser, pathToFileURL(join(builtSite, 'index.html')).href, { ready: false });
  await waitText(page, '#lab-overlay', 'open the file backfill-lab.html, which contains all parts');
});

// The frame uses another host name for the same server, so browsers treat it as another site.
test('the site runs in a frame on another site, with storage blocked', async () => {
  const plain = await host(builtSite), blocked = await launch(engine, { blocked: true });
  plain.pages['/course'] = pageWithFrame(plain.named);
  const { page, frame } = await openFrame(`http://127.0.0.1:${plain.port}/course`, blocked);
  await assertFirstExampleRuns(frame);
  const refused = await frame.evaluate(() => { try { return localStorage.length < 0; } catch (e) { return e.name; } });
  assert.equal(refused, 'SecurityError', 'the storage is blocked');
  await frame.click('#cell-3-2', { count: 3 });
  await frame.type('#cell-3-2', '7');
  await waitForNewMetrics(frame);
  assertNoConsoleErrors(page);
});

test('the site runs in a sandbox without an origin if the server allows cross-origin requests', async () => {
  const plain = await host(builtSite, { headers: { 'Access-Control-Allow-Origin': '*' } });
  plain.pages['/course'] = pageWithFrame('/courses/17/files/lab/', 'sandbox="allow-scripts"');
  const { page, frame } = await openFrame(`http://127.0.0.1:${plain.port}/course`);
  await assertFirstExampleRuns(frame);
  assertNoConsoleErrors(page);
});

});
