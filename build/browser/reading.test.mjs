// Tests the parts of the page with which a person reads schedules: the table of schedules, the search, the
// cursor and the legend.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, assertNoConsoleErrors, waitText, textOf } from './lab.mjs';
import { click, assertAccessible, waitForCharts, openFile, type } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

const activeId = page => page.evaluate(() => document.activeElement.id);
const rowTexts = page => page.$$eval('#schedules tbody tr:not(.space)', all => all.map(r => [...r.children].map(c => c.textContent.trim())));

test('the table of schedules shows each job, can be sorted, and selects jobs, by mouse and keyboard', async () => {
  const page = await lab.page();
  await click(page, '#unfold');
  await page.waitForSelector('#line-0-0');
  assert.deepEqual((await rowTexts(page))[3], ['4', '3', '2', '7', '14', '4', '5-6', '5', '12', '2', '7', '0-1', '−2'], 'job 4 has no promise under EASY');
  await click(page, '#sort-8');
  const column = async k => (await rowTexts(page)).map(r => Number(r[k]));
  let ends = await column(8);
  assert.deepEqual(ends, [...ends].sort((a, b) => a - b));
  await click(page, '#sort-8');
  ends = await column(8);
  assert.deepEqual(ends, [...ends].sort((a, b) => b - a));
  assert.equal(await page.$eval('#schedules thead tr:last-child th:nth-child(9)', el => el.getAttribute('aria-sort')), 'descending');
  await page.focus('#line-0-0');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement.id === 'line-1-0');
  const second = (await rowTexts(page))[1][0];
  await page.keyboard.press('Enter');
  await waitText(page, '#why-title', `Job ${second} at`);
  assert.equal(await page.$eval('#schedules tr[aria-current="true"] th', el => el.textContent.trim()), second);
  await waitText(page, '#lab-live', `Job ${second}. EASY: `);
  await type(page, '#cell-3-2', '7');
  await page.waitForFunction(() => [...document.querySelectorAll('#schedules tbody tr')].some(
    r => r.children[0].textContent.trim() === '4' && r.children[2].textContent === '7'));
  await click(page, '#unfold');
  assert.equal(await page.$('#schedules table'), null);
  assertNoConsoleErrors(page);
});

test('300,000 jobs: the table of jobs scrolls by mouse and by keys, and the table of schedules sorts', async () => {
  const page = await lab.page();
  const lines = ['id,submit,procs,estimate,runtime'];
  for (let i = 0; i < 300_000; i++) lines.push(`j${i},${i * 10},1,9,${1 + i % 9}`);
  writeFileSync(join(lab.folder, 'rows.csv'), lines.join('\n'));
  await openFile(page, join(lab.folder, 'rows.csv'));
  await waitText(page, '#notice', '300,000 jobs', 60_000);
  await page.$eval('#grid', el => { el.scrollTop = 200_000 * 28; });
  await page.waitForSelector('#cell-200003-0');
  assert.equal(await page.$eval('#cell-200003-0', el => el.value), 'j200003');
  assert.ok((await page.$$('#grid tbody tr')).length < 150, 'only the visible rows of jobs are rendered');
  await page.focus('#cell-200003-1');
  for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.id === 'cell-200043-1');
  await waitForCharts(page, 120_000);
  await click(page, '#unfold');
  await page.waitForSelector('#line-0-0', { timeout: 30_000 });
  await page.$eval('#schedules', el => { el.scrollTop = 200_000 * 28; });
  await page.waitForSelector('#line-200003-0');
  assert.equal(await textOf(page, '#line-200003-0'), 'j200003');
  assert.ok((await page.$$('#schedules tbody tr')).length < 150, 'only the visible rows of the schedules are rendered');
  await click(page, '#sort-0');
  await page.waitForFunction(() => document.querySelector('#line-200003-0')?.textContent === 'j99996');
  await page.type('#find', 'j123456');
  await waitText(page, '#why-title', 'Job j123456');
  await page.waitForFunction(() => {
    const [a, b] = labChart.window();
    return a <= 1234560 && b >= 1234560;
  });
  assertNoConsoleErrors(page);
});

test('the search works: slash, next and previous match, no match, Escape', async () => {
  const page = await lab.page();
  await page.evaluate(() => { labChart.setWindow(0, 4); });
  await page.focus('#gantt-1');
  await page.keyboard.press('/');
  assert.equal(await activeId(page), 'find');
  await page.keyboard.type('1');
  await waitText(page, '#why-title', 'Job 1 at');
  assert.equal(await textOf(page, '#found'), '1 of 4');
  await page.keyboard.press('Enter');
  await waitText(page, '#why-title', 'Job 10 at');
  await page.waitForFunction(() => {
    const [a, b] = labChart.window();
    return a <= 14 && b > 14;
  });
  await page.keyboard.down('Shift');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Shift');
  await waitText(page, '#why-title', 'Job 12 at');
  assert.equal(await textOf(page, '#found'), '4 of 4');
  await page.keyboard.type('x');
  await waitText(page, '#found', 'no such job');
  await page.keyboard.press('Escape');
  assert.equal(await activeId(page), 'gantt-0');
  assertNoConsoleErrors(page);
});

test('a click next to jobs sets the cursor, the reasons follow it, and Escape clears it', async () => {
  const page = await lab.page();
  await page.focus('#cell-3-1');
  await waitText(page, '#why-title', 'Job 4 at');
  const surface = await (await page.$('#gantt-0 .lab-surface')).boundingBox();
  await page.mouse.click(surface.x + surface.width - 8, surface.y + 8); // no job runs there
  await page.waitForFunction(() => document.querySelector('#why-title').textContent.match(/Job 4 at t = (49|50)$/));
  await page.focus('#gantt-1');
  await page.keyboard.press('[');
  await waitText(page, '#why-title', 'Job 4 at t = 48');
  await waitText(page, '#lab-live', 'at 48');
  await page.keyboard.press(' ');
  assert.equal(await activeId(page), 'gantt-1');
  await page.keyboard.press('Escape');
  await waitText(page, '#why', 'Select a job');
  assert.match(await page.evaluate(() => labChart.view()), / -1$/, 'no cursor');
  assert.match(await textOf(page, '.legend'), /backfilled/);
  assertNoConsoleErrors(page);
});

test('no axe violations with table, search and link open', async () => {
  const page = await lab.page({ width: 390, height: 900 });
  await page.focus('#find');
  await page.keyboard.type('4');
  await waitText(page, '#found', '1 of 1');
  await click(page, '#unfold');
  await page.waitForSelector('#line-0-0');
  await page.$eval('#schedules', el => el.scrollIntoView());
  await click(page, '#share');
  await waitText(page, '#shared', 'characters');
  for (const [width, themes] of [[390], [1024, ['light']], [1440, ['light']]]) {
    await page.setViewport({ width, height: 900 });
    await waitForCharts(page);
    await assertAccessible(page, `${width} px`, undefined, themes);
  }
});
