// The player: from stop to stop, by the slider and by a moment, and why no other job
// was started; once by pointer and once by keyboard alone.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { quiet, waitText, textOf, frames } from './lab.mjs';
import { choose, click, faultless, reach, type } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

const opened = async () => {
  const page = await lab.page();
  return page;
};
const count = async (page, words) => waitText(page, '#player-count', words);
const instead = page => page.$$eval('#player-instead li', all => all.map(li => li.textContent.trim()).filter(t => t));

// The first example under EASY: its backfilled starts, with what was free.
const first = { event: 'event 6 of 44, t = 1 s', text: 'Job 3 starts. It was backfilled: 3 processors were free, and it was estimated to end by 10, the estimated start of job 2, first in the queue.', instead: ['Job 2 needs 5 processors and 3 were free.'] };
const second = { event: 'event 17 of 44, t = 7 s', text: 'Job 6 starts. It was backfilled', instead: ['Job 5 needs 2 processors and 1 was free.', 'Job 7 needs 4 processors and 1 was free.'] };

async function reads(page, wanted) {
  await count(page, wanted.event);
  await waitText(page, '#player-text', wanted.text);
  assert.deepEqual(await instead(page), wanted.instead);
}

test('by pointer: to a backfill decision and back, and why', async () => {
  const page = await opened();
  await click(page, '#step-through');
  await count(page, 'event 0 of 44');
  await choose(page, '#player-stops', 'Backfilled starts');
  await click(page, '#player-next');
  await reads(page, first);
  await click(page, '#player-next');
  await reads(page, second);
  await click(page, '#player-before');
  await reads(page, first);
  assert.equal(await textOf(page, '#player-none'), '');
  await click(page, '#player-before');
  await waitText(page, '#player-none', 'No further backfilled start.');
  await reads(page, first);

  // other stops
  await choose(page, '#player-stops', 'Starts');
  await click(page, '#player-before');
  await waitText(page, '#player-text', 'Job 1 starts.');
  await choose(page, '#player-stops', 'Every instant');
  await click(page, '#player-next');
  await count(page, 't = 1 s');
  await click(page, '#player-next');
  await count(page, 't = 3 s');
  await choose(page, '#player-stops', 'Moved planned starts');
  await click(page, '#player-next');
  await waitText(page, '#player-none', 'No further moved planned start.');
  await choose(page, '#player-policy', '2: Conservative');
  await count(page, 'of 61');
  await click(page, '#player-next');
  await waitText(page, '#player-text', 'The planned start of job');

  // the slider
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

  // a moment
  await type(page, '#player-time', '13');
  await count(page, 't = 13 s');
  await type(page, '#player-time', 'noon');
  await waitText(page, '#player-wrong', 'Expected a time');
  assert.equal(await page.$eval('#player-time', el => el.value), 'noon', 'what is typed stays');
  await count(page, 't = 13 s');
  await click(page, '#player-first');
  await count(page, 'event 0 of');

  // a waiting job without a plan has an expected start
  await choose(page, '#player-policy', '1: EASY');
  await type(page, '#player-time', '8');
  await count(page, 't = 8 s');
  await waitText(page, '#player-waiting', '8 expected 18');
  await waitText(page, '#player-expected', 'Expected starts, if');
  await choose(page, '#player-policy', '2: Conservative');
  await page.waitForFunction(() => document.getElementById('player-expected').textContent === '');
  await click(page, '#player-first');
  await count(page, 'event 0 of');

  // it plays faster if it is told to, and stops at the end
  await choose(page, '#player-stops', 'Starts');
  await choose(page, '#player-speed', '10 a second');
  await click(page, '#player-play');
  await waitText(page, '#player-play', 'Pause');
  await waitText(page, '#player-play', 'Play', 20_000);
  await waitText(page, '#player-text', 'Job 12 starts.');
  quiet(page);
});

test('by keyboard alone: to a backfill decision and back, and why', async () => {
  const page = await opened();
  await page.focus('#delete');
  await reach(page, '#step-through');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'player-next');
  await count(page, 'event 0 of 44');
  await reach(page, '#player-stops');
  await page.keyboard.type('Back');
  await waitText(page, '#player-stops', 'Backfilled starts');
  await page.waitForFunction(() => document.getElementById('player-stops').value === 'Backfilled starts');
  await reach(page, '#player-next', { back: true });
  await page.keyboard.press('Enter');
  await reads(page, first);
  await page.keyboard.press(']');
  await reads(page, second);
  await page.keyboard.press('[');
  await reads(page, first);

  await reach(page, '#player-time');
  await page.keyboard.type('7');
  await count(page, 't = 7 s');
  await reach(page, '#player-slider');
  const at = Number(await page.$eval('#player-slider', el => el.value));
  await page.keyboard.press('ArrowRight');
  await count(page, `event ${at + 1} of`);
  await page.keyboard.press('End');
  await count(page, 'event 44 of 44');
  await page.keyboard.press('Home');
  await count(page, 'event 0 of 44');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'player-slider', 'the keyboard stays there');
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
  await reads(page, first);
  await reach(page, '#player-instead button');
  await page.keyboard.press('Enter');
  await waitText(page, '#why-title', 'Job 2 at t = 1');
  quiet(page);
});

test('no fault that axe knows of, light and dark; it fits a telephone', async () => {
  const page = await opened();
  await click(page, '#step-through');
  await choose(page, '#player-stops', 'Backfilled starts');
  await click(page, '#player-next');
  await reads(page, first);
  await faultless(page, 'player', '#player');
  await page.setViewport({ width: 390, height: 900 });
  await frames(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  quiet(page);
});
