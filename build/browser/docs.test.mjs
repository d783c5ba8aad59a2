// Tests the documentation: links from the page to it, its search by pointer and keyboard, its
// accessibility at every width, and opening it from disk.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, open, assertNoConsoleErrors, waitText } from './lab.mjs';
import { click, setTheme } from './page.mjs';
import { begin } from './begin.mjs';

const folder = join(root, 'build', 'site', 'docs');
const axe = readFileSync(join(root, 'build', 'browser', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
const lab = begin();

const openDocs = (name = 'index.html', size) => open(lab.browser, `${lab.url}docs/${name}`, size);
const address = page => page.evaluate(() => decodeURI(location.pathname + location.hash));
// followLink performs an action and waits for the page that it leads to.
const followLink = (page, act) => Promise.all([page.waitForNavigation(), act()]);
// isTargetVisible reports whether the element that the address fragment names is visible below the
// fixed header.
const isTargetVisible = page => page.evaluate(() => {
  const at = document.querySelector(':target').getBoundingClientRect();
  return at.top >= document.querySelector('header').getBoundingClientRect().bottom && at.bottom <= innerHeight;
});

test('by pointer: a link from the page leads to a policy\'s knob', async () => {
  const start = await lab.page();
  await click(start, '#keys');
  const page = await openDocs();
  assert.equal(new URL('.', page.url()).href, new URL('.', await start.$eval('#lab-keys a', el => el.href)).href);
  assert.match(await address(page), /^\/docs\/(index.html)?$/);
  await page.click('[role=search] input');
  await page.type('[role=search] input', 'min-gain');
  await waitText(page, '[role=search]', 'MIN_UTILGAIN');
  const link = await page.evaluateHandle(() => [...document.querySelectorAll('[role=search] a')].find(a => a.href.endsWith('#knobs-min-gain')));
  await Promise.all([page.waitForNavigation(), link.click()]);
  assert.equal(await address(page), '/docs/policies/glomarc-ts.html#knobs-min-gain');
  assert.ok(await isTargetVisible(page));
  await followLink(page, () => page.click('nav a[href$="guide.html"]'));
  assert.equal(await address(page), '/docs/guide.html');
  assertNoConsoleErrors(page);
  assertNoConsoleErrors(start);
});

test('by keyboard alone: the search leads to a page', async () => {
  const page = await openDocs('policies/easy.html');
  await page.keyboard.press('/');
  await page.keyboard.type('Mean bounded');
  await waitText(page, '[role=search]', 'Metrics');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.closest('[role=search] li') !== null), true);
  await followLink(page, () => page.keyboard.press('Enter'));
  assert.match(await address(page), /^\/docs\/metrics\.html#/);
  await page.keyboard.press('/');
  await page.keyboard.type('zebra quux');
  await waitText(page, '[role=status]', 'Nothing found');
  await page.keyboard.press('Escape');
  assert.equal(await page.$eval('.found', f => f.hidden), true);
  assertNoConsoleErrors(page);
});

// findProblems reports by how many pixels the page is too wide and, if `axeRuns` is set, the axe violations.
const findProblems = (page, axeRuns) => page.evaluate(async axeRuns => {
  const violations = axeRuns ? (await axe.run({ resultTypes: ['violations'] })).violations : [];
  const out = violations.map(v => `${v.id}: ${v.nodes[0].target}`);
  const wide = document.documentElement.scrollWidth - innerWidth;
  return wide > 0 ? [...out, `${wide} pixels too wide`] : out;
}, axeRuns);

// All pages share one layout and style sheet, so axe checks every other page in the dark theme, and
// the rest in the light one.
test('no axe violations on any page, light and wide, or dark and narrow', async () => {
  const page = await openDocs('index.html');
  const names = readdirSync(folder, { recursive: true }).filter(n => n.endsWith('.html'));
  assert.ok(names.length > 20);
  for (const [i, name] of names.entries()) {
    await page.goto(`${lab.url}docs/${name}`);
    await page.evaluate(axe);
    for (const [dark, theme, width] of [[0, 'light', 1440], [1, 'dark', 390]]) {
      await page.setViewport({ width, height: 900 });
      await setTheme(page, theme);
      assert.deepEqual(await findProblems(page, i % 2 === dark), [], `${name}, ${theme}, ${width} pixels`);
    }
  }
  assertNoConsoleErrors(page);
});

test('the documentation works from disk', async () => {
  const page = await lab.browser.newPage();
  await page.goto(pathToFileURL(join(folder, 'policies', 'dc.html')).href);
  await page.type('[role=search] input', 'arrival-limit');
  await waitText(page, '[role=search]', 'Delayed compression: Knobs');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.match(page.url(), /dc\.html#/);
});
