// Tests a visit by keyboard alone: from opening the page to the reason why the planned start of job 4
// moved under conservative backfilling.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText } from './lab.mjs';
import { begin } from './begin.mjs';

const lab = begin();

// assertFocusVisible returns the id and text of the focused element. It fails unless the focus
// is visible.
async function assertFocusVisible(page) {
  await page.waitForFunction(() => document.activeElement !== document.body);
  const focus = await page.evaluate(() => {
    const el = document.activeElement, ring = el.querySelector('.lab-surface') ?? el, style = getComputedStyle(ring), box = ring.getBoundingClientRect();
    return {
      id: el.id, text: el.textContent.trim(),
      seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 1 && box.height > 1
        && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  });
  assert.ok(focus.seen, `the focus on ${JSON.stringify(focus)} is invisible`);
  return focus;
}

test('by keyboard alone: from opening the page to the reason why job 4 moved earlier', async () => {
  const page = await lab.page();
  const press = async key => {
    await page.keyboard.press(key);
    return assertFocusVisible(page);
  };
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  assert.equal((await press('Tab')).text, 'Skip to charts');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'gantt-0');
  await assertFocusVisible(page);
  assert.equal((await press('Tab')).id, 'gantt-1');

  // Arrow keys move from job to job in order of time, and screen readers announce each job.
  const waitForAnnouncement = async words => waitText(page, '#lab-live', words);
  let steps = 0;
  do {
    await press('ArrowRight');
    await new Promise(r => setTimeout(r, 250)); // announcements are delayed
    assert.ok(++steps < 12);
  } while (!(await page.$eval('#lab-live', el => el.textContent)).startsWith('job 4:'));
  await page.keyboard.press('Enter');
  await waitForAnnouncement('Job 4.');
  await waitForAnnouncement('Conservative');
  await waitText(page, '#why-title', 'Job 4');

  // Tab moves past the tables of metrics to the reasons.
  let inWhy = false;
  for (steps = 0; !inWhy; steps++) {
    assert.ok(steps < 12, 'the way to the reasons is too long');
    await press('Tab');
    inWhy = await page.evaluate(() => !!document.activeElement.closest('#why'));
  }
  // The reasons begin with the policy of the chart in which the job was selected.
  const read = await page.$eval('#why article:first-of-type', el => el.textContent.replace(/\s+/g, ' '));
  assert.match(read, /planned to start at 7/i);
  assert.match(read, /job 1 ended before its estimate/i);

  // A link in a sentence selects its job.
  while (!/^job 1$/i.test((await assertFocusVisible(page)).text)) await press('Tab');
  await page.keyboard.press('Enter');
  await waitText(page, '#why-title', 'Job 1');
  await waitForAnnouncement('Job 1.');
  assert.equal((await assertFocusVisible(page)).id, 'why-title');
  assertNoConsoleErrors(page);
});
