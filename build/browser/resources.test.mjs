// Tests extra resources of the machine, and moldable jobs.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { click, command, downloads, drawnJobs, nativeJobs, assertAccessible, firstExample, waitForCharts, headings, jobsOf, openFile, waitForStableAddress, type, undo, valueOf, paste } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// withResources returns the first example on a machine with more memory and licences than its jobs need.
function withResources() {
  const s = firstExample();
  s.machine.resources = [{ name: 'memory', capacity: 64 }, { name: 'licences', capacity: 9 }];
  jobsOf(s)[0].resources = { memory: 12 };
  jobsOf(s)[2].resources = { memory: 6, licences: 2 };
  return s;
}

async function assertSchedules(page, scenario, policies = ['easy', 'conservative']) {
  await waitForCharts(page);
  for (const [i, name] of policies.entries()) {
    assert.deepEqual(await drawnJobs(page, i), nativeJobs(backfill, scenario, name), `${name}, as drawn`);
  }
}

async function pasteAt(page, selector, text) {
  await page.focus(selector);
  await paste(page, text);
}

test('a resource is added, named, assigned to jobs and removed; undo restores it', async () => {
  const page = await lab.shared();
  await click(page, '#tab-machine');
  await click(page, '#add-resource');
  await page.waitForFunction(() => document.activeElement?.id === 'resource-0-name');
  await page.keyboard.type('memory'); // replaces the initial name
  await type(page, '#resource-0-capacity', '16');
  await click(page, '#tab-jobs');
  assert.deepEqual(await headings(page), ['job', 'submit', 'procs', 'estimate', 'runtime', 'memory']);
  await type(page, '#cell-0-11', '12');
  await type(page, '#cell-3-11', '17');
  await waitText(page, '#problems', "Row 4, memory: expected 0 to 16 (capacity of the machine), got 17");
  assert.equal(await page.$eval('#cell-3-11', el => el.getAttribute('aria-invalid')), 'true');
  await type(page, '#cell-3-11', '');
  await waitText(page, '#problems', 'Row 4, memory: expected a whole number, got ""');
  await undo(page);
  assert.equal(await valueOf(page, '#cell-3-11'), '0');
  await waitForCharts(page);
  await click(page, '#tab-machine');
  await type(page, '#resource-0-capacity', '11');
  await waitText(page, '#problems', "Row 1, memory: expected 0 to 11 (capacity of the machine), got 12");
  await click(page, '#resource-0-drop');
  await page.waitForFunction(() => document.activeElement?.id === 'add-resource');
  await assertSchedules(page, firstExample());
  for (let i = 0; i < 2; i++) await undo(page);
  assert.equal(await valueOf(page, '#resource-0-capacity'), '16');
  await click(page, '#tab-jobs');
  assert.equal(await valueOf(page, '#cell-0-11'), '12', 'undo restores the amounts');
  const s = firstExample();
  s.machine.resources = [{ name: 'memory', capacity: 16 }];
  jobsOf(s)[0].resources = { memory: 12 };
  await assertSchedules(page, s);
  assertNoConsoleErrors(page);
});

test('jobs wait for a scarce resource', async () => {
  const page = await lab.shared(withResources());
  const before = await drawnJobs(page, 0);
  await click(page, '#tab-machine');
  await type(page, '#resource-0-capacity', '12');
  const s = withResources();
  s.machine.resources[0].capacity = 12;
  await assertSchedules(page, s);
  assert.ok((await drawnJobs(page, 0))[2].start > before[2].start, 'job 3 waits for the memory of job 1');
  assert.match(await textOf(page, '#summary-0'), /, memory in use [\d.]+ %, licences in use [\d.]+ %\./);
  await click(page, '#more');
  await waitText(page, '#measures', 'Utilization of memory');
  assertNoConsoleErrors(page);
});

test('errors of a resource are shown at its field', async () => {
  const page = await lab.shared(withResources());
  await click(page, '#tab-machine');
  await type(page, '#resource-1-name', 'memory');
  await waitText(page, '#resource-1-problem', 'resource 2: expected a unique name, got "memory" twice');
  assert.equal(await page.$eval('#resource-1-name', el => el.getAttribute('aria-invalid')), 'true');
  await type(page, '#resource-1-name', '');
  await waitText(page, '#resource-1-problem', 'resource 2: expected a name, got nothing');
  await type(page, '#resource-1-name', 'tokens');
  await type(page, '#resource-1-capacity', '0');
  await waitText(page, '#resource-1-problem', 'capacity of tokens: expected 1 to 10^18, got 0');
  await type(page, '#resource-1-capacity', '2');
  const s = withResources();
  s.machine.resources[1] = { name: 'tokens', capacity: 2 };
  jobsOf(s)[2].resources = { memory: 6, tokens: 2 };
  await assertSchedules(page, s);
  await click(page, '#tab-jobs');
  assert.deepEqual((await headings(page)).slice(5), ['memory', 'tokens']);
  assert.equal(await valueOf(page, '#cell-2-12'), '2', 'a renamed resource keeps its amounts');
  assertNoConsoleErrors(page);
});

test('amounts and curves are pasted and reached by keys; files and links contain them', async () => {
  const page = await lab.shared(withResources());
  const files = await downloads(page);
  await pasteAt(page, '#cell-10-11', '5\t1\n6\t2\n');
  assert.equal(await valueOf(page, '#cell-11-12'), '2');
  await pasteAt(page, '#cell-0-0', 'id\tL\tA\tsigma\tres:licences\n1\t40\t4\t0\t3\n');
  assert.deepEqual((await headings(page)).slice(5), ['L', 'A', 'sigma', 'memory', 'licences'], 'the first moldable job shows the columns');
  assert.equal(await valueOf(page, '#cell-0-4'), '10', '40 s on 4 processors');
  assert.ok(await page.$eval('#cell-0-4', el => el.readOnly && el.title.includes('follows from its speedup curve')));
  await page.focus('#cell-0-7');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'cell-1-7');
  const s = withResources();
  Object.assign(jobsOf(s)[0], { estimate: 10, runtime: 10, L: 40, A: 4, sigma: 0, resources: { memory: 12, licences: 3 } });
  jobsOf(s)[10].resources = { memory: 5, licences: 1 };
  jobsOf(s)[11].resources = { memory: 6, licences: 2 };
  await assertSchedules(page, s);
  await click(page, '#export');
  await click(page, '#save');
  const saved = JSON.parse((await files.next()).data);
  assert.deepEqual(saved.machine, s.machine);
  assert.deepEqual(jobsOf(saved), jobsOf(s));
  await click(page, '#export');
  await click(page, '#save-table');
  const table = await files.next();
  assert.equal(table.name, 'workload.csv');
  assert.equal(table.data.toString().split('\n')[0], 'id,submit,procs,estimate,runtime,L,A,sigma,res:memory,res:licences');
  const path = join(lab.folder, 'table.csv');
  writeFileSync(path, table.data);
  await openFile(page, path);
  await waitText(page, '#notice', 'table.csv: 12 jobs');
  await assertSchedules(page, s);
  assert.equal(await valueOf(page, '#cell-0-11'), '12', 'amounts match the resources of the current machine');
  await click(page, '#undo');
  await waitForCharts(page);
  await type(page, '#cell-1-6', '2.5');
  await type(page, '#cell-4-11', '99');
  await click(page, '#tab-machine');
  await type(page, '#resource-1-name', '');
  await type(page, '#resource-1-capacity', '4 of');
  await waitForStableAddress(page);
  await page.reload();
  await page.waitForSelector('#resource-1-capacity');
  assert.equal(await valueOf(page, '#resource-1-capacity'), '4 of');
  assert.equal(await valueOf(page, '#resource-1-name'), '');
  await click(page, '#tab-jobs');
  assert.equal(await valueOf(page, '#cell-1-6'), '2.5', 'an incomplete curve is restored');
  assert.equal(await valueOf(page, '#cell-4-11'), '99');
  assert.equal(await valueOf(page, '#cell-0-5'), '40');
  assert.equal(await valueOf(page, '#cell-11-12'), '2');
  files.stop();
  assertNoConsoleErrors(page);
});

test('an incomplete curve says what is missing, key by key', async () => {
  const page = await lab.page();
  await click(page, '#moldable');
  await click(page, '#curves');
  await click(page, '#cell-0-6');
  await page.keyboard.type('2.05');
  assert.equal(await valueOf(page, '#cell-0-6'), '2.05');
  await waitText(page, '#problems', 'Row 1, L: expected the sequential runtime in seconds, because the job is moldable, got nothing');
  await type(page, '#cell-0-5', '5');
  await click(page, '#cell-0-7');
  await page.keyboard.type('0.50');
  assert.equal(await valueOf(page, '#cell-0-7'), '0.50');
  await waitForCharts(page);
  assert.equal(await page.$eval('#curves', el => el.disabled), true, 'a moldable job keeps its columns visible');
  for (const col of [5, 6, 7]) await type(page, `#cell-0-${col}`, '');
  assert.equal(await page.$eval('#cell-0-4', el => el.readOnly), false);
  assertNoConsoleErrors(page);
});

test('one or all rigid jobs become moldable, and undo restores them', async () => {
  const s = firstExample();
  s.policies = [{ name: 'fcfs' }, { name: 'conservative' }];
  const page = await lab.scenario(s);
  await page.focus('#cell-3-1');
  await click(page, '#moldable');
  await type(page, '#mold-A', '0.5');
  await waitText(page, '#mold', 'expected a number from 1 to 1e+09, got 0.5');
  assert.ok(await page.$eval('#mold-all', el => el.disabled));
  await type(page, '#mold-A', '8');
  await type(page, '#mold-sigma', '0');
  await waitText(page, '#mold-row', 'Make job 4 moldable');
  await click(page, '#mold-row');
  Object.assign(jobsOf(s)[3], { runtime: 10, L: 20, A: 8, sigma: 0 }); // 10 s on 2 processors
  await assertSchedules(page, s, ['fcfs', 'conservative']);
  assert.equal(await valueOf(page, '#cell-3-5'), '20');
  await click(page, '#mold-all');
  await waitText(page, '#notice', '11 jobs made moldable');
  for (const j of jobsOf(s)) Object.assign(j, { runtime: j.estimate, L: j.estimate * j.procs, A: 8, sigma: 0 });
  await assertSchedules(page, s, ['fcfs', 'conservative']);
  await click(page, '#mold-all');
  await waitText(page, '#notice', 'Nothing to convert');
  for (let i = 0; i < 2; i++) await click(page, '#undo');
  await assertSchedules(page, firstExample(), ['fcfs', 'conservative']);
  assertNoConsoleErrors(page);
});

test('the curve shows the size that a policy chose', async () => {
  const s = firstExample();
  s.policies = [{ name: 'moldable' }, { name: 'fcfs' }];
  const page = await lab.scenario(s);
  await click(page, '#moldable');
  await type(page, '#mold-A', '6');
  await click(page, '#mold-all');
  await waitForCharts(page);
  const files = await downloads(page);
  await click(page, '#export');
  await click(page, '#save');
  await assertSchedules(page, JSON.parse((await files.next()).data), ['moldable', 'fcfs']);
  const [chosen, requested] = [(await drawnJobs(page, 0))[0].lanes, jobsOf(s)[0].procs];
  assert.notEqual(chosen, requested);
  await page.focus('#cell-0-1');
  await waitText(page, '#why', `${chosen} processors for`);
  await click(page, '#unfold');
  await page.waitForSelector('#schedules table');
  const headsAndCells = await page.$$eval('#schedules thead tr:last-child th, #schedules tbody tr:nth-child(2) > *', all => all.map(x => x.textContent.replace('▲', '').trim()));
  assert.equal(headsAndCells.indexOf('processors used'), 6, 'only moldable has a column of sizes');
  assert.equal(headsAndCells.lastIndexOf('processors used'), 6);
  assert.equal(headsAndCells[headsAndCells.length / 2 + 6], String(chosen));
  assert.equal(await page.$$eval('#curve svg', all => all.map(svg => svg.querySelectorAll('circle').length).join()), '2,2', 'one mark for each policy');
  files.stop();
  assertNoConsoleErrors(page);
});

test('a table of runtimes survives edits', async () => {
  const s = firstExample();
  Object.assign(jobsOf(s)[1], { procs: 2, runtime: 5, estimate: 5, table: [9, 5, 4] });
  s.policies = [{ name: 'fcfs' }];
  const page = await lab.shared(s);
  const files = await downloads(page);
  await type(page, '#cell-1-1', '2');
  await type(page, '#cell-1-2', '3');
  assert.equal(await valueOf(page, '#cell-1-4'), '4', 'the table gives the runtime');
  Object.assign(jobsOf(s)[1], { submit: 2, procs: 3, runtime: 4 });
  await assertSchedules(page, s, ['fcfs']);
  await click(page, '#export');
  await click(page, '#save');
  assert.deepEqual(jobsOf(JSON.parse((await files.next()).data))[1], jobsOf(s)[1]);
  files.stop();
  assertNoConsoleErrors(page);
});

test('a strip under each chart shows the use of each resource', async () => {
  const page = await lab.shared(withResources());
  const strips = () => page.$$eval('[data-chart="use"]', all => all.map(h => [h.id, h.dataset.name, h.dataset.capacity, h.getAttribute('role')]));
  assert.deepEqual(await strips(), [['use-0-0', 'memory', '64', 'img'], ['use-0-1', 'licences', '9', 'img'], ['use-1-0', 'memory', '64', 'img'], ['use-1-1', 'licences', '9', 'img']]);
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart="use"]')].every(h => h.labChart?.view));
  const jobs = await drawnJobs(page, 0), amounts = [12, 0, 6]; // of memory, by the first three jobs
  const at = t => amounts.reduce((sum, a, j) => (jobs[j].start <= t && t < jobs[j].finish ? sum + a : sum), 0);
  const used = await page.evaluate(() => {
    const { pieces: p, from, to } = document.getElementById('use-0-0').labChart.view;
    return [0.5, 3.5, 6.5, 20].map(t => p[2 * Math.floor((t - from) / (to - from) * p.length / 2)]);
  });
  assert.deepEqual(used, [0.5, 3.5, 6.5, 20].map(at));
  const box = await page.$eval('#use-0-0 .lab-surface', el => ({ x: el.getBoundingClientRect().x, y: el.getBoundingClientRect().y, w: el.clientWidth }));
  const [t0, t1] = await page.evaluate(() => labChart.window());
  await page.mouse.move(box.x + (3.5 - t0) / (t1 - t0) * box.w, box.y + 8);
  await waitText(page, '#use-0-0 .lab-tip', `memory ${at(3.5)} of 64 at `);
  await page.mouse.click(box.x + (3.5 - t0) / (t1 - t0) * box.w, box.y + 8);
  assert.ok([3, 4].includes(await page.evaluate(() => Number(labChart.view().split(' ')[2]))), 'a click sets the cursor');
  await page.focus('#gantt-0');
  await page.keyboard.press(']');
  await waitText(page, '#lab-live', 'memory ');
  assert.match(await textOf(page, '#lab-live'), /Event \d+ of \d+ at \d+\. memory \d+ of 64, licences \d+ of 9$/);
  await click(page, '#unfold');
  await page.waitForSelector('#schedules table');
  assert.deepEqual((await page.$$eval('#schedules thead tr:last-child th', all => all.map(th => th.textContent.replace(/[^a-z]/g, '')))).slice(0, 5),
    ['job', 'submit', 'procs', 'memory', 'licences'], 'the table of the schedules has the amounts');
  await click(page, '#tab-machine');
  for (const k of [1, 0]) await click(page, `#resource-${k}-drop`);
  await waitForCharts(page);
  assert.deepEqual(await strips(), []);
  await assertSchedules(page, firstExample());
  assertNoConsoleErrors(page);
});

test('the reasons for a job show its amounts, and the curve of a moldable job', async () => {
  const s = withResources();
  s.policies = [{ name: 'fcfs' }, { name: 'easy' }];
  Object.assign(jobsOf(s)[2], { procs: 3, runtime: 4, estimate: 4, L: 12, A: 3, sigma: 0 });
  const page = await lab.shared(s);
  await page.focus('#cell-0-1');
  await waitText(page, '#why', '12 of 64');
  assert.equal(await page.$('#curve'), null, 'a rigid job has no curve');
  await page.focus('#cell-2-1');
  await waitText(page, '#why', 'runtime on one processor (L) 12 s, average parallelism (A) 3, variation of the parallelism (sigma) 0');
  await waitText(page, '#why', '3 processors for 4 s (FCFS, EASY)');
  const curves = await page.$$eval('#curve [role="img"]', all => all.map(el => [el.getAttribute('aria-label'), el.querySelector('svg .line')?.namespaceURI, el.querySelectorAll('circle').length]));
  assert.deepEqual(curves, [
    ['Runtime from 12 s on 1 processor to 4 s on 5 processors. The job runs on 3 processors for 4 s (FCFS, EASY).', 'http://www.w3.org/2000/svg', 1],
    ['The second processor saves 6 s. On 5 processors, one more would save 0 s.', 'http://www.w3.org/2000/svg', 1],
  ]);
  await click(page, '#curve-values');
  const rows = await page.$$eval('#curve tbody tr', all => all.map(tr => [...tr.children].map(x => x.textContent.trim())));
  assert.deepEqual(rows.slice(0, 3), [['1', '12', '1', '6'], ['2', '6', '2', '2'], ['3 chosen, requested', '4', '3', '0']]);
  await page.focus('#gantt-0');
  await page.keyboard.press(']');
  await waitForFrames(page);
  assert.ok(await page.$('#curve table'), 'an expanded table stays so when the cursor moves');
  assertNoConsoleErrors(page);
});

test('no axe violations, light and dark', async () => {
  const s = withResources();
  Object.assign(jobsOf(s)[1], { L: 12, A: 2, sigma: 0, runtime: 6, estimate: 6, procs: 2 });
  const page = await lab.scenario(s);
  await click(page, '#moldable');
  await page.focus('#cell-1-1');
  await waitText(page, '#why', 'parallelism (sigma) 0');
  await click(page, '#curve-values');
  await assertAccessible(page, 'jobs');
  await click(page, '#tab-machine');
  await assertAccessible(page, 'machine');
  await type(page, '#resource-1-capacity', '0');
  await waitText(page, '#resource-1-problem', 'got 0');
  await assertAccessible(page, 'an error of the machine', '#edit'); // outdated metrics outside #edit are dimmed
});

