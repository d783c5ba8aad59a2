// Tests the exercises in the page. The page must respond to wrong and right submissions in the same words as the
// command. Also tests counterexamples, the recovery of typed text, the keyboard, and the grades that an embedding
// page gets.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoConsoleErrors, open, root, startServer, waitForFrames, waitText } from './lab.mjs';
import { assertAccessible, click, command, drawnJobs, editLesson, paste, tabTo, undo, valueOf, waitForCharts, waitForStableAddress } from './page.mjs';
import { begin } from './begin.mjs';
import { embedLab, labClient, repeatedFile } from './anywhere.mjs';

const folder = join(root, 'core', 'exercise', 'testdata');
const names = ['fcfs', 'first-fit', 'sjf', 'easy-shadow-time', 'easy-extra-processors', 'easy-repair', 'conservative', 'conservative-compression', 'easy-worse-than-fcfs', 'sjf-starvation'];

// submission returns the file of a submission, and the row of the table that the command writes for it.
function submission(kind, name) {
  const path = ['star', 'json'].map(ending => join(folder, kind, `${name}.${ending}`)).find(existsSync);
  const row = command()(['grade', name, path, '-quiet']).toString().trim().split('\n')[1];
  const [, grade, passed, checks, failure] = /,([01]),(\d+),(\d+),"?(.*?)"?,$/.exec(row);
  return { text: readFileSync(path, 'utf8'), grade, passed: Number(passed), checks: Number(checks), failure };
}

// `make test` tries one exercise for each kind of check, and `make test-firefox` tries all
// exercises. The native tests of core/exercise also try all of them.
const tried = process.env.LAB_ALL ? names : ['fcfs', 'easy-repair', 'conservative', 'sjf-starvation'];

const script = '#script-1';

// replace replaces the text of the script, as pasting does.
const replace = (page, text) => page.$eval(script, (el, text) => {
  el.value = text;
  el.dispatchEvent(new Event('input', { bubbles: true }));
}, text);

// build enters a workload: the jobs into the table, and the number of nodes.
async function build(page, { machine, workload }) {
  await click(page, '#tab-machine');
  await page.$eval('#machine-nodes', (el, text) => {
    el.value = text;
    el.dispatchEvent(new Event('input', { bubbles: true }));
  }, String(machine.nodes));
  await click(page, '#tab-jobs');
  if (await page.$('#clear')) await click(page, '#clear');
  await click(page, '#add');
  await page.focus('#cell-0-0');
  await paste(page, workload.jobs.map(j => [j.id, j.submit, j.procs, j.estimate, j.runtime].join('\t')).join('\n'));
  await page.waitForFunction(n => document.querySelector('.count').textContent.startsWith(`${n} job`), {}, workload.jobs.length);
}

// submit enters a submission, checks it, and returns the text of the result.
async function submit(page, text) {
  if (text.startsWith('{')) await build(page, JSON.parse(text));
  else await replace(page, text);
  await waitForFrames(page);
  await page.evaluate(() => { window.was = document.querySelector('#task-result').textContent; });
  await page.focus('#task-check');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /\S/.test(document.querySelector('#task-result').textContent) && !document.querySelector('#task-result .help').textContent && document.querySelector('#task-result').textContent !== window.was, { timeout: 60_000, polling: 50 });
  return page.$eval('#task-result', el => el.textContent);
}

// openExercise opens an exercise from the menu.
async function openExercise(page, title) {
  await click(page, '#lessons');
  await click(page, '#lessons-course');
  await page.waitForFunction(() => document.querySelector('#lessons-course').textContent === 'All lessons');
  await page.evaluate(title => [...document.querySelectorAll('.gallery button')].find(b => b.querySelector('b').textContent === title).click(), title);
  await page.waitForSelector('#lesson-task');
}

// waitForSchedules waits until the metrics table has the row of the submitted script.
const waitForSchedules = page => page.waitForFunction(() => document.querySelectorAll('#scores tbody tr')[1]?.textContent.includes('Submission'), { timeout: 60_000 });

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {
  const lab = begin({ engine });

  test(`${tried.length} exercises: failed and solved submissions get the same results as in the command`, { timeout: 180_000 }, async () => {
    const page = await lab.page(), asked = [];
    page.on('request', r => asked.push(r.url()));
    await click(page, '#lessons');
    await page.waitForSelector('#lessons-course');
    assert.ok(!asked.some(url => /exercises\.|script\./.test(url)), 'the list of lessons needs no exercises');
    await page.keyboard.press('Escape');
    await openExercise(page, 'First come, first served');
    for (const [i, name] of names.entries()) {
      await waitText(page, '.lesson cite', `Exercise ${i + 1} of 10`);
      if (!tried.includes(name)) {
        await click(page, '#lesson-next');
        continue;
      }
      const wrong = submission('wrong', name), right = submission('solutions', name);
      const said = await submit(page, wrong.text);
      assert.ok(said.startsWith(`Check ${wrong.passed + 1} of ${wrong.checks} failed: `), said);
      assert.ok(said.includes(` ${wrong.failure}.`), `${said}, expected ${wrong.failure}`);
      assert.match(await submit(page, right.text), /^(The check|All \d checks) passed\./, name);
      await waitText(page, '#lesson-done', 'You have finished this lesson.');
      if (i < 9) await click(page, '#lesson-next');
    }
    await click(page, '#lessons');
    assert.equal(await page.$$eval('.gallery i', all => all.filter(i => i.textContent === 'Finished').length), tried.length);
    assertNoConsoleErrors(page, /request failed.*wasm_exec/); // when the page needs a worker for scripts, it stops a worker that is still loading
  });

  test('an exercise begins without an error and without charts of the previous scenario', async () => {
    const page = await lab.page(), drawn = () => page.$$eval('.chart h2', all => all.map(h => h.textContent));
    await waitForCharts(page);
    assert.equal((await drawn()).length, 2);
    await openExercise(page, 'First come, first served');
    await waitText(page, '#task-start', 'The script is not complete yet, so it has no chart. Press Edit to write it.');
    await waitForCharts(page);
    assert.deepEqual(await drawn(), ['FCFS']);
    assert.equal(await page.$('.lab-stale'), null);
    assert.deepEqual(await page.$$eval('.lab .problem', all => all.map(p => p.textContent).filter(Boolean)), []);
    await assertAccessible(page, 'an exercise', '#lesson');

    // The student makes the first edit. Reset restores the initial script.
    await replace(page, 'def schedule(p):\n    p.strt()\n');
    await waitText(page, '#fault', 'pass has no .strt');
    assert.equal(await page.$('#task-start'), null);
    await click(page, '#lesson-reset');
    await page.waitForSelector('#task-start');
    assert.equal(await page.$('#fault'), null);
    await replace(page, submission('solutions', 'fcfs').text);
    await waitForSchedules(page);
    assert.deepEqual(await drawn(), ['FCFS', 'Submission']);
    assert.equal(await page.$('#task-start'), null);
    assertNoConsoleErrors(page, /request failed.*wasm_exec/);
  });

  test('the form for an exercise marks no error in the initial script, and its link contains the lesson and the initial script, not a solution', async () => {
    const page = await lab.page();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async t => { window.copied = t; } }, configurable: true }));
    await openExercise(page, 'First come, first served');
    await waitForCharts(page);
    await editLesson(page);
    await page.waitForSelector('#write-pages');
    await waitForCharts(page);
    assert.deepEqual(await page.$$eval('.lab .problem, #lab .problem, #fault', all => all.map(p => p.textContent.trim()).filter(Boolean)), []);
    const start = await page.evaluate(() => document.querySelector('#task-start')?.textContent ?? '');
    assert.match(start, /not complete yet/);

    // If the script fails on the counterexample, there are no results, but the link still contains the script.
    await click(page, '#tab-policies');
    await submit(page, 'def schedule(p):\n    pass  # mine\n');
    await click(page, '#task-show');
    await page.waitForSelector('#task-return');
    await replace(page, 'def schedule(p):\n    p.strt()  # mine\n');
    await page.waitForFunction(() => /&write=1&l=[\w-]{100,}/.test(location.hash));
    await click(page, '#share');
    await waitText(page, '#shared', 'Link to the lesson copied');
    const link = await page.evaluate(() => window.copied);
    await page.close();

    const student = await open(lab.browser, link);
    await student.waitForSelector('#lesson-task');
    await click(student, '#tab-policies');
    assert.doesNotMatch(await valueOf(student, script), /# mine/);
    assert.equal(await student.$eval('#lesson-reset', el => el.getAttribute('aria-disabled')), 'true', 'the scenario is the start of the exercise');
  });

  test('the counterexample is shown and closed, also by keyboard; the typed script survives that, undo and a reload; a check can be cancelled', async () => {
    const page = await lab.page(), wrong = submission('wrong', 'easy-repair'), right = submission('solutions', 'easy-repair');
    const count = async () => (await drawnJobs(page, 0)).length, drawn = () => page.$$eval('.chart h2', all => all.map(h => h.textContent));
    await openExercise(page, 'Repair EASY');
    await waitForSchedules(page);
    assert.deepEqual(await drawn(), ['EASY', 'Submission']);
    assert.ok((await valueOf(page, script)).includes('job.estimate)'), 'the script to start from');
    await waitForCharts(page);
    assert.equal(await count(), 12);
    const mine = wrong.text + '# mine\n';
    await submit(page, mine);
    await assertAccessible(page, 'a failed check', '#lesson');
    await tabTo(page, '#task-show');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#task-return');
    await page.waitForFunction(() => document.querySelector('#why').textContent.includes('Job 6 at t = 3'), { timeout: 30_000 });
    await waitForCharts(page);
    assert.deepEqual(await drawn(), ['EASY', 'Submission']);
    assert.equal(await count(), 6);
    assert.equal(await valueOf(page, script), mine);

    // While the page shows the counterexample, the student edits the script, reloads the page, and
    // returns to the exercise.
    const better = mine + '# better\n';
    await replace(page, better);
    await waitText(page, '#task-result', 'The scenario has changed since this check.');
    await waitForStableAddress(page);
    await page.reload();
    await waitForSchedules(page);
    await click(page, '#tab-policies');
    assert.equal(await valueOf(page, script), better, 'the script survives a reload');
    await click(page, '#task-return');
    await page.waitForFunction(() => !document.querySelector('#task-return'));
    assert.equal(await valueOf(page, script), better, 'the script survives the way back');
    await waitForCharts(page);
    assert.equal(await count(), 12);
    await page.focus('#tab-policies');
    await undo(page);
    await page.waitForSelector('#task-return');
    await undo(page);
    await page.waitForFunction((s, text) => document.querySelector(s).value === text, {}, script, mine);
    await undo(page);
    await page.waitForFunction(() => !document.querySelector('#task-return'));
    assert.equal(await valueOf(page, script), mine, 'undo leads back over the counterexample');

    // A check can be cancelled, and the next check runs to its end.
    await replace(page, right.text);
    await waitForSchedules(page);
    await waitForCharts(page);
    await click(page, '#task-check');
    await page.waitForFunction(() => document.querySelector('.under-way')?.textContent.includes('of 3,300 workloads'), { timeout: 30_000 });
    await click(page, '#cancel');
    await waitText(page, '#notice', 'Cancelled.');
    assert.match(await submit(page, right.text), /^All 3 checks passed\./);
    await assertAccessible(page, 'a solved exercise', '#lesson');

    // The page reports a mistake in the script like the command, and shows no counterexample.
    const broken = await submit(page, 'def schedule(p):\n    p.strt()\n');
    assert.match(broken, /line 2, column \d+: pass has no \.strt/);
    await click(page, '#lesson-leave');
    await page.waitForFunction(() => !document.querySelector('#lesson'));
    assertNoConsoleErrors(page, /request failed.*wasm_exec/);
  });

  // openHost opens a page of another origin with an exercise in a frame.
  async function openHost(options = '') {
    const { address } = await startServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Course</title><body>'));
    const page = await open(lab.browser, address, { ready: false });
    const frame = await embedLab(page, `${lab.url}#v=1&embed=1&lesson=first-fit${options}`, 'width: 1300px; height: 800px');
    await frame.waitForSelector('#lesson-task');
    await waitForSchedules(frame);
    return { page, frame, ask: labClient(page).ask, grades: () => page.evaluate(() => heard.filter(m => m.op === 'grade')) };
  }

  // submitIn checks submissions in a frame.
  async function submitIn(frame, ...kinds) {
    for (const kind of kinds) {
      await replace(frame, submission(kind, 'first-fit').text);
      await frame.$eval('#task-check', el => el.click());
      await frame.waitForFunction(kind => document.querySelector('#task-result').textContent.includes(kind === 'solutions' ? 'checks passed' : 'failed:'), { timeout: 60_000 }, kind);
    }
    await waitForFrames(frame);
  }

  test('an embedding page that asks for grades gets them, but no content that the student opens', async () => {
    const { page, frame, ask, grades } = await openHost();
    assert.equal((await ask({ op: 'grades' })).op, 'done');
    await submitIn(frame, 'wrong', 'solutions');
    await page.waitForFunction(() => heard.filter(m => m.op === 'grade').length === 2, { timeout: 30_000 });
    const common = { type: 'backfill-lab', v: 1, op: 'grade', exercise: 'first-fit', checks: 2 };
    assert.deepEqual(await grades(), [{ ...common, grade: 0, passed: submission('wrong', 'first-fit').passed }, { ...common, grade: 1, passed: 2 }]);
    assert.equal(await frame.$eval('#lab-consent', d => d.open), false);
    await frame.evaluate(() => { location.hash = '#v=1&embed=1&lesson=sjf'; }); // now the exercise is the student's choice
    await waitText(frame, '.lesson cite', 'Exercise 3 of 10');
    await waitForSchedules(frame);
    await frame.$eval('#task-check', el => el.click());
    await frame.waitForSelector('#lab-consent[open]', { timeout: 30_000 });
    assert.equal((await grades()).length, 2, 'nothing is sent before the student agrees');
    assertNoConsoleErrors(page, /request failed.*wasm_exec/);
  });

  test('an embedding page gets no grades if it does not ask, or if the address of the frame does not allow its origin', async () => {
    for (const [options, asks] of [['', false], ['&allow=https%3A%2F%2Fcourse.example', true]]) {
      const { page, frame, grades } = await openHost(options);
      if (asks) await page.evaluate(() => say({ type: 'backfill-lab', v: 1, id: 'a', op: 'grades' }));
      await submitIn(frame, 'wrong');
      await new Promise(done => setTimeout(done, 200));
      assert.deepEqual(await grades(), []);
      assertNoConsoleErrors(page, /request failed.*wasm_exec/);
      await page.close();
    }
  });
});
