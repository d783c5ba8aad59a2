// Tests that the page shows the same errors for invalid files as the command, and keeps its state. The Go
// tests in ui/worker/bad_files_test.go and TestTypedValues in ui/document try every file and value in the
// list that the command's tests use. These tests open only every sixth file and all large ones in the
// page.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { root, assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { waitForCharts, drawnJobs, openFile, click, selectOption, type, downloads, longestPause, overloadedTrace, snapshot, assertDuration, watchPauses } from './page.mjs';
import { begin } from './begin.mjs';

const cases = JSON.parse(readFileSync(join(root, 'core', 'opening', 'badfiles', 'cases.json'), 'utf8'));

const tried = (c, i) => c.body || i % 6 === 0;

const lab = begin();

// fileContent returns the content of a case's file, the same as bad.data in bad_test.go.
function fileContent(c) {
  let out = Buffer.concat([Buffer.from(c.text ?? ''), Buffer.from(c.base64 ?? '', 'base64')]);
  let body = c.body ? Buffer.alloc(c.times * c.body.length, c.body) : Buffer.alloc(0);
  for (let i = 0; i < (c.gzip ?? 0); i++) {
    out = gzipSync(out);
    body = c.body ? gzipSync(body) : body;
  }
  out = Buffer.concat([out, ...Array(c.copies ?? 1).fill(body)]);
  return out.subarray(0, out.length - (c.cut ?? 0));
}

// openCase opens the file of a case.
async function openCase(page, c) {
  const path = join(lab.folder, c.file);
  writeFileSync(path, fileContent(c));
  await watchPauses(page);
  await openFile(page, path);
}

test('files that cannot be opened show the same error as in the command, and change nothing', async t => {
  const page = await lab.page();
  await click(page, '#cell-3-2', { count: 3 });
  await page.keyboard.type('7'); // something to undo
  await waitForCharts(page);
  const untouched = await snapshot(page);
  assert.equal(untouched.undo, false);
  for (const c of cases.filter(c => c.error).filter(tried)) {
    await t.test(c.name, async () => {
      await openCase(page, c);
      const [start, end] = [c.error.split('...')[0], c.error.split('...')[1] ?? ''];
      const message = await page.waitForFunction(
        file => { const p = document.getElementById('fault'); return [':', ','].some(c => p?.textContent.startsWith(file + c)) && p.textContent; },
        { timeout: 120_000 }, c.file).then(h => h.jsonValue()).catch(() => 'nothing');
      if (end) assert.ok(message.startsWith(start) && message.endsWith(end), message);
      else assert.equal(message, c.error);
      assert.deepEqual(await snapshot(page), untouched);
      assertDuration(t, c.name, await longestPause(page), 1000);
    });
  }
  await click(page, '#undo');
  await waitForCharts(page);
  assert.equal(await page.$eval('#cell-3-2', el => el.value), '2');
  assertNoConsoleErrors(page);
});

test('dropped and corrected records are reported as in the command', async t => {
  const page = await lab.page();
  for (const c of cases.filter(c => c.report).filter((_, i) => i % 3 === 2)) {
    await t.test(c.name, async () => {
      const before = await snapshot(page);
      await openCase(page, c);
      await page.waitForFunction(file => document.getElementById('notice')?.textContent.startsWith(file), { timeout: 20_000 }, c.file);
      if (c.report.length > 1) {
        await click(page, '#report');
        // The test skips the command's line about waits on the real machine: the page shows them elsewhere.
        assert.deepEqual(await page.$$eval('.report li', all => all.map(x => x.textContent)), c.report.filter(line => !line.startsWith('On the real machine')));
      } else {
        assert.equal(await page.$('#report'), null, 'there is no report');
      }
      assert.equal(await page.$('#problems'), null, 'corrections are not errors');
      const asksMachine = !!await page.$('#ask-accept'); // accounting records do not describe the machine
      if (asksMachine) await click(page, '#ask-accept');
      await waitForCharts(page);
      await click(page, '#undo');
      if (asksMachine) await click(page, '#undo');
      await waitForCharts(page);
      assert.deepEqual((await snapshot(page)).cells, before.cells, 'undo restores the table');
    });
  }
  assertNoConsoleErrors(page);
});

const typedCases = JSON.parse(readFileSync(join(root, 'core', 'cmd', 'backfill', 'testdata', 'bad', 'typed.json'), 'utf8'));

// For each field, the test types only the first invalid value in the list. It also types all values that give the
// machine too many slots (cores).
test('invalid values show the same error as in the command, next to the field', async t => {
  const page = await lab.page();
  const drawn = await drawnJobs(page, 0);
  for (const c of typedCases.filter((c, i) => /slots/.test(c.error) || typedCases.findIndex(d => d.field === c.field) === i)) {
    await t.test(`${c.field} ${JSON.stringify(c.text)}`, async () => {
      await click(page, c.policy ? '#tab-policies' : '#tab-machine');
      const seed = c.field === 'slowdown-seed';
      if (seed) await selectOption(page, '#slowdown', 'drawn');
      const field = c.policy ? `#knob-0-${c.field}` : seed ? '#slowdown-seed' : `#machine-${c.field}`;
      await page.waitForSelector(field);
      const oldText = await page.$eval(field, el => el.value);
      await type(page, field, c.text);
      const where = c.policy ? `policy ${c.policy}, knob ${c.field}` : seed ? 'slowdown, seed'
        : `machine, ${/slots, /.test(c.error) ? 'nodes x processors x cores' : c.field}`;
      await waitText(page, '#problems', `${where}: ${c.error}`);
      assert.equal(await page.$eval(field, el => el.value), c.text, 'the text stays');
      assert.equal(await page.$eval(field, el => el.getAttribute('aria-invalid')), 'true');
      assert.equal(await page.$eval(`${field} ~ .problem`, el => el.textContent), `${where}: ${c.error}`);
      await page.waitForSelector('.lab-stale');
      await type(page, field, oldText);
      await page.waitForFunction(() => !document.getElementById('problems'));
      await waitForCharts(page);
      assert.deepEqual(await drawnJobs(page, 0), drawn);
    });
  }
  assertNoConsoleErrors(page);
});

test('a file that cannot be opened cancels a run, which then restarts', async () => {
  const page = await lab.page();
  const path = join(lab.folder, 'long.swf');
  writeFileSync(path, overloadedTrace(3000, 64));
  await openFile(page, path);
  await page.waitForFunction(() => document.getElementById('notice')?.textContent.startsWith('long.swf: 3,000 jobs') && document.getElementById('cancel'));
  await openCase(page, cases[0]);
  await waitText(page, '#fault', cases[0].error);
  await waitForCharts(page, 120_000);
  assert.equal(await textOf(page, '#fault'), cases[0].error, 'the error is still shown');
  assert.ok((await drawnJobs(page, 0)).length > 1000);
  await type(page, '#cell-3-2', '7');
  await page.waitForFunction(() => !document.getElementById('fault'), {}, 'the next edit removes it');
  assertNoConsoleErrors(page);
});

// waitForLink waits until the address contains the current scenario.
const waitForLink = page => page.evaluate(async () => {
  for (let was; was !== location.hash || !was.includes('s=');) {
    was = location.hash;
    await new Promise(done => setTimeout(done, 1000));
  }
});

test('unknown fields and corrected values survive edits, links and saving', async () => {
  const page = await lab.page();
  const files = await downloads(page);
  const saved = async () => {
    await click(page, '#export');
    await click(page, '#save');
    return JSON.parse((await files.next()).data);
  };
  const scenario = { version: 1, machine: { nodes: 8 }, workload: { jobs: [
    { id: '1', submit: 0, procs: 2, estimate: 9, runtime: 5, note: 'keep me' },
    { id: '1', submit: 5, procs: 2, estimate: 9, runtime: 0 },
    { id: '3', submit: 6, procs: 2, estimate: 3, runtime: 7, colour: [1, 2] }] },
  policies: [{ name: 'easy', why: 'fast' }] };
  const path = join(lab.folder, 'odd.json');
  writeFileSync(path, JSON.stringify(scenario));
  await openFile(page, path);
  await waitText(page, '#notice', 'odd.json: 3 jobs.');
  await type(page, '#cell-0-4', '6');
  await waitForCharts(page);
  scenario.workload.jobs[0].runtime = 6;
  assert.deepEqual((await saved()).workload.jobs, scenario.workload.jobs);
  await waitForLink(page);
  const drawn = await drawnJobs(page, 0);
  await page.reload();
  await waitForCharts(page);
  assert.deepEqual(await drawnJobs(page, 0), drawn);
  const again = await saved();
  assert.deepEqual([again.workload.jobs, again.policies], [scenario.workload.jobs, scenario.policies]);

  await type(page, '#cell-0-4', '0'); // typed values are not corrected, even after a reload
  const message = 'expected 1 to the estimate 9, got 0';
  const waitForProblem = () => page.waitForFunction(w => document.getElementById('problems')?.textContent.includes(w), {}, message);
  await waitForProblem();
  await waitForLink(page);
  await page.reload();
  await waitForProblem();
  files.stop();
  assertNoConsoleErrors(page);
});

test('a damaged link gets an error and changes nothing', async () => {
  const page = await lab.page();
  await type(page, '#cell-3-2', '7');
  await waitForCharts(page);
  await waitForLink(page);
  const untouched = await snapshot(page);
  const good = await page.evaluate(() => location.hash);
  for (const [bad, message] of [[good.slice(0, -30), 'incomplete or damaged'], [`${good}!`, 'invalid characters'],
    [good.replace(/s=.{9}/, 's=AAAAAAAAA'), 'incomplete or damaged'], [good.replace('v=1', 'v=9'), 'later version of Backfill Lab']]) {
    await page.evaluate(h => { location.hash = h; }, bad);
    await page.waitForFunction(w => /^The link could not be opened: the link /.test(document.getElementById('notice')?.textContent)
      && document.getElementById('notice').textContent.includes(w), {}, message);
    assert.deepEqual(await snapshot(page), untouched, bad);
  }
  assertNoConsoleErrors(page);
});
