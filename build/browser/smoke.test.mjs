// Tests the most common actions: an edit and its undo, opening a trace, the reasons, and an export.
// `make check` runs only this file. If Firefox is not installed, its tests are skipped with a message.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoConsoleErrors, waitText, textOf, sites } from './lab.mjs';
import { command, click, waitForCharts, drawnJobs, nativeJobs, firstExample, jobsOf, type, downloads, chooseFile, overloadedTrace } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing } from './anywhere.mjs';

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {

const lab = begin({ site: sites.shipped, engine, browser: { full: true } }), backfill = command();

async function assertSchedules(page, scenario) {
  await waitForCharts(page);
  for (const [i, policy] of ['easy', 'conservative'].entries()) {
    assert.deepEqual(await drawnJobs(page, i), nativeJobs(backfill, scenario, policy), `${policy}, as drawn`);
  }
}

test('the first example is edited, and undo restores both schedules', async () => {
  const page = await lab.page();
  assert.match(await lab.browser.version(), engine === 'firefox' ? /firefox/i : /chrom/i);
  const s = firstExample();
  await assertSchedules(page, s);
  await type(page, '#cell-3-2', '7');
  jobsOf(s)[3].procs = 7;
  await assertSchedules(page, s);
  await click(page, '#undo');
  await assertSchedules(page, firstExample());
  assertNoConsoleErrors(page);
});

test('a trace is opened by file chooser, its reasons are shown, and its jobs CSV is exported byte for byte', async () => {
  const page = await lab.page();
  const files = await downloads(page);
  const path = join(lab.folder, 'trace.swf');
  writeFileSync(path, overloadedTrace(1500, 64));
  await chooseFile(page, () => click(page, '#open'), path);
  await waitText(page, '#notice', '1,500 jobs', 60_000);
  await waitForCharts(page, 120_000);
  await page.focus('#cell-9-1');
  await waitText(page, '#why-title', 'Why? Job 10');
  assert.match(await textOf(page, '#why'), /requests/);
  for (const [i, policy] of ['easy', 'conservative'].entries()) {
    await click(page, '#export');
    await click(page, `#export-jobs-${i}`);
    const { name, data } = await files.next();
    assert.ok(name.endsWith('.csv'), name);
    assert.ok(backfill(['run', '-in', path, '-policy', policy, '-jobs', '-', '-quiet']).equals(data), `${policy}: the bytes differ`);
  }
  files.stop();
  assertNoConsoleErrors(page);
});

});
