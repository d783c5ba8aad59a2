// What the page says of files with something wrong: the words of the command, from
// the list that the test of the command reads, and nothing that was there changes.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { root, quiet, textOf, waitText } from './lab.mjs';
import { fresh, drawnJobs, openFile, click, choose, type, downloads, longestPause, overloaded, snapshot, soon, watchPauses } from './page.mjs';
import { begin } from './begin.mjs';

const cases = JSON.parse(readFileSync(join(root, 'core', 'cmd', 'backfill', 'testdata', 'bad', 'cases.json'), 'utf8'));

const lab = begin();

// data is the content of a case's file; bad.data in bad_test.go makes the same.
function data(c) {
  let out = Buffer.concat([Buffer.from(c.text ?? ''), Buffer.from(c.base64 ?? '', 'base64')]);
  let body = c.body ? Buffer.alloc(c.times * c.body.length, c.body) : Buffer.alloc(0);
  for (let i = 0; i < (c.gzip ?? 0); i++) {
    out = gzipSync(out);
    body = c.body ? gzipSync(body) : body;
  }
  out = Buffer.concat([out, ...Array(c.copies ?? 1).fill(body)]);
  return out.subarray(0, out.length - (c.cut ?? 0));
}

async function give(page, c) {
  const path = join(lab.folder, c.file);
  writeFileSync(path, data(c));
  await watchPauses(page);
  await openFile(page, path);
}

test('what cannot be opened is told in the words of the command, and changes nothing', async t => {
  const page = await lab.page();
  await click(page, '#cell-3-2', { count: 3 });
  await page.keyboard.type('7'); // so that there is something to undo
  await fresh(page);
  const untouched = await snapshot(page);
  assert.equal(untouched.undo, false);
  for (const c of cases.filter(c => c.error)) {
    await t.test(c.name, async () => {
      await give(page, c);
      const [start, end] = [c.error.split('...')[0], c.error.split('...')[1] ?? ''];
      const said = await page.waitForFunction(
        file => { const p = document.getElementById('fault'); return [':', ','].some(c => p?.textContent.startsWith(file + c)) && p.textContent; },
        { timeout: 120_000 }, c.file).then(h => h.jsonValue()).catch(() => 'nothing');
      if (end) assert.ok(said.startsWith(start) && said.endsWith(end), said);
      else assert.equal(said, c.error);
      assert.deepEqual(await snapshot(page), untouched);
      soon(t, c.name, await longestPause(page), 1000);
    });
  }
  await click(page, '#undo');
  await fresh(page);
  assert.equal(await page.$eval('#cell-3-2', el => el.value), '2');
  quiet(page);
});

test('what is dropped or mended is counted in the words of the command', async t => {
  const page = await lab.page();
  for (const c of cases.filter(c => c.report)) {
    await t.test(c.name, async () => {
      const before = await snapshot(page);
      await give(page, c);
      await page.waitForFunction(file => document.getElementById('notice')?.textContent.startsWith(file), { timeout: 20_000 }, c.file);
      if (c.report.length > 1) {
        await click(page, '#report');
        assert.deepEqual(await page.$$eval('.report li', all => all.map(x => x.textContent)), c.report);
      } else {
        assert.equal(await page.$('#report'), null, 'there is nothing to tell');
      }
      assert.equal(await page.$('#problems'), null, 'what the rules mend is no fault');
      await fresh(page);
      await click(page, '#undo');
      await fresh(page);
      assert.deepEqual((await snapshot(page)).cells, before.cells, 'undo leads back');
    });
  }
  quiet(page);
});

const typed = JSON.parse(readFileSync(join(root, 'core', 'cmd', 'backfill', 'testdata', 'bad', 'typed.json'), 'utf8'));

test('what is typed and cannot be is told at the field in the words of the command', async t => {
  const page = await lab.page();
  const drawn = await drawnJobs(page, 0);
  for (const c of typed) {
    await t.test(`${c.field} ${JSON.stringify(c.text)}`, async () => {
      await click(page, c.policy ? '#tab-policies' : '#tab-machine');
      const seed = c.field === 'slowdown-seed';
      if (seed) await choose(page, '#slowdown', 'drawn');
      const field = c.policy ? `#knob-0-${c.field}` : seed ? '#slowdown-seed' : `#machine-${c.field}`;
      await page.waitForSelector(field);
      const was = await page.$eval(field, el => el.value);
      await type(page, field, c.text);
      const where = c.policy ? `policy ${c.policy}, knob ${c.field}` : seed ? 'slowdown, seed'
        : `machine, ${/slots, /.test(c.error) ? 'nodes x processors x cores' : c.field}`;
      await waitText(page, '#problems', `${where}: ${c.error}`);
      assert.equal(await page.$eval(field, el => el.value), c.text, 'what was typed stays');
      assert.equal(await page.$eval(field, el => el.getAttribute('aria-invalid')), 'true');
      assert.equal(await page.$eval(`${field} ~ .problem`, el => el.textContent), `${where}: ${c.error}`);
      await page.waitForSelector('.lab-stale');
      await type(page, field, was);
      await page.waitForFunction(() => !document.getElementById('problems'));
      await fresh(page);
      assert.deepEqual(await drawnJobs(page, 0), drawn);
    });
  }
  quiet(page);
});

test('a file that cannot be opened ends a run, which is begun again', async () => {
  const page = await lab.page();
  const path = join(lab.folder, 'long.swf');
  writeFileSync(path, overloaded(6000, 64));
  await openFile(page, path);
  await page.waitForFunction(() => document.getElementById('notice')?.textContent.startsWith('long.swf: 6,000 jobs') && document.getElementById('cancel'));
  await give(page, cases[0]);
  await waitText(page, '#fault', cases[0].error);
  await fresh(page, 120_000);
  assert.equal(await textOf(page, '#fault'), cases[0].error, 'it is still said');
  assert.ok((await drawnJobs(page, 0)).length > 1000);
  await type(page, '#cell-3-2', '7');
  await page.waitForFunction(() => !document.getElementById('fault'), {}, 'until the next edit');
  quiet(page);
});

// settled waits until the address holds the scenario as it stands.
const settled = page => page.evaluate(async () => {
  for (let was; was !== location.hash || !was.includes('s=');) {
    was = location.hash;
    await new Promise(done => setTimeout(done, 1000));
  }
});

test('what a scenario says and we do not know, and what is mended, outlive edits, links and saving', async () => {
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
  await fresh(page);
  scenario.workload.jobs[0].runtime = 6;
  assert.deepEqual((await saved()).workload.jobs, scenario.workload.jobs);
  await settled(page);
  const drawn = await drawnJobs(page, 0);
  await page.reload();
  await fresh(page);
  assert.deepEqual(await drawnJobs(page, 0), drawn);
  const again = await saved();
  assert.deepEqual([again.workload.jobs, again.policies], [scenario.workload.jobs, scenario.policies]);

  await type(page, '#cell-0-4', '0'); // what is typed is not mended, not even after a reload
  const words = 'expected 1 to the estimate 9, got 0';
  const told = () => page.waitForFunction(w => document.getElementById('problems')?.textContent.includes(w), {}, words);
  await told();
  await settled(page);
  await page.reload();
  await told();
  files.stop();
  quiet(page);
});

test('a damaged link is told in words, and changes nothing', async () => {
  const page = await lab.page();
  await type(page, '#cell-3-2', '7');
  await fresh(page);
  await settled(page);
  const untouched = await snapshot(page);
  const good = await page.evaluate(() => location.hash);
  for (const [bad, words] of [[good.slice(0, -30), 'incomplete or damaged'], [`${good}!`, 'invalid characters'],
    [good.replace(/s=.{9}/, 's=AAAAAAAAA'), 'incomplete or damaged'], [good.replace('v=1', 'v=9'), 'newer Backfill Lab']]) {
    await page.evaluate(h => { location.hash = h; }, bad);
    await page.waitForFunction(w => /^The link could not be opened: it /.test(document.getElementById('notice')?.textContent)
      && document.getElementById('notice').textContent.includes(w), {}, words);
    assert.deepEqual(await snapshot(page), untouched, bad);
  }
  quiet(page);
});
