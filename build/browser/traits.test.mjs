// Jobs on shared nodes: their classes and slowdowns, those between them, and jobs that
// can never start, as a person meets them.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { quiet, waitText, frames } from './lab.mjs';
import { choose, click, command, downloads, faultless, fresh, headings, jobsOf, rested, type, undo, valueOf, paste } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// quad is jobs on two nodes of four cores, where fcfs puts A, B and C side by side.
const quad = () => ({
  version: 1, title: 'Side by side', machine: { nodes: 2, processors: 2, cores: 2 },
  workload: { jobs: [
    { id: 'A', submit: 0, procs: 2, estimate: 1000, runtime: 1000, class: 'cg', slnos: 1.1 },
    { id: 'B', submit: 0, procs: 2, estimate: 300, runtime: 300 },
    { id: 'C', submit: 0, procs: 4, estimate: 500, runtime: 500 },
    { id: 'D', submit: 5, procs: 3, estimate: 500, runtime: 500 },
  ] },
  policies: [{ name: 'fcfs' }, { name: 'easy' }],
});

// same compares what the page hands out with what the command writes: jobs that slow
// each other down are drawn in pieces.
async function same(page, scenario, policies = ['fcfs', 'easy']) {
  await fresh(page);
  const files = await downloads(page);
  for (const [i, name] of policies.entries()) {
    await click(page, '#export');
    await click(page, `#export-jobs-${i}`);
    const want = backfill(['run', '-in', '-', '-format', 'json', '-policy', name, '-jobs', '-', '-quiet'], JSON.stringify(scenario));
    assert.equal((await files.next()).data.toString(), want.toString(), name);
  }
  files.stop();
}

// finishes is when the jobs of the first policy end, as drawn.
async function finishes(page) {
  await fresh(page);
  return page.evaluate(() => {
    const { pieces: p } = document.querySelector('[data-chart="gantt"]').labChart.view;
    const out = [];
    for (let i = 0; i < p.length; i += 6) out[p[i + 4]] = Math.max(out[p[i + 4]] ?? 0, p[i + 1]);
    return out;
  });
}

// undone undoes an edit from outside of its field, which has an undo of its own.
async function undone(page) {
  await page.evaluate(() => document.activeElement.blur());
  await undo(page);
}

test('class and slowdowns are cells where nodes are shared', async () => {
  const page = await lab.scenario(quad());
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
  const s = quad();
  jobsOf(s)[1].slnos = 1.25;
  jobsOf(s)[2].slcrs = 1.5;
  await same(page, s);
  await undone(page);
  await undone(page);
  await fresh(page);
  assert.equal(await valueOf(page, '#cell-2-10'), '');
  await click(page, '#cell-2-8');
  await paste(page, 'class\tslcrs\nlu\t1.3\nft\t\n');
  assert.deepEqual(await Promise.all(['#cell-2-8', '#cell-2-10', '#cell-3-8'].map(x => valueOf(page, x))), ['lu', '1.3', 'ft']);
  await click(page, '#tab-machine');
  await type(page, '#machine-processors', '1');
  await type(page, '#machine-cores', '1');
  await type(page, '#machine-nodes', '8');
  await click(page, '#tab-jobs');
  assert.equal((await headings(page)).length, 8, 'jobs that tell of them keep the columns in sight');
  quiet(page);
});

test('slowdowns between jobs are drawn or typed, and the run follows', async () => {
  const page = await lab.scenario(quad());
  await click(page, '#tab-machine');
  await choose(page, '#slowdown', 'drawn');
  await page.waitForSelector('#slowdown-seed');
  await type(page, '#slowdown-seed', '5');
  const s = quad();
  s.slowdown = { seed: 5 };
  await same(page, s);
  await click(page, '#slowdown-pairs');
  await page.keyboard.type('A next to B: 1.4\nB next to A: 2', { delay: 5 });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'slowdown-pairs', 'what appears below does not take the keyboard away');
  s.slowdown.pairs = { A: { B: 1.4 }, B: { A: 2 } };
  await same(page, s);
  assert.equal((await finishes(page))[1], 600, 'B takes twice as long beside A');
  await click(page, '#slowdown-classes');
  await waitText(page, '#problems', 'slowdown, pairs, A next to B: expected an application class of the workload, got "A"');
  await click(page, '#slowdown-classes');
  await choose(page, '#slowdown', 'none');
  delete s.slowdown.seed;
  await same(page, s);
  for (const [line, error] of [
    ['A next to E: 1.4', 'slowdown, pairs, A next to E: expected a job of the workload, got "E"'],
    ['A next to B: 0.5', 'slowdown, pairs, A next to B: expected a number from 0.9 to 100, got 0.5'],
    ['A next to B: 101', 'slowdown, pairs, A next to B: expected a number from 0.9 to 100, got 101'],
    ['A beside B', 'slowdown, pairs: expected lines such as A next to B: 1.2, got "A beside B"'],
  ]) {
    await page.focus('#slowdown-pairs');
    await page.$eval('#slowdown-pairs', el => el.select());
    await page.keyboard.type(line);
    await waitText(page, '#problems', error);
    assert.equal(await page.$eval('#slowdown-pairs', el => el.getAttribute('aria-invalid')), 'true');
    assert.equal(await page.$eval('#slowdown-pairs ~ .problem', el => el.textContent), error);
    await page.waitForSelector('.lab-stale');
  }
  await rested(page);
  await page.reload();
  await page.waitForSelector('#slowdown-pairs');
  assert.equal(await valueOf(page, '#slowdown-pairs'), 'A beside B', 'half a line is there again');
  await page.$eval('#slowdown-pairs', el => el.select());
  await page.keyboard.press('Backspace');
  await same(page, quad());
  await click(page, '#tab-jobs');
  await click(page, '#undo');
  await waitText(page, '#problems', 'A beside B');
  quiet(page);
});

test('traits, pairs and the bound on jobs per node go along with links and files', async () => {
  const page = await lab.scenario(quad());
  const files = await downloads(page);
  await type(page, '#cell-3-8', 'lu');
  await click(page, '#tab-machine');
  await type(page, '#machine-jobs-per-node', '-1');
  await waitText(page, '#problems', 'machine, jobs-per-node: expected 0 (no limit) to 4000000, got -1');
  await type(page, '#machine-jobs-per-node', '3');
  await choose(page, '#slowdown', 'drawn');
  await page.waitForSelector('#slowdown-seed');
  await type(page, '#slowdown-seed', '7');
  await click(page, '#slowdown-classes');
  await click(page, '#slowdown-pairs');
  await page.keyboard.type('lu next to cg: 1.20');
  const s = quad();
  s.machine['jobs-per-node'] = 3;
  jobsOf(s)[3].class = 'lu';
  s.slowdown = { seed: 7, 'app-classes': true, pairs: { lu: { cg: 1.2 } } };
  await same(page, s);
  await rested(page);
  await page.reload();
  await page.waitForSelector('#slowdown-seed');
  assert.deepEqual(await Promise.all(['#machine-jobs-per-node', '#slowdown-seed', '#slowdown-pairs'].map(x => valueOf(page, x))), ['3', '7', 'lu next to cg: 1.20']);
  assert.ok(await page.$eval('#slowdown-classes', el => el.checked));
  await same(page, s);
  await click(page, '#export');
  await click(page, '#save');
  const saved = JSON.parse((await files.next()).data);
  for (const part of ['machine', 'slowdown', 'workload']) assert.deepEqual(saved[part], s[part]);
  files.stop();
  quiet(page);
});

test('a job that can never start is marked at its cell', async () => {
  const page = await lab.scenario(quad());
  await type(page, '#cell-2-2', '3');
  await type(page, '#cell-2-9', '1.3');
  await fresh(page);
  await click(page, '#tab-policies');
  await choose(page, '#policy-1-name', 'glomarc-ts');
  const error = 'Row 3, procs: expected at most 2, as glomarc-ts places 1 of its processes on each of the 2 nodes, got 3';
  await waitText(page, '#problems', error);
  await page.waitForSelector('.lab-stale');
  await click(page, '#tab-jobs');
  assert.equal(await page.$eval('#cell-2-2', el => el.getAttribute('aria-invalid')), 'true');
  await rested(page);
  await page.reload();
  await waitText(page, '#problems', error);
  await type(page, '#cell-2-9', '1.2');
  await page.waitForFunction(() => !document.getElementById('problems'));
  const s = quad();
  Object.assign(jobsOf(s)[2], { procs: 3, slnos: 1.2 });
  await same(page, s, ['fcfs', 'glomarc-ts']);
  quiet(page);
});

test('no fault that axe knows of, light and dark', async () => {
  const s = quad();
  s.slowdown = { seed: 5, pairs: { A: { B: 1.4 } } };
  const page = await lab.scenario(s);
  await faultless(page, 'jobs');
  await click(page, '#tab-machine');
  await page.waitForSelector('#slowdown-seed');
  await faultless(page, 'machine');
  await type(page, '#slowdown-seed', 'x');
  await waitText(page, '#problems', 'slowdown, seed');
  await faultless(page, 'a fault of slowdowns', '#edit'); // figures beside it are dimmed as outdated
  await click(page, '#tab-text');
  await faultless(page, 'text', '#edit');
});
