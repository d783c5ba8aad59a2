// Tests that the jobs table behaves like a spreadsheet, that its columns fit their content, and that
// it accepts times as people write them.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, waitForFrames, assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { click, pressChord, waitForCharts, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing, repeated } from './anywhere.mjs';

const activeId = page => page.evaluate(() => document.activeElement.id);
const width = (page, selector) => page.$eval(selector, el => el.getBoundingClientRect().width);

async function pressKeys(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await waitForFrames(page);
}

async function drag(page, selector, by) {
  const box = await (await page.$(selector)).boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y, { steps: 4 });
  await page.mouse.up();
  await waitForFrames(page);
}

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  test('a click selects a cell and typing replaces it; Enter, F2 and a double click edit inside', async () => {
    const page = await lab.page();
    await click(page, '#cell-3-2');
    await page.keyboard.type('6');
    assert.equal(await valueOf(page, '#cell-3-2'), '6');
    await pressKeys(page, 'Enter');
    assert.equal(await activeId(page), 'cell-4-2', 'Enter moves one row down');
    await click(page, '#cell-4-2'); // the cell is already selected
    await page.keyboard.type('2');
    assert.equal(await valueOf(page, '#cell-4-2'), '2');
    await pressKeys(page, 'ArrowRight');
    assert.equal(await activeId(page), 'cell-4-3');
    const was = await valueOf(page, '#cell-4-3');
    await pressKeys(page, 'F2');
    await page.keyboard.type('0');
    assert.equal(await valueOf(page, '#cell-4-3'), was + '0');
    await pressKeys(page, 'ArrowLeft');
    assert.equal(await activeId(page), 'cell-4-3', 'inside a cell, arrow keys move in the text');
    await pressKeys(page, 'Escape');
    assert.equal(await valueOf(page, '#cell-4-3'), was, 'Escape restores the cell');
    await pressKeys(page, 'Enter');
    await page.keyboard.type('1');
    assert.equal(await valueOf(page, '#cell-4-3'), was + '1');
    await pressKeys(page, 'Tab', 'Home');
    assert.equal(await activeId(page), 'cell-4-0');
    await pressKeys(page, 'End', 'ArrowUp');
    assert.equal(await activeId(page), 'cell-3-4');
    await page.click('#cell-0-0', { count: 2 });
    await pressKeys(page, 'End');
    await page.keyboard.type('a');
    assert.equal(await valueOf(page, '#cell-0-0'), '1a');
    await click(page, '#cell-11-4');
    await page.keyboard.type('7');
    await pressKeys(page, 'Enter', 'Escape');
    assert.equal(await valueOf(page, '#cell-11-4'), '7', 'Enter keeps the value of the last row, too');
    assertNoConsoleErrors(page);
  });

  test('Tab leads past the names of jobs, and Add appends a job', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#cell-3-4');
    await page.keyboard.type('2');
    await pressKeys(page, 'Tab');
    assert.equal(await activeId(page), 'cell-4-1');
    await pressChord(page, 'Shift', 'Tab');
    assert.equal(await activeId(page), 'cell-3-4');
    await pressKeys(page, 'Tab', 'ArrowLeft');
    assert.equal(await activeId(page), 'cell-4-0', 'the arrow keys lead to the name');
    await pressChord(page, 'Shift', 'Tab');
    assert.ok(!/^cell-4/.test(await activeId(page)));
    await click(page, '#cell-0-1');
    await pressChord(page, 'Shift', 'Tab');
    assert.equal(await activeId(page), 'cell-0-0', 'the first name is a stop');
    await click(page, '#add');
    assert.equal(await activeId(page), 'cell-12-1');
    await click(page, '#cell-12-4');
    await pressKeys(page, 'Tab');
    assert.ok(!/^cell/.test(await activeId(page)), 'Tab leaves the table after the last cell');
    assertNoConsoleErrors(page);
  });

  test('an estimate below the runtime asks for a shorter runtime instead of an error', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#cell-0-3');
    await page.keyboard.type('2');
    await waitText(page, '#waiting', 'Row 1: the runtime exceeds the estimate.');
    assert.equal(await page.$('#problems'), null);
    assert.equal(await page.$eval('#cell-0-4', el => el.ariaInvalid), 'false');
    await pressKeys(page, 'Tab');
    await page.keyboard.type('2');
    await waitForCharts(page);
    assert.equal(await page.$('#waiting'), null);
    await click(page, '#cell-1-3');
    await page.keyboard.type('1');
    await click(page, '#cell-2-0');
    await waitText(page, '#problems', 'Row 2, runtime: expected 1 to the estimate 1');
    assertNoConsoleErrors(page);
  });

  test('an empty table offers to add the first job; Add goes to its submit cell', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#clear');
    await waitText(page, '#empty', 'There are no jobs yet.');
    await waitText(page, '#notice', '12 jobs deleted, with the title and the text of the scenario. Undo restores them.');
    const charts = () => page.$$eval('.lab [data-chart]', all => all.filter(x => x.checkVisibility()).map(x => x.id));
    assert.deepEqual(await charts(), [], 'no chart of the deleted jobs remains');
    assert.equal(await textOf(page, '.top .title'), '');
    await undo(page);
    await waitText(page, '.top .title', 'EASY and conservative backfilling');
    assert.equal(await valueOf(page, '#cell-11-0'), '12');
    await click(page, '#clear');
    await waitText(page, '#empty', 'There are no jobs yet.');
    assert.equal(await page.$('#problems'), null);
    await click(page, '#tab-machine');
    await click(page, '#empty-add');
    await page.waitForFunction(() => document.activeElement.id === 'cell-0-1');
    await page.keyboard.type('0');
    await waitText(page, '#waiting', 'Row 1 is new. Fill in procs, estimate and runtime.');
    assert.deepEqual(await charts(), [], 'no chart of the deleted jobs comes back');
    assert.equal(await page.$('#problems'), null);
    assert.equal(await page.$('#notice'), null, 'the notice about the deleted jobs is gone');
    for (const text of ['1', '10', '10']) {
      await pressKeys(page, 'Tab');
      await page.keyboard.type(text);
    }
    await waitForCharts(page);
    assert.deepEqual(await charts(), ['overview', 'gantt-0', 'gantt-1', 'strip']);
    assert.equal(await valueOf(page, '#cell-0-0'), '1');
    await click(page, '#add');
    assert.equal(await activeId(page), 'cell-1-1');
    await waitText(page, '#waiting', 'the charts show the last valid scenario.');
    assert.deepEqual(await page.$$eval('[id^=cell-1-]', all => all.map(x => x.value).slice(1)), ['', '', '', '']);
    await page.focus('#cell-0-0');
    await waitText(page, '#problems', 'Row 2, submit: expected seconds');
    assertNoConsoleErrors(page);
  });

  test('columns fit their content; they and the panel can be dragged', async () => {
    const page = await lab.page(), before = await width(page, '#grid th:first-child');
    await click(page, '#cell-0-0');
    await page.keyboard.type('a-job-with-a-rather-long-name');
    await waitForFrames(page);
    assert.ok(await page.$eval('#cell-0-0', el => el.scrollWidth <= el.clientWidth), 'the whole name is visible');
    for (const column of [1, 2, 3, 4]) { // the pinned column of names does not cover the focused cell
      await page.keyboard.press('Tab');
      await page.waitForFunction(id => document.activeElement.id === id, {}, `cell-0-${column}`);
      await waitForFrames(page);
      assert.ok(await page.$eval(`#cell-0-${column}`, el => {
        const r = el.getBoundingClientRect();
        return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) === el;
      }), `column ${column} is visible`);
    }
    const fitted = await width(page, '#grid th:first-child');
    assert.ok(fitted > before);
    await drag(page, '#grid th:first-child .grip', -60);
    assert.ok(Math.abs(await width(page, '#grid th:first-child') - fitted + 60) < 4);
    const panel = await width(page, '#edit');
    await drag(page, '#edit > .grip', 100);
    assert.ok(Math.abs(await width(page, '#edit') - panel - 100) < 4);
    await page.focus('#edit > .grip');
    await pressKeys(page, 'ArrowLeft');
    assert.ok(await width(page, '#edit') < panel + 100);
    await page.reload();
    await waitForCharts(page);
    assert.ok(Math.abs(await width(page, '#edit') - panel - 84) < 4, 'the browser remembers the width');
    assertNoConsoleErrors(page);
  });

  test('next to a wide panel, the table of metrics is not cut', repeated(engine), async () => {
    const page = await lab.scenario(JSON.parse(readFileSync(join(root, 'public', 'examples', 'lublin.json'), 'utf8')));
    await drag(page, '#edit > .grip', 547 - await width(page, '#edit'));
    assert.ok(await width(page, '#edit') > 540);
    assert.equal(await page.$eval('.scores', el => el.scrollWidth - el.clientWidth), 0);
    assertNoConsoleErrors(page);
  });

  test('the panel shows the basic columns, also with dates, and keeps its width while a person types', repeated(engine), async () => {
    const jobs = Array.from({ length: 12 }, (_, i) => ({ id: `${47110 + i}`, submit: 617 * i, procs: 1, estimate: 86_400, runtime: 5025 + i }));
    const page = await lab.scenario({ version: 1, title: 'Dates', calendar: { start: 1774738800, zone: 'Europe/Berlin' }, machine: { nodes: 4 }, workload: { jobs }, policies: [{ name: 'easy' }] });
    await page.waitForFunction(() => document.getElementById('cell-1-1').value === '2026-03-29 00:10:17');
    await click(page, '#edit > .grip', { count: 2 }); // an earlier test has dragged the panel
    const panel = await width(page, '#edit');
    for (let column = 0; column < 5; column++) {
      assert.ok(await page.$eval(`#cell-1-${column}`, el => el.getBoundingClientRect().right <= document.getElementById('edit').getBoundingClientRect().right + 1), `column ${column} is not cut`);
      assert.ok(await page.$eval(`#cell-1-${column}`, el => el.scrollWidth <= el.clientWidth), `the text in column ${column} is not cut`);
    }
    await click(page, '#cell-1-0');
    await page.keyboard.type('a-much-longer-name-of-a-job');
    await waitForFrames(page);
    assert.equal(await width(page, '#edit'), panel);
    await page.close();
    const small = await lab.page();
    assert.equal(Math.round(await width(small, '#edit')), 344, 'short columns need no wider panel');
    assertNoConsoleErrors(small);
  });

  test('a reload keeps undo and redo', async () => {
    const page = await lab.page(), was = await valueOf(page, '#cell-0-2'), storedUndo = () => page.evaluate(() => sessionStorage.getItem('undo'));
    await click(page, '#cell-0-2');
    await page.keyboard.type('2');
    await click(page, '#cell-1-4');
    await page.keyboard.type('1');
    await click(page, '#duplicate');
    await click(page, '#undo');
    // The tab stores the undo steps after a short delay.
    for (let last, steady = 0; steady < 8;) {
      const now = await storedUndo();
      steady = now && now === last ? steady + 1 : 0;
      last = now;
      await new Promise(r => setTimeout(r, 100));
    }
    await page.reload();
    await waitForCharts(page);
    assert.equal(await page.$eval('#undo', el => el.title), 'Undo: runtime of row 2 changed (Ctrl+Z)');
    await click(page, '#redo');
    await waitText(page, '.count', '13 jobs');
    for (let i = 0; i < 3; i++) await click(page, '#undo');
    assert.equal(await valueOf(page, '#cell-0-2'), was);
    assert.equal(await page.$eval('#undo', el => el.disabled), true);
    assertNoConsoleErrors(page);
  });

  test('fields accept times as people write them, and the table shows long times that way', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#cell-0-3');
    await page.keyboard.type('1h 30m');
    await pressKeys(page, 'Tab');
    await page.keyboard.type('1:00:00');
    await waitForCharts(page);
    assert.equal(await valueOf(page, '#cell-0-4'), '1:00:00', 'unchanged while the cell has the focus');
    await click(page, '#cell-1-1');
    await page.keyboard.type('2m');
    await waitForCharts(page);
    assert.equal(await valueOf(page, '#cell-0-3'), '1 h 30 min');
    assert.equal(await valueOf(page, '#cell-0-4'), '1 h');
    await click(page, '#tab-machine');
    await click(page, '#add-block');
    await page.keyboard.type('1-12:00:00');
    await click(page, '#block-0-to');
    await click(page, '#block-0-to', { count: 3 });
    await page.keyboard.type('40h');
    await waitForFrames(page);
    assert.equal(await page.$('#problems'), null, await textOf(page, '.stage'));
    assert.deepEqual([await valueOf(page, '#block-0-from'), await valueOf(page, '#block-0-to')], ['1 d 12:00', '40h']);
    assert.equal(await textOf(page, '.block-row.heads'), 'fromtoprocessors', 'no unit');
    await click(page, '#tab-jobs');
    await click(page, '#cell-0-3');
    await page.keyboard.type('soon');
    await waitText(page, '#problems', 'Row 1, estimate: expected seconds, or a time such as 1h 30m, got "soon"');
    assertNoConsoleErrors(page);
  });
});
