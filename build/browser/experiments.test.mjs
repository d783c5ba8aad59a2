// Tests the experiments of the page: their definition, runs, results and exports. The tables must
// equal the command's, byte for byte.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, waitForFrames, waitForStart, assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { assertAccessible, chooseFile, click, downloads, dropFile, firstExample, selectOption, tabTo, type, valueOf, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';
import { repeatedFile } from './anywhere.mjs';

const longTest = { timeout: 120_000 };

// definition returns a small experiment.
const definition = (change = {}) => ({
  version: 1, title: 'Small test',
  workloads: [{ name: 'lublin', scenario: { version: 1, machine: { nodes: 64 }, workload: { generator: 'lublin', parameters: { jobs: 200, estimates: 'tsafrir' }, seed: 1 }, rules: { warmup: 5, cooldown: 5 } } }],
  loads: [0.9, 1.3], seeds: { from: 1, count: 4 },
  policies: [{ name: 'easy', knobs: { order: ['fifo', 'sjf'] } }, { name: 'conservative' }],
  metrics: ['mean-wait', 'utilization'], ...change,
});

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {
  const lab = begin({ engine });

  // openTab opens the Experiments tab without results of earlier tests. In the page, `workers`
  // lists the workers that the tab starts.
  async function openTab(options = {}) {
    const page = await lab.page();
    if (options.hasTouch) await page.setViewport(options); // which reloads the page
    await waitForStart(page);
    await waitForCharts(page);
    await page.evaluate(() => new Promise(done => {
      const Native = window.Worker;
      window.workers = {};
      window.Worker = class extends Native {
        constructor(url, options) {
          super(url, options);
          window.workers[options?.name] = this;
        }
      };
      Object.assign(indexedDB.deleteDatabase('backfill-lab-experiments'), { onsuccess: done, onblocked: done });
    }));
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

  // waitFocus waits until an element has the focus.
  const waitFocus = (page, id) => page.waitForFunction(id => document.activeElement?.id === id, { timeout: 20_000 }, id);

  // waitUntilDone waits until all runs are finished.
  async function waitUntilDone(page) {
    try {
      await page.waitForFunction(() => /^All [\d,]+ runs are done/.test(document.querySelector('#x-status')?.textContent), { timeout: 40_000 });
    } catch {
      assert.fail(`the runs did not end: ${await page.$eval('.x-results', el => el.innerText.slice(0, 400))}`);
    }
  }

  // waitForRuns waits until at least this many runs are finished.
  const waitForRuns = (page, least) => page.waitForFunction(n => Number(/^(\d+) of/.exec(document.querySelector('#x-status')?.textContent)?.[1]) >= n, { timeout: 40_000 }, least);

  const runsMade = page => page.$eval('#x-status', el => Number(/^([\d,]+) of/.exec(el.textContent)?.[1] ?? (/^All ([\d,]+)/.exec(el.textContent)?.[1] ?? 0)));

  // saveFile clicks a button that saves a file, and returns the file.
  async function saveFile(page, selector) {
    const files = await downloads(page);
    await click(page, selector);
    const file = await files.next();
    files.stop();
    return file;
  }

  // nativeTable returns the table that the command writes for a definition.
  function nativeTable(text) {
    const path = join(lab.folder, 'native.json');
    writeFileSync(path, text);
    execFileSync(buildProgram('backfill', './core/cmd/backfill'), ['sweep', path, '-quiet', '-fresh', '-out', join(lab.folder, 'native.csv'), '-summary', join(lab.folder, 'means.csv')], { stdio: 'ignore' });
    return readFileSync(join(lab.folder, 'native.csv'), 'utf8');
  }

  // assertTable asserts that the exported tables equal the command's, byte for byte.
  async function assertTable(page) {
    const text = (await saveFile(page, '#x-save')).data.toString(), csv = (await saveFile(page, '#x-csv')).data.toString();
    assert.equal(csv, nativeTable(text));
    assert.equal((await saveFile(page, '#x-summary')).data.toString(), readFileSync(join(lab.folder, 'means.csv'), 'utf8'));
    return { text, csv };
  }

  test('a person defines an experiment in the form, runs it, and gets the table of the command', longTest, async () => {
    const page = await openTab();
    // The form shows the offered load before the first run. The fields below must not move while the page
    // computes it.
    const seedsTop = () => page.$eval('#x-seeds', el => el.getBoundingClientRect().top), top = await seedsTop();
    await page.waitForFunction(() => / Factor 1 is an offered load of 0\.\d\d \(for individual seeds, 0\.\d\d to [01]\.\d\d\)$/.test(document.querySelector('#x-loads ~ .help').textContent));
    assert.equal(await seedsTop(), top);
    assert.match(await textOf(page, '#x-status'), /^60 runs: 1 workload × 3 loads × 10 seeds × 2 policies/);
    // A person can type offered loads instead of load factors. The axis of the plot then shows offered loads.
    assert.match(await valueOf(page, '#x-offered'), /^0\.\d\d, 0\.\d\d, 1\.\d\d$/);
    await type(page, '#x-offered', '0.5, 0.8');
    assert.match(await valueOf(page, '#x-loads'), /^0\.\d+, 0\.\d+$/);
    assert.equal(await valueOf(page, '#x-offered'), '0.5, 0.8');
    assert.match(await textOf(page, '#x-status'), /^40 runs: 1 workload × 2 loads/);
    await type(page, '#x-title', 'By form');
    const factors = await valueOf(page, '#x-loads');
    await type(page, '#x-workload-0-knob-jobs', '220');
    // The page computes the load factors of the typed offered loads again, and writes them into the field.
    await page.waitForFunction(old => document.getElementById('x-loads').value !== old, {}, factors);
    await type(page, '#x-loads', '1 1.4');
    await type(page, '#x-seeds', '1-3');
    await selectOption(page, '#x-add-policy', 'fcfs');
    await click(page, '#x-policy-0-more');
    await type(page, '#x-policy-0-knob-order', 'fifo, sjf');
    await click(page, '#x-policy-1-baseline');
    await click(page, '#x-metric-makespan');
    await waitText(page, '#x-status', '24 runs: 1 workload × 2 loads × 3 seeds × 4 policies');
    await click(page, '#x-run');
    await waitUntilDone(page);
    assert.equal((await page.$$('#x-table tbody th[scope=row]')).length, 8, 'a row for each load and policy');
    const { text, csv } = await assertTable(page);
    const { title, loads, policies, metrics } = JSON.parse(text);
    assert.deepEqual({ title, loads, metrics }, { title: 'By form', loads: [1, 1.4], metrics: ['mean-wait', 'max-wait', 'mean-bounded-slowdown', 'makespan', 'utilization'] });
    assert.deepEqual(policies.map(p => [p.name, p.knobs?.order, !!p.baseline]), [['easy', ['fifo', 'sjf'], false], ['conservative', undefined, true], ['fcfs', undefined, false]]);
    assert.equal(csv.trim().split('\n').length, 3 + 1 + 24 + 1);
    assertNoConsoleErrors(page);
  });

  test('a script is one policy of an experiment, with the table of the command', longTest, async () => {
    const page = await openTab();
    const source = '# In turn, as they come\ndef schedule(p):\n    for job in p.waiting:\n        if not p.fits(job):\n            break\n        p.start(job)\n';
    await openDefinition(page, definition({ policies: [{ name: 'fcfs', baseline: true }, { name: 'script', knobs: { source } }], seeds: { from: 1, count: 2 } }));
    assert.equal(await page.$eval('#x-policy-1-name', el => el.selectedOptions[0].text), 'Own policy');
    await click(page, '#x-run');
    await waitUntilDone(page);
    const { text, csv } = await assertTable(page);
    assert.equal(JSON.parse(text).policies[1].knobs.source, source);
    const results = csv.match(/(?<=,)[\d.]+,[\d.]+$/gm);
    assert.equal(results.length, 8, csv);
    for (let i = 0; i < 8; i += 2) assert.equal(results[i], results[i + 1], 'the script is FCFS');
    // A second script with the same name is added to the scenario.
    await click(page, '#x-close');
    await click(page, '#tab-policies');
    await click(page, '#write-policy');
    await click(page, '#experiments');
    await click(page, '#x-policy-1-take');
    await waitText(page, '#x-said', 'Replaced the script with the one in the current scenario.');
    assert.equal(await page.$('#x-policy-1-take'), null, 'it is the current one');
    assertNoConsoleErrors(page, /request failed.*wasm_exec/); // when the page needs a worker for scripts, it stops a worker that is still loading
  });

  test('opening a file shows its charts instead of the experiment, and opening a link to a lesson shows the lesson', longTest, async () => {
    const page = await openTab();
    await dropFile(page, 'other.json', firstExample());
    await waitText(page, '#notice', 'other.json');
    await waitForCharts(page);
    assert.equal(await page.$('#x-run'), null, 'the file');
    await click(page, '#experiments');
    await page.waitForSelector('#x-close');
    await page.evaluate(() => { location.hash = '#v=1&lesson=figure-1'; });
    await waitText(page, '#lesson-title', 'Figure 1');
    await page.waitForFunction(() => !document.querySelector('#x-close'));
    await click(page, '#experiments');
    await page.waitForSelector('#x-close');
    await page.goto('about:blank');
    await page.goto(`${lab.url}#v=1&lesson=figure-1`);
    await waitText(page, '#lesson-title', 'Figure 1');
    assert.equal(await page.$('#x-close'), null, 'the link');
    assertNoConsoleErrors(page);
  });

  test('an invalid definition is rejected before the first run; the error names its place, and no typed text is lost', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition({ policies: [{ name: 'easy' }, { name: 'esay' }] }));
    await waitText(page, '#x-problem', 'Policy 2: expected one of fcfs');
    await click(page, '#x-run');
    await waitFocus(page, 'x-policy-1-name');
    await openDefinition(page, definition());
    await waitText(page, '#x-status', '24 runs');
    // The form marks an invalid field and says what was expected. Run focuses the field, even if its
    // section is collapsed.
    await click(page, '#x-workload-0-more');
    await type(page, '#x-workload-0-knob-alpha', 'much');
    await click(page, '#x-workload-0-more');
    await type(page, '#x-loads', '0.9, x');
    await waitText(page, '#x-problem', '1 more field is invalid.');
    assert.doesNotMatch(await textOf(page, '#x-problem'), /line \d|workloads, row/);
    assert.equal(await page.$eval('#x-loads', el => el.getAttribute('aria-invalid')), 'true');
    assert.equal(await textOf(page, '#x-loads-problem'), 'Expected numbers above 0 and at most 10^9, got "x".');
    assert.match(await page.$eval('#x-loads', el => el.getAttribute('aria-describedby')), /^x-loads-problem /);
    await click(page, '#x-run');
    await waitFocus(page, 'x-workload-0-knob-alpha');
    await assertAccessible(page, 'an invalid form');
    await type(page, '#x-workload-0-knob-alpha', '10.23');
    await waitText(page, '#x-problem', 'Load factors: expected numbers above 0 and at most 10^9, got "x".');
    await click(page, '#x-run');
    await waitFocus(page, 'x-loads');
    assert.equal(await valueOf(page, '#x-loads'), '0.9, x');
    await click(page, '#x-text-fold');
    await page.waitForFunction(() => document.querySelector('#x-text').value.includes('"x"'));
    // The typed text is still there after a visit to the charts.
    await click(page, '#x-close');
    await waitForCharts(page);
    await click(page, '#experiments');
    await page.waitForFunction(() => document.querySelector('#x-text')?.value.includes('"x"'));
    await page.$eval('#x-text', el => { el.value = '{"version": 1,'; el.dispatchEvent(new Event('input', { bubbles: true })); });
    await waitText(page, '#x-problem', 'line 1, column');
    await waitText(page, '#x-no-form', 'The form cannot show this definition');
    assert.equal(await valueOf(page, '#x-text'), '{"version": 1,');
    await page.$eval('#x-text', (el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })); }, JSON.stringify(definition({ title: 'Typed' })));
    await waitText(page, '#x-heading', 'Typed');
    assert.equal(await textOf(page, '#x-problem'), '');
    // Replacing the definition can be undone.
    await click(page, '#x-compare');
    await waitText(page, '#x-heading', 'Policies at several loads');
    await click(page, '#x-undo');
    await waitText(page, '#x-heading', 'Typed');
    await click(page, '#x-current');
    await waitText(page, '#x-said', 'Replaced workloads and policies with those of the current scenario.');
    await click(page, '#x-undo');
    await waitText(page, '#x-status', '24 runs');
    assertNoConsoleErrors(page);
  });

  // The table is compared with the command's only at the end, because any earlier error would show in it.
  test('a killed worker, a reload, a pause and a cancel lose no finished run, and the table has the same bytes', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition({ seeds: { from: 1, count: 80 } }));
    await type(page, '#x-workers', '1');
    await click(page, '#x-run');
    await waitForRuns(page, 1);
    await page.evaluate(() => window.workers['experiment 1'].terminate());
    await waitForRuns(page, 20);
    assert.equal(await textOf(page, '#x-failure'), '', 'after the worker was killed');
    // Results are stored once per second.
    await page.waitForFunction(() => new Promise(done => {
      indexedDB.open('backfill-lab-experiments').onsuccess = ({ target: { result: db } }) => {
        db.transaction('records').objectStore('records').getAllKeys().onsuccess = e => {
          db.close();
          done(e.target.result.some(key => key.startsWith('runs ')));
        };
      };
    }), { timeout: 20_000, polling: 100 });
    await page.reload();
    await waitForStart(page);
    await page.waitForSelector('#experiments-page');
    await waitForRuns(page, 20); // the runs before the reload
    await click(page, '#x-pause');
    await waitText(page, '#x-said', 'Paused.');
    await new Promise(done => setTimeout(done, 600));
    const paused = await runsMade(page);
    await new Promise(done => setTimeout(done, 1200));
    assert.equal(await runsMade(page), paused, 'no run is made during the pause');
    await click(page, '#x-continue');
    await waitForRuns(page, paused + 1);
    await click(page, '#x-cancel');
    await waitText(page, '#x-said', 'Cancelled. Finished runs are kept.');
    assert.match(await textOf(page, '#x-run'), /^Run the remaining \d+$/);
    // After seeds are added, the stored runs are reused.
    const kept = await runsMade(page);
    assert.ok(kept > paused, `${kept} runs are kept, ${paused} were made before`);
    await type(page, '#x-seeds', '1-81');
    await waitText(page, '#x-status', `${kept} of 486 runs`);
    await click(page, '#x-run');
    await waitUntilDone(page);
    await assertTable(page);
    assertNoConsoleErrors(page);
  });

  test('points of a plot and rows of the table open their run in the charts; Back returns and restores the previous scenario', longTest, async () => {
    const page = await openTab();
    const swf = join(lab.folder, 'small.swf'), panel = () => page.$eval('#edit', el => el.innerText);
    writeFileSync(swf, ['; MaxProcs: 8', ...Array.from({ length: 40 }, (_, i) => `${i + 1} ${10 * i} -1 ${50 + i} ${1 + i % 8} -1 -1 ${1 + i % 8} 100 -1 1 1 1 1 1 -1 -1 -1`)].join('\n'));
    await chooseFile(page, () => click(page, '#open'), swf);
    await waitText(page, '#notice', 'small.swf');
    await waitForCharts(page);
    await click(page, '#tab-workload');
    const before = await panel();
    assert.match(before, /small\.swf/);
    await click(page, '#experiments');
    await openDefinition(page, definition());
    await click(page, '#x-run');
    await waitUntilDone(page);
    await page.waitForSelector('#x-plot [data-run]');
    // The keyboard moves from one point to another.
    await page.$eval('#x-plot [data-run][tabindex="0"]', el => el.focus());
    await page.keyboard.press('End');
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.match(label, /^Conservative, load factor 1\.3 \(offered load \d\.\d\d\): .* ± .*, 4 runs$/);
    await page.keyboard.press('Enter');
    await waitForCharts(page);
    assert.match(await textOf(page, '.title'), /^lublin, load factor 1\.3, seed \d$/);
    // The policy of the point comes first, and the others follow.
    assert.deepEqual(await page.$$eval('#scores tbody tr th', all => all.map(el => el.innerText.trim().split('\n')[0])), ['Conservative', 'EASY baseline', 'EASY, queue order: shortest first (SJF)']);
    assert.equal(await page.$('#experiments-page'), null);
    await new Promise(done => setTimeout(done, 800)); // wait until the address contains the run
    await page.goBack();
    await page.waitForFunction(label => document.activeElement.getAttribute('aria-label') === label, { timeout: 20_000 }, label);
    await new Promise(done => setTimeout(done, 800)); // wait until the page has handled the new address
    await click(page, '#x-close');
    await waitForCharts(page);
    assert.equal(await panel(), before);
    await click(page, '#experiments');
    await page.waitForSelector('#x-plot [data-run]');
    // A row of the table opens a run in the charts. The metrics above the charts equal those in the row.
    await click(page, '#x-runs-2');
    const link = await textOf(page, '.x-runs button:nth-child(3)');
    await click(page, '.x-runs button:nth-child(3)');
    await waitText(page, '.title', 'lublin, load factor 0.9, seed 3');
    await waitForCharts(page);
    assert.ok((await textOf(page, '#scores tbody tr')).includes(link.split(': ')[1]), link);
    // The button above the charts returns to the experiment, like Back. There is no undo button,
    // because undo would not return there.
    assert.equal(await page.$('#notice-undo'), null);
    await click(page, '#experiment-return');
    await page.waitForSelector('#experiments-page');
    await click(page, '#x-close');
    await waitForCharts(page);
    assert.equal(await panel(), before);
    assertNoConsoleErrors(page);
  });

  test('every kind of plot has its points, the exports have the results, the axis fits the values', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition());
    await click(page, '#x-run');
    await waitUntilDone(page);
    // The axis fits the values, and a point shows its values.
    await waitText(page, '#x-table-says', 'Its interval is the interval of this ratio, minus 1 (delta method with Student’s t; Cochran 1977, section 6.3). A ~ before a difference means that its interval contains 0, so the runs do not show a difference.');
    await page.waitForSelector('#x-plot [data-run]');
    // The pointer and the keyboard show the values of a point. Escape hides them.
    const tip = () => page.$eval('#lab-word', el => (el.hidden ? '' : el.textContent));
    const labels = await page.$$eval('#x-plot [data-run]', all => all.map(el => el.getAttribute('aria-label')));
    assert.match(labels[0], /^EASY[^:]*, load factor 0\.9 \(offered load \d\.\d\d\): .* ± .*, 4 runs$/);
    await (await page.$$('#x-plot [data-run]')).at(-1).hover();
    assert.equal(await tip(), labels.at(-1));
    await page.keyboard.press('Escape');
    assert.equal(await tip(), '');
    await page.mouse.move(1, 1);
    await page.$eval('#x-plot [data-run][tabindex="0"]', el => el.focus());
    assert.equal(await tip(), labels[0]);
    await page.keyboard.press('End');
    assert.equal(await tip(), labels.at(-1));
    // numbersOf draws one point at each of two values, and returns the numbers on the vertical axis.
    const numbersOf = (low, high, log) => page.evaluate((low, high, log) => {
      const point = (x, y) => ({ s: 0, x, y, run: 0, text: '' });
      window.labPlots.draw({ kind: 'line', label: 'Mean wait, d', xLabel: '', numeric: false, log, series: ['EASY'], points: [point('a', low), point('b', high)], title: 'Axis' });
      const left = document.querySelector('#x-plot svg').getBoundingClientRect().left;
      const numbers = [...document.querySelectorAll('#x-plot svg text')].filter(el => /^[\d,.]+$/.test(el.textContent));
      return { texts: numbers.map(el => el.textContent), left: Math.min(...numbers.map(el => el.getBoundingClientRect().left)) - left };
    }, low, high, log);
    for (const [low, high, log, want] of [
      [65, 10_200, true, '50 100 200 500 1,000 2,000 5,000 10,000 20,000'], [70, 70, true, '50 100'], [0.002, 0.9, true, '0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1'],
      [3, 4e6, true, '10 100 1,000 10,000 100,000 1,000,000'], [1e6, 2e6, false, '0 200,000 400,000 600,000 800,000 1,000,000 1,200,000 1,400,000 1,600,000 1,800,000 2,000,000'],
    ]) {
      const { texts, left } = await numbersOf(low, high, log);
      assert.equal(texts.join(' '), want);
      assert.ok(left >= 0, `${want}: a number is cut off by ${-left} pixels`);
    }
    // Every kind of plot is drawn.
    for (const [kind, points] of [['box', 12], ['ecdf', 12], ['heat', 6], ['line', 6]]) {
      await selectOption(page, '#x-kind', kind);
      await page.waitForFunction((k, n) => document.querySelectorAll('#x-plot [data-run]').length === n && document.querySelector('#x-kind').value === k, { timeout: 20_000 }, kind, points);
    }
    // The load axis shows the offered load. The value axis may be logarithmic.
    const ticks = () => page.$$eval('#x-plot svg text', all => all.map(el => el.textContent).join(' '));
    assert.match(await ticks(), /Load factor \(1 = offered load 0\.\d\d\)/);
    assert.match(await textOf(page, '#x-table tbody th[scope=col]'), /^Load factor 0\.9 \(offered load 0\.\d\d\)$/);
    const linear = await ticks();
    await click(page, '#x-log');
    await page.waitForFunction(was => [...document.querySelectorAll('#x-plot svg text')].map(el => el.textContent).join(' ') !== was, {}, linear);
    assert.ok(await page.$$eval('#x-plot path', all => all.every(el => !/NaN|Infinity/.test(el.getAttribute('d')))));
    await selectOption(page, '#x-kind', 'heat');
    await waitText(page, '#x-log-says', 'A heat map has no value axis.');
    assert.ok(await page.$eval('#x-log', el => el.disabled));
    await selectOption(page, '#x-kind', 'line');
    assert.equal(await textOf(page, '#x-excluded > span'), 'Excluded from the metrics: the first 5 % and the last 5 % of the jobs. That is 10 + 10 of 200 jobs in each run.');
    await click(page, '#x-excluded-change');
    await waitFocus(page, 'x-workload-0-warmup');
    await selectOption(page, '#x-axis', 'order');
    await page.waitForFunction(() => document.querySelectorAll('#x-plot [data-run]').length === 2, { timeout: 20_000 });
    const svg = (await saveFile(page, '#x-svg')).data.toString();
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.ok(!/var\(|currentColor|<style/.test(svg), 'the file stands alone');
    assert.match(svg, /<title>Small test: Mean wait, [a-z]+<\/title><rect width="100%" height="100%" fill="#ffffff"\/>/);
    await selectOption(page, '#x-paper', 'dark');
    assert.match((await saveFile(page, '#x-svg')).data.toString(), /<rect width="100%" height="100%" fill="rgb\(28, 29, 33\)"\/>/);
    await selectOption(page, '#x-paper', 'transparent');
    assert.doesNotMatch((await saveFile(page, '#x-svg')).data.toString(), /height="100%"/);
    await click(page, '#export'); // the menu of the page has the exports of the experiment, but no pictures of the hidden charts
    await page.waitForSelector('#export-x-latex');
    assert.deepEqual(await page.$$eval('#export-figure, #export-svg, #export-png', all => all.map(el => el.id)), []);
    const tex = (await saveFile(page, '#export-x-latex')).data.toString();
    assert.match(tex, /\\begin\{tabular\}\{llrrrr\}[^]*0\.9 & EASY & [\d.,]+ & [\d.,]+ & baseline/);
    const parquet = (await saveFile(page, '#x-parquet')).data, { parquetReadObjects } = await import('hyparquet');
    const rows = await parquetReadObjects({ file: parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) });
    const csv = (await saveFile(page, '#x-csv')).data.toString().split('\n').slice(4, -2).map(line => line.split(','));
    assert.equal(rows.length, 24);
    rows.forEach((row, i) => {
      assert.equal(row.key, csv[i].at(-3));
      assert.equal(row['mean-wait'], Number(csv[i].at(-2)));
    });
    await click(page, '#x-forget');
    await waitText(page, '#x-status', '24 runs: ');
    await click(page, '#x-undo');
    await waitText(page, '#x-status', 'All 24 runs are done.');
    assertNoConsoleErrors(page);
  });

  test('on a phone, two taps in the tab lead to a plot of four policies with confidence bands', longTest, async () => {
    const page = await openTab({ width: 390, height: 844, hasTouch: true });
    await click(page, '#x-compare');
    await waitText(page, '#x-status', '200 runs: 1 workload × 5 loads × 10 seeds × 4 policies');
    await type(page, '#x-workload-0-knob-jobs', '200'); // for a quick test
    await type(page, '#x-seeds', '1-3');
    await click(page, '#x-run');
    await page.waitForSelector('#x-plot [data-run]', { timeout: 40_000 });
    await page.waitForFunction(() => document.querySelector('.x-results').getBoundingClientRect().top < innerHeight / 2); // the results are in view
    await waitUntilDone(page);
    await waitText(page, '#x-said', 'Done in');
    await page.waitForFunction(() => document.querySelectorAll('#x-plot [data-run]').length === 20);
    assert.equal(await page.$$eval('#x-plot g[fill-opacity] path', all => all.length), 4, 'a band for each policy');
    // Points do not overlap, so each one is visible. The first tap on a point only shows its values.
    const centres = await page.$$eval('#x-plot [data-run]', all => all.map(el => el.getBoundingClientRect()).map(r => [r.x + r.width / 2, r.y + r.height / 2]));
    for (const [i, [x, y]] of centres.entries()) for (const [x2, y2] of centres.slice(i + 1)) assert.ok(Math.hypot(x - x2, y - y2) > 7, `${x},${y} and ${x2},${y2}`);
    const point = (await page.$$('#x-plot [data-run]')).at(-1);
    await point.tap();
    assert.match(await textOf(page, '#lab-word'), /^Conservative, load factor/);
    assert.ok(await page.$('#experiments-page'));
    await point.tap();
    await waitForCharts(page);
    assert.match(await textOf(page, '#scores tbody tr'), /^Conservative/);
    await click(page, '#experiment-return');
    await page.waitForSelector('#x-plot [data-run]');
    // Messages are visible at every scroll position, and controls are large enough to tap.
    await click(page, '#x-svg');
    await waitText(page, '#x-said', 'Saved policies-at-several-loads.svg.');
    await page.waitForFunction(() => { // the message is in view
      const { top, bottom } = document.querySelector('#x-said').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    await click(page, '#x-runs-0');
    const small = await page.$$eval('.experiments :is(button, select, input)', all => all.filter(el => el.offsetParent).map(el => [el.id || el.textContent, el.offsetWidth, el.offsetHeight]).filter(([, w, h]) => w < 24 || h < 24));
    assert.deepEqual(small, []);
    const { scroll, client, background } = await page.$eval('.x-scroll', el => ({ scroll: el.scrollWidth, client: el.clientWidth, background: getComputedStyle(el).backgroundAttachment }));
    assert.ok(scroll > client && /scroll/.test(background), 'the table scrolls in its box, with a shadow at its edge');
    const cut = select => page.$eval('.x-scroll', (box, select) => [...box.querySelectorAll(select)].filter(el => el.getBoundingClientRect().right > box.getBoundingClientRect().right).map(el => el.textContent), select);
    assert.deepEqual(await cut('tr > :is(th[scope=row], :nth-child(2), :nth-child(3))'), [], 'policies, means, differences and their intervals need no scrolling');
    const shown = await page.$eval('.x-scroll', box => {
      box.scrollLeft = box.scrollWidth;
      return ['th span', 'th[scope=row]'].map(select => box.querySelector(`tbody ${select}`).getBoundingClientRect().left - box.getBoundingClientRect().left);
    });
    assert.ok(shown.every(left => left >= 0), `the load factor and the policy stay in view: ${shown}`);
    await click(page, '.x-runs button');
    await waitForCharts(page);
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.x-results')?.getBoundingClientRect().top < innerHeight / 2, { timeout: 20_000 });
    await page.setViewport({ width: 1024, height: 768, hasTouch: true });
    await waitForFrames(page);
    assert.deepEqual(await cut('th, td'), [], 'the table fits beside the form');
    assertNoConsoleErrors(page);
  });

  test('the form and the results work by keyboard and have no axe violations, at 1440 and 390 pixels', longTest, async () => {
    const page = await openTab();
    await openDefinition(page, definition());
    for (const fold of ['#x-policy-0-more', '#x-workload-0-more', '#x-text-fold']) await click(page, fold);
    // assertFits runs axe at both widths. It checks the dark theme only at the larger width, because colours do not
    // depend on the width.
    const assertFits = async what => {
      for (const [width, themes] of [[390, ['light']], [1440, ['light', 'dark']]]) {
        await page.setViewport({ width, height: 844 });
        await waitForFrames(page);
        await assertAccessible(page, `${what} at ${width}`, undefined, themes);
        assert.ok(await page.evaluate(() => document.querySelector('#experiments-page').scrollWidth <= document.documentElement.clientWidth), `${what}: nothing is cut off at ${width}`);
      }
    };
    await assertFits('the definition');
    const ring = await page.$eval('#x-compare', el => { // the space for the ring around a focused button
      const form = el.closest('.x-form'), { left, top } = el.getBoundingClientRect(), outer = form.getBoundingClientRect();
      return Math.min(left - outer.left, top + form.scrollTop - outer.top);
    });
    assert.ok(ring >= 4, `the ring around the first button is cut off: ${ring}`);
    await page.focus('#x-open');
    await tabTo(page, '#x-run');
    await page.keyboard.press('Enter');
    await waitUntilDone(page);
    await page.waitForSelector('#x-plot [data-run]');
    await tabTo(page, '#x-plot [data-run]');
    await tabTo(page, '#x-csv');
    await click(page, '#x-runs-0');
    await waitForFrames(page);
    await assertFits('the results');
    assertNoConsoleErrors(page);
  });
});
