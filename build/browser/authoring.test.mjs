// Tests what lecturers do: they write lessons in a form, ask several questions, and give students the
// page as a frame or as one file. Also tests what students need: explanations of terms, and examples
// that start fresh.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { waitForFrames, open, assertNoConsoleErrors, sites, textOf, waitText } from './lab.mjs';
import { selectOption, click, downloads, assertAccessible, waitForCharts, editLesson, openFile, tabTo, waitForStableAddress, type, undo, valueOf } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing, repeated } from './anywhere.mjs';

const focusedId = page => page.evaluate(() => document.activeElement.id);
const waitUntilGone = (page, selector) => page.waitForFunction(s => !document.querySelector(s), {}, selector);
const shownExplanation = page => page.$eval('#lab-word', el => (el.hidden ? '' : el.textContent));
const outline = page => page.$$eval('#write-pages button', all => all.map(el => el.textContent.replace(/\s+/g, ' ').trim()));

// clipboardOf makes a page record the texts that it copies.
const clipboardOf = page => page.evaluate(() => {
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async t => { window.copied = t; } }, configurable: true });
});

// openForm opens the form that writes a lesson about the scenario of the page.
async function openForm(page) {
  await click(page, '#lessons');
  await click(page, '#lessons-write');
  await page.waitForSelector('#write-title');
}

// addStep adds a step at the event that the player reaches after a number of clicks.
async function addStep(page, clicks, text) {
  for (let i = 0; i < clicks; i++) {
    const before = await textOf(page, '#player-count');
    await click(page, '#player-next');
    await page.waitForFunction(t => document.getElementById('player-count').textContent.trim() !== t, {}, before);
  }
  const steps = (await outline(page)).filter(t => t.startsWith('Step')).length;
  await click(page, '#write-add-step');
  await page.waitForFunction(n => [...document.querySelectorAll('#write-pages b')].filter(b => b.textContent.startsWith('Step')).length === n, {}, steps + 1);
  await type(page, '#write-step', text);
}

// addQuestion adds a question.
async function addQuestion(page, text, right, wrong, reply) {
  await click(page, '#write-add-question');
  await page.waitForSelector('#write-question');
  await type(page, '#write-question', text);
  await type(page, '#write-choice-0', right);
  await type(page, '#write-choice-1', wrong);
  await type(page, '#write-reply-1', reply);
  await type(page, '#write-because', `${right} is right.`);
}

// smallLesson is the file of a lesson with two questions.
const smallLesson = (more = {}) => ({
  title: 'Two questions', text: ['Read.'], steps: [
    { text: 'One', place: { time: 0, event: 'start', job: 'A' } },
    { text: 'Two', place: { time: 3, event: 'finish', job: 'A' } }],
  scenario: { version: 1, machine: { nodes: 2 }, policies: [{ name: 'easy' }], workload: { jobs: [
    { id: 'A', submit: 0, procs: 2, estimate: 3, runtime: 3 }, { id: 'B', submit: 1, procs: 1, estimate: 2, runtime: 2 }] } },
  questions: [
    { text: 'Last?', choices: ['a', 'b'], answer: 1, because: 'b, of course.' },
    { text: 'First?', choices: ['c', 'd', 'e'], answer: 0, because: 'c, of course.', replies: ['', 'Not d.', ''], after: 1 }], ...more,
});

// openLessonFile opens a lesson as a file.
async function openLessonFile(lab, page, lesson) {
  const path = join(lab.folder, 'mine.json');
  writeFileSync(path, JSON.stringify(lesson));
  await openFile(page, path);
  await waitText(page, '#notice', 'Opened the lesson in mine.json.');
  await waitForCharts(page);
}

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  describe('site', () => {
    const lab = begin({ engine });

    test('a lecturer writes a lesson in a form; students get it by a link', async () => {
      const page = await lab.page();
      await clipboardOf(page);
      await openForm(page);
      assert.equal(await focusedId(page), 'write-title');
      await type(page, '#write-title', 'Week 3');
      await waitText(page, '#lesson-title', 'Week 3'); // the lesson itself is the preview
      await type(page, '#write-text', 'First <b>paragraph</b>.\n\nSecond.');
      await page.waitForFunction(() => document.querySelectorAll('#lesson-text p').length === 2);
      await type(page, '#write-play', 'Try this.');
      await addStep(page, 2, 'Job 1 starts.');
      assert.match(await textOf(page, '#write-place'), /^Shows EASY at t = 0: job 1 starts\.$/);
      await waitText(page, '#lesson-text', 'Job 1 starts.');
      await addStep(page, 2, 'Later.');
      await click(page, '#write-earlier');
      await page.waitForFunction(() => document.querySelector('#write-step').value === 'Later.');
      assert.deepEqual(await outline(page), ['Introduction First <b>paragraph</b>. Second.', 'Step 1 Later.', 'Step 2 Job 1 starts.']);
      await click(page, '#write-later');
      await click(page, '#write-duplicate');
      await page.waitForFunction(() => document.querySelectorAll('#write-pages li').length === 4);
      await click(page, '#write-delete');
      await page.waitForFunction(() => document.querySelectorAll('#write-pages li').length === 3);
      await addQuestion(page, 'Which?', 'This', 'That', 'Look again.');
      await click(page, '#share');
      await waitText(page, '#shared', 'Link to the lesson copied');
      const link = await page.evaluate(() => window.copied);
      assert.ok(!/write=1|tab=lesson&.*write/.test(link), link.slice(0, 120));
      const student = await open(lab.browser, link);
      await waitForCharts(student);
      assert.equal(await student.$('#write-title'), null);
      await waitText(student, '#lesson-page', '2 steps and a question');
      for (const text of ['Job 1 starts.', 'Later.', 'Which?']) {
        await click(student, '#lesson-next');
        await waitText(student, '#lesson-text', text);
      }
      await click(student, '#choice-1');
      await waitText(student, '#lesson-verdict', 'Not quite. Look again.');
      await click(student, '#choice-0');
      await waitText(student, '#lesson-verdict', 'Right. This is right.');
      assert.equal(await student.$eval('#lesson-strayed', el => el.innerText), '');
      assertNoConsoleErrors(student);
      assertNoConsoleErrors(page);
    });

    test('the right answer comes first and is marked; no reply is lost; the frame has the title of the lesson', repeated(engine), async () => {
      const page = await lab.page();
      await clipboardOf(page);
      await openForm(page);
      await type(page, '#write-title', 'Week 4');
      await type(page, '#write-text', 'Read.');
      await addStep(page, 2, 'Job 1 starts.');
      await addQuestion(page, 'Which?', 'This', 'That', 'Look again.');
      const labels = () => page.$$eval('#write-sheet label', all => all.map(el => el.textContent));
      assert.deepEqual(await labels(), ['Question (required)', 'Right answer', '✓ Choice 1, right (required)', 'Choice 2 (required)', 'Reply to choice 2', 'Explanation (required)', 'Asked', 'Policy']);
      await click(page, '#choice-0');
      await waitText(page, '#lesson-verdict', 'Right.');
      assert.equal(await textOf(page, '#lesson-done'), '', 'the author has not finished the lesson');
      await selectOption(page, '#write-answer', 'choice 2');
      await waitText(page, '#write-sheet .problem', 'No student reads this reply, because choice 2 is the right answer.');
      assert.equal(await valueOf(page, '#write-reply-1'), 'Look again.');
      await assertAccessible(page, 'a question in the form', '#edit');
      await selectOption(page, '#write-answer', 'choice 1');
      await page.waitForFunction(() => !document.querySelector('#write-sheet .problem'));
      assert.equal(await valueOf(page, '#write-reply-1'), 'Look again.');
      await click(page, '#share');
      await waitText(page, '#shared', 'Link to the lesson copied');
      await click(page, '#share-frame');
      await waitText(page, '#shared', 'Frame code copied.');
      assert.match(await page.evaluate(() => window.copied), / title="Week 4" width="100%" height="900" style="border:0">/);
      assertNoConsoleErrors(page);
    });

    test('each edit of a field can be undone, also after a reload, which keeps the typed texts', repeated(engine), async () => {
      const page = await lab.page();
      await openForm(page);
      await type(page, '#write-title', 'Mine');
      await type(page, '#write-summary', 'Short');
      await undo(page);
      assert.deepEqual([await valueOf(page, '#write-summary'), await valueOf(page, '#write-title')], ['', 'Mine']);
      await page.keyboard.down('Control'); await page.keyboard.press('y'); await page.keyboard.up('Control');
      await waitForFrames(page);
      assert.equal(await valueOf(page, '#write-summary'), 'Short');
      await addStep(page, 1, '');
      await page.waitForFunction(() => /&write=1&l=[\w-]+/.test(location.hash));
      await waitForStableAddress(page);
      await page.reload();
      await page.waitForSelector('#write-step');
      assert.equal((await outline(page))[1], 'Step 1', 'an empty step is kept');
      await waitText(page, '#lesson-title', 'Mine');
      await undo(page); // undo adding the step
      await undo(page);
      await page.waitForFunction(() => document.querySelector('#write-summary')?.value === '');
      assert.equal(await valueOf(page, '#write-title'), 'Mine');
      await undo(page);
      await undo(page);
      await waitUntilGone(page, '#lesson');
      await waitUntilGone(page, '#tab-lesson');
      assertNoConsoleErrors(page);
    });

    test('an incomplete lesson cannot be used, and a message at each field says what is missing', repeated(engine), async () => {
      const page = await lab.page();
      await openForm(page);
      await type(page, '#write-language', 'german!');
      await waitText(page, '#write-sheet', 'Type a language tag such as en, de or pt-BR.');
      await type(page, '#write-language', 'de');
      await type(page, '#write-title', ' ');
      assert.ok(!(await textOf(page, '#write-sheet')).includes('Fill in this field.'), 'not while typing');
      await click(page, '#export');
      await click(page, '#save-lesson');
      await waitText(page, '#notice', 'The lesson is not complete.');
      await page.waitForFunction(() => document.activeElement.id === 'write-title' || document.activeElement.id === 'write-language');
      assert.equal(await page.$eval('#write-title', el => el.ariaInvalid), 'true');
      await waitText(page, '#write-sheet', 'The lesson needs a step.');
      await assertAccessible(page, 'the form with errors', '.writing');
      await type(page, '#write-title', 'Titel');
      await addStep(page, 1, 'Ein Schritt');
      const files = await downloads(page);
      await click(page, '#export');
      await click(page, '#save-lesson');
      const lesson = JSON.parse((await files.next()).data);
      files.stop();
      assert.deepEqual([lesson.title, lesson.language, lesson.steps.length, lesson.question], ['Titel', 'de', 1, undefined]);
      assertNoConsoleErrors(page);
    });

    test('an open lesson is edited, finished and edited again; leaving it loses nothing', repeated(engine), async () => {
      const page = await lab.page({ fragment: '#v=1&lesson=intro-de&step=2' });
      assert.equal(await page.$('#lesson-edit'), null, 'a student cannot open the form by mistake');
      await editLesson(page);
      await page.waitForSelector('#write-step');
      assert.match(await valueOf(page, '#write-step'), /^C braucht nur einen Prozessor/);
      await click(page, '#player-next');
      await page.waitForSelector('#lesson-return');
      await click(page, '#write-capture');
      await waitUntilGone(page, '#lesson-return');
      await type(page, '#write-step', 'Mein Text');
      await click(page, '#write-done');
      await waitUntilGone(page, '#write-step');
      await waitText(page, '#lesson-page', 'and a question'); // students begin at the introduction
      for (let i = 0; i < 2; i++) await click(page, '#lesson-next');
      await waitText(page, '#lesson-text', 'Mein Text');
      assert.equal(await page.$eval('#lesson-text', el => el.lang), 'de');
      await page.waitForFunction(() => /&l=[\w-]{100,}/.test(location.hash) && !location.hash.includes('write=1'));
      await click(page, '#lesson-edit');
      await page.waitForSelector('#write-step');
      await click(page, '#lesson-leave');
      await waitUntilGone(page, '#lesson');
      await waitText(page, '#notice', 'Undo opens it again.');
      await undo(page);
      await page.waitForSelector('#write-title');
      await click(page, '#write-page-2');
      await page.waitForFunction(() => document.querySelector('#write-step')?.value === 'Mein Text');
      await assertAccessible(page, 'the form', '.writing');
      assertNoConsoleErrors(page);
    });

    test('a lesson has several questions, each on its own page; answering all of them finishes it', repeated(engine), async () => {
      const page = await lab.page();
      await openLessonFile(lab, page, smallLesson());
      await waitText(page, '#lesson-page', '2 steps and 2 questions');
      const pages = [];
      for (let i = 0; i < 4; i++) {
        await click(page, '#lesson-next');
        pages.push(`${await textOf(page, '#lesson-page')}: ${await textOf(page, '#lesson-text')}`);
      }
      assert.deepEqual(pages, ['step 1 of 2: One', 'question 2 of 2: First?', 'step 2 of 2: Two', 'question 1 of 2: Last?']);
      await click(page, '#choice-1');
      await waitText(page, '#lesson-done', 'You have not answered question 2 correctly yet.');
      for (let i = 0; i < 2; i++) await click(page, '#lesson-back');
      await click(page, '#choice-1');
      await waitText(page, '#lesson-verdict', 'Not quite. Not d.');
      await click(page, '#choice-0');
      for (let i = 0; i < 2; i++) await click(page, '#lesson-next');
      await waitText(page, '#lesson-verdict', 'Right. b, of course.');
      await waitText(page, '#lesson-done', 'You have finished this lesson.');
      await editLesson(page);
      await selectOption(page, '#write-after', 'after step 1');
      await page.waitForFunction(() => [...document.querySelectorAll('#write-pages b')].map(b => b.textContent).join() === 'Introduction,Step 1,Question 1,Question 2,Step 2');
      await click(page, '#write-add-choice');
      await type(page, '#write-choice-2', 'third');
      await selectOption(page, '#write-answer', 'choice 3');
      await page.waitForFunction(() => !document.getElementById('write-reply-2') && document.getElementById('write-reply-1'));
      await waitText(page, '.choices', 'third');
      assertNoConsoleErrors(page);
    });

    test('a question shows a policy and an event of its own, in the form, a file and a link', repeated(engine), async () => {
      const page = await lab.page();
      await clipboardOf(page);
      await openForm(page);
      await type(page, '#write-title', 'Own event');
      await type(page, '#write-text', 'Read.');
      await addStep(page, 2, 'Job 1 starts.');
      await addQuestion(page, 'Which?', 'This', 'That', 'Look again.');
      assert.match(await textOf(page, '#write-place'), /^Shows EASY at t = 0: job 1 starts\. This is the event of step 1/);
      for (let i = 0; i < 6; i++) await click(page, '#player-next');
      await waitText(page, '#player-count', 'event 8 of');
      const at = (await textOf(page, '#player-count')).match(/t = (\d+) s/)[1];
      await click(page, '#write-capture');
      await page.waitForSelector('#write-follow');
      const place = await textOf(page, '#write-place');
      assert.match(place, new RegExp(`^Shows EASY at t = ${at}: (?!.*step 1)`));
      await selectOption(page, '#write-policy', '1');
      await waitText(page, '#write-place', `Shows Conservative at t = ${at}: the state after all events at this time.`);
      await click(page, '#write-page-1');
      await waitText(page, '#write-place', 'Shows EASY at t = 0: job 1 starts.'); // the step stays
      await click(page, '#share');
      await waitText(page, '#shared', 'Link to the lesson copied');
      const student = await open(lab.browser, await page.evaluate(() => window.copied));
      await waitForCharts(student);
      await click(student, '#lesson-next');
      await waitText(student, '#player-count', 't = 0 s');
      await click(student, '#lesson-next');
      await waitText(student, '#lesson-text', 'Which?');
      await waitText(student, '#player-count', `t = ${at} s`);
      assert.equal(await student.$eval('#player-policy', el => el.selectedIndex), 1);
      assertNoConsoleErrors(student);
      await student.close();
      await page.bringToFront(); // Firefox draws no frames of a page in the background
      await click(page, '#write-page-2');
      await click(page, '#write-follow');
      await waitText(page, '#write-place', 'This is the event of step 1');
      await openLessonFile(lab, page, smallLesson({ questions: [{ text: 'Then?', choices: ['a', 'b'], answer: 1, because: 'b.', policy: 0, place: { time: 1, event: 'submit', job: 'B' } }] }));
      for (let i = 0; i < 3; i++) await click(page, '#lesson-next');
      await waitText(page, '#lesson-text', 'Then?');
      await waitText(page, '#player-count', 't = 1 s');
      assertNoConsoleErrors(page);
    });

    test('the preview shows the lesson as students see it, and leads back to the form', repeated(engine), async () => {
      const page = await lab.page();
      await openForm(page);
      await type(page, '#write-title', 'Seen');
      await type(page, '#write-text', 'Read.');
      await addStep(page, 2, 'Job 1 starts.'); // the lesson has no question yet; a preview needs no complete lesson
      await click(page, '#write-preview');
      await waitUntilGone(page, '#tab-lesson');
      await waitText(page, '#lesson-text', 'Read.');
      for (const id of ['#write-title', '#write-done', '#lesson-leave']) assert.equal(await page.$(id), null, id);
      assert.equal(await textOf(page, '#lesson-edit'), 'Back to the form');
      await click(page, '#lesson-next');
      await waitText(page, '#lesson-text', 'Job 1 starts.');
      await assertAccessible(page, 'the preview', '#lesson');
      const runtime = await valueOf(page, '#cell-0-4');
      await type(page, '#cell-0-4', '7');
      await waitText(page, '#lesson-strayed', 'You have changed the scenario.');
      await click(page, '#lesson-edit');
      await page.waitForFunction(() => document.querySelector('#write-step')?.value === 'Job 1 starts.');
      await click(page, '#tab-jobs');
      assert.equal(await valueOf(page, '#cell-0-4'), runtime, 'the scenario of the lesson');
      await click(page, '#tab-lesson');
      await click(page, '#write-preview');
      await waitUntilGone(page, '#tab-lesson');
      await waitForStableAddress(page);
      await page.reload();
      await page.waitForSelector('#write-page-0'); // a reload returns to the form
      await waitText(page, '#lesson-title', 'Seen');
      await click(page, '#write-preview');
      await waitUntilGone(page, '#tab-lesson');
      await click(page, '#share'); // shares what the form has, not the preview
      await waitText(page, '#shared', 'Link to the lesson copied');
      assert.ok(await page.$('#tab-lesson'));
      assertNoConsoleErrors(page);
    });

    test('Share lists what the lesson lacks, and each entry leads to its field', repeated(engine), async () => {
      const page = await lab.page();
      await clipboardOf(page);
      await openForm(page);
      await type(page, '#write-title', ' ');
      await addStep(page, 2, 'Job 1 starts.');
      await click(page, '#write-add-question');
      await type(page, '#write-question', 'Which?');
      await type(page, '#write-choice-1', 'That');
      await click(page, '#share');
      await waitText(page, '#shared', 'The lesson cannot be shared yet.');
      const entries = () => page.$$eval('.missing button', all => all.map(b => b.textContent));
      assert.deepEqual(await entries(), ['Introduction, Title: Fill in this field.', 'Question 1, ✓ Choice 1, right: Fill in this field.', 'Question 1, Explanation: Fill in this field.']);
      assert.equal(await page.$('#share-frame'), null);
      assert.equal(await page.evaluate(() => window.copied), undefined);
      await assertAccessible(page, 'what is missing', '.shared');
      await click(page, '#share-missing-0');
      await page.waitForFunction(() => document.activeElement.id === 'write-title');
      await type(page, '#write-title', 'Titled');
      await click(page, '#share');
      await click(page, '#share-missing-0');
      await page.waitForFunction(() => document.activeElement.id === 'write-choice-0');
      await type(page, '#write-choice-0', 'This');
      await click(page, '#share');
      await click(page, '#share-missing-0');
      await page.waitForFunction(() => document.activeElement.id === 'write-because');
      await type(page, '#write-because', 'So.');
      await click(page, '#share');
      await waitText(page, '#shared', 'It opens at the beginning of the lesson.');
      assert.equal(await page.$('.missing'), null);
      assertNoConsoleErrors(page);
    });

    test('the form marks required fields, and fits a phone', repeated(engine), async () => {
      const page = await lab.page({ width: 390, height: 800 });
      await openForm(page);
      const required = () => page.$$eval('#write-sheet [aria-required=true]', all => all.map(el => el.id + ': ' + el.labels[0].textContent));
      assert.deepEqual(await required(), ['write-title: Title (required)', 'write-text: Introduction (required)']);
      const fits = async what => {
        const wide = await page.evaluate(() => [document.documentElement, document.getElementById('edit'), ...document.querySelectorAll('.writing, .writing *')]
          .filter(el => !el.closest('#write-pages button')) // the texts of the outline are cut with an ellipsis
          .filter(el => el.scrollWidth > el.clientWidth + 1 && !['visible', 'clip'].includes(getComputedStyle(el).overflowX) || el.getBoundingClientRect().right > innerWidth + 1)
          .map(el => el.id || el.className || el.tagName));
        assert.deepEqual(wide, [], what);
        for (const id of await page.$$eval('.writing :is(input, textarea, select, button)', all => all.map(el => el.id).filter(Boolean))) {
          const seen = await page.$eval(`#${id}`, el => { el.scrollIntoView({ block: 'center' }); const b = el.getBoundingClientRect(); return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest(`#${el.id}`) === el; });
          assert.ok(seen, `${what}: ${id} can be reached`);
        }
      };
      await fits('the introduction');
      await click(page, '#write-add-step');
      await page.waitForSelector('#write-step');
      await fits('a step');
      await click(page, '#write-add-question');
      await page.waitForSelector('#write-question');
      assert.deepEqual(await required(), ['write-question: Question (required)', 'write-choice-0: ✓ Choice 1, right (required)', 'write-choice-1: Choice 2 (required)', 'write-because: Explanation (required)']);
      await fits('a question');

      // Tab moves from a choice to its reply. The reply field is as wide as the form and grows with its text.
      await click(page, '#write-add-choice');
      await page.waitForSelector('#write-choice-2');
      await fits('three choices');
      assert.equal(await focusedId(page), 'write-choice-2');
      await page.keyboard.press('Tab');
      assert.equal(await focusedId(page), 'write-reply-2');
      assert.deepEqual(await page.$$eval('[id^=write-remove]', all => all.map(b => b.textContent)), ['Remove choice 2', 'Remove choice 3']);
      const reply = () => page.$eval('#write-reply-1', el => [el.tagName, el.offsetHeight, el.offsetWidth === document.getElementById('write-because').offsetWidth]);
      const [tag, height, wide] = await reply();
      assert.ok(tag === 'TEXTAREA' && height >= 50 && wide, `${tag} ${height} ${wide}`);
      await type(page, '#write-reply-1', 'Look again: job 3 needs one processor, and one is free at 2. '.repeat(3));
      await page.waitForFunction(was => !CSS.supports('field-sizing', 'content') || document.getElementById('write-reply-1').offsetHeight > was, {}, height);
      await click(page, '#write-remove-1');
      await page.waitForFunction(() => !document.getElementById('write-choice-2'));
      assert.equal(await valueOf(page, '#write-reply-1'), '', 'the reply goes with its choice');
      assertNoConsoleErrors(page);
    });

    test('the button that closes the form covers no tab', repeated(engine), async () => {
      const page = await lab.page({ width: 1024 });
      await openForm(page);
      for (const width of [1024, 390]) {
        await page.setViewport({ width, height: 900 });
        await waitForFrames(page);
        assert.ok(await page.$$eval('#edit .tabs button', all => all.length === 6 && all.every(tab => tab.getBoundingClientRect().right <= document.getElementById('edit-close').getBoundingClientRect().left)));
      }
      assertNoConsoleErrors(page);
    });

    test('a lesson that is too long for the address is recovered', repeated(engine), async () => {
      const page = await lab.page();
      const noise = n => { let x = n, out = ''; while (out.length < 2400) { x = (x * 48271) % 2147483647; out += x.toString(36); } return out; };
      await openLessonFile(lab, page, smallLesson({ steps: Array.from({ length: 40 }, (_, i) => ({ text: noise(i + 1), place: { time: 0, event: 'start', job: 'A' } })), questions: [] }));
      await editLesson(page);
      await page.waitForSelector('#write-title');
      await type(page, '#write-title', 'A long one');
      await page.waitForFunction(() => location.hash === '');
      await new Promise(r => setTimeout(r, 1500));
      await page.reload();
      await page.waitForFunction(() => document.querySelector('#write-title')?.value === 'A long one');
      assert.equal((await outline(page)).length, 41);
      assertNoConsoleErrors(page);
    });

    test('the code of a frame shows a lesson from its beginning', repeated(engine), async () => {
      const page = await lab.page({ fragment: '#v=1&lesson=intro-fcfs&step=2' });
      await clipboardOf(page);
      await click(page, '#share');
      await waitText(page, '#shared', 'Link to the lesson copied');
      await waitText(page, '.shared', 'This site does not offer the page as a single file.');
      assert.equal(await page.$('#share-page'), null);
      await click(page, '#share-frame');
      await waitText(page, '#shared', 'Frame code copied.');
      const code = await page.evaluate(() => window.copied);
      assert.match(code, /^<iframe src="http:\/\/[^"]+#v=1&amp;embed=1&amp;lesson=intro-fcfs&amp;step=0&amp;[^"]*s=[\w-]+" title="[^"]+" width="100%" height="600" style="border:0"><\/iframe>$/);
      const course = await lab.browser.newPage();
      await course.goto(page.url().split('#')[0].replace('index.html', '') + 'embed/example.html');
      await course.evaluate(html => { document.body.innerHTML = html; }, code);
      const frame = await (await course.waitForSelector('iframe')).contentFrame();
      await frame.waitForFunction(() => document.querySelector('#lesson-page')?.textContent.includes('and 2 questions'));
      assertNoConsoleErrors(page);
    });

    test('lessons explain scheduling terms, by pointer, keyboard and tap, also in German', async () => {
      const page = await lab.page({ fragment: '#v=1&lesson=intro-de&step=4' });
      await waitText(page, '#lesson-text', 'Reservierung');
      assert.equal(await shownExplanation(page), '');
      await page.hover('#lesson-text .term');
      await page.waitForFunction(() => document.getElementById('lab-word').textContent === 'geplanter Start eines wartenden Jobs');
      assert.equal(await page.$eval('#lab-word', el => el.lang), 'de');
      await assertAccessible(page, 'an explained word', '#lesson');
      await page.keyboard.press('Escape');
      assert.equal(await shownExplanation(page), '');
      await page.mouse.move(2, 2);
      await page.focus('#lesson-leave');
      await tabTo(page, '#lesson-text .term');
      assert.match(await shownExplanation(page), /^geplanter Start/);
      await page.keyboard.press('Escape');
      assert.equal(await shownExplanation(page), '');
      assert.ok(await page.$('#lesson'), 'Escape closes nothing else');
      await page.$eval('#lesson-text .term', el => el.click());
      assert.match(await shownExplanation(page), /^geplanter Start/);
      await click(page, '#lesson-next');
      assert.equal(await shownExplanation(page), '');
      for (let i = 0; i < 3; i++) await click(page, '#lesson-next');
      await click(page, '#step-through');
      await page.focus('#scores th:nth-child(4) .term');
      assert.match(await shownExplanation(page), /^How many times longer a job takes .* Very short jobs count as 10 s/);
      const box = await page.$eval('#lab-word', el => { const r = el.getBoundingClientRect(); return [r.left >= 0, r.right <= innerWidth, r.top >= 0, r.bottom <= innerHeight]; });
      assert.deepEqual(box, [true, true, true, true]);
      assertNoConsoleErrors(page);
    });

    test('an example starts fresh, and undo restores the previous scenario', repeated(engine), async () => {
      const page = await lab.page();
      await type(page, '#cell-3-2', '7');
      await waitForCharts(page);
      await page.focus('#cell-3-1');
      await waitText(page, '#why-title', 'Job 4');
      await page.keyboard.down('Shift'); await page.keyboard.press('ArrowDown'); await page.keyboard.up('Shift');
      await page.waitForSelector('#set-do');
      await selectOption(page, '#colour', 'wait');
      await type(page, '#find', '3');
      await waitText(page, '.lab', '1 of 1');
      await page.evaluate(() => labChart.setWindow(5, 25));
      await click(page, '#step-through');
      await click(page, '#player-next');
      await waitForStableAddress(page);
      await click(page, '#examples');
      await click(page, '#menus-list .list button:nth-child(2)');
      await waitText(page, '.title', 'Backfilling: a short job starts early');
      await waitForCharts(page);
      assert.equal(await page.$('#player'), null);
      assert.equal(await page.$('#set-do'), null);
      assert.deepEqual([await valueOf(page, '#colour'), await valueOf(page, '#find')], ['', '']);
      await waitText(page, '#why-title', 'Why?');
      assert.deepEqual(await page.evaluate(() => [labChart.view().split(' ')[0], labChart.view().split(' ')[2], labChart.selected()]), ['-1', '-1', null]);
      await waitForStableAddress(page);
      assert.ok(!/&(at|job|t|colour)=/.test(await page.evaluate(() => location.hash)));
      await undo(page);
      await page.waitForFunction(() => document.querySelector('#cell-3-2')?.value === '7');
      await waitText(page, '.title', 'EASY and conservative backfilling');
      await openForm(page);
      await type(page, '#write-title', 'Unsaved');
      await click(page, '#lessons');
      await click(page, '#menus-list .gallery button');
      await waitText(page, '#lesson-title', 'Introduction 1');
      await undo(page);
      await page.waitForFunction(() => document.querySelector('#write-title')?.value === 'Unsaved');
      assertNoConsoleErrors(page);
    });
  });

  describe('one file', () => {
    const lab = begin({ engine, site: sites.shipped });

    test('the page as one file opens its scenario or lesson offline, and can be saved again', async () => {
      const page = await lab.page({ fragment: '#v=1&lesson=intro-fcfs&step=2' });
      await type(page, '#cell-5-2', '2');
      await waitForCharts(page);
      const files = await downloads(page), path = join(lab.folder, 'handout.html');
      await click(page, '#share');
      await page.waitForSelector('#share-page');
      await click(page, '#share-page');
      await waitText(page, '#shared', 'Saved the page as one file with the lesson inside.');
      const { name, data } = await files.next();
      assert.equal(name, 'backfill-lab.html');
      writeFileSync(path, data);
      assertNoConsoleErrors(page);

      const offline = await open(lab.browser, pathToFileURL(path).href);
      await waitForCharts(offline);
      await waitText(offline, '#lesson-page', 'and 2 questions'); // the lesson opens at its beginning, not at the page that the lecturer saw
      assert.equal(await valueOf(offline, '#cell-5-2'), '2');
      await clipboardOf(offline);
      await type(offline, '#cell-5-2', '3');
      await waitForCharts(offline);
      await click(offline, '#share');
      await waitText(offline, '#shared', 'This page is a file on this computer, so a link to it works only here.');
      assert.equal(await offline.evaluate(() => window.copied), undefined, 'no link was copied');
      assert.equal(await offline.$('#share-frame'), null);
      assert.ok(await offline.$('#share-save'));
      assert.equal(await offline.$eval('.shared', el => el.scrollWidth - el.clientWidth), 0, 'no button is cut');
      await click(offline, '#share-page');
      await waitText(offline, '#shared', 'Saved the page as one file');
      const again = (await files.next()).data;
      files.stop();
      assert.ok(Math.abs(again.length - data.length) < 2000, `${data.length} and ${again.length} bytes`);
      assert.ok(again.includes('xz-embedded'), 'with the licence');
      writeFileSync(path, again);
      const third = await open(lab.browser, pathToFileURL(path).href);
      await waitForCharts(third);
      assert.equal(await valueOf(third, '#cell-5-2'), '3');
      assertNoConsoleErrors(third);
      assertNoConsoleErrors(offline);
    });
  });
});
