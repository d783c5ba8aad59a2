// Tests lessons of lecturers, who export them from the page, change them in an editor, open them and
// share them.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, open, assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { click, downloads, waitForCharts, openFile, type, valueOf, waitForStableAddress } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

// openLessonFile opens a lesson as a file.
async function openLessonFile(page, lesson, name = 'mine.json') {
  const path = join(lab.folder, name);
  writeFileSync(path, typeof lesson === 'string' ? lesson : JSON.stringify(lesson, null, 2));
  await openFile(page, path);
}

// exportedLesson exports a lesson from the page and returns it.
async function exportedLesson(page) {
  const files = await downloads(page);
  await click(page, '#export');
  await click(page, '#save-lesson');
  const { name, data } = await files.next();
  files.stop();
  return { name, text: data.toString(), lesson: JSON.parse(data) };
}

// walkThrough completes the open lesson.
async function walkThrough(page, lesson) {
  await waitText(page, '#lesson-title', lesson.title);
  for (const step of lesson.steps) {
    await click(page, '#lesson-next');
    await waitText(page, '#lesson-text', step.text);
    await page.waitForFunction(t => document.getElementById('player-count').textContent.endsWith(`t = ${t} s`), {}, step.place.time);
    assert.equal(await page.$eval('#lesson-strayed', el => el.innerText), '');
  }
  for (const { answer, because } of lesson.questions ?? [lesson.question]) {
    await click(page, '#lesson-next');
    await page.waitForSelector(`#choice-${answer}`);
    assert.equal(await textOf(page, '#lesson-play'), '', 'no suggestion is shown before the answer');
    await click(page, `#choice-${answer}`);
    await waitText(page, '#lesson-verdict', `Right. ${because}`);
  }
  await waitText(page, '#lesson-play', lesson.play);
}

test('the example of the guide opens, runs to its end, and its question can be tried out', async () => {
  const page = await lab.page();
  const text = readFileSync(join(root, 'public', 'lessons', 'guide', 'shortest-first.json'), 'utf8'), lesson = JSON.parse(text);
  await openLessonFile(page, text, 'shortest-first.json');
  await waitText(page, '#notice', 'Opened the lesson in shortest-first.json.');
  await page.waitForFunction(() => document.activeElement.id === 'lesson-title');
  await waitForCharts(page);
  await walkThrough(page, lesson);
  await click(page, '#add');
  for (const [i, value] of ['D', '4', '1', '2', '2'].entries()) await type(page, `#cell-3-${i}`, value); // at the end
  await waitForCharts(page);
  await click(page, '#step-through'); // closes the player, so that the charts show everything
  await page.waitForFunction(() => {
    const { pieces: p } = document.getElementById('gantt-1').labChart.view;
    for (let i = 0; i < p.length; i += 6) if (p[i] === 7 && p[i + 1] === 13) return true;
  });
  assertNoConsoleErrors(page);
});

test('a lecturer exports a lesson, changes scenario and text, opens it, and students get it by a link', async () => {
  const page = await lab.page({ fragment: '#v=1&lesson=intro-fcfs&step=0' });
  await type(page, '#cell-5-2', '2');
  await waitForCharts(page);
  const { name, lesson } = await exportedLesson(page);
  assert.equal(name, 'intro-fcfs.json');
  assert.equal(lesson.scenario.workload.jobs[5].procs, 2, 'the current scenario');
  lesson.title = 'Unsere <b>eigene</b> Lektion &amp; mehr';
  lesson.language = 'de';
  lesson.questions.length = 1;
  lesson.steps = [lesson.steps[0], { text: 'Der <img src=x onerror=alert(1)> zweite Schritt', policy: 1, place: { time: 2, event: 'start', job: 'C' } }];
  await openLessonFile(page, lesson);
  await walkThrough(page, lesson);
  assert.equal(await textOf(page, '#lesson-title'), lesson.title, 'markup is text');
  assert.equal(await page.$eval('#lesson-title', el => el.lang), 'de');
  assert.equal(await page.$('#lesson img, #lesson h2 b'), null);
  assert.equal(await page.$eval('#lesson-reset', el => el.ariaDisabled), 'true', 'the scenario of the file');
  await click(page, '#lesson-back');
  await waitText(page, '#lesson-page', 'step 2 of 2');
  await page.waitForFunction(() => /&l=[\w-]{100,}/.test(location.hash) && location.hash.includes('&step=2'));
  const link = await page.evaluate(() => location.href);
  assert.ok(link.length < 6000, `the link has ${link.length} characters`);

  const student = await open(lab.browser, link);
  await waitForCharts(student);
  await waitText(student, '#lesson-title', lesson.title);
  await waitText(student, '#lesson-text', lesson.steps[1].text);
  await waitText(student, '#player-count', 't = 2 s');
  assert.equal(await valueOf(student, '#cell-5-2'), '2');
  const before = await student.evaluate(() => location.hash);
  await type(student, '#cell-5-2', '1');
  await student.waitForSelector('#lesson-reset[aria-disabled=false]');
  await waitForStableAddress(student);
  assert.notEqual(await student.evaluate(() => location.hash), before);
  await student.reload();
  await waitText(student, '#lesson-title', lesson.title);
  await waitForCharts(student);
  assert.equal(await valueOf(student, '#cell-5-2'), '1', 'an edit survives a reload');
  await click(student, '#lesson-reset');
  await student.waitForSelector('#lesson-reset[aria-disabled=true]');
  assert.equal(await valueOf(student, '#cell-5-2'), '2', 'the lecturer\'s scenario');
  assertNoConsoleErrors(student);
  assertNoConsoleErrors(page);
});

test('without an open lesson, a draft with the event of the player is exported, and opens unchanged', async () => {
  const page = await lab.page();
  await click(page, '#step-through');
  await click(page, '#player-next');
  await waitText(page, '#player-count', 'event 1 of');
  const { name, lesson, text } = await exportedLesson(page);
  assert.equal(name, 'lesson.json');
  assert.equal(lesson.title, 'EASY and conservative backfilling');
  assert.equal(lesson.scenario.workload.jobs.length, 12);
  assert.deepEqual(lesson.steps[1].place, { time: 0, event: 'submit', job: '1' });
  await openLessonFile(page, text);
  await walkThrough(page, lesson);
  assertNoConsoleErrors(page);
});

test('errors in a lesson name their place, and the open lesson stays', async () => {
  const page = await lab.page({ fragment: '#v=1&lesson=intro-fcfs&step=2' });
  const good = readFileSync(join(root, 'public', 'lessons', 'intro-chart.json'), 'utf8');
  const line = word => good.slice(0, good.indexOf(word)).split('\n').length;
  for (const [old, replacement, message] of [
    ['"time": 4, "event": "start"', '"event": "start"', `mine.json, line ${line('"time": 4, "event": "start"')}: step 2, place, time: expected this field, got nothing`],
    ['"procs": 3', '"procs": 30', `mine.json, line ${line('"scenario"')}: scenario, jobs, row 3, procs: expected at most the machine's 4, got 30`],
    ['"paper"', '"language": "English", "paper"', `mine.json, line ${line('"paper"')}: language: expected a BCP 47 language tag, such as "de" or "pt-BR", got "English!"`],
    ['"questions": [', '"questions": ', 'mine.json: line '],
  ]) {
    await openLessonFile(page, good.replace(old, replacement.replace('"English"', '"English!"')));
    await waitText(page, '#fault', message);
    await waitText(page, '#lesson-title', 'Introduction 2');
    await waitText(page, '#lesson-page', 'step 2 of');
    assert.equal(await valueOf(page, '#cell-1-2'), '4');
  }
});

test('a step whose event is not in the schedule says so, and a broken link opens no lesson', async () => {
  const page = await lab.page();
  const lesson = JSON.parse(readFileSync(join(root, 'public', 'lessons', 'intro-chart.json'), 'utf8'));
  lesson.steps[1].place = { time: 3, event: 'start', job: 'D' };
  await openLessonFile(page, lesson);
  await waitText(page, '#lesson-title', lesson.title);
  await waitForCharts(page);
  await click(page, '#lesson-next');
  await waitText(page, '#lesson-text', lesson.steps[0].text);
  await click(page, '#lesson-next');
  await waitText(page, '#lesson-strayed', 'Step 2 shows an event that does not occur in this schedule: job D starts at t = 3.');
  await click(page, '#lesson-next');
  await page.waitForFunction(() => document.getElementById('lesson-strayed').innerText === '');
  assertNoConsoleErrors(page);
  await page.close();

  const broken = await lab.page({ fragment: '#v=1&l=AAAA&step=1' });
  await waitText(broken, '#notice', 'The link could not be opened');
  assert.equal(await broken.$('#lesson'), null);
  assert.ok(await broken.$('#introduction'));
});
