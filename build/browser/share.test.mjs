// Tests links, and whether edits survive reloads, crashes and a hung worker.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, open, assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { click, waitForCharts, drawnJobs, firstExample, type, downloads, openFile, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

const starts = async (page, result) => (await drawnJobs(page, result)).map(j => j.start);

// waitForLink waits until the fragment differs from an earlier one.
async function waitForLink(page, before) {
  await page.waitForFunction(b => location.hash !== b && location.hash.includes('s='), {}, before);
  return page.evaluate(() => location.hash);
}

// waitForStableAddress waits until the address no longer changes.
async function waitForStableAddress(page, before) {
  for (let now; ; before = now) {
    await new Promise(resolve => setTimeout(resolve, 1500));
    now = await page.evaluate(() => location.hash);
    if (now === before) return;
  }
}

test('the first example leaves the address empty; a reload restores every edit', async () => {
  const page = await lab.page();
  assert.equal(await page.evaluate(() => location.hash), '');
  await type(page, '#cell-3-2', '7');
  const one = await waitForLink(page, '');
  await type(page, '#cell-0-4', '4 x');
  await waitForLink(page, one);
  await click(page, '#tab-policies');
  await page.waitForFunction(() => location.hash.includes('tab=policies'));
  const before = await page.evaluate(() => location.hash);
  await page.select('#policy-1-name', 'fcfs');
  const two = await waitForLink(page, before);
  assert.ok(two.length < 700, `${two.length} characters`);
  await page.reload();
  await page.waitForSelector('#policy-1-name');
  assert.equal(await valueOf(page, '#policy-1-name'), 'fcfs');
  await click(page, '#tab-jobs');
  assert.equal(await valueOf(page, '#cell-3-2'), '7');
  assert.equal(await valueOf(page, '#cell-0-4'), '4 x', 'incomplete text is restored');
  await waitText(page, '#problems', 'Row 1, runtime: expected seconds, or a time such as 1h 30m, got "4 x"');
  assert.equal(await textOf(page, '.title'), firstExample().title);
  assertNoConsoleErrors(page);
});

test('the link contains the view', async () => {
  const page = await lab.page();
  await page.focus('#cell-3-1');
  await waitText(page, '#why-title', 'Job 4');
  await page.evaluate(() => { labChart.setWindow(5, 25); });
  await page.focus('[data-result="1"]');
  await page.keyboard.press(']');
  await page.waitForFunction(() => /t=5,25&at=\d+&job=4/.test(location.hash));
  const hash = await page.evaluate(() => location.hash);
  const other = await lab.page({ fragment: hash });
  await waitText(other, '#why-title', 'Job 4');
  assert.deepEqual(await other.evaluate(() => labChart.window()), [5, 25]);
  await new Promise(r => setTimeout(r, 800));
  assert.equal(await other.evaluate(() => location.hash), hash, 'the address stays');
  await other.evaluate(() => { location.hash = ''; }); // not a link of the lab
  await other.evaluate(() => { location.hash = 'charts'; });
  assertNoConsoleErrors(page);
  assertNoConsoleErrors(other);
});

test('Share copies the link and shows its length', async () => {
  const page = await lab.page();
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async t => { window.copied = t; } }, configurable: true });
  });
  await click(page, '#share');
  await waitText(page, '#shared', 'Link copied');
  const link = await page.evaluate(() => window.copied);
  assert.match(await textOf(page, '#shared'), new RegExp(`^Link copied: ${link.length} characters\\.`));
  assert.match(link, /#v=1&s=[\w-]+$/);
  await page.keyboard.press('Escape');
  await waitForFrames(page);
  assert.equal(await page.$('#shared'), null);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'share', 'the focus is back on the button');
  const other = await open(lab.browser, link);
  await waitForCharts(other);
  assert.deepEqual(await starts(other, 0), await starts(page, 0));
  assertNoConsoleErrors(other);
  await other.close();
  await page.evaluate(() => { Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }); });
  await click(page, '#share');
  await waitText(page, '#shared', 'Copy this link');
  await page.waitForFunction(() => document.activeElement.id === 'share-link');
  assert.equal(await valueOf(page, '#share-link'), link);
  assert.equal(await page.evaluate(() => getSelection().toString()), link, 'the whole link is selected');
  assertNoConsoleErrors(page);
});

test('links of the first version open, and following a link can be undone', async () => {
  const pinned = readFileSync(join(root, 'ui', 'link', 'testdata', 'v1.txt'), 'utf8').trim();
  const page = await lab.page();
  const was = await starts(page, 0);
  await page.evaluate(f => { location.hash = f; }, pinned);
  await page.waitForSelector('#tab-policies[aria-selected="true"]');
  await click(page, '#tab-jobs');
  await page.waitForFunction(() => document.getElementById('cell-2-3')?.value === 'half ty');
  assert.equal(await valueOf(page, '#cell-3-1'), '-2');
  await page.waitForFunction(() => location.hash.includes('embed=1'), {}, 'unknown options are kept');
  await click(page, '#undo');
  await waitForCharts(page);
  assert.deepEqual(await starts(page, 0), was);
  assertNoConsoleErrors(page);
});

test('a broken link shows an error, and the first example opens', async () => {
  const page = await lab.page({ fragment: '#v=1&s=AAAA' });
  await waitText(page, '#notice', 'The link could not be opened');
  assert.ok((await textOf(page, '#notice')).includes('incomplete or damaged')); // TestBrokenLinksAreExplained of ui/link has the other errors
  assert.equal((await starts(page, 0)).length, 12);
  assertNoConsoleErrors(page);
});

test('a link that is entered while the page is about to update its address is opened', async () => {
  const page = await lab.page();
  for (const wait of [0, 100, 300, 390, 395, 400, 405, 410, 450, 600]) { // the page writes 400 ms after an edit
    await type(page, '#cell-0-4', String(1 + wait % 7));
    await page.evaluate(async wait => {
      await new Promise(done => setTimeout(done, wait));
      for (const until = performance.now() + 20; performance.now() < until;);
      location.hash = '#v=1&lesson=intro-fcfs&step=0';
    }, wait);
    await waitText(page, '#lesson-title', 'Introduction 2');
    await page.evaluate(() => { location.hash = '#v=1&lesson=intro-chart&step=0'; });
    await waitText(page, '#lesson-title', 'Introduction 1');
  }
  assertNoConsoleErrors(page);
});

test('a scenario too long for a link is offered as a file', async () => {
  const page = await lab.page();
  const lines = ['id,submit,procs,estimate,runtime'];
  for (let i = 0, x = 1; i < 12_000; i++) {
    x = (x * 48271) % 2147483647;
    lines.push(`${i},${i * 100_000},${1 + x % 8},${100_000 + x % 89_989},${1 + x % 97_001}`);
  }
  writeFileSync(join(lab.folder, 'long.csv'), lines.join('\n'));
  await type(page, '#cell-3-2', '7');
  await waitForLink(page, '');
  await openFile(page, join(lab.folder, 'long.csv'));
  await waitText(page, '#notice', '12,000 jobs', 60_000);
  await page.waitForFunction(() => location.hash === '', {}, 'an older scenario is removed from the address');
  const files = await downloads(page);
  await click(page, '#share');
  await waitText(page, '#shared', 'too many for a link');
  await click(page, '#share-save');
  assert.equal((await files.next()).name, 'scenario.json');
  files.stop();
  assertNoConsoleErrors(page);
});

test('a program that has ended restarts with all edits', async () => {
  const page = await lab.page();
  await type(page, '#cell-3-2', '7');
  await type(page, '#cell-0-4', '4 x');
  await waitForStableAddress(page, await waitForLink(page, ''));
  await page.evaluate(() => { window.vuguRender = () => { throw new Error('on purpose'); }; });
  await page.click('#tab-machine');
  await waitText(page, '#lab-overlay', 'Backfill Lab has stopped');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'lab-restart');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await page.waitForSelector('#tab-machine');
  await click(page, '#tab-jobs');
  assert.equal(await valueOf(page, '#cell-3-2'), '7');
  assert.equal(await valueOf(page, '#cell-0-4'), '4 x');
});

test('a program that ended with a pending timer leaves the page usable', async () => {
  const page = await lab.page();
  await page.evaluate(() => { window.vuguRender = () => { throw new Error('on purpose'); }; });
  await type(page, '#cell-3-2', '7').catch(() => {}); // the write of its address is pending
  await waitText(page, '#lab-overlay', 'Backfill Lab has stopped');
  await new Promise(resolve => setTimeout(resolve, 2500));
  assert.ok(await page.$('#lab-restart'));
});

test('a hung worker is reported, and restarted on request', async () => {
  const page = await lab.page();
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (m, ...more) { if (window.labAwake || m.kind === 'boot') post.call(this, m, ...more); };
  });
  await type(page, '#cell-3-2', '7');
  await waitText(page, '#hung', 'does not respond', 15_000);
  await page.evaluate(() => { window.labAwake = true; });
  await click(page, '#revive');
  await waitForCharts(page);
  assert.equal(await page.$('#hung'), null);
  assert.equal(await valueOf(page, '#cell-3-2'), '7');
  assert.notDeepEqual(await starts(page, 0), [0, 5, 1, 7, 8, 7, 11, 15, 24, 14, 27, 29]);
  assertNoConsoleErrors(page);
});
