// Tests the player and the lessons. Every move of a planned start in the papers' figures must equal
// the test data of the policies. Also completes one whole lesson.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { click, drawnJobs, stable, waitForCharts, waitForStableAddress } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

// The tests of ui/lessons/lesson check the schedules, the moves and the sentences of the player in
// every lesson; access.test.mjs opens every page of every lesson. So a few lessons suffice here.
const figureLessons = { 'figure-2': 'compression/b2-figure-2' };
const walkedLessons = ['figure-1', 'zeng-cases'];
const lessonOf = name => JSON.parse(readFileSync(join(root, 'public', 'lessons', `${name}.json`), 'utf8'));

// paperSchedule returns the schedule and the moves of a run from the policies' test data.
function paperSchedule(name, { name: policy, knobs = {} }) {
  const text = readFileSync(join(root, 'core', 'policy', 'policytest', 'testdata', figureLessons[name]), 'utf8');
  const parameters = [policy, ...['order', 'restart', 'pick', 'fullness', 'goal'].filter(k => k in knobs).map(k => `${k}=${knobs[k]}`)].join(' ');
  const block = text.split(`\nrun ${parameters}\n----\n`)[1].split('\n\n')[0];
  return {
    jobs: [...block.matchAll(/^\w+ (\d+)-(\d+)/gm)].map(m => ({ start: +m[1], finish: +m[2] })),
    moves: [...block.matchAll(/^at (\d+) (\w+) moves (\d+)->(\d+)/gm)].map(m => m.slice(1).join(' ')),
  };
}

// playerPosition returns the numbers of the player: the event, the number of events, and the
// time.
const playerPosition = async page => (await textOf(page, '#player-count')).match(/\d+/g).map(Number);
// playerText returns the visible text of the player. (textContent would include earlier texts of
// hidden elements.)
const playerText = page => page.$eval('#player-text', el => el.innerText.replace(/\s+/g, ' ').trim());

// goToEvent performs an action and waits until the player shows the wanted event.
async function goToEvent(page, press, wanted) {
  await press();
  await page.waitForFunction(w => document.getElementById('player-count').textContent.startsWith(`event ${w} of`), { timeout: 10_000 }, wanted);
}

// collectMoves goes through all events and returns the moves in the form of the test data.
async function collectMoves(page) {
  await goToEvent(page, () => click(page, '#player-first'), 0);
  const moves = [], [, count] = await playerPosition(page);
  for (let n = 1; n <= count; n++) {
    await goToEvent(page, () => page.keyboard.press(']'), n);
    const m = /The planned start of job (\w+) moves from (\d+) to (\d+)/.exec(await playerText(page));
    if (m) moves.push(`${(await playerPosition(page))[2]} ${m[1]} ${m[2]} ${m[3]}`);
  }
  return moves;
}

async function openLesson(page, title) {
  await click(page, '#lessons');
  await page.waitForSelector('.gallery button');
  const items = await page.$$('.gallery button');
  for (const item of items) {
    if ((await item.evaluate(el => el.querySelector('b').textContent)) === title) {
      await item.click();
      await waitText(page, '#lesson-title', title);
      await waitForCharts(page);
      return;
    }
  }
  assert.fail(`no lesson ${title}`);
}

for (const name of Object.keys(figureLessons)) {
  test(`${name}: the paper's schedule and every move, one by one, under each policy`, async () => {
    const lesson = lessonOf(name), page = await lab.shared();
    await openLesson(page, lesson.title);
    for (const [i, policy] of lesson.scenario.policies.entries()) {
      await page.waitForSelector('#player-policy');
      const value = await page.$eval(`#player-policy option:nth-child(${i + 1})`, el => el.value);
      await page.select('#player-policy', value);
      await page.focus('#player-next');
      const { jobs, moves } = paperSchedule(name, policy);
      assert.deepEqual(await collectMoves(page), moves, policy.name);
      await page.waitForSelector('#player-next[aria-disabled=true]');
      assert.deepEqual((await drawnJobs(page, i)).map(({ start, finish }) => ({ start, finish })), jobs, policy.name);
    }
    assertNoConsoleErrors(page);
  });
}

for (const name of walkedLessons) {
  test(`${name}: each step shows its event, forwards and backwards`, async () => {
    const lesson = lessonOf(name), page = await lab.page({ fragment: `#v=1&lesson=${name}&step=0` }), seen = [];
    for (const [i, step] of lesson.steps.entries()) {
      await click(page, '#lesson-next');
      await waitText(page, '#lesson-text', step.text);
      await waitText(page, '#lesson-page', `step ${i + 1} of ${lesson.steps.length}`);
      const { time, event, job } = step.place;
      if (!['before', 'after'].includes(event)) {
        const phrases = { move: 'The planned start of job', start: 'starts.', finish: 'ends', hold: 'waits; the plan made at', gains: 'a gain of', group: 'is matched with' };
        await waitText(page, '#player-text', phrases[event]);
        await page.waitForFunction((t, j) => document.getElementById('player-count').textContent.endsWith(`t = ${t} s`)
          && document.querySelector('#player-text button').textContent.toLowerCase() === `job ${j.toLowerCase()}`
          || document.getElementById('player-text').textContent.includes(`of job ${j} `), {}, time, job);
      }
      await new Promise(r => setTimeout(r, 300)); // the page may still show an earlier event that differs only by its position in the log
      seen.push(await playerText(page));
      assert.equal(await page.$eval('#player-policy', el => el.selectedIndex), step.policy);
    }
    for (let i = lesson.steps.length - 2; i >= 0; i--) {
      await click(page, '#lesson-back');
      await waitText(page, '#lesson-text', lesson.steps[i].text);
      await page.waitForFunction(w => document.getElementById('player-text').innerText.replace(/\s+/g, ' ').trim() === w, {}, seen[i]);
    }
    assertNoConsoleErrors(page);
  });
}

// Flag 16 marks a planned piece; see core/gantt/flags.go.
test('the chart shows the plan of the event', async () => {
  const page = await lab.shared();
  await page.goto(lab.url + '#v=1&lesson=figure-2&step=3');
  const drawn = async () => page.evaluate(() => {
    const { pieces: p, labels } = document.getElementById('gantt-0').labChart.plan, out = {};
    for (let i = 0; i < p.length; i += 6) if (p[i + 5] === 16) out[labels[p[i + 4]]] = p[i];
    return out;
  });
  const until = async (n, wanted) => {
    await waitText(page, '#lesson-page', `step ${n} of`);
    await page.waitForFunction(w => {
      const plan = document.getElementById('gantt-0').labChart.plan, out = {};
      for (let i = 0; plan && i < plan.pieces.length; i += 6) if (plan.pieces[i + 5] === 16) out[plan.labels[plan.pieces[i + 4]]] = plan.pieces[i];
      return JSON.stringify(out) === w;
    }, {}, JSON.stringify(wanted)).catch(async () => assert.deepEqual(await drawn(), wanted));
  };
  await until(3, { C: 2, D: 4 });
  await click(page, '#lesson-next');
  await until(4, { C: 1, D: 4 });
  await click(page, '#lesson-next');
  await until(5, { C: 1, D: 3 });
  await click(page, '#lesson-back');
  await until(4, { C: 1, D: 4 });
  assertNoConsoleErrors(page);
});

test('a lesson from the list to the answer by keyboard alone', async () => {
  const page = await lab.page();
  const focus = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
  const tab = async wanted => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      if ((await focus()).startsWith(wanted)) return;
    }
    assert.fail(`Tab does not lead to ${wanted}; the focus is on ${await focus()}`);
  };
  await tab('lessons');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.gallery button');
  await tab('Figure 2');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'lesson-title');
  await waitForCharts(page);
  await tab('lesson-next');
  const { steps, question } = lessonOf('figure-2');
  for (const step of steps) {
    await page.keyboard.press('Enter');
    await waitText(page, '#lesson-text', step.text);
  }
  assert.equal(await focus(), 'lesson-next', 'the focus stays on the button');

  // The player's keys work when the focus is in the player or in a chart.
  const n = await stable(async () => (await playerPosition(page))[0]);
  await goToEvent(page, () => page.keyboard.press('['), n - 1);
  await page.focus('#gantt-1');
  await goToEvent(page, () => page.keyboard.press('['), n - 2);
  await page.keyboard.press(' ');
  await waitText(page, '#player-play', 'Pause');
  await page.waitForFunction(w => Number(/\d+/.exec(document.getElementById('player-count').textContent)[0]) >= w, {}, n);
  await page.keyboard.press(' ');
  await waitText(page, '#player-play', 'Play');

  await page.focus('#lesson-next');
  await page.keyboard.press('Enter');
  await waitText(page, '#lesson-text', question.text);
  await page.focus('#lesson-leave');
  await tab('choice-0');
  await page.keyboard.press('Enter');
  await waitText(page, '#lesson-verdict', 'Not quite.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitText(page, '#lesson-verdict', 'Right. ' + question.because);
  assertNoConsoleErrors(page);
});

test('a bracket typed in a field does not move the player', async () => {
  const page = await lab.shared();
  await page.goto(lab.url + '#v=1&lesson=figure-1&step=2');
  await waitText(page, '#lesson-page', 'step 2 of');
  await waitForCharts(page);
  const [n] = await playerPosition(page);
  await page.focus('#find');
  await page.keyboard.type('[ ]');
  await waitForFrames(page);
  assert.equal(await page.$eval('#find', el => el.value), '[ ]');
  assert.equal((await playerPosition(page))[0], n);
});

test('the scenario of a lesson can be edited, it stays when the lesson is closed, and undo restores the previous scenario', async () => {
  const page = await lab.page();
  await openLesson(page, lessonOf('figure-1').title);
  await click(page, '#cell-4-3', { count: 3 });
  await page.keyboard.type('2');
  await waitText(page, '#lesson', 'You have changed the scenario');
  await click(page, '#lesson-reset');
  await page.waitForSelector('#lesson-reset[aria-disabled=true]');
  assert.equal(await page.$eval('#cell-4-3', el => el.value), '8');
  await click(page, '#lesson-leave');
  await page.waitForFunction(() => !document.getElementById('lesson') && !document.getElementById('player'));
  assert.equal(await page.$eval('#cell-0-0', el => el.value), 'A');
  for (let i = 0; i < 3; i++) await click(page, '#undo');
  await waitForCharts(page);
  assert.equal(await page.$eval('#cell-0-0', el => el.value), '1', 'the scenario before the lesson');
  assertNoConsoleErrors(page);
});

test('the address contains lesson and step', async () => {
  const page = await lab.page();
  await openLesson(page, lessonOf('figure-3').title);
  await click(page, '#lesson-next');
  await click(page, '#lesson-next');
  await page.waitForFunction(() => location.hash.includes('lesson=figure-3&step=2'));
  await page.reload();
  await waitText(page, '#lesson-page', 'step 2 of');
  await waitForCharts(page);
  await waitText(page, '#player-text', 'Job A ends, 7 s before its estimate.');
  assert.equal(await page.$eval('#lesson-reset', el => el.ariaDisabled), 'true', 'the link opens the scenario of the lesson');
});

test('answers survive a reload, but not a new start of the lesson', async () => {
  const page = await lab.page(), lesson = lessonOf('intro-fcfs');
  const pressed = () => page.$$eval('.choices button', all => all.map(el => el.getAttribute('aria-pressed')));
  const openQuestion = async () => {
    while (!await page.$('#choice-0')) await click(page, '#lesson-next');
  };
  await openLesson(page, lesson.title);
  await openQuestion();
  const answered = lesson.questions[0].choices.map((_, i) => `${i === 1}`), open = answered.map(() => 'false');
  assert.deepEqual(await pressed(), open);
  await click(page, '#choice-1');
  await page.waitForSelector('#choice-1[aria-pressed=true]');
  await waitForStableAddress(page);
  for (let i = 0; i < 2; i++) {
    await page.reload();
    await page.waitForSelector('#choice-1[aria-pressed=true]');
    assert.deepEqual(await pressed(), answered);
  }
  await openLesson(page, lesson.title);
  await openQuestion();
  assert.deepEqual(await pressed(), open);
  await waitForStableAddress(page);
  await page.reload();
  await page.waitForSelector('#choice-0');
  await waitForCharts(page);
  assert.deepEqual(await pressed(), open);
});

test('a newly opened lesson shows the whole run, even if the charts were zoomed in before', async () => {
  const page = await lab.shared();
  await page.goto(lab.url + '#v=1&lesson=intro-fcfs');
  await waitText(page, '#lesson-title', lessonOf('intro-fcfs').title);
  await waitForCharts(page);
  await page.evaluate(() => labChart.setWindow(2, 4));
  await page.waitForFunction(() => labChart.window()[1] === 4);
  await openLesson(page, lessonOf('intro-backfilling').title);
  await page.waitForFunction(() => labChart.window()[0] === 0 && labChart.window()[1] > 5);
  assertNoConsoleErrors(page);
});

test('the player steps through any schedule', async () => {
  const page = await lab.shared();
  assert.equal(await page.$('#player'), null, 'the player is closed at first');
  await click(page, '#step-through');
  await waitText(page, '#player-count', 'event 0 of 44, t = 0 s');
  for (let n = 1; n <= 20; n++) await goToEvent(page, () => page.keyboard.press(']'), n);
  const forth = await page.$eval('#player', el => el.innerText);
  await goToEvent(page, () => click(page, '#player-last'), 44);
  assert.equal(await page.$eval('#player-next', el => el.ariaDisabled), 'true');
  for (let n = 43; n >= 20; n--) await goToEvent(page, () => page.keyboard.press('['), n);
  assert.equal(await page.$eval('#player', el => el.innerText), forth, 'the same forwards and backwards');
  await click(page, '#step-through');
  await page.waitForFunction(() => !document.getElementById('player'));
  assertNoConsoleErrors(page);
});
