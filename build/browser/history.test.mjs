// A real machine's history: accounting records of Slurm, privately in the page, by
// pointer and again by keyboard alone.
import { test, before } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { open, quiet, waitText, textOf, frames } from './lab.mjs';
import { choose, click, command, downloads, drawnJobs, expected, faultless, first, fresh, hands, openFile, rested, type, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();
let file;
before(() => {
  file = join(lab.folder, 'week.sacct');
  writeFileSync(file, records());
});

// records is a morning of a small cluster, as sacct -P prints it: two partitions, an
// array, steps, a cancelled job, memory and GPUs.
function records() {
  const lines = ['JobID|JobName|User|Account|Partition|State|Submit|Start|End|Elapsed|Timelimit|NNodes|AllocCPUS|AllocTRES|NodeList'];
  const clock = s => `2026-03-01T${new Date(s * 1000).toISOString().slice(11, 19)}`;
  const span = s => new Date(s * 1000).toISOString().slice(11, 19);
  const add = (id, user, partition, submit, start, runtime, limit, nodes, cpus, tres, list) => {
    const one = (id, name, user, part) => lines.push([id, name, user, 'physics', part, 'COMPLETED', clock(submit), clock(start), clock(start + runtime),
      span(runtime), span(limit), nodes, cpus, `billing=${cpus},cpu=${cpus},${tres},node=${nodes}`, list].join('|'));
    one(id, `${user}-run`, user, partition);
    one(`${id}.batch`, 'batch', '', partition);
  };
  add('100', 'ann.lee', 'batch', 0, 30, 3000, 7200, 4, 64, 'mem=64G', 'cn[01-04]');
  add('101', 'bob.ray', 'batch', 60, 3100, 1200, 3600, 2, 32, 'mem=16G', 'cn[01-02]');
  add('102', 'cyd.fox', 'batch', 120, 3100, 600, 900, 1, 16, 'mem=8G', 'cn03');
  add('103_1', 'dan.oak', 'gpu', 200, 200, 900, 1800, 1, 8, 'gres/gpu:a100=2,gres/gpu=2,mem=32G', 'gn01');
  add('103_2', 'dan.oak', 'gpu', 200, 1100, 900, 1800, 1, 8, 'gres/gpu:a100=2,gres/gpu=2,mem=32G', 'gn01');
  add('104', 'bob.ray', 'gpu', 300, 310, 400, 1200, 1, 4, 'gres/gpu:a100=1,gres/gpu=1,mem=8G', 'gn02');
  add('105', 'ann.lee', 'gpu', 360, 2100, 500, 600, 1, 4, 'gres/gpu:a100=2,gres/gpu=2,mem=8G', 'gn01');
  lines.push(['106', 'never', 'ann.lee', 'physics', 'gpu', 'CANCELLED by 1000', clock(400), 'None', clock(500), '00:00:00', '01:00:00', 1, 0, '', 'None assigned'].join('|'));
  return lines.join('\n') + '\n';
}

// same asserts that the picture is what the command makes of the file.
async function same(page, ...flags) {
  await fresh(page);
  const csv = backfill(['run', '-in', file, '-policy', 'easy', ...flags, '-jobs', '-', '-quiet']).toString();
  const want = csv.trim().split('\n').slice(1).map(l => l.split(',')).map(([, , start, finish, procs]) => ({ start: +start, finish: +finish, lanes: +procs }));
  assert.deepEqual(await drawnJobs(page, 0), want);
}

const focused = page => page.evaluate(() => document.activeElement.id);

// to goes to an element with the Tab key.
async function to(page, id) {
  for (let i = 0; await focused(page) !== id; i++) {
    assert.ok(i < 200, `the Tab key leads to ${id}`);
    await page.keyboard.press('Tab');
  }
  await frames(page);
}

test('an export is opened, and its partition, processors and resources are chosen', async () => {
  const page = await lab.page();
  await openFile(page, file);
  await waitText(page, '#notice', 'week.sacct: 7 jobs.');
  await same(page);
  assert.match(await textOf(page, '#happened'), /^On the real machine: mean wait 1242\.9 s, maximum wait 3040 s/);
  await click(page, '#report');
  const said = await page.$$eval('.report li', all => all.map(x => x.textContent));
  assert.ok(said.includes('Dropped 7 records of job steps (first: line 3).'), said.join('\n'));
  assert.ok(said.includes('Jobs of several partitions, which the model takes for one machine: batch (3), gpu (5).'), said.join('\n'));

  await click(page, '#choose-records');
  assert.deepEqual(await page.$$eval('#records-partition option', all => all.map(o => o.value)), ['all partitions', 'batch (3 records)', 'gpu (5 records)']);
  assert.match(await textOf(page, '#records-size'), /assuming 96 processors, because 6 nodes are named and a job had up to 16 CPUs on one\./);
  await choose(page, '#records-partition', 'gpu (5 records)');
  await waitText(page, '#notice', 'week.sacct: 4 jobs.');
  await same(page, '-partition', 'gpu');
  await choose(page, '#records-unit', 'nodes');
  await waitText(page, '#records-size', 'assuming 2 processors, the number of named nodes.');
  await same(page, '-partition', 'gpu', '-unit', 'nodes');
  await choose(page, '#records-unit', 'cpus');
  await waitText(page, '#records-size', '16 processors');
  await fresh(page);
  const gpu = await page.$$eval('#records label', all => all.find(l => l.textContent === 'gres/gpu').htmlFor);
  await click(page, `#${gpu}`);
  await click(page, '#tab-machine');
  await page.waitForSelector('#resource-0-capacity');
  assert.deepEqual([await valueOf(page, '#resource-0-name'), await valueOf(page, '#resource-0-capacity')], ['gres/gpu', '3']);
  await same(page, '-partition', 'gpu', '-resource', 'gres/gpu=3');

  // undo leads back through the choices, each with what was said of it
  await click(page, '#tab-workload');
  await click(page, '#undo');
  await same(page, '-partition', 'gpu');
  for (let i = 0; i < 3; i++) await click(page, '#undo');
  await same(page);
  assert.equal(await valueOf(page, '#records-partition'), 'all partitions');
  await click(page, '#undo');
  await fresh(page);
  assert.equal(await page.$('#records'), null);
  quiet(page);
});

test('what happened on the real machine stands beside the policies', async () => {
  const page = await lab.page();
  await openFile(page, file);
  await waitText(page, '#notice', 'week.sacct: 7 jobs.');
  await fresh(page);
  const policies = (await page.$$('.chart')).length;
  await page.focus('#as-schedule');
  await page.keyboard.press('Enter');
  await waitText(page, '#notice', 'week.sacct is shown as an external schedule.');
  await fresh(page);
  assert.equal((await page.$$('.chart')).length, policies + 1);
  await waitText(page, '.scores', 'week.sacct');
  quiet(page);
});

test('the same by keyboard alone', async () => {
  const page = await lab.page();
  await to(page, 'open');
  await hands(page, () => page.keyboard.press('Enter'), file);
  await waitText(page, '#notice', 'week.sacct: 7 jobs.');
  await fresh(page);
  await to(page, 'choose-records');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'records-partition');
  await page.keyboard.type('gpu');
  await waitText(page, '#notice', 'week.sacct: 4 jobs.');
  await same(page, '-partition', 'gpu');
  await to(page, 'records-unit');
  await page.keyboard.type('n');
  await waitText(page, '#records-size', 'assuming 2 processors, the number of named nodes.');
  await same(page, '-partition', 'gpu', '-unit', 'nodes');
  await page.keyboard.press('Tab');
  await page.keyboard.press(' ');
  await waitText(page, '#records-size', '2 processors');
  await page.waitForSelector('[data-chart="use"]');
  await same(page, '-partition', 'gpu', '-unit', 'nodes', '-resource', 'gres/gpu:a100=3');
  quiet(page);
});

const names = /ann\.lee|bob\.ray|cyd\.fox|dan\.oak|physics|103_|week|gres|a100|batch|gpu|cn0|gn0/;

// kept is all that the page keeps outside of its memory, or hands out.
async function kept(page) {
  await rested(page);
  const said = { address: await page.evaluate(() => location.hash) };
  const payload = /[#&]s=([^&]*)/.exec(said.address)?.[1];
  said.link = inflateRawSync(Buffer.from(payload, 'base64url')).toString('latin1');
  said.stored = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage },
    await Promise.all((await caches.keys()).map(async n => (await (await caches.open(n)).keys()).map(r => r.url))),
    (await indexedDB.databases?.() ?? []).map(d => d.name)]));
  said.heading = await textOf(page, '.top');
  const files = await downloads(page);
  for (const [id, name] of [['save', 'scenario'], ['save-table', 'table'], ['export-jobs-0', 'jobs'], ['export-svg', 'chart'], ['export-metrics', 'metrics']]) {
    await click(page, '#export');
    await click(page, `#${id}`);
    said[name] = (await files.next()).data.toString();
  }
  files.stop();
  return said;
}

test('names are taken out before sharing: of links, files and what the browser keeps', async () => {
  const page = await lab.page();
  await openFile(page, file);
  await waitText(page, '#notice', 'week.sacct: 7 jobs.');
  await fresh(page);
  await click(page, '#choose-records');
  const gpu = await page.$$eval('#records label', all => all.find(l => l.textContent === 'gres/gpu').htmlFor);
  await click(page, `#${gpu}`);
  await page.waitForSelector('[data-chart="use"]');
  await fresh(page);
  const before = await drawnJobs(page, 0);
  await page.type('#find', '103_1');
  await waitText(page, '#why-title', 'Job 103_1');
  assert.match((await kept(page)).scenario, names);
  await click(page, '#tab-workload');
  await click(page, '#anonymise');
  await waitText(page, '#notice', 'Replaced by numbers, in order of appearance: names of jobs (7), users (4), resources (1).');
  await waitText(page, '#notice', 'Undo restores the names');
  await fresh(page);
  assert.deepEqual(await drawnJobs(page, 0), before, 'the schedule is the same');
  assert.equal(await textOf(page, '#origin'), 'The jobs are those of an anonymised scenario.');
  for (const [where, text] of Object.entries(await kept(page))) assert.doesNotMatch(text, names, where);
  assert.doesNotMatch(await page.$eval('#edit', el => el.textContent), /ann\.lee|week\.sacct|gres/);
  await click(page, '#undo');
  await fresh(page);
  assert.match(await textOf(page, '#origin'), /week\.sacct/);
  quiet(page);
});

test('the same by keyboard alone', async () => {
  const page = await lab.page();
  await to(page, 'tab-workload');
  await page.keyboard.press('Enter');
  await to(page, 'anonymise');
  await page.keyboard.press('Enter');
  await waitText(page, '#notice', 'names of jobs (12)');
  await fresh(page);
  quiet(page);
});

// withBlocks is the first example on a machine with blocks.
const withBlocks = (...blocks) => ({ ...first(), machine: { nodes: 8, blocks } });

// hatched is the blocks as the first chart has them: from, to, lanes and name.
const hatched = page => page.evaluate(() => {
  const { shares, labels } = document.querySelector('[data-chart="gantt"][data-result="0"]').labChart.view, out = [];
  for (let i = 0; i < shares.length; i += 6) if (shares[i + 5] & 32) out.push([...shares.slice(i, i + 4), labels[shares[i + 4]]].join(' '));
  return out;
});

test('maintenance windows are typed, drawn, heeded, undone and linked', async () => {
  const page = await lab.page();
  await click(page, '#tab-machine');
  await click(page, '#add-block');
  await page.waitForFunction(() => document.activeElement.id === 'block-0-from');
  await type(page, '#block-0-from', '10');
  await type(page, '#block-0-to', '20');
  await type(page, '#block-0-procs', '4');
  await type(page, '#block-0-label', 'new switch');
  await fresh(page);
  const scenario = withBlocks({ from: 10, to: 20, procs: 4, label: 'new switch' });
  assert.deepEqual(await drawnJobs(page, 0), expected(backfill, scenario, 'easy'));
  assert.deepEqual(await drawnJobs(page, 1), expected(backfill, scenario, 'conservative'));
  assert.deepEqual(await hatched(page), ['10 20 4 8 new switch']);
  assert.match(await textOf(page, '#summary-0'), /Unavailable: new switch, 4 processors from 10 to 20\./);

  // what is wrong is said at the row, and nothing typed is lost
  await type(page, '#block-0-procs', '9');
  await waitText(page, '#block-0-problem', 'machine, block 1, procs: expected 1 to the machine\'s 8, got 9');
  await type(page, '#block-0-procs', 'four');
  await waitText(page, '#block-0-problem', 'expected a whole number, got "four"');
  await rested(page);
  const link = page.url();
  await type(page, '#block-0-procs', '4');
  await fresh(page);
  await rested(page);

  // a policy that does not support outages refuses the machine
  await click(page, '#tab-policies');
  await choose(page, '#policy-1-name', 'fair-slack');
  await waitText(page, '#problems', 'policy fair-slack: expected a machine without outages, which this policy does not support, got one with 1');
  await click(page, '#tab-workload');
  await click(page, '#undo');
  await fresh(page);

  const other = await open(lab.browser, link);
  await click(other, '#tab-machine');
  assert.equal(await valueOf(other, '#block-0-procs'), 'four');
  assert.equal(await valueOf(other, '#block-0-label'), 'new switch');
  quiet(other);
  await other.close();

  await click(page, '#tab-machine');
  await click(page, '#block-0-drop');
  await fresh(page);
  assert.deepEqual(await hatched(page), []);
  assert.deepEqual(await drawnJobs(page, 0), expected(backfill, first(), 'easy'));
  quiet(page);
});

test('the same by keyboard alone', async () => {
  const page = await lab.page();
  await to(page, 'tab-machine');
  await page.keyboard.press('Enter');
  await to(page, 'add-block');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'block-0-from');
  for (const text of ['5', '9', '8', 'drain']) {
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await fresh(page);
  assert.deepEqual(await drawnJobs(page, 0), expected(backfill, withBlocks({ from: 5, to: 9, procs: 8 }), 'easy'));
  assert.deepEqual(await hatched(page), ['5 9 0 8 drain']);
  await to(page, 'block-0-drop');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'add-block');
  quiet(page);
});

test('axe finds nothing in the forms of a history, light and dark', async () => {
  const page = await lab.page();
  await openFile(page, file);
  await waitText(page, '#notice', 'week.sacct: 7 jobs.');
  await fresh(page);
  for (const tab of ['workload', 'machine']) {
    await click(page, `#tab-${tab}`);
    if (tab === 'machine') await click(page, '#add-block');
    await faultless(page, tab, '#edit');
  }
});
