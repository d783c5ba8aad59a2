// Tests the lab embedded in another page. The example course page controls four frames. A hostile
// page must not have any effect.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer, open, assertNoConsoleErrors, root, textOf, waitForFrames, waitText } from './lab.mjs';
import { command, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';
import { embedLab, labClient } from './anywhere.mjs';

const lab = begin(), backfill = command();

// openCourse opens the example course page and waits for its frames.
async function openCourse() {
  const page = await open(lab.browser, 'about:blank', { ready: false });
  await page.goto(`${lab.url}embed/example.html`);
  await page.waitForFunction(() => ['one', 'two', 'three', 'four'].every(id => document.getElementById(id).querySelector('iframe').offsetHeight !== 600), { timeout: 60_000 });
  return page;
}

// frameIn returns the lab's frame in the element with this id.
const frameIn = (page, id) => page.$(`#${id} iframe`).then(f => f.contentFrame());
// callLab calls the lab in the element with this id and returns its answer.
const callLab = (page, id, op, more) => page.evaluate((id, op, more) => document.getElementById(id)[op](more).catch(e => ({ error: e.message })), id, op, more);

test('the course page', async t => {
  const page = await openCourse();
  await t.test('four frames with their own options, one of them graded', async () => {
    const one = await frameIn(page, 'one'), two = await frameIn(page, 'two'), four = await frameIn(page, 'four');
    assert.deepEqual(await one.$$eval('.chart h2', all => all.map(x => x.textContent)), ['FCFS']);
    assert.deepEqual(await two.$$eval('.chart h2', all => all.map(x => x.textContent)), ['FCFS', 'EASY']);
    const seen = (frame, selector) => frame.$eval(selector, e => e.checkVisibility());
    assert.equal(await seen(one, '#edit'), false);
    assert.equal(await seen(one, '#open'), false);
    assert.equal(await seen(one, '#why'), true);
    assert.equal(await seen(two, '#edit'), false);
    assert.equal(await seen(four, '#tab-jobs'), true);
    assert.equal(await four.$('#tab-machine'), null);

    // Each frame is as high as its content, without scrollbars.
    for (const frame of [one, two, four]) assert.ok(await frame.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 1));

    // The embedding page steps through the schedule in the third frame.
    await page.click('#on');
    await waitText(page, '#where', 'At 0 s');
    for (let i = 0; i < 3; i++) await page.click('#on');
    await waitText(page, '#where', 'event 4 of');
    await page.click('#back');
    await waitText(page, '#where', 'event 3 of');

    // The embedding page grades the fourth frame, before and after the estimates in it change.
    await page.click('#grade');
    await waitText(page, '#mark', 'Not yet');
    for (const row of [2, 3]) {
      const cell = await four.waitForSelector(`#cell-${row}-3`);
      await cell.click({ count: 3 });
      await page.keyboard.type('4');
    }
    await page.click('#grade');
    await waitText(page, '#mark', 'Passed');
    assertNoConsoleErrors(page);
  });

  await t.test('a locked scenario cannot be edited in any way', async () => {
    const one = await frameIn(page, 'one');
    await waitForCharts(one);
    const before = await callLab(page, 'one', 'state');
    assert.equal(before.problems, undefined);
    const [policy] = before.scenario.policies;
    assert.equal(policy.name, 'fcfs');
    await one.focus('[data-chart="gantt"]');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await waitText(one, '#lab-live', 'Job 1.');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await waitText(one, '#notice', 'This page does not allow editing');
    assert.deepEqual((await callLab(page, 'one', 'state')).scenario, before.scenario);
    assertNoConsoleErrors(page);
  });

  await t.test('result returns the jobs CSV and the metrics JSON of the command', async () => {
    const { scenario } = await callLab(page, 'two', 'state');
    for (const [i, policy] of ['fcfs', 'easy'].entries()) {
      const got = await callLab(page, 'two', 'result', i);
      const native = what => backfill(['run', '-in', '-', '-format', 'json', '-policy', policy, what, '-'], JSON.stringify(scenario)).toString();
      const rows = text => text.split('\n').filter(l => !l.startsWith('#'));
      assert.deepEqual(rows(got.jobs), rows(native('-jobs')));
      assert.deepEqual(got.metrics.metrics, JSON.parse(native('-metrics')).metrics);
    }
    assert.match((await callLab(page, 'two', 'result', 7)).error, /expected a result from 0 to 1, got 7/);
    const ran = await callLab(page, 'two', 'run', ['conservative', 'wu-hrf-easy']);
    assert.equal(ran.results.length, 2);
    assert.match((await callLab(page, 'two', 'run', ['nonsense'])).error, /nonsense/);
    const loaded = await callLab(page, 'two', 'load', { version: 1, machine: { nodes: 2 }, policies: [{ name: 'fcfs' }], workload: { jobs: [{ id: 'x', submit: 0, procs: 1, estimate: 3, runtime: 3 }] } });
    assert.deepEqual(loaded.results, ['FCFS']);
    assert.match((await callLab(page, 'two', 'load', '{"version": 1, "machine": {"nodes": 0}}')).error, /scenario\.json/);
    assert.deepEqual((await callLab(page, 'two', 'state')).results, ['FCFS'], 'an unreadable scenario changes nothing');
    const step = await callLab(page, 'two', 'step', { at: 2 });
    assert.equal(step.event?.at, 0, step.error);
    assertNoConsoleErrors(page);
  });
});

// openHostile opens a page of another site, without a security policy, with the lab in a frame.
async function openHostile(options = '') {
  const { address } = await startServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Hostile</title><body>'));
  const page = await open(lab.browser, address, { ready: false });
  const frame = await embedLab(page, `${lab.url}#v=1&embed=1${options}`);
  await frame.waitForFunction(() => document.querySelector('.scores')?.textContent.includes('EASY'));
  return { page, frame, ask: labClient(page).ask };
}

test('foreign, broken, oversized, repeated and unordered messages change nothing', async () => {
  const { page, frame, ask } = await openHostile();
  const before = await ask({ op: 'state' });
  const scenario = JSON.stringify(before.scenario);

  // A message from another window, here a second frame.
  await page.evaluate(() => new Promise(done => {
    const other = document.createElement('iframe');
    other.srcdoc = 'x';
    other.onload = () => {
      other.contentWindow.eval('parent.document.getElementById("lab").contentWindow.postMessage({ type: "backfill-lab", v: 1, id: "other", op: "load", scenario: "{}" }, "*")');
      done();
    };
    document.body.append(other);
  }));
  // Invalid messages.
  await page.evaluate(() => {
    for (const m of [null, 1, 'backfill-lab', [], {}, { type: 'backfill-lab' }, { type: 'backfill-lab', v: 2, id: 'v', op: 'run' }, { type: 'backfill-lab', v: 1 },
      { type: 'backfill-lab', v: 1, id: {}, op: [] }, { type: 'backfill-lab', v: 1, id: 'a', op: 'run', policies: 7 }, { type: 'backfill-lab', v: 1, id: 'b', op: 'step', by: 'x' },
      { type: 'backfill-lab', v: 1, id: 'c', op: '__proto__' }, { type: 'backfill-lab', v: 1, id: 'd', op: 'result', result: 1e99 }, { type: 'backfill-lab', v: 1, id: 'e', op: 'load' }]) say(m);
  });
  for (const id of ['a', 'b', 'c', 'd', 'e']) await page.waitForFunction(id => heard.find(m => m.id === id)?.op === 'error', {}, id);
  // Messages that are too large, in several forms.
  for (const make of ['"x".repeat(1e8)', 'new Array(3e6).fill(0)', 'new Array(1e9)', 'new Uint8Array(1e8)', 'new Map([[1, 2]])', '(() => { const a = {}; a.a = a; return a; })()', '10n']) {
    const id = `large ${make}`;
    await page.evaluate((id, make) => say({ type: 'backfill-lab', v: 1, id, op: 'load', scenario: (0, eval)(make) }), id, make);
    const got = await page.waitForFunction(id => heard.find(m => m.id === id), { timeout: 60_000 }, id).then(x => x.jsonValue());
    assert.equal(got.op, 'error', id);
  }
  // Calls with the same id, and more calls at once than allowed.
  await page.evaluate(() => { for (let i = 0; i < 200; i++) say({ type: 'backfill-lab', v: 1, id: 'same', op: 'step', by: 1 }); });
  await page.waitForFunction(() => heard.filter(m => m.id === 'same').length === 200, { timeout: 60_000 });
  assert.ok(await page.evaluate(() => heard.some(m => m.id === 'same' && /at most 64 unfinished calls/.test(m.error))));

  const after = await ask({ op: 'state' });
  assert.equal(JSON.stringify(after.scenario), scenario);
  assert.equal(await page.evaluate(() => heard.some(m => m.id === 'other' || m.id === 'v')), false);
  assert.equal(await frame.$('#lab-overlay'), null);
  assertNoConsoleErrors(page);
});

test('markup in a scenario stays text; messages from other origins are ignored', async () => {
  const { page, frame, ask } = await openHostile();
  const evil = '<img src=x onerror="window.bad=1"><script>window.bad=1</' + 'script>', long = 'y'.repeat(100_000);
  const job = (id, submit) => ({ id, submit, procs: 1, estimate: 3, runtime: 3 });
  const got = await ask({ op: 'load', scenario: { version: 1, title: evil, text: evil + long, machine: { nodes: 2 }, policies: [{ name: 'fcfs' }], workload: { jobs: [job(evil, 0), job('b', 1)] } } });
  assert.equal(got.op, 'done', got.error);
  assert.equal(await frame.evaluate(() => window.bad), undefined);
  assert.equal(await frame.$('img, .lead script'), null);
  await waitText(frame, '.title', '<img src=x');
  assertNoConsoleErrors(page);
  await page.close();

  const other = await openHostile('&allow=https%3A%2F%2Fexample.org');
  await other.page.evaluate(() => say({ type: 'backfill-lab', v: 1, id: 'not allowed', op: 'state' }));
  await other.frame.evaluate(() => new Promise(done => setTimeout(done, 300)));
  assert.equal(await other.page.evaluate(() => heard.some(m => m.id === 'not allowed')), false);
});

test('a lesson in a frame leads nowhere else, and can be started again at its end', async () => {
  const { address } = await startServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Course</title><body>'));
  const page = await open(lab.browser, address, { ready: false });
  const frame = await embedLab(page, `${lab.url}#v=1&embed=1&lesson=intro-promises&step=4`, 'width: 1300px; height: 800px');
  await waitText(frame, '#lesson-text', 'Make D shorter');
  await waitForCharts(frame);
  for (const id of ['#lesson-leave', '#lesson-edit']) assert.equal(await frame.$(id), null, id);
  const next = () => frame.$eval('#lesson-next', el => `${el.textContent} ${el.ariaDisabled}`);
  assert.equal(await next(), 'End of the lesson true');
  await (await frame.waitForSelector('#cell-0-4')).click({ count: 3 });
  await page.keyboard.type('5');
  await frame.waitForSelector('#lesson-reset[aria-disabled=false]');
  await frame.$eval('#choice-0', el => el.click());
  await waitText(frame, '#lesson-done', 'You have finished this lesson.');
  assert.equal(await frame.$eval('#lesson-done', el => el.textContent.trim()), 'You have finished this lesson.', 'no title of another lesson');
  assert.equal(await next(), 'Start again false');
  await frame.$eval('#lesson-next', el => el.click());
  await waitText(frame, '#lesson-page', '3 steps and a question');
  await frame.waitForSelector('#lesson-reset[aria-disabled=true]');
  for (let i = 0; i < 4; i++) await frame.$eval('#lesson-next', el => el.click());
  await waitText(frame, '#lesson-text', 'Make D shorter');
  assert.equal(await frame.$('.choice[aria-pressed=true]'), null, 'the answer is gone');
  assertNoConsoleErrors(page);
});

test('a narrow frame: the panel opens next to the lesson or above it, and closes again', async () => {
  const { address } = await startServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Course</title><body>'));
  for (const [name, width, button] of [['intro-promises&step=4', 900, '#lesson-panel'], ['intro-promises&step=4', 600, '#lesson-panel'], ['easy-worse-than-fcfs', 900, '#task-edit'], ['easy-repair', 900, '#task-edit']]) {
    const page = await open(lab.browser, address, { ready: false });
    const frame = await embedLab(page, `${lab.url}#v=1&embed=1&lesson=${name}`, `width: ${width}px; height: 600px; border: 0`);
    await waitForCharts(frame);
    await frame.waitForSelector(button);
    const boxes = () => frame.evaluate(() => Object.fromEntries(['#edit', '#lesson', '#gantt-0', '#why'].map(s => [s.slice(1), document.querySelector(s).getBoundingClientRect().toJSON()])));
    const closers = () => frame.$$eval('button', all => all.filter(b => /^Close( the panel)?$/.test(b.textContent) && b.checkVisibility()).map(b => b.textContent));
    const before = await boxes();
    assert.deepEqual(await closers(), [], 'nothing to close');
    assert.ok(before.edit.top > before.why.top && before.lesson.top >= 0, 'at first the lesson is in sight, and the panel below');
    await frame.$eval(button, el => el.click());
    await waitText(frame, '#lesson-panel', 'Close the panel');
    await waitForCharts(frame);
    const { edit, lesson, 'gantt-0': gantt, why } = await boxes();
    if (width === 900) {
      assert.ok(edit.left === 0 && edit.top < lesson.bottom && edit.width >= 360 && edit.width < 450, 'the panel is at the left');
      assert.ok(edit.height <= 600 && lesson.top >= 0, 'a long script scrolls in the panel, and the lesson stays in sight');
      assert.ok(lesson.left >= edit.right && lesson.right > 860, 'the lesson fills the rest');
    } else {
      assert.ok(edit.left === 0 && edit.width > width - 20 && edit.bottom <= lesson.top, 'the panel is above the lesson');
      assert.ok(lesson.left < 20 && lesson.right > width - 40 && edit.height < 400, 'the lesson keeps its width, and begins in the frame');
    }
    assert.deepEqual(await closers(), ['Close the panel']);
    assert.ok(gantt.left >= lesson.left && gantt.right <= lesson.right + 1);
    assert.ok(why.top > gantt.bottom && why.width > width - 20);
    assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth));

    // The panel stays open when the student selects a job in a chart.
    await frame.focus('#gantt-0');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await waitText(frame, '#why-title', 'Job ');
    assert.deepEqual((await boxes()).edit.left, 0);
    assert.equal(await textOf(frame, '#lesson-panel'), 'Close the panel');
    await frame.$eval('#lesson-panel', el => el.click());
    await frame.waitForFunction(button => document.activeElement === document.querySelector(button), {}, button);
    assert.equal((await boxes()).lesson.left, before.lesson.left);
    assertNoConsoleErrors(page);
    await page.close();
  }
});

test('the script in the documentation makes an iframe as high as its content', async () => {
  const script = /<script>\n(addEventListener[^]*?)<\/script>/.exec(readFileSync(join(root, 'docs', 'embedding.md'), 'utf8'))[1];
  const { address } = await startServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Course</title><body>'));
  const page = await open(lab.browser, address, { ready: false });
  const frame = await embedLab(page, `${lab.url}#v=1&embed=1&lesson=intro-promises&step=4`, 'width: 900px; height: 600px; border: 0');
  await frame.waitForSelector('#lesson-panel');
  await waitForCharts(frame);
  const height = () => page.$eval('#lab', f => f.offsetHeight), rest = () => frame.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.equal(await height(), 600, 'without the script the height stays');
  assert.ok(await rest() > 100);
  await page.addScriptTag({ content: script });
  await page.evaluate(() => postMessage('of another frame', '*'));
  for (const _ of ['open the panel', 'close it']) {
    await frame.$eval('#lesson-panel', el => el.click());
    await frame.waitForFunction(() => Math.abs(document.querySelector('.lab').getBoundingClientRect().height - innerHeight) < 2);
    await waitForFrames(frame);
    assert.ok(await rest() < 2);
  }
  assertNoConsoleErrors(page);
});
