// Tests all row operations of the jobs table: by pointer, by keyboard alone, and with many rows.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { click, command, drawnJobs, nativeJobs, assertAccessible, firstExample, waitForCharts, type, valueOf, paste, copySelection, pressChord } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// assertSchedules compares both charts with the command's schedules.
async function assertSchedules(page, scenario) {
  await waitForCharts(page);
  for (const [i, name] of ['easy', 'conservative'].entries()) {
    const drawn = await drawnJobs(page, i), want = nativeJobs(backfill, scenario, name);
    // Charts of many jobs draw some jobs in bins. Only jobs outside bins can be compared.
    for (const k of want.length > 100 ? drawn.flatMap((j, k) => j ? [k] : []) : want.keys()) assert.deepEqual(drawn[k], want[k], `${name}, job ${k} as drawn`);
  }
}

// column returns the values of a column in the rendered rows.
const column = (page, col) => page.$$eval(`#grid input[id$="-${col}"]`, all => all.map(el => el.value));
const selectionText = page => textOf(page, '#chosen');
const activeId = page => page.evaluate(() => document.activeElement.id);

const rowHandle = row => `#grid tr:has(#cell-${row}-0) .handle`;

test('rows are selected and edited together', async t => {
  const page = await lab.page();
  await t.test('by pointer: rows are selected by their handles and edited together', async () => {
    const s = firstExample(), jobs = s.workload.jobs;
    await click(page, rowHandle(2));
    assert.equal(await selectionText(page), 'Row 3 selected');
    await page.keyboard.down('Shift');
    await click(page, rowHandle(4));
    await page.keyboard.up('Shift');
    assert.equal(await selectionText(page), '3 rows selected, 3 to 5');
    assert.equal(await page.$$eval('tr.chosen', all => all.length), 3);
    assert.equal(await page.$eval(rowHandle(3), el => el.ariaPressed), 'true');

    await page.select('#set-column', 'runtime');
    await type(page, '#set-text', '-1');
    await click(page, '#set-do');
    for (const j of jobs.slice(2, 5)) j.runtime--;
    await assertSchedules(page, s);
    await page.select('#set-column', 'procs');
    await click(page, '#fill');
    for (const j of jobs.slice(2, 5)) j.procs = jobs[2].procs;
    await assertSchedules(page, s);
    await click(page, '#move-down');
    jobs.splice(2, 0, ...jobs.splice(5, 1));
    await assertSchedules(page, s);
    assert.equal(await selectionText(page), '3 rows selected, 4 to 6', 'moved rows stay selected');
    await click(page, '#duplicate');
    jobs.splice(6, 0, ...jobs.slice(3, 6).map((j, i) => ({ ...j, id: String(13 + i) })));
    await assertSchedules(page, s);
    await click(page, '#move-up');
    await click(page, '#delete');
    jobs.splice(5, 0, ...jobs.splice(6, 3));
    jobs.splice(5, 3);
    await assertSchedules(page, s);
    assert.equal(await selectionText(page), '');
    assert.equal(await page.$('#set-do'), null);

    assert.equal(await page.$eval('#undo', b => b.title), 'Undo: 3 rows deleted (Ctrl+Z)');
    for (let i = 0; i < 6; i++) await click(page, '#undo');
    await assertSchedules(page, firstExample());
    assert.equal(await page.$eval('#undo', b => b.disabled), true, 'each operation is one undo step');
    await click(page, '#choose-all');
    assert.equal(await selectionText(page), '12 rows selected, 1 to 12');
    await click(page, '#choose-all');
    assert.equal(await selectionText(page), '');
    assertNoConsoleErrors(page);
  });

  await t.test('by keyboard alone: rows are selected and edited together', async () => {
    const s = firstExample(), jobs = s.workload.jobs;
    await page.focus('#cell-2-4');
    await pressChord(page, 'Shift', 'ArrowDown');
    await pressChord(page, 'Shift', 'ArrowDown');
    await pressChord(page, 'Shift', 'ArrowDown');
    await pressChord(page, 'Shift', 'ArrowUp');
    assert.equal(await selectionText(page), '3 rows selected, 3 to 5');
    assert.equal(await activeId(page), 'cell-4-4');
    await pressChord(page, 'Control', 'Enter');
    assert.equal(await activeId(page), 'set-text');
    await page.keyboard.type('-1');
    await page.keyboard.press('Enter');
    for (const j of jobs.slice(2, 5)) j.runtime--;
    await assertSchedules(page, s);
    assert.equal(await activeId(page), 'cell-4-4', 'the focus is back in the table');
    await page.keyboard.press('Escape');
    await waitForFrames(page);
    assert.equal(await selectionText(page), '');
    await page.focus('#cell-2-2');
    await pressChord(page, 'Shift', 'ArrowDown');
    await pressChord(page, 'Shift', 'ArrowDown');
    await pressChord(page, 'Control', 'd');
    for (const j of jobs.slice(2, 5)) j.procs = jobs[2].procs;
    await assertSchedules(page, s);
    await pressChord(page, 'Alt', 'ArrowDown');
    jobs.splice(2, 0, ...jobs.splice(5, 1));
    await assertSchedules(page, s);
    const text = await copySelection(page);
    assert.equal(text, jobs.slice(3, 6).map(j => [j.id, j.submit, j.procs, j.estimate, j.runtime].join('\t') + '\n').join(''));
    await page.keyboard.press('Delete');
    jobs.splice(3, 3);
    await assertSchedules(page, s);
    await page.focus('#cell-3-0');
    await pressChord(page, 'Shift', 'ArrowDown');
    await paste(page, text);
    await waitForFrames(page);
    assert.deepEqual((await column(page, 0)).slice(3, 6), ['3', '4', '5'], 'the selected rows are replaced');
    assert.equal(await page.$$eval('#grid tbody tr:not(.space)', all => all.length), 9);
    for (let i = 0; i < 5; i++) await pressChord(page, 'Control', 'z');
    await assertSchedules(page, firstExample());
    await page.focus('#cell-0-1');
    await pressChord(page, 'Control', 'a');
    assert.equal(await selectionText(page), '12 rows selected, 1 to 12');
    await page.keyboard.press('Delete');
    await waitText(page, '#empty', 'There are no jobs yet');
    await pressChord(page, 'Control', 'z');
    await assertSchedules(page, firstExample());
    assertNoConsoleErrors(page);
  });

  await t.test('impossible operations show an error, and nothing is lost', async () => {
    await page.focus('#cell-1-1');
    await pressChord(page, 'Control', 'd');
    await waitText(page, '#notice', 'Nothing to fill');
    await pressChord(page, 'Shift', 'ArrowDown');
    await pressChord(page, 'Control', 'Enter');
    await page.keyboard.type('+sixty');
    await page.keyboard.press('Enter');
    await waitText(page, '#set-fault', 'expected a number after "+", got "sixty"');
    assert.equal(await valueOf(page, '#set-text'), '+sixty');
    assert.equal(await activeId(page), 'set-text');
    assert.equal(await page.$eval('#set-text', el => el.ariaInvalid), 'true');
    await type(page, '#set-text', 'ten');
    await page.keyboard.press('Enter');
    await waitText(page, '#problems', 'Row 2, submit: expected seconds, or a time such as 1h 30m, got "ten"');
    await type(page, '#cell-2-1', '3'); // typing in a cell clears the selection
    assert.equal(await selectionText(page), '');
    await waitText(page, '#problems', 'Row 2, submit');
    await pressChord(page, 'Control', 'z');
    await pressChord(page, 'Control', 'z');
    await waitForCharts(page);
    assert.equal(await page.$('#problems'), null);
    assertNoConsoleErrors(page);
  });

  await t.test('in a field outside the scenario, Ctrl+Z undoes the typing in that field', async () => {
    await type(page, '#cell-0-2', '3');
    await waitForCharts(page);
    const edited = await page.$eval('#undo', b => b.title);
    await page.focus('#find');
    await page.keyboard.type('7');
    await pressChord(page, 'Control', 'z');
    assert.equal(await page.$eval('#find', x => x.value), '');
    assert.equal(await page.$eval('#undo', b => b.title), edited);
    assert.equal(await page.$eval('#cell-0-2', x => x.value), '3');
    assertNoConsoleErrors(page);
  });

  await t.test('no axe violations with rows selected, light and dark', async () => {
    await page.focus('#cell-2-2');
    await pressChord(page, 'Shift', 'ArrowDown');
    await pressChord(page, 'Control', 'Enter');
    await page.keyboard.type('*');
    await page.keyboard.press('Enter');
    await waitText(page, '#set-fault', 'expected a number');
    await assertAccessible(page, 'rows selected');
  });
});

test('a cell is edited, rows are pasted, ten edits of different kinds are undone', async t => {
  const page = await lab.page();
  for (const by of ['pointer', 'keyboard']) await t.test(`by ${by}`, async () => {
    const s = firstExample(), jobs = s.workload.jobs, keys = by === 'keyboard';
    const go = async selector => {
      if (!keys) return click(page, selector);
      await page.waitForSelector(selector);
      await page.focus(selector);
    };
    const press = async selector => {
      await go(selector);
      if (keys) await page.keyboard.press('Enter');
      await waitForFrames(page);
    };
    const write = async (selector, text) => {
      if (!keys) return type(page, selector, text);
      await go(selector);
      if (!selector.startsWith('#cell')) await pressChord(page, 'Shift', 'Home'); // typing replaces the text only in cells
      await page.keyboard.type(text);
      await waitForFrames(page);
    };
    await write('#cell-3-4', '3'); // 1
    jobs[3].runtime = 3;
    await assertSchedules(page, s);
    await go('#cell-11-0');
    const block = Array.from({ length: 120 }, (_, i) => ({ id: `p${i}`, submit: 20 + 7 * i, procs: 1 + i % 8, estimate: 10 + i % 9, runtime: 5 + i % 5 }));
    await paste(page, block.map(j => Object.values(j).join('\t')).join('\n')); // 2
    await waitText(page, '.count', '131 jobs');
    jobs.splice(11, 1, ...block);
    await assertSchedules(page, s);
    await press('#duplicate'); // 3
    await press('#add'); // 4
    await press('#delete'); // 5
    await page.waitForFunction(() => document.activeElement.id.startsWith('cell-'));
    await pressChord(page, 'Shift', 'ArrowUp');
    await pressChord(page, 'Alt', 'ArrowUp'); // 6
    await press('#tab-machine');
    await write('#machine-nodes', '16'); // 7
    await press('#add-resource'); // 8
    await press('#tab-policies');
    await write('#knob-0-reservations', '2'); // 9
    await press('#tab-text');
    await write('#text-title', 'Mine'); // 10
    await waitText(page, '.title', 'Mine');
    await press('#tab-jobs');
    const undoTitles = [];
    for (let i = 0; i < 10; i++) {
      undoTitles.push(await page.$eval('#undo', b => b.title.replace(/^Undo: | \(Ctrl\+Z\)$/g, '')));
      if (keys) await pressChord(page, 'Control', 'z'); else await click(page, '#undo');
    }
    assert.deepEqual(undoTitles, ['title changed', 'knobs of easy changed', 'extra resources changed', 'machine changed', '3 rows changed', '1 row deleted', '1 row added', '1 row added', '119 rows added', 'runtime of row 4 changed']);
    assert.equal(await page.$eval('#undo', b => b.disabled), true);
    await assertSchedules(page, firstExample());
    assert.equal(await textOf(page, '.title'), firstExample().title);
    for (let i = 0; i < 2; i++) await pressChord(page, 'Control', 'Shift', 'z');
    await assertSchedules(page, s);
    for (let i = 0; i < 2; i++) await pressChord(page, 'Control', 'z');
    await assertSchedules(page, firstExample());
    assertNoConsoleErrors(page);
  });
});
