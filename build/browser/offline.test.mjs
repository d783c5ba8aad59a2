// Tests offline use of the site: after one visit, after an update, after the user has switched it
// off, and in frames. Each host is a plain file server that a test can switch off.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync, renameSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, open, assertNoConsoleErrors, waitText, textOf, sites } from './lab.mjs';
import { click, tabTo } from './page.mjs';
import { begin } from './begin.mjs';
import { host, assertFirstExampleRuns, builtSite, engineMissing, repeated } from './anywhere.mjs';

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {

const lab = begin({ site: sites.shipped, engine });

const waitForOfflineText = (page, word = 'opens without a network') => waitText(page, '#lab-offline-said', word, 60_000);
const keys = page => page.evaluate(() => caches.keys());
const registrations = page => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

// whileOffline performs an action while a host does not answer.
async function whileOffline(plain, act) {
  plain.off = true;
  try { await act(); } finally { plain.off = false; }
}

test('after one visit the page opens, runs and has its lessons offline', async () => {
  const plain = await host(builtSite);
  const page = await open(lab.browser, plain.named);
  await waitForOfflineText(page);
  await page.close();
  await whileOffline(plain, async () => {
    for (const address of [plain.named, `${plain.named}index.html?from=bookmark`]) {
      const other = await open(lab.browser, address);
      await assertFirstExampleRuns(other);
      assertNoConsoleErrors(other);
      await other.close();
    }
    const lesson = await open(lab.browser, `${plain.named}#v=1&lesson=figure-1`);
    await waitText(lesson, '#lesson-title', 'Figure 1');
    assertNoConsoleErrors(lesson);
    await lesson.close();
  });
});

test('offline use works where the server omits .html in addresses', repeated(engine), async () => {
  const plain = await host(builtSite, { shortening: true });
  const page = await open(lab.browser, plain.named);
  await waitForOfflineText(page);
  await page.close();
  await whileOffline(plain, async () => {
    const other = await open(lab.browser, `${plain.named}index.html`);
    await assertFirstExampleRuns(other);
    for (const [name, title] of [['docs/', 'Documentation'], ['docs/policies/dc', 'Delayed compression'], ['docs/policies/dc.html', 'Delayed compression']]) {
      await other.goto(plain.named + name);
      assert.match(await other.title(), RegExp(title), name);
    }
    assertNoConsoleErrors(other);
  });
});

test('the browser offers to install the page, and accepts its manifest and icons', { skip: engine !== 'chromium' && 'only Chromium reports installability' }, async () => {
  const plain = await host(builtSite), page = await open(lab.browser, plain.named);
  await waitForOfflineText(page);
  const client = await page.createCDPSession();
  const { errors, manifest } = await client.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.equal(manifest.startUrl, plain.named);
  assert.deepEqual((await client.send('Page.getInstallabilityErrors')).installabilityErrors, []);
});

// secondVersion creates another version of the site, with a different script, script name and
// page.
function secondVersion(name) {
  const dir = join(lab.folder, name);
  cpSync(builtSite, dir, { recursive: true });
  const script = readdirSync(join(dir, 'js')).find(f => /^page\./.test(f));
  const other = script.replace(/\.[0-9a-f]+\./, '.0000000000.');
  renameSync(join(dir, 'js', script), join(dir, 'js', other));
  writeFileSync(join(dir, 'js', other), `${readFileSync(join(dir, 'js', other), 'utf8')}\nwindow.labSecond = true;\n`);
  const index = readFileSync(join(dir, 'index.html'), 'utf8'), old = /data-version="(\w+)"/.exec(index)[1];
  for (const file of ['index.html', 'sw.js']) {
    const text = readFileSync(join(dir, file), 'utf8');
    writeFileSync(join(dir, file), text.replaceAll(script, other).replaceAll(old, 'feedfeed00'));
  }
  return dir;
}

// loadedVersion reports whether the page, the name of its script and the script come from the
// second version.
const loadedVersion = page => page.evaluate(() => ({
  page: document.querySelector('[data-version]').dataset.version === 'feedfeed00',
  name: Boolean(document.querySelector('[src*="page.0000000000"]')),
  script: Boolean(window.labSecond),
}));
const first = { page: false, name: false, script: false }, second = { page: true, name: true, script: true };

test('an update is complete at the next visit, and the earlier version is deleted', async () => {
  const plain = await host(builtSite);
  const one = await open(lab.browser, plain.named);
  await waitForOfflineText(one);
  assert.deepEqual(await loadedVersion(one), first);
  plain.folder = secondVersion('second');
  const two = await open(lab.browser, plain.named);
  assert.deepEqual(await loadedVersion(two), first, 'the visit during the update uses only the first version');
  await waitForOfflineText(two, 'A newer version of the page is ready');
  // A page that checks its state after the update also reports the newer version.
  await two.evaluate(() => { document.getElementById('lab-offline-said').textContent = ''; labReady(); });
  await waitForOfflineText(two, 'A newer version of the page is ready');
  await assertFirstExampleRuns(two);
  // The open page belongs to the earlier version, and can still load other parts of that version.
  await whileOffline(plain, async () => assert.ok((await two.evaluate(() => labPart('lessons'))).length > 1000));
  assertNoConsoleErrors(two);
  const meanwhile = await open(lab.browser, plain.named);
  await waitForOfflineText(meanwhile);
  assert.deepEqual(await loadedVersion(meanwhile), second, 'even while pages of the earlier version are open');
  await meanwhile.close();
  await one.close();
  await two.close();
  const three = await open(lab.browser, plain.named);
  assert.deepEqual(await loadedVersion(three), second);
  await assertFirstExampleRuns(three);
  const names = (await keys(three)).filter(name => name.includes(plain.named));
  assert.deepEqual(names, [`backfill-lab ${plain.named} feedfeed00`]);
  assertNoConsoleErrors(three);
  await three.close();
  await whileOffline(plain, async () => {
    const four = await open(lab.browser, plain.named);
    assert.deepEqual(await loadedVersion(four), second);
    await assertFirstExampleRuns(four);
    await four.close();
  });
});

test('a site that changes during its download is not cached until it is complete', repeated(engine), async () => {
  const dir = secondVersion('half'), plain = await host(dir);
  writeFileSync(join(dir, 'sw.js'), readFileSync(join(builtSite, 'sw.js'))); // sw.js of the other version; the scripts of that version are missing
  const page = await open(lab.browser, plain.named);
  await waitForOfflineText(page, 'could not save');
  assert.deepEqual((await keys(page)).filter(name => name.includes(plain.named)), []);
  await assertFirstExampleRuns(page);
  await page.close();
  const old = readFileSync(join(builtSite, 'index.html'), 'utf8');
  for (const [, name] of old.matchAll(/src="(js\/all[^"]+)"/g)) cpSync(join(builtSite, name), join(dir, name)); // now only the page is from another version
  const again = await open(lab.browser, plain.named);
  await waitForOfflineText(again, 'could not save');
  assert.deepEqual((await keys(again)).filter(name => name.includes(plain.named)), []);
});

test('by keyboard: offline use is switched off, stays off, and is switched on again', repeated(engine), async () => {
  const plain = await host(builtSite);
  const page = await open(lab.browser, plain.named);
  await waitForOfflineText(page);
  await page.focus('#keys');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#lab-keys[open]');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Close', 'the focus is not on the button that removes it');
  await tabTo(page, '#lab-offline-switch');
  await page.keyboard.press('Enter');
  await waitForOfflineText(page, 'opens only from the server');
  assert.equal(await registrations(page), 0);
  assert.deepEqual((await keys(page)).filter(name => name.includes(plain.named)), []);
  await page.reload();
  await waitForOfflineText(page, 'opens only from the server');
  assert.equal(await registrations(page), 0);
  await click(page, '#keys');
  await click(page, '#lab-offline-switch');
  await waitForOfflineText(page);
  assert.equal(await registrations(page), 1);
  assert.equal(await textOf(page, '#lab-offline-switch'), 'Remove the offline copy');
  assertNoConsoleErrors(page);
});

test('by the address: offline=off removes the cache, offline=on enables it even on localhost', repeated(engine), async () => {
  const plain = await host(builtSite);
  const page = await open(lab.browser, plain.named);
  await waitForOfflineText(page);
  await page.goto(`${plain.named}?1#v=1&offline=off`);
  await waitForOfflineText(page, 'opens only from the server');
  assert.equal(await registrations(page), 0);
  await page.close();
  const local = await open(lab.browser, plain.url);
  await waitForOfflineText(local, 'opens only from the server');
  assert.equal(await registrations(local), 0);
  await local.goto(`${plain.url}?1#v=1&offline=on`);
  await waitForOfflineText(local);
});

test('a server can end offline use for all, with the lines of docs/hosting.md', repeated(engine), async () => {
  const lines = /\n( {6}self\.oninstall[^]*?\n)\n/.exec(readFileSync(join(root, 'docs', 'hosting.md'), 'utf8'))[1];
  const dir = secondVersion('ended'), plain = await host(builtSite);
  const page = await open(lab.browser, plain.named);
  await waitForOfflineText(page);
  await page.close();
  writeFileSync(join(dir, 'sw.js'), lines);
  plain.folder = dir;
  const last = await open(lab.browser, plain.named);
  await last.waitForFunction(async scope => !(await caches.keys()).some(name => name.includes(scope)), { timeout: 60_000 }, plain.named);
  await last.close();
  const next = await open(lab.browser, plain.named);
  assert.deepEqual(await loadedVersion(next), second, 'the page comes from the server');
  await assertFirstExampleRuns(next);
});

test('an embedded page is not cached, and does not use the cache', repeated(engine), async () => {
  const plain = await host(builtSite);
  plain.pages['/course'] = `<!DOCTYPE html><title>Course</title><iframe width="1200" height="800" src="${plain.named}"></iframe>`;
  const embedded = await open(lab.browser, `${plain.named}#v=1&embed=1`);
  await assertFirstExampleRuns(embedded);
  assert.equal(await registrations(embedded), 0);
  await embedded.close();
  const course = async () => {
    const page = await open(lab.browser, new URL('/course', plain.named).href, { ready: false });
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await assertFirstExampleRuns(frame);
    return { page, frame };
  };
  const { page, frame } = await course();
  assert.equal(await frame.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  await page.close();
  const alone = await open(lab.browser, plain.named);
  await waitForOfflineText(alone);
  await alone.close();
  plain.requested.length = 0;
  const framed = await course();
  assert.ok(plain.requested.some(name => name.endsWith('.xz')), 'the frame loads from the server');
});

});
