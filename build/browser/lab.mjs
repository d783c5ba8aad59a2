// This module is the basis of all browser tests: a server for the site, browsers, and pages. A page
// records all console messages, uncaught errors and failed requests.
import { createServer } from 'node:http';
import { spawn, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

// LAB_ENGINE selects the engine of the tests: firefox, or Chromium by default.
export const engine = process.env.LAB_ENGINE || 'chromium';

// chromiumOnly returns the options of a test that only Chromium can run, with the reason.
export const chromiumOnly = reason => ({ skip: engine !== 'chromium' && `in Chromium only: ${reason}` });

// engines describes the browsers that the tests drive: Chromium over its own protocol, Firefox over
// WebDriver BiDi. In Firefox, a preference sets the download folder.
const engines = {
  chromium: {
    variable: 'CHROMIUM', names: ['chromium', 'chromium-browser', 'google-chrome'],
    // These programs contain the same engine without a user interface, and take a quarter less
    // CPU time.
    shells: ['chromium-headless-shell', 'chrome-headless-shell'],
    block: profile => {
      mkdirSync(join(profile, 'Default'));
      writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }));
    },
    options: (profile, downloads) => ({
      userDataDir: profile,
      downloadBehavior: { policy: 'allow', downloadPath: downloads },
      // Chromium shows suggestions under its address bar in pages of its own. The tests never use
      // these pages, so they are disabled.
      args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
        // Without the optimizing compiler, the program is compiled only once. This saves time in
        // tests that measure nothing.
        ...(process.env.LAB_BASELINE ? ['--js-flags=--liftoff-only'] : [])],
    }),
  },
  firefox: {
    variable: 'FIREFOX', names: ['firefox', 'firefox-esr'],
    block: (_, options) => { options.extraPrefsFirefox['network.cookie.cookieBehavior'] = 2; },
    options: (profile, downloads) => ({
      browser: 'firefox',
      args: ['--profile', profile],
      // Each file on disk is an origin of its own, as in a Firefox that is not automated. Animations are off
      // from the start, because WebDriver cannot switch them off later.
      extraPrefsFirefox: { 'security.fileuri.strict_origin_policy': true, 'ui.prefersReducedMotion': 1, 'browser.download.folderList': 2, 'browser.download.dir': downloads, 'browser.download.alwaysOpenPanel': false, ...(process.env.LAB_BASELINE && { 'javascript.options.wasm_optimizingjit': false }) },
    }),
  },
};

// findProgram returns the path of an engine's program, or null. If `shell` is set, it prefers a
// program without a user interface.
export function findProgram(engine, { shell = false } = {}) {
  const { variable, names: browsers, shells = [] } = engines[engine], names = shell ? [...shells, ...browsers] : browsers;
  if (process.env[variable]) return process.env[variable];
  const places = (process.env.PATH ?? '').split(delimiter).flatMap(dir => names.map(name => join(dir, name)));
  return places.find(existsSync) ?? null;
}

// stopFunctions holds the functions that stop the servers and browsers that are still running.
export const stopFunctions = new Set();

// registerStop adds a function to stopFunctions and returns one that calls and removes it.
export function registerStop(end) {
  const stop = () => {
    stopFunctions.delete(stop);
    return end();
  };
  stopFunctions.add(stop);
  return stop;
}

// buildProgram builds a Go program and returns its path. If LAB_BUILT is set, the program is
// already built.
export function buildProgram(name, from) {
  const program = join(root, 'build', 'bin', name);
  if (!process.env.LAB_BUILT) execFileSync('go', ['build', '-trimpath', '-buildvcs=false', '-o', program, from], { cwd: root, stdio: 'inherit' });
  return program;
}

// sites lists the sites that tests serve. shipped is the site as released. unpacked contains the
// uncompressed program, which cuts the time to open a page by a quarter. traps is the page that
// tests the workarounds for defects of Vugu.
export const sites = {
  shipped: ['-out', 'build/site'],
  unpacked: ['-out', 'build/cache/unpacked', '-quick'],
  traps: ['-out', 'build/cache/traps', '-wasm', './ui/vugu/traps/cmd', '-quick', '-lines'],
};

// serve starts a server, which builds the site if it is missing or stale, and returns its
// address.
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

// startServer starts an HTTP server with a test's own request handler.
export async function startServer(answer) {
  const server = createServer(answer);
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address(), stop = registerStop(() => {
    server.closeAllConnections();
    return new Promise(done => server.close(done));
  });
  return { port, address: `http://127.0.0.1:${port}`, stop };
}

// prepareProfile creates a profile without user data. For Chromium, this is an empty folder. Firefox takes
// twice as long to start with an empty folder, so it gets a copy of a profile with which it has started
// before. build/cache keeps such a profile for each version of Firefox.
async function prepareProfile(name, program, profile) {
  mkdirSync(profile);
  if (name !== 'firefox') return;
  const { mtimeMs, size } = statSync(program), kept = join(root, 'build', 'cache', `firefox-${mtimeMs}-${size}`);
  if (!existsSync(kept)) {
    const fresh = `${kept}-${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    const browser = await puppeteer.launch({ executablePath: program, headless: true, ...engines.firefox.options(fresh, fresh) });
    await browser.newPage();
    await browser.close();
    try { renameSync(fresh, kept); } catch { rmSync(fresh, { recursive: true }); } // another process was faster
  }
  cpSync(kept, profile, { recursive: true });
}

// launch starts a browser with a new profile. Its downloads go to browser.labDownloads. If `blocked` is set,
// the browser refuses all storage to pages. If `full` is set, launch starts the browser that people use, which
// includes a user interface. By default, `full` is set if `blocked` is set or if LAB_BASELINE is not set.
export async function launch(name = engine, { blocked = false, full = blocked || !process.env.LAB_BASELINE } = {}) {
  const program = findProgram(name, { shell: !full });
  if (!program) throw new Error(`no ${name} on PATH: install it, or set ${engines[name].variable} to its program`);
  const folder = mkdtempSync(join(tmpdir(), `lab-${name}-`));
  const [profile, downloads] = ['profile', 'downloads'].map(name => join(folder, name));
  mkdirSync(downloads);
  await prepareProfile(name, program, profile);
  const options = engines[name].options(profile, downloads);
  if (blocked) engines[name].block(profile, options);
  const browser = await puppeteer.launch({
    executablePath: program, headless: true, protocolTimeout: 120_000, ...options,
  });
  Object.assign(browser, { labDownloads: downloads, labEngine: name });
  if (name === 'chromium' && !full) await allowClipboard(browser);
  const stop = registerStop(async () => {
    await browser.close().catch(() => browser.process()?.kill('SIGKILL'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return { browser, stop };
}

// allowClipboard lets pages copy texts. A Chromium without a user interface does not allow this by
// default. The permission lasts as long as the session is open.
async function allowClipboard(browser) {
  const session = await browser.target().createCDPSession();
  await session.send('Browser.setPermission', { permission: { name: 'clipboard-write' }, setting: 'granted' });
}

// lastingMethods lists the methods of a page whose effect persists when the page loads another address.
const lastingMethods = ['setRequestInterception', 'evaluateOnNewDocument', 'createCDPSession', 'exposeFunction', 'emulateCPUThrottling'];

// spares maps a browser to a spare page, which an earlier test used and recycle emptied. The next
// test reuses this page, because a new page takes 50 % more CPU time.
const spares = new WeakMap();

// isSpare reports whether a page is the spare page of its browser.
export const isSpare = page => spares.get(page.browser()) === page;

// delayPage delays all messages of workers by `late` milliseconds, and all frames by a third of that. It runs
// in a page. With these delays, a test fails if it asserts something without waiting for it.
function delayPage(late) {
  const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', { set(handle) {
    this.labHandle = handle; // may change, or be removed, before a message arrives
    set.call(this, event => setTimeout(() => this.labHandle?.(event), late));
  } });
  const frame = requestAnimationFrame, cancelled = new Set();
  window.requestAnimationFrame = draw => {
    const id = setTimeout(() => frame(now => { if (!cancelled.delete(id)) draw(now); }), late / 3);
    return id;
  };
  window.cancelAnimationFrame = id => { cancelled.add(id); };
}

// newPage returns an empty page: the spare page if there is one, otherwise a new page.
async function newPage(browser) {
  const spare = spares.get(browser);
  spares.delete(browser);
  if (spare) {
    await spare.bringToFront(); // Firefox draws no frames in a tab behind another
    return spare;
  }
  const page = await browser.newPage();
  if (process.env.LAB_LATE) await page.evaluateOnNewDocument(delayPage, Number(process.env.LAB_LATE));
  // By default, waitForFunction checks its condition in each animation frame, so the browser draws more frames.
  // Only `make bench` keeps this default.
  const { waitForFunction } = page;
  if (!process.env.LAB_BENCH) page.waitForFunction = (condition, options, ...args) => waitForFunction.call(page, condition, { polling: 20, ...options }, ...args);
  for (const name of lastingMethods) {
    const method = page[name];
    page[name] = (...args) => {
      page.altered = true;
      return method.apply(page, args);
    };
  }
  return page;
}

// recycle empties a page for the next test. It closes the page instead if the browser already has a spare page, if
// a test changed the page permanently, or if the page has left the site at `url`.
export async function recycle(browser, page, url) {
  const reusable = url && page.messages && !page.altered && !spares.has(browser) && page.url().startsWith(url);
  if (!reusable) return page.close();
  for (const name of ['console', 'pageerror', 'requestfailed', 'response', 'request', 'dialog']) page.removeAllListeners(name);
  page.messages = undefined;
  try {
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.removeItem('drafts');
      Storage.prototype.setItem = () => {};
    });
    await page.goto('about:blank');
    if (browser.labEngine === 'chromium') await page.emulateMediaFeatures([]);
    spares.set(browser, page);
  } catch {
    await page.close();
  }
}

// open loads a page and waits for the first render. `page.messages` collects console messages,
// uncaught errors and failed requests; assertNoConsoleErrors checks them.
export async function open(browser, url, { width = 1440, height = 900, ready = true } = {}) {
  const page = await newPage(browser);
  page.messages = [];
  page.on('console', m => page.messages.push(`console ${m.type()}: ${m.text()}`));
  page.on('pageerror', e => {
    // When a page is left, Firefox cancels the request of its icon and reports this as an error.
    if (!/icons\/icon\.svg’\. A ServiceWorker intercepted/.test(e.message)) page.messages.push(`uncaught: ${e.message ?? e}`);
  });
  page.on('requestfailed', r => {
    // Chromium often reports a streamed response as aborted although it was read completely. When a
    // page is left, Chromium also aborts the script that is loaded when idle, and an icon. Firefox
    // sometimes reports the script of a running worker as failed. These reports can be ignored,
    // because a page without its worker shows an error.
    if (!(/\.wasm(\.xz)?$|\/(export|worker)\.\w+\.js$|\/icons\/icon(-192)?\.(svg|png)$/.test(r.url()) && /ABORTED/.test(r.failure()?.errorText))) {
      page.messages.push(`request failed: ${r.url()} ${r.failure()?.errorText}`);
    }
  });
  page.on('response', r => { if (r.status() >= 400) page.messages.push(`${r.status()} for ${r.url()}`); });
  await page.setViewport({ width, height });
  await page.goto(url);
  if (ready) await waitForStart(page);
  return page;
}

// waitForStart waits until the program has drawn the page.
export async function waitForStart(page) {
  try {
    await page.waitForFunction(() => !document.getElementById('lab-boot'), { timeout: 30_000 });
  } catch (e) {
    throw new Error(`the page did not start; its messages:\n${page.messages.join('\n')}`, { cause: e });
  }
}

// assertNoConsoleErrors fails if page.messages has any entry that `expected` does not match. It
// rejects all console messages, not only errors.
export function assertNoConsoleErrors(page, expected) {
  const messages = expected ? page.messages.filter(w => !expected.test(w)) : page.messages;
  assert.deepEqual(messages, [], 'the page must not write to the console');
}

// messagesOf returns the messages of a page, or of the page that contains a frame.
const messagesOf = frame => frame.messages ?? frame.page().messages;

// waitForFrames waits until the effect of the last action has been drawn.
export const waitForFrames = page => page.evaluate(() => new Promise(
  done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));

// textOf returns the text of the element that a selector matches. It replaces no-break spaces by spaces.
export const textOf = (page, selector) => page.$eval(selector, el => el.textContent.trim().replaceAll('\u00a0', ' '));

// waitText waits for a text in a page or in one of its frames. It treats no-break spaces as spaces.
export async function waitText(page, selector, wanted, timeout = 30_000) {
  try {
    await page.waitForFunction((s, w) => document.querySelector(s)?.textContent.replaceAll('\u00a0', ' ').includes(w), { timeout }, selector, wanted);
  } catch {
    const got = await page.$eval(selector, el => el.textContent).catch(() => 'no such element');
    assert.fail(`${selector} should contain ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}\n${messagesOf(page).join('\n')}`);
  }
}

// traceTasks performs an action in the page and returns the wall-clock time and the CPU time of its
// longest task, and the CPU time of its median frame, in ms. On a busy machine only CPU times are
// meaningful.
export async function traceTasks(page, act) {
  await page.tracing.start({ categories: ['-*', 'toplevel', 'cc', 'blink.user_timing'] });
  let events;
  try {
    await act();
    await page.evaluate(() => performance.mark('traced'));
  } finally {
    events = JSON.parse(Buffer.from(await page.tracing.stop()).toString()).traceEvents;
  }
  return longestTask(events);
}

// median returns the median of a list of numbers.
export const median = v => v.toSorted((a, b) => a - b)[v.length >> 1];

// longestTask returns the longest task of the page's main thread, and the CPU time of the median
// frame (script, layout, painting). It ignores pages of the browser itself, such as the suggestions
// under the address bar.
function longestTask(events) {
  const { pid, tid } = events.find(e => e.name === 'traced');
  const named = name => events.filter(e => e.ph === 'X' && e.name.endsWith(name) && e.pid === pid && e.tid === tid);
  const tasks = named('RunTask'), most = field => tasks.reduce((m, e) => Math.max(m, e[field] ?? 0), 0) / 1000;
  return { wall: most('dur'), computing: most('tdur'), frame: (median(named('::BeginMainFrame').map(e => e.tdur ?? 0)) ?? 0) / 1000 };
}
