// Tests what-if questions: each kind of change, by pointer and by keyboard alone, the search for
// changes that start a job earlier, and expected starts. Each answer must equal a new run of the
// changed scenario.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoConsoleErrors, textOf, waitForFrames, waitText } from './lab.mjs';
import { selectOption, click, command, downloads, drawnJobs, nativeJobs, assertAccessible, firstExample, waitForCharts, openFile, overloadedTrace, tabTo, type, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// Job 9 of the first example is in row 8. Under EASY it waits from 8 to 24.
const row = 8, id = '9';

// Each change consists of the actions of a person and the same change to the scenario file.
const job = s => s.workload.jobs[row];
const changes = [
  { name: 'another size', field: 'procs', text: '2', edit: s => { job(s).procs = 2; } },
  { name: 'another submission', field: 'submit', text: '1', edit: s => { job(s).submit = 1; } },
  { name: 'another estimate', field: 'estimate', text: '3', edit: s => { job(s).estimate = 3; } },
  { name: 'an exact estimate', button: '#if-exact', edit: s => { job(s).estimate = job(s).runtime; } },
  { name: 'the job removed', button: '#if-remove', edit: s => { s.workload.jobs.splice(row, 1); } },
  { name: 'one more node', button: '#if-node', edit: s => { s.machine.nodes++; } },
  { name: 'another policy', field: 'policy', text: 'fcfs', edit: s => { s.policies.push({ name: 'fcfs' }); } },
];

// readAnswer returns the rows of the answer: policy, start of the job, and start after the
// change.
async function readAnswer(page) {
  await page.waitForSelector('#if-said');
  return page.$$eval('#if-said tbody tr', rows => rows.map(r => [...r.querySelectorAll('th, span')].map(c => c.textContent.replace('→', '').trim())));
}

// nativeRuns returns the command's jobs for each policy. It runs each scenario only once.
const nativeCache = new Map();
function nativeRuns(scenario) {
  const key = JSON.stringify(scenario);
  if (!nativeCache.has(key)) nativeCache.set(key, computeNativeRuns(scenario));
  return nativeCache.get(key);
}

function computeNativeRuns(scenario) {
  const order = scenario.workload.jobs.map((j, i) => ({ ...j, i })).sort((a, b) => a.submit - b.submit || a.i - b.i);
  return scenario.policies.map(p => {
    const jobs = nativeJobs(backfill, scenario, p.name);
    return { jobs, of: name => jobs[order.findIndex(j => j.id === name)] };
  });
}

// assertAnswer asserts that the answer equals a native run of the changed scenario, and returns
// that run.
function assertAnswer(rows, change) {
  const was = nativeRuns(firstExample()), changed = firstExample();
  change.edit(changed);
  const is = nativeRuns(changed);
  rows.forEach(([, before, after], i) => {
    assert.equal(+before, was[i].of(id).start);
    const then = change.field === 'policy' ? is[2] : is[i];
    assert.equal(after, then.of(id) ? String(then.of(id).start) : 'removed', change.name);
  });
  return is;
}

// assertShown asserts that the charts show the schedules of the given native runs.
async function assertShown(page, runs) {
  await page.waitForFunction(n => document.querySelectorAll('[data-chart="gantt"]').length === n, {}, runs.length);
  await waitForCharts(page);
  for (const [i, r] of runs.entries()) assert.deepEqual(await drawnJobs(page, i), r.jobs);
}

async function selectJob(page) {
  await waitForCharts(page);
  await click(page, `#cell-${row}-0`);
  await waitText(page, '#why-title', `Job ${id}`);
  await page.waitForSelector('#if-procs');
}

test('each change, tried by pointer, gives the starts of a run of the changed scenario', async () => {
  const page = await lab.shared();
  for (const change of changes) {
    await selectJob(page);
    if (change.field === 'policy') await selectOption(page, '#if-policy', change.text);
    else if (change.field) await type(page, `#if-${change.field}`, change.text);
    await click(page, change.button ?? '#if-try');
    const runs = assertAnswer(await readAnswer(page), change);
    await assertShown(page, nativeRuns(firstExample())); // nothing has changed yet
    await click(page, '#if-make');
    await assertShown(page, runs);
    await waitText(page, '#notice', 'Undo reverts it');
    assert.equal(await page.$('#if-said'), null, 'the answer for the earlier schedules is removed');
    if (!change.button?.includes('remove')) await waitText(page, '#why-title', `Job ${id}`);
    await click(page, '#undo');
    await assertShown(page, nativeRuns(firstExample()));
  }
  assertNoConsoleErrors(page);
});

test('each change can be tried by keyboard alone', async () => {
  const page = await lab.page();
  const clear = async () => {
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.press('Backspace');
  };
  await page.keyboard.press('Tab'); // past the table, so that Tab need not pass all other jobs
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'gantt-0');
  for (const change of changes) {
    await tabTo(page, '#find', { back: true });
    await clear();
    await page.keyboard.type(id);
    await waitText(page, '#why-title', `Job ${id}`);
    await tabTo(page, '#to-if');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'if-title');
    if (change.field) {
      await tabTo(page, `#if-${change.field}`);
      if (change.field === 'policy') {
        await page.keyboard.type('fcfs'); // typing selects in a list
        assert.equal(await valueOf(page, '#if-policy'), change.text);
      } else {
        await clear();
        await page.keyboard.type(change.text);
      }
    }
    await tabTo(page, change.button ?? '#if-try');
    await page.keyboard.press('Enter');
    const runs = assertAnswer(await readAnswer(page), change);
    await tabTo(page, '#if-make');
    await page.keyboard.press('Enter');
    await assertShown(page, runs);
    await page.waitForFunction(() => /^(if|why)-title$/.test(document.activeElement.id)); // the focus is kept
    await undo(page);
    await assertShown(page, nativeRuns(firstExample()));
  }
  assertNoConsoleErrors(page);
});

test('the page tries changes and lists those that start a job earlier', async () => {
  const page = await lab.shared();
  await selectJob(page);
  await click(page, '#if-sooner-0');
  await page.waitForSelector('#if-found');
  const tries = await page.$$eval('.tries button', all => all.map(b => b.textContent));
  assert.equal(tries[1], '8, 16 s sooner, if it requested 2 processors');
  assert.deepEqual(tries.map(t => parseInt(t)), tries.map(t => parseInt(t)).sort((a, b) => a - b));
  const commandLines = backfill(['whatif', '-in', '-', '-format', 'json', '-job', id, '-sooner', '-policy', 'easy'], JSON.stringify(firstExample())).toString().split('\n').map(l => l.trim());
  assert.deepEqual(tries, commandLines.slice(1, 1 + tries.length), 'the command finds the same changes');
  for (const rest of await page.$$eval('#if-found p', all => all.map(p => p.textContent))) assert.ok(commandLines.includes(rest), rest);
  for (let i = 0; i < tries.length; i++) {
    await page.focus(`.tries li:nth-child(${i + 1}) button`);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'if-said-title');
    assert.equal((await readAnswer(page))[0][2], tries[i].split(',')[0]);
    assert.ok(tries[i].endsWith((await textOf(page, '#if-said-title')).replace('If ', 'if ')));
    await page.evaluate(() => document.activeElement.blur());
  }
  await click(page, '#if-said .others button');
  await page.waitForFunction(i => !document.querySelector('#why-title').textContent.includes(`Job ${i} `), {}, id);
  assert.equal(await page.$('#if-said'), null, 'the answer for another job is removed');
  assertNoConsoleErrors(page);
});

test('the page shows the expected start of a waiting job', async () => {
  const page = await lab.shared();
  await selectJob(page);
  await page.focus('#gantt-0');
  const shownTime = async () => +/t = (\d+)/.exec(await textOf(page, '#why-title'))[1];
  for (let was = await shownTime(); was !== 13; was = await shownTime()) {
    await page.keyboard.press(']');
    await page.waitForFunction(t => +/t = (\d+)/.exec(document.querySelector('#why-title').textContent)[1] !== t, {}, was);
  }
  const at = await shownTime();
  const prediction = backfill(['whatif', '-in', '-', '-format', 'json', '-predict', String(at)], JSON.stringify(firstExample())).toString();
  const starts = [...prediction.matchAll(new RegExp(`job ${id}  expected to start at (\\d+)`, 'g'))].map(m => m[1]);
  assert.equal(starts.length, 2);
  for (const [i, start] of starts.entries()) await waitText(page, `#why article:nth-of-type(${i + 1}) .expected`, `Expected start at t = ${start},`);
  assertNoConsoleErrors(page);
});

test('errors are shown at their fields, and the text stays', async () => {
  const page = await lab.shared();
  await selectJob(page);
  for (const [field, text, error] of [
    ['procs', '9', "expected at most the machine's 8, got 9"], ['procs', 'two', 'expected a whole number from 1 to 10^12, got "two"'],
    ['submit', '-1', 'expected a time from 0 to 10^12 s'], ['estimate', '2', 'expected at least 3 (the runtime), got 2'],
  ]) {
    const was = await valueOf(page, `#if-${field}`);
    await type(page, `#if-${field}`, text);
    await click(page, '#if-try');
    await waitText(page, '.whatif .problem', error);
    assert.equal(await page.$eval(`#if-${field}`, el => el.closest('.field').querySelector('.problem') !== null), true);
    assert.equal(await valueOf(page, `#if-${field}`), text);
    assert.equal(await page.$('#if-said'), null);
    await type(page, `#if-${field}`, was);
  }
  await click(page, '#if-try');
  await waitText(page, '#if-says', 'Change at least one value first.');
  assertNoConsoleErrors(page);
});

test('an answer is removed when the schedules change', async () => {
  const page = await lab.shared();
  await selectJob(page);
  await click(page, '#if-node');
  await readAnswer(page);
  await type(page, '#cell-0-4', '4'); // runtime of job 1
  assert.equal(await page.$('#if-said'), null);
  await waitForCharts(page);
  assert.equal(await page.$('#if-said'), null);
  await selectJob(page);
  await click(page, '#if-node');
  const changed = firstExample();
  changed.workload.jobs[0].runtime = 4;
  const was = nativeRuns(changed);
  changed.machine.nodes++;
  const is = nativeRuns(changed);
  assert.deepEqual((await readAnswer(page)).map(r => [+r[1], +r[2]]), is.map((r, i) => [was[i].of(id).start, r.of(id).start]));
  assertNoConsoleErrors(page);
});

test('applying an answer changes the scenario exactly as announced', async () => {
  const scenario = { version: 1, title: 'kept', machine: { nodes: 32 }, workload: { generator: 'lublin', parameters: { jobs: 120 }, seed: 4 }, rules: { warmup: 5 }, policies: [{ name: 'easy' }, { name: 'conservative' }] };
  const page = await lab.shared(scenario);
  await click(page, '#seconds');
  await waitForCharts(page);
  await click(page, '#cell-9-0');
  await page.waitForSelector('#if-procs');
  const before = await textOf(page, '#why-title');
  await type(page, '#if-procs', '1');
  await click(page, '#if-try');
  const answer = await readAnswer(page);
  await click(page, '#if-make');
  await waitForCharts(page);
  assert.equal((await textOf(page, '#why-title')).split(' at ')[0], before.split(' at ')[0]);
  const files = await downloads(page);
  await click(page, '#export');
  await click(page, '#save');
  const file = (await files.next()).data.toString();
  for (const [i, p] of scenario.policies.entries()) {
    const native = backfill(['run', '-in', '-', '-format', 'json', '-policy', p.name, '-jobs', '-', '-quiet'], file).toString();
    assert.equal(native.split('\n')[10].split(',')[2], answer[i][2]);
    await click(page, '#export');
    await click(page, `#export-jobs-${i}`);
    assert.equal((await files.next()).data.toString(), native, 'the exported jobs are identical');
  }
  files.stop();
  assertNoConsoleErrors(page);
});

test('a long search can be cancelled, and an edit ends it', async () => {
  const page = await lab.shared();
  const path = join(lab.folder, 'long.swf');
  writeFileSync(path, overloadedTrace(2500, 64));
  await openFile(page, path);
  await waitText(page, '#notice', 'long.swf');
  await waitForCharts(page);
  await type(page, '#find', '2400');
  await waitText(page, '#found', 'of');
  await page.waitForSelector('#if-sooner-1', { timeout: 20_000 });
  await click(page, '#if-sooner-1');
  await page.waitForSelector('#if-cancel', { timeout: 20_000 });
  assert.match(await textOf(page, '#if-says'), /^Trying: \d+ of \d+ changes$/);
  await click(page, '#if-cancel');
  await waitText(page, '#if-says', 'Cancelled.');
  assert.equal(await page.$('#if-cancel'), null);
  await click(page, '#if-sooner-1');
  await page.waitForSelector('#if-cancel', { timeout: 20_000 });
  await type(page, '#cell-0-4', '77');
  await waitForCharts(page, 120_000);
  assert.equal(await page.$('#if-cancel'), null);
  assert.equal(await page.$('#if-found'), null);
  assertNoConsoleErrors(page);
});

test('no axe violations, light and dark, wide and narrow', async () => {
  const page = await lab.page({ width: 390 });
  await type(page, '#find', id);
  await waitText(page, '#why-title', `Job ${id}`);
  await click(page, '#if-sooner-0');
  await page.waitForSelector('#if-found');
  await click(page, '#if-node');
  await readAnswer(page);
  await type(page, '#if-procs', '9');
  await click(page, '#if-try');
  await page.waitForSelector('.whatif .problem');
  for (const [width, themes] of [[390], [1024, ['light']], [1440, ['light']]]) {
    await page.setViewport({ width, height: 900 });
    await waitForFrames(page);
    await assertAccessible(page, `${width} px`, undefined, themes);
    assert.ok(await page.$eval('#why', el => el.scrollWidth <= el.clientWidth), `nothing is cut off at ${width} px`);
  }
  assertNoConsoleErrors(page);
});
