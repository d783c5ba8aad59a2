// Tests the experiments of the page: their definition, runs, results and exports. The tables must have
// the bytes that the command writes.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, waitForFrames, waitForStart, assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { assertAccessible, chooseFile, click, downloads, dropFile, firstExample, selectOption, tabTo, type, valueOf, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing } from './anywhere.mjs';

const longTest = { timeout: 120_000 };

// definition returns a small experiment.
const definition = (change = {}) => ({
  version: 1, title: 'Small test',
  workloads: [{ name: 'lublin', scenario: { version: 1, machine: { nodes: 64 }, workload: { generator: 'lublin', parameters: { jobs: 200, estimates: 'tsafrir' }, seed: 1 }, rules: { warmup: 5, cooldown: 5 } } }],
  loads: [0.9, 1.3], seeds: { from: 1, count: 4 },
  policies: [{ name: 'easy', knobs: { order: ['fifo', 'sjf'] } }, { name: 'conservative' }],
  metrics: ['mean-wait', 'utilization'], ...change,
});

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  // openTab opens the tab of experiments. `workers` records the workers that the page starts.
  async function openTab(options = {}, empty = true) {
    const page = await lab.page();
    await page.evaluateOnNewDocument(() => {
      const Native = window.Worker;
      window.workers = {};
      window.Worker = class extends Native {
        constructor(url, options) {
          super(url, options);
          window.workers[options?.name] = this;
        }
      };
    });
    await page.setViewport({ width: 1440, height: 900, ...options });
    if (empty) await page.evaluate(() => new Promise(done => { Object.assign(indexedDB.deleteDatabase('backfill-lab-experiments'), { onsuccess: done, onblocked: done }); }));
    await page.goto('about:blank');
    await page.goto(lab.url);
    await waitForStart(page);
    await waitForCharts(page);
    await click(page, '#experiments');
    return page;
  }

  // openDefinition opens a definition from a file.
  async function openDefinition(page, content) {
    const path = join(lab.folder, 'test.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    await chooseFile(page, () => click(page, '#x-open'), path);
    await waitText(page, '#x-said', 'Opened test.json');
  }

  // done waits until all runs are made.
  async function done(page) {
    try {
      await page.waitForFunction(() => /^All [\d,]+ runs are done/.test(document.querySelector('#x-status')?.textContent), { timeout: 40_000 });
    } catch {
      assert.fail(`the runs did not end: ${await page.$eval('.x-results', el => el.innerText.slice(0, 400))}`);
    }
  }

  const made = page => page.$eval('#x-status', el => Number(/^([\d,]+) of/.exec(el.textContent)?.[1] ?? (/^All ([\d,]+)/.exec(el.textContent)?.[1] ?? 0)));

  // saved clicks a button that saves a file, and returns the file.
  async function saved(page, selector) {
    const files = await downloads(page);
    await click(page, selector);
    const file = await files.next();
    files.stop();
    return file;
  }

  // native returns the table that the command writes for a definition.
  function native(text) {
    const path = join(lab.folder, 'native.json');
    writeFileSync(path, text);
    execFileSync(buildProgram('backfill', './core/cmd/backfill'), ['sweep', path, '-quiet', '-fresh', '-out', join(lab.folder, 'native.csv')], { stdio: 'ignore' });
    return readFileSync(join(lab.folder, 'native.csv'), 'utf8');
  }

  // assertTable asserts that the exported table has the bytes of the command.
  async function assertTable(page) {
    const text = (await saved(page, '#x-save')).data.toString(), csv = (await saved(page, '#x-csv')).data.toString();
    assert.equal(csv, native(text));
    return { text, csv };
  }

  test('a person defines an experiment in the form, runs it, and gets the table of the command', longTest, async () => {
    const page = await openTab();
    assert.match(await textOf(page, '#x-status'), /^60 runs: 1 workload × 3 loads × 10 seeds × 2 policies/);
    await type(page, '#x-title', 'By form');
    await type(page, '#x-workload-0-knob-jobs', '220');
    await type(page, '#x-loads', '1 1.4');
    await type(page, '#x-count', '3');
    await selectOption(page, '#x-add-policy', 'fcfs');
    await click(page, '#x-policy-0-more');
    await type(page, '#x-policy-0-knob-order', 'fifo, sjf');
    await click(page, '#x-policy-1-baseline');
    await click(page, '#x-metric-makespan');
    await waitText(page, '#x-status', '24 runs: 1 workload × 2 loads × 3 seeds × 4 policies');
    await click(page, '#x-run');
    await done(page);
    assert.equal((await page.$$('#x-table tbody th')).length, 8, 'a row for each load and policy');
    const { text, csv } = await assertTable(page);
    const { title, loads, policies, metrics } = JSON.parse(text);
    assert.deepEqual({ title, loads, metrics }, { title: 'By form', loads: [1, 1.4], metrics: ['mean-wait', 'max-wait', 'mean-bounded-slowdown', 'makespan', 'utilization'] });
    assert.deepEqual(policies.map(p => [p.name, p.knobs?.order, !!p.baseline]), [['easy', ['fifo', 'sjf'], false], ['conservative', undefined, true], ['fcfs', undefined, false]]);
    assert.equal(csv.trim().split('\n').length, 3 + 1 + 24 + 1);
    assertNoConsoleErrors(page);
  });

  test('an invalid definition is refused before the first run, with its place, and nothing typed is lost', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition({ policies: [{ name: 'easy' }, { name: 'esay' }] }));
    await waitText(page, '#x-problem', 'policies, esay: policy: expected');
    assert.ok(await page.$eval('#x-run', el => el.disabled));
    await openDefinition(page, definition());
    await waitText(page, '#x-status', '24 runs');
    await type(page, '#x-loads', '0.9, x');
    await waitText(page, '#x-problem', 'loads, row 2: expected a load factor above 0, got "x"');
    assert.equal(await valueOf(page, '#x-loads'), '0.9, x');
    await click(page, '#x-text-fold');
    await page.waitForFunction(() => document.querySelector('#x-text').value.includes('"x"'));
    await page.$eval('#x-text', el => { el.value = '{"version": 1,'; el.dispatchEvent(new Event('input', { bubbles: true })); });
    await waitText(page, '#x-problem', 'line 1, column');
    await waitText(page, '#x-no-form', 'The form cannot show this definition');
    assert.equal(await valueOf(page, '#x-text'), '{"version": 1,');
    await page.$eval('#x-text', (el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })); }, JSON.stringify(definition({ title: 'Typed' })));
    await waitText(page, '#x-heading', 'Typed');
    assert.equal(await textOf(page, '#x-problem'), '');
    assertNoConsoleErrors(page);
  });

  test('after a reload in the middle, the tab continues, and the table has the same bytes', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition({ seeds: { from: 1, count: 120 } }));
    await click(page, '#x-run');
    await page.waitForFunction(() => Number(/^(\d+) of/.exec(document.querySelector('#x-status')?.textContent)?.[1]) >= 20, { timeout: 20_000 });
    await new Promise(done => setTimeout(done, 1200)); // results are stored once per second
    await page.reload();
    await waitForStart(page);
    await page.waitForSelector('#experiments-page');
    await page.waitForFunction(() => Number(/^(All )?(\d+)/.exec(document.querySelector('#x-status')?.textContent)?.[2]) >= 20, { timeout: 20_000 }); // those before the reload
    await done(page);
    await assertTable(page);
    // More seeds reuse the stored runs.
    await type(page, '#x-count', '121');
    await waitText(page, '#x-status', '720 of 726 runs');
    await click(page, '#x-run');
    await done(page);
    await assertTable(page);
    assertNoConsoleErrors(page);
  });

  test('a worker that is killed in the middle is replaced, and the table has the same bytes', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition({ seeds: { from: 1, count: 120 } }));
    await type(page, '#x-workers', '2');
    await click(page, '#x-run');
    await page.waitForFunction(() => /^\d+ of/.test(document.querySelector('#x-status')?.textContent), { timeout: 20_000 });
    await page.evaluate(() => window.workers['experiment 1'].terminate());
    await done(page);
    assert.equal(await textOf(page, '#x-failure'), '');
    await assertTable(page);
    assertNoConsoleErrors(page);
  });

  test('pause, continue and cancel keep finished runs', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition({ seeds: { from: 1, count: 120 } }));
    await click(page, '#x-run');
    await page.waitForFunction(() => /^\d+ of/.test(document.querySelector('#x-status')?.textContent), { timeout: 20_000 });
    await click(page, '#x-pause');
    await waitText(page, '#x-said', 'Paused.');
    await new Promise(done => setTimeout(done, 600));
    const paused = await made(page);
    await new Promise(done => setTimeout(done, 1200));
    assert.equal(await made(page), paused, 'no run is made during the pause');
    await click(page, '#x-continue');
    await page.waitForFunction(n => Number(/^(\d+) of/.exec(document.querySelector('#x-status')?.textContent)?.[1]) > n, { timeout: 20_000 }, paused);
    await click(page, '#x-cancel');
    await waitText(page, '#x-said', 'Cancelled. Finished runs are kept.');
    assert.match(await textOf(page, '#x-run'), /^Run the other \d+$/);
    await click(page, '#x-run');
    await done(page);
    await assertTable(page);
    assertNoConsoleErrors(page);
  });

  test('a file that is opened shows its charts instead of the experiment', async () => {
    const page = await openTab();
    await dropFile(page, 'other.json', firstExample());
    await waitText(page, '#notice', 'other.json');
    await waitForCharts(page);
    assert.equal(await page.$('#x-run'), null);
    assertNoConsoleErrors(page);
  });

  test('points and rows open their run in the charts; Back returns', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition());
    await click(page, '#x-run');
    await done(page);
    await page.waitForSelector('#x-plot [data-run]');
    // With the keyboard, from a point to another one.
    await page.$eval('#x-plot [data-run][tabindex="0"]', el => el.focus());
    await page.keyboard.press('End');
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.match(label, /^Conservative, load 1\.3: .* ± .*, 4 runs$/);
    await page.keyboard.press('Enter');
    await waitForCharts(page);
    assert.match(await textOf(page, '.title'), /^lublin, load 1\.3, seed \d: Conservative$/);
    assert.equal(await page.$('#experiments-page'), null);
    await page.goBack();
    await page.waitForSelector('#experiments-page');
    await page.waitForSelector('#x-plot [data-run]');
    // The run of a row. Its metrics in the charts are those of the table.
    await click(page, '#x-runs-2');
    const link = await textOf(page, '.x-runs button:nth-child(3)');
    await click(page, '.x-runs button:nth-child(3)');
    await waitText(page, '.title', 'lublin, load 0.9, seed 3: Conservative');
    await waitForCharts(page);
    assert.ok((await textOf(page, '#scores tbody tr')).includes(link.split(': ')[1]), link);
    await click(page, '#experiments');
    await page.waitForSelector('#experiments-page');
    assertNoConsoleErrors(page);
  });

  test('every kind of plot has its points, and the exports have the results', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition());
    await click(page, '#x-run');
    await done(page);
    for (const [kind, points] of [['line', 6], ['box', 12], ['ecdf', 12], ['heat', 6]]) {
      await selectOption(page, '#x-kind', kind);
      await page.waitForFunction((k, n) => document.querySelectorAll('#x-plot [data-run]').length === n && document.querySelector('#x-kind').value === k, { timeout: 20_000 }, kind, points);
    }
    await selectOption(page, '#x-kind', 'line');
    await selectOption(page, '#x-axis', 'order');
    await page.waitForFunction(() => document.querySelectorAll('#x-plot [data-run]').length === 2, { timeout: 20_000 });
    const svg = (await saved(page, '#x-svg')).data.toString();
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.ok(!/var\(|currentColor|<style/.test(svg), 'the file stands alone');
    const tex = (await saved(page, '#x-latex')).data.toString();
    assert.match(tex, /\\begin\{tabular\}\{llrrr\}[^]*0\.9 & EASY & [\d.,]+ & [\d.,]+ & baseline/);
    const parquet = (await saved(page, '#x-parquet')).data, { parquetReadObjects } = await import('hyparquet');
    const rows = await parquetReadObjects({ file: parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) });
    const csv = (await saved(page, '#x-csv')).data.toString().split('\n').slice(4, -2).map(line => line.split(','));
    assert.equal(rows.length, 24);
    rows.forEach((row, i) => {
      assert.equal(row.key, csv[i].at(-3));
      assert.equal(row['mean-wait'], Number(csv[i].at(-2)));
    });
    assertNoConsoleErrors(page);
  });

  test('by keyboard, and accessible, at 1440 and 390 pixels', longTest, async () => {
    for (const width of [1440, 390]) {
      const page = await openTab({ width, height: 844 });
      await openDefinition(page, definition());
      for (const fold of ['#x-policy-0-more', '#x-workload-0-more', '#x-text-fold']) await click(page, fold);
      await assertAccessible(page, `the definition at ${width}`);
      await page.focus('#x-open');
      await tabTo(page, '#x-run');
      await page.keyboard.press('Enter');
      await done(page);
      await page.waitForSelector('#x-plot [data-run]');
      await tabTo(page, '#x-plot [data-run]');
      await tabTo(page, '#x-csv');
      await click(page, '#x-runs-0');
      await waitForFrames(page);
      await assertAccessible(page, `the results at ${width}`);
      assert.ok(await page.evaluate(() => document.querySelector('#experiments-page').scrollWidth <= document.documentElement.clientWidth), `nothing is cut off at ${width}`);
      assertNoConsoleErrors(page);
      await page.close();
    }
  });
});
