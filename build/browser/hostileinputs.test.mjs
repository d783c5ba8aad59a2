// Inputs made to break the page, in both engines: the table that the test of the command
// has (core/cmd/backfill/hostile_inputs_test.go), as files and as links. Each is refused
// soon and in words, in little memory, and nothing that was there changes.
import { before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { quiet, root, textOf, traced } from './lab.mjs';
import { click, computed, drawnJobs, fresh, memory, openFile } from './page.mjs';
import { begin } from './begin.mjs';
import { missing } from './anywhere.mjs';

const folder = join(root, 'build', 'cache', 'hostile');
const mostWait = 2000, mostTask = 200, mostMB = 1024; // ms, ms, MB

// emitted is the list of inputs, which the test of the command writes.
let list;
const emitted = () => list ??= emit();
function emit() {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('go', ['test', './core/cmd/backfill', '-count=1', '-run', '^TestEmitHostile$'], { cwd: root, env: { ...process.env, BACKFILL_HOSTILE: folder } });
  const all = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8'));
  assert.ok(all.length >= 100, `${all.length} inputs`);
  return all;
}

// state is all that an input which is refused must leave alone.
const state = async page => ({
  jobs: [await drawnJobs(page, 0), await drawnJobs(page, 1)],
  cells: await page.$$eval('#grid input', all => all.map(x => x.value)),
  title: await textOf(page, '.title'),
  undo: await page.$eval('#undo', b => b.disabled),
  redo: await page.$eval('#redo', b => b.disabled),
});

// gaps does something and answers with the longest time for which no timer came through.
async function gaps(page, act) {
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    window.looking = setInterval(() => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
    }, 5);
  });
  await act();
  return page.evaluate(() => { clearInterval(window.looking); return window.longest; });
}

// give gives an input to the page and waits for its answer.
async function give(page, input) {
  const [where, start] = input.kind === 'link' ? ['#notice', 'The link could not be opened: '] : ['#fault', input.file];
  const was = await page.$eval(where, el => el.textContent).catch(() => '');
  const begun = performance.now();
  if (input.kind === 'link') await page.evaluate(h => { location.hash = h; }, readFileSync(join(folder, input.file), 'utf8'));
  else await openFile(page, join(folder, input.file));
  const done = await page.waitForFunction((where, start, want, was) => {
    const said = document.querySelector(where)?.textContent ?? '';
    return said !== was && said.startsWith(start) && said.includes(want) && said;
  }, { timeout: 20_000, polling: 20 }, where, start, input.want, was).catch(async () => {
    const said = await page.$$eval('#fault, #notice', all => all.map(x => x.textContent));
    assert.fail(`expected ${start}...${input.want}, got ${JSON.stringify(said)}`);
  });
  return { wait: performance.now() - begun, said: await done.jsonValue() };
}

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: missing(engine) }, () => {

const lab = begin({ engine });
let inputs;
before(() => { inputs = emitted(); });

test('hostile inputs are refused soon, in words and in little memory', async t => {
  const page = await lab.page();
  await click(page, '#cell-3-2', { count: 3 });
  await page.keyboard.type('7'); // something to undo
  await fresh(page);
  const untouched = await state(page);
  const worst = { wait: [0, ''], task: [0, ''], most: [0, ''] };
  const note = (what, value, name) => { if (value > worst[what][0]) worst[what] = [value, name]; };
  for (const input of inputs) {
    await t.test(`${input.name} ${input.file}`, async () => {
      let answer, task;
      const before = computed(lab.browser, true, engine);
      const act = async () => { answer = await give(page, input); };
      if (engine === 'chromium') task = (await traced(page, act)).computing;
      else task = await gaps(page, act);
      // Where other programs run, the clock tells about these: the time that the page itself
      // has computed counts in its place, and the page's thread may wait for its turn.
      const busy = loadavg()[0] > availableParallelism() + 1, own = computed(lab.browser, true, engine) - before;
      const wait = busy && own > 0 ? Math.min(answer.wait, own) : answer.wait;
      note('wait', wait, input.file);
      note('task', task, input.file);
      note('most', memory(lab.browser, engine).most, input.file);
      assert.ok(answer.said.length < 1000, `${answer.said.length} characters`);
      assert.ok(wait < mostWait, `answered after ${wait | 0} ms`);
      assert.ok(task < (busy && engine === 'firefox' ? 3 : 1) * mostTask, `the page stood still for ${task | 0} ms`);
      assert.deepEqual(await state(page), untouched);
    });
  }
  t.diagnostic(`${inputs.length} inputs; longest wait ${worst.wait[0] | 0} ms (${worst.wait[1]}), longest task ${worst.task[0] | 0} ms (${worst.task[1]}), memory ${worst.most[0] | 0} MB (${worst.most[1]})`);
  assert.ok(worst.most[0] > 0 && worst.most[0] < mostMB, `${worst.most[0]} MB`);
  await click(page, '#undo'); // and the page goes on
  await fresh(page);
  quiet(page);
});

});
