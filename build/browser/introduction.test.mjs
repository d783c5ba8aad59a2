// Tests the introduction for people who are new to scheduling: by pointer, and by keyboard alone.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, assertNoConsoleErrors, waitText, textOf } from './lab.mjs';
import { click, selectOption, waitForCharts, type, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';
import { countNewWords, countWords, minutes } from './readingtime.mjs';

const lab = begin();

const introduction = ['intro-chart', 'intro-fcfs', 'intro-backfilling', 'intro-estimates', 'intro-promises'];
const lessonOf = name => JSON.parse(readFileSync(join(root, 'public', 'lessons', `${name}.json`), 'utf8'));

// waitForStep waits until the page shows a step and its event.
async function waitForStep(page, step) {
  await waitText(page, '#lesson-text', step.text);
  await page.waitForFunction((t, policy) => document.getElementById('player-count').textContent.endsWith(`t = ${t} s`)
    && document.getElementById('player-policy').selectedIndex === policy, {}, step.place.time, step.policy);
}

// walkThrough completes the open lesson. It calls `press` with the id of each button to press.
async function walkThrough(page, lesson, press) {
  await waitText(page, '#lesson-title', lesson.title);
  for (const p of lesson.text) await waitText(page, '#lesson-text', p);
  for (const [i, step] of lesson.steps.entries()) {
    await press('lesson-next');
    await waitForStep(page, step);
    await waitText(page, '#lesson-page', `step ${i + 1} of ${lesson.steps.length}`);
  }
  for (const { text, choices, answer, because } of lesson.questions ?? [lesson.question]) {
    await press('lesson-next');
    await waitText(page, '#lesson-text', text);
    const wrong = answer === 0 ? 1 : 0;
    await press(`choice-${wrong}`);
    await waitText(page, '#lesson-verdict', 'Not quite.');
    assert.equal(await textOf(page, '#lesson-play'), '', 'the suggestion does not reveal the answer');
    assert.equal(await page.$eval('#lesson-done', el => el.innerText.trim()), '', `${choices[wrong]} does not finish the lesson`);
    await press(`choice-${answer}`);
    await waitText(page, '#lesson-verdict', `Right. ${because}`);
  }
  await waitText(page, '#lesson-done', `You have finished ${lesson.title.startsWith('Introduction 5') ? 'the introduction' : 'this lesson'}.`);
  assert.equal((await textOf(page, '#lesson-play')).trim(), lesson.play ? `Try it. ${lesson.play}` : '');
}

// tabAndPress moves the focus to an element with Tab or Shift+Tab alone, and presses Enter.
async function tabAndPress(page, id) {
  const at = () => page.evaluate(() => document.activeElement.id);
  const back = await page.evaluate(i => Boolean(document.activeElement.compareDocumentPosition(document.getElementById(i)) & Node.DOCUMENT_POSITION_PRECEDING), id);
  for (let n = 0; await at() !== id; n++) {
    assert.ok(n < 60, `Tab does not lead to ${id}; the focus is on ${await at()}`);
    if (back) await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (back) await page.keyboard.up('Shift');
  }
  await page.keyboard.press('Enter');
}

test('by pointer: from the first screen through all five lessons', async () => {
  const page = await lab.page();
  await click(page, '#introduction');
  for (const [i, name] of introduction.entries()) {
    const lesson = lessonOf(name);
    await walkThrough(page, lesson, id => click(page, `#${id}`));
    await waitText(page, '#lesson-done', i + 1 < introduction.length ? lessonOf(introduction[i + 1]).title : 'Backfilling 1');
    await click(page, '#lesson-next');
  }
  await waitText(page, '#lesson-title', 'Backfilling 1');
  await click(page, '#lessons');
  await page.waitForSelector('.gallery button');
  const finished = await page.$$eval('.gallery button', all => all.filter(b => b.innerText.includes('Finished')).map(b => b.querySelector('b').textContent));
  assert.deepEqual(finished, introduction.map(n => lessonOf(n).title), 'the list marks finished lessons');
  assert.match(await page.$eval('.gallery button', el => el.innerText), /Begin here/);
  assertNoConsoleErrors(page);
});

test('by keyboard alone: from the first screen through a lesson', async () => {
  const page = await lab.page();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // past the table to the charts
  await page.waitForFunction(() => document.activeElement.id === 'gantt-0');
  await tabAndPress(page, 'introduction');
  await page.waitForFunction(() => document.activeElement.id === 'lesson-title');
  await waitForCharts(page);
  await walkThrough(page, lessonOf('intro-chart'), id => tabAndPress(page, id));
  await tabAndPress(page, 'lesson-next');
  await waitText(page, '#lesson-title', lessonOf('intro-fcfs').title);
  await page.waitForFunction(() => document.activeElement.id === 'lesson-title');
  assertNoConsoleErrors(page);
});

test('the link to the introduction stays until the page shows another scenario', async () => {
  const page = await lab.page();
  await type(page, '#cell-0-4', '6');
  await waitForCharts(page);
  assert.ok(await page.$('#introduction'), 'an edit keeps the link');
  await click(page, '#introduction');
  await waitText(page, '#lesson-title', 'Introduction 1');
  assert.equal(await page.$('#introduction'), null);
  await click(page, '#lesson-leave');
  await page.waitForFunction(() => !document.getElementById('lesson'));
  assert.equal(await page.$('#introduction'), null);
});

// The first lesson asks for edits on every page, so each page has a Reset button.
test('the scenario can be reset at every step, and undo restores the edit', async () => {
  const page = await lab.page({ fragment: '#v=1&lesson=intro-fcfs&step=0' });
  const { steps } = lessonOf('intro-fcfs');
  for (let step = 0; step <= steps.length + 1; step++) {
    assert.equal(await page.$eval('#lesson-reset', el => el.ariaDisabled), 'true');
    await type(page, '#cell-2-2', '2');
    await page.waitForSelector('#lesson-reset[aria-disabled=false]');
    if (step <= steps.length) await waitText(page, '#lesson-strayed', 'You have changed the scenario');
    await click(page, '#lesson-reset');
    await page.waitForSelector('#lesson-reset[aria-disabled=true]');
    assert.equal(await valueOf(page, '#cell-2-2'), '1');
    await undo(page);
    assert.equal(await valueOf(page, '#cell-2-2'), '2', 'undo restores the edit');
    await page.waitForSelector('#lesson-reset[aria-disabled=false]');
    await click(page, '#lesson-reset');
    await page.waitForSelector('#lesson-reset[aria-disabled=true]');
    assert.equal(await textOf(page, '#lesson-title'), lessonOf('intro-fcfs').title);
    await waitForCharts(page);
    await page.waitForFunction(() => !document.getElementById('lesson-return')); // the page shows the event of the step again
    if (step <= steps.length) await click(page, '#lesson-next');
  }
  assertNoConsoleErrors(page);
});

test('the texts of a lesson are in its language, and the texts of the page are in English', async () => {
  const page = await lab.page({ fragment: '#v=1&lesson=intro-de&step=1' });
  const lesson = lessonOf('intro-de');
  const lang = selector => page.$eval(selector, el => el.closest('[lang]').lang);
  for (const s of ['#lesson-title', '#lesson-text', '#lesson cite']) assert.equal(await lang(s), 'de', s);
  for (const s of ['#lesson-next', '#lesson-page', '#player-text', '#lesson-leave']) assert.equal(await lang(s), 'en', s);
  for (let i = 0; i < lesson.steps.length; i++) await click(page, '#lesson-next');
  await click(page, `#choice-${lesson.question.answer}`);
  await waitText(page, '#lesson-verdict', lesson.question.because);
  assert.equal(await lang('#choice-0'), 'de');
  assert.deepEqual(await page.$$eval('#lesson-verdict span', all => all.map(el => el.closest('[lang]').lang)), ['en', 'de', 'en']);
  await click(page, '#lessons');
  await page.waitForSelector('.gallery button');
  const mark = await page.$$eval('.gallery button', all => all.filter(b => b.querySelector('b').lang === 'de').map(b => b.querySelector('i').textContent));
  assert.deepEqual(mark, ['Deutsch']);
  assertNoConsoleErrors(page);
});

test('the page explains no reservations in a lesson without them', async () => {
  for (const width of [1440, 390]) {
    const page = await lab.page({ width, fragment: '#v=1&lesson=intro-chart&step=2' });
    const legend = () => page.$$eval('.legend li', all => all.map(li => li.textContent));
    assert.equal(await page.$('#player-free'), null);
    assert.deepEqual(await legend(), ["rest of a running job's estimate", 'dashed left edge: job resumed after a preemption; dashed right edge: job does not end in this schedule']);
    await page.evaluate(() => { location.hash = '#v=1&lesson=intro-backfilling&step=1'; });
    await waitText(page, '#lesson-title', 'Introduction 3');
    await page.waitForSelector('#player-free');
    assert.ok((await legend()).includes("planned start, according to the plan at the marked time"));
    assertNoConsoleErrors(page);
    await page.close();
  }
});

test('at the end of a lesson, the curves below the charts show the policy of the player, and name it', async () => {
  const page = await lab.page({ fragment: '#v=1&lesson=intro-promises&step=2' });
  await click(page, '#step-through');
  const named = policy => page.waitForFunction(p => document.getElementById('strip').dataset.policy === p
    && document.getElementById('strip-policy').selectedOptions[0].textContent === p, {}, policy);
  await waitText(page, '#lesson-page', 'step 2 of 3');
  await page.waitForSelector('#strip-policy', { hidden: true });
  await click(page, '#lesson-next');
  await page.waitForSelector('#strip-policy', { visible: true });
  await named('Conservative');
  const [controls, curves, list] = await page.$$eval('#step-through, #strip, #strip-policy', all => all.map(el => el.getBoundingClientRect()).map(r => [r.top, r.bottom]));
  assert.ok(curves[1] <= list[0] && list[1] <= controls[0], 'the name is just below the curves');
  await selectOption(page, '#player-policy', '1: EASY');
  await named('EASY');
  assertNoConsoleErrors(page);
});

// changeJobs types the changes that a question asks for. The first check of the question lists them. If the scenario
// has other changes, changeJobs presses Reset first.
async function changeJobs(page, { text, check: [{ change = [] }] }, jobs, act) {
  const columns = ['id', 'submit', 'procs', 'estimate', 'runtime'], wanted = new Map();
  for (const [row, job] of jobs.entries()) {
    for (const [column, name] of columns.entries()) wanted.set(`#cell-${row}-${column}`, String(change.find(c => c.job === job.id)?.[name] || job[name]));
  }
  const differing = () => page.evaluate(all => all.filter(([cell, value]) => document.querySelector(cell).value !== value), [...wanted]);
  const isOriginal = ([cell, value]) => { const [, row, column] = cell.match(/(\d+)-(\d+)/); return String(jobs[row][columns[column]]) === value; };
  const reset = (await differing()).some(isOriginal);
  assert.equal(reset, text.includes('Press Reset'), text);
  if (reset) await act(() => click(page, '#lesson-reset'));
  for (const [cell, value] of await differing()) {
    assert.match(text, new RegExp(`\\b${value}\\b`), `the question names ${value}`);
    await act(() => type(page, cell, value));
  }
  assert.deepEqual(await differing(), []);
}

// The estimate is for a student who reads every new text, looks at the charts at each step and question,
// and answers every question correctly at once.
test('the introduction takes at most 15 minutes', async t => {
  const page = await lab.page(), all = { own: 0, other: 0, actions: 0, looks: 0, decisions: 0 };
  const read = async so => {
    await waitForCharts(page);
    const { own, other } = await countNewWords(page);
    Object.assign(so, { own: so.own + own, other: so.other + other });
  };
  await read({});
  for (const [i, name] of introduction.entries()) {
    const lesson = lessonOf(name), so = { own: 0, other: 0, actions: 0, looks: 0, decisions: 0 };
    const act = async f => { await f(); so.actions++; }, press = selector => act(() => click(page, selector));
    await press(i ? '#lesson-next' : '#introduction');
    await waitText(page, '#lesson-title', lesson.title);
    await read(so);
    for (const step of lesson.steps) {
      await press('#lesson-next');
      await waitForStep(page, step);
      so.looks++;
      await read(so);
    }
    for (const q of lesson.questions ?? [lesson.question]) {
      await press('#lesson-next');
      await waitText(page, '#lesson-text', q.text);
      await read(so);
      await changeJobs(page, q, lesson.scenario.workload.jobs, act);
      await read(so);
      so.looks++;
      await press(`#choice-${q.answer}`);
      so.decisions++;
      await waitText(page, '#lesson-verdict', q.because);
      await read(so);
    }
    const texts = [...lesson.text, ...lesson.steps.map(s => s.text), ...(lesson.questions ?? [lesson.question]).flatMap(q => [q.text, ...q.choices, q.because]), lesson.play ?? ''];
    assert.equal(so.own, texts.reduce((sum, text) => sum + countWords(text), 0), `${name}: every text of the lesson is read once`);
    t.diagnostic(`${name}: ${JSON.stringify(so)}, ${minutes(so).toFixed(1)} minutes`);
    for (const k in all) all[k] += so[k];
  }
  t.diagnostic(`all: ${JSON.stringify(all)}, ${minutes(all).toFixed(1)} minutes`);
  assert.ok(minutes(all) <= 15, `${minutes(all).toFixed(1)} minutes`);
  assertNoConsoleErrors(page);
});

// A brief lesson collapses all panels that its texts do not mention.
test('in a brief lesson, the other panels open on request, until the next lesson', async () => {
  const page = await lab.page({ fragment: '#v=1&lesson=intro-fcfs&step=2' });
  const visible = () => page.$$eval('#player, #scores, #overview, .legend, #colour', all => all.filter(el => el.checkVisibility()).length);
  assert.equal(await visible(), 0);
  await click(page, '#lesson-next');
  await type(page, '#cell-5-1', '10');
  await waitForCharts(page);
  assert.equal(await textOf(page, '#why-title'), 'Why?', 'an edit of a row explains nothing');
  await page.focus('#gantt-1');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await waitText(page, '#why-title', 'Job ');
  await click(page, '#step-through');
  await page.waitForSelector('#player', { visible: true });
  assert.equal(await visible(), 5);
  await waitText(page, '#step-through', 'Close the player');
  await click(page, '#step-through');
  await page.waitForSelector('#player', { hidden: true });
  assert.equal(await visible(), 0);
  assert.ok(await page.$('#lesson'));
  await click(page, '#step-through');
  await page.evaluate(() => { location.hash = '#v=1&lesson=intro-backfilling&step=1'; });
  await waitText(page, '#lesson-title', 'Introduction 3');
  await page.waitForSelector('#player', { hidden: true });
  assertNoConsoleErrors(page);
});

// In a lesson with two charts, the strip below them (the use of processors) shows the second schedule. The next lesson
// has only one chart.
test('after a lesson with two charts, nothing in the next lesson is dimmed', async () => {
  const page = await lab.page({ fragment: '#v=1&lesson=intro-backfilling&step=3' });
  await waitForCharts(page);
  assert.equal(await page.$eval('#strip', el => el.dataset.result), '1');
  for (let i = 0; i < 3; i++) await click(page, '#lesson-next');
  await waitText(page, '#lesson-title', 'Introduction 4');
  await waitForCharts(page);
  assert.deepEqual(await page.$$eval('.lab-stale', all => all.map(el => el.className)), []);
  assertNoConsoleErrors(page);
});
