// Tests the panel of the compared policies: names, order, baseline, charts, presets, and knobs
// without effect.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { waitForFrames, assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { addPolicy, selectOption, click, assertAccessible, firstExample, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing, repeated } from './anywhere.mjs';

const titles = page => page.$$eval('.chart h2', all => all.map(x => x.textContent));
const rows = page => page.$$eval('#scores tbody th', all => all.map(x => x.textContent.trim().replace(/\s+/g, ' ')));
const legends = page => page.$$eval('[data-policy] > legend', all => all.map(x => x.textContent));
// until waits until a function that reads the page returns the wanted value.
async function until(page, what, want) {
  for (const end = Date.now() + 30_000; Date.now() < end && !isDeepStrictEqual(await what(page), want);) await waitForFrames(page);
  assert.deepEqual(await what(page), want);
}

// write replaces the text of a field, key by key.
async function write(page, selector, text) {
  await page.$eval(selector, el => { el.focus(); el.select(); });
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
}

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  // compare opens the first example under the given policies, and the Policies panel.
  async function compare(policies) {
    const page = await lab.shared({ ...firstExample(), policies });
    await click(page, '#tab-policies');
    return page;
  }

  test('the charts, tables, player and distributions show all eight policies', repeated(engine), async () => {
    const page = await compare([...'fcfs first-fit easy conservative pc dc moldable'.split(' ').map(name => ({ name })), { name: 'easy', knobs: { order: 'sjf' } }]);
    const all = ['FCFS', 'First fit', 'EASY', 'Conservative', 'Prioritized compression', 'Delayed compression', 'Moldable', 'EASY, queue order: shortest first (SJF)'];
    assert.deepEqual(await titles(page), all);
    assert.equal((await rows(page)).length, 8);
    await addPolicy(page, 'fair-slack');
    await until(page, titles, [...all, 'Fair slack']);
    assert.equal(await page.$eval('#add-policy', el => el.value), '', 'the list is ready to add the next one');
    assert.ok(await page.$eval('#policy-8', el => {
      const form = el.getBoundingClientRect(), panel = el.closest('.form').getBoundingClientRect();
      return form.top > panel.top - 9 && form.top < panel.bottom - 100;
    }), 'the form of the added policy is in sight');
    await undo(page);
    await click(page, '#spread-open');
    await page.waitForSelector('#spread .boxes');
    const colours = await page.$$eval('#spread .key.box', keys => keys.map(k => getComputedStyle(k).backgroundColor));
    assert.equal(new Set(colours).size, 8, colours.join(' '));
    await click(page, '#step-through');
    assert.deepEqual(await page.$$eval('#player-policy option', o => o.map(x => x.textContent)), all.map((t, i) => `${i + 1}: ${t}`));
    assertNoConsoleErrors(page);
  });

  test('the form to add a policy is above the list', repeated(engine), async () => {
    const page = await compare([{ name: 'fcfs' }, { name: 'easy' }, { name: 'conservative' }]);
    for (const width of [1440, 390]) {
      await page.setViewport({ width, height: 844 });
      if (width < 400) await click(page, '.drawer[aria-controls="edit"]');
      await page.$eval('#edit [role=tabpanel]', el => { el.scrollTop = 0; }); // a tab keeps its position
      await waitForFrames(page);
      const [panel, add, write, first] = await page.evaluate(() => ['#edit [role=tabpanel]', '#add-policy', '#write-policy', '#policy-0'].map(s => document.querySelector(s).getBoundingClientRect().toJSON()));
      assert.ok(add.top >= panel.top && Math.max(add.bottom, write.bottom) <= first.top, `${width}: ${JSON.stringify([panel.top, add, write, first.top])}`);
    }
    await addPolicy(page, 'first-fit');
    await page.waitForSelector('#policy-3');
    // The page scrolls to the added policy. The list stays in view to add the next one.
    const { scrolled, panelTop, addTop, legendTop } = await page.$eval('#edit [role=tabpanel]', el => ({
      scrolled: el.scrollTop, panelTop: el.getBoundingClientRect().top, addTop: document.querySelector('#add-policy').getBoundingClientRect().top, legendTop: document.querySelector('#policy-3 legend').getBoundingClientRect().top }));
    assert.ok(scrolled > 300 && addTop >= panelTop && addTop < panelTop + 30 && legendTop > addTop + 20, JSON.stringify({ scrolled, panelTop, addTop, legendTop }));
    await click(page, '.drawer[aria-controls="edit"]');
    assertNoConsoleErrors(page);
  });

  test('lists of knobs show the whole selected text', async () => {
    const page = await compare([{ name: 'easy' }, { name: 'pc' }, { name: 'fair-slack' }]);
    const cut = await page.$$eval('.form .field select', all => {
      const pen = document.createElement('canvas').getContext('2d');
      return all.filter(el => {
        pen.font = getComputedStyle(el).font;
        return pen.measureText(el.selectedOptions[0].text).width > el.clientWidth - 36;
      }).map(el => `${el.id}: ${el.selectedOptions[0].text}`);
    });
    assert.deepEqual(cut, []);
    assertNoConsoleErrors(page);
  });

  test('a typed name replaces the derived title, and equal titles get numbers', repeated(engine), async () => {
    const page = await compare([{ name: 'easy' }, { name: 'easy' }]);
    assert.deepEqual(await titles(page), ['EASY', 'EASY (2)']);
    assert.equal(await page.$eval('#policy-1-title', el => el.placeholder), 'EASY');
    await write(page, '#policy-1-title', 'Our scheduler, ü & <b>');
    const named = ['EASY', 'Our scheduler, ü & <b>'];
    await until(page, titles, named);
    assert.deepEqual(await legends(page), named);
    assert.deepEqual(await rows(page), ['EASY baseline', named[1]]);
    await page.type('#find', '4');
    await page.keyboard.press('Enter');
    await waitText(page, '#why', named[1]);
    await click(page, '#compare-open');
    await waitText(page, '#compare-says', named[1]);
    assert.equal(await valueOf(page, '#policy-1-title'), named[1]);
    await undo(page);
    await until(page, titles, ['EASY', 'EASY (2)']);
    assertNoConsoleErrors(page);
  });

  test('policies move by keyboard and by drag, and charts and tables follow', async () => {
    const page = await compare([{ name: 'fcfs' }, { name: 'easy' }, { name: 'conservative' }]);
    await click(page, '#compare-open');
    await selectOption(page, '#compare-other', '2');
    await waitText(page, '#compare-says', 'Under Conservative');
    assert.equal(await page.$eval('#policy-2-up', el => el.getAttribute('aria-label')), 'Move Conservative up');
    await page.focus('#policy-2-up');
    await page.keyboard.press('Enter');
    await until(page, titles, ['FCFS', 'Conservative', 'EASY']);
    await waitText(page, '#compare-says', 'Under Conservative');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'policy-1-up', 'the focus follows');
    await page.keyboard.press('Enter');
    await until(page, titles, ['Conservative', 'FCFS', 'EASY']);
    assert.deepEqual(await rows(page), ['Conservative baseline', 'FCFS', 'EASY']);
    await undo(page);
    await until(page, titles, ['FCFS', 'Conservative', 'EASY']);

    const at = selector => page.$eval(selector, el => { el.scrollIntoView({ block: 'nearest' }); const r = el.getBoundingClientRect(); return { x: r.left + 40, y: r.top + r.height / 2 }; });
    const from = await at('#policy-0 > legend');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y + 8);
    const to = await page.$eval('#policy-2', el => el.getBoundingClientRect().bottom);
    await page.mouse.move(from.x, to + 4, { steps: 4 });
    assert.ok(await page.$('.drop-line'));
    await page.mouse.up();
    await until(page, titles, ['Conservative', 'EASY', 'FCFS']);
    assert.equal(await page.$('.drop-line'), null);
    assert.deepEqual(await legends(page), ['Conservative', 'EASY', 'FCFS']);
    assertNoConsoleErrors(page);
  });

  test('differences are relative to the baseline that the user selects', repeated(engine), async () => {
    const page = await compare([{ name: 'fcfs' }, { name: 'easy' }, { name: 'conservative' }]);
    const deltas = () => page.$$eval('#scores tbody tr', all => all.map(r => r.cells[1].children[1].textContent));
    assert.equal((await deltas())[0], '');
    await click(page, '#policy-1-baseline');
    await until(page, rows, ['FCFS', 'EASY baseline', 'Conservative']);
    const shown = await deltas();
    assert.ok(shown[0].startsWith('+') && shown[1] === '', shown.join());
    await click(page, '#compare-open');
    await waitText(page, '#compare-says', 'than under EASY');
    await selectOption(page, '#colour', 'difference');
    await page.waitForSelector('#colour-base');
    assert.equal(await page.$eval('#colour-base', el => el.selectedOptions[0].textContent), 'EASY');
    await click(page, '#policy-2-up');
    await until(page, rows, ['FCFS', 'Conservative', 'EASY baseline']);
    assert.equal(await page.$eval('#policy-2-baseline', el => el.checked), true);
    await page.waitForFunction(() => document.querySelector('#colour-base').selectedOptions[0].textContent === 'EASY');
    assertNoConsoleErrors(page);
  });

  test('only charts that are switched on are shown, and tables have all rows', repeated(engine), async () => {
    const page = await compare([{ name: 'fcfs' }, { name: 'easy' }]);
    await click(page, '#policy-0-chart');
    await until(page, titles, ['EASY']);
    assert.equal((await rows(page)).length, 2);
    await click(page, '#policy-1-chart');
    await waitText(page, '#no-charts', 'All charts are switched off');
    await assertAccessible(page, 'no charts', '#no-charts', ['light']);
    await click(page, '#show-charts');
    await until(page, titles, ['FCFS', 'EASY']);
    assertNoConsoleErrors(page);
  });

  test('presets are named in words and grouped by paper', repeated(engine), async () => {
    const page = await compare([{ name: 'easy' }]);
    const groups = await page.$$eval('#policy-0-name optgroup', all => all.map(g => g.label));
    assert.deepEqual(groups, ['As in Leinberger et al. 1999', 'As in Tsafrir, Etsion and Feitelson 2007', 'As in Lelong, Reis and Trystram 2017', 'As in Jin 2009', 'As in Zeng 2009', 'As in Wu et al. 2015']);
    await selectOption(page, '#policy-0-name', 'leinberger-bb-easy');
    assert.equal(await page.$eval('#policy-0-name', el => el.selectedOptions[0].textContent), 'EASY, picks the job that best balances resources (FCFS/BB-EASY)');
    await until(page, titles, ['EASY, backfill candidate: best balance (BB)']);
    assertNoConsoleErrors(page);
  });

  test('knobs without effect are collapsed, with the reason', repeated(engine), async () => {
    const page = await compare([{ name: 'conservative' }, { name: 'easy' }]);
    assert.equal(await page.$('#knob-1-pick'), null);
    assert.equal(await textOf(page, '#policy-1-folded'), 'Knobs without effect here (3)');
    await click(page, '#policy-1-folded');
    await waitText(page, '#knob-1-pick-help', 'No effect here: the machine has no extra resources.');
    await selectOption(page, '#knob-1-pick', 'bb');
    await click(page, '#policy-1-folded');
    await page.waitForSelector('#knob-1-fallback', { hidden: true });
    assert.equal(await valueOf(page, '#knob-1-pick'), 'bb', 'it differs from its default, so it stays');
    assert.equal(await page.$('#knob-0-order'), null);
    await selectOption(page, '#knob-0-compress', 'replan');
    await page.waitForSelector('#knob-0-order');
    await assertAccessible(page, 'policies', '#edit', ['light', 'dark']);

    // The help text says what a knob sets, and then lists its values.
    await selectOption(page, '#policy-0-name', 'fair-slack');
    await page.waitForSelector('#knob-0-slack-up-help');
    const help = await textOf(page, '#knob-0-slack-up-help');
    assert.ok(help.startsWith('Largest slack factor. A job may wait at most its slack factor times its expected wait'), help);
  });
});
