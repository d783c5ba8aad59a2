// Tests the player: it moves from stop to stop, by its slider or to a typed time, and explains why no
// other job started. The tests use the pointer, and the keyboard alone.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { selectOption, click, assertAccessible, tabTo, type } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

const openPage = async () => {
  const page = await lab.page();
  return page;
};
const waitForCount = async (page, words) => waitText(page, '#player-count', words);
const otherJobs = page => page.$$eval('#player-instead li', all => all.map(li => li.textContent.trim()).filter(t => t));

// The first backfilled starts of the first example under EASY, with the jobs that could not
// start.
const first = { event: 'event 6 of 44, t = 1 s', text: 'Job 3 starts. It was backfilled: 3 processors were free, and it was estimated to end by 10, the estimated start of job 2, which was first in the queue.', instead: ['Job 2 needs 5 processors and 3 were free.'] };
const second = { event: 'event 17 of 44, t = 7 s', text: 'Job 6 starts. It was backfilled', instead: ['Job 5 needs 2 processors and 1 was free.', 'Job 7 needs 4 processors and 1 was free.'] };

async function assertEvent(page, wanted) {
  await waitForCount(page, wanted.event);
  await waitText(page, '#player-text', wanted.text);
  assert.deepEqual(await otherJobs(page), wanted.instead);
}

test('by pointer: to a backfilled start and back, with the reasons', async () => {
  const page = await openPage();
  await click(page, '#step-through');
  await waitForCount(page, 'event 0 of 44');
  await selectOption(page, '#player-stops', 'Backfilled starts');
  await click(page, '#player-next');
  await assertEvent(page, first);
  await click(page, '#player-next');
  await assertEvent(page, second);
  await click(page, '#player-before');
  await assertEvent(page, first);
  assert.equal(await textOf(page, '#player-none'), '');
  await click(page, '#player-before');
  await waitText(page, '#player-none', 'No further backfilled start.');
  await assertEvent(page, first);

  // The person selects other kinds of events at which the player stops.
  await selectOption(page, '#player-stops', 'Starts');
  await click(page, '#player-before');
  await waitText(page, '#player-text', 'Job 1 starts.');
  await selectOption(page, '#player-stops', 'Every instant');
  await click(page, '#player-next');
  await waitForCount(page, 't = 1 s');
  await click(page, '#player-next');
  await waitForCount(page, 't = 3 s');
  await selectOption(page, '#player-stops', 'Moves of planned starts');
  await click(page, '#player-next');
  await waitText(page, '#player-none', 'No further move of a planned start.');
  await selectOption(page, '#player-policy', '2: Conservative');
  await waitForCount(page, 'of 61');
  await click(page, '#player-next');
  await waitText(page, '#player-text', 'The planned start of job');

  // The slider moves the player.
  const box = await (await page.$('#player-slider')).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const events = Number(await page.$eval('#player-slider', el => el.max));
  await page.waitForFunction(() => document.getElementById('player-count').textContent.startsWith(`event ${document.getElementById('player-slider').value} of`));
  const middle = Number(await page.$eval('#player-slider', el => el.value));
  assert.ok(Math.abs(middle - events / 2) <= 2, `${middle} of ${events}`);
  assert.equal(await page.$eval('#player-slider', el => el.ariaValueText ?? el.getAttribute('aria-valuetext')), await textOf(page, '#player-count'));
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  for (let i = 1; i <= 20; i++) await page.mouse.move(box.x + box.width * (0.5 + i / 40) - 2, box.y + box.height / 2);
  await page.mouse.up();
  await page.waitForFunction(() => {
    const s = document.getElementById('player-slider');
    return s.value === s.max && document.getElementById('player-count').textContent.startsWith(`event ${s.max} of ${s.max}`);
  });

  // The player jumps to a typed time.
  await type(page, '#player-time', '13');
  await waitForCount(page, 't = 13 s');
  await type(page, '#player-time', 'noon');
  await waitText(page, '#player-wrong', 'Expected a time');
  assert.equal(await page.$eval('#player-time', el => el.value), 'noon', 'invalid text stays');
  await waitForCount(page, 't = 13 s');
  await click(page, '#player-first');
  await waitForCount(page, 'event 0 of');

  // A waiting job without a plan has an expected start.
  await selectOption(page, '#player-policy', '1: EASY');
  await type(page, '#player-time', '8');
  await waitForCount(page, 't = 8 s');
  await waitText(page, '#player-waiting', '8 expected 18');
  await waitText(page, '#player-expected', 'Expected starts, if');
  await selectOption(page, '#player-policy', '2: Conservative');
  await page.waitForFunction(() => document.getElementById('player-expected').textContent === '');
  await click(page, '#player-first');
  await waitForCount(page, 'event 0 of');

  // The player can play faster, and it stops at the end.
  await selectOption(page, '#player-stops', 'Starts');
  await selectOption(page, '#player-speed', '10 stops per second');
  await click(page, '#player-play');
  await waitText(page, '#player-play', 'Pause');
  await waitText(page, '#player-play', 'Play', 20_000);
  await waitText(page, '#player-text', 'Job 12 starts.');
  assertNoConsoleErrors(page);
});

test('by keyboard alone: to a backfilled start and back, with the reasons', async () => {
  const page = await openPage();
  await page.focus('#delete');
  await tabTo(page, '#step-through');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'player-next');
  await waitForCount(page, 'event 0 of 44');
  await tabTo(page, '#player-stops');
  await page.keyboard.type('Back');
  await waitText(page, '#player-stops', 'Backfilled starts');
  await page.waitForFunction(() => document.getElementById('player-stops').value === 'Backfilled starts');
  await tabTo(page, '#player-next', { back: true });
  await page.keyboard.press('Enter');
  await assertEvent(page, first);
  await page.keyboard.press(']');
  await assertEvent(page, second);
  await page.keyboard.press('[');
  await assertEvent(page, first);

  await tabTo(page, '#player-time');
  await page.keyboard.type('7');
  await waitForCount(page, 't = 7 s');
  await tabTo(page, '#player-slider');
  const at = Number(await page.$eval('#player-slider', el => el.value));
  await page.keyboard.press('ArrowRight');
  await waitForCount(page, `event ${at + 1} of`);
  await page.keyboard.press('End');
  await waitForCount(page, 'event 44 of 44');
  await page.keyboard.press('Home');
  await waitForCount(page, 'event 0 of 44');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'player-slider', 'the focus stays on the slider');
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
  await assertEvent(page, first);
  await tabTo(page, '#player-instead button');
  await page.keyboard.press('Enter');
  await waitText(page, '#why-title', 'Job 2 at t = 1');
  assertNoConsoleErrors(page);
});

test('no axe violations, light and dark; the player fits a phone', async () => {
  const page = await openPage();
  await click(page, '#step-through');
  await selectOption(page, '#player-stops', 'Backfilled starts');
  await click(page, '#player-next');
  await assertEvent(page, first);
  await assertAccessible(page, 'player', '#player');
  await page.setViewport({ width: 390, height: 900 });
  await waitForFrames(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assertNoConsoleErrors(page);
});
