// This module has helpers for tests of the page. They read what the charts show, and compare it
// with the native command.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync, existsSync, rmSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import assert from 'node:assert/strict';
import { buildProgram, engine, root, waitForFrames, median, open, textOf, waitText } from './lab.mjs';

let backfill;

// command returns a function that runs the native command. The first call of this function builds
// the command.
export const command = () => (args, input) => {
  backfill ??= buildProgram('backfill', './core/cmd/backfill');
  return execFileSync(backfill, args, { input, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] });
};

// waitForCharts waits until the charts show the current scenario under all policies.
export async function waitForCharts(page, timeout = 60_000) {
  await page.waitForFunction(() => {
    if (document.getElementById('cancel')) return false; // some policies still run
    const all = [...document.querySelectorAll('[data-chart]')], gantts = all.filter(h => h.dataset.chart === 'gantt');
    return gantts.some(h => h.clientWidth) && gantts.every(h => h.labChart?.view && h.querySelector('canvas')) && !all.some(h => h.clientWidth && h.labChart?.stale !== false);
  }, { timeout });
  await waitForFrames(page);
}

// openScenario opens the page, and then opens a scenario in it from a file.
export async function openScenario(browser, url, folder, scenario, options) {
  const page = await open(browser, url, options);
  await waitForCharts(page);
  const path = join(folder, 'scenario.json');
  writeFileSync(path, JSON.stringify(scenario));
  await openFile(page, path);
  await waitText(page, '#notice', 'scenario.json');
  await waitForCharts(page);
  return page;
}

// drawnJobs returns the start, the finish and the number of lanes of each job in the chart of a result, by job index.
export const drawnJobs = (page, result) => page.evaluate(r => {
  const { pieces: p } = document.querySelector(`[data-chart="gantt"][data-result="${r}"]`).labChart.view;
  const jobs = [];
  for (let i = 0; i < p.length; i += 6) {
    if (p[i + 5] & 1) continue; // a bin shows several jobs
    const job = jobs[p[i + 4]] ??= { start: p[i], finish: p[i + 1], lanes: 0 };
    job.lanes += p[i + 3] - p[i + 2];
  }
  return jobs;
}, result);

// nativeJobs runs a scenario in the native command and returns its jobs in the form of
// drawnJobs.
export function nativeJobs(run, scenario, policy, knobs = {}) {
  const set = Object.entries(knobs).flatMap(([k, v]) => ['-set', `${k}=${v}`]);
  const csv = run(['run', '-in', '-', '-format', 'json', '-policy', policy, ...set, '-jobs', '-', '-quiet'], JSON.stringify(scenario)).toString();
  return csv.trim().split('\n').slice(1).map(line => {
    const [, , start, finish, procs] = line.split(',');
    return { start: +start, finish: +finish, lanes: +procs };
  });
}

// firstExample returns the first example as an object.
export const firstExample = () => JSON.parse(readFileSync(join(root, 'public', 'examples', 'first.json'), 'utf8'));

// jobsOf returns the list of jobs of a scenario.
export const jobsOf = scenario => scenario.workload.jobs;

// click waits for an element and clicks it. On a narrow screen it first opens the menu that
// contains the element. If the page replaces the element meanwhile, click waits for the new one.
export async function click(page, selector, options) {
  for (let tries = 1; ; tries++) {
    const element = await page.waitForSelector(selector);
    try {
      if (await element.evaluate(el => !el.offsetParent && !!el.closest('#menus-list:not(.open)'))) {
        await page.click('#menus');
        await waitForFrames(page);
      }
      await element.click(options);
      break;
    } catch (err) {
      if (tries === 5 || await element.evaluate(el => el.isConnected).catch(() => false)) throw err;
    } finally {
      element.dispose().catch(() => {}); // the page may be gone
    }
  }
  await waitForFrames(page);
}

// type replaces the text of an input. It types a short text with key presses, and inserts a longer
// text at once, as an input method does. It types into the focused element, because a scrolled
// table may reuse the clicked field for another row. It selects the old text itself, because each
// further click or key press redraws the page.
export async function type(page, selector, text) {
  await click(page, selector);
  await page.evaluate(() => document.activeElement.select());
  if (!text) await page.keyboard.press('Backspace');
  else if (text.length > 2) await page.evaluate(text => document.execCommand('insertText', false, text), text);
  else await page.keyboard.type(text);
  await waitForFrames(page);
}

// clipboard dispatches the event of Ctrl+C or Ctrl+V on the focused element and returns the text of
// the clipboard. Firefox expects the text as an option of the event, and Chromium expects it in an
// object.
const clipboard = (page, kind, text = '') => page.evaluate((kind, data) => {
  const clipboardData = new DataTransfer();
  if (data) clipboardData.setData('text/plain', data);
  const event = new ClipboardEvent(kind, { clipboardData, dataType: 'text/plain', data, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
  return event.clipboardData.getData('text/plain');
}, kind, text);

// pressChord presses a key together with modifier keys.
export async function pressChord(page, ...keys) {
  for (const k of keys.slice(0, -1)) await page.keyboard.down(k);
  await page.keyboard.press(keys.at(-1));
  for (const k of keys.slice(0, -1).reverse()) await page.keyboard.up(k);
  await waitForFrames(page);
}

// copySelection copies the selected rows and returns the clipboard's text.
export const copySelection = page => clipboard(page, 'copy');

// paste pastes a text into the focused element.
export async function paste(page, text) {
  await clipboard(page, 'paste', text);
  await waitForFrames(page);
}

// tabTo presses Tab, or Shift+Tab, until an element that matches `wanted` has the focus. It fails
// if the focus is invisible on any element on the way.
export async function tabTo(page, wanted, { back = false, most = 200 } = {}) {
  if (back) await page.keyboard.down('Shift');
  for (let n = 0, at; !at?.there; n++) {
    assert.ok(n < most, `Tab does not lead to ${wanted}`);
    await page.keyboard.press('Tab');
    at = await page.evaluate(w => {
      const el = document.activeElement, ring = el.querySelector(':scope > .lab-gantt .lab-surface') ?? el;
      return { there: el.matches(w), seen: el === document.body || getComputedStyle(ring).outlineStyle !== 'none', text: el.id || el.textContent.trim() };
    }, wanted);
    assert.ok(at.seen, `the focus on ${at.text} is invisible`);
  }
  if (back) await page.keyboard.up('Shift');
}

// setTheme shows the page light or dark. It emulates the system's theme in Chromium, and sets
// the page's own theme in Firefox.
export async function setTheme(page, value) {
  if (page.browser().labEngine === 'chromium') await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
  else await page.evaluate(v => { document.documentElement.dataset.theme = v; }, value);
  await waitForFrames(page);
}

// colourRules lists the axe rules whose result depends on the theme.
const colourRules = ['color-contrast', 'link-in-text-block'];

// assertAccessible asserts that axe finds no violation in the page, or in a part of it. It
// checks all rules in the first theme, and the colour rules in the others.
export async function assertAccessible(page, state, part, themes = ['light', 'dark']) {
  const axe = join(root, 'build', 'browser', 'node_modules', 'axe-core', 'axe.min.js');
  if (!await page.evaluate(() => !!window.axe)) await page.evaluate(readFileSync(axe, 'utf8'));
  for (const value of themes) {
    await setTheme(page, value);
    const options = { resultTypes: ['violations'], ...(value !== themes[0] && { runOnly: colourRules }) };
    const found = await page.evaluate(async (p, o) => (await window.axe.run(p ?? document, o))
      .violations.map(v => `${v.id}: ${v.nodes.map(n => n.target).join(' ')}`), part, options);
    assert.deepEqual(found, [], `${state}, ${value}`);
  }
}

// selectOption selects an option of a list.
export async function selectOption(page, selector, value) {
  await page.waitForSelector(selector);
  await page.select(selector, value);
}

// addPolicy adds a policy or a preset in the tab Policies, which must be open.
export const addPolicy = (page, name) => selectOption(page, '#add-policy', name);

// downloads returns an object that reads the files that the page downloads. While Firefox writes
// the file x.csv.part, there is also an empty file x.csv, which the object ignores. Firefox may also
// rename a file after it has written it, so the object reads only files that have not changed for a while.
export async function downloads(page) {
  const folder = page.browser().labDownloads;
  const size = f => statSync(join(folder, f), { throwIfNoEntry: false })?.size ?? 0;
  const ready = (f, all) => !/\.(crdownload|part)$/.test(f) && !all.includes(`${f}.part`) && size(f) > 0;
  return {
    async next(timeout = 20_000) {
      const end = Date.now() + timeout;
      for (let before = ''; ;) {
        const name = readdirSync(folder).find((f, i, all) => ready(f, all));
        const seen = name && `${name} ${size(name)}`;
        if (name && seen === before) {
          const data = readFileSync(join(folder, name));
          rmSync(join(folder, name));
          return { name, data };
        }
        before = seen;
        assert.ok(Date.now() < end, 'no file was downloaded');
        await new Promise(r => setTimeout(r, 30));
      }
    },
    stop: () => { for (const f of readdirSync(folder)) rmSync(join(folder, f), { force: true }); },
  };
}

// chooseFile performs an action that opens a file chooser, and selects a file in it. It first waits
// for a few frames, because the browser must know that the test handles file choosers before a key
// opens one.
export async function chooseFile(page, ask, path) {
  const [chooser] = await Promise.all([page.waitForFileChooser(), waitForFrames(page).then(ask)]);
  await chooser.accept([path]);
}

// dropFile drops a file on the page, or on the lab in a frame. The content of the file is a text,
// bytes, or a value to be written as JSON.
export const dropFile = (page, name, data) => page.evaluate((name, base64) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([Uint8Array.from(atob(base64), c => c.charCodeAt(0))], name));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
}, name, Buffer.from(typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data)).toString('base64'));

// openFile opens a file. It drops a small file, which takes half the time of the Open button, and
// uses the button for a large file.
export const openFile = (page, path) => (statSync(path).size > 4e6
  ? chooseFile(page, () => click(page, '#open'), path)
  : dropFile(page, basename(path), readFileSync(path)));

// snapshot returns the state of the page that a rejected file or link must leave unchanged.
export const snapshot = async page => ({
  jobs: [await drawnJobs(page, 0), await drawnJobs(page, 1)],
  cells: await page.$$eval('#grid input', all => all.map(x => x.value)),
  title: await textOf(page, '.title'),
  stale: await page.$$eval('[data-chart]', all => all.filter(h => h.labChart.stale).length),
  undo: await page.$eval('#undo', b => b.disabled),
  redo: await page.$eval('#redo', b => b.disabled),
  count: await textOf(page, '.count'),
});

// referencePath returns the path of a file of the reference data, or null if BACKFILL_REFERENCE is
// not set.
export function referencePath(name) {
  const folder = process.env.BACKFILL_REFERENCE;
  if (!folder) return null;
  const path = join(folder, name);
  assert.ok(existsSync(path), `${path} is missing`);
  return path;
}

// overloadedTrace returns an SWF trace in which thousands of jobs wait.
export function overloadedTrace(jobs, procs) {
  let x = 12345;
  const random = n => (x = (x * 1103515245 + 12345) % 2147483648) % n;
  const lines = [`; MaxProcs: ${procs}`, `; MaxNodes: ${procs}`];
  let submit = 0;
  for (let i = 1; i <= jobs; i++) {
    submit += random(60);
    const run = 1 + random(4000), size = 1 + random(procs / 2);
    lines.push(`${i} ${submit} -1 ${run} ${size} -1 -1 ${size} ${run + random(8000)} -1 1 -1 -1 -1 -1 -1 -1 -1`);
  }
  return lines.join('\n') + '\n';
}

// descendsFrom reports whether a process is a descendant of a browser.
function descendsFrom(pid, browser) {
  for (; pid > 1; pid = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])) {
    if (pid === browser.process().pid) return true;
  }
  return false;
}

const summary = v => `median ${median(v).toFixed(0)} ms, worst ${Math.max(...v).toFixed(0)} ms of ${v.length}`;

// timesBounded is true if tests check time limits. They check them in `make bench`, which needs an
// otherwise idle machine, but not in `make test`, during which other programs may run.
export const timesBounded = !!process.env.LAB_BENCH;

// assertDuration asserts that an action took at most `most` ms, if times are bounded.
export function assertDuration(t, what, took, most) {
  t.diagnostic(`${what}: ${took.toFixed(0)} ms`);
  if (timesBounded) assert.ok(took <= most, `${what} took ${took.toFixed(0)} ms, expected at most ${most}`);
}

// watchPauses starts to measure the longest pause of a page or frame. A pause is a time during
// which no timer fires. longestPause ends the measurement and returns the longest pause in ms.
export const watchPauses = frame => frame.evaluate(() => {
  clearTimeout(window.watching);
  window.longestPause = 0;
  let last = performance.now();
  (function look() {
    const now = performance.now();
    window.longestPause = Math.max(window.longestPause, now - last);
    last = now;
    window.watching = setTimeout(look, 4);
  })();
});

export const longestPause = frame => frame.evaluate(() => {
  clearTimeout(window.watching);
  return window.longestPause;
});

// assertMedianTime limits the median time of an action. It makes at most three attempts, of which
// one must stay within the limit. Only the tests of `make bench` use it, because it needs an
// otherwise idle machine.
export async function assertMedianTime(t, what, most, measure) {
  for (let attempt = 1; ; attempt++) {
    const { clock, computing } = await measure();
    t.diagnostic(`${what}: ${summary(clock)}; computing ${summary(computing)}`);
    if (median(clock) <= most) return;
    assert.ok(attempt < 3, `${what}: ${summary(clock)}, expected at most ${most} ms`);
  }
}

// processes holds, for each browser, an expression that matches the command lines of page processes.
// workerThread matches the names of the worker threads in them.
const processes = { chromium: /--type=renderer/, firefox: /-contentproc.*\btab\b/s };
const workerThread = /^(DedicatedWorker|DOM Worker)/;

// cpuTime returns the CPU time in ms that the pages of a Chromium have used so far, including their
// workers unless `workers` is false. It returns 0 for Firefox, or if the system does not report it.
export function cpuTime(browser, workers = true) {
  let sum = 0;
  if (!existsSync('/proc/self/schedstat')) return sum;
  for (const pid of readdirSync('/proc').filter(n => /^\d+$/.test(n))) {
    try {
      if (!processes.chromium.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) || !descendsFrom(Number(pid), browser)) continue;
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const at = `/proc/${pid}/task/${thread}`;
        if (thread === pid || workers && workerThread.test(readFileSync(`${at}/comm`, 'utf8'))) sum += Number(readFileSync(`${at}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
      }
    } catch { /* the process has ended */ }
  }
  return sum;
}

// waitUntilIdle waits until no page uses the CPU. A new browser window also opens pages of the
// browser itself, which take time to load.
export async function waitUntilIdle(browser) {
  for (let before = -Infinity, now = cpuTime(browser); now - before > 20; before = now, now = cpuTime(browser)) {
    await new Promise(done => setTimeout(done, 500));
  }
}

// memory returns the current memory of the largest page process, and the peak memory of any page
// process, in MB. Both are 0 if the system does not report them.
export function memory(browser, engine = 'chromium') {
  let now = 0, most = 0;
  if (!existsSync('/proc/self/status')) return { now, most };
  for (const pid of readdirSync('/proc').filter(n => /^\d+$/.test(n))) {
    try {
      if (!processes[engine].test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) || !descendsFrom(Number(pid), browser)) continue;
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      now = Math.max(now, Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024);
      most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024);
    } catch { /* the process has ended */ }
  }
  return { now, most };
}

// valueOf returns the value of a field.
export const valueOf = (page, selector) => page.$eval(selector, el => el.value);
export const headings = page => page.$$eval('#grid thead th', all => all.map(th => th.textContent));

// editLesson opens the form with the open lesson.
export async function editLesson(page) {
  await click(page, '#export');
  await click(page, '#export-edit');
}

// undo presses Ctrl+Z and waits until the effect is drawn.
export async function undo(page) {
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await waitForFrames(page);
}

// stable calls `read` every `pause` ms until it returns the same value twice in a row, and returns this value.
export async function stable(read, pause = 500) {
  for (let before = await read(), now;; before = now) {
    await new Promise(done => setTimeout(done, pause));
    now = await read();
    if (now === before) return now;
  }
}

// waitForStableAddress waits until the address no longer changes.
export const waitForStableAddress = page => stable(() => page.evaluate(() => location.hash), 1500);
