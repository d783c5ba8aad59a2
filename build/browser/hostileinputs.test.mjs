// Tests malicious files and links, from the table in core/cmd/backfill/hostile_inputs_test.go. The
// page must reject each with an error, must use little memory, and must keep its state. `make test`
// tries every sixth input. With LAB_BENCH, as in `make bench`, the test tries all of them and limits
// their times.
import { before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoConsoleErrors, root, traceTasks } from './lab.mjs';
import { click, waitForCharts, longestPause, memory, openFile, snapshot, timesBounded, watchPauses } from './page.mjs';
import { begin } from './begin.mjs';
import { repeatedFile } from './anywhere.mjs';

const folder = join(root, 'build', 'cache', 'hostile');
const maxWait = 2000, maxTask = 200, maxMB = 1024; // in ms, ms and MB

// inputList returns the list of inputs, which a test of the command writes.
let list;
const inputList = () => list ??= writeInputs();
function writeInputs() {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('go', ['test', './core/cmd/backfill', '-vet=off', '-count=1', '-run', '^TestEmitHostile$'], { cwd: root, env: { ...process.env, BACKFILL_HOSTILE: folder } });
  const all = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8'));
  assert.ok(all.length >= 100, `${all.length} inputs`);
  return timesBounded ? all : all.filter((_, i) => i % 6 === 0);
}

// openInput opens an input and returns the page's error and how long that took.
async function openInput(page, input) {
  const [where, start] = input.kind === 'link' ? ['#notice', 'The link could not be opened: '] : ['#fault', input.file];
  const was = await page.$eval(where, el => el.textContent).catch(() => '');
  const started = performance.now();
  if (input.kind === 'link') await page.evaluate(h => { location.hash = h; }, readFileSync(join(folder, input.file), 'utf8'));
  else await openFile(page, join(folder, input.file));
  const done = await page.waitForFunction((where, start, want, was) => {
    const message = document.querySelector(where)?.textContent ?? '';
    return message !== was && message.startsWith(start) && message.includes(want) && message;
  }, { timeout: 20_000, polling: 20 }, where, start, input.want, was).catch(async () => {
    const messages = await page.$$eval('#fault, #notice', all => all.map(x => x.textContent));
    assert.fail(`expected ${start}...${input.want}, got ${JSON.stringify(messages)}`);
  });
  return { wait: performance.now() - started, message: await done.jsonValue() };
}

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {

const lab = begin({ engine });
let inputs;
before(() => { inputs = inputList(); });

test('malicious inputs are rejected with an error and in little memory', async t => {
  const page = await lab.page();
  await click(page, '#cell-3-2', { count: 3 });
  await page.keyboard.type('7'); // something to undo
  await waitForCharts(page);
  const untouched = await snapshot(page);
  const worst = { wait: [0, ''], task: [0, ''], most: [0, ''] };
  const note = (what, value, name) => { if (value > worst[what][0]) worst[what] = [value, name]; };
  for (const input of inputs) {
    await t.test(`${input.name} ${input.file}`, async () => {
      let answer, task;
      const act = async () => { answer = await openInput(page, input); };
      if (engine === 'chromium') task = (await traceTasks(page, act)).computing;
      else {
        await watchPauses(page);
        await act();
        task = await longestPause(page);
      }
      note('wait', answer.wait, input.file);
      note('task', task, input.file);
      note('most', memory(lab.browser, engine).most, input.file);
      assert.ok(answer.message.length < 1000, `${answer.message.length} characters`);
      if (timesBounded) {
        assert.ok(answer.wait < maxWait, `answered after ${answer.wait | 0} ms`);
        assert.ok(task < maxTask, `the page was blocked for ${task | 0} ms`);
      }
      assert.deepEqual(await snapshot(page), untouched);
    });
  }
  t.diagnostic(`${inputs.length} inputs; longest wait ${worst.wait[0] | 0} ms (${worst.wait[1]}), longest task ${worst.task[0] | 0} ms (${worst.task[1]}), memory ${worst.most[0] | 0} MB (${worst.most[1]})`);
  assert.ok(worst.most[0] > 0 && worst.most[0] < maxMB, `${worst.most[0]} MB`);
  await click(page, '#undo'); // the page still works
  await waitForCharts(page);
  assertNoConsoleErrors(page);
});

});
