// Tests the editor for policies that are written as scripts: colours, suggestions, marked errors, the
// keyboard, undo, and the places where the page runs. If the editor is missing, the text field
// remains.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, open, waitForFrames } from './lab.mjs';
import { assertAccessible, click, firstExample, openScenario, selectOption, tabTo, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';
import { builtSite, engineMissing, host, repeated, strictHeaders } from './anywhere.mjs';

const field = '#script-1', editor = `lab-editor:has(+ ${field})`, content = `${editor} .cm-content`;

const script = 'def schedule(p):\n    for job in p.waiting:\n        if p.fits(job):\n            p.start(job)\n';

// waitFor waits until a function, which runs in the page, returns true.
const waitFor = (page, holds, ...args) => page.waitForFunction(holds, { timeout: 20_000, polling: 100 }, ...args);

// waitForRuns waits until the table of metrics has a row for each of two policies.
const waitForRuns = page => waitFor(page, () => document.querySelectorAll('#scores tbody tr').length === 2);

// waitForProblem waits until the page reports an error with the given text. If the text is '', it
// waits until there is no error.
async function waitForProblem(page, text) {
  const said = () => page.$eval(`${field}-problem`, el => el.textContent).catch(() => undefined);
  try {
    await waitFor(page, (s, text) => { const said = document.querySelector(s)?.textContent; return text ? said?.includes(text) : said === ''; }, `${field}-problem`, text);
  } catch { assert.fail(`expected the problem ${text}, got ${await said()} in\n${await valueOf(page, field)}`); }
}

// waitForText waits until both the editor and the field contain a text.
async function waitForText(page, text) {
  const texts = () => page.evaluate((field, lines) => [document.querySelector(field)?.value, [...document.querySelectorAll(lines)].map(line => line.textContent).join('\n')], field, `${content} .cm-line`);
  for (let end = Date.now() + 20_000, now; ; await waitForFrames(page)) {
    now = await texts();
    if (now.every(t => t === text)) return;
    if (Date.now() > end) assert.deepEqual(now, [text, text]);
  }
}

// goTo moves the cursor to the end of a line, counted from 1.
async function goTo(page, line) {
  await page.focus(content);
  await press(page, 'Control', 'Home');
  for (let i = 1; i < line; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
}

// press presses keys together.
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.reverse()) await page.keyboard.up(key);
  await waitForFrames(page);
}

const colourOf = (page, text) => page.$$eval(`${content} .cm-line span`, (all, text) => getComputedStyle(all.find(span => span.textContent === text)).color, text);

// waitForSuggestions waits until the editor suggests exactly these texts. It waits a little longer,
// because CodeMirror ignores keys right after a list opens.
async function waitForSuggestions(page, ...texts) {
  const suggested = () => page.$$eval('.cm-tooltip-autocomplete li', all => all.map(li => li.textContent));
  try {
    await waitFor(page, texts => JSON.stringify([...document.querySelectorAll('.cm-tooltip-autocomplete li')].map(li => li.textContent)) === texts, JSON.stringify(texts));
  } catch { assert.deepEqual(await suggested(), texts); }
  await new Promise(done => setTimeout(done, 100));
}

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  // openScript opens the first example with a script, and the Policies panel.
  async function openScript(options, source = script) {
    const page = await openScenario(lab.browser, lab.url, lab.folder, { ...firstExample(), policies: [{ name: 'easy' }, { name: 'script', knobs: { source } }] }, options);
    if (options) await click(page, '.drawer');
    await click(page, '#tab-policies');
    await page.waitForSelector(content);
    await waitForRuns(page);
    return page;
  }

  test('the editor colours words, suggests names, marks mistakes and indents, and the keyboard focus can leave it', async () => {
    const page = await openScript();
    await waitForText(page, script);
    assert.equal(await page.$eval(field, el => el.checkVisibility()), false, 'the editor replaces the field');
    assert.equal((await page.$$(`${editor} .cm-lineNumbers .cm-gutterElement`)).length, 6);
    const ink = await page.$eval(content, el => getComputedStyle(el).color);
    assert.notEqual(await colourOf(page, 'def'), ink, 'keywords are coloured');

    await goTo(page, 3);
    await page.keyboard.press('Enter');
    await page.keyboard.type('p.wa');
    await waitForSuggestions(page, 'waiting', 'wait(job, because)', 'wake(time)');
    await waitFor(page, () => document.querySelector('.cm-completionInfo')?.textContent === 'waiting jobs, in the order of submission');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('job.');
    await waitFor(page, () => document.querySelector('.cm-tooltip-autocomplete li')?.textContent === 'id');
    await page.keyboard.type('xyz');
    await waitForProblem(page, 'Line 4, column 20: job has no .xyz');
    const marked = await page.$eval(`${content} .cm-lintRange-error`, el => [el.textContent, el.closest('.cm-line').textContent]);
    assert.deepEqual(marked, ['job', '            p.wait(job.xyz)']);
    const [mark, line] = await page.evaluate(line => [document.querySelector('.cm-lint-marker-error'), [...document.querySelectorAll(line)][3]].map(el => el.getBoundingClientRect().top), `${content} .cm-line`);
    assert.ok(Math.abs(mark - line) < 15, 'the mark in the gutter is at the line');
    assert.equal(await page.$eval(content, el => el.getAttribute('aria-invalid')), 'true');
    assert.match(await page.$eval(content, el => el.getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id).textContent).join(' ')), /Line 4, column 20.*Escape, then Tab/);

    await page.keyboard.press('Home');
    for (let n = 0; n < 'p.wait'.length; n++) await page.keyboard.press('ArrowRight');
    for (const key of ['Backspace', 'Backspace', 'i']) await page.keyboard.press(key);
    await waitForSuggestions(page, 'waiting', 'wait(job, because)');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitFor(page, () => [...document.querySelectorAll('.cm-line')].some(el => el.textContent.trim() === 'p.wait(job.xyz)'));

    await page.keyboard.press('End');
    await press(page, 'Shift', 'Home');
    await page.keyboard.type('print(p.now)');
    await page.waitForSelector(`${field}-printed button`, { timeout: 60_000 });
    await waitForProblem(page, '');
    assert.equal(await page.$('.cm-lint-marker-error'), null);
    assert.equal(await page.$eval(content, el => el.getAttribute('aria-invalid')), 'false');
    const last = (await page.$$(`${field}-printed button`)).at(-1);
    const at = Number(await last.evaluate(el => el.nextElementSibling.textContent));
    assert.ok(at > 0);
    await last.click();
    await waitFor(page, at => Number(labChart.view().split(' ')[2]) === at, at);

    await goTo(page, 4);
    await page.keyboard.press('Tab');
    assert.match(await valueOf(page, field), /^ {16}print\(p\.now\)$/m);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => !!document.activeElement.closest('lab-editor')), false, 'Escape, then Tab, leaves the editor');
    await tabTo(page, content, { back: true });
    assertNoConsoleErrors(page);
  });

  test('undo in the editor and in the page', repeated(engine), async () => {
    const page = await openScript();
    await goTo(page, 4);
    await page.keyboard.type(' # x');
    const typed = script.replace('p.start(job)', 'p.start(job) # x');
    await waitForText(page, typed);
    await undo(page);
    await waitForText(page, script);
    await press(page, 'Control', 'y');
    await waitForText(page, typed);
    await page.focus('#tab-policies');
    await undo(page);
    await waitForText(page, script);
    await page.focus(content);
    await page.keyboard.type('!'); // the cursor is where the text was that undo removed
    await waitForText(page, script.replace('p.start(job)', 'p.start(job)!'));
    await selectOption(page, `${field}-template`, 'first-fit');
    await waitFor(page, content => document.querySelector(content).textContent.startsWith('# First fit'), content);
    await page.focus(content);
    await undo(page);
    await waitForText(page, script.replace('p.start(job)', 'p.start(job)!'));
    await undo(page);
    await waitForText(page, script);
    await click(page, `label[for="${field.slice(1)}"]`);
    assert.ok(await page.$eval(content, el => el === document.activeElement), 'the label belongs to the editor');
    await page.click('#tab-machine');
    await page.click('#tab-policies');
    await waitForText(page, script);
    assertNoConsoleErrors(page);
  });

  test('the editor and its suggestions fit a narrow screen, and have no axe violations in both themes', repeated(engine), async () => {
    const page = await openScript({ width: 390, height: 844 }, `${script}# ${'a long comment '.repeat(60)}\n`);
    await page.$eval(editor, el => el.scrollIntoView());
    const { left, right } = await page.$eval(editor, el => el.getBoundingClientRect().toJSON());
    assert.ok(left >= 0 && right <= 390);
    assert.ok(await page.$eval(`${editor} .cm-scroller`, el => el.scrollWidth <= el.clientWidth), 'long lines are wrapped');
    await goTo(page, 4);
    await page.keyboard.type('\np.s');
    await page.waitForSelector('.cm-completionInfo');
    const box = await page.$eval('.cm-tooltip-autocomplete', el => el.getBoundingClientRect().toJSON());
    assert.ok(box.left >= 0 && box.right <= 390 && box.bottom <= 844, JSON.stringify(box));
    await assertAccessible(page, 'suggestions', '#edit');
    await page.keyboard.press('Escape');
    await waitForProblem(page, 'pass has no .s');
    await assertAccessible(page, 'a mistake', '#edit');
    assertNoConsoleErrors(page);
  });

  // writePolicy adds a script and waits for its colours.
  async function writePolicy(page) {
    await page.waitForSelector('#tab-policies');
    await page.click('#tab-policies');
    await page.waitForSelector('#write-policy');
    while (await page.$('#policy-1-drop')) await page.click('#policy-1-drop').then(() => waitForFrames(page));
    await page.click('#write-policy');
    await waitForRuns(page);
  }

  // assertEdits checks that the editor has its colours and font, and that typing starts a new run.
  async function assertEdits(page) {
    await page.waitForSelector(content);
    assert.notEqual(await colourOf(page, 'def'), await page.$eval(content, el => getComputedStyle(el).color));
    assert.match(await page.$eval(`${editor} .cm-scroller`, el => getComputedStyle(el).fontFamily), /monospace/);
    await page.focus(content);
    await (page.keyboard ?? page.page().keyboard).type('x = y');
    await waitForProblem(page, 'undefined: y');
    await page.waitForSelector('.cm-lint-marker-error');
  }

  test('the editor works under a strict content security policy', async () => {
    const plain = await host(builtSite, { headers: strictHeaders });
    const page = await open(lab.browser, plain.url);
    await writePolicy(page);
    await assertEdits(page);
    assertNoConsoleErrors(page);
  });

  test('the editor works in a sandbox without an origin', repeated(engine), async () => {
    const plain = await host(builtSite, { headers: { 'Access-Control-Allow-Origin': '*' } });
    plain.pages['/course'] = '<!DOCTYPE html><title>Course</title><iframe width="1200" height="800" sandbox="allow-scripts" src="/courses/17/files/lab/"></iframe>';
    const page = await open(lab.browser, `http://127.0.0.1:${plain.port}/course`, { ready: false });
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await writePolicy(frame);
    await assertEdits(frame);
    assertNoConsoleErrors(page);
  });

  test('if the editor cannot be loaded, the script is typed in a text field', repeated(engine), async () => {
    const plain = await host(builtSite);
    plain.refuse = /js\/editor\./;
    const page = await open(lab.browser, plain.url);
    await writePolicy(page);
    await page.waitForSelector(field);
    assert.equal(await page.$('.cm-content'), null);
    await page.type(field, 'x = y');
    await waitForProblem(page, 'undefined: y');
    assert.equal(await page.$eval(`${field}-help .keys`, el => el.checkVisibility()), false);
    assert.equal(await page.$$eval('script[src*="js/editor."]', all => all.length), 1, 'the page tries once');
    assertNoConsoleErrors(page, /js\/editor\.|ERR_EMPTY_RESPONSE|ERR_CONNECTION/);
  });
});
