// The page in a second engine: what a person does most, in a stock Firefox. The
// other tests run in Chromium only. Without a Firefox it is left out and says so.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, serve, launch, open, quiet, waitText, textOf } from './lab.mjs';
import { command, click, fresh, drawnJobs, expected, first, jobsOf, type, downloads, openFile, overloaded } from './page.mjs';

const skip = !find('firefox') && 'there is no Firefox: install it (on Debian the package firefox-esr), or set FIREFOX to its program';

let site, firefox, backfill, folder;
before(async () => {
  if (skip) return;
  backfill = command();
  site = await serve();
  firefox = await launch('firefox');
  folder = mkdtempSync(join(tmpdir(), 'lab-files-'));
});
after(async () => {
  await firefox?.stop();
  site?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function lab() {
  const page = await open(firefox.browser, site.url);
  await fresh(page);
  return page;
}

async function same(page, scenario) {
  await fresh(page);
  for (const [i, policy] of ['easy', 'conservative'].entries()) {
    assert.deepEqual(await drawnJobs(page, i), expected(backfill, scenario, policy), `${policy}, as drawn`);
  }
}

test('Firefox: both schedules of the first example, edited and undone', { skip }, async () => {
  const page = await lab();
  assert.match(await firefox.browser.version(), /firefox/i);
  const s = first();
  await same(page, s);
  await type(page, '#cell-3-2', '7');
  jobsOf(s)[3].procs = 7;
  await same(page, s);
  await click(page, '#undo');
  await same(page, first());
  quiet(page);
  await page.close();
});

test('Firefox: a trace by file chooser, why, and its jobs CSV byte for byte', { skip }, async () => {
  const page = await lab();
  const files = await downloads(page);
  const path = join(folder, 'trace.swf');
  writeFileSync(path, overloaded(1500, 64));
  await openFile(page, path);
  await waitText(page, '#notice', '1500 jobs', 60_000);
  await fresh(page, 120_000);
  await page.focus('#cell-9-1');
  await waitText(page, '#why-title', 'Why? Job 10');
  assert.match(await textOf(page, '#why'), /asks for/);
  for (const [i, policy] of ['easy', 'conservative'].entries()) {
    await click(page, '#export');
    await click(page, `#export-jobs-${i}`);
    const { name, data } = await files.next();
    assert.ok(name.endsWith('.csv'), name);
    assert.ok(backfill(['run', '-in', path, '-policy', policy, '-jobs', '-', '-quiet']).equals(data), `${policy}: the bytes differ`);
  }
  files.stop();
  quiet(page);
  await page.close();
});
