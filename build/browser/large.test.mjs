// Tests large runs, in which the results of each policy appear as soon as it finishes. Also tests
// zoom buttons, tooltips, explanations of metrics, and the real trace.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForFrames, open, assertNoConsoleErrors, sites, textOf, waitText } from './lab.mjs';
import { addPolicy, click, downloads, assertAccessible, firstExample, waitForCharts, chooseFile, openFile, overloadedTrace, tabTo, waitForStableAddress, type, undo } from './page.mjs';
import { begin } from './begin.mjs';
import { builtSite, host, engineMissing, repeated, oneFile, repeatedFile } from './anywhere.mjs';

const box = (page, selector) => page.$eval(selector, el => { const r = el.getBoundingClientRect(); return { top: r.top, bottom: r.bottom, left: r.left, right: r.right }; });
const rowsOf = page => page.$$eval('#scores tbody tr', all => all.map(tr => [tr.cells[0].querySelector('span').textContent.trim(), tr.cells[tr.cells.length - 1].textContent.trim()]));
const window = page => page.evaluate(() => labChart.window());
const four = { ...firstExample(), policies: ['easy', 'conservative', 'fcfs', 'first-fit'].map(name => ({ name })) };
const traceName = 'SDSC SP2';

// hover moves the pointer to the middle of a piece in the first chart.
async function hover(page, wanted) {
  const [x, y] = await page.evaluate(wanted => {
    const host = document.getElementById('gantt-0'), { view, plan, height, width } = host.labChart, [t0, t1] = labChart.window();
    const { pieces } = wanted.planned ? plan : view, lanes = view.lane1;
    for (let i = 0; i < pieces.length; i += 6) {
      if (pieces[i + 4] !== wanted.job) continue;
      const { left, top } = host.querySelector('.lab-surface').getBoundingClientRect();
      return [left + ((pieces[i] + pieces[i + 1]) / 2 - t0) * width / (t1 - t0), top + height - (pieces[i + 2] + pieces[i + 3]) / 2 * height / lanes];
    }
  }, wanted);
  await page.mouse.move(x, y);
  await waitForFrames(page);
  return page.$eval('#gantt-0 .lab-tip', el => (el.hidden ? '' : el.textContent));
}

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  test('each finished policy shows its chart and its metrics while the others run; the progress stays in view', { ...repeated(engine), timeout: 240_000 }, async () => {
    const page = await lab.page();
    await click(page, '#tab-policies');
    for (const name of ['fcfs', 'conservative']) await addPolicy(page, name);
    const path = join(lab.folder, 'long.swf');
    writeFileSync(path, overloadedTrace(12_000, 64));
    await openFile(page, path);
    await page.waitForFunction(() => document.querySelectorAll('[data-chart="gantt"]').length === 1 && document.querySelector('#scores').textContent.includes('still running'), { timeout: 120_000, polling: 50 });
    const rows = await rowsOf(page);
    assert.ok(rows.length >= 3 && rows[0][1] !== 'still running' && rows.at(-1)[1] === 'still running', JSON.stringify(rows));
    await page.waitForFunction(() => document.getElementById('gantt-0').labChart?.view?.pieces.length > 0);
    for (const place of [0, 1e6]) {
      await page.evaluate(y => document.querySelector('.stage').scrollTo(0, y), place);
      await waitForFrames(page);
      const cancel = await box(page, '#cancel');
      assert.ok(cancel.top >= 0 && cancel.bottom <= 900, `Cancel stands at ${cancel.top}`);
    }
    await page.click('#cancel');
    await waitText(page, '#notice', 'show the policies that had finished');
    assert.equal((await rowsOf(page)).at(-1)[1], 'not run');
    await page.waitForSelector('#again');
    assertNoConsoleErrors(page);
  });

  test('the metrics of four policies and a chart are visible without scrolling; in a lesson the charts come first', repeated(engine), async () => {
    const page = await lab.shared(four);
    await page.evaluate(() => document.querySelector('.stage').scrollTo(0, 0));
    const scores = await box(page, '#scores'), chart = await box(page, '#gantt-0');
    assert.ok(scores.top > 48 && scores.bottom < 600, `the table ends at ${scores.bottom}`);
    assert.ok(chart.top > scores.bottom && chart.top < 800, `the first chart begins at ${chart.top}`);
    assert.equal((await rowsOf(page)).length, 4);
    await page.setViewport({ width: 390, height: 844 });
    await waitForFrames(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'nothing is wider than the screen of a phone');
    await page.goto(lab.url + '#v=1&lesson=intro-backfilling');
    await waitText(page, '#lesson-title', 'ntroduction');
    assert.ok(await page.evaluate(() => document.getElementById('strip').compareDocumentPosition(document.getElementById('scores')) & Node.DOCUMENT_POSITION_FOLLOWING), 'in a lesson, the metrics follow the charts');
    assertNoConsoleErrors(page);
  });

  test('buttons zoom in, out and to the whole run, also from the keyboard', async () => {
    const page = await lab.shared();
    const [from, to] = await window(page);
    await page.focus('#colour');
    await tabTo(page, '#zoom-in');
    await page.keyboard.press('Enter');
    await waitForFrames(page);
    const [a, b] = await window(page);
    assert.equal(b - a, (to - from) / 2);
    await tabTo(page, '#zoom-out', { most: 1 });
    await page.keyboard.press(' ');
    await waitForFrames(page);
    assert.deepEqual(await window(page), [from, to]);
    await click(page, '#zoom-in');
    await click(page, '#zoom-fit');
    assert.deepEqual(await window(page), [from, to]);
    assert.deepEqual(await page.$$eval('.zoom button', all => all.map(b => b.ariaLabel)), ['Zoom in', 'Zoom out', 'Fit the whole run']);
    assertNoConsoleErrors(page);
  });

  test('after a change of all jobs, the charts show the whole run again; the player opens zoomed to its event', repeated(engine), async () => {
    const path = join(lab.folder, 'some.swf');
    writeFileSync(path, overloadedTrace(1500, 64));
    const page = await lab.shared();
    await openFile(page, path);
    await waitText(page, '#notice', '1,500 jobs');
    await waitForCharts(page);
    await click(page, '#zoom-in');
    await click(page, '#tab-workload');
    await click(page, '#op-scale');
    await type(page, '#op-scale-factor', '0.25');
    await click(page, '#op-scale-do');
    await waitText(page, '#notice', 'Applied to all');
    await waitForCharts(page);
    const whole = await window(page);
    await click(page, '#zoom-fit');
    assert.deepEqual(await window(page), whole);
    await click(page, '#step-through');
    await waitText(page, '#player-count', 'event 0 of');
    await waitForFrames(page);
    const [from, to] = await window(page);
    assert.ok((to - from) < (whole[1] - whole[0]) / 10 && from <= whole[0] + 1, `${from} to ${to} of ${whole}`);
    assertNoConsoleErrors(page);
  });

  test('a tooltip shows the wait of a job and, at the cursor, the wait of a waiting job', async () => {
    const page = await lab.shared();
    assert.match(await hover(page, { job: 0 }), /^job 1: .*, no wait/);
    assert.match(await hover(page, { job: 3 }), /^job 4: .*, waited 4 s/);
    await page.evaluate(() => labChart.cursor(6));
    await page.waitForFunction(() => document.getElementById('gantt-0').labChart.plan?.at === 6);
    await waitForFrames(page);
    const job = await page.evaluate(() => document.getElementById('gantt-0').labChart.plan.pieces[4]);
    assert.match(await hover(page, { job, planned: true }), /^job \d+: waiting for \d+ s, planned from \d+ to \d+$/);
    assertNoConsoleErrors(page);
  });

  test('metrics are explained in words, then by formula, on hover and on focus', repeated(engine), async () => {
    const page = await lab.shared();
    const words = () => page.$eval('#lab-word', el => (el.hidden ? null : el.textContent));
    await page.hover('#scores th:nth-child(2) button');
    assert.match(await words(), /^How long a job waits in the queue on average\. sum\(start - submit\) \/ n/);
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => document.getElementById('lab-word').hidden);
    await page.focus('#scores th:nth-child(4) button');
    assert.match(await words(), /than on an empty machine.*max\(1,/);
    assert.ok((await page.$eval('#scores th:nth-child(4) button', el => el.getAttribute('aria-description'))).startsWith('How many times longer'));
    await click(page, '#more');
    assert.match(await textOf(page, '#measures tbody tr:nth-child(3) .formula'), /^How long a job waits in the queue on average\.\s+sum/);
    await assertAccessible(page, 'explained metrics', '.scores');
    assertNoConsoleErrors(page);
  });

  test('the longest wait of a policy links to its job, explained for that policy', repeated(engine), async () => {
    const page = await lab.page();
    for (const [row, policy] of ['EASY', 'Conservative'].entries()) {
      const link = `#scores tbody tr:nth-child(${row + 1}) .link`, job = (await page.$eval(link, el => el.title)).replace('Explain job ', '');
      await click(page, link);
      await waitText(page, '#why-title', `Job ${job}`);
      await page.waitForFunction(policy => document.querySelector('#why article').textContent.includes(policy), {}, policy);
      await waitText(page, '#why article', `, ${await textOf(page, link)} s after its submission`);
    }
    assertNoConsoleErrors(page);
  });

  test('the real trace opens from the list of examples, with its source and conditions', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#examples');
    await click(page, '#example-trace');
    await waitText(page, '.title', traceName, 60_000);
    await waitText(page, '#notice', '5,000 jobs.');
    await waitForCharts(page);
    for (const words of ['Victor Hazlewood', 'Copyright 2000 The Regents', 'educational, research and non-profit purposes', 'Parallel Workloads Archive']) {
      assert.ok((await textOf(page, '.lead')).includes(words), words);
    }
    assert.deepEqual((await rowsOf(page)).map(r => r[0]), ['EASY', 'Conservative']);
    assert.match(await textOf(page, '#report-total'), /^5,546 records read, 5,000 jobs kept\. Dropped: 546 records /);
    assert.match(await textOf(page, '.count'), /^5,000 jobs/);
    assert.ok(await page.$eval('#scores', el => el.scrollWidth <= document.querySelector('.stage').clientWidth), 'the table has room');
    await page.setViewport({ width: 390, height: 844 });
    await waitForFrames(page);
    const lines = await page.$eval('#scores tbody tr:last-child td:last-child', el => {
      const range = document.createRange();
      range.selectNodeContents(el);
      return [el.textContent, range.getClientRects().length];
    });
    assert.deepEqual(lines, ['all 5,000 kept', 2]);
    assertNoConsoleErrors(page);
  });

  test('all numbers have the same format, and equal values are shown as the same, not as ±0', repeated(engine), async () => {
    const page = await lab.shared(four);
    const cells = await page.$$eval('#scores tbody tr:last-child td', all => all.map(td => td.textContent.trim().replace(/\s+/g, ' ')));
    assert.ok(cells.includes('47 same'), cells.join(' | '));
    await click(page, '#more');
    await waitText(page, '#measures', 'Loss of capacity');
    const rows = await page.$$eval('#measures tbody tr', all => all.map(tr => [...tr.cells].map(td => td.textContent.trim())));
    assert.deepEqual(rows.filter(r => /tilization|Loss/.test(r[0])).map(r => r[5]), ['%', '%', '%', '%']);
    assert.ok(!(await textOf(page, '.stage')).includes('±'));
    assertNoConsoleErrors(page);
  });

  test('an impossible utilization is reported as an error, with its cause', repeated(engine), async () => {
    const page = await lab.page();
    const path = join(lab.folder, 'overfull.csv');
    writeFileSync(path, 'job,start\n' + Array.from({ length: 12 }, (_, i) => `${i + 1},${13 + i % 2}`).join('\n') + '\n');
    await click(page, '#tab-policies');
    await chooseFile(page, () => page.click('#add-schedule'), path);
    await waitText(page, '#chart-2', 'overfull.csv');
    await waitForCharts(page);
    assert.match(await textOf(page, '#chart-2 .problem'), /The utilization cannot be computed, because jobs use more processors than the machine has: \d+ of 8 at t = 1\d\. Set the size of the real machine/);
    assert.equal(await page.$eval('#scores tbody tr:nth-child(3) td:nth-child(5)', td => td.textContent.trim()), '-');
    assertNoConsoleErrors(page);
  });

  test('the Workload tab, the file and captions say how the jobs were changed, also after undo, a link and a reload', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#tab-workload');
    for (const [op, field, value] of [['scale', 'factor', '1.25'], ['first', 'n', '10']]) {
      await click(page, `#op-${op}`);
      await type(page, `#op-${op}-${field}`, value);
      await click(page, `#op-${op}-do`);
      await waitText(page, '#notice', 'Undo');
      await waitForCharts(page);
    }
    const both = 'Changes to all jobs: load ×1.25; first 10 jobs.';
    assert.equal(await textOf(page, '#changes'), both);
    await undo(page);
    assert.equal(await textOf(page, '#changes'), 'Changes to all jobs: load ×1.25.');
    await click(page, '#redo');
    assert.equal(await textOf(page, '#changes'), both);
    const got = await downloads(page);
    await click(page, '#export');
    await click(page, '#save');
    assert.deepEqual(JSON.parse((await got.next()).data).changes, ['load ×1.25', 'first 10 jobs']);
    await click(page, '#export');
    await click(page, '#export-svg');
    assert.match((await got.next()).data.toString(), /scenario [0-9a-f]{32}; jobs: load ×1\.25; first 10 jobs/);
    got.stop();
    await waitForStableAddress(page);
    const address = page.url();
    await page.reload();
    await waitForCharts(page);
    await click(page, '#tab-workload');
    assert.equal(await textOf(page, '#changes'), both);
    const other = await open(lab.browser, address);
    await waitForCharts(other);
    await click(other, '#tab-workload');
    assert.equal(await textOf(other, '#changes'), both);
    assertNoConsoleErrors(other);
  });
});

for (const engine of ['chromium', 'firefox']) describe(`${engine}, as shipped`, repeatedFile(engine), () => {
  const lab = begin({ engine, site: sites.shipped });

  // openTrace opens the real trace from the list of examples.
  async function openTrace(page) {
    await click(page, '#examples');
    await click(page, '#example-trace');
    await waitText(page, '.title', traceName, 60_000);
  }

  test('the trace is not part of the first visit, and opens without a network after it was opened once', async () => {
    const plain = await host(builtSite), fetched = () => plain.requested.filter(name => name.endsWith('.gz')).length;
    const page = await open(lab.browser, plain.named);
    await waitText(page, '#lab-offline-said', 'opens without a network', 60_000);
    assert.equal(fetched(), 0);
    await openTrace(page);
    assert.equal(fetched(), 1);
    await page.close();
    plain.off = true;
    const other = await open(lab.browser, plain.named);
    await openTrace(other);
    assertNoConsoleErrors(other);
    plain.off = false;
  });

  test('the single file says that the trace needs the page on a server', repeated(engine), async () => {
    const page = await open(lab.browser, `file://${oneFile}`);
    await click(page, '#examples');
    assert.ok(await page.$eval('#example-trace .hosted', el => !!el.offsetParent));
    await click(page, '#example-trace');
    await waitText(page, '#notice', 'The page must be loaded from a web server');
    await waitText(page, '.title', 'EASY and conservative backfilling');
  });
});
