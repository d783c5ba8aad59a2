// What if: each change by pointer and by keyboard alone, what would help, what is to
// be expected; an answer is what a fresh run of the changed scenario gives.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quiet, textOf, waitText } from './lab.mjs';
import { choose, click, command, downloads, drawnJobs, expected, faultless, first, fresh, openFile, overloaded, reach, type, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), run = command();

// Job 9 of the first example, at row 8; under EASY it waits from 8 to 24.
const row = 8, id = '9';

// The changes: how a person asks for each, and the same done to the scenario file.
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

// answered is the answer as it stands: by policy the start of the job and that which it
// would have.
async function answered(page) {
  await page.waitForSelector('#if-said');
  return page.$$eval('#if-said tbody tr', rows => rows.map(r => [...r.children].map(c => c.textContent.trim())));
}

// natively is what the command says of a scenario, asked once: by policy the jobs by id.
const asked = new Map();
function natively(scenario) {
  const key = JSON.stringify(scenario);
  if (!asked.has(key)) asked.set(key, natural(scenario));
  return asked.get(key);
}

function natural(scenario) {
  const order = scenario.workload.jobs.map((j, i) => ({ ...j, i })).sort((a, b) => a.submit - b.submit || a.i - b.i);
  return scenario.policies.map(p => {
    const jobs = expected(run, scenario, p.name);
    return { jobs, of: name => jobs[order.findIndex(j => j.id === name)] };
  });
}

// agrees holds that the answer is the native run of the changed scenario.
function agrees(rows, change) {
  const was = natively(first()), changed = first();
  change.edit(changed);
  const is = natively(changed);
  rows.forEach(([, before, after], i) => {
    assert.equal(+before, was[i].of(id).start);
    const then = change.field === 'policy' ? is[2] : is[i];
    assert.equal(after, then.of(id) ? String(then.of(id).start) : 'removed', change.name);
  });
  return is;
}

// shows holds that the pictures are of these native runs.
async function shows(page, runs) {
  await page.waitForFunction(n => document.querySelectorAll('[data-chart="gantt"]').length === n, {}, runs.length);
  await fresh(page);
  for (const [i, r] of runs.entries()) assert.deepEqual(await drawnJobs(page, i), r.jobs);
}

async function chosen(page) {
  await fresh(page);
  await click(page, `#cell-${row}-0`);
  await waitText(page, '#why-title', `Job ${id}`);
  await page.waitForSelector('#if-procs');
}

test('each change by pointer: the answer is the schedule that the change makes', async () => {
  const page = await lab.page();
  for (const change of changes) {
    await chosen(page);
    if (change.field === 'policy') await choose(page, '#if-policy', change.text);
    else if (change.field) await type(page, `#if-${change.field}`, change.text);
    await click(page, change.button ?? '#if-try');
    const runs = agrees(await answered(page), change);
    await shows(page, natively(first())); // nothing has changed yet
    await click(page, '#if-make');
    await shows(page, runs);
    await waitText(page, '#notice', 'Undo reverts it');
    assert.equal(await page.$('#if-said'), null, 'what was said is of the schedules before');
    if (!change.button?.includes('remove')) await waitText(page, '#why-title', `Job ${id}`);
    await click(page, '#undo');
    await shows(page, natively(first()));
  }
  quiet(page);
});

test('each change by keyboard alone', async () => {
  const page = await lab.page();
  const clear = async () => {
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.press('Backspace');
  };
  await page.keyboard.press('Tab'); // past the table, which would lead through all other jobs
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'gantt-0');
  for (const change of changes) {
    await reach(page, '#find', { back: true });
    await clear();
    await page.keyboard.type(id);
    await waitText(page, '#why-title', `Job ${id}`);
    await reach(page, '#to-if');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'if-title');
    if (change.field) {
      await reach(page, `#if-${change.field}`);
      if (change.field === 'policy') {
        await page.keyboard.type('fcfs'); // a list goes to what is typed
        assert.equal(await valueOf(page, '#if-policy'), change.text);
      } else {
        await clear();
        await page.keyboard.type(change.text);
      }
    }
    await reach(page, change.button ?? '#if-try');
    await page.keyboard.press('Enter');
    const runs = agrees(await answered(page), change);
    await reach(page, '#if-make');
    await page.keyboard.press('Enter');
    await shows(page, runs);
    await page.waitForFunction(() => /^(if|why)-title$/.test(document.activeElement.id)); // the keyboard is not lost
    await undo(page);
    await shows(page, natively(first()));
  }
  quiet(page);
});

test('what would have started it sooner, found by trying', async () => {
  const page = await lab.page();
  await chosen(page);
  await click(page, '#if-sooner-0');
  await page.waitForSelector('#if-found');
  const tries = await page.$$eval('.tries button', all => all.map(b => b.textContent));
  assert.equal(tries[1], '8, 16 s sooner, if it requested 2 processors');
  assert.deepEqual(tries.map(t => parseInt(t)), tries.map(t => parseInt(t)).sort((a, b) => a - b));
  const said = run(['whatif', '-in', '-', '-format', 'json', '-job', id, '-sooner', '-policy', 'easy'], JSON.stringify(first())).toString().split('\n').map(l => l.trim());
  assert.deepEqual(tries, said.slice(1, 1 + tries.length), 'the command says the same');
  for (const rest of await page.$$eval('#if-found p', all => all.map(p => p.textContent))) assert.ok(said.includes(rest), rest);
  for (let i = 0; i < tries.length; i++) {
    await page.focus(`.tries li:nth-child(${i + 1}) button`);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'if-said-title');
    assert.equal((await answered(page))[0][2], tries[i].split(',')[0]);
    assert.ok(tries[i].endsWith((await textOf(page, '#if-said-title')).replace('If ', 'if ')));
    await page.evaluate(() => document.activeElement.blur());
  }
  await click(page, '#if-said .others button');
  await page.waitForFunction(i => !document.querySelector('#why-title').textContent.includes(`Job ${i} `), {}, id);
  assert.equal(await page.$('#if-said'), null, 'it was about another job');
  quiet(page);
});

test('the start to be expected of a waiting job', async () => {
  const page = await lab.page();
  await chosen(page);
  await page.focus('#gantt-0');
  const moment = async () => +/t = (\d+)/.exec(await textOf(page, '#why-title'))[1];
  for (let was = await moment(); was !== 13; was = await moment()) {
    await page.keyboard.press(']');
    await page.waitForFunction(t => +/t = (\d+)/.exec(document.querySelector('#why-title').textContent)[1] !== t, {}, was);
  }
  const at = await moment();
  const said = run(['whatif', '-in', '-', '-format', 'json', '-predict', String(at)], JSON.stringify(first())).toString();
  const starts = [...said.matchAll(new RegExp(`job ${id}  expected to start at (\\d+)`, 'g'))].map(m => m[1]);
  assert.equal(starts.length, 2);
  for (const [i, start] of starts.entries()) await waitText(page, `#why article:nth-of-type(${i + 1}) .expected`, `Expected start at t = ${start},`);
  quiet(page);
});

test('faults stand at their fields, and what is typed stays', async () => {
  const page = await lab.page();
  await chosen(page);
  for (const [field, text, fault] of [
    ['procs', '9', "expected at most the machine's 8, got 9"], ['procs', 'two', 'expected a whole number from 1 to 10^12, got "two"'],
    ['submit', '-1', 'expected a whole number from 0'], ['estimate', '2', 'expected at least the runtime, 3, got 2'],
  ]) {
    const was = await valueOf(page, `#if-${field}`);
    await type(page, `#if-${field}`, text);
    await click(page, '#if-try');
    await waitText(page, '.whatif .problem', fault);
    assert.equal(await page.$eval(`#if-${field}`, el => el.closest('.field').querySelector('.problem') !== null), true);
    assert.equal(await valueOf(page, `#if-${field}`), text);
    assert.equal(await page.$('#if-said'), null);
    await type(page, `#if-${field}`, was);
  }
  await click(page, '#if-try');
  await waitText(page, '#if-says', 'Change at least one value first.');
  quiet(page);
});

test('an answer is never shown as one of other schedules', async () => {
  const page = await lab.page();
  await chosen(page);
  await click(page, '#if-node');
  await answered(page);
  await type(page, '#cell-0-4', '4'); // runtime of job 1
  assert.equal(await page.$('#if-said'), null);
  await fresh(page);
  assert.equal(await page.$('#if-said'), null);
  await chosen(page);
  await click(page, '#if-node');
  const changed = first();
  changed.workload.jobs[0].runtime = 4;
  const was = natively(changed);
  changed.machine.nodes++;
  const is = natively(changed);
  assert.deepEqual((await answered(page)).map(r => [+r[1], +r[2]]), is.map((r, i) => [was[i].of(id).start, r.of(id).start]));
  quiet(page);
});

test('the scenario of an answer is that of the change, to the last bit', async () => {
  const scenario = { version: 1, title: 'kept', machine: { nodes: 32 }, workload: { generator: 'lublin', parameters: { jobs: 120 }, seed: 4 }, rules: { warmup: 5 }, policies: [{ name: 'easy' }, { name: 'conservative' }] };
  const page = await lab.scenario(scenario);
  await click(page, '#cell-9-0');
  await page.waitForSelector('#if-procs');
  const before = await textOf(page, '#why-title');
  await type(page, '#if-procs', '1');
  await click(page, '#if-try');
  const said = await answered(page);
  await click(page, '#if-make');
  await fresh(page);
  assert.equal((await textOf(page, '#why-title')).split(' at ')[0], before.split(' at ')[0]);
  const files = await downloads(page);
  await click(page, '#export');
  await click(page, '#save');
  const file = (await files.next()).data.toString();
  for (const [i, p] of scenario.policies.entries()) {
    const native = run(['run', '-in', '-', '-format', 'json', '-policy', p.name, '-jobs', '-', '-quiet'], file).toString();
    assert.equal(native.split('\n')[10].split(',')[2], said[i][2]);
    await click(page, '#export');
    await click(page, `#export-jobs-${i}`);
    assert.equal((await files.next()).data.toString(), native, 'byte for byte');
  }
  files.stop();
  quiet(page);
});

test('a long search can be cancelled, and ends with an edit', async () => {
  const page = await lab.page();
  const path = join(lab.folder, 'long.swf');
  writeFileSync(path, overloaded(2500, 64));
  await openFile(page, path);
  await waitText(page, '#notice', 'long.swf');
  await fresh(page);
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
  await fresh(page, 120_000);
  assert.equal(await page.$('#if-cancel'), null);
  assert.equal(await page.$('#if-found'), null);
  quiet(page);
});

test('no fault that axe knows of, light and dark, wide and narrow', async () => {
  for (const width of [1440, 1024, 390]) {
    const page = await lab.page({ width });
    if (width < 1100) {
      await type(page, '#find', id);
      await waitText(page, '#why-title', `Job ${id}`);
    } else {
      await chosen(page);
    }
    await click(page, '#if-sooner-0');
    await page.waitForSelector('#if-found');
    await click(page, '#if-node');
    await answered(page);
    await type(page, '#if-procs', '9');
    await click(page, '#if-try');
    await page.waitForSelector('.whatif .problem');
    await faultless(page, `${width} px`);
    assert.ok(await page.$eval('#why', el => el.scrollWidth <= el.clientWidth), 'nothing is cut off');
    quiet(page);
    await page.close();
  }
});
