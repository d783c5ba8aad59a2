// Tests editing jobs in a chart: by dragging their edges and their submission mark, and with keys
// alone. Each edit must change the jobs table.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitForFrames, textOf, waitText } from './lab.mjs';
import { click, command, drawnJobs, nativeJobs, firstExample, waitForCharts, jobsOf, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// pointAt returns the position on the page of a time and a height in lanes.
const pointAt = (page, chart, t, lanes) => page.$eval(`#gantt-${chart} .lab-surface`, (el, t, lanes) => {
  const r = el.getBoundingClientRect(), [a, b] = labChart.window();
  return { x: r.left + (t - a) / (b - a) * r.width, y: r.bottom - lanes / 8 * r.height };
}, t, lanes);

// pointAtEdge moves the pointer onto a job, so that the charts request the values of the job,
// and then onto an edge of the job.
async function pointAtEdge(page, chart, job, on, edge) {
  const a = await pointAt(page, chart, ...on), b = await pointAt(page, chart, ...edge);
  await page.mouse.move(a.x, a.y);
  await page.waitForFunction(job => labChart.known().some(j => j.name === job), {}, job);
  await page.mouse.move(b.x - 1, b.y);
  await waitForFrames(page);
}

async function drag(page, chart, to, steps = 5) {
  const at = await pointAt(page, chart, ...to);
  await page.mouse.down();
  await page.mouse.move(at.x, at.y, { steps });
  await waitForFrames(page);
}

async function release(page) {
  await page.mouse.up();
  await waitForFrames(page);
}

// assertSchedules waits for both schedules, and compares them with those of the native command.
async function assertSchedules(page, scenario) {
  await waitForCharts(page);
  for (const [i, policy] of ['easy', 'conservative'].entries()) {
    assert.deepEqual(await drawnJobs(page, i), nativeJobs(backfill, scenario, policy), `${policy}, as drawn`);
  }
}

const cell = (page, row, column) => page.waitForSelector(`#cell-${row}-${column}`).then(() => valueOf(page, `#cell-${row}-${column}`));
const tip = (page, chart) => textOf(page, `#gantt-${chart} .lab-tip`);

test('edits by dragging', async t => {
  const page = await lab.page();
  await t.test('the right edge changes the runtime, or the estimate with Alt; undo restores the old value', async () => {
    const s = firstExample();
    // Under EASY, job 4 runs from 7 to 14 on lanes 5 and 6.
    await pointAtEdge(page, 0, '4', [10, 6], [14, 6]);
    assert.equal(await page.$eval('#gantt-0 .lab-surface', el => el.style.cursor), 'ew-resize');
    await drag(page, 0, [16, 6]);
    assert.equal(await tip(page, 0), 'job 4: runtime 9 s, was 7');
    await page.keyboard.press('Escape');
    await waitForFrames(page);
    await release(page);
    await assertSchedules(page, s);
    assert.equal(await cell(page, 3, 4), '7', 'Escape cancels the edit');

    await pointAtEdge(page, 0, '4', [10, 6], [14, 6]);
    await drag(page, 0, [16, 6]);
    await release(page);
    jobsOf(s)[3].runtime = 9;
    await assertSchedules(page, s);
    assert.equal(await cell(page, 3, 4), '9');
    await waitText(page, '#lab-live', 'job 4: runtime 9 s');

    await page.keyboard.down('Alt');
    await pointAtEdge(page, 0, '4', [10, 6], [16, 6]);
    await drag(page, 0, [25, 6]);
    assert.match(await tip(page, 0), /^job 4: estimate 18 s, was 10/);
    await release(page);
    await page.keyboard.up('Alt');
    jobsOf(s)[3].estimate = 18;
    await assertSchedules(page, s);

    await click(page, '#undo');
    jobsOf(s)[3].estimate = 10;
    await assertSchedules(page, s);
    await click(page, '#undo');
    await assertSchedules(page, firstExample());
    assert.equal(await cell(page, 3, 4), '7');
    assert.equal(await page.$eval('#undo', el => el.disabled), true, 'each edit is one undo step');
    assertNoConsoleErrors(page);
  });

  await t.test('the top and bottom edges change the processors, and the mark before a selected job changes its submission', async () => {
    const s = firstExample();
    await pointAtEdge(page, 0, '4', [10, 6], [10.5, 6.92]);
    assert.equal(await page.$eval('#gantt-0 .lab-surface', el => el.style.cursor), 'ns-resize');
    await drag(page, 0, [10.5, 8]);
    assert.equal(await tip(page, 0), 'job 4: 3 processors, was 2');
    await release(page);
    jobsOf(s)[3].procs = 3;
    await assertSchedules(page, s);
    await undo(page);
    await assertSchedules(page, firstExample());

    const at = await pointAt(page, 0, 35, 1.5); // job 11, submitted at 13, starts at 27
    await page.mouse.click(at.x, at.y);
    await waitText(page, '#why-title', 'Job 11');
    await waitForCharts(page);
    await pointAtEdge(page, 0, '11', [35, 1.5], [13, 1.5]);
    await drag(page, 0, [2, 1.5]);
    assert.equal(await tip(page, 0), 'job 11: submit 2 s, was 13');
    await release(page);
    const t = firstExample();
    jobsOf(t)[10].submit = 2;
    await waitForCharts(page);
    assert.equal(await cell(page, 10, 1), '2');
    await waitText(page, '#why-title', 'Job 11'); // although it is now the fourth job by submission
    assert.equal(await page.$eval('#gantt-0', h => h.labChart.view.labels[labChart.selected()]), '11');
    await undo(page);
    await assertSchedules(page, firstExample());
    assertNoConsoleErrors(page);
  });

  await t.test('a runtime above the estimate is shown in its cell with an error, and can be dragged back', async () => {
    await pointAtEdge(page, 0, '4', [10, 6], [14, 6]);
    await drag(page, 0, [20, 6]);
    assert.match(await tip(page, 0), /^job 4: runtime 13 s, was 7; the runtime is above the estimate of 10 s/);
    await release(page);
    await waitText(page, '#problems', 'Row 4, runtime');
    assert.equal(await page.$eval('#cell-3-4', el => [el.value, el.ariaInvalid].join()), '13,true');
    await pointAtEdge(page, 0, '4', [10, 6], [14, 6]);
    await drag(page, 0, [15, 6]);
    await release(page);
    const s = firstExample();
    jobsOf(s)[3].runtime = 8;
    await assertSchedules(page, s);
    assertNoConsoleErrors(page);
  });
});

test('edges that cannot be dragged show the reason; other drags pan the chart', async () => {
  const page = await lab.page();
  await click(page, '#cell-3-1');
  await click(page, '#moldable');
  await click(page, '#mold-row');
  await waitForCharts(page);
  const end = (await drawnJobs(page, 0))[3];
  await page.$eval('#gantt-0', el => el.scrollIntoView({ block: 'center' }));
  await page.waitForFunction(() => labChart.known().some(j => j.name === '4'));
  const lane = await page.$eval('#gantt-0', (h, end) => {
    const { pieces: p } = h.labChart.view, i = p.findIndex((v, i) => i % 6 === 4 && v === 3 && p[i - 3] === end) - 4;
    return (p[i + 2] + p[i + 3]) / 2;
  }, end.finish);
  await pointAtEdge(page, 0, '4', [(end.start + end.finish) / 2, lane], [end.finish, lane]);
  assert.match(await tip(page, 0), /follows from its speedup curve/);
  assert.equal(await page.$eval('#gantt-0 .lab-surface', el => el.style.cursor), 'not-allowed');

  await page.evaluate(() => labChart.setWindow(5, 25));
  const a = await pointAt(page, 0, 20, 1.5);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(a.x - 60, a.y, { steps: 4 });
  await release(page);
  assert.ok((await page.evaluate(() => labChart.window()[0])) > 6, 'the chart was panned');
  assert.equal(await cell(page, 7, 4), '9', 'no job was edited');
  assertNoConsoleErrors(page);
});

test('by keyboard alone: runtime, estimate, processors and submission', async () => {
  const page = await lab.page();
  await page.focus('#gantt-0');
  for (const job of [1, 3, 2]) {
    await page.keyboard.press('ArrowRight');
    await waitText(page, '#lab-live', `job ${job}:`);
  }
  const press = async (keys, says) => {
    for (const k of keys.slice(0, -1)) await page.keyboard.down(k);
    await page.keyboard.press(keys.at(-1));
    for (const k of keys.slice(0, -1).reverse()) await page.keyboard.up(k);
    await waitText(page, '#lab-live', says);
    await waitForFrames(page);
    await waitForCharts(page);
    await page.waitForFunction(() => labChart.known().some(j => j.name === '2'));
  };
  await press(['Shift', 'ArrowRight'], 'job 2: runtime 4 s');
  await press(['Shift', 'ArrowRight'], 'job 2: runtime 5 s');
  await press(['Alt', 'Shift', 'ArrowLeft'], 'job 2: estimate 5 s');
  await press(['Shift', 'ArrowDown'], 'job 2: 4 processors');
  await press(['Shift', 'ArrowUp'], 'job 2: 5 processors');
  await press(['Shift', 'ArrowDown'], 'job 2: 4 processors');
  await press(['.'], 'job 2: submit 2 s');
  await press([','], 'job 2: submit 1 s');
  const s = firstExample();
  Object.assign(jobsOf(s)[1], { runtime: 5, estimate: 5, procs: 4, submit: 1 });
  await assertSchedules(page, s);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'gantt-0');
  for (let i = 0; i < 4; i++) await undo(page); // four kinds of edit, with repeats merged
  await assertSchedules(page, firstExample());
  assert.equal(await page.$eval('#undo', el => el.disabled), true);
  await page.keyboard.press('?');
  await waitText(page, '#lab-keys', 'decrease or increase the runtime of the job; with Alt, its estimate');
  assertNoConsoleErrors(page);
});

test('by touch: only the selected job has grips', async () => {
  const page = await lab.page({ width: 390, height: 800 });
  await page.$eval('#gantt-0', el => el.scrollIntoView({ block: 'center' }));
  const swipe = async (from, to) => {
    const [a, b] = [await pointAt(page, 0, ...from), await pointAt(page, 0, ...to)];
    const finger = await page.touchscreen.touchStart(a.x, a.y);
    for (const part of [0.3, 0.6, 1]) await finger.move(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part);
    await finger.end();
    await waitForFrames(page);
  };
  await page.evaluate(() => labChart.setWindow(0, 30));
  await waitForCharts(page);
  await swipe([14, 6], [12, 6]);
  assert.notEqual(await page.evaluate(() => labChart.window()[0]), 0, 'the chart was panned');
  await page.evaluate(() => labChart.setWindow(0, 30));
  await page.evaluate(() => labChart.select(3));
  await waitForCharts(page);
  await page.waitForFunction(() => labChart.known().some(j => j.name === '4'));
  await swipe([14.3, 6], [16.3, 6]); // next to the edge, within a finger's width
  await page.waitForFunction(() => document.querySelector('#cell-3-4')?.value === '9');
  const s = firstExample();
  jobsOf(s)[3].runtime = 9;
  await page.evaluate(() => labChart.fit());
  await assertSchedules(page, s);
  assertNoConsoleErrors(page);
});
