// Tests policies that are written as scripts: adding a script, its schedule, its errors and limits, the
// question before a link runs a script, and the search for counterexamples.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, textOf, traceTasks, waitText } from './lab.mjs';
import { click, assertAccessible, assertDuration, dropFile, firstExample, openFile, openScenario, referencePath, selectOption, timesBounded, undo, valueOf, waitForCharts, waitForStableAddress } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing, repeated } from './anywhere.mjs';

const editor = '#script-1';

// Statements with which a script fails, each with a part of the error: endless loops, huge lists, and attempts to
// reach the page or the network.
const stopped = [
  ['while True: pass', 'more than 5000000 steps in one call of schedule'],
  ['x = [0] * 250000000', 'too many values'], // 2 GB
  ['fetch("/reached")', 'undefined: fetch'],
  ['window.reached = True', 'undefined: window'],
  ['self.postMessage("reached")', 'undefined: self'],
  ['__import__("os")', 'undefined: __import__'],
  ['load("/reached", "x")', 'expected a script without load'],
  ['x = "{0.constructor}".format(p)', 'syntax x.y is not supported in replacement fields: 0.constructor'],
  ['p.constructor("reached")', 'pass has no .constructor'],
];

// replace replaces the text of the script, as pasting does.
const replace = (page, text, selector = editor) => page.$eval(selector, (el, text) => {
  el.value = text;
  el.dispatchEvent(new Event('input', { bubbles: true }));
}, text);

// shows waits until the text of an element contains the wanted part.
const shows = (page, selector, part) => page.waitForFunction((selector, part) => document.querySelector(selector)?.textContent.includes(part), { timeout: 60_000 }, selector, part);

// rows returns the titles of the policies in the table of metrics.
const rows = page => page.$$eval('#scores tbody th', all => all.map(x => x.textContent.trim().replace(/\s+/g, ' ')));

// waitEqual waits until the first two rows in the table of metrics have the same values.
const waitEqual = page => page.waitForFunction(() => {
  const [a, b] = [...document.querySelectorAll('#scores tbody tr')].map(tr => [...tr.querySelectorAll('td')].map(td => td.textContent.trim().split(/\s/)[0]).join());
  return a === b && a;
}, { timeout: 120_000 });

// score returns the values in a row of the table of metrics.
const score = (page, row) => page.$$eval('#scores tbody tr', (all, row) => [...all[row].querySelectorAll('td')].map(td => td.textContent.trim()).join(' | '), row);

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  // compare opens the first example under the given policies, and the Policies panel.
  async function compare(policies) {
    const page = await openScenario(lab.browser, lab.url, lab.folder, { ...firstExample(), policies });
    await click(page, '#tab-policies');
    return page;
  }

  test('a person writes a policy as a script: templates, mistakes, printed lines, undo', repeated(engine), async () => {
    const page = await compare([{ name: 'easy' }]), asked = [], reached = [];
    page.on('request', r => {
      if (r.url().includes('script.')) asked.push(r.url());
      if (r.url().includes('reached')) reached.push(r.url());
    });
    assert.deepEqual(asked, [], 'the program for scripts is not part of a visit');
    await click(page, '#write-policy');
    await page.waitForFunction(() => document.querySelectorAll('#scores tbody tr').length === 2, { timeout: 60_000 });
    assert.deepEqual(await rows(page), ['EASY baseline', 'Own policy']);
    assert.match(await valueOf(page, editor), /^# First come, first served/);
    await selectOption(page, editor + '-template', 'easy');
    await waitEqual(page);
    const before = await score(page, 1);
    await replace(page, 'def schedule(p):\n    for job in p.waiting:\n        if p.fits(job):\n            print("start", job.id)\n            p.start(job, because = "I like it")\n');
    await shows(page, editor + '-printed', 'start');
    await replace(page, 'def schedule(p):\n    for job in p.waitng:\n        pass\n');
    await shows(page, editor + '-problem', 'Line 2, column 16: pass has no .waitng');
    assert.equal(await page.$eval(editor, el => el.ariaInvalid ?? el.getAttribute('aria-invalid')), 'true');
    assert.equal((await rows(page)).length, 2, 'the last valid schedules stay');
    for (const [line, problem] of stopped) {
      const source = `def schedule(p):\n    ${line}\n`;
      await replace(page, source);
      await shows(page, editor + '-problem', problem);
      assert.equal(await valueOf(page, editor), source, 'what was typed stays');
      assert.equal((await rows(page)).length, 2, 'the last valid schedules stay');
    }
    assert.deepEqual(reached, [], 'no script reached the network');
    assert.equal(await page.evaluate(() => window.reached), undefined, 'no script reached the page');
    await page.focus('#tab-policies'); // in the editor, the keys undo one change of the script
    await undo(page); // undoes what was typed in one go
    await page.waitForFunction(selector => document.querySelector(selector).value.startsWith('# EASY:'), {}, editor);
    await page.waitForFunction(want => [...document.querySelectorAll('#scores tbody tr')[1].querySelectorAll('td')].map(td => td.textContent.trim()).join(' | ') === want, { timeout: 60_000 }, before);
    await assertAccessible(page, 'an own policy', '#edit');
    assertNoConsoleErrors(page);
  });

  test('a link with a script asks before it runs it; a reload does not ask again', repeated(engine), async () => {
    const page = await compare([{ name: 'easy' }, { name: 'script', knobs: { source: 'def schedule(p):\n    for job in p.waiting:\n        if p.fits(job):\n            p.start(job)\n' } }]);
    await page.waitForFunction(() => document.querySelectorAll('#scores tbody tr').length === 2, { timeout: 60_000 });
    await waitForStableAddress(page);
    const link = page.url();
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('#scores tbody tr').length === 2, { timeout: 60_000 });
    await waitForStableAddress(page); // the page may store the script again before that
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    await page.goto(link);
    await page.waitForSelector('#allow-scripts', { timeout: 60_000 });
    assert.equal(await page.$('#scores tbody tr'), null, 'nothing runs before the person allows it');
    await click(page, '#allow-scripts');
    await page.waitForFunction(() => document.querySelectorAll('#scores tbody tr').length === 2, { timeout: 60_000 });
    assertNoConsoleErrors(page, /request failed.*wasm_exec/); // when the page needs a worker for scripts, it stops a worker that is still loading
  });

  test('a search finds a small workload on which policies differ, or on which a policy breaks a rule', repeated(engine), async () => {
    const page = await compare([{ name: 'easy' }, { name: 'conservative' }]);
    const notice = async part => { await shows(page, '#notice', part); return page.$eval('#notice', el => el.textContent); };
    const jobs = () => page.$eval('#tab-jobs', el => el.textContent);
    const before = await jobs();
    assert.equal(await page.$('#policy-0-differ'), null, 'the baseline is not compared with itself');
    await click(page, '#policy-1-differ');
    assert.match(await notice('Undo restores your scenario'), /job \d.* [2-5] jobs on \d+ processors/s);
    await waitForCharts(page);
    assert.deepEqual(await rows(page), ['Conservative', 'EASY baseline']);
    await shows(page, '#why', 'started');
    await click(page, '#notice-undo');
    await page.waitForFunction(want => document.querySelector('#tab-jobs').textContent === want, {}, before);
    assert.equal(await page.$('#notice-undo'), null, 'the message is gone');
    await click(page, '#write-policy');
    await page.waitForSelector('#script-2');
    await click(page, '#policy-2-break');
    await shows(page, '.under-way', 'of 5,000 workloads');
    await click(page, '#cancel');
    await notice('Cancelled.');
    await replace(page, 'def schedule(p):\n    pass\n', '#script-2');
    await page.waitForFunction(() => document.querySelectorAll('#scores tbody tr').length === 3);
    await click(page, '#policy-2-break');
    await notice('1 job on 1 processor');
    await shows(page, '#script-0-problem', 'no event remains');
    assertNoConsoleErrors(page, /request failed.*wasm_exec/);
  });

  test('undo of a search brings back the offer of the file\'s schedule, and no job of the example stays selected', repeated(engine), async () => {
    const page = await compare([{ name: 'easy' }, { name: 'conservative' }]);
    await dropFile(page, 'jobs.csv', 'job,submit,start,procs,runtime\na,0,0,5,5\nb,1,5,5,3\n2,200,200,2,2\n');
    await shows(page, '#notice', 'jobs.csv: 3 jobs.');
    await waitForCharts(page);
    await page.waitForSelector('#as-schedule');
    await page.setViewport({ width: 390, height: 844 });
    await click(page, '#open-edit');
    const [button, panel] = await page.$eval('#policy-1-differ', el => [el, el.closest('fieldset')].map(x => x.getBoundingClientRect().right));
    assert.ok(button < panel, `the button ends at ${button}, and its panel at ${panel}`);
    await click(page, '#policy-1-differ');
    await shows(page, '#notice', 'Undo restores your scenario');
    await shows(page, '#why-title', 'Why? Job ');
    assert.equal(await page.$('#as-schedule'), null, 'the file is not the schedule of the example');
    await click(page, '#notice-undo');
    await page.waitForSelector('#as-schedule');
    await waitForCharts(page);
    assert.equal(await textOf(page, '#why-title'), 'Why?');
  });

  const trace = referencePath('golden/KTH-SP2-1996-2.1-cln.norm.swf.gz');
  const skip = engine === 'firefox' ? 'only Chromium reports tasks' : !trace && 'BACKFILL_REFERENCE is not set';
  test('EASY as a script on a trace has the metrics of EASY, and the page stays responsive', { skip: skip || !timesBounded && 'make bench runs it', timeout: 300_000 }, async t => {
    const page = await compare([{ name: 'easy' }]);
    await click(page, '#write-policy');
    await page.waitForFunction(() => document.querySelectorAll('#scores tbody tr').length === 2, { timeout: 60_000 });
    await openFile(page, trace);
    await waitText(page, '#notice', '28,467 jobs', 60_000);
    await waitForCharts(page, 120_000);
    const fcfs = await score(page, 1);
    assert.notEqual(await score(page, 0), fcfs, 'the first template is FCFS');
    const began = performance.now();
    let took;
    const { wall, computing } = await traceTasks(page, async () => {
      await selectOption(page, editor + '-template', 'easy');
      await waitEqual(page);
      took = performance.now() - began;
      await waitForCharts(page, 120_000);
    });
    assert.notEqual(await score(page, 1), fcfs);
    t.diagnostic(`the metrics of the script: ${await score(page, 1)}`);
    assertDuration(t, 'EASY as a script on a trace', took, 10_000);
    t.diagnostic(`longest task of the page: ${wall.toFixed(0)} ms, computing ${computing.toFixed(0)} ms`);
    assert.ok(computing <= 100, `the longest task takes ${computing.toFixed(0)} ms, expected at most 100`);
    assertNoConsoleErrors(page);
  });
});
