// Tests the use of Slurm accounting records from a real machine, which never leave the page. The
// tests use the pointer, and the keyboard alone.
import { test, before } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { open, assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { selectOption, click, command, downloads, drawnJobs, nativeJobs, assertAccessible, firstExample, waitForCharts, chooseFile, openFile, waitForStableAddress, type, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();
let file, fresh;
before(() => {
  fresh = join(lab.folder, 'fresh.json');
  writeFileSync(fresh, JSON.stringify(firstExample()));
  file = join(lab.folder, 'week.sacct');
  writeFileSync(file, records());
});

// records returns the records of a morning on a small cluster, as printed by sacct -P: two
// partitions, a job array, job steps, a cancelled job, memory and GPUs.
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

// assertSchedule asserts that the chart shows the command's schedule of the file.
async function assertSchedule(page, ...flags) {
  await waitForCharts(page);
  const csv = backfill(['run', '-in', file, '-policy', 'easy', ...flags, '-jobs', '-', '-quiet']).toString();
  const want = csv.trim().split('\n').slice(1).map(l => l.split(',')).map(([, , start, finish, procs]) => ({ start: +start, finish: +finish, lanes: +procs }));
  assert.deepEqual(await drawnJobs(page, 0), want);
}

const activeId = page => page.evaluate(() => document.activeElement.id);

// acceptMachine accepts the machine that the page proposes for accounting records.
async function acceptMachine(page) {
  await click(page, '#ask-accept');
  await waitForCharts(page);
}

// tabToId moves the focus to an element with the Tab key.
async function tabToId(page, id) {
  for (let i = 0; await activeId(page) !== id; i++) {
    assert.ok(i < 200, `Tab does not lead to ${id}`);
    await page.keyboard.press('Tab');
  }
  await waitForFrames(page);
}

test('an export of accounting records', async t => {
  const page = await lab.page();
  await t.test('it is opened by keyboard alone', async () => {
    await tabToId(page, 'open');
    await chooseFile(page, () => page.keyboard.press('Enter'), file);
    await waitText(page, '#notice', 'week.sacct: 7 jobs.');
    await tabToId(page, 'choose-records');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'records-partition-0');
    await page.keyboard.press(' ');
    await waitText(page, '#notice', 'week.sacct: 4 jobs.');
    await tabToId(page, 'records-unit');
    await page.keyboard.type('n');
    await waitText(page, '#records-size', 'Proposed machine: 2 nodes.');
    await tabToId(page, 'ask-accept');
    await page.keyboard.press('Enter');
    await assertSchedule(page, '-partition', 'gpu', '-unit', 'nodes');
    await tabToId(page, 'records-use-0');
    await page.keyboard.press(' ');
    await page.waitForSelector('[data-chart="use"]');
    await assertSchedule(page, '-partition', 'gpu', '-unit', 'nodes', '-resource', 'gres/gpu:a100=3');
    assertNoConsoleErrors(page);
  });

  await t.test('it is opened, and its partition, processors and resources are selected', async () => {
    await openFile(page, fresh);
    await waitText(page, '#notice', 'fresh.json');
    await waitForCharts(page);
    await click(page, '#tab-jobs');
    await openFile(page, file);
    await waitText(page, '#notice', 'week.sacct: 7 jobs.');
    await acceptMachine(page);
    await assertSchedule(page);
    assert.match(await textOf(page, '#happened'), /^On the real machine: mean wait 20 min 43 s, maximum wait 50 min 40 s/);
    await click(page, '#report');
    const reportLines = await page.$$eval('.report li', all => all.map(x => x.textContent));
    assert.ok(reportLines.includes('Dropped 7 records of job steps (first: line 3).'), reportLines.join('\n'));
    assert.ok(reportLines.includes('Jobs of several partitions, which the model treats as one machine: batch (3), gpu (4).'), reportLines.join('\n'));

    await click(page, '#choose-records');
    const partitions = () => page.$$eval('#records [id^=records-partition-][type=checkbox]', all => all.map(o => [document.querySelector(`label[for=${o.id}]`).textContent, o.checked].join(' ')));
    assert.deepEqual(await partitions(), ['Partition batch true', 'Partition gpu true']);
    assert.match(await textOf(page, '#records-size'), /Proposed machine: 6 nodes of 16 cores\. The records name 6 nodes \(NodeList\)\. A job used up to 16 CPUs on one node\./);
    await click(page, '#records-partition-0');
    await waitText(page, '#notice', 'week.sacct: 4 jobs.');
    await acceptMachine(page);
    await assertSchedule(page, '-partition', 'gpu');
    await selectOption(page, '#records-unit', 'nodes');
    await waitText(page, '#records-size', 'Proposed machine: 2 nodes.');
    await acceptMachine(page);
    await assertSchedule(page, '-partition', 'gpu', '-unit', 'nodes');
    await selectOption(page, '#records-unit', 'cpus');
    await waitText(page, '#records-size', '2 nodes of 8 cores');
    await acceptMachine(page);
    const gpu = await page.$$eval('#records label', all => all.find(l => l.textContent === 'gres/gpu').htmlFor);
    await click(page, `#${gpu}`);
    await click(page, '#tab-machine');
    await page.waitForSelector('#resource-0-capacity');
    assert.deepEqual([await valueOf(page, '#resource-0-name'), await valueOf(page, '#resource-0-capacity')], ['gres/gpu', '3']);
    await assertSchedule(page, '-partition', 'gpu', '-resource', 'gres/gpu=3');

    // Undo restores the earlier selections, with their notices.
    await click(page, '#tab-workload');
    await click(page, '#undo');
    await assertSchedule(page, '-partition', 'gpu');
    for (let i = 0; i < 6; i++) await click(page, '#undo');
    await assertSchedule(page);
    assert.deepEqual(await partitions(), ['Partition batch true', 'Partition gpu true']);
    await click(page, '#undo');
    await page.waitForSelector('#ask-machine');
    await click(page, '#undo');
    await waitForCharts(page);
    assert.equal(await page.$('#records'), null);
    assertNoConsoleErrors(page);
  });

  await t.test('the actual schedule is shown with the schedules of the policies', async () => {
    await openFile(page, file);
    await waitText(page, '#notice', 'week.sacct: 7 jobs.');
    await page.waitForSelector('#ask-accept');
    assert.equal(await page.$('#as-schedule'), null, 'the question about the machine comes first');
    await acceptMachine(page);
    const policies = (await page.$$('.chart')).length;
    await page.focus('#as-schedule');
    await page.keyboard.press('Enter');
    await waitText(page, '#notice', 'week.sacct is shown as an external schedule.');
    await waitForCharts(page);
    assert.equal((await page.$$('.chart')).length, policies + 1);
    await waitText(page, '.scores', 'week.sacct');
    assertNoConsoleErrors(page);
  });

  await t.test('no axe violations in the forms for accounting records and outages, light and dark', async () => {
    for (const tab of ['workload', 'machine']) {
      await click(page, `#tab-${tab}`);
      if (tab === 'machine') await click(page, '#add-block');
      await assertAccessible(page, tab, '#edit');
    }
  });
});

const names = /ann\.lee|bob\.ray|cyd\.fox|dan\.oak|physics|103_|week|gres|a100|batch|gpu|cn0|gn0/;

// everythingStored returns everything that the page exports or stores in the browser.
async function everythingStored(page) {
  await waitForStableAddress(page);
  const found = { address: await page.evaluate(() => location.hash) };
  const payload = /[#&]s=([^&]*)/.exec(found.address)?.[1];
  found.link = inflateRawSync(Buffer.from(payload, 'base64url')).toString('latin1');
  found.stored = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage },
    await Promise.all((await caches.keys()).map(async n => (await (await caches.open(n)).keys()).map(r => r.url))),
    (await indexedDB.databases?.() ?? []).map(d => d.name)]));
  found.heading = await textOf(page, '.top');
  const files = await downloads(page);
  for (const [id, name] of [['save', 'scenario'], ['save-table', 'table'], ['export-jobs-0', 'jobs'], ['export-svg', 'chart'], ['export-metrics', 'metrics']]) {
    await click(page, '#export');
    await click(page, `#${id}`);
    found[name] = (await files.next()).data.toString();
  }
  files.stop();
  return found;
}

test('anonymising removes names from links, files and storage', async () => {
  const page = await lab.page();
  await openFile(page, file);
  await waitText(page, '#notice', 'week.sacct: 7 jobs.');
  await acceptMachine(page);
  await click(page, '#choose-records');
  const gpu = await page.$$eval('#records label', all => all.find(l => l.textContent === 'gres/gpu').htmlFor);
  await click(page, `#${gpu}`);
  await page.waitForSelector('[data-chart="use"]');
  await waitForCharts(page);
  const before = await drawnJobs(page, 0);
  await page.type('#find', '103_1');
  await waitText(page, '#why-title', 'Job 103_1');
  assert.match((await everythingStored(page)).scenario, names);
  await click(page, '#tab-workload');
  await click(page, '#anonymise');
  await waitText(page, '#notice', 'Replaced by numbers, in order of appearance: names of jobs (7), users (4), resources (1).');
  await waitText(page, '#notice', 'Undo can restore the names');
  await waitForCharts(page);
  assert.deepEqual(await drawnJobs(page, 0), before, 'the schedule is the same');
  assert.equal(await textOf(page, '#origin'), 'The jobs come from an anonymised scenario.');
  for (const [where, text] of Object.entries(await everythingStored(page))) assert.doesNotMatch(text, names, where);
  assert.doesNotMatch(await page.$eval('#edit', el => el.textContent), /ann\.lee|week\.sacct|gres/);
  await click(page, '#undo');
  await waitForCharts(page);
  assert.match(await textOf(page, '#origin'), /week\.sacct/);
  assertNoConsoleErrors(page);
});

test('names are anonymised, and maintenance windows are typed', async t => {
  const page = await lab.page();
  await t.test('names are removed by keyboard alone', async () => {
    await tabToId(page, 'tab-workload');
    await page.keyboard.press('Enter');
    await tabToId(page, 'anonymise');
    await page.keyboard.press('Enter');
    await waitText(page, '#notice', 'names of jobs (12)');
    await waitForCharts(page);
    await click(page, '#undo');
    await waitForCharts(page);
    assertNoConsoleErrors(page);
  });

  await t.test('maintenance windows are typed by keyboard alone', async () => {
    await tabToId(page, 'tab-machine');
    await page.keyboard.press('Enter');
    await tabToId(page, 'add-block');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'block-0-from');
    for (const text of ['5', '9', '8', 'drain']) {
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await waitForCharts(page);
    assert.deepEqual(await drawnJobs(page, 0), nativeJobs(backfill, withOutages({ from: 5, to: 9, procs: 8 }), 'easy'));
    assert.deepEqual(await outages(page), ['5 9 0 8 drain']);
    await tabToId(page, 'block-0-drop');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'add-block');
    assertNoConsoleErrors(page);
  });

  await t.test('maintenance windows are typed and drawn, no job runs in them, and undo and links restore them', async () => {
    await click(page, '#add-block');
    await page.waitForFunction(() => document.activeElement.id === 'block-0-from');
    await type(page, '#block-0-from', '10');
    await type(page, '#block-0-to', '20');
    await type(page, '#block-0-procs', '4');
    await type(page, '#block-0-label', 'new switch');
    await waitForCharts(page);
    const scenario = withOutages({ from: 10, to: 20, procs: 4, label: 'new switch' });
    assert.deepEqual(await drawnJobs(page, 0), nativeJobs(backfill, scenario, 'easy'));
    assert.deepEqual(await drawnJobs(page, 1), nativeJobs(backfill, scenario, 'conservative'));
    assert.deepEqual(await outages(page), ['10 20 4 8 new switch']);
    assert.match(await textOf(page, '#summary-0'), /Unavailable: new switch, 4 processors from 10 to 20\./);

    // An invalid value shows an error in its row, and the text stays.
    await type(page, '#block-0-procs', '9');
    await waitText(page, '#block-0-problem', 'machine, outage 1, procs: expected 1 to 8 (processors of the machine), got 9');
    await type(page, '#block-0-procs', 'four');
    await waitText(page, '#block-0-problem', 'expected a whole number, 0 or more, got "four"');
    await waitForStableAddress(page);
    const link = page.url();
    await type(page, '#block-0-procs', '4');
    await waitForCharts(page);
    await waitForStableAddress(page);

    // A policy without support for outages rejects the machine.
    await click(page, '#tab-policies');
    await selectOption(page, '#policy-1-name', 'fair-slack');
    await waitText(page, '#problems', 'policy fair-slack: expected no outages, because the policy does not support them, got 1');
    await click(page, '#tab-workload');
    await click(page, '#undo');
    await waitForCharts(page);

    const other = await open(lab.browser, link);
    await click(other, '#tab-machine');
    assert.equal(await valueOf(other, '#block-0-procs'), 'four');
    assert.equal(await valueOf(other, '#block-0-label'), 'new switch');
    assertNoConsoleErrors(other);
    await other.close();

    await click(page, '#tab-machine');
    await click(page, '#block-0-drop');
    await waitForCharts(page);
    assert.deepEqual(await outages(page), []);
    assert.deepEqual(await drawnJobs(page, 0), nativeJobs(backfill, firstExample(), 'easy'));
    assertNoConsoleErrors(page);
  });
});

// withOutages returns the first example on a machine with outages.
const withOutages = (...blocks) => ({ ...firstExample(), machine: { nodes: 8, blocks } });

// outages returns the outages in the first chart: from, to, lanes and label.
const outages = page => page.evaluate(() => {
  const { shares, labels } = document.querySelector('[data-chart="gantt"][data-result="0"]').labChart.view, out = [];
  for (let i = 0; i < shares.length; i += 6) if (shares[i + 5] & 32) out.push([...shares.slice(i, i + 4), labels[shares[i + 4]]].join(' '));
  return out;
});
