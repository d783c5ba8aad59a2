// Tests what administrators do with accounting records: they accept or change the proposed machine,
// select when jobs enter the queue, type missing limits, select partitions, scale wall times, and
// try a larger machine.
import { before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { assertNoConsoleErrors, textOf, waitForFrames, waitText } from './lab.mjs';
import { chooseFile, selectOption, click, command, downloads, drawnJobs, assertAccessible, waitForCharts, openFile, tabTo, waitForStableAddress, type, valueOf } from './page.mjs';
import { begin } from './begin.mjs';
import { repeatedFile } from './anywhere.mjs';

const backfill = command();

// records returns a day of accounting records of a fictitious cluster. Job 2 becomes eligible half
// an hour after its submission, and jobs 2 and 3 have no wall time limit.
function records() {
  const lines = ['JobID|User|Partition|State|Submit|Eligible|Start|Elapsed|Timelimit|NNodes|AllocCPUS|NodeList'];
  const span = s => new Date(s * 1000).toISOString().slice(11, 19), clock = s => `2026-03-01T${span(s)}`;
  const add = (id, partition, submit, eligible, start, runtime, limit, nodes, cpus, list) =>
    lines.push([id, `user${id}`, partition, 'COMPLETED', clock(submit), clock(eligible), clock(start), span(runtime), limit, nodes, cpus, list].join('|'));
  add(1, 'batch', 0, 0, 0, 3600, '02:00:00', 4, 64, 'cn[01-04]');
  add(2, 'batch', 60, 1860, 3600, 1800, 'UNLIMITED', 2, 32, 'cn[01-02]');
  add(3, 'long', 120, 120, 3600, 7200, 'Partition_Limit', 1, 16, 'cn03');
  add(4, 'gpu', 300, 300, 300, 1200, '01:00:00', 1, 8, 'gn01');
  add(5, 'gpu', 400, 400, 1500, 1200, '01:00:00', 1, 8, 'gn01');
  return lines.join('\n') + '\n';
}

// assertChangeExported exports the metrics before and after a change, and compares them with the table on the page.
async function assertChangeExported(page) {
  const titles = await page.$$eval('#machine-if-said tbody th', all => all.map(x => x.textContent));
  await click(page, '#machine-if-export');
  const text = () => valueOf(page, '#lab-tables-view');
  assert.equal(await page.$eval('#lab-tables [name=table]', el => el.selectedOptions[0].textContent), await textOf(page, '#machine-if-title'));
  await page.select('#lab-tables [name=format]', 'csv');
  await page.click('#lab-tables [name=deltas]');
  const [head, ...rows] = (await text()).trim().split('\n').map(line => line.match(/"[^"]*"|[^,]+/g));
  assert.deepEqual(head.slice(0, 4), ['policy', 'scenario', '"mean wait, s"', '"mean wait, s (difference)"']);
  assert.deepEqual(rows.map(row => row.slice(0, 2)), titles.flatMap(title => [[title, 'before'], [title, 'after']]));
  assert.equal(Number(rows[1][3]), Number(rows[1][2]) - Number(rows[0][2]));
  await page.waitForFunction(() => document.querySelectorAll('#lab-tables [name=table] option').length > 6);
  assert.equal(await page.$eval('#lab-tables [name=table]', el => el.value), '0', 'the other tables follow');
  await page.keyboard.press('Escape');
}

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {
  const lab = begin({ engine });
  let file;
  before(() => writeFileSync(file = join(lab.folder, 'day.sacct'), records()));

  const opened = async (name = file, jobs = 5) => {
    const page = await lab.page();
    await openFile(page, name);
    await waitText(page, '#notice', `${name.split('/').pop()}: ${jobs} jobs.`);
    await page.waitForSelector('#ask-machine');
    return page;
  };
  const accept = async page => {
    await click(page, '#ask-accept');
    await waitForCharts(page);
  };
  // assertChart waits until the chart equals the schedule that the command computes from the file.
  const assertChart = async (page, ...flags) => {
    const csv = backfill(['run', '-in', file, '-policy', 'easy', ...flags, '-jobs', '-', '-quiet']).toString();
    const want = csv.trim().split('\n').slice(1).map(l => l.split(',')).map(([, , start, finish, procs]) => ({ start: +start, finish: +finish, lanes: +procs }));
    await waitForCharts(page);
    let drawn = await drawnJobs(page, 0);
    for (const end = Date.now() + 30_000; Date.now() < end && !isDeepStrictEqual(drawn, want); drawn = await drawnJobs(page, 0)) await waitForCharts(page);
    assert.deepEqual(drawn, want);
  };
  const machine = async page => {
    await click(page, '#tab-machine');
    return [await valueOf(page, '#machine-nodes'), await valueOf(page, '#machine-cores')];
  };
  // assertAnswerFocused checks that the metrics before and after a change are visible, and that
  // their heading has the keyboard focus.
  const assertAnswerFocused = async page => {
    await waitForFrames(page);
    const [focused, top, bottom, height] = await page.evaluate(() => {
      const place = document.getElementById('machine-if-said').getBoundingClientRect();
      return [document.activeElement.id, place.top, place.bottom, innerHeight];
    });
    assert.equal(focused, 'machine-if-title');
    assert.ok(top >= 0 && bottom <= height, `${top} to ${bottom} of ${height}`);
  };
  const hidden = page => page.$$eval('[data-chart], .scores', all => all.every(el => !el.offsetParent));

  test('the machine is proposed, and nothing runs before it is accepted', async () => {
    const page = await opened();
    const says = await textOf(page, '#ask-proposal');
    for (const words of ['Proposed: 5 nodes of 16 cores.', 'name 5 nodes (NodeList)', 'up to 16 CPUs on one node', 'At most 72 CPUs', 'widest job had 64 CPUs']) assert.ok(says.includes(words), says);
    await waitText(page, '#ask-machine', 'Partitions in the file: batch (2 records), long (1 record), gpu (2 records).');
    assert.ok(await hidden(page), 'no chart of another scenario');
    await assertAccessible(page, 'the question about the machine', '#ask-machine');
    await accept(page);
    assert.equal(await page.$('#ask-machine'), null);
    await assertChart(page);
    assert.deepEqual(await machine(page), ['5', '16']);
    await page.click('#tab-workload');
    await click(page, '#undo');
    await page.waitForSelector('#ask-machine');
    assert.ok(await hidden(page));
    await click(page, '#redo');
    await assertChart(page);
    assertNoConsoleErrors(page);
  });

  test('by keyboard: another machine is typed, kept and saved; an error says what to type', async () => {
    const page = await opened(), files = await downloads(page);
    await tabTo(page, '#ask-nodes');
    await type(page, '#ask-nodes', 'six');
    await waitText(page, '#ask-machine .problem', 'expected a whole number, got "six"');
    await click(page, '#ask-accept');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'ask-nodes');
    await type(page, '#ask-nodes', '8');
    await page.keyboard.press('Tab');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type('10');
    await tabTo(page, '#ask-accept');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !document.querySelector('#ask-machine'));
    await assertChart(page, '-nodes', '8', '-cores', '10');
    assert.deepEqual(await machine(page), ['8', '10']);
    await click(page, '#choose-records');
    await selectOption(page, '#records-submit-time', 'submit');
    await assertChart(page, '-nodes', '8', '-cores', '10', '-submit-time', 'submit');
    assert.deepEqual(await machine(page), ['8', '10'], 'other times leave the machine');
    await click(page, '#export');
    await click(page, '#save');
    assert.deepEqual(JSON.parse((await files.next()).data).machine, { nodes: 8, cores: 10 });
    files.stop();
    assertNoConsoleErrors(page);
  });

  test('after a reload, the page asks again about a machine that was not accepted, and shows what was typed', async () => {
    const page = await opened();
    await type(page, '#ask-nodes', '7');
    await waitForStableAddress(page);
    await page.reload();
    await page.waitForSelector('#ask-machine');
    assert.equal(await valueOf(page, '#ask-nodes'), '7');
    assert.ok(await hidden(page), 'nothing ran');
    await accept(page);
    await assertChart(page, '-nodes', '7', '-cores', '16');
    await waitForStableAddress(page);
    await page.reload();
    await waitForCharts(page);
    assert.equal(await page.$('#ask-machine'), null);
    assertNoConsoleErrors(page);
  });

  test('a reload keeps the report on the file; its actual schedule needs the file again', async () => {
    const page = await opened();
    await accept(page);
    const texts = () => Promise.all(['#report-total', '#happened'].map(id => textOf(page, id)));
    const before = await texts();
    assert.match(before[0], /^5 records read, 5 jobs kept\. Dropped: none\. Altered: 3 values\./);
    await waitForStableAddress(page);
    await page.reload();
    await waitForCharts(page);
    assert.deepEqual(await texts(), before);
    await click(page, '#report');
    await waitText(page, '.report', 'without an estimate');
    assert.equal(await page.$('#choose-records'), null, 'this needs the file');
    await waitText(page, '#needs-file', 'The page no longer has the file day.sacct. Choose the file again to add its actual schedule as a chart');
    await chooseFile(page, () => page.click('#as-schedule-again'), file);
    await waitText(page, '#notice', 'day.sacct is shown as an external schedule.');
    assert.equal(await page.$('#needs-file'), null);
    await page.goto(lab.url); // another scenario
    await waitForCharts(page);
    assert.equal(await page.$('#report-total'), null);
    assertNoConsoleErrors(page);
  });

  test('the proposed machine can be restored; jobs that do not fit are named', async () => {
    const page = await opened();
    await type(page, '#ask-nodes', '2');
    await waitText(page, '#problems', 'Row 1, procs');
    await click(page, '#ask-reset');
    await page.waitForFunction(() => document.getElementById('ask-nodes').value === '5' && !document.getElementById('problems'));
    await accept(page);
    await assertChart(page);
    assertNoConsoleErrors(page);
  });

  test('a machine with fewer CPUs than were in use can be used after a warning', async () => {
    const page = await opened();
    assert.equal(await page.$('#ask-small'), null, 'the proposal is large enough');
    await type(page, '#ask-nodes', '4');
    await waitText(page, '#ask-small', 'This machine has 64 CPUs, but according to the records, 72 were in use at the same time.');
    await waitText(page, '#ask-small', 'the actual schedule does not fit on it');
    await assertAccessible(page, 'the warning', '#ask-machine');
    await type(page, '#ask-cores', '18');
    await page.waitForFunction(() => !document.getElementById('ask-small'));
    await type(page, '#ask-cores', '17');
    await waitText(page, '#ask-small', 'This machine has 68 CPUs');
    await page.keyboard.press('Enter');
    await waitForCharts(page);
    await assertChart(page, '-nodes', '4', '-cores', '17');
    assertNoConsoleErrors(page);
  });

  test('jobs enter the queue when they become eligible, or when they are submitted', async () => {
    const page = await opened();
    assert.ok((await textOf(page, '#ask-machine')).includes('Jobs enter the queue when they become eligible (Eligible). For 1 job, this is later than the submission (Submit).'));
    await accept(page);
    await click(page, '#choose-records');
    assert.equal(await valueOf(page, '#records-submit-time'), 'eligible');
    await assertChart(page, '-submit-time', 'eligible');
    await selectOption(page, '#records-submit-time', 'submit');
    await waitText(page, '#records-submit', 'when they are submitted (Submit)');
    await assertChart(page, '-submit-time', 'submit');
    assertNoConsoleErrors(page);
  });

  test('records without the field Eligible say so before they run', async () => {
    const without = join(lab.folder, 'old.sacct');
    writeFileSync(without, records().split('\n').map(l => l.split('|').filter((_, i) => i !== 5).join('|')).join('\n'));
    const page = await opened(without);
    assert.ok((await textOf(page, '#ask-machine')).includes('The records have no field Eligible. Jobs enter the queue when they are submitted (Submit).'));
    assertNoConsoleErrors(page);
  });

  test('jobs without a wall time limit get the limit of their partition, or one limit for all', async () => {
    const page = await opened();
    await click(page, '#choose-records');
    await waitText(page, '#records-limit-says', 'Jobs without their own wall time limit (UNLIMITED, Partition_Limit or none): 2. Their estimate is their runtime.');
    const of = name => page.$$eval('#records label', (all, text) => all.find(l => l.textContent === text).htmlFor, name);
    const batch = await of('Limit of batch');
    await type(page, `#${batch}`, '12:30');
    await waitText(page, `#records .problem`, 'write 12:30:00 for hours and minutes');
    await click(page, '#records-limit-do');
    assert.equal(await page.evaluate(() => document.activeElement.id), batch);
    await type(page, `#${batch}`, '2d');
    await type(page, '#records-limit', '3:00:00');
    await assertAccessible(page, 'limits', '#records');
    await page.keyboard.press('Enter');
    const used = 'Their estimate is the limit that was entered: 2 d for 1 job of batch, 3 h for 1 job of long.';
    await waitText(page, '#records-limit-says', used);
    await waitText(page, '#report-total', used);
    assert.deepEqual([await valueOf(page, `#${batch}`), await valueOf(page, '#records-limit')], ['2 d', '3 h']);
    await accept(page);
    await assertChart(page, '-wall-limit', 'batch=2d', '-wall-limit', '3h');
    await type(page, '#records-limit', '');
    await click(page, '#records-limit-do');
    await waitText(page, '#records-limit-says', 'The limit that was entered is the estimate for 1 of these jobs: 2 d for 1 job of batch. For the others, the estimate is the runtime.');
    assertNoConsoleErrors(page);
  });

  test('several partitions are read at once; after other partitions are selected, the page asks for the machine again', async () => {
    const page = await opened();
    await accept(page);
    await click(page, '#choose-records');
    const boxes = () => page.$$eval('#records [id^=records-partition-][type=checkbox]', all => all.map(x => x.checked));
    assert.deepEqual(await boxes(), [true, true, true]);
    await click(page, '#records-partition-2');
    await waitText(page, '#notice', 'day.sacct: 3 jobs.');
    await waitText(page, '#ask-proposal', 'Proposed: 4 nodes of 16 cores.');
    await accept(page);
    await assertChart(page, '-partition', 'batch', '-partition', 'long');
    assert.deepEqual(await boxes(), [true, true, false]);
    await click(page, '#records-partition-1');
    await waitText(page, '#notice', 'day.sacct: 2 jobs.');
    await click(page, '#records-partition-0');
    await waitText(page, '#notice', 'Select at least one partition');
    assert.deepEqual(await boxes(), [true, false, false]);
    await click(page, '#undo');
    await assertChart(page, '-partition', 'batch,long');
    assertNoConsoleErrors(page);
  });

  test('selecting other partitions keeps the machine that was typed', async () => {
    const page = await opened();
    await type(page, '#ask-nodes', '7');
    await click(page, '#choose-records');
    await click(page, '#records-partition-2');
    await waitText(page, '#ask-proposal', 'Proposed: 4 nodes of 16 cores.');
    assert.deepEqual([await valueOf(page, '#ask-nodes'), await valueOf(page, '#ask-cores')], ['7', '16']);
    await accept(page);
    await assertChart(page, '-partition', 'batch,long', '-nodes', '7', '-cores', '16');
    await click(page, '#records-partition-1');
    await waitText(page, '#ask-machine', 'Selected: batch.');
    assert.equal(await valueOf(page, '#ask-nodes'), '7');
    await click(page, '#ask-reset');
    await page.waitForFunction(() => document.getElementById('ask-nodes').value !== '7');
    assertNoConsoleErrors(page);
  });

  test('on a phone, the answer about another machine is in view and has the focus', async () => {
    const page = await opened();
    await page.setViewport({ width: 390, height: 844 });
    await accept(page);
    await click(page, '#machine-if-open');
    await type(page, '#machine-if-nodes', '20');
    await click(page, '#machine-if-try');
    await page.waitForSelector('#machine-if-said');
    await assertAnswerFocused(page);
    assertNoConsoleErrors(page);
  });

  test('wall times are scaled: the page says how many jobs change, kills overrunning jobs or raises their estimates, records the change, and undo works', async () => {
    const page = await opened(), files = await downloads(page);
    await accept(page);
    const cells = () => page.$$eval('#grid input', all => all.map(x => x.value).join(' '));
    const before = await cells(), waitBefore = await textOf(page, '#scores td span');
    await click(page, '#tab-workload');
    await click(page, '#op-walls');
    await type(page, '#op-walls-factor', '0');
    await waitText(page, '#op-walls-factor ~ .problem', 'expected a number above 0 and at most 1000, got "0"');
    await type(page, '#op-walls-factor', '0.25');
    await waitText(page, '#op-walls-says', 'Wall times × 0.25: changes the estimate of 3 jobs. This raises the estimates of 3 of 5 jobs to their runtimes. The estimate of 2 jobs without a wall time limit does not change.');
    await selectOption(page, '#op-walls-overrun', 'kill the job at the new estimate');
    await waitText(page, '#op-walls-says', '3 of 5 jobs run longer than their new estimates and are killed.');
    await click(page, '#op-walls-do');
    await waitText(page, '#notice', '3 of 5 jobs run longer than their new estimates and are killed. The estimate of 2 jobs without a wall time limit does not change. Undo reverts it.');
    await assertChart(page, '-wall-factor', '0.25', '-overrun', 'kill');
    await waitText(page, '#changes', 'Changes to all jobs: wall times ×0.25, longer jobs killed.');
    const waitAfter = await textOf(page, '#scores td span');
    assert.notEqual(waitAfter, waitBefore);
    await waitText(page, '#notice', `Undo reverts it. EASY: mean wait ${waitBefore} → ${waitAfter}, max wait `);
    await click(page, '#export');
    await click(page, '#save');
    const saved = JSON.parse((await files.next()).data);
    assert.deepEqual(saved.changes, ['wall times ×0.25, longer jobs killed']);
    assert.ok(saved.workload.jobs.every(j => j.runtime === j.estimate));
    assert.deepEqual(saved.workload.jobs.filter(j => j['no-limit']).map(j => j.runtime).sort(), [1800, 7200], 'no job without a limit is killed');
    files.stop();
    const other = await lab.scenario(saved);
    await click(other, '#tab-workload');
    await waitText(other, '#changes', 'wall times ×0.25');
    await other.close();
    await click(page, '#undo');
    await assertChart(page);
    assert.equal(await textOf(page, '#changes'), '');
    await click(page, '#tab-jobs');
    assert.equal(await cells(), before);
    assertNoConsoleErrors(page);
  });

  test('the actual schedule keeps its runtimes and metrics when wall times are scaled', async () => {
    const page = await opened();
    await accept(page);
    await click(page, '#as-schedule');
    await waitText(page, '#notice', 'is shown as an external schedule.');
    await waitForCharts(page);
    const happened = () => page.$$eval('#scores tbody tr', all => [...all.at(-1).cells].slice(1).map(td => (td.querySelector('span') ?? td).textContent));
    const was = [await happened(), await drawnJobs(page, 2)];
    await click(page, '#tab-workload');
    await click(page, '#op-walls');
    await type(page, '#op-walls-factor', '0.25');
    await selectOption(page, '#op-walls-overrun', 'kill the job at the new estimate');
    await click(page, '#op-walls-do');
    await waitText(page, '#notice', 'without a wall time limit does not change');
    await waitForCharts(page);
    assert.deepEqual([await happened(), await drawnJobs(page, 2)], was);
    await click(page, '#tab-jobs');
    await click(page, '#cell-1-1');
    await click(page, '#if-remove');
    await page.waitForSelector('#if-said');
    assert.deepEqual(await page.$$eval('#if-said tbody tr', all => all.map(r => r.cells[0].textContent.trim())), ['EASY', 'Conservative'], 'the actual schedule has no policy to run again');
    await click(page, '#tab-policies');
    await waitText(page, '[role=tabpanel]', 'Jobs whose runtime in the file differs from the scenario: 3. The schedule keeps the runtimes of the file.');
    assertNoConsoleErrors(page);
  });

  test('exact wall times: the metrics of all policies before and after', async () => {
    const page = await opened();
    await accept(page);
    const shown = () => page.$$eval('#scores tbody tr', all => all.map(r => [r.children[0].querySelector('span').textContent, r.querySelector('td span').textContent]));
    const before = await shown();
    await click(page, '#machine-if-open');
    await page.waitForFunction(() => document.activeElement.id === 'machine-if-nodes');
    assert.ok(await page.evaluate(() => {
      const [own, field, next] = ['machine-if-open', 'machine-if-nodes', 'exact-if-open'].map(id => document.getElementById(id).getBoundingClientRect());
      return own.bottom <= field.top && field.bottom <= next.top;
    }), 'the form is below its question');
    await click(page, '#exact-if-open');
    await waitText(page, '#machine-if-title', 'Before and after, if all estimates were exact');
    assert.equal(await page.$('#machine-if-nodes'), null, 'no field for nodes');
    assert.deepEqual(await page.$$eval('#machine-if button[aria-expanded]', all => all.map(b => b.ariaExpanded)), ['false', 'false', 'true', 'false']);
    await assertAnswerFocused(page);
    await assertAccessible(page, 'exact wall times', '#machine-if');
    const waits = await page.$$eval('#machine-if-said tbody tr', all => all.map(r => r.cells[1].textContent.replace(/\s+/g, ' ').trim().split(' → ')));
    assert.deepEqual(waits.map(w => w[0]), before.map(b => b[1]));
    await click(page, '#walls-if-open');
    await page.waitForFunction(() => document.activeElement.id === 'machine-if-factor');
    await click(page, '#exact-if-open');
    await page.waitForSelector('#machine-if-make');
    assert.equal(await page.$('#machine-if-cancel'), null, 'the answer is kept');
    await click(page, '#machine-if-make');
    await waitText(page, '#notice', 'The change was applied to the scenario. Undo reverts it.');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'exact-if-open');
    await waitForCharts(page);
    const after = await shown();
    assert.ok(after.every((a, i) => waits[i][1].startsWith(a[1])), `${after} ${waits}`);
    await click(page, '#exact-if-open');
    await page.waitForFunction(() => !document.getElementById('machine-if-try'));
    await click(page, '#machine-if-open');
    await page.waitForSelector('#machine-if-nodes');
    assertNoConsoleErrors(page);
  });

  test('drained nodes: the metrics of all policies before and after, and the outage', async () => {
    const page = await opened();
    await accept(page);
    const waits = () => page.$$eval('#scores tbody tr', all => all.map(r => r.querySelector('td span').textContent));
    const before = await waits();
    await click(page, '#tab-jobs');
    const first = await valueOf(page, '#cell-0-1');
    assert.match(first, /^\d{4}-\d\d-\d\d \d\d:\d\d/);
    // The what-if questions about the machine are far down the page. Links in three places lead to them.
    const focused = id => page.waitForFunction(i => document.activeElement.id === i, {}, id);
    await click(page, '#to-what-if');
    await focused('machine-if-open');
    await click(page, '#cell-0-0');
    await click(page, '#if-all button');
    await focused('machine-if-open');
    await click(page, '#tab-machine');
    await click(page, '#machine-drain');
    await focused('machine-if-drain');
    await click(page, '#add-block');
    await type(page, '#block-0-to', '0');
    await waitText(page, '#blocks .problem', 'expected a time after the start of the outage');
    await click(page, '#tab-jobs');
    for (let n = 0; n < 2; n++) await click(page, '#undo');
    await waitForCharts(page);
    await click(page, '#drain-if-open'); // closes the form
    await click(page, '#drain-if-open');
    await focused('machine-if-drain');
    await type(page, '#machine-if-drain', '1');
    await page.keyboard.press('Enter');
    await waitText(page, '#machine-if .problem', 'or 2026-03-01 08:00, got ""');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'machine-if-from');
    await waitText(page, '#machine-if-from-help', `such as ${first.slice(0, 10)}`);
    await type(page, '#machine-if-from', first);
    await type(page, '#machine-if-to', '30d');
    await page.keyboard.press('Enter');
    await waitText(page, '#machine-if-title', `Before and after, if 1 node was unavailable from ${first} to `);
    await assertAnswerFocused(page);
    await assertAccessible(page, 'drained nodes', '#machine-if');
    const rows = await page.$$eval('#machine-if-said tbody tr', all => all.map(r => r.children[1].textContent.replace(/\s+/g, ' ').trim().split(' → ')));
    assert.deepEqual(rows.map(r => r[0]), before);
    assert.ok(rows.some(r => !r[1].startsWith(r[0])), `${rows}: less room, other waits`);
    await click(page, '#machine-if-make');
    await waitText(page, '#notice', 'The change was applied to the scenario. Undo reverts it.');
    await waitForCharts(page);
    assert.equal(await valueOf(page, '#machine-if-drain'), '', 'pressing Try it again does not drain the nodes twice');
    const after = await waits();
    assert.ok(after.every((a, i) => rows[i][1].startsWith(a)), `${after} ${rows}`);
    await click(page, '#tab-machine');
    assert.deepEqual([await valueOf(page, '#block-0-from'), await valueOf(page, '#block-0-label')], [first, '1 node drained']);
    assertNoConsoleErrors(page);
  });

  test('scaled wall times: the metrics of all policies before and after', async () => {
    const page = await opened();
    await accept(page);
    const shown = () => page.$$eval('#scores tbody tr', all => all.map(r => [r.children[0].querySelector('span').textContent, r.querySelector('td span').textContent]));
    const before = await shown();
    await click(page, '#tab-workload');
    await click(page, '#op-walls');
    await type(page, '#op-walls-factor', '0.25');
    await selectOption(page, '#op-walls-overrun', 'kill the job at the new estimate');
    await click(page, '#op-walls-compare');
    await waitText(page, '#machine-if-title', 'Before and after, if all wall times were multiplied by 0.25 and jobs that exceeded them were killed');
    await waitText(page, '#machine-if-note', '3 of 5 jobs run longer than their new estimates and are killed.');
    assert.equal(await page.$('#machine-if-said :is(.better, .worse)'), null, 'with less work, no difference is better or worse');
    assert.deepEqual([await valueOf(page, '#machine-if-factor'), await valueOf(page, '#machine-if-overrun')], ['0.25', 'kill the job at the new estimate']);
    await assertAnswerFocused(page);
    await assertAccessible(page, 'scaled wall times', '#machine-if');
    const rows = await page.$$eval('#machine-if-said tbody tr', all => all.map(r => [...r.children].map(x => x.textContent.replace(/\s+/g, ' ').trim())));
    assert.deepEqual(rows.map(r => [r[0], r[1].split(' → ')[0]]), before, 'a row for each policy, before the change');
    await type(page, '#machine-if-factor', '0');
    await page.keyboard.press('Enter');
    await waitText(page, '#machine-if .problem', 'expected a number above 0 and at most 1000, got "0"');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'machine-if-factor');
    await type(page, '#machine-if-factor', '0.25');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'machine-if-title'); // the new answer
    await click(page, '#machine-if-make');
    await waitText(page, '#notice', 'The change was applied to the scenario. Undo reverts it.');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'walls-if-open');
    await assertChart(page, '-wall-factor', '0.25', '-overrun', 'kill');
    const after = await shown();
    assert.ok(after.every((a, i) => rows[i][1].split(' → ')[1].startsWith(a[1])), `${after} ${rows}`);
    await click(page, '#undo');
    await assertChart(page);
    assertNoConsoleErrors(page);
  });

  test('a larger machine: the metrics of all policies before and after', async () => {
    const page = await opened();
    await accept(page);
    await click(page, '#tab-machine');
    await click(page, '#machine-compare');
    await page.waitForFunction(() => { // in view, with the focus
      const field = document.getElementById('machine-if-nodes'), place = field?.getBoundingClientRect();
      return field && document.activeElement === field && place.top >= 0 && place.bottom <= innerHeight;
    });
    await type(page, '#machine-if-nodes', 'many');
    await click(page, '#machine-if-try');
    await waitText(page, '#machine-if .problem', 'expected the number of nodes to add, or a negative number to remove nodes, got "many"');
    await type(page, '#machine-if-nodes', '20');
    await page.keyboard.press('Enter');
    await waitText(page, '#machine-if-title', 'if the machine had 20 nodes more');
    await assertAnswerFocused(page);
    const rows = await page.$$eval('#machine-if-said tbody tr', all => all.map(r => [...r.children].map(x => x.textContent.replace(/\s+/g, ' ').trim())));
    const shown = await page.$$eval('#scores tbody tr', all => all.map(r => [r.children[0].querySelector('span').textContent, r.querySelector('td span').textContent]));
    assert.deepEqual(rows.map(r => [r[0], r[1].split(' → ')[0]]), shown, 'before is what the table of metrics has');
    const told = backfill(['whatif', '-in', file, '-change', 'nodes=20', '-policy', 'easy', '-quiet']).toString();
    const [, was, will] = /Mean wait +(.+?) {2,}(.+?) (?:\(|\n)/.exec(told);
    assert.ok(rows[0][1].startsWith(`${was.trim()} → ${will.trim()}`), `${rows[0][1]}, ${told}`);
    await assertAccessible(page, 'before and after', '#machine-if');
    assert.equal(await page.$('#machine-if-note'), null, 'no wall time changes');
    await assertChangeExported(page);
    await type(page, '#machine-if-nodes', '-4');
    await click(page, '#machine-if-try');
    await waitText(page, '#machine-if-says', 'This change is not possible: jobs, row ');
    await type(page, '#machine-if-nodes', '20');
    await click(page, '#machine-if-try');
    await click(page, '#machine-if-make');
    await waitText(page, '#notice', 'The change was applied to the scenario. Undo reverts it.');
    await assertChart(page, '-nodes', '25', '-cores', '16');
    assert.deepEqual(await machine(page), ['25', '16']);
    await click(page, '#tab-workload');
    await click(page, '#undo');
    await assertChart(page);
    assertNoConsoleErrors(page);
  });
});
