// Tests the comparison of schedules: which jobs, and how many jobs of each class, start earlier or
// later.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, assertNoConsoleErrors, waitText } from './lab.mjs';
import { selectOption, click, drawnJobs, assertAccessible, firstExample, waitForCharts, chooseFile, openFile, tabTo, type, undo } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

// fourPolicies returns the first example with four policies.
const fourPolicies = () => ({ ...firstExample(), policies: [{ name: 'easy' }, { name: 'conservative' }, { name: 'fcfs' }, { name: 'easy', knobs: { order: 'sjf' } }] });
const openFourPolicies = size => lab.scenario(fourPolicies(), size);
const tableCells = (page, id) => page.$$eval(`#${id} tbody tr`, all => all.map(r => [...r.children].map(c => c.textContent.trim())));
const activeId = page => page.evaluate(() => document.activeElement.id);

// The hand-computed starts of the first example: under EASY 0 5 1 7 8 7 11 15 24 14 27 29,
// under conservative backfilling 0 7 1 5 10 5 12 16 25 13 28 28.
test('four policies are compared', async t => {
  const page = await openFourPolicies();
  await t.test('by pointer: differences are shown in words, by job and by class', async () => {
    await click(page, '#compare-open');
    await waitText(page, '#compare-says', 'Under EASY, queue order: shortest first (SJF), 8 of 12 jobs start earlier than under FCFS'); // the two charts in view
    await selectOption(page, '#compare-base', '0');
    await selectOption(page, '#compare-other', '1');
    await click(page, '#compare-open');
    await click(page, '#compare-open'); // the selected schedules stay
    await waitText(page, '#compare-says', 'Under Conservative, 4 of 12 jobs start earlier than under EASY, by 6 s in total; 6 start later, by 8 s in total; 2 start at the same time.');
    assert.deepEqual(await tableCells(page, 'gainers'), [['4', '7', '5', '−2'], ['6', '7', '5', '−2'], ['10', '14', '13', '−1'], ['12', '29', '28', '−1']]);
    assert.deepEqual((await tableCells(page, 'payers'))[0], ['2', '5', '7', '+2']);
    assert.deepEqual(await tableCells(page, 'by-size'), [
      ['1 processor', '1', '1', '2', '0', '0', '−2'],
      ['2 to 4 processors', '7', '2', '3', '4', '5', '+2'],
      ['5 processors', '4', '1', '1', '2', '3', '+2'],
    ]);
    await click(page, '#payers tbody tr:nth-child(2) button');
    await waitText(page, '#why-title', 'Job 5 at');
    await waitText(page, '#compare-job caption', 'Job 5 under each policy');
    const rows = await tableCells(page, 'compare-job');
    assert.deepEqual(rows.map(r => r[0]), ['EASY', 'Conservative', 'FCFS', 'EASY, queue order: shortest first (SJF)']);
    assert.deepEqual(rows[1], ['Conservative', '10', '6', '13', '+2']);
    assert.deepEqual(rows[2], ['FCFS', '8', '4', '11', '0']);
    assert.equal(await page.$eval('#payers [aria-current="true"] th', el => el.textContent.trim()), '5');

    await selectOption(page, '#compare-base', '1');
    await waitText(page, '#compare-says', 'Under EASY, 6 of 12 jobs start earlier than under Conservative');
    await selectOption(page, '#compare-other', '2');
    await waitText(page, '#compare-says', 'Under FCFS');
    assert.deepEqual(await page.$$eval('#compare-other option', all => all.map(o => o.textContent)), ['EASY', 'FCFS', 'EASY, queue order: shortest first (SJF)']);
    await waitText(page, '#compare-job', 'later than Conservative');
    assertNoConsoleErrors(page);
  });

  await t.test('by keyboard alone: the difference of one job is shown', async () => {
    await selectOption(page, '#compare-other', '3');
    await click(page, '#compare-open');
    await page.waitForFunction(() => !document.querySelector('#gainers'));
    await page.focus('#more');
    await tabTo(page, '#compare-open');
    await page.keyboard.press('Enter');
    await waitText(page, '#compare-says', 'than under Conservative');
    await tabTo(page, '#compare-base');
    await page.keyboard.press('Home');
    await waitText(page, '#compare-says', 'than under EASY');
    await tabTo(page, '#compare-other', { back: true });
    await page.keyboard.press('ArrowUp');
    await waitText(page, '#compare-says', 'Under FCFS');
    assert.equal(await activeId(page), 'compare-other', 'the focus stays on the list');
    await tabTo(page, '#compare-base');
    await tabTo(page, '#payers button');
    const id = await page.evaluate(() => document.activeElement.textContent.trim());
    const row = (await tableCells(page, 'payers')).find(r => r[0] === id);
    await page.keyboard.press('Enter');
    await waitText(page, '#compare-job caption', `Job ${id} under each policy`);
    await waitText(page, '#lab-live', `Job ${id}. EASY: `);
    const rows = await tableCells(page, 'compare-job');
    assert.deepEqual([rows[0][1], rows[2][1], rows[2][4]], row.slice(1));
    assertNoConsoleErrors(page);
  });

  await t.test('by pointer: distributions by size are shown as charts and as a table', async () => {
    await click(page, '#spread-open');
    await page.waitForSelector('#spread .boxes');
    const classes = () => page.$$eval('#spread .class > span', all => all.map(s => s.textContent));
    assert.deepEqual(await classes(), ['12 jobs', '1 processor, 1 job', '2 to 4 processors, 7 jobs', '5 processors, 4 jobs']);
    const dots = await page.$$eval('#spread .boxes', all => all.map(s => s.querySelectorAll('.one').length));
    assert.deepEqual(dots, [48, 4, 28, 16], 'few jobs are shown individually, for four policies');
    await click(page, '#spread-table');
    // The waits under EASY are 0 4 0 4 4 2 5 7 16 3 14 16.
    assert.deepEqual((await tableCells(page, 'spread-0'))[0], ['all jobs', 'EASY', '12', '0', '0', '2.75', '4', '8.75', '16', '16', '6.25']);
    await selectOption(page, '#spread-measure', '1');
    await waitText(page, '#spread-0 caption', 'bounded slowdown');
    const [row] = await tableCells(page, 'spread-0');
    assert.equal(row[10], await page.$eval('#scores tbody tr td:nth-child(4) span', el => el.textContent), 'the mean of the metrics table');
    assertNoConsoleErrors(page);
  });

  await t.test('no axe violations, light and dark', async () => {
    await page.setViewport({ width: 1024, height: 768 });
    await page.waitForSelector('#spread-0 tbody tr');
    await assertAccessible(page, 'comparison');
    assertNoConsoleErrors(page);
  });
});

test('by keyboard alone: distributions are shown', async () => {
  const page = await openFourPolicies({ width: 390, height: 844 });
  await page.focus('#more');
  await tabTo(page, '#spread-open');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#spread .boxes');
  await tabTo(page, '#spread-measure');
  await page.keyboard.press('ArrowDown');
  await tabTo(page, '#spread-table');
  await page.keyboard.press(' ');
  await waitText(page, '#spread-0 caption', 'bounded slowdown');
  assert.equal(await activeId(page), 'spread-table');
  assertNoConsoleErrors(page);
});

// The start times of the first example under FCFS, and a CSV file with these times, as another
// program might write it.
const starts = [0, 5, 5, 8, 8, 8, 11, 15, 24, 24, 27, 39];
const fcfsSchedule = 'job,start\n' + starts.map((s, i) => `${i + 1},${s}`).join('\n');

function writeFile(name, text) {
  writeFileSync(join(lab.folder, name), text);
  return join(lab.folder, name);
}

const titles = page => page.$$eval('.chart h2', all => all.map(h => h.textContent));

test('schedules from files', async t => {
  const page = await openFourPolicies();
  await t.test('by pointer: a schedule from a file is shown with the schedules of the policies', async () => {
    await click(page, '#tab-policies');
    await chooseFile(page, () => page.click('#add-schedule'), writeFile('machine.csv', fcfsSchedule));
    await waitText(page, '#notice', 'machine.csv is shown as an external schedule.');
    await waitForCharts(page);
    assert.deepEqual(await titles(page), ['EASY', 'Conservative', 'FCFS', 'EASY, queue order: shortest first (SJF)', 'machine.csv']);
    assert.deepEqual((await drawnJobs(page, 4)).map(j => j.start), starts);
    await waitText(page, '#from-file', 'The file does not name the processors of 12 jobs');
    assert.equal(await page.$$eval('#scores tbody tr', all => all.length), 5);
    await click(page, '#compare-open');
    await selectOption(page, '#compare-base', '2');
    await selectOption(page, '#compare-other', '4');
    await waitText(page, '#compare-says', 'Under machine.csv, 0 of 12 jobs start earlier than under FCFS, by 0 s in total; 0 start later, by 0 s in total; 12 start at the same time.');

    await click(page, '#tab-jobs');
    await type(page, '#cell-3-4', '8'); // a longer runtime: the file contains a different one
    await waitForCharts(page);
    await page.waitForFunction(() => document.querySelectorAll('.chart').length === 5);
    await click(page, '#tab-policies');
    await chooseFile(page, () => page.click('#add-schedule'), writeFile('wide.csv', 'job,procs,start\n1,7,0\n2,5,5\n'));
    await waitText(page, '#unfit', 'wide.csv is not shown: expected a schedule of the same jobs: the number of processors of job "1" is 7 in the file and 5 in the scenario.');
    assert.equal((await titles(page)).length, 4);
    await chooseFile(page, () => page.click('#add-schedule'), writeFile('bad.csv', 'job,start\n1,soon\n'));
    await waitText(page, '#fault', 'bad.csv: line 2, column start: expected a time or nothing, got "soon"');
    await click(page, '#drop-schedule');
    await page.waitForFunction(() => !document.querySelector('#unfit'));
    assert.equal(await page.$('#drop-schedule'), null);
    assertNoConsoleErrors(page);
  });

  await t.test('a table with start times is offered as a schedule, and errors are reported', async () => {
    await openFile(page, writeFile('fresh.json', JSON.stringify(fourPolicies())));
    await waitText(page, '#notice', 'fresh.json');
    await waitForCharts(page);
    await openFile(page, writeFile('only.csv', fcfsSchedule));
    await waitText(page, '#fault', 'expected a header row with the column submit');
    await click(page, '#as-schedule');
    await waitText(page, '#notice', 'only.csv is shown as an external schedule.');
    await waitForCharts(page);
    assert.equal((await titles(page)).length, 5);
    assert.equal(await page.$('#as-schedule'), null);
    const rows = 'job,submit,start,procs,runtime\na,0,0,5,5\nb,1,2,5,3\nc,2,5,2,2\n';
    await openFile(page, writeFile('jobs.csv', rows));
    await waitText(page, '#notice', 'jobs.csv: 3 jobs.');
    await click(page, '#as-schedule');
    await waitText(page, '#notice', 'jobs.csv is shown as an external schedule.');
    await waitText(page, '#chart-4 .problem', 'Errors in this schedule');
    assertNoConsoleErrors(page);
  });
});

test('by keyboard alone: an external schedule survives edits, reports when it does not fit, and is restored by undo', async () => {
  const page = await openFourPolicies();
  await page.focus('#tab-policies');
  await page.keyboard.press('Enter');
  await tabTo(page, '#add-schedule');
  const completeSchedule = 'job,submit,start,finish,procs\n' + [[0, 5, 5], [1, 5, 3], [1, 3, 6], [3, 2, 7], [4, 2, 3], [5, 1, 16], [6, 4, 4], [8, 4, 9], [8, 5, 3], [11, 2, 15], [13, 3, 20], [13, 5, 10]]
    .map(([submit, procs, run], i) => `${i + 1},${submit + 100},${starts[i] + 100},${starts[i] + run + 100},${procs}`).join('\n');
  await chooseFile(page, () => page.keyboard.press('Enter'), writeFile('log.csv', completeSchedule));
  await waitText(page, '#notice', 'log.csv is shown');
  await waitText(page, '#from-file', 'The times in the file were 100 s ahead of the scenario');
  await waitForCharts(page);
  assert.deepEqual((await drawnJobs(page, 4)).map(j => j.start), starts);
  assert.equal(await page.$eval('#chart-4 .problem', el => el.textContent), '', 'the checker finds no errors');

  await page.focus('#tab-jobs');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#cell-1-2');
  await page.focus('#cell-1-2');
  await page.keyboard.type('4');
  await waitText(page, '#unfit', 'the number of processors of job "2" is 5 in the file and 4 in the scenario');
  assert.equal((await titles(page)).length, 4);
  await page.evaluate(() => document.activeElement.blur());
  await undo(page);
  await page.waitForFunction(() => document.querySelectorAll('.chart').length === 5 && !document.querySelector('#unfit'));
  await waitForCharts(page);
  await page.focus('#tab-policies');
  await page.keyboard.press('Enter');
  await tabTo(page, '#drop-schedule');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.chart').length === 4);
  await page.waitForFunction(() => document.activeElement.id === 'add-schedule');
  assertNoConsoleErrors(page);
});

test('an external schedule survives the crash of the worker', async () => {
  const page = await openFourPolicies();
  await click(page, '#tab-policies');
  await chooseFile(page, () => page.click('#add-schedule'), writeFile('machine.csv', fcfsSchedule));
  await waitText(page, '#notice', 'machine.csv is shown as an external schedule.');
  await page.evaluate(() => { // the worker crashes at the next run
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (m, ...more) {
      if (m.kind !== 'run' || window.labEnded) return post.call(this, m, ...more);
      window.labEnded = true;
      this.terminate();
      setTimeout(() => this.onerror({ preventDefault() {}, message: 'out of memory' }));
    };
  });
  await click(page, '#tab-jobs');
  await type(page, '#cell-3-4', '8');
  await waitText(page, '#fault', 'has restarted');
  await type(page, '#cell-3-4', '7');
  await page.waitForFunction(() => !document.querySelector('#fault'));
  await waitForCharts(page);
  assert.equal((await titles(page)).length, 5);
  assert.deepEqual((await drawnJobs(page, 4)).map(j => j.start), starts);
});
