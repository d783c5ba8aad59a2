// What every browser test shares: one server for a site, one browser, and pages
// that fail the test on any word in the console or any uncaught error.
import { createServer } from 'node:http';
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

// LAB_ENGINE is the engine that the tests run in: firefox, or else Chromium.
export const engine = process.env.LAB_ENGINE || 'chromium';

// chromiumOnly is the options of a test that no other engine can run, with the reason.
export const chromiumOnly = reason => ({ skip: engine !== 'chromium' && `in Chromium only: ${reason}` });

// With LAB_BASELINE Chromium compiles the program once, and not again for speed: a test
// that looks at no times is over before that pays.

// The engines that the tests drive. Chromium speaks its own protocol, Firefox
// WebDriver BiDi; Firefox takes the folder for downloads as a preference.
const engines = {
  chromium: {
    variable: 'CHROMIUM', names: ['chromium', 'chromium-browser', 'google-chrome'],
    block: profile => {
      mkdirSync(join(profile, 'Default'));
      writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
    },
    options: (profile, downloads) => ({
      userDataDir: profile,
      downloadBehavior: { policy: 'allow', downloadPath: downloads },
      // The lists under the address line are pages themselves, which start with a browser
      // and are never seen here.
      args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
        ...(process.env.LAB_BASELINE ? ['--js-flags=--liftoff-only'] : [])],
    }),
  },
  firefox: {
    variable: 'FIREFOX', names: ['firefox', 'firefox-esr'],
    block: (_, options) => { options.extraPrefsFirefox['network.cookie.cookieBehavior'] = 2; },
    options: (profile, downloads) => ({
      browser: 'firefox',
      args: ['--profile', profile],
      // Files are strangers to one another, as they are in a Firefox that nobody drives;
      // what moves stands still, since it cannot be told so later.
      extraPrefsFirefox: { 'security.fileuri.strict_origin_policy': true, 'ui.prefersReducedMotion': 1, 'browser.download.folderList': 2, 'browser.download.dir': downloads, 'browser.download.alwaysOpenPanel': false },
    }),
  },
};

// find is the program of an engine; null when there is none.
export function findProgram(engine) {
  const { variable, names } = engines[engine];
  if (process.env[variable]) return process.env[variable];
  const places = (process.env.PATH ?? '').split(delimiter).flatMap(dir => names.map(name => join(dir, name)));
  return places.find(existsSync) ?? null;
}

// Whatever runs, as what stops it.
export const stopFunctions = new Set();

// runs remembers how to stop something until that is done.
export function registerStop(end) {
  const stop = () => {
    stopFunctions.delete(stop);
    return end();
  };
  stopFunctions.add(stop);
  return stop;
}

// compiled is a program of ours, by name; with LAB_BUILT it is there already.
export function buildProgram(name, from) {
  const program = join(root, 'build', 'bin', name);
  if (!process.env.LAB_BUILT) execFileSync('go', ['build', '-trimpath', '-buildvcs=false', '-o', program, from], { cwd: root, stdio: 'inherit' });
  return program;
}

// The sites that tests serve. shipped is the site as it is handed out. unpacked is the same
// site with the program not compressed, so that a page opens in three quarters of the time.
export const sites = {
  shipped: ['-out', 'build/site'],
  unpacked: ['-out', 'build/cache/unpacked', '-quick'],
  traps: ['-out', 'build/cache/traps', '-wasm', './ui/vugu/traps/cmd', '-quick', '-lines'],
};

// serve builds a site if it is missing or stale, and returns its address.
export async function serve(site = sites.shipped) {
  const child = spawn(buildProgram('labbuild', './build'), ['serve', '-port', '0', ...site], { cwd: root });
  let output = '';
  const url = await new Promise((resolve, reject) => {
    const read = data => {
      output += data;
      const found = /http:\/\/\S+/.exec(output);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', code => reject(new Error(`the server ended with ${code}:\n${output}`)));
  });
  return { url, stop: registerStop(() => child.kill('SIGKILL')) };
}

// answering is a server of a test's own.
export async function startServer(answer) {
  const server = createServer(answer);
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address(), stop = registerStop(() => {
    server.closeAllConnections();
    return new Promise(done => server.close(done));
  });
  return { port, address: `http://127.0.0.1:${port}`, stop };
}

// launch starts a browser with an empty profile; what it downloads comes to
// browser.labDownloads. With `blocked` it refuses pages all storage.
export async function launch(name = engine, { blocked = false } = {}) {
  const program = findProgram(name);
  if (!program) throw new Error(`no ${name} on PATH: install it, or set ${engines[name].variable} to its program`);
  const folder = mkdtempSync(join(tmpdir(), `lab-${name}-`));
  const [profile, downloads] = ['profile', 'downloads'].map(name => join(folder, name));
  for (const d of [profile, downloads]) mkdirSync(d);
  const options = engines[name].options(profile, downloads);
  if (blocked) engines[name].block(profile, options);
  const browser = await puppeteer.launch({
    executablePath: program, headless: true, protocolTimeout: 120_000, ...options,
  });
  Object.assign(browser, { labDownloads: downloads, labEngine: name });
  const stop = registerStop(async () => {
    await browser.close().catch(() => browser.process()?.kill('SIGKILL'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return { browser, stop };
}

// open loads a page and waits until the program has drawn. `page.messages` collects
// the console and uncaught errors; quiet(page) asserts that there were none.
export async function open(browser, url, { width = 1440, height = 900, ready = true } = {}) {
  const page = await browser.newPage();
  page.messages = [];
  page.on('console', m => page.messages.push(`console ${m.type()}: ${m.text()}`));
  page.on('pageerror', e => page.messages.push(`uncaught: ${e.message ?? e}`));
  page.on('requestfailed', r => {
    // Chromium often calls a streamed answer aborted that was read to its end; a page
    // that is left gives up the script that it loads when it is idle, and its icon.
    if (!(/\.wasm(\.zst)?$|\/export\.\w+\.js$|\/icons\/icon\.svg$/.test(r.url()) && /ABORTED/.test(r.failure()?.errorText))) {
      page.messages.push(`request failed: ${r.url()} ${r.failure()?.errorText}`);
    }
  });
  page.on('response', r => { if (r.status() >= 400) page.messages.push(`${r.status()} for ${r.url()}`); });
  await page.setViewport({ width, height });
  await page.goto(url);
  if (ready) await waitForStart(page);
  return page;
}

export async function waitForStart(page) {
  try {
    await page.waitForFunction(() => !document.getElementById('lab-boot'), { timeout: 30_000 });
  } catch (e) {
    throw new Error(`the page did not start; it said:\n${page.messages.join('\n')}`, { cause: e });
  }
}

// quiet fails when the page said anything, save what `expected` matches.
export function assertNoConsoleErrors(page, expected) {
  const messages = expected ? page.messages.filter(w => !expected.test(w)) : page.messages;
  assert.deepEqual(messages, [], 'the page must not say anything in the console');
}

// frames waits until two frames have been drawn: what a click caused is then visible.
export const waitForFrames = page => page.evaluate(() => new Promise(
  done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));

export const textOf = (page, selector) => page.$eval(selector, el => el.textContent.trim());

export async function waitText(page, selector, wanted, timeout = 30_000) {
  try {
    await page.waitForFunction((s, w) => document.querySelector(s)?.textContent.includes(w), { timeout }, selector, wanted);
  } catch {
    const got = await page.$eval(selector, el => el.textContent).catch(() => 'no such element');
    assert.fail(`${selector} should say ${JSON.stringify(wanted)}, it says ${JSON.stringify(got)}\n${page.messages.join('\n')}`);
  }
}

// traced does something in the page and answers with its longest task, as the
// person sees it and in computing alone: on a machine that does other things only
// that is the page's fault.
export async function traceTasks(page, act) {
  await page.tracing.start({ categories: ['-*', 'toplevel', 'cc', 'blink.user_timing'] });
  let events;
  try {
    await act();
    await page.evaluate(() => performance.mark('traced'));
  } finally {
    events = JSON.parse(Buffer.from(await page.tracing.stop()).toString()).traceEvents;
  }
  return longest(events);
}

// middle returns the median.
export const median = v => v.toSorted((a, b) => a - b)[v.length >> 1];

// longest is the longest task of the thread that holds the page, and what the
// median frame computes: script, layout, painting. (The browser has pages of its own
// besides, such as the list under its address line.)
function longest(events) {
  const { pid, tid } = events.find(e => e.name === 'traced');
  const named = name => events.filter(e => e.ph === 'X' && e.name.endsWith(name) && e.pid === pid && e.tid === tid);
  const tasks = named('RunTask'), most = field => tasks.reduce((m, e) => Math.max(m, e[field] ?? 0), 0) / 1000;
  return { wall: most('dur'), computing: most('tdur'), frame: (median(named('::BeginMainFrame').map(e => e.tdur ?? 0)) ?? 0) / 1000 };
}
