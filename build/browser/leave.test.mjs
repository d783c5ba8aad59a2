// Tests what the page keeps when a person leaves it or goes back, and what it shows after a part of it
// has disappeared.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText } from './lab.mjs';
import { click, valueOf, waitForCharts, waitForStableAddress } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

test('an edit just before a reload is kept, and is not restored twice', async () => {
  const page = await lab.page();
  await click(page, '#cell-0-4');
  await page.keyboard.type('3');
  await page.reload(); // the address does not contain the edit yet
  await waitForCharts(page);
  await page.waitForFunction(() => document.querySelector('#cell-0-4')?.value === '3');
  await waitForStableAddress(page);
  await click(page, '#cell-0-4');
  await page.keyboard.type('4');
  await waitForStableAddress(page);
  await page.reload();
  await waitForCharts(page);
  assert.equal(await valueOf(page, '#cell-0-4'), '4');
  await page.goto('about:blank');
  await page.goto(lab.url);
  await waitForCharts(page);
  assert.equal(await valueOf(page, '#cell-0-4'), '5', 'another visit opens the example');
  assertNoConsoleErrors(page);
});

test('the keyboard focus stays near a policy that is removed', async () => {
  const page = await lab.page();
  await click(page, '#tab-policies');
  await page.focus('#policy-1-drop');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('#policy-1-drop'));
  await page.waitForFunction(() => document.activeElement.id === 'add-policy');
  assertNoConsoleErrors(page);
});

test('the explanation of a deleted job disappears with the last job', async () => {
  const page = await lab.page();
  await click(page, '#cell-3-1');
  await waitText(page, '#why', 'Job 4');
  await click(page, '#clear');
  await page.waitForFunction(() => !document.querySelector('#why')?.textContent.includes('Job 4'));
  assertNoConsoleErrors(page);
});

test('Back from a lesson shows the edited scenario without the player of the lesson', async () => {
  const page = await lab.page();
  await click(page, '#cell-0-4');
  await page.keyboard.type('3');
  await waitForStableAddress(page);
  await click(page, '#lessons');
  await page.waitForSelector('.gallery button');
  await (await page.$$('.gallery button'))[1].click();
  await page.waitForSelector('#lesson-title');
  await waitForCharts(page);
  await click(page, '#lesson-next');
  await waitForStableAddress(page);
  await page.evaluate(() => history.back());
  await page.waitForFunction(() => !document.querySelector('#lesson-title') && document.querySelector('#cell-0-4')?.value === '3');
  await waitForCharts(page);
  await waitForStableAddress(page);
  assert.equal(await page.$('#player-count'), null);
  assertNoConsoleErrors(page);
});
