// Tests how the page explains the choice of a set of jobs by fair-slack: the search tree, the choice
// under both goals, and the slack curve (Jin 2009, sections 4 and 5).
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText, textOf } from './lab.mjs';
import { selectOption, click, command, drawnJobs, nativeJobs, assertAccessible, waitForCharts, tabTo, type, assertDuration } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

const jobs = list => list.map(([id, submit, procs, runtime]) => ({ id, submit, procs, estimate: runtime, runtime }));
const figure = (policies = [{ name: 'fair-slack' }]) => ({
  version: 1, machine: { nodes: 8 }, policies,
  workload: { jobs: jobs([['R', 0, 4, 1000], ['Q', 0, 4, 100], ['H', 0, 8, 500], ['X', 10, 4, 950], ['Y', 20, 2, 880], ['Z', 30, 2, 1000]]) },
});

// panelTables returns the tables of the panel as rows of cell texts.
const panelTables = page => page.$$eval('#decisions table', all => all.map(t => [...t.rows]
  .map(r => [...r.cells].map(c => c.textContent.trim())).filter(r => r.length)));

// nativeTables returns the tables in the command's report of the decision, in the form of panelTables.
function nativeTables(scenario, at, knobs = {}) {
  const set = Object.entries(knobs).flatMap(([k, v]) => ['-set', `${k}=${v}`]);
  const text = backfill(['why', '-in', '-', '-format', 'json', '-policy', scenario.policies[0].name, ...set, '-decision', `${at}`, '-quiet'], JSON.stringify(scenario)).toString();
  const rows = text.split('\n').filter(l => l.startsWith('  ')).map(l => l.trim().split(/ {2,}/));
  return rows.filter(r => r.length > 1);
}

test('the panel shows the sets of the thesis, why branches were cut, and the choice under either goal', async () => {
  const scenario = figure();
  const page = await lab.scenario(scenario);
  await click(page, '#decide');
  await waitText(page, '#decision-count', 'Fair slack: decision 1 of 2, t = 100 s');
  assert.deepEqual((await panelTables(page)).flat(), nativeTables(scenario, 100), 'as the command reports it');
  const [, tree, choice] = await panelTables(page);
  assert.deepEqual(tree.slice(1).map(r => r[0]), ['{X}', '{X, Y}', '{X, Z}', '{Y}', '{Y, Z}', '{Z}']);
  assert.deepEqual(tree.filter(r => r[1].startsWith('rejected:')).map(r => r[1]), Array(2).fill('rejected: needs 6 processors, 4 are free'));
  assert.deepEqual(choice.slice(1).map(r => r.slice(0, 4)), [
    ['{X}', '37.5 s', '350 s', '1.00'], ['{Y}', '0 s', '350 s', '0.75'], ['{Z}', '50 s', '700 s', '0.75'], ['{Y, Z}', '50 s', '700 s', '1.00'],
  ]);
  const says = await textOf(page, '#decision-says');
  assert.match(says, /goal fairness started \{Y\}/);
  assert.match(says, /Goal fairness selects \{Y\}: smallest O/);
  assert.match(says, /Goal utilization selects \{X\}: largest U/);
  assert.deepEqual(choice.slice(1).map(r => r.slice(4)), [
    ['O above 0 s', '✓ selected: largest U'], ['✓ selected: smallest O', 'U below 0.952'], ['O above 0 s', 'U below 0.952'], ['O above 0 s', 'O above 37.5 s'],
  ]);
  assert.equal((await drawnJobs(page, 0))[4].start, 100);

  // Selecting the other goal changes the decision.
  await click(page, '#tab-policies');
  await selectOption(page, '#knob-0-goal', 'utilization');
  await waitText(page, '#decision-says', 'goal utilization started {X}');
  await waitForCharts(page);
  assert.deepEqual(await drawnJobs(page, 0), nativeJobs(backfill, scenario, 'fair-slack', { goal: 'utilization' }));
  assert.equal((await drawnJobs(page, 0))[3].start, 100);
  assert.deepEqual((await panelTables(page)).flat(), nativeTables(scenario, 100, { goal: 'utilization' }));
  assert.equal(await page.$eval('.grid-of:nth-child(3) tr.taken th', el => el.textContent.trim()), '{X}');

  // A policy that does not choose sets has no decisions.
  await selectOption(page, '#policy-0-name', 'easy');
  await page.waitForFunction(() => !document.getElementById('decisions') && !document.getElementById('decide'));
  assertNoConsoleErrors(page);
});

test('the panel follows keys, cursor, player and knobs', async t => {
  const page = await lab.scenario(figure());
  await t.test('by keyboard alone: open a decision, collapse a set, go to the next decision', async () => {
    await page.evaluate(() => document.activeElement.blur());
    await tabTo(page, '#decide');
    await page.keyboard.press('Enter');
    await waitText(page, '#decision-count', 't = 100');
    await page.waitForFunction(() => document.activeElement.id === 'decision-next');
    const first = (await panelTables(page))[1].length;
    await tabTo(page, '#decisions .fold');
    await page.keyboard.press('Enter');
    await page.waitForFunction(n => document.querySelectorAll('.grid-of:nth-child(2) .row').length === n, {}, first - 1 - 2);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), '{X}');
    assert.equal(await page.$eval('#decisions .fold', el => el.getAttribute('aria-expanded')), 'false');
    await page.keyboard.press('Enter');
    await page.waitForFunction(n => document.querySelectorAll('.grid-of:nth-child(2) .row').length === n, {}, first - 1);
    await tabTo(page, '#decision-next', { back: true });
    await page.keyboard.press('Enter');
    await waitText(page, '#decision-count', 'decision 2 of 2');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'decision-next');
    assertNoConsoleErrors(page);
  });

  await t.test('a set is cut because of the slack of a job; the decision follows the cursor, the player and the reasons', async () => {
    await page.focus('#cell-4-1');
    await waitText(page, '#why .tried', 'Show the sets of jobs tried at 100');
    await click(page, '#why .tried');
    await waitText(page, '#decision-count', 't = 100 s');
    await click(page, '#decision-next');
    await waitText(page, '#decision-count', 'decision 2 of 2, t = 980 s');
    await waitText(page, '.grid-of:nth-child(2)', 'rejected: job H would start after 1492, the latest start that its slack allows');
    await waitText(page, '#decision-says', 'the conservative plan decided');
    await waitText(page, '#why-title', 't = 980');
    await click(page, '#step-through');
    await waitText(page, '#player-count', 't = 980 s');
    await click(page, '#player-first');
    await waitText(page, '#decision-says', 'Up to t = 0, the policy has not tried any set of jobs.');
    await click(page, '#player-last');
    await waitText(page, '#decision-count', 'decision 2 of 2');
    await click(page, '#decide');
    await page.waitForFunction(() => !document.getElementById('decisions') && document.activeElement.id === 'decide');
    assertNoConsoleErrors(page);
  });

  await t.test('the slack curve follows its knobs', async () => {
    await click(page, '#tab-policies');
    const curve = '#policy-0 .curve', drawn = () => page.$$eval(`${curve} .line`, all => all.map(el => el.getAttribute('d')));
    await waitText(page, curve, 'Factor 1.4995 at 5000 s, 1.2093 at 65000 s, 1.2003 at 125000 s.');
    const was = await drawn();
    await type(page, '#knob-0-slack-down', '1.3');
    await waitText(page, curve, '1.3093 at 65000 s');
    const now = await drawn();
    assert.ok(now[0] !== was[0] && now[1] !== was[1], 'both curves are redrawn');
    await type(page, '#policy-0-wait', '1000');
    await waitText(page, curve, 'Factor 1.1000 at 0 s, 1.3000 at 500 s, 1.5000 at 1000 s.');
    await waitText(page, curve, 'The example job may start at most 1500 s after its submission.');
    await type(page, '#knob-0-slack-min', '1.25');
    await waitText(page, curve, 'Factor 1.2500 at 0 s');
    await type(page, '#knob-0-k1', 'x');
    await page.waitForFunction(c => document.querySelector(c).textContent === '', {}, curve);
    await type(page, '#knob-0-k1', '0');
    await waitText(page, curve, '1.5000 at 125000 s');
    await type(page, '#policy-0-wait', 'soon');
    await waitText(page, '#policy-0', 'expected whole seconds, 0 or more');
    assertNoConsoleErrors(page);
  });
});

// With twenty waiting jobs of one processor, the search stops at its limit of sets.
test('a tree of 20,000 sets stays responsive', async t => {
  const list = [['R', 0, 1, 1000], ['Q', 0, 8, 100], ['H', 0, 9, 500]];
  for (let i = 0; i < 20; i++) list.push([`J${i}`, 10, 1, 100]);
  const page = await lab.scenario({ version: 1, machine: { nodes: 9 }, workload: { jobs: jobs(list) }, policies: [{ name: 'fair-slack' }] });
  await click(page, '#decide');
  await waitText(page, '#decision-says', 'sets tried');
  const tried = Number(/Of ([\d,]+) sets tried/.exec(await textOf(page, '#decision-says'))[1].replaceAll(',', ''));
  assert.ok(tried >= 20_000, `${tried} sets`);
  assert.equal(await page.$$eval('.grid-of:nth-child(2) .row', all => all.length), 15, 'the lower levels are collapsed');
  await waitText(page, '.grid-of:nth-child(3) caption', 'more');
  const begin = Date.now();
  await click(page, '#decisions .fold');
  await page.waitForFunction(() => document.querySelectorAll('.grid-of:nth-child(2) .row').length > 20);
  const took = Date.now() - begin;
  assertDuration(t, 'expanding', took, 2000);
  const rows = await page.$$eval('.grid-of:nth-child(3) .row', all => all.length);
  await click(page, '#decision-more');
  await page.waitForFunction(n => document.querySelectorAll('.grid-of:nth-child(3) .row').length > n, {}, rows);
  assertNoConsoleErrors(page);
});

test('in a large run, the decision is recomputed on request', async () => {
  const small = figure(), at = 2100;
  const before = Array.from({ length: 2000 }, (_, i) => [`B${i}`, i, 8, 1]);
  const shifted = small.workload.jobs.map(j => ({ ...j, submit: j.submit + 2000 }));
  const large = { ...small, workload: { jobs: [...jobs(before), ...shifted] } };
  const page = await lab.scenario(large);
  await click(page, '#decide');
  await waitText(page, '#decision-count', `t = ${at} s`);
  await waitText(page, '#decision-says', 'The log does not record the sets that were tried.');
  assert.equal(await page.$('#decisions table'), null);
  await click(page, '#decision-again');
  await page.waitForSelector('.grid-of:nth-child(3)');
  assert.deepEqual((await panelTables(page)).flat(), nativeTables(large, at));
  assertNoConsoleErrors(page);
});

test('no axe violations, light and dark', async () => {
  const page = await lab.scenario(figure([{ name: 'fair-slack' }, { name: 'fair-slack', knobs: { goal: 'utilization' } }]));
  await click(page, '#decide');
  await page.waitForSelector('.grid-of:nth-child(3)');
  await click(page, '#tab-policies');
  await click(page, '#decision-other');
  await waitText(page, '#decision-says', 'started {X}');
  await assertAccessible(page, 'decision');
  assertNoConsoleErrors(page);
});
