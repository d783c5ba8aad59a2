// What every browser test shares: one server for a site, one Chromium, and pages
// that fail the test on any word in the console or any uncaught error.
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const dir of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      if (existsSync(join(dir, name))) return join(dir, name);
    }
  }
  throw new Error('no Chromium on PATH: install chromium, or set CHROMIUM to its program');
}

// serve builds the site if need be and answers with its address.
// The main site by default; other programs: serve({ wasm: './ui/traps/cmd', out: 'build/cache/traps' }).
export async function serve({ wasm = './wasm', out = 'build/site' } = {}) {
  const program = join(root, 'build', 'bin', 'labbuild');
  execFileSync('go', ['build', '-buildvcs=false', '-o', program, './build'], { cwd: root, stdio: 'inherit' });
  const child = spawn(program, ['serve', '-port', '0', '-wasm', wasm, '-out', out], { cwd: root });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const hear = data => {
      said += data;
      const found = /http:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', code => reject(new Error(`the server ended with ${code}:\n${said}`)));
  });
  return { url, stop: () => child.kill('SIGKILL') };
}

// launch starts a Chromium with an empty profile.
export async function launch() {
  const profile = mkdtempSync(join(tmpdir(), 'lab-chromium-'));
  const browser = await puppeteer.launch({
    executablePath: findChromium(),
    headless: true,
    userDataDir: profile,
    protocolTimeout: 120_000,
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
  });
  const stop = async () => {
    await browser.close().catch(() => browser.process()?.kill('SIGKILL'));
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, stop };
}

// open loads a page and waits until the program has drawn. `page.words` collects
// the console and uncaught errors; quiet(page) asserts that there were none.
export async function open(browser, url, { width = 1440, height = 900, ready = true } = {}) {
  const page = await browser.newPage();
  page.words = [];
  page.on('console', m => page.words.push(`console ${m.type()}: ${m.text()}`));
  page.on('pageerror', e => page.words.push(`uncaught: ${e.message ?? e}`));
  page.on('requestfailed', r => {
    // Chromium often calls a streamed answer aborted that was read to its end.
    if (!(r.url().endsWith('.wasm.gz') && r.failure()?.errorText === 'net::ERR_ABORTED')) {
      page.words.push(`request failed: ${r.url()} ${r.failure()?.errorText}`);
    }
  });
  page.on('response', r => { if (r.status() >= 400) page.words.push(`${r.status()} for ${r.url()}`); });
  await page.setViewport({ width, height });
  await page.goto(url);
  if (ready) await drawn(page);
  return page;
}

export async function drawn(page) {
  try {
    await page.waitForFunction(() => !document.getElementById('lab-boot'), { timeout: 30_000 });
  } catch (e) {
    throw new Error(`the page did not start; it said:\n${page.words.join('\n')}`, { cause: e });
  }
}

// quiet fails when the page said anything, save what `expected` matches.
export function quiet(page, expected) {
  const words = expected ? page.words.filter(w => !expected.test(w)) : page.words;
  assert.deepEqual(words, [], 'the page must not say anything in the console');
}

// frames waits until two frames have been drawn: what a click caused is then visible.
export const frames = page => page.evaluate(() => new Promise(
  done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));

export const textOf = (page, selector) => page.$eval(selector, el => el.textContent.trim());

export async function waitText(page, selector, wanted, timeout = 10_000) {
  try {
    await page.waitForFunction((s, w) => document.querySelector(s)?.textContent.includes(w), { timeout }, selector, wanted);
  } catch {
    const got = await page.$eval(selector, el => el.textContent).catch(() => 'no such element');
    assert.fail(`${selector} should say ${JSON.stringify(wanted)}, it says ${JSON.stringify(got)}\n${page.words.join('\n')}`);
  }
}
