// Tests how the program starts in the page and in a worker, under the strictest content security policy.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { open, assertNoConsoleErrors, waitText, waitForStart, textOf, sites } from './lab.mjs';
import { begin } from './begin.mjs';
import { builtSite, host, pagePolicy, strictHeaders } from './anywhere.mjs';

const lab = begin({ site: sites.shipped });

test('the page starts under the strict policy and writes nothing to the console', async () => {
  const answer = await fetch(lab.url);
  assert.equal(answer.headers.get('content-security-policy'), pagePolicy);
  const page = await open(lab.browser, lab.url);
  assert.equal(await textOf(page, 'h1'), 'Backfill Lab');
  await waitText(page, '#scores', 'EASY');
  assertNoConsoleErrors(page);
});

test('eval stays forbidden for all other code (Vugu trap 13)', async () => {
  const page = await open(lab.browser, lab.url);
  const result = await page.evaluate(() => new Promise(done => setTimeout(() => { // runs as a task of the page, not of the debugger
    try { done(window.eval('1 + 1')); } catch (e) { done(e.name); }
  })));
  assert.equal(result, 'EvalError');
});

// functionsForGo returns the names of the functions that a wasm_exec.js offers to Go, sorted.
const functionsForGo = script => [...script.matchAll(/"((?:runtime|syscall\/js)\.\w+)"/g)].map(m => m[1]).sort();

test('wasm_exec.js is that of the toolchain that compiled the program (Vugu trap 15)', async () => {
  const page = await (await fetch(lab.url)).text();
  const name = /js\/wasm_exec\.[0-9a-f]+\.js/.exec(page)[0];
  const served = await (await fetch(new URL(name, lab.url))).text();
  const goroot = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  const original = readFileSync(join(goroot, 'lib', 'wasm', 'wasm_exec.js'), 'utf8');
  assert.ok(functionsForGo(original).length > 20);
  assert.deepEqual(functionsForGo(served), functionsForGo(original), 'the site has the minified script of the toolchain');
});

// programsLoaded starts the page from a modified copy of the site, and returns the programs that it
// requested. `change` receives the paths of the folder and of the program.
async function programsLoaded(change) {
  const folder = mkdtempSync(join(lab.folder, 'site-')), program = join(folder, readdirSync(builtSite).find(n => n.endsWith('.wasm')));
  cpSync(builtSite, folder, { recursive: true });
  change(folder, program);
  const site = await host(folder, { headers: strictHeaders });
  const page = await open(lab.browser, site.url, { ready: false });
  await waitForStart(page);
  await waitText(page, '#scores', 'EASY');
  await page.close();
  await site.stop();
  return site.requested.filter(n => n.includes('.wasm')).map(n => n.replace(/.*\/lab\.[0-9a-f]+/, ''));
}

test('only the compressed program is loaded', async () => {
  assert.deepEqual(await programsLoaded(() => {}), ['.wasm.xz']);
});

test('without the compressed program, the uncompressed one is used', async () => {
  assert.deepEqual(await programsLoaded((_, program) => rmSync(program + '.xz')), ['.wasm.xz', '.wasm']);
});

test('a truncated compressed program is not run', async () => {
  assert.deepEqual(await programsLoaded((_, program) => truncateSync(program + '.xz', 500_000)), ['.wasm.xz', '.wasm']);
});

test('a compressed program that the browser has already decompressed is run', async () => {
  assert.deepEqual(await programsLoaded((_, program) => cpSync(program, program + '.xz')), ['.wasm.xz']);
});

test('a policy that forbids WebAssembly is explained', async () => {
  const site = await host(builtSite, { headers: { 'Content-Security-Policy': "default-src 'self'" } });
  const page = await open(lab.browser, site.url, { ready: false });
  await waitText(page, '#lab-overlay', "needs script-src 'self' 'wasm-unsafe-eval'");
  await site.stop();
});

test('a worker that does not load is explained', async () => {
  const site = await host(builtSite, { headers: strictHeaders });
  site.refuse = /js\/worker/;
  const page = await open(lab.browser, site.url, { ready: false });
  await waitText(page, '#lab-overlay', 'Check the connection');
  await site.stop();
});

test('a missing program is explained', async () => {
  const page = await lab.browser.newPage();
  page.messages = [];
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
