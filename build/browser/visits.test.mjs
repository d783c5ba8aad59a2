// Tests typical visits: of a student who has five minutes, a lecturer who needs a figure, a
// researcher with a trace, and an administrator with the jobs of last month.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { click, waitForCharts, drawnJobs, firstExample, type, openFile, overloadedTrace, paste } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

// openText opens a text as a file.
async function openText(page, name, text) {
  writeFileSync(join(lab.folder, name), text);
  await openFile(page, join(lab.folder, name));
}

const activeId = page => page.evaluate(() => document.activeElement.id);
const starts = async (page, result) => (await drawnJobs(page, result)).map(j => j.start);

// waitForLink waits until the address contains the current scenario, and returns the fragment.
async function waitForLink(page) {
  const hash = () => page.evaluate(() => location.hash);
  for (let was = ''; !was.includes('s=') || was !== await hash();) {
    was = await hash();
    await new Promise(r => setTimeout(r, 1000));
  }
  return hash();
}

test('a new scenario starts with an empty table', async () => {
  const page = await lab.page();
  for (let n = 12; n > 0; n--) {
    await page.waitForFunction(jobs => new RegExp(`^${jobs} jobs?\\b`).test(document.querySelector('.count span').textContent), {}, n);
    await click(page, '#delete');
  }
  await waitText(page, '#empty', 'There are no jobs yet');
  assert.equal(await activeId(page), 'add', 'the focus is on the button that adds a job');
  await waitForLink(page);
  await page.reload();
  await waitText(page, '#empty', 'There are no jobs yet');
  await click(page, '#add');
  await page.waitForSelector('#cell-0-0');
  for (const [i, value] of ['0', '1', '10', '10'].entries()) await type(page, `#cell-0-${i + 1}`, value);
  await waitForCharts(page);
  assert.deepEqual(await starts(page, 0), [0]);
  await click(page, '#clear');
  await page.waitForFunction(() => !document.getElementById('cell-0-0') && !document.getElementById('clear'));
  await paste(page, 'id\tsubmit\tprocs\testimate\truntime\nA\t0\t3\t10\t8\nB\t1\t8\t6\t6\n');
  await page.waitForSelector('#cell-1-4');
  await waitForCharts(page);
  assert.deepEqual(await starts(page, 0), [0, 8]);
  await click(page, '#undo');
  await click(page, '#undo');
  assert.equal(await page.$eval('#cell-0-3', el => el.value), '10');
  assertNoConsoleErrors(page);
});

test('a Unix time fits into its cell', async () => {
  const page = await lab.shared();
  const lines = Array.from({ length: 60 }, (_, i) => `${90000 + i},${1714550887 + i},4,215400,215337`);
  await openText(page, 'may.csv', `id,submit,procs,estimate,runtime\n${lines.join('\n')}\n`);
  await waitText(page, '#notice', '60 jobs');
  const cells = await page.$$eval('#cell-0-0, #cell-0-1, #cell-0-3, #cell-0-4', all => all.map(el => {
    const style = getComputedStyle(el), probe = document.body.appendChild(document.createElement('span'));
    for (const property of ['fontFamily', 'fontSize', 'fontWeight', 'fontVariantNumeric']) probe.style[property] = style[property];
    probe.style.position = 'absolute';
    probe.textContent = el.value;
    return { text: el.value, needs: probe.getBoundingClientRect().width, has: el.getBoundingClientRect().width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) };
  }));
  for (const c of cells) assert.ok(c.needs <= c.has, JSON.stringify(c));
  assert.equal(await page.$eval('#cell-0-1', el => getComputedStyle(el).textOverflow), 'ellipsis', 'truncated text ends in an ellipsis');
  assertNoConsoleErrors(page);
});

test('a table wider than the current machine can be opened completely', async () => {
  const page = await lab.shared();
  await openText(page, 'month.csv', 'id;submit;procs;estimate;runtime\r\na;0;16;10;5\r\nb;1;4;10;5\r\nc;2;64;10;5\r\n');
  await waitText(page, '#notice', 'month.csv: 1 job. The file does not describe a machine. 2 jobs are left out because the current machine has only 8 processors.');
  await waitText(page, '#widen', 'Open the file with a machine of 64 nodes');
  await click(page, '#widen');
  await waitText(page, '#notice', 'month.csv: 3 jobs.');
  await waitForCharts(page);
  assert.deepEqual(await starts(page, 0), [0, 1, 6]);
  assert.equal(await page.$('#widen'), null);
  await click(page, '#tab-machine');
  assert.equal(await page.$eval('#machine-nodes', el => el.value), '64');
  assertNoConsoleErrors(page);
});

test('on a phone, the chart in which a person asks stays above the answer, also over a keyboard; no text is under Close', async () => {
  const page = await lab.scenario({ ...firstExample(), title: '', text: '', policies: ['easy', 'conservative', 'fcfs'].map(name => ({ name })) }, { width: 390, height: 844 });
  const assertInView = async (result, state) => {
    await waitForFrames(page);
    const [chart, stage, why] = await page.evaluate(r => [`#chart-${r}`, '.stage', '#why'].map(q => document.querySelector(q).getBoundingClientRect().toJSON()), result);
    assert.ok(chart.top >= stage.top - 1 && chart.bottom <= why.top + 1, `chart ${result}, ${state}: ${JSON.stringify([chart, stage, why])}`);
  };
  for (const result of [1, 2, 0]) {
    await page.$eval(`#chart-${result}`, el => el.scrollIntoView({ block: 'end' }));
    await waitForFrames(page);
    const at = await page.$eval(`#gantt-${result} canvas`, el => {
      const r = el.getBoundingClientRect();
      return [r.left + 0.5 * r.width, r.top + 0.6 * r.height];
    });
    await page.mouse.click(...at);
    await waitText(page, '#why-title', 'Why? Job ');
    await assertInView(result, 'asked');
    await page.$eval('#if-exact', el => el.click());
    await page.waitForSelector('#if-said');
    await assertInView(result, 'what if');
    await page.setViewport({ width: 390, height: 520 });
    await page.waitForFunction(() => innerHeight === 520);
    await assertInView(result, 'with a keyboard');
    await page.setViewport({ width: 390, height: 844 });
    await waitForFrames(page);
    const above = await page.$eval('#why-close', el => {
      const { left, top, bottom } = el.getBoundingClientRect();
      return [top - 4, (top + bottom) / 2, bottom - 4].map(y => document.elementFromPoint(left - 4, y).id);
    });
    assert.deepEqual(above, Array(3).fill('why-title'), 'the sentences scroll under the title');
    await click(page, '#why-close');
  }
  assertNoConsoleErrors(page);
});

test('on 390 and 1024 px, a job selected in a chart is explained next to the chart', async () => {
  const page = await lab.page({ width: 390, height: 844 });
  for (const width of [390, 1024]) {
    await page.setViewport({ width, height: 844 });
    await waitForFrames(page);
    const at = await page.$eval('#gantt-0 canvas', el => {
      const r = el.getBoundingClientRect();
      return [r.left + 0.3 * r.width, r.top + 0.9 * r.height]; // job 7, or job 8 next to it
    });
    await page.mouse.click(...at);
    await waitText(page, '#why-title', 'Why? Job ');
    await waitForFrames(page);
    const wide = await page.evaluate(() => document.documentElement.clientWidth); // without the scrollbar that Firefox shows
    const [why, chart] = await page.$$eval('#why, #gantt-0', all => all.map(el => el.getBoundingClientRect().toJSON()).sort((a, b) => b.top - a.top));
    assert.ok(why.height > 200 && why.width === wide && why.bottom < 844.5, `${width}: ${JSON.stringify(why)}`);
    assert.ok(chart.bottom < 844.5 && chart.top < why.top, `the chart stays visible at ${width}`);
    const [close, panel] = await page.$eval('#why', el => {
      el.scrollTop = el.scrollHeight;
      return [document.getElementById('why-close'), el].map(x => x.getBoundingClientRect().toJSON());
    });
    assert.ok(close.top >= panel.top && close.bottom <= panel.bottom, `Close stays in view at ${width}: ${JSON.stringify(close)}`);
    if (width === 390) await click(page, '#why-close');
    else {
      await page.focus('#why-title');
      await page.keyboard.press('Escape');
    }
    await page.waitForFunction(() => document.getElementById('why').getBoundingClientRect().height === 0);
  }
  assertNoConsoleErrors(page);
});

test('title and text are typed, and are part of the link', async () => {
  const page = await lab.page();
  await click(page, '#tab-text');
  assert.equal(await page.$eval('#text-title', el => el.value), firstExample().title);
  await type(page, '#text-title', 'Homework 3: "fair" or fast?');
  await page.click('#text-text', { count: 3 });
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type('Which job is late?\nWhy?', { delay: 5 });
  await waitText(page, '.title', 'Homework 3: "fair" or fast?');
  await page.waitForFunction(() => document.querySelector('.lead').textContent.trim() === 'Which job is late?\nWhy?');
  const other = await lab.page({ fragment: await waitForLink(page) });
  await waitText(other, '.title', 'Homework 3');
  assert.equal(await other.$eval('#text-text', el => el.value), 'Which job is late?\nWhy?');
  await click(other, '#tab-jobs');
  assertNoConsoleErrors(other);
  await other.close();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await waitText(page, '.title', firstExample().title);
  await waitForCharts(page);
  assertNoConsoleErrors(page);
});

test('a cancelled run is run again, and outdated metrics are dimmed', async () => {
  const page = await lab.shared();
  await openText(page, 'long.swf', overloadedTrace(2500, 64));
  await waitText(page, '#notice', '2,500 jobs');
  await waitForCharts(page);
  await click(page, '#tab-policies');
  await click(page, '#policy-0-drop'); // its result would appear during the run of the other policy
  await waitForCharts(page);
  const figures = await textOf(page, '#scores');
  await page.waitForSelector('#knob-0-compress');
  await page.select('#knob-0-compress', 'replan');
  await page.waitForSelector('#cancel');
  assert.equal(await page.evaluate(() => {
    const busy = document.querySelector('.busy'), top = () => document.getElementById('find').getBoundingClientRect().top, before = top();
    busy.style.display = 'none';
    const moved = top() - before;
    busy.style.display = '';
    return moved;
  }), 0, 'the progress moves nothing');
  await click(page, '#cancel');
  await waitText(page, '#notice', 'Cancelled. Charts and metrics do not show the current scenario.');
  const waitUntilDimmed = () => page.waitForFunction(() => getComputedStyle(document.getElementById('scores')).opacity < 0.5);
  await waitUntilDimmed();
  await click(page, '#again');
  await page.waitForSelector('#cancel');
  assert.equal(await page.$('#notice'), null);
  assert.equal(await page.$('#again'), null);
  await waitUntilDimmed();
  await waitForCharts(page, 120_000);
  assert.notEqual(await textOf(page, '#scores'), figures);
  assert.equal(await page.$eval('#scores', el => getComputedStyle(el).opacity), '1');
  assertNoConsoleErrors(page);
});

test('a damaged link does not stay in the address of an open scenario', async () => {
  const page = await lab.page();
  await type(page, '#cell-3-2', '7');
  const good = await waitForLink(page);
  await page.evaluate(() => { location.hash = '#v=1&s=AAAA'; });
  await waitText(page, '#notice', 'The link could not be opened');
  await page.waitForFunction(h => location.hash === h, {}, good);
  await page.reload();
  await waitForCharts(page);
  assert.equal(await page.$eval('#cell-3-2', el => el.value), '7');
  assertNoConsoleErrors(page);
});

test('the search zooms in on a job of a long trace, and its result is never outdated', async () => {
  const page = await lab.shared();
  await openText(page, 'trace.swf', overloadedTrace(3000, 64));
  await waitText(page, '#notice', '3,000 jobs');
  const undo = () => page.$eval('#undo', el => { const { left, top } = el.getBoundingClientRect(); return { left, top }; });
  const place = await undo();
  await type(page, '#find', '1234'); // possibly before the results arrive
  await waitText(page, '#found', '1 of 1');
  await page.waitForSelector('#seconds');
  assert.deepEqual(await undo(), place, 'the results do not move the buttons of the table');
  assert.equal(await activeId(page), 'find', 'the results keep the focus');
  await waitText(page, '#why-title', 'Why? Job 1234');
  await page.waitForFunction(() => {
    const { pieces: p } = document.querySelector('[data-result="0"]').labChart.view, [t0, t1] = labChart.window();
    for (let i = 0; i < p.length; i += 6) {
      if (p[i + 4] === 1233 && !(p[i + 5] & 1)) return (p[i + 1] - p[i]) / (t1 - t0) > 0.005 && p[i] < t1 && p[i + 1] > t0;
    }
    return false;
  });
  await click(page, '#tab-policies');
  await page.waitForSelector('#policy-1-name');
  await page.select('#policy-1-name', 'fcfs');
  await waitText(page, '#chart-1', 'FCFS');
  await waitForCharts(page);
  assert.equal(await textOf(page, '#found'), '', 'there is no search result for a new schedule');
  await click(page, '#find-next');
  await waitText(page, '#found', '1 of 1');
  assertNoConsoleErrors(page);
});

test('metrics have their units, and utilization is consistent', async () => {
  const page = await lab.shared();
  const heads = await page.$$eval('#scores thead th', all => all.map(th => th.textContent.trim().replaceAll('\u00a0', ' ')));
  assert.deepEqual(heads, ['policy', 'mean wait, s', 'max wait, s', 'bounded slowdown', 'utilization, %', 'makespan, s', 'promises']);
  assert.ok(await page.$eval('.scores', el => el.scrollWidth <= el.clientWidth), 'the table fits');
  assert.match(await textOf(page, '#chart-0 .chart-head'), /mean wait\s+6\.25 s\s+utilization\s+80\.1 %/);
  await click(page, '#more');
  const rows = await page.$$eval('#measures tbody tr', all => all.map(tr => [...tr.children].slice(0, 4).map(td => td.textContent.trim())));
  assert.deepEqual(rows.find(r => r[0] === 'Utilization'), ['Utilization', '80.1', '78.4 −1.7', '%']);
  assert.deepEqual(rows.find(r => r[0] === 'Longest wait'), ['Longest wait', '16  job 9', '17 +1 job 9', 's']);
  assertNoConsoleErrors(page);
});

test('the report of a trace takes one line until opened', async () => {
  const page = await lab.shared();
  const jobs = [[1, 0, 5], [2, 1, 0], [3, 2, 50], [4, 3, -1]].map(([id, at, ran]) => `${id} ${at} -1 ${ran} 2 -1 -1 2 9 -1 1 -1 -1 -1 -1 -1 -1 -1`);
  await openText(page, 'small.swf', `; MaxProcs: 8\n${jobs.join('\n')}\n`);
  await waitText(page, '#notice', 'small.swf: 3 jobs.');
  assert.equal(await textOf(page, '#report-total'), '4 records read, 3 jobs kept. Dropped: 1 record without a runtime. Altered: 2 values.');
  assert.equal(await page.$('.report'), null);
  await click(page, '#report');
  assert.equal((await page.$$('.report li')).length, 4);
  await click(page, '#report');
  assert.equal(await page.$('.report'), null);
  await click(page, '#add');
  await waitText(page, '#report-total', 'Altered: 2 values. The scenario now has 4 jobs.');
  await click(page, '#undo');
  await page.waitForFunction(() => document.getElementById('report-total').textContent.endsWith('2 values.'));
  await click(page, '#undo');
  await waitText(page, '.title', firstExample().title);
  assert.deepEqual([await page.$('#report'), await page.$('#notice')], [null, null], 'undo removes the report');
  assertNoConsoleErrors(page);
});

test('by keyboard: menus and tabs', async () => {
  const page = await lab.page();
  await page.focus('#examples');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.menu .list');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Backfilling: a short job starts early, a long one has to wait');
  await page.keyboard.press('Enter');
  await waitText(page, '.title', 'Backfilling: a short job starts early, a long one has to wait');
  await page.waitForFunction(() => document.activeElement.id === 'examples', {}, 'the focus is back on the menu');
  await page.focus('#tab-jobs');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#workload-facts');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#machine-nodes');
  assert.equal(await activeId(page), 'tab-machine');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('#text-title');
  assertNoConsoleErrors(page);
});

test('the load is shown only for many jobs', async () => {
  const page = await lab.shared();
  assert.equal(await textOf(page, '.count span'), '12 jobs');
  const lines = Array.from({ length: 200 }, (_, i) => `${i},${10 * i},4,10,10`);
  await openText(page, 'many.csv', `id,submit,procs,estimate,runtime\n${lines.join('\n')}\n`);
  await waitText(page, '.count span', '200 jobs, load 0.50');
  assertNoConsoleErrors(page);
});
