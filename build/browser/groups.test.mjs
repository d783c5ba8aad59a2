// Tests how the page explains the formation of a group of jobs that share nodes, by glomarc-ts: the
// steps, the drawing of the group's work, and the effect of a job's slowdown (Zeng 2009, chapter 4).
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { click, command, nativeJobs, assertAccessible, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

const example = name => JSON.parse(readFileSync(join(root, 'public', 'examples', `zeng-${name}.json`), 'utf8'));
// runTimes returns the start and finish of each job of a result, by job index. A job has several
// pieces if its rate changes.
const runTimes = (page, result) => page.evaluate(r => {
  const { pieces: p } = document.querySelector(`[data-chart="gantt"][data-result="${r}"]`).labChart.view;
  const jobs = [];
  for (let i = 0; i < p.length; i += 6) {
    const { start = p[i], finish = p[i + 1] } = jobs[p[i + 4]] ?? {};
    jobs[p[i + 4]] = { start: Math.min(start, p[i]), finish: Math.max(finish, p[i + 1]) };
  }
  return jobs;
}, result);
const nativeTimes = (scenario, policy, knobs) => nativeJobs(backfill, scenario, policy, knobs).map(({ start, finish }) => ({ start, finish }));

// tableRows returns the rows of a table in the panel as lists of cell texts.
const tableRows = (page, table) => page.$$eval(`.grid-of:nth-child(${table}) .row`, all => all.map(r => [...r.cells].map(c => c.textContent.trim())));

// groupDrawing returns the pieces and texts in the drawing of a group.
const groupDrawing = page => page.$eval('#decisions .group', svg => ({
  pieces: [...svg.querySelectorAll('rect')].map(r => [r.getAttribute('class'), r.textContent, +r.getAttribute('width'), +r.getAttribute('height')]),
  texts: [...svg.querySelectorAll(':scope > text')].map(t => t.textContent),
}));

test('the panel explains why a group of jobs was started: its candidates, the sets, and the work of each period', async t => {
  const scenario = example('wins');
  const page = await lab.scenario(scenario);
  for (const [i, p] of scenario.policies.entries()) assert.deepEqual(await runTimes(page, i), nativeTimes(scenario, p.name, p.knobs));
  await click(page, '#decide');
  await waitText(page, '#decision-count', 'decision 1 of 1, 0:00');
  assert.match(await textOf(page, '#decision-says'), /\{A \+ J1, J2\} starts, with U = 2\.182/);
  const steps = await tableRows(page, 1), commandOutput = backfill(['why', '-in', '-', '-format', 'json', '-policy', 'glomarc-ts', '-decision', '0', '-quiet'], JSON.stringify(scenario)).toString();
  for (const cells of steps) for (const c of cells) assert.ok(commandOutput.includes(c), `the command reports: ${c}`);
  const find = text => steps.find(r => r[2].includes(text));
  assert.ok(find('Job J1 suits job A: on shared nodes, job J1 takes 1.100 times as long, and job A takes 1.100 times as long.'));
  assert.deepEqual(find('Set 1 has a gain').slice(0, 2), ['{A + J1, J2}', '2.182']);
  assert.deepEqual(find('Set 2 has a gain').slice(0, 2), ['{A + J2}', '1.905']);
  assert.deepEqual(find('no job would end too late')[0], '{A + J1, J2}');
  assert.deepEqual(await page.$$eval('#decisions tr.taken th', all => all.map(el => el.textContent.trim())), ['{A + J1, J2}', '{A + J1, J2}']);
  assert.deepEqual((await tableRows(page, 2)).map(r => r.slice(0, 4)), [['1', '1500', '1.1', '22363.636'], ['2', '1800', '1.1', '19636.364']]);
  await waitText(page, '.grid-of:nth-child(2) .help', 'Alone, with one process per node, the jobs would take 42000 node-seconds. On shared nodes, they take 13200, so U = 2.182.');

  const { pieces, texts } = await groupDrawing(page);
  assert.deepEqual(pieces.map(p => p.slice(0, 2)), [['primary', 'A at 0.909'], ['primary', 'A at 0.909'], ['matched', 'J1 at 0.909'], ['matched', 'J2 at 1']]);
  assert.deepEqual(pieces.map(p => p[3]), [72, 72, 36, 36], 'four nodes, two and two');
  assert.ok(Math.abs(pieces[3][2] / pieces[2][2] - 1500 / 3300) < 0.01, 'J2 ends at 1500, J1 at 3300');
  for (const text of ['t 1500 s', 'SL 1.1', 'alone 22364', 't 1800 s', 'alone 19636']) assert.ok(texts.includes(text), text);

  // The entries below each primary job are collapsed, except for the group that starts.
  assert.equal(steps.length, 7);
  await click(page, '#decisions .fold');
  await page.waitForFunction(() => document.querySelectorAll('.grid-of:nth-child(1) .row').length === 4);
  assert.equal(await page.$eval('#decisions .fold', el => el.getAttribute('aria-expanded')), 'false');

  // J1 now slows A down by more than the limit, so J1 is no longer a candidate for the group of A.
  await click(page, '#tab-machine');
  await page.waitForSelector('#slowdown-pairs');
  await page.$eval('#slowdown-pairs', el => el.select());
  await page.keyboard.type('A next to J1: 1.3\nA next to J2: 1.05\nJ1 next to A: 1.1', { delay: 5 });
  await waitText(page, '#decision-says', '{A + J2} starts, with U = 1.905');
  await waitForCharts(page);
  assert.ok((await tableRows(page, 1)).some(r => r[2].startsWith('Job J1 does not suit job A: on shared nodes, job A would take 1.300 times as long')));
  scenario.slowdown.pairs.A.J1 = 1.3;
  assert.deepEqual(await runTimes(page, 0), nativeTimes(scenario, 'glomarc-ts'));
  assert.deepEqual((await groupDrawing(page)).pieces.map(p => p[1]), ['A at 0.952', 'J2 at 1']);
  await t.test('the reasons say why a job is in a group, and why another job is not', async () => {
    await click(page, '#decide');
    await page.waitForFunction(() => !document.getElementById('decisions'));
    await click(page, '#tab-jobs');
    await page.focus('#cell-2-1'); // J2
    await waitText(page, '#why', 'It is in the group formed at 0:00, which has a gain of 1.905. Job A became the primary of the group, whose other jobs were also waiting until then.');
    await waitText(page, '#why', 'Job A of the group runs at 0.952 s of work per second.');
    await click(page, '#why .tried');
    await waitText(page, '#decision-says', '{A + J2} starts');
    await page.focus('#cell-1-1'); // J1
    await waitText(page, '#why-title', 'J1');
    await click(page, '#decision-next');
    await click(page, '#decision-before');
    await waitText(page, '#why-title', 'J1 at 0:00');
    await waitText(page, '#why', 'At 0:00: job J1 does not suit job A: on shared nodes, job A would take 1.300 times as long');
  });

  await click(page, '#undo');
  await waitText(page, '#decision-says', '{A + J1, J2} starts');
  await t.test('no axe violations, light and dark; no horizontal scrolling on a narrow screen', async () => {
    for (const width of [1440, 390]) {
      await page.setViewport({ width, height: 900 });
      await waitForFrames(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
      await assertAccessible(page, `${width} px`);
    }
  });
  assertNoConsoleErrors(page);
});

test('a job starts alone because the pair gains less; the panel shows why, and the chart shows the result', async () => {
  const scenario = example('loses');
  const page = await lab.scenario(scenario);
  await click(page, '#decide');
  await waitText(page, '#decision-says', 'A alone starts, with U = 2.636');
  const steps = await tableRows(page, 1);
  assert.deepEqual(steps.find(r => r[0] === 'A alone').slice(0, 2), ['A alone', '2.636']);
  assert.deepEqual(steps.find(r => r[0] === '{A + B}').slice(0, 2), ['{A + B}', '2.333']);
  await waitText(page, '.grid-of:nth-child(2) .help', 'Alone, with one process per node, the jobs would take 64000 node-seconds. On shared nodes, they take 19200, so U = 2.333.');
  assert.deepEqual((await groupDrawing(page)).pieces.map(p => p[1]), ['A at 0.833', 'B at 0.833'], 'the group with the largest gain, although it did not start');
  await click(page, '#decision-other'); // the last decision at this time, for job C
  await waitText(page, '#decision-says', 'none starts');
  await click(page, '#decision-before');
  await waitText(page, '#decision-says', '{A + B} starts, with U = 2.333');
  assert.deepEqual((await runTimes(page, 0)).map(j => j.finish), [4400, 4400, 8800]);
  assert.deepEqual((await runTimes(page, 1)).map(j => j.finish), [4800, 4800, 9200]);
  assertNoConsoleErrors(page);
});
