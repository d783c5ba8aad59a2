// What those get who hear the page: of every screen and of every page of every
// lesson, the outline that the browser hands to a screen reader, compared with the
// one in fixtures/access, and the faults that axe knows of, light and dark. After a
// change that is meant: node access.test.mjs -rewrite, and read the difference.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumOnly, root, open, quiet, waitText, frames, sites } from './lab.mjs';
import { choose, click, faultless, fresh, type } from './page.mjs';
import { begin } from './begin.mjs';

const rewrite = process.argv.includes('-rewrite');
const folder = join(root, 'build', 'browser', 'fixtures', 'access');
const lessons = join(root, 'public', 'lessons');
mkdirSync(folder, { recursive: true });

const lab = begin({ site: sites.shipped }), outlined = chromiumOnly('asks what a screen reader gets');

// ---- outlines

const states = ['roledescription', 'keyshortcuts', 'hasPopup', 'level', 'checked', 'pressed', 'expanded', 'selected', 'disabled', 'required', 'readonly', 'invalid', 'modal', 'multiline', 'valuetext', 'live'];
const shorten = (text, most) => text.length > most ? `${text.slice(0, most)}…` : text;
const wordsOf = v => String(v?.value ?? '').replace(/\s+/g, ' ').trim();

// parts that a screen reader does not tell of
const passed = new Set(['generic', 'none', 'paragraph', 'InlineTextBox', 'LineBreak', 'ListMarker', 'LabelText', 'rowgroup']);

// The protocol gives a slider's value as its text; what is told in its place stands at
// the element.
async function tellsSliders(client, nodes) {
  for (const node of nodes.filter(n => wordsOf(n.role) === 'slider')) {
    const { node: { attributes } } = await client.send('DOM.describeNode', { backendNodeId: node.backendDOMNodeId });
    const value = attributes[attributes.indexOf('aria-valuetext') + 1];
    for (const p of node.properties.filter(p => p.name === 'valuetext')) p.value = { value: attributes.includes('aria-valuetext') ? value : '' };
  }
}

// lines is a node as text: role, name, value, states; a level deeper, two blanks more.
function lines(nodes, id, most, depth = 0, above = '') {
  const node = nodes.get(id);
  if (!node) return [];
  const role = wordsOf(node.role), name = wordsOf(node.name), below = (to, said) => (node.childIds ?? []).flatMap(c => lines(nodes, c, most, to, said));
  if (role === 'InlineTextBox' || role === 'StaticText' && (name === '' || name === above)) return [];
  if (node.ignored || passed.has(role)) return below(depth, above);
  const words = [role, JSON.stringify(shorten(name, most))], value = wordsOf(node.value), description = wordsOf(node.description);
  if (value) words.push(`= ${shorten(value, most)}`);
  for (const s of states) {
    const v = wordsOf(node.properties?.find(p => p.name === s)?.value);
    if (v && v !== 'false') words.push(v === 'true' ? s : `${s} ${v}`);
  }
  if (description) words.push(`(${shorten(description, most)})`);
  return ['  '.repeat(depth) + words.join(' '), ...below(depth + 1, name)];
}

// outline is the part of the page in an element.
async function outline(page, selector, most = 200) {
  const client = page.labClient ??= await page.createCDPSession();
  await page.waitForSelector(selector);
  const { result } = await client.send('Runtime.evaluate', { expression: `document.querySelector(${JSON.stringify(selector)})` });
  const { nodes } = await client.send('Accessibility.queryAXTree', { objectId: result.objectId });
  await tellsSliders(client, nodes);
  return lines(new Map(nodes.map(n => [n.nodeId, n])), nodes[0].nodeId, most).join('\n');
}

// agrees compares an outline with the one that is kept.
function agrees(name, text) {
  const path = join(folder, `${name}.txt`), had = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (rewrite) writeFileSync(path, text);
  else assert.equal(text, had, `${name}: what a screen reader gets has changed; if that is meant, run node access.test.mjs -rewrite`);
}

// ---- faults

const checked = rewrite ? () => {} : faultless;

// ---- the screens

// Each is a name, the part of the page that is its own, and the way there from the one
// before. Faults are searched for in that part; here and there in all of the page, but
// not where results are outdated, which are dimmed on purpose.
const screens = [
  ['header', 'header.top'],
  ['jobs', '#edit'],
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
    await click(page, '#if-node');
    await page.waitForSelector('#if-said');
  }],
  ['decisions', '#decisions', async page => {
    await click(page, '#tab-policies');
    await choose(page, '#policy-0-name', 'fair-slack');
    await click(page, '#decide');
    await waitText(page, '#decision-count', 'decision 1 of');
    await page.waitForSelector('#decisions table');
    await fresh(page);
  }],
  ['problems', '[role="alert"]', async page => {
    await click(page, '#decide');
    await click(page, '#tab-jobs');
    await click(page, '#undo');
    await fresh(page);
    await type(page, '#cell-3-2', 'x');
    await waitText(page, '#problems', 'Row 4');
  }],
  ['share', '.menu .shared', async page => {
    await click(page, '#undo');
    await fresh(page);
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

const whole = new Set(['stage', 'lessons', 'player', 'what-if', 'decisions', 'keys']);

test('every screen: its outline, and no fault that axe knows of', outlined, async () => {
  const page = await lab.page();
  for (const [name, part, go] of screens) {
    await go?.(page);
    await frames(page);
    agrees(`screen-${name}`, `${await outline(page, part)}\n`);
    await checked(page, name, whole.has(name) ? 'html' : part);
  }
  quiet(page);
});

test('the drawers of a narrow screen', outlined, async () => {
  const page = await lab.page({ width: 390, height: 844 });
  await checked(page, 'narrow');
  for (const drawer of ['edit', 'why']) {
    await click(page, `.drawer[aria-controls="${drawer}"]`);
    await page.waitForSelector(`.open-${drawer}`);
    agrees(`screen-narrow-${drawer}`, `${await outline(page, 'header.top')}\n`);
    await checked(page, drawer);
  }
  quiet(page);
});

test('the form for lessons, with what is missing', outlined, async () => {
  const page = await lab.page();
  await click(page, '#lessons');
  await click(page, '#lessons-write');
  await click(page, '#write-add-step');
  await click(page, '#write-add-question');
  await click(page, '#write-done');
  await waitText(page, '#notice', 'The lesson is not complete.');
  await click(page, '#write-page-2');
  await page.waitForSelector('#write-question');
  agrees('screen-writing', `${await outline(page, '#edit')}\n`);
  await checked(page, 'writing', '#edit');
  quiet(page);
});

// ---- the lessons

// turn goes to the next page of a lesson, without a pointer, which takes its time.
async function turn(page, text, count) {
  await page.evaluate(() => document.getElementById('lesson-next').click());
  await page.waitForFunction((t, c) => document.getElementById('lesson-text').textContent.includes(t)
    && document.getElementById('lesson-page').textContent.includes(c), {}, text, count);
}

// paged is the outline of each page of a lesson that is open, to its end.
async function paged(page, lesson) {
  const out = [], add = async title => out.push(`# ${title}`, await outline(page, '#lesson', 60), '');
  await waitText(page, '#lesson-title', lesson.title);
  await add('begin');
  for (const [i, step] of lesson.steps.entries()) {
    await turn(page, step.text, `step ${i + 1} of`);
    await add(`step ${i + 1}`);
    if (i === 0) {
      await fresh(page);
      await checked(page, 'step 1', '.stage', ['light']);
    }
  }
  await page.evaluate(() => document.getElementById('lesson-next').click());
  await page.waitForSelector('#choice-0');
  await add('question');
  for (const k of [lesson.question.answer === 0 ? 1 : 0, lesson.question.answer]) {
    await click(page, `#choice-${k}`);
    await waitText(page, '#lesson-verdict', k === lesson.question.answer ? 'Right.' : 'Not quite.');
    await add(k === lesson.question.answer ? 'the right answer' : 'a wrong answer');
  }
  await checked(page, 'the right answer', '.stage', ['dark']);
  return out.join('\n');
}

test('every page of every lesson: its outline, and no fault that axe knows of', outlined, async t => {
  const page = await lab.page();
  for (const name of readdirSync(lessons).filter(f => f.endsWith('.json')).map(f => f.slice(0, -5))) {
    await t.test(name, async () => {
      await page.evaluate(n => { location.hash = `#v=1&lesson=${n}&step=0`; }, name);
      agrees(`lesson-${name}`, await paged(page, JSON.parse(readFileSync(join(lessons, `${name}.json`), 'utf8'))));
    });
  }
  quiet(page);
});
