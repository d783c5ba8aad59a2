// The jobs table: everything a person does to rows, once by pointer and once by
// keyboard alone, and as many rows as there may be.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { quiet, waitText, textOf, frames } from './lab.mjs';
import { click, command, drawnJobs, expected, faultless, first, fresh, type, valueOf, paste, copied } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

// same compares both pictures with what the command says of the scenario.
async function same(page, scenario) {
  await fresh(page);
  for (const [i, name] of ['easy', 'conservative'].entries()) {
    const drawn = await drawnJobs(page, i), want = expected(backfill, scenario, name);
    // Of many jobs some are drawn together.
    for (const k of want.length > 100 ? drawn.flatMap((j, k) => j ? [k] : []) : want.keys()) assert.deepEqual(drawn[k], want[k], `${name}, job ${k} as drawn`);
  }
}

// column is what the rows that are drawn have in a column.
const column = (page, col) => page.$$eval(`#grid input[id$="-${col}"]`, all => all.map(el => el.value));
const chosen = page => textOf(page, '#chosen');
const active = page => page.evaluate(() => document.activeElement.id);

// chord presses a key with others held.
async function chord(page, ...keys) {
  for (const k of keys.slice(0, -1)) await page.keyboard.down(k);
  await page.keyboard.press(keys.at(-1));
  for (const k of keys.slice(0, -1).reverse()) await page.keyboard.up(k);
  await frames(page);
}

const handle = row => `#grid tr:has(#cell-${row}-0) .handle`;

test('by pointer: rows are selected by their handles, and all is done to them', async () => {
  const page = await lab.page(), s = first(), jobs = s.workload.jobs;
  await click(page, handle(2));
  assert.equal(await chosen(page), 'Row 3 selected');
  await page.keyboard.down('Shift');
  await click(page, handle(4));
  await page.keyboard.up('Shift');
  assert.equal(await chosen(page), '3 rows selected, 3 to 5');
  assert.equal(await page.$$eval('tr.chosen', all => all.length), 3);
  assert.equal(await page.$eval(handle(3), el => el.ariaPressed), 'true');

  await page.select('#set-column', 'runtime');
  await type(page, '#set-text', '-1');
  await click(page, '#set-do');
  for (const j of jobs.slice(2, 5)) j.runtime--;
  await same(page, s);
  await page.select('#set-column', 'procs');
  await click(page, '#fill');
  for (const j of jobs.slice(2, 5)) j.procs = jobs[2].procs;
  await same(page, s);
  await click(page, '#move-down');
  jobs.splice(2, 0, ...jobs.splice(5, 1));
  await same(page, s);
  assert.equal(await chosen(page), '3 rows selected, 4 to 6', 'they stay selected');
  await click(page, '#duplicate');
  jobs.splice(6, 0, ...jobs.slice(3, 6).map((j, i) => ({ ...j, id: String(13 + i) })));
  await same(page, s);
  await click(page, '#move-up');
  await click(page, '#delete');
  jobs.splice(5, 0, ...jobs.splice(6, 3));
  jobs.splice(5, 3);
  await same(page, s);
  assert.equal(await chosen(page), '');
  assert.equal(await page.$('#set-do'), null);

  assert.equal(await page.$eval('#undo', b => b.title), 'Undo: 3 rows deleted (Ctrl+Z)');
  for (let i = 0; i < 6; i++) await click(page, '#undo');
  await same(page, first());
  assert.equal(await page.$eval('#undo', b => b.disabled), true, 'each was one step');
  await click(page, '#choose-all');
  assert.equal(await chosen(page), '12 rows selected, 1 to 12');
  await click(page, '#choose-all');
  assert.equal(await chosen(page), '');
  quiet(page);
});

test('by keyboard alone: the same', async () => {
  const page = await lab.page(), s = first(), jobs = s.workload.jobs;
  await page.focus('#cell-2-4');
  await chord(page, 'Shift', 'ArrowDown');
  await chord(page, 'Shift', 'ArrowDown');
  await chord(page, 'Shift', 'ArrowDown');
  await chord(page, 'Shift', 'ArrowUp');
  assert.equal(await chosen(page), '3 rows selected, 3 to 5');
  assert.equal(await active(page), 'cell-4-4');
  await chord(page, 'Control', 'Enter');
  assert.equal(await active(page), 'set-text');
  await page.keyboard.type('-1');
  await page.keyboard.press('Enter');
  for (const j of jobs.slice(2, 5)) j.runtime--;
  await same(page, s);
  assert.equal(await active(page), 'cell-4-4', 'the keyboard is back in the table');
  await page.keyboard.press('Escape');
  await frames(page);
  assert.equal(await chosen(page), '');
  await page.focus('#cell-2-2');
  await chord(page, 'Shift', 'ArrowDown');
  await chord(page, 'Shift', 'ArrowDown');
  await chord(page, 'Control', 'd');
  for (const j of jobs.slice(2, 5)) j.procs = jobs[2].procs;
  await same(page, s);
  await chord(page, 'Alt', 'ArrowDown');
  jobs.splice(2, 0, ...jobs.splice(5, 1));
  await same(page, s);
  const text = await copied(page);
  assert.equal(text, jobs.slice(3, 6).map(j => [j.id, j.submit, j.procs, j.estimate, j.runtime].join('\t') + '\n').join(''));
  await page.keyboard.press('Delete');
  jobs.splice(3, 3);
  await same(page, s);
  await page.focus('#cell-3-0');
  await chord(page, 'Shift', 'ArrowDown');
  await paste(page, text);
  await frames(page);
  assert.deepEqual((await column(page, 0)).slice(3, 6), ['3', '4', '5'], 'over the rows that were selected');
  assert.equal(await page.$$eval('#grid tbody tr:not(.space)', all => all.length), 9);
  for (let i = 0; i < 5; i++) await chord(page, 'Control', 'z');
  await same(page, first());
  await page.focus('#cell-0-1');
  await chord(page, 'Control', 'a');
  assert.equal(await chosen(page), '12 rows selected, 1 to 12');
  await page.keyboard.press('Delete');
  await waitText(page, '#empty', 'There are no jobs yet');
  await chord(page, 'Control', 'z');
  await same(page, first());
  quiet(page);
});

test('what cannot be done is said, and nothing is lost', async () => {
  const page = await lab.page();
  await page.focus('#cell-1-1');
  await chord(page, 'Control', 'd');
  await waitText(page, '#notice', 'Nothing to fill');
  await chord(page, 'Shift', 'ArrowDown');
  await chord(page, 'Control', 'Enter');
  await page.keyboard.type('+sixty');
  await page.keyboard.press('Enter');
  await waitText(page, '#set-fault', 'expected a number after "+", got "sixty"');
  assert.equal(await valueOf(page, '#set-text'), '+sixty');
  assert.equal(await active(page), 'set-text');
  assert.equal(await page.$eval('#set-text', el => el.ariaInvalid), 'true');
  await type(page, '#set-text', 'ten');
  await page.keyboard.press('Enter');
  await waitText(page, '#problems', 'Row 2, submit: expected seconds, or a time such as 1h 30m, got "ten"');
  await type(page, '#cell-2-1', '3'); // typing in a cell ends the selection
  assert.equal(await chosen(page), '');
  await waitText(page, '#problems', 'Row 2, submit');
  await chord(page, 'Control', 'z');
  await chord(page, 'Control', 'z');
  await fresh(page);
  assert.equal(await page.$('#problems'), null);
  quiet(page);
});

for (const by of ['pointer', 'keyboard']) {
  test(`by ${by}: a cell is edited, 1,000 rows are pasted, ten edits of different kinds are undone`, async () => {
    const page = await lab.page(), s = first(), jobs = s.workload.jobs, keys = by === 'keyboard';
    const go = async selector => {
      if (!keys) return click(page, selector);
      await page.waitForSelector(selector);
      await page.focus(selector);
    };
    const press = async selector => {
      await go(selector);
      if (keys) await page.keyboard.press('Enter');
      await frames(page);
    };
    const write = async (selector, text) => {
      if (!keys) return type(page, selector, text);
      await go(selector);
      if (!selector.startsWith('#cell')) await chord(page, 'Shift', 'Home'); // in a cell typing replaces
      await page.keyboard.type(text);
      await frames(page);
    };
    await write('#cell-3-4', '3'); // 1
    jobs[3].runtime = 3;
    await same(page, s);
    await go('#cell-11-0');
    const block = Array.from({ length: 1000 }, (_, i) => ({ id: `p${i}`, submit: 20 + 7 * i, procs: 1 + i % 8, estimate: 10 + i % 9, runtime: 5 + i % 5 }));
    await paste(page, block.map(j => Object.values(j).join('\t')).join('\n')); // 2
    await waitText(page, '.count', '1,011 jobs');
    jobs.splice(11, 1, ...block);
    await same(page, s);
    await press('#duplicate'); // 3
    await press('#add'); // 4
    await press('#delete'); // 5
    await go('#cell-0-1');
    await chord(page, 'Shift', 'ArrowDown');
    await chord(page, 'Alt', 'ArrowDown'); // 6
    await press('#tab-machine');
    await write('#machine-nodes', '16'); // 7
    await press('#add-resource'); // 8
    await press('#tab-policies');
    await write('#knob-0-reservations', '2'); // 9
    await press('#tab-text');
    await write('#text-title', 'Mine'); // 10
    await waitText(page, '.title', 'Mine');
    await press('#tab-jobs');
    const said = [];
    for (let i = 0; i < 10; i++) {
      said.push(await page.$eval('#undo', b => b.title.replace(/^Undo: | \(Ctrl\+Z\)$/g, '')));
      if (keys) await chord(page, 'Control', 'z'); else await click(page, '#undo');
    }
    assert.deepEqual(said, ['the title', 'knobs of easy', 'extra resources', 'the machine', '3 rows changed', '1 row deleted', '1 row added', '1 row added', '999 rows added', 'runtime of row 4']);
    assert.equal(await page.$eval('#undo', b => b.disabled), true);
    await same(page, first());
    assert.equal(await textOf(page, '.title'), first().title);
    for (let i = 0; i < 2; i++) await chord(page, 'Control', 'Shift', 'z');
    await same(page, s);
    quiet(page);
  });
}

test('no fault that axe knows of with rows selected, light and dark', async () => {
  const page = await lab.page();
  await page.focus('#cell-2-2');
  await chord(page, 'Shift', 'ArrowDown');
  await chord(page, 'Control', 'Enter');
  await page.keyboard.type('*');
  await page.keyboard.press('Enter');
  await waitText(page, '#set-fault', 'expected a number');
  await faultless(page, 'rows selected');
});

test('in a field that is no part of the scenario Ctrl+Z undoes what was typed there', async () => {
  const page = await lab.page();
  await type(page, '#cell-0-2', '3');
  await fresh(page);
  const edited = await page.$eval('#undo', b => b.title);
  await page.focus('#find');
  await page.keyboard.type('7');
  await chord(page, 'Control', 'z');
  assert.equal(await page.$eval('#find', x => x.value), '');
  assert.equal(await page.$eval('#undo', b => b.title), edited);
  assert.equal(await page.$eval('#cell-0-2', x => x.value), '3');
  quiet(page);
});
