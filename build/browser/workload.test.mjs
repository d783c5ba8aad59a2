// Tests the operations on all jobs at once, such as scaling the load.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoConsoleErrors, waitText, textOf } from './lab.mjs';
import { click, command, downloads, drawnJobs, assertAccessible, firstExample, waitForCharts, openFile, type } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// openWorkload opens the first example and the form of an operation, by default in the page that the
// tests share.
async function openWorkload(operation, opened = lab.shared()) {
  const page = await opened;
  await click(page, '#tab-workload');
  if (operation && await page.$eval(`#op-${operation}`, el => el.ariaExpanded) !== 'true') await click(page, `#op-${operation}`);
  return page;
}

// applyOperation presses the button of an operation and waits for its result.
async function applyOperation(page, operation, says) {
  await click(page, `#op-${operation}-do`);
  await waitText(page, '#notice', says);
  await waitForCharts(page);
}

// tableCells returns each row of the jobs table as one text.
async function tableCells(page) {
  await click(page, '#tab-jobs');
  const all = await page.$$eval('#grid tbody tr:not(.space)', rows => rows.map(r => [...r.querySelectorAll('input')].map(i => i.value).join(' ')));
  await click(page, '#tab-workload');
  return all;
}

// assertSchedule asserts that the chart shows the command's schedule of the original example,
// run with flags.
async function assertSchedule(page, ...flags) {
  await waitForCharts(page);
  const csv = backfill(['run', '-in', '-', '-format', 'json', '-policy', 'easy', ...flags, '-jobs', '-', '-quiet'], JSON.stringify(firstExample())).toString();
  const want = csv.trim().split('\n').slice(1).map(l => l.split(',')).map(([, , start, finish, procs]) => ({ start: +start, finish: +finish, lanes: +procs }));
  assert.deepEqual(await drawnJobs(page, 0), want);
}

// looksDifferent reports whether the chart's bottom row of pixels differs between two times.
const looksDifferent = (page, at, than) => page.evaluate((a, b) => {
  const canvas = document.querySelector('[data-result="0"] canvas'), [t0, t1] = labChart.window();
  const row = canvas.getContext('2d').getImageData(0, canvas.height - 3, canvas.width, 1).data;
  const [one, other] = [a, b].map(t => 4 * Math.round((t - t0) / (t1 - t0) * canvas.width)).map(i => row.slice(i, i + 4).join());
  return one !== other;
}, at, than);

test('the tab shows the source of the jobs and their distributions', async () => {
  const page = await openWorkload('', lab.page());
  assert.match(await textOf(page, '#origin'), /^The jobs come from “.+”, an example\.$/);
  await page.waitForSelector('.bars');
  assert.equal(await page.$$eval('#workload-facts dd', all => all.map(d => d.textContent).join('|')), '12|from 0 to 13 s|13 s|2.89');
  const labels = await page.$$eval('.bars', all => all.map(a => a.getAttribute('aria-label')));
  assert.equal(labels.length, 3);
  assert.match(labels[0], /^Processors of a job: 12 values\. Most frequent: 4 to 7 \(6\)\. Smallest: 1 \(1\)\./);
  assert.equal(await page.$$eval('.bars:first-of-type rect', all => all.every(r => r.getBoundingClientRect().width > 5)), true);
  await click(page, '#tab-jobs');
  await type(page, '#cell-0-2', '8');
  await click(page, '#tab-workload');
  assert.match(await textOf(page, '#origin'), /^The jobs came from .* and have been edited since/);
  await page.waitForFunction(() => document.querySelector('.bars').getAttribute('aria-label').includes('Largest: 8 to 15 (1)'));
  await click(page, '#tab-jobs');
  await click(page, '#clear');
  await click(page, '#add');
  await click(page, '#tab-workload');
  assert.equal(await textOf(page, '#origin'), 'The jobs were entered by hand.');
  assertNoConsoleErrors(page);
});

test('the key of the results includes the hash of the file, as in the command', async () => {
  const page = await lab.shared(), name = 'small.swf', path = join(lab.folder, name), files = await downloads(page);
  const text = ['; MaxProcs: 8', ...Array.from({ length: 4000 }, (_, i) => `${i + 1} ${10 * i} -1 ${5 + i % 9} -1 -1 ${1 + i % 8} 1 100 -1 1 1 1 1 1 -1 -1 -1`)].join('\n');
  writeFileSync(path, text);
  await openFile(page, path);
  await waitText(page, '#notice', '4,000 jobs');
  await waitForCharts(page);
  await click(page, '#export');
  await click(page, '#export-metrics');
  const [{ scenario }] = JSON.parse((await files.next()).data);
  files.stop();
  const own = join(lab.folder, 'own.json');
  writeFileSync(own, JSON.stringify({
    version: 1, title: name, machine: { nodes: 8 }, policies: [{ name: 'easy' }, { name: 'conservative' }],
    workload: { file: name, sha256: createHash('sha256').update(text).digest('hex') },
  }));
  assert.equal(scenario, JSON.parse(backfill(['run', '-in', own, '-policy', 'easy', '-metrics', '-', '-quiet'])).scenario);
  assertNoConsoleErrors(page);
});

test('a cut keeps the jobs of a window, like the command, and undo restores the removed jobs', async () => {
  const page = await openWorkload('cut');
  await type(page, '#op-cut-from', '3');
  await type(page, '#op-cut-to', '11');
  await waitText(page, '#op-cut-says', '6 of 12 jobs remain');
  await applyOperation(page, 'cut', '6 of 12 jobs remain');
  await assertSchedule(page, '-window', '3:11');
  assert.deepEqual((await tableCells(page)).map(c => c.split(' ')[0]), ['4', '5', '6', '7', '8', '9']);
  await click(page, '#undo');
  await assertSchedule(page);
  await click(page, '#redo');
  await assertSchedule(page, '-window', '3:11');
  assertNoConsoleErrors(page);
});

test('a cut counts from the first submission and says what it keeps; its button does not move', async () => {
  const day = 86400, jobs = [10, 11, 12, 13].map((d, i) => ({ id: `${i + 1}`, submit: d * day, procs: 1, estimate: 9, runtime: 9 }));
  const page = await openWorkload('cut', lab.shared({ version: 1, machine: { nodes: 4 }, workload: { jobs }, policies: [{ name: 'easy' }] }));
  await page.$eval('#op-cut-do', el => el.scrollIntoView({ block: 'center' }));
  const place = () => page.$eval('#op-cut-do', el => { const { x, y } = el.getBoundingClientRect(); return [x, y]; });
  const before = await place();
  await type(page, '#op-cut-to', '2d');
  await waitText(page, '#op-cut-says', '2 of 4 jobs remain');
  await waitText(page, '#op-cut-says', 'Keeps the jobs submitted from 10 d 0:00 until just before 12 d 0:00.');
  await waitText(page, '.op-form', `Flags of the command backfill for the same operation: -window 0:${12 * day}.`);
  assert.deepEqual(await place(), before, 'the preview does not move the button');
  await applyOperation(page, 'cut', '2 of 4 jobs remain');
  assert.deepEqual(await place(), before, 'a second click hits the same button');
  assert.deepEqual((await tableCells(page)).map(c => c.split(' ')[0]), ['1', '2']);
  assertNoConsoleErrors(page);
});

test('a cut can shift times to begin at 0', async () => {
  const page = await openWorkload('cut');
  await type(page, '#op-cut-from', '3');
  await click(page, '#op-cut-shift');
  await applyOperation(page, 'cut', '9 of 12 jobs remain');
  assert.equal((await tableCells(page))[0], '4 0 2 10 7');
  await assertSchedule(page, '-window', '3:', '-shift');
  assertNoConsoleErrors(page);
});

test('scaling the load equals the command\'s, also by Enter in the field', async () => {
  const page = await openWorkload('scale');
  await type(page, '#op-scale-factor', '1.5');
  await waitText(page, '#op-scale-says', '12 of 12 jobs remain; offered load');
  await page.keyboard.press('Enter');
  await waitText(page, '#notice', 'Applied to all 12 jobs');
  await assertSchedule(page, '-load-factor', '1.5');
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await assertSchedule(page);
  assertNoConsoleErrors(page);
});

test('an invalid field shows an error, and nothing is changed', async () => {
  const page = await openWorkload('cut', lab.page());
  await type(page, '#op-cut-from', '-1');
  await waitText(page, '.op-form', 'expected a time after the first submission, such as 90, 1h or 2d, or a date, got "-1"');
  await type(page, '#op-cut-from', '9');
  await type(page, '#op-cut-to', '5');
  await waitText(page, '.op-form', 'expected a time after “From” (9 s), got 5 s');
  await click(page, '#op-cut-do');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'op-cut-to');
  await type(page, '#op-cut-from', '500');
  await type(page, '#op-cut-to', '600');
  await waitText(page, '.op-form', 'no job would remain');
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
  await assertSchedule(page);
  assert.equal(await page.$eval('#undo', b => b.disabled), true);
  assertNoConsoleErrors(page);
});

test('jobs are filtered, and a limit keeps the first ones', async () => {
  const page = await openWorkload('filter');
  await type(page, '#op-filter-procs', '2:5');
  await type(page, '#op-filter-runtime', ':9');
  await waitText(page, '#op-filter-says', '8 of 12 jobs remain');
  await applyOperation(page, 'filter', '8 of 12 jobs remain');
  await assertSchedule(page, '-keep', 'procs=2:5', '-keep', 'runtime=:9');
  await click(page, '#op-first');
  await type(page, '#op-first-n', '3');
  await applyOperation(page, 'first', '3 of 8 jobs remain');
  await assertSchedule(page, '-keep', 'procs=2:5', '-keep', 'runtime=:9', '-limit', '3');
  await click(page, '#undo');
  await click(page, '#undo');
  await assertSchedule(page);
  assertNoConsoleErrors(page);
});

test('users and classes are filters only if jobs have them', async () => {
  const page = await openWorkload('filter');
  assert.equal(await page.$('#op-filter-user'), null);
  const path = join(lab.folder, 'users.csv');
  writeFileSync(path, 'id,submit,procs,estimate,runtime,user\na,0,1,5,5,ann\nb,1,1,5,5,bob\nc,2,1,5,5,eve\nd,3,1,5,5,ann\n');
  await openFile(page, path);
  await waitText(page, '#notice', 'users.csv: 4 jobs.');
  await waitForCharts(page);
  assert.equal(await textOf(page, '#origin'), 'The jobs come from the file users.csv.');
  await type(page, '#op-filter-user', 'ann,bob');
  assert.equal(await page.$('#op-filter-class'), null);
  await applyOperation(page, 'filter', '3 of 4 jobs remain');
  assert.deepEqual((await tableCells(page)).map(c => c[0]), ['a', 'b', 'd']);
  assert.equal(await textOf(page, '#origin'), 'The jobs came from the file users.csv and have been edited since.');
  assert.equal(await page.$eval('#op-filter-user', f => f.value), '', 'the field is empty, so that a second press does nothing');
  assertNoConsoleErrors(page);
});

test('incomplete text stays', async () => {
  const page = await openWorkload();
  await click(page, '#tab-jobs');
  await type(page, '#cell-5-4', '1x');
  await click(page, '#tab-workload');
  await click(page, '#op-cut');
  await type(page, '#op-cut-from', '4');
  await click(page, '#op-cut-do');
  await waitText(page, '#notice', '8 of 12 jobs remain');
  assert.equal((await tableCells(page))[1], '6 5 1 16 1x');
  await waitText(page, '#problems', 'Row 2, runtime');
  assertNoConsoleErrors(page);
});

test('the metrics ignore warm-up and cool-down, charts shade them, and links and files contain them', async () => {
  const page = await openWorkload('trim');
  await type(page, '#op-trim-warmup', '60');
  await type(page, '#op-trim-cooldown', '40');
  await waitText(page, '.op-form', 'expected less than 40, because warm-up (60) and cool-down together must be below 100, got "40"');
  await type(page, '#op-trim-warmup', '25');
  await type(page, '#op-trim-cooldown', '10');
  await click(page, '#op-trim-do');
  const says = 'Excluded from the metrics: the first 25 % and the last 10 % of the jobs.';
  await waitText(page, '#left-out', says);
  await waitForCharts(page);
  assert.ok((await textOf(page, '#summary-0')).includes(says));
  assert.ok(await looksDifferent(page, 2, 4), 'the submissions left out are shaded');
  await click(page, '#unfold');
  await waitText(page, '#schedules', says);
  await waitText(page, '.legend', 'jobs submitted here do not count');

  const files = await downloads(page);
  await click(page, '#export');
  await click(page, '#save');
  const saved = (await files.next()).data;
  assert.deepEqual(JSON.parse(saved).rules, { warmup: 25, cooldown: 10 });
  await click(page, '#export');
  await click(page, '#export-metrics');
  const metrics = (await files.next()).data.toString();
  const one = policy => backfill(['run', '-in', '-', '-format', 'json', '-policy', policy, '-metrics', '-', '-quiet'], saved).toString();
  assert.equal(metrics, `[\n${one('easy')},\n${one('conservative')}]\n`);
  assert.equal(JSON.parse(one('easy')).metrics.jobs, 8);
  const flagged = backfill(['run', '-in', '-', '-format', 'json', '-policy', 'easy', '-warmup', '25', '-cooldown', '10', '-metrics', '-', '-quiet'], JSON.stringify(firstExample())).toString();
  assert.equal(flagged, one('easy'), 'flags have the same effect as the scenario');
  files.stop();

  await new Promise(r => setTimeout(r, 700)); // until the link is updated
  await page.reload();
  await waitForCharts(page);
  await waitText(page, '#left-out', says);
  await click(page, '#op-trim');
  assert.equal(await page.$eval('#op-trim-warmup', f => f.value), '25');
  await type(page, '#op-trim-warmup', '0');
  await type(page, '#op-trim-cooldown', '0');
  await click(page, '#op-trim-do');
  await page.waitForFunction(() => document.querySelector('#left-out').textContent === '');
  await click(page, '#undo');
  await waitText(page, '#left-out', says);
  assertNoConsoleErrors(page);
});

test('no axe violations in any of the forms, light and dark', async () => {
  const page = await openWorkload();
  for (const operation of ['cut', 'scale', 'filter', 'first', 'trim']) {
    await click(page, `#op-${operation}`);
    await assertAccessible(page, operation, '#edit');
  }
});
