// Tests policies that select jobs by their use of several resources, and moldable jobs, for which the policy
// selects a number of processors. The tests make changes as a person would, and check the effects.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText, textOf } from './lab.mjs';
import { command, click, selectOption, waitForCharts, drawnJobs, nativeJobs, type } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

const jobs = list => list.map(([id, submit, procs, runtime]) => ({ id, submit, procs, estimate: runtime, runtime }));

async function assertSchedules(page, scenario, policies) {
  await waitForCharts(page);
  for (const [i, [name, knobs]] of policies.entries()) {
    assert.deepEqual(await drawnJobs(page, i), nativeJobs(backfill, scenario, name, knobs), `${name}, as drawn`);
  }
}

// undoTo undoes edits one by one until the first chart shows the earlier jobs again. `was` holds these jobs as JSON.
async function undoTo(page, was) {
  await page.waitForSelector('#undo');
  for (let i = 0; i < 30; i++) {
    await click(page, '#undo');
    if (await page.$eval('#problems', () => true).catch(() => false)) continue;
    await waitForCharts(page);
    if (JSON.stringify(await drawnJobs(page, 0)) === was && (await page.$$eval('#grid thead th', all => all.length)) === 5) return;
  }
  assert.fail('undo does not restore the chart');
}

// Leinberger, Karypis and Kumar 1999: the case in which X, Y and Z have the balance 1.43, 1.00 and 1.23. (Lower is
// better.)
test('a resource and amounts are typed; if the policy balances resources, other jobs start first', async () => {
  const s = {
    version: 1, machine: { nodes: 10 },
    workload: { jobs: jobs([['R', 0, 6, 10], ['H', 1, 8, 5], ['X', 1, 4, 3], ['Y', 1, 1, 3], ['Z', 1, 2, 3]]) },
    policies: [{ name: 'easy' }, { name: 'easy' }],
  };
  const page = await lab.shared(s);
  const plain = await drawnJobs(page, 0);
  await click(page, '#tab-machine');
  await click(page, '#add-resource');
  await type(page, '#resource-0-name', 'memory');
  await type(page, '#resource-0-capacity', '10');
  await click(page, '#tab-jobs');
  for (const [row, amount] of [2, 8, 2, 5, 3].entries()) await type(page, `#cell-${row}-11`, `${amount}`);
  s.machine.resources = [{ name: 'memory', capacity: 10 }];
  [2, 8, 2, 5, 3].forEach((memory, i) => { s.workload.jobs[i].resources = { memory }; });
  await assertSchedules(page, s, [['easy', {}], ['easy', {}]]);
  await click(page, '#tab-policies');
  await selectOption(page, '#knob-1-pick', 'bb');
  await assertSchedules(page, s, [['easy', {}], ['easy', { pick: 'bb' }]]);
  assert.deepEqual((await drawnJobs(page, 0)).map(j => j.start), [0, 10, 1, 4, 4]);
  assert.deepEqual((await drawnJobs(page, 1)).map(j => j.start), [0, 10, 4, 1, 1]);
  await click(page, '#tab-jobs');
  await page.focus('#cell-3-1');
  await waitText(page, '#why', 'it balances the resources better (1.000 instead of 1.429');
  assert.match(await textOf(page, '#summary-0'), /memory in use [\d.]+ %/);
  await undoTo(page, JSON.stringify(plain));
  assert.deepEqual(await drawnJobs(page, 1), plain, 'undo removes resource, amounts and choice');
  assertNoConsoleErrors(page);
});

// Wu et al. 2015: with a larger budget, the policy selects larger jobs.
test('jobs become moldable, and alpha changes their sizes', async () => {
  const s = {
    version: 1, machine: { nodes: 8 },
    workload: { jobs: jobs([['A', 0, 2, 60], ['B', 0, 2, 40], ['C', 0, 2, 50], ['D', 5, 4, 30]]) },
    policies: [{ name: 'moldable', knobs: { select: 'easy' } }],
  };
  const page = await lab.shared(s);
  const rigid = await drawnJobs(page, 0);
  await click(page, '#moldable');
  await type(page, '#mold-A', '6');
  await type(page, '#mold-sigma', '0');
  await click(page, '#mold-all');
  await waitText(page, '#notice', '4 jobs made moldable');
  for (const j of s.workload.jobs) Object.assign(j, { L: j.estimate * j.procs, A: 6, sigma: 0 });
  await assertSchedules(page, s, [['moldable', { select: 'easy' }]]);
  const sizes = async () => (await drawnJobs(page, 0)).map(j => j.lanes);
  const before = await sizes();
  await click(page, '#tab-policies');
  await type(page, '#knob-0-alpha', '0.25');
  await assertSchedules(page, s, [['moldable', { select: 'easy', alpha: '0.25' }]]);
  const after = await sizes();
  assert.notDeepEqual(after, before);
  assert.ok(after[0] < before[0], `with a smaller budget A has ${after[0]} processors, not ${before[0]}`);
  await click(page, '#tab-jobs');
  await page.focus('#cell-0-1');
  await waitText(page, '#why', `It runs on ${after[0]} processors; the last one shortens`);
  await click(page, '#tab-policies');
  await type(page, '#knob-0-alpha', '-1');
  await waitText(page, '#problems', 'policy moldable, knob alpha: expected 0 to 100, got "-1"');
  await click(page, '#tab-jobs');
  await undoTo(page, JSON.stringify(rigid));
  assertNoConsoleErrors(page);
});
