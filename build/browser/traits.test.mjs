// Tests jobs on shared nodes: their application classes and slowdowns, slowdowns between pairs, and
// jobs that can never start.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText, waitForFrames } from './lab.mjs';
import { selectOption, click, command, downloads, assertAccessible, waitForCharts, headings, jobsOf, waitForStableAddress, type, undo, valueOf, paste } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// sharedNodes returns jobs on two nodes of four cores, where FCFS places A, B and C on the same
// nodes.
const sharedNodes = () => ({
  version: 1, title: 'Side by side', machine: { nodes: 2, processors: 2, cores: 2 },
  workload: { jobs: [
    { id: 'A', submit: 0, procs: 2, estimate: 1000, runtime: 1000, class: 'cg', slnos: 1.1 },
    { id: 'B', submit: 0, procs: 2, estimate: 300, runtime: 300 },
    { id: 'C', submit: 0, procs: 4, estimate: 500, runtime: 500 },
    { id: 'D', submit: 5, procs: 3, estimate: 500, runtime: 500 },
  ] },
  policies: [{ name: 'fcfs' }, { name: 'easy' }],
});

// assertExports compares the exported jobs with those of the command. It does not compare charts,
// which draw jobs that slow each other down in several pieces.
async function assertExports(page, scenario, policies = ['fcfs', 'easy']) {
  await waitForCharts(page);
  const files = await downloads(page);
  for (const [i, name] of policies.entries()) {
    await click(page, '#export');
    await click(page, `#export-jobs-${i}`);
    const want = backfill(['run', '-in', '-', '-format', 'json', '-policy', name, '-jobs', '-', '-quiet'], JSON.stringify(scenario));
    assert.equal((await files.next()).data.toString(), want.toString(), name);
  }
  files.stop();
}

// finishes returns the end of each job in the chart of the first policy.
async function finishes(page) {
  await waitForCharts(page);
  return page.evaluate(() => {
    const { pieces: p } = document.querySelector('[data-chart="gantt"]').labChart.view;
    const out = [];
    for (let i = 0; i < p.length; i += 6) out[p[i + 4]] = Math.max(out[p[i + 4]] ?? 0, p[i + 1]);
    return out;
  });
}

// undoOutsideField undoes an edit after moving the focus out of the field, because a focused field has its own undo.
async function undoOutsideField(page) {
  await page.evaluate(() => document.activeElement.blur());
  await undo(page);
}

test('class and slowdowns have columns if nodes can be shared', async () => {
  const page = await lab.shared(sharedNodes());
  assert.deepEqual(await headings(page), ['job', 'submit', 'procs', 'estimate', 'runtime', 'class', 'slnos', 'slcrs']);
  assert.equal(await valueOf(page, '#cell-0-8'), 'cg');
  await type(page, '#cell-1-9', '1.25');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'cell-2-9');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'cell-2-10');
  await page.keyboard.type('101');
  await waitText(page, '#problems', 'Row 3, slcrs: expected 0 to 100, got 101');
  assert.equal(await page.$eval('#cell-2-10', el => el.getAttribute('aria-invalid')), 'true');
  await type(page, '#cell-2-10', 'much');
  await waitText(page, '#problems', 'Row 3, slcrs: expected a number, got "much"');
  await type(page, '#cell-2-10', '1.5');
  const s = sharedNodes();
  jobsOf(s)[1].slnos = 1.25;
  jobsOf(s)[2].slcrs = 1.5;
  await assertExports(page, s);
  await undoOutsideField(page);
  await undoOutsideField(page);
  await waitForCharts(page);
  assert.equal(await valueOf(page, '#cell-2-10'), '');
  await click(page, '#cell-2-8');
  await paste(page, 'class\tslcrs\nlu\t1.3\nft\t\n');
  assert.deepEqual(await Promise.all(['#cell-2-8', '#cell-2-10', '#cell-3-8'].map(x => valueOf(page, x))), ['lu', '1.3', 'ft']);
  await click(page, '#tab-machine');
  await type(page, '#machine-processors', '1');
  await type(page, '#machine-cores', '1');
  await type(page, '#machine-nodes', '8');
  await click(page, '#tab-jobs');
  assert.equal((await headings(page)).length, 8, 'jobs with values keep the columns visible');
  assertNoConsoleErrors(page);
});

test('slowdowns between jobs are drawn at random or typed, and the run uses them', async () => {
  const page = await lab.shared(sharedNodes());
  await click(page, '#tab-machine');
  await selectOption(page, '#slowdown', 'drawn');
  await page.waitForSelector('#slowdown-seed');
  await type(page, '#slowdown-seed', '5');
  const s = sharedNodes();
  s.slowdown = { seed: 5 };
  await assertExports(page, s);
  await click(page, '#slowdown-pairs');
  await page.keyboard.type('A next to B: 1.4\nB next to A: 2', { delay: 5 });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'slowdown-pairs', 'new fields do not take the focus');
  s.slowdown.pairs = { A: { B: 1.4 }, B: { A: 2 } };
  await assertExports(page, s);
  assert.equal((await finishes(page))[1], 600, 'B takes twice as long next to A');
  await click(page, '#slowdown-classes');
  await waitText(page, '#problems', 'slowdown, pairs, A next to B: expected an application class of the workload, got "A"');
  await click(page, '#slowdown-classes');
  await selectOption(page, '#slowdown', 'none');
  delete s.slowdown.seed;
  await assertExports(page, s);
  for (const [line, error] of [
    ['A next to E: 1.4', 'slowdown, pairs, A next to E: expected a job of the workload, got "E"'],
    ['A next to B: 0.5', 'slowdown, pairs, A next to B: expected a number from 0.9 to 100, got 0.5'],
    ['A next to B: 101', 'slowdown, pairs, A next to B: expected a number from 0.9 to 100, got 101'],
    ['A beside B', 'slowdown, pairs: expected lines such as “A next to B: 1.2”, got "A beside B"'],
  ]) {
    await page.focus('#slowdown-pairs');
    await page.$eval('#slowdown-pairs', el => el.select());
    await page.keyboard.type(line);
    await waitText(page, '#problems', error);
    assert.equal(await page.$eval('#slowdown-pairs', el => el.getAttribute('aria-invalid')), 'true');
    assert.equal(await page.$eval('#slowdown-pairs ~ .problem', el => el.textContent), error);
    await page.waitForSelector('.lab-stale');
  }
  await waitForStableAddress(page);
  await page.reload();
  await page.waitForSelector('#slowdown-pairs');
  assert.equal(await valueOf(page, '#slowdown-pairs'), 'A beside B', 'an incomplete line is restored');
  await page.$eval('#slowdown-pairs', el => el.select());
  await page.keyboard.press('Backspace');
  await assertExports(page, sharedNodes());
  await click(page, '#tab-jobs');
  await click(page, '#undo');
  await waitText(page, '#problems', 'A beside B');
  assertNoConsoleErrors(page);
});

test('traits, pairs and the limit of jobs per node are part of links and files', async () => {
  const page = await lab.shared(sharedNodes());
  const files = await downloads(page);
  await type(page, '#cell-3-8', 'lu');
  await click(page, '#tab-machine');
  await type(page, '#machine-jobs-per-node', '-1');
  await waitText(page, '#problems', 'machine, jobs-per-node: expected 0 (no limit) to 4000000, got -1');
  await type(page, '#machine-jobs-per-node', '3');
  await selectOption(page, '#slowdown', 'drawn');
  await page.waitForSelector('#slowdown-seed');
  await type(page, '#slowdown-seed', '7');
  await click(page, '#slowdown-classes');
  await click(page, '#slowdown-pairs');
  await page.keyboard.type('lu next to cg: 1.20');
  const s = sharedNodes();
  s.machine['jobs-per-node'] = 3;
  jobsOf(s)[3].class = 'lu';
  s.slowdown = { seed: 7, 'app-classes': true, pairs: { lu: { cg: 1.2 } } };
  await assertExports(page, s);
  await waitForStableAddress(page);
  await page.reload();
  await page.waitForSelector('#slowdown-seed');
  assert.deepEqual(await Promise.all(['#machine-jobs-per-node', '#slowdown-seed', '#slowdown-pairs'].map(x => valueOf(page, x))), ['3', '7', 'lu next to cg: 1.20']);
  assert.ok(await page.$eval('#slowdown-classes', el => el.checked));
  await assertExports(page, s);
  await click(page, '#export');
  await click(page, '#save');
  const saved = JSON.parse((await files.next()).data);
  for (const part of ['machine', 'slowdown', 'workload']) assert.deepEqual(saved[part], s[part]);
  files.stop();
  assertNoConsoleErrors(page);
});

test('a job that can never start is marked in its cell', async () => {
  const page = await lab.shared(sharedNodes());
  await type(page, '#cell-2-2', '3');
  await type(page, '#cell-2-9', '1.3');
  await waitForCharts(page);
  await click(page, '#tab-policies');
  await selectOption(page, '#policy-1-name', 'glomarc-ts');
  const error = 'Row 3, procs: expected at most 2 (2 nodes; processes of this job per node under glomarc-ts: 1), got 3';
  await waitText(page, '#problems', error);
  await page.waitForSelector('.lab-stale');
  await click(page, '#tab-jobs');
  assert.equal(await page.$eval('#cell-2-2', el => el.getAttribute('aria-invalid')), 'true');
  await waitForStableAddress(page);
  await page.reload();
  await waitText(page, '#problems', error);
  await type(page, '#cell-2-9', '1.2');
  await page.waitForFunction(() => !document.getElementById('problems'));
  const s = sharedNodes();
  Object.assign(jobsOf(s)[2], { procs: 3, slnos: 1.2 });
  await assertExports(page, s, ['fcfs', 'glomarc-ts']);
  assertNoConsoleErrors(page);
});

test('no axe violations, light and dark', async () => {
  const s = sharedNodes();
  s.slowdown = { seed: 5, pairs: { A: { B: 1.4 } } };
  const page = await lab.shared(s);
  await assertAccessible(page, 'jobs');
  await click(page, '#tab-machine');
  await page.waitForSelector('#slowdown-seed');
  await assertAccessible(page, 'machine');
  await type(page, '#slowdown-seed', 'x');
  await waitText(page, '#problems', 'slowdown, seed');
  await assertAccessible(page, 'an error of slowdowns', '#edit'); // outdated metrics outside #edit are dimmed
  await click(page, '#tab-text');
  await assertAccessible(page, 'text', '#edit');
});
