// Tests the basic functions of the page, such as editing, running, saving and exporting a scenario.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { addPolicy, selectOption, click, command, downloads, drawnJobs, nativeJobs, firstExample, waitForCharts, jobsOf, openFile, overloadedTrace, referencePath, type, paste, assertDuration } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// assertSchedules compares both charts with the command's schedules.
async function assertSchedules(page, scenario, policies = [['easy'], ['conservative']]) {
  await waitForCharts(page);
  for (const [i, [name, knobs]] of policies.entries()) {
    assert.deepEqual(await drawnJobs(page, i), nativeJobs(backfill, scenario, name, knobs), `${name}, as drawn`);
  }
}

test('the page opens with an example that two policies have scheduled', async () => {
  const page = await lab.page();
  assert.deepEqual((await drawnJobs(page, 0)).map(j => j.start), [0, 5, 1, 7, 8, 7, 11, 15, 24, 14, 27, 29]);
  assert.deepEqual((await drawnJobs(page, 1)).map(j => j.start), [0, 7, 1, 5, 10, 5, 12, 16, 25, 13, 28, 28]);
  await assertSchedules(page, firstExample());
  assert.match(await textOf(page, '#scores'), /EASY\s*baseline\s*6\.25\s*16/);
  assert.match(await textOf(page, '#scores'), /all 12 kept/);
  assertNoConsoleErrors(page);
});

test('the page waits for a script that loads late', async () => {
  const page = await lab.browser.newPage();
  await page.setRequestInterception(true);
  page.on('request', r => setTimeout(() => r.continue(), /\/page[^/]*\.js$/.test(r.url()) ? 3000 : 0));
  await page.goto(lab.url);
  await waitForCharts(page);
  assert.equal((await drawnJobs(page, 0)).length, 12);
});

test('job 1 is drawn in its colour, and idle processors are not', async () => {
  const page = await lab.shared();
  const at = await page.evaluate(() => {
    const host = document.querySelector('[data-result="0"]'), c = host.labChart, canvas = host.querySelector('canvas');
    const dpr = devicePixelRatio, { from, to } = labChart.window ? { from: labChart.window()[0], to: labChart.window()[1] } : c.view;
    const x = t => (t - from) / (to - from) * canvas.width, y = lane => (1 - (lane + 0.3) / 8) * canvas.height;
    const ctx = canvas.getContext('2d');
    // Under EASY, job 1 is on lanes 0 to 4 from time 0 to 5. At 48.5 all lanes are idle.
    return [[2, 1], [48.5, 1]].map(([t, lane]) => [...ctx.getImageData(Math.round(x(t)), Math.round(y(lane)), 1, 1).data].slice(0, 3));
  });
  assert.deepEqual(at[0], [0x56, 0xb4, 0xe9], 'the colour of job 1');
  assert.notDeepEqual(at[1], at[0]);
});

test('a cell is edited, and undo restores everything', async () => {
  const page = await lab.shared();
  const s = firstExample();
  await type(page, '#cell-3-2', '7'); // job 4 requests 7 processors
  jobsOf(s)[3].procs = 7;
  await assertSchedules(page, s);
  await type(page, '#cell-3-2', 'x');
  await waitText(page, '#problems', 'Row 4, procs: expected a whole number, got "x"');
  assert.equal(await page.$eval('#cell-3-2', el => el.getAttribute('aria-invalid')), 'true');
  await page.waitForSelector('.lab-stale');
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await waitForFrames(page);
  assert.equal(await page.$eval('#cell-3-2', el => el.value), '2', 'all key presses in one cell are one undo step');
  await assertSchedules(page, firstExample());
  await click(page, '#redo');
  assert.equal(await page.$eval('#cell-3-2', el => el.value), 'x');
  await click(page, '#undo');
  await assertSchedules(page, firstExample());
  assertNoConsoleErrors(page);
});

test('numbers are typed key by key without losing any (Vugu trap 17)', async () => {
  const page = await lab.shared();
  const typeKeys = async text => {
    await click(page, '#cell-0-3', { count: 3 });
    await page.keyboard.press('Backspace');
    await page.keyboard.type(text);
    await waitForFrames(page);
  };
  await typeKeys('-5');
  assert.equal(await page.$eval('#cell-0-3', el => el.value), '-5');
  await waitText(page, '#problems', 'estimate');
  await typeKeys('1.5');
  assert.equal(await page.$eval('#cell-0-3', el => el.value), '1.5');
  await typeKeys('10');
  await assertSchedules(page, firstExample());
});

test('a block of three rows is pasted', async () => {
  const page = await lab.shared();
  const s = firstExample();
  const block = '20\t2\t9\t9\n21\t3\t8\t4\n22\t8\t7\t7\n';
  await page.focus('#cell-10-1');
  await paste(page, block);
  const rows = block.trim().split('\n').map(r => r.split('\t').map(Number));
  for (const [i, [submit, procs, estimate, runtime]] of rows.entries()) {
    jobsOf(s)[10 + i] = { id: String(11 + i), submit, procs, estimate, runtime };
  }
  await assertSchedules(page, s);
  assert.equal(await page.$eval('#cell-12-0', el => el.value), '13', 'the added row gets a unique id');
  await click(page, '#undo');
  await assertSchedules(page, firstExample());
  assertNoConsoleErrors(page);
});

test('rows are added, duplicated and deleted', async () => {
  const page = await lab.page();
  const s = firstExample();
  await page.focus('#cell-11-1');
  await click(page, '#duplicate');
  jobsOf(s).push({ ...jobsOf(s)[11], id: '13' });
  await assertSchedules(page, s);
  await page.focus('#cell-0-1');
  await click(page, '#delete');
  jobsOf(s).shift();
  await assertSchedules(page, s);
  await click(page, '#add');
  await page.waitForFunction(() => document.activeElement?.id === 'cell-12-1');
  assert.deepEqual(await page.$$eval('[id^=cell-12-]', all => all.map(x => x.value)), ['14', '', '', '', '']);
  const added = { id: '14', submit: 5, procs: 2, estimate: 9, runtime: 7 };
  for (const [i, value] of Object.values(added).entries()) await type(page, `#cell-12-${i}`, String(value));
  jobsOf(s).push(added);
  await assertSchedules(page, s);
  while (!await page.$eval('#undo', b => b.disabled)) await click(page, '#undo');
  await assertSchedules(page, firstExample());
  assertNoConsoleErrors(page);
});

test('the machine, a policy and a knob are changed', async () => {
  const page = await lab.shared();
  const s = firstExample();
  await click(page, '#tab-machine');
  await type(page, '#machine-nodes', '10');
  s.machine = { ...s.machine, nodes: 10 };
  await assertSchedules(page, s);
  await click(page, '#tab-policies');
  await selectOption(page, '#knob-0-order', 'sjf');
  await assertSchedules(page, s, [['easy', { order: 'sjf' }], ['conservative']]);
  await selectOption(page, '#policy-1-name', 'fcfs');
  await assertSchedules(page, s, [['easy', { order: 'sjf' }], ['fcfs']]);
  await addPolicy(page, 'first-fit');
  await page.waitForSelector('[data-result="2"]');
  await assertSchedules(page, s, [['easy', { order: 'sjf' }], ['fcfs'], ['first-fit']]);
  await click(page, '#policy-0-drop');
  await page.waitForFunction(() => !document.querySelector('[data-result="2"]'));
  await assertSchedules(page, s, [['fcfs'], ['first-fit']]);
  await click(page, '#tab-machine');
  await type(page, '#machine-nodes', '4');
  await waitText(page, '#problems', "expected at most the machine's 4, got 5");
  assertNoConsoleErrors(page);
});

test("a paper's variant is selected by its name, and keeps the name until a knob is changed", async () => {
  const page = await lab.shared();
  const s = firstExample(), shown = () => page.$eval('#policy-0-name', x => x.selectedOptions[0].textContent);
  await click(page, '#tab-policies');
  await selectOption(page, '#policy-0-name', 'jin-g2');
  const knobs = { inner: 'fair-slack', 'inner.goal': 'utilization', overhead: '0' };
  await assertSchedules(page, s, [['scojo-pect', knobs], ['conservative']]);
  assert.equal(await shown(), 'Time slices with fair slack, for utilization (G2)');
  await type(page, '#knob-0-overhead', '60');
  await assertSchedules(page, s, [['scojo-pect', { ...knobs, overhead: '60' }], ['conservative']]);
  assert.equal(await shown(), 'Scojo-PECT');
  assertNoConsoleErrors(page);
});

test('selecting a job shows the reasons, with links', async () => {
  const page = await lab.shared();
  await page.focus('#cell-5-1');
  await waitText(page, '#why-title', 'Why? Job 6');
  await waitText(page, '#why', 'requests');
  const links = await page.$$('#why .link');
  assert.ok(links.length > 0, 'jobs and times are links');
  await links[0].click();
  await waitForFrames(page);
  await page.focus('#cell-8-1');
  await waitText(page, '#why-title', 'Why? Job 9 at t = 24');
  const answer = backfill(['why', '-in', '-', '-policy', 'easy', '-job', '9', '-quiet'], JSON.stringify(firstExample())).toString();
  const sentences = answer.split('\n\n')[1].trim().split('\n');
  assert.deepEqual(await page.$$eval('#why article:first-of-type > p:not(.expected)', all => all.map(p => p.textContent.trim())), sentences);
  assert.deepEqual(sentences.slice(1, 3), ['When it was submitted, 2 earlier jobs were still waiting; 2 of them started before it.', '1 job submitted later started before it.']);
  assertNoConsoleErrors(page);
});

test('an invalid file changes nothing, and the error names its line', async () => {
  const page = await lab.shared();
  const path = join(lab.folder, 'broken.swf');
  writeFileSync(path, '; MaxProcs: 8\n1 0 -1 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 zero -1 10\n');
  await openFile(page, path);
  await waitText(page, '#fault', 'line 3');
  await assertSchedules(page, firstExample());
  assertNoConsoleErrors(page);
});

test('a long run is cancelled, and the previous charts stay', async t => {
  const page = await lab.shared();
  const path = join(lab.folder, 'long.swf');
  writeFileSync(path, overloadedTrace(2500, 64));
  await openFile(page, path);
  await waitText(page, '#notice', '2,500 jobs');
  await waitForCharts(page);
  await click(page, '#tab-policies');
  await click(page, '#policy-0-drop'); // its result would appear during the run of the other policy
  await waitForCharts(page);
  const before = await drawnJobs(page, 0);
  await selectOption(page, '#knob-0-compress', 'replan'); // replans thousands of jobs at each event
  await page.waitForSelector('#cancel');
  const took = await page.evaluate(async () => {
    const begin = performance.now();
    document.getElementById('cancel').click();
    await new Promise(done => {
      const look = () => (document.getElementById('cancel') ? requestAnimationFrame(look) : done());
      look();
    });
    return performance.now() - begin;
  });
  assertDuration(t, 'cancelling', took, 100);
  assert.deepEqual(await drawnJobs(page, 0), before);
  await page.waitForSelector('.lab-stale');
  await selectOption(page, '#knob-0-compress', 'start'); // the page still works
  await waitForCharts(page);
  assert.deepEqual(await drawnJobs(page, 0), before);
  assertNoConsoleErrors(page);
});

for (const name of ['KTH-SP2-1996-2.1-cln', 'over256']) {
  const path = referencePath(`golden/${name}.norm.swf.gz`);
  test(`${name}: the page's jobs CSV is identical to the command's`, { skip: !path && 'BACKFILL_REFERENCE is not set' }, async () => {
    const page = await lab.page();
    const files = await downloads(page);
    await openFile(page, path);
    await waitText(page, '#notice', `jobs.`, 60_000);
    await waitForCharts(page, 120_000);
    for (const [i, policy] of ['easy', 'conservative'].entries()) {
      await click(page, '#export');
      await click(page, `#export-jobs-${i}`);
      const { data } = await files.next();
      const want = backfill(['run', '-in', path, '-policy', policy, '-jobs', '-', '-quiet']);
      assert.ok(want.length > 100_000);
      assert.ok(want.equals(data), `${policy}: the bytes differ`);
    }
    files.stop();
    assertNoConsoleErrors(page);
  });
}

test('a saved scenario opens again unchanged', async () => {
  const page = await lab.shared();
  const files = await downloads(page);
  const s = firstExample();
  await type(page, '#cell-0-4', '9');
  jobsOf(s)[0].runtime = 9;
  await assertSchedules(page, s);
  await click(page, '#export');
  await click(page, '#save');
  const { name, data } = await files.next();
  assert.equal(name, 'scenario.json');
  const path = join(lab.folder, 'saved.json');
  writeFileSync(path, data);
  await click(page, '#tab-policies');
  await click(page, '#policy-0-drop');
  await openFile(page, path);
  await waitText(page, '#notice', 'saved.json: 12 jobs');
  await assertSchedules(page, s);
  assert.equal(await textOf(page, '.title'), s.title);
  files.stop();
  assertNoConsoleErrors(page);
});

test('all exports work, and the metrics equal the command\'s', async () => {
  const page = await lab.shared();
  const files = await downloads(page);
  for (const [button, ending] of [['#export-jobs-1', '.csv'], ['#export-svg', '.svg'], ['#export-png', '.png'], ['#export-metrics', '.json']]) {
    await click(page, '#export');
    await click(page, button);
    const { name, data } = await files.next();
    assert.ok(name.endsWith(ending), name);
    assert.ok(data.length > 200);
  }
  files.stop();
  assertNoConsoleErrors(page);
});

test('every example opens and runs', async () => {
  const page = await lab.shared();
  await click(page, '#examples');
  const titles = await page.$$eval('.menu .list button', all => all.map(b => b.textContent));
  assert.ok(titles.length >= 6);
  for (let i = 0; i < titles.length; i++) {
    if (i > 0) await click(page, '#examples');
    await (await page.$$('.menu .list button'))[i].click();
    await waitForFrames(page);
    await waitForCharts(page);
    assert.equal(await page.$('#problems'), null, titles[i]);
  }
  assertNoConsoleErrors(page);
});

test('the theme can be changed, and the list of keyboard shortcuts opens', async () => {
  const page = await lab.page();
  const paper = () => page.evaluate(() => getComputedStyle(document.querySelector('.top')).backgroundColor);
  const before = await paper();
  await click(page, '#theme');
  assert.notEqual(await paper(), before);
  await page.reload();
  await waitForCharts(page);
  assert.notEqual(await paper(), before, 'the theme is remembered');
  await click(page, '#theme');
  assert.equal(await paper(), before);
  await click(page, '#keys');
  await waitText(page, '#lab-keys[open]', 'undo');
  await page.keyboard.press('Escape');
  assert.equal(await page.$('#lab-keys[open]'), null);
  assertNoConsoleErrors(page);
});

test('a crashed worker is replaced, and nothing typed is lost', async () => {
  const page = await lab.page();
  await page.evaluate(() => { // the worker ends at the next run
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (m, ...more) {
      if (m.kind !== 'run' || window.labEnded) return post.call(this, m, ...more);
      window.labEnded = true;
      this.terminate();
      setTimeout(() => this.onerror({ preventDefault() {}, message: 'out of memory' }));
    };
  });
  await type(page, '#cell-3-2', '7');
  await waitText(page, '#fault', 'has restarted');
  const s = firstExample();
  await type(page, '#cell-0-4', '4');
  jobsOf(s)[3].procs = 7;
  jobsOf(s)[0].runtime = 4;
  await assertSchedules(page, s);
  assert.equal(await page.$('#fault'), null);
});
