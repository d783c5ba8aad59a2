// Measures the time from an edit to the new charts, and from a key press to the drawn character
// while schedules are computed.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumOnly, open, assertNoConsoleErrors, waitText } from './lab.mjs';
import { click, cpuTime, waitForCharts, openFile, overloadedTrace, assertMedianTime } from './page.mjs';
import { begin } from './begin.mjs';

const pause = 150; // ms that the page waits after an edit of a large workload

const lab = begin(), measured = chromiumOnly('measures how long its tasks take');

const lublin = (jobs, policies = [{ name: 'easy' }, { name: 'conservative' }]) => ({
  version: 1, machine: { nodes: 128 }, policies, workload: { generator: 'lublin', parameters: { jobs, estimates: 'tsafrir' }, seed: 1 },
});

// recordTimes makes the page record how long each key press took to be drawn, and to be drawn
// in all charts.
const recordTimes = page => page.evaluate(() => {
  window.edits = { keys: [], charts: [] };
  const hosts = () => [...document.querySelectorAll('[data-chart="gantt"]')];
  const generation = () => Math.min(...hosts().map(h => h.labChart.stale ? 0 : h.labChart.view.generation));
  let seen = generation();
  const painted = done => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
  addEventListener('input', e => {
    const begin = e.timeStamp;
    painted(() => edits.keys.push(performance.now() - begin));
    (function look() {
      const now = generation();
      if (now <= seen) { requestAnimationFrame(look); return; }
      seen = now;
      painted(() => edits.charts.push(performance.now() - begin));
    })();
  }, { capture: true });
});

// timeEdits appends a digit to an estimate and deletes it again, n times in all, and waits for
// the charts each time. It returns wall-clock and CPU times.
async function timeEdits(page, cell, n, less = 0) {
  await page.waitForSelector(cell);
  await page.click(cell);
  await page.keyboard.press('End');
  await recordTimes(page);
  const computing = [];
  for (let i = 0; i < n; i++) {
    const begin = cpuTime(lab.browser);
    await page.keyboard.press(i % 2 ? 'Backspace' : '7');
    await page.waitForFunction(k => edits.charts.length > k, { timeout: 60_000, polling: 20 }, i);
    computing.push(cpuTime(lab.browser) - begin);
  }
  const { charts } = await page.evaluate(() => edits);
  return { clock: charts.map(ms => ms - less), computing };
}

// timeKeys measures the times of key presses without waiting for the charts. underWay waits until a
// run has started.
async function timeKeys(page, cell, underWay, n = 8) {
  const computing = [];
  await page.click(cell);
  await page.keyboard.press('End');
  await page.evaluate(() => { edits.keys = []; });
  for (let i = 0; i < n; i++) {
    const begin = cpuTime(lab.browser, false);
    await page.keyboard.press(i % 2 ? 'Backspace' : '7');
    await page.waitForFunction(k => edits.keys.length > k, { polling: 20 }, i);
    computing.push(cpuTime(lab.browser, false) - begin);
    await underWay();
  }
  return { clock: await page.evaluate(() => edits.keys), computing };
}

// The aim is 100 ms. Medians of 85, 101 and 85 ms were measured on two slow cores. The bound is
// higher, for slower machines.
test('200 jobs, two policies: the charts within 150 ms (aim: 100 ms)', measured, async t => {
  const page = await lab.scenario(lublin(200));
  await assertMedianTime(t, '200 jobs: edit to charts', 150, () => timeEdits(page, '#cell-2-3', 20));
  assertNoConsoleErrors(page);
});

test('30,000 jobs, two policies: the charts within a second after the pause, and the next key at once', { ...measured, timeout: 900_000 }, async t => {
  const page = await lab.scenario(lublin(30_000));
  await assertMedianTime(t, '30,000 jobs: edit to charts', 1000, () => timeEdits(page, '#cell-2-3', 10, pause));

  // Undo and redo reuse the earlier schedules.
  await assertMedianTime(t, '30,000 jobs: undo to charts', 1000, async () => {
    const clock = [], computing = [];
    for (let i = 0; i < 6; i++) {
      const begin = cpuTime(lab.browser);
      clock.push(await page.evaluate(async redo => {
        const begin = performance.now(), hosts = () => [...document.querySelectorAll('[data-chart="gantt"]')];
        const now = () => Math.min(...hosts().map(h => h.labChart.stale ? 0 : h.labChart.view.generation)), was = now();
        document.getElementById(redo ? 'redo' : 'undo').click();
        while (now() <= was) await new Promise(requestAnimationFrame);
        return performance.now() - begin;
      }, i % 2) - pause);
      computing.push(cpuTime(lab.browser) - begin);
    }
    return { clock, computing };
  });

  // Keys arrive while the run for the previous one is in progress.
  await assertMedianTime(t, '30,000 jobs: key to paint while they run', 50, () => timeKeys(page, '#cell-3-3',
    () => page.evaluate(ms => new Promise(done => setTimeout(done, ms)), pause + 100)));
  assert.equal(await page.$('#fault'), null);
  assertNoConsoleErrors(page);
});

// recordRuns makes a page record its runs, and which of them are cancelled as outdated.
const recordRuns = page => page.evaluateOnNewDocument(() => {
  const Real = Worker, post = Worker.prototype.postMessage;
  window.runs = { asked: [], outdated: [] };
  Worker.prototype.postMessage = function (m, ...more) {
    if (m.kind === 'run') runs.asked.push(m.id);
    return post.call(this, m, ...more);
  };
  window.Worker = class extends Real {
    constructor(...how) {
      super(...how);
      this.addEventListener('message', e => { if (e.data.kind === 'cancelled') runs.outdated.push(e.data.id); });
    }
  };
});

test('typing never waits for a run, and an outdated run is cancelled', { ...measured, timeout: 300_000 }, async t => {
  const page = await open(lab.browser, 'about:blank', { ready: false });
  await recordRuns(page);
  await page.goto(lab.url);
  await waitForCharts(page);
  const path = join(lab.folder, 'overloaded.swf');
  writeFileSync(path, overloadedTrace(30_000, 128)); // takes minutes under conservative backfilling
  await openFile(page, path);
  await waitText(page, '#notice', '30000 jobs', 60_000);
  await page.waitForSelector('#cancel', { timeout: 60_000 });
  await recordTimes(page);
  let runs = await page.evaluate(() => window.runs.asked.length);
  await assertMedianTime(t, 'key to paint while a long run goes on', 100, () => timeKeys(page, '#cell-2-3', async () => {
    await page.waitForFunction(n => window.runs.asked.length > n && window.runs.outdated.includes(window.runs.asked[n - 1]), { polling: 20 }, runs++);
  }));
  await page.waitForSelector('[data-chart="gantt"] .lab-stale');
  await click(page, '#cancel');
  await page.waitForFunction(() => !document.getElementById('cancel'));
  assert.equal(await page.$('#fault'), null);
  assertNoConsoleErrors(page);
});
