// Tests the generation of jobs by a workload model.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, assertNoConsoleErrors, waitText, textOf, waitForFrames } from './lab.mjs';
import { click, command, downloads, assertAccessible, waitForCharts, openFile, type, undo, waitForStableAddress } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

const previewText = 'Preview ';

async function openForm(size) {
  const page = await lab.page(size);
  await click(page, '#tab-workload');
  await click(page, '#generate');
  await waitText(page, '#generate-says', previewText);
  return page;
}

// selectOption selects an option of a list.
async function selectOption(page, selector, value) {
  await page.select(selector, value);
  await waitForFrames(page);
}

// waitForPreview waits until the preview shows the current form.
async function waitForPreview(page) {
  await waitForFrames(page);
  await waitText(page, '#generate-says', 'Preview ');
}

// useJobs presses the button that replaces the jobs by the generated ones, and waits for the charts.
async function useJobs(page, says) {
  await waitForPreview(page);
  await click(page, '#generate-do');
  await waitText(page, '#notice', says, 60_000);
  await waitForCharts(page);
}

// exported returns three exported files: the scenario, the jobs under the first policy, and the
// metrics.
async function exported(page) {
  const files = await downloads(page);
  const one = async id => {
    await click(page, '#export');
    await click(page, id);
    return (await files.next()).data.toString();
  };
  const got = { saved: await one('#save'), jobs: await one('#export-jobs-0'), metrics: await one('#export-metrics') };
  files.stop();
  return got;
}

// assertLikeCommand asserts that the command produces the same files from the saved scenario,
// byte for byte. It returns the scenario.
async function assertLikeCommand(page) {
  const got = await exported(page);
  const run = (policy, what) => backfill(['run', '-in', '-', '-format', 'json', '-policy', policy, what, '-', '-quiet'], got.saved).toString();
  assert.equal(got.jobs, run('easy', '-jobs'));
  assert.equal(got.metrics, `[\n${run('easy', '-metrics')},\n${run('conservative', '-metrics')}]\n`);
  return JSON.parse(got.saved);
}

test('the form', async t => {
  const page = await openForm();
  await t.test('every field of every model has a help text, and the preview shows the jobs', async () => {
    const models = await page.$$eval('#generate-model option', all => all.map(o => o.value));
    assert.deepEqual(models, ['lublin', 'feitelson96', 'downey97', 'cirne-like']);
    for (const model of models) {
      await selectOption(page, '#generate-model', model);
      await waitForPreview(page);
      assert.match(await textOf(page, '#generate-model-help'), /jobs.*\d{4}.*not from the source: /);
      const fields = await page.$$eval('.op-form .knob', all => all.slice(1).map(f => ({
        label: f.querySelector('label').textContent, help: f.querySelector('.help').textContent,
        named: f.querySelector('label').htmlFor === f.querySelector('input, select').id })));
      assert.ok(fields.length > 6 && fields.every(f => f.named && f.help.length > 10), JSON.stringify(fields));
      assert.deepEqual(fields.slice(0, 2).map(f => f.label), ['Jobs', 'Seed'], 'the most used fields are above the preview');
      assert.ok(fields.every(f => f.label === 'Seed' || /Default/.test(f.help)));
      assert.equal(await page.$$eval('.op-form .bars', all => all.length), 3);
      assert.match(await textOf(page, '#generate-facts'), /offered load.*mean runtime/);
    }
    assertNoConsoleErrors(page);
  });

  await t.test('each edit updates the preview, nothing typed is lost, and another seed gives other jobs', async () => {
    await selectOption(page, '#generate-model', 'lublin');
    await waitForPreview(page);
    const bars = () => page.$$eval('.op-form .bars', all => all.map(b => b.getAttribute('aria-label')).join(' ')); // one histogram can be equal by chance
    assert.match(await bars(), /^Processors of a job: 1000 values/);
    await type(page, '#generate-jobs', '300');
    await page.waitForFunction(() => document.querySelector('.op-form .bars').getAttribute('aria-label').includes('300 values'));
    await waitForPreview(page);
    const plain = await bars();
    await type(page, '#generate-serial', '0.4');
    await waitForPreview(page);
    assert.notEqual(await bars(), plain);
    const one = await bars();
    const seed = await page.$eval('#generate-seed', f => f.value);
    await click(page, '#another-seed');
    const other = await page.$eval('#generate-seed', f => f.value);
    assert.notEqual(other, seed);
    await waitForPreview(page);
    assert.notEqual(await bars(), one);
    await type(page, '#generate-seed', seed);
    await waitForPreview(page);
    assert.equal(await bars(), one, 'the same seed generates the same jobs');

    await selectOption(page, '#generate-model', 'downey97');
    await waitForPreview(page);
    await click(page, '#tab-jobs');
    await click(page, '#tab-workload');
    await click(page, '#generate');
    await click(page, '#generate');
    await selectOption(page, '#generate-model', 'lublin');
    assert.deepEqual(await page.$$eval('#generate-jobs, #generate-serial', all => all.map(f => f.value)), ['300', '0.4']);
    await waitForPreview(page);
    assert.equal(await bars(), one);
    assertNoConsoleErrors(page);
  });

  await t.test('an invalid field shows the error of the core', async () => {
    await type(page, '#generate-jobs', '1000');
    for (const [field, text, says] of [
      ['jobs', '0', 'model lublin, knob jobs: expected 1 to 5,000,000, got "0"'],
      ['alpha', '', 'model lublin, knob alpha: expected 1 to 25, got ""'],
      ['seed', '-1', 'seed: expected 0 to 4294967295, got "-1"'],
      ['pow2', '0.99', 'model lublin, knob pow2: expected'],
    ]) {
      await type(page, `#generate-${field}`, text);
      await waitText(page, '.op-form', says);
      assert.equal(await page.$eval(`#generate-${field}`, f => f.getAttribute('aria-invalid') + f.value), `true${text}`);
      assert.equal(await page.$$eval('.op-form .bars', all => all.length), 0, 'an invalid form has no preview');
      await click(page, '#generate-do');
      await waitForFrames(page);
      assert.equal(await page.evaluate(() => document.activeElement.id), `generate-${field}`);
      assert.equal(await page.$('#notice'), null);
      await type(page, `#generate-${field}`, { jobs: '1000', alpha: '10.23', seed: '1', pow2: '0.5' }[field]);
      await waitForPreview(page);
    }
    await selectOption(page, '#generate-estimates', 'tsafrir');
    await type(page, '#generate-jobs', '3');
    await waitText(page, '.op-form', 'if estimates=tsafrir');
    await click(page, '#tab-machine');
    await type(page, '#machine-nodes', '8x');
    await click(page, '#tab-workload');
    assert.match(await textOf(page, '#generate-machine'), /^Fix the machine settings first/);
    assertNoConsoleErrors(page);
  });

  await t.test('no axe violations in the form, light and dark', async () => {
    await undo(page);
    await click(page, '#tab-workload');
    await type(page, '#generate-jobs', 'x');
    await assertAccessible(page, 'the form');
  });
});

test('generated jobs', async t => {
  const page = await openForm();
  await t.test('generating many jobs shows its progress and can be cancelled', async () => {
    await type(page, '#generate-jobs', '1000000');
    await waitText(page, '#generate-says', 'Preview from the first 20,000 of 1,000,000 jobs');
    await click(page, '#generate-do');
    await waitText(page, '.busy', 'generating:', 20_000);
    await click(page, '#cancel');
    await waitText(page, '#notice', 'Cancelled.');
    await waitForCharts(page);
    assert.equal(await page.$eval('#workload-facts dd', d => d.textContent), '12');
    assert.equal(await page.$eval('#undo', b => b.disabled), true);
    assertNoConsoleErrors(page);
  });

  await t.test('a model with resources adds them to the machine, and announces it', async () => {
    await selectOption(page, '#generate-model', 'feitelson96');
    await type(page, '#generate-resources', '3');
    await type(page, '#generate-jobs', '50');
    await waitText(page, '#generate-machine', 'If you use these jobs, the machine gets these extra resources: r2 (1,000,000), r3 (1,000,000).');
    await useJobs(page, '50 jobs generated');
    const saved = await assertLikeCommand(page);
    assert.deepEqual(saved.machine.resources.map(r => r.name), ['r2', 'r3']);
    assert.equal(saved.workload.generator, 'feitelson96');
    await click(page, '#undo');
    await waitForCharts(page);
    assert.equal((await assertLikeCommand(page)).machine.resources, undefined, 'undo removes them');
    await selectOption(page, '#generate-model', 'downey97');
    await useJobs(page, '50 jobs generated');
    assert.equal((await assertLikeCommand(page)).workload.generator, 'downey97');
    await click(page, '#undo');
    await waitForCharts(page);
    await selectOption(page, '#generate-model', 'lublin');
    assertNoConsoleErrors(page);
  });

  await t.test('using jobs is one undo step; they are described by model and seed until edited', async () => {
    await click(page, '#tab-machine');
    await type(page, '#machine-nodes', '32');
    await click(page, '#tab-workload');
    await type(page, '#generate-jobs', '200');
    await selectOption(page, '#generate-estimates', 'tsafrir');
    await type(page, '#generate-seed', '42');
    await useJobs(page, '200 jobs generated');
    assert.equal(await textOf(page, '#origin'), 'The jobs come from the model Lublin-Feitelson.');
    assert.match(await textOf(page, '#provenance'), /for 32 processors, seed 42, estimates=tsafrir, jobs=200\. Links and saved scenarios contain the model/);
    const drawn = { generator: 'lublin', parameters: { estimates: 'tsafrir', jobs: 200 }, seed: 42 };
    assert.deepEqual((await assertLikeCommand(page)).workload, drawn);

    await click(page, '#tab-jobs');
    await type(page, '#cell-3-4', '7');
    await type(page, '#cell-3-3', '70');
    await waitForCharts(page);
    const edited = await assertLikeCommand(page);
    assert.equal(edited.workload.jobs.length, 200);
    assert.equal(edited.workload.jobs[3].runtime, 7);
    await click(page, '#tab-workload');
    assert.match(await textOf(page, '#origin'), /^The jobs came from the model .* and have been edited since/);
    assert.equal(await textOf(page, '#provenance'), '');

    await click(page, '#undo');
    await click(page, '#undo');
    await waitForCharts(page);
    assert.deepEqual((await assertLikeCommand(page)).workload, drawn, 'after undo');
    await click(page, '#undo');
    await waitForCharts(page);
    assert.equal((await assertLikeCommand(page)).workload.jobs.length, 12);
    await click(page, '#redo');
    await waitForCharts(page);
    assert.deepEqual((await assertLikeCommand(page)).workload, drawn, 'after redo');

    await click(page, '#tab-machine');
    await type(page, '#machine-nodes', '64');
    await waitForCharts(page);
    assert.equal((await assertLikeCommand(page)).workload.jobs.length, 200, 'the jobs stay, although another machine would give others');
    await click(page, '#tab-workload');
    assert.match(await textOf(page, '#provenance'), /The machine has changed since/);
    await click(page, '#undo');
    await waitForCharts(page);
    assert.deepEqual((await assertLikeCommand(page)).workload, drawn);
    assertNoConsoleErrors(page);
  });
});

test('the link is short and generates the same jobs, even if there are very many', async () => {
  const page = await openForm();
  await type(page, '#generate-jobs', '8000');
  await type(page, '#generate-alpha', '18');
  await waitForPreview(page);
  await useJobs(page, '8,000 jobs generated');
  await page.waitForFunction(() => location.hash.includes('s='));
  await new Promise(r => setTimeout(r, 1500));
  assert.ok(page.url().length < 700, page.url());
  const before = await exported(page);
  await page.reload();
  await waitText(page, '#origin', 'a link', 60_000);
  await waitForCharts(page);
  assert.equal(await page.$eval('#generate-jobs', f => f.value).catch(() => 'folded'), 'folded');
  await click(page, '#generate');
  assert.equal(await page.$eval('#generate-jobs', f => f.value), '8000', 'the form shows the generator of the link');
  const after = await exported(page);
  assert.equal(after.saved, before.saved);
  assert.equal(after.jobs, before.jobs);
  assert.equal(after.metrics, before.metrics);
  await click(page, '#tab-workload');
  for (let i = 0; i < 2; i++) { // undo and redo lead to the same states after each reload, also if the person acts while the jobs are drawn
    await page.reload();
    await page.waitForSelector('#tab-machine');
    await page.click('#tab-machine');
    await new Promise(r => setTimeout(r, 300 * i));
    await page.click('#tab-workload');
    await waitText(page, '#origin', 'a link', 60_000);
    await waitForCharts(page);
    await click(page, '#undo');
    await waitText(page, '#workload-facts', 'jobs12');
    await click(page, '#redo');
    await waitText(page, '#workload-facts', 'jobs8,000');
    await waitForCharts(page);
    await waitForStableAddress(page);
  }
  assertNoConsoleErrors(page);
});

test('scenarios with a generator', async t => {
  const page = await lab.page();
  await t.test('the example of 2,000 jobs opens quickly, and agrees with its description', async () => {
    await click(page, '#examples');
    await page.evaluate(() => [...document.querySelectorAll('[role="menuitem"]')].find(b => b.textContent === 'Two thousand random jobs: which policy has the shorter mean wait?').click());
    await waitText(page, '.lead', 'One sample proves little');
    await waitForCharts(page);
    const saved = await assertLikeCommand(page);
    assert.deepEqual(saved, JSON.parse(await readFile(join(root, 'public', 'examples', 'lublin.json'), 'utf8')));
    const hours = (scenario, policy) => {
      const out = backfill(['run', '-in', '-', '-format', 'json', '-policy', policy, '-metrics', '-', '-quiet'], JSON.stringify(scenario));
      return `${(JSON.parse(out).metrics['mean-wait'] / 3600).toFixed(1)} h`;
    };
    const wait = s => [hours(s, 'easy'), hours(s, 'conservative')];
    assert.ok(saved.text.includes(`EASY has the shorter mean wait: ${wait(saved).join(' against ')}.`));
    await click(page, '#tab-workload');
    assert.equal(await textOf(page, '#origin'), 'The jobs come from “Two thousand random jobs: which policy has the shorter mean wait?”, an example.');
    await click(page, '#generate');
    await waitForPreview(page);
    await type(page, '#generate-seed', '3');
    await useJobs(page, '2,000 jobs generated');
    const other = await assertLikeCommand(page);
    assert.equal(other.workload.seed, 3);
    assert.ok(other.text.includes(`With seed 3 (tab Workload) conservative backfilling has the shorter one: ${wait(other).reverse().join(' against ')}.`),
      'the description stays when another seed is used');
    assertNoConsoleErrors(page);
  });

  await t.test('a scenario with a generator opens from a file, runs, and keeps its generator', async () => {
    const path = join(lab.folder, 'drawn.json');
    const text = backfill(['generate', '-model', 'cirne-like', '-nodes', '64', '-jobs', '120', '-seed', '9', '-o', '-', '-format', 'json']).toString();
    writeFileSync(path, JSON.stringify({ ...JSON.parse(text), policies: [{ name: 'easy' }, { name: 'conservative' }] }));
    await openFile(page, path);
    await waitText(page, '#notice', 'drawn.json: 120 jobs.');
    await waitForCharts(page);
    assert.deepEqual((await assertLikeCommand(page)).workload, JSON.parse(text).workload);
    assertNoConsoleErrors(page);
  });
});
