// What a person does to all jobs at once.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { serve, launch, open, quiet, waitText, textOf, frames } from './lab.mjs';
import { command, click, fresh, drawnJobs, first, jobsOf, type, downloads } from './page.mjs';

let site, chrome, backfill;
before(async () => {
  backfill = command();
  site = await serve();
  chrome = await launch();
});
after(async () => {
  await chrome?.stop();
  site?.stop();
});

async function workload(operation, size) {
  const page = await open(chrome.browser, site.url, size);
  await fresh(page);
  await click(page, '#tab-workload');
  if (operation) await click(page, `#op-${operation}`);
  return page;
}

// done presses the button of an operation and waits for what comes of it.
async function done(page, operation, says) {
  await click(page, `#op-${operation}-do`);
  await waitText(page, '#notice', says);
  await fresh(page);
}

// cells is the jobs as the table has them.
async function cells(page) {
  await click(page, '#tab-jobs');
  const all = await page.$$eval('#grid tbody tr:not(.space)', rows => rows.map(r => [...r.querySelectorAll('input')].map(i => i.value).join(' ')));
  await click(page, '#tab-workload');
  return all;
}

// same asserts that the picture is what the command makes of the example as it
// came, with flags.
async function same(page, ...flags) {
  await fresh(page);
  const csv = backfill(['run', '-in', '-', '-format', 'json', '-policy', 'easy', ...flags, '-jobs', '-', '-quiet'], JSON.stringify(first())).toString();
  const want = csv.trim().split('\n').slice(1).map(l => l.split(',')).map(([, , start, finish, procs]) => ({ start: +start, finish: +finish, lanes: +procs }));
  assert.deepEqual(await drawnJobs(page, 0), want);
}

test('a cut keeps the jobs of a window, as the command does, and undo brings the others back', async () => {
  const page = await workload('cut');
  await type(page, '#op-cut-from', '3');
  await type(page, '#op-cut-to', '11');
  await waitText(page, '#op-cut-says', '6 of 12 jobs stay');
  await done(page, 'cut', '6 of 12 jobs have stayed');
  await same(page, '-window', '3:11');
  assert.deepEqual((await cells(page)).map(c => c.split(' ')[0]), ['4', '5', '6', '7', '8', '9']);
  await click(page, '#undo');
  await same(page);
  await click(page, '#redo');
  await same(page, '-window', '3:11');
  quiet(page);
  await page.close();
});

test('a cut can begin at 0', async () => {
  const page = await workload('cut');
  await type(page, '#op-cut-from', '3');
  await click(page, '#op-cut-shift');
  await done(page, 'cut', '9 of 12 jobs have stayed');
  assert.equal((await cells(page))[0], '4 0 2 10 7');
  await same(page, '-window', '3:', '-shift');
  quiet(page);
  await page.close();
});

test('the load is scaled as the command scales it, by Enter in the field as well', async () => {
  const page = await workload('scale');
  await type(page, '#op-scale-factor', '1.5');
  await waitText(page, '#op-scale-says', '12 of 12 jobs stay; the load they offer is');
  await page.keyboard.press('Enter');
  await waitText(page, '#notice', 'Done to all 12 jobs');
  await same(page, '-load-factor', '1.5');
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await same(page);
  quiet(page);
  await page.close();
});

test('a field says what is wrong with it, and nothing is done', async () => {
  const page = await workload('cut');
  await type(page, '#op-cut-from', '-1');
  await waitText(page, '.op-form', 'expected a whole number from 0 to 10^12, got "-1"');
  await type(page, '#op-cut-from', '9');
  await type(page, '#op-cut-to', '5');
  await waitText(page, '.op-form', 'expected a moment after 9, got "5"');
  await click(page, '#op-cut-do');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'op-cut-to');
  await type(page, '#op-cut-from', '500');
  await type(page, '#op-cut-to', '600');
  await waitText(page, '.op-form', 'got none that stays');
  await click(page, '#op-scale');
  await click(page, '#op-scale-do');
  await waitText(page, '.op-form', 'expected a number, got nothing');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'op-scale-factor');
  for (const bad of ['0', '-2', 'x', 'NaN', '1e10']) {
    await type(page, '#op-scale-factor', bad);
    await waitText(page, '.op-form', `expected a number above 0 and at most 10^9, got "${bad}"`);
  }
  await click(page, '#op-scale-do');
  assert.equal(await page.$('#notice'), null);
  await same(page);
  assert.equal(await page.$eval('#undo', b => b.disabled), true);
  quiet(page);
  await page.close();
});

test('jobs are filtered and the first ones kept', async () => {
  const page = await workload('filter');
  await type(page, '#op-filter-procs', '2:5');
  await type(page, '#op-filter-runtime', ':9');
  await waitText(page, '#op-filter-says', '8 of 12 jobs stay');
  await done(page, 'filter', '8 of 12 jobs have stayed');
  await same(page, '-keep', 'procs=2:5', '-keep', 'runtime=:9');
  await click(page, '#op-first');
  await type(page, '#op-first-n', '3');
  await done(page, 'first', '3 of 8 jobs have stayed');
  await same(page, '-keep', 'procs=2:5', '-keep', 'runtime=:9', '-limit', '3');
  await click(page, '#undo');
  await click(page, '#undo');
  await same(page);
  quiet(page);
  await page.close();
});

test('what is half-typed stays half-typed', async () => {
  const page = await workload();
  await click(page, '#tab-jobs');
  await type(page, '#cell-5-4', '1x');
  await click(page, '#tab-workload');
  await click(page, '#op-cut');
  await type(page, '#op-cut-from', '4');
  await click(page, '#op-cut-do');
  await waitText(page, '#notice', '8 of 12 jobs have stayed');
  assert.equal((await cells(page))[1], '6 5 1 16 1x');
  await waitText(page, '#problems', 'Row 2, runtime');
  quiet(page);
  await page.close();
});
