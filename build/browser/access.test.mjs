// Tests what a screen reader gets. For each screen, and each page of each lesson, the tests compare
// the accessibility tree, as an outline, with the one in fixtures/access. They also run axe in the
// light and the dark theme. After an intended change, run `node access.test.mjs -rewrite` and read
// the diff.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumOnly, root, open, assertNoConsoleErrors, waitText, waitForFrames, sites } from './lab.mjs';
import { selectOption, click, assertAccessible, waitForCharts, type } from './page.mjs';
import { begin } from './begin.mjs';

const rewrite = process.argv.includes('-rewrite');
const folder = join(root, 'build', 'browser', 'fixtures', 'access');
const lessons = join(root, 'public', 'lessons');
mkdirSync(folder, { recursive: true });

const lab = begin({ site: sites.shipped }), chromiumTest = chromiumOnly('asks what a screen reader gets');

// ---- outlines

const states = ['roledescription', 'keyshortcuts', 'hasPopup', 'level', 'checked', 'pressed', 'expanded', 'selected', 'disabled', 'required', 'readonly', 'invalid', 'modal', 'multiline', 'valuetext', 'live'];
const shorten = (text, most) => text.length > most ? `${text.slice(0, most)}…` : text;
const textOfValue = v => String(v?.value ?? '').replace(/\s+/g, ' ').trim();

// Roles that a screen reader does not announce.
const ignoredRoles = new Set(['generic', 'none', 'paragraph', 'InlineTextBox', 'LineBreak', 'ListMarker', 'LabelText', 'rowgroup']);

// As the text of a slider (valuetext), the browser's protocol reports only its number. fixSliderText replaces this text
// by the aria-valuetext of the element, which screen readers announce.
async function fixSliderText(client, nodes) {
  for (const node of nodes.filter(n => textOfValue(n.role) === 'slider')) {
    const { node: { attributes } } = await client.send('DOM.describeNode', { backendNodeId: node.backendDOMNodeId });
    const value = attributes[attributes.indexOf('aria-valuetext') + 1];
    for (const p of node.properties.filter(p => p.name === 'valuetext')) p.value = { value: attributes.includes('aria-valuetext') ? value : '' };
  }
}

// outlineLines returns a line of text for a node and for each of its descendants, indented by depth: role, name, value
// and states. It shortens texts to `most` characters.
function outlineLines(nodes, id, most, depth = 0, above = '') {
  const node = nodes.get(id);
  if (!node) return [];
  const role = textOfValue(node.role), name = textOfValue(node.name), below = (to, said) => (node.childIds ?? []).flatMap(c => outlineLines(nodes, c, most, to, said));
  if (role === 'InlineTextBox' || role === 'StaticText' && (name === '' || name === above)) return [];
  if (node.ignored || ignoredRoles.has(role)) return below(depth, above);
  const parts = [role, JSON.stringify(shorten(name, most))], value = textOfValue(node.value), description = textOfValue(node.description);
  if (value) parts.push(`= ${shorten(value, most)}`);
  for (const s of states) {
    const v = textOfValue(node.properties?.find(p => p.name === s)?.value);
    if (v && v !== 'false') parts.push(v === 'true' ? s : `${s} ${v}`);
  }
  if (description) parts.push(`(${shorten(description, most)})`);
  return ['  '.repeat(depth) + parts.join(' '), ...below(depth + 1, name)];
}

// outline returns the outline of an element.
async function outline(page, selector, most = 200) {
  const client = page.labClient ??= await page.createCDPSession();
  await page.waitForSelector(selector);
  const { result } = await client.send('Runtime.evaluate', { expression: `document.querySelector(${JSON.stringify(selector)})` });
  const { nodes } = await client.send('Accessibility.queryAXTree', { objectId: result.objectId });
  await fixSliderText(client, nodes);
  return outlineLines(new Map(nodes.map(n => [n.nodeId, n])), nodes[0].nodeId, most).join('\n');
}

// compareOutline compares an outline with the stored one.
function compareOutline(name, text) {
  const path = join(folder, `${name}.txt`), savedOutline = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (rewrite) writeFileSync(path, text);
  else assert.equal(text, savedOutline, `${name}: the accessibility tree has changed; if that is intended, run node access.test.mjs -rewrite`);
}

// ---- axe

const checkAccessibility = rewrite ? () => {} : assertAccessible;

// ---- the screens

// Each screen has a name, the part of the page to check, and the actions that lead to it from the
// previous screen. axe checks this part or, for some screens, the whole page. It skips outdated
// results, which are dimmed on purpose.
const screens = [
  ['header', 'header.top'],
  ['experiment', '#experiments-page', async page => {
    await click(page, '#experiments');
    await waitText(page, '#x-loads ~ .help', 'offered load of 0.'); // which the page computes in the background
  }],
  ['jobs', '#edit', page => click(page, '#x-close')],
  ['stage', 'main.stage'],
  ['examples', '.menu .list', page => click(page, '#examples')],
  ['lessons', '.menu .list', page => click(page, '#lessons')],
  ['export', '.menu .list', page => click(page, '#export')],
  ['workload', '#edit', page => click(page, '#tab-workload')],
  ['machine', '#edit', page => click(page, '#tab-machine')],
  ['policies', '#edit', page => click(page, '#tab-policies')],
  ['text', '#edit', page => click(page, '#tab-text')],
  ['player', '#player', async page => {
    await click(page, '#tab-jobs');
    await click(page, '#step-through');
    await waitText(page, '#player-count', 'event 0 of');
    for (let n = 1; n <= 12; n++) {
      await click(page, '#player-next');
      await waitText(page, '#player-count', `event ${n} of`);
    }
  }],
  ['why', '#why', async page => {
    await click(page, '#player-text button');
    await page.waitForSelector('#why article');
  }],
  ['schedules', '.schedules', async page => {
    await click(page, '#step-through');
    await click(page, '#unfold');
    await page.waitForSelector('#schedules table.now');
  }],
  ['metrics', '.scores', page => click(page, '#more')],
  ['compare', '#compare', async page => {
    await click(page, '#compare-open');
    await waitText(page, '#compare-says', 'Under Conservative');
    await click(page, '#payers tbody tr:nth-child(2) button');
    await waitText(page, '#compare-job caption', 'Job 5 under each policy');
  }],
  ['spread', '#compare', async page => {
    await click(page, '#compare-open');
    await click(page, '#spread-open');
    await page.waitForSelector('#spread .boxes');
    await click(page, '#spread-table');
    await page.waitForSelector('#spread table');
  }],
  ['sooner', '#whatif', async page => {
    await click(page, '#spread-open');
    await click(page, '#cell-8-0');
    await waitText(page, '#why-title', 'Job 9');
    await click(page, '#if-sooner-0');
    await page.waitForSelector('#if-found');
  }],
  ['what-if', '#whatif', async page => {
    await page.$eval('#if-node', el => el.scrollIntoView({ block: 'center' })); // the title of the panel may cover it
    await click(page, '#if-node');
    await page.waitForSelector('#if-said');
  }],
  ['decisions', '#decisions', async page => {
    await click(page, '#tab-policies');
    await selectOption(page, '#policy-0-name', 'fair-slack');
    await click(page, '#decide');
    await waitText(page, '#decision-count', 'decision 1 of');
    await page.waitForSelector('#decisions table');
    await waitForCharts(page);
  }],
  ['problems', '[role="alert"]', async page => {
    await click(page, '#decide');
    await click(page, '#tab-jobs');
    await click(page, '#undo');
    await waitForCharts(page);
    await type(page, '#cell-3-2', 'x');
    await waitText(page, '#problems', 'Row 4');
  }],
  ['share', '.menu .shared', async page => {
    await click(page, '#undo');
    await waitForCharts(page);
    await click(page, '#share');
    await waitText(page, '#shared', 'characters');
    await page.evaluate(() => { document.getElementById('shared').textContent = document.getElementById('shared').textContent.replace(/\d+/g, 'N'); });
  }],
  ['keys', 'dialog[open]', async page => {
    await page.keyboard.press('Escape');
    await click(page, '#keys');
    await page.waitForSelector('dialog[open]');
  }],
];

const checkedAsWhole = new Set(['stage', 'lessons', 'player', 'what-if', 'decisions', 'keys']);

test('every screen has the stored outline and no axe violations', chromiumTest, async () => {
  const page = await lab.page();
  for (const [name, part, go] of screens) {
    await go?.(page);
    await waitForFrames(page);
    compareOutline(`screen-${name}`, `${await outline(page, part)}\n`);
    await checkAccessibility(page, name, checkedAsWhole.has(name) ? 'html' : part);
  }
  assertNoConsoleErrors(page);
});

test('the drawers of a narrow screen have the stored outlines', chromiumTest, async () => {
  const page = await lab.page({ width: 390, height: 844 });
  await checkAccessibility(page, 'narrow');
  for (const drawer of ['edit', 'why']) {
    await click(page, `.drawer[aria-controls="${drawer}"]`);
    await page.waitForSelector(`.open-${drawer}`);
    compareOutline(`screen-narrow-${drawer}`, `${await outline(page, 'header.top')}\n`);
    await checkAccessibility(page, drawer);
  }
  assertNoConsoleErrors(page);
});

test('the form for lessons, with messages about missing parts, has the stored outline', chromiumTest, async () => {
  const page = await lab.page();
  await click(page, '#lessons');
  await click(page, '#lessons-write');
  await click(page, '#write-add-step');
  await click(page, '#write-add-question');
  await click(page, '#write-done');
  await waitText(page, '#notice', 'The lesson is not complete.');
  await click(page, '#write-page-2');
  await page.waitForSelector('#write-question');
  compareOutline('screen-writing', `${await outline(page, '#edit')}\n`);
  await checkAccessibility(page, 'writing', '#edit');
  assertNoConsoleErrors(page);
});

// ---- the lessons

// nextPage goes to the next page of a lesson. It calls the button's click method, because moving the pointer is slow.
async function nextPage(page, text, count) {
  await page.evaluate(() => document.getElementById('lesson-next').click());
  await page.waitForFunction((t, c) => document.getElementById('lesson-text').textContent.replaceAll('\u00a0', ' ').includes(t)
    && document.getElementById('lesson-page').textContent.includes(c), {}, text, count);
}

// lessonOutline returns the outlines of all pages of the open lesson. If `axe` is set, it also runs
// axe on two of the pages, because all pages have the same elements.
async function lessonOutline(page, lesson, axe) {
  const out = [], add = async title => out.push(`# ${title}`, await outline(page, '#lesson', 60), '');
  await waitText(page, '#lesson-title', lesson.title);
  await add('begin');
  for (const [i, step] of lesson.steps.entries()) {
    await nextPage(page, step.text, `step ${i + 1} of`);
    await add(`step ${i + 1}`);
    if (i === 0 && axe) {
      await waitForCharts(page);
      await checkAccessibility(page, 'step 1', '.stage', ['light']);
    }
  }
  for (const { text, answer } of lesson.questions ?? [lesson.question]) {
    await nextPage(page, text, 'question');
    await add('question');
    for (const k of [answer === 0 ? 1 : 0, answer]) {
      await click(page, `#choice-${k}`);
      await waitText(page, '#lesson-verdict', k === answer ? 'Right.' : 'Not quite.');
      await add(k === answer ? 'the right answer' : 'a wrong answer');
    }
  }
  if (axe) await checkAccessibility(page, 'the right answer', '.stage', ['dark']);
  return out.join('\n');
}

test('every page of every lesson has the stored outline and no axe violations', chromiumTest, async t => {
  const page = await lab.page();
  for (const [i, name] of readdirSync(lessons).filter(f => f.endsWith('.json')).map(f => f.slice(0, -5)).entries()) {
    await t.test(name, async () => {
      await page.mouse.move(0, 0); // otherwise the explanation of a term under the pointer could cover a choice
      await page.evaluate(n => { location.hash = `#v=1&lesson=${n}&step=0`; }, name);
      compareOutline(`lesson-${name}`, await lessonOutline(page, JSON.parse(readFileSync(join(lessons, `${name}.json`), 'utf8')), i === 0));
    });
  }
  assertNoConsoleErrors(page);
});
