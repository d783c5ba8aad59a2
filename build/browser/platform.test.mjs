// The platform itself: one program, two roles, under the strictest policy.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, quiet, waitText, drawn, textOf } from './lab.mjs';
import { begin } from './begin.mjs';

const lab = begin();

test('the page starts under the strict policy and says nothing in the console', async () => {
  const answer = await fetch(lab.url);
  assert.equal(answer.headers.get('content-security-policy'),
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
  const page = await open(lab.browser, lab.url);
  assert.equal(await textOf(page, 'h1'), 'Backfill Lab');
  await waitText(page, '#scores', 'EASY');
  quiet(page);
});

test('eval stays forbidden for everybody else (Vugu trap 13)', async () => {
  const page = await open(lab.browser, lab.url);
  const said = await page.evaluate(() => new Promise(done => setTimeout(() => { // a task of the page, not of the debugger
    try { done(window.eval('1 + 1')); } catch (e) { done(e.name); }
  })));
  assert.equal(said, 'EvalError');
});

test('wasm_exec.js is the one of the toolchain that compiled the program (Vugu trap 15)', async () => {
  const page = await (await fetch(lab.url)).text();
  const name = /js\/wasm_exec\.[0-9a-f]+\.js/.exec(page)[0];
  const served = await (await fetch(new URL(name, lab.url))).text();
  const goroot = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  assert.equal(served, readFileSync(join(goroot, 'lib', 'wasm', 'wasm_exec.js'), 'utf8'));
});

// loads starts the page with answers in the place of some files, and gives the
// programs that it asked for.
async function loads(answer) {
  const page = await lab.browser.newPage(), asked = [];
  page.words = [];
  await page.setRequestInterception(true);
  page.on('request', async r => {
    if (/\.wasm/.test(r.url())) asked.push(r.url().replace(/.*\/lab\.[0-9a-f]+/, ''));
    const other = await answer(r.url());
    return other ? r.respond(other) : r.continue();
  });
  await page.goto(lab.url, { timeout: 120_000 }); // some answers come through this program
  await drawn(page);
  await waitText(page, '#scores', 'EASY');
  await page.close();
  return asked;
}

test('the packed program is the only one that is loaded', async () => {
  assert.deepEqual(await loads(() => null), ['.wasm.zst']);
});

test('without the packed program the plain one is used', async () => {
  assert.deepEqual(await loads(url => url.endsWith('.zst') && { status: 404 }), ['.wasm.zst', '.wasm']);
});

test('without the decoder the plain program is used', async () => {
  // The packed one is asked for with the page, before it is known what can be done with it.
  assert.deepEqual(await loads(url => url.includes('/js/fzstd.') && { status: 404 }), ['.wasm.zst', '.wasm']);
});

test('a packed program that is cut short is not run', async () => {
  const cut = async url => url.endsWith('.zst') && { status: 200, body: Buffer.from(await (await fetch(url)).arrayBuffer()).subarray(0, 500_000) };
  assert.deepEqual(await loads(cut), ['.wasm.zst', '.wasm']);
});

test('a packed program that the browser has unpacked is run', async () => {
  const plain = async url => url.endsWith('.zst') && { status: 200, body: Buffer.from(await (await fetch(url.slice(0, -'.zst'.length))).arrayBuffer()) };
  assert.deepEqual(await loads(plain), ['.wasm.zst']);
});

test('a policy that forbids WebAssembly is explained in words', async () => {
  const page = await lab.browser.newPage();
  page.words = [];
  await page.setRequestInterception(true);
  page.on('request', async r => {
    if (r.url() !== lab.url) return r.continue();
    const body = await (await fetch(lab.url)).text();
    return r.respond({ status: 200, contentType: 'text/html', body,
      headers: { 'Content-Security-Policy': "default-src 'self'" } });
  });
  await page.goto(lab.url);
  await waitText(page, '#lab-overlay', "needs script-src 'self' 'wasm-unsafe-eval'");
});

test('a missing program is explained in words', async () => {
  const page = await lab.browser.newPage();
  page.words = [];
  await page.setRequestInterception(true);
  page.on('request', r => (/\.wasm/.test(r.url()) ? r.abort() : r.continue()));
  await page.goto(lab.url);
  await waitText(page, '#lab-overlay', 'Check the connection');
});

test('the site works below any path', async () => {
  const page = await (await fetch(lab.url)).text();
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
    assert.ok(!address.startsWith('/') && !address.includes('://'), `${address} must be relative`);
  }
});
