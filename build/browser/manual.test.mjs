// Tests the links from a policy to its documentation. The single-file page has no documentation, so
// it must hide these links.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { open, assertNoConsoleErrors } from './lab.mjs';
import { selectOption, click, assertAccessible, waitForCharts, tabTo } from './page.mjs';
import { begin } from './begin.mjs';
import { oneFile } from './anywhere.mjs';

const lab = begin();

// openedWindow performs an action that opens a window, and returns the path and title of the page
// in that window.
async function openedWindow(page, act) {
  const [other] = await Promise.all([new Promise(done => page.once('popup', done)), act()]);
  await other.waitForSelector('h1');
  const seen = { path: new URL(other.url()).pathname, title: await other.$eval('h1', h => h.textContent) };
  await other.close();
  return seen;
}

test('a policy links to its documentation, by pointer and by keys', async () => {
  const page = await lab.page();
  await click(page, '#tab-policies');
  assert.deepEqual(await openedWindow(page, () => page.click('#policy-0 .manual')), { path: '/docs/policies/easy.html', title: 'EASY' });
  await selectOption(page, '#policy-1-name', 'zeng-glts');
  await page.waitForFunction(() => /scojo-pect/.test(document.querySelectorAll('.form .manual')[1]?.href));
  await page.focus('#policy-1-name');
  await tabTo(page, '.manual');
  assert.equal((await openedWindow(page, () => page.keyboard.press('Enter'))).path, '/docs/policies/scojo-pect.html');
  await click(page, '#keys');
  assert.equal((await openedWindow(page, () => page.click('#lab-keys .manual a'))).path, '/docs/');
  await page.keyboard.press('Escape');
  for (const name of await page.$$eval('#policy-0-name > option', all => all.map(o => o.value))) {
    const path = name === 'script' ? 'scripts' : `policies/${name}`;
    const answer = await page.evaluate(async p => (await fetch(`docs/${p}.html`)).status, path);
    assert.equal(answer, 200, name);
  }
  await assertAccessible(page, 'policies', '.form');
  assertNoConsoleErrors(page);
});

test('the single file hides links to the documentation', async () => {
  const page = await open(lab.browser, pathToFileURL(oneFile).href);
  await waitForCharts(page);
  await click(page, '#tab-policies');
  await page.waitForSelector('.form .manual');
  await click(page, '#keys');
  const links = await page.$$eval('a[href*="docs/"]', all => all.map(a => a.checkVisibility()));
  assert.ok(links.length >= 3 && !links.some(Boolean), `${links}`);
  assertNoConsoleErrors(page);
});
