// These tests open files that are too large for the page. The page must stay responsive while it
// reads them, and say how much memory they would need.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumOnly, assertNoConsoleErrors, traceTasks, waitText } from './lab.mjs';
import { click, waitForCharts, memory, openFile, type, snapshot } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

// writeHugeTrace writes a trace with the given number of jobs. It writes the trace in parts,
// because it is longer than the longest possible string.
function writeHugeTrace(path, jobs, filler) {
  const file = openSync(path, 'w');
  let piece = '; MaxProcs: 1024\n';
  for (let i = 1; i <= jobs; i++) {
    piece += `${i} ${i * 90} -1 1234 16 -1 -1 16 1834 -1 1 ${filler} -1 -1 -1 -1 -1 -1\n`;
    if (piece.length > 1 << 20 || i === jobs) {
      writeSync(file, piece);
      piece = '';
    }
  }
  closeSync(file);
}

for (const [name, jobs, filler, message] of [
  ['300 MB', 4_500_000, '1234567', 'expected at most 2000000 jobs in a page, got 4500000, which would need 7.2 GB of memory for a run with two policies (use the command backfill for such workloads)'],
  ['more jobs than allowed', 5_100_000, '1', 'line 5000002: the file has too many jobs: more than 5000000'],
]) {
  test(`${name}: the page stays responsive while reading, and says how much memory it would need`, chromiumOnly('traces tasks'), async t => {
    const page = await lab.page();
    const untouched = await snapshot(page);
    const path = join(lab.folder, 'huge.swf');
    writeHugeTrace(path, jobs, filler);
    await openFile(page, path);
    await page.waitForSelector('#cancel');
    await click(page, '#cancel'); // reading can be cancelled
    await waitText(page, '#notice', 'Cancelled.');
    assert.deepEqual(await snapshot(page), untouched);
    const { wall, computing } = await traceTasks(page, async () => {
      await openFile(page, path);
      await waitText(page, '#fault', `huge.swf: ${message}`, 120_000);
    });
    const { most } = memory(lab.browser);
    t.diagnostic(`${statSync(path).size / 1e6 | 0} MB, ${jobs} jobs: longest task of the page ${wall | 0} ms, computing ${computing | 0} ms, memory ${most | 0} MB`);
    assert.ok(computing < 300, `the page was blocked for ${computing} ms`);
    assert.ok(most < 2000, `${most} MB`); // the program may use 4 GiB
    assert.deepEqual(await snapshot(page), untouched);
    await type(page, '#cell-3-2', '7'); // the page still works
    await waitForCharts(page);
    assertNoConsoleErrors(page);
    await page.close();
    rmSync(path);
  });
}
