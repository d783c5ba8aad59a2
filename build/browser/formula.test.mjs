// Tests a job order that is typed as a formula: errors appear while it is typed, and the schedule
// changes once the formula is valid. The tests use the pointer, and the keyboard alone.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText } from './lab.mjs';
import { command, selectOption, click, drawnJobs, nativeJobs, firstExample, waitForCharts, tabTo, type, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

const orderList = '#knob-0-order', field = '#knob-0-order-formula';

// assertOrder asserts that the chart of EASY equals the command's schedule with an order. It returns
// the start times.
async function assertOrder(page, order) {
  await waitForCharts(page);
  const drawn = await drawnJobs(page, 0);
  assert.deepEqual(drawn, nativeJobs(backfill, firstExample(), 'easy', { order }));
  assert.deepEqual(await drawnJobs(page, 1), nativeJobs(backfill, firstExample(), 'conservative'));
  return drawn.map(j => j.start);
}

// assertError asserts that an error is shown at the field and above the charts, which are
// dimmed. The text in the field must stay.
async function assertError(page, text, message) {
  await page.waitForFunction(f => document.querySelector(f).ariaInvalid === 'true', {}, field);
  await page.waitForFunction((f, w) => document.querySelector(f).closest('.field').querySelector('.problem')?.textContent.includes(w), {}, field, message);
  await waitText(page, '#problems', message);
  assert.equal(await valueOf(page, field), text);
  await page.waitForSelector('[data-chart="gantt"] .lab-stale');
}

const waitUntilValid = page => page.waitForFunction(f => document.querySelector(f).ariaInvalid === 'false' && !document.getElementById('problems'), {}, field);
const activeId = page => page.evaluate(() => document.activeElement.id);

test('an invalid formula is marked, and a valid one orders the queue', async t => {
  const page = await lab.page();
  await t.test('by pointer', async () => {
    await click(page, '#tab-policies');
    assert.equal(await page.$(field), null);
    await selectOption(page, orderList, 'ljf');
    await selectOption(page, orderList, 'formula');
    await page.waitForSelector(field);
    assert.equal(await valueOf(page, field), '-estimate', 'it starts with the selected order');
    const longest = await assertOrder(page, '-estimate');

    await type(page, field, '-wait/(estimate');
    await assertError(page, '-wait/(estimate', 'column 16: expected ")", got the end');
    await page.type(field, ')');
    await waitUntilValid(page);
    assert.equal(await activeId(page), field.slice(1));
    assert.notDeepEqual(await assertOrder(page, '-wait/(estimate)'), longest, 'the schedule is updated');

    await type(page, field, 'size');
    await assertError(page, 'size', 'column 1: ');
    await type(page, field, 'procs + res:gpu');
    await assertError(page, 'procs + res:gpu', 'gpu');
    await type(page, field, 'procs');
    await waitUntilValid(page);
    await assertOrder(page, 'procs');

    await selectOption(page, orderList, 'sjf');
    await page.waitForFunction(f => !document.querySelector(f), {}, field);
    await assertOrder(page, 'sjf');
    assertNoConsoleErrors(page);
  });

  await t.test('by keyboard alone', async () => {
    await selectOption(page, orderList, 'fifo');
    await click(page, '#tab-jobs');
    await page.evaluate(() => document.activeElement.blur());
    const keys = page.keyboard, fifo = await assertOrder(page, 'fifo');
    await tabTo(page, '[role="tab"]');
    while (await activeId(page) !== 'tab-policies') await keys.press('ArrowRight');
    await tabTo(page, orderList);
    await keys.type('a formula'); // typing selects in a list
    await page.waitForSelector(field);
    await tabTo(page, field);
    await keys.press('End');
    for (let n = (await valueOf(page, field)).length; n > 0; n--) await keys.press('Backspace');
    await keys.type('-procs estimate');
    await assertError(page, '-procs estimate', 'column 8: expected an operator');
    for (let i = 0; i < 'estimate'.length; i++) await keys.press('ArrowLeft');
    await keys.type('* ');
    await waitUntilValid(page);
    assert.equal(await valueOf(page, field), '-procs * estimate', 'the text cursor does not move');
    assert.notDeepEqual(await assertOrder(page, '-procs * estimate'), fifo, 'the schedule is updated');
    assert.equal(await activeId(page), field.slice(1));

    await undo(page);
    await page.waitForFunction((f, w) => document.querySelector(f)?.value !== w, {}, field, '-procs * estimate');
    assertNoConsoleErrors(page);
  });
});
