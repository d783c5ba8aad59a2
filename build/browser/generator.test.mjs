// Jobs that are drawn by a workload model.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, quiet, waitText, textOf, frames } from './lab.mjs';
import { click, command, downloads, faultless, fresh, openFile, type } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), backfill = command();

const drawnText = 'Preview ';

async function form(size) {
  const page = await lab.page(size);
  await click(page, '#tab-workload');
  await click(page, '#generate');
  await waitText(page, '#generate-says', drawnText);
  return page;
}

// choose takes an entry of a list.
async function choose(page, selector, value) {
  await page.select(selector, value);
  await frames(page);
}

// redrawn waits until the preview is of the form as it stands.
async function redrawn(page) {
  await frames(page);
  await waitText(page, '#generate-says', 'Preview ');
}

// use presses the button and waits for the pictures.
async function use(page, says) {
  await redrawn(page);
  await click(page, '#generate-do');
  await waitText(page, '#notice', says, 60_000);
  await fresh(page);
}

// exported is the files of the page: the scenario, the jobs under the first policy, the metrics.
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

// likeTheCommand asserts that the command makes the same of what the page saved,
// byte for byte, and gives that.
async function likeTheCommand(page) {
  const got = await exported(page);
  const run = (policy, what) => backfill(['run', '-in', '-', '-format', 'json', '-policy', policy, what, '-', '-quiet'], got.saved).toString();
  assert.equal(got.jobs, run('easy', '-jobs'));
  assert.equal(got.metrics, `[\n${run('easy', '-metrics')},\n${run('conservative', '-metrics')}]\n`);
  return JSON.parse(got.saved);
}

test('every field of every model explains itself, and the preview shows what is drawn', async () => {
  const page = await form();
  const models = await page.$$eval('#generate-model option', all => all.map(o => o.value));
  assert.deepEqual(models, ['lublin', 'feitelson96', 'downey97', 'cirne-like']);
  for (const model of models) {
    await choose(page, '#generate-model', model);
    await redrawn(page);
    assert.match(await textOf(page, '#generate-model-help'), /jobs.*\d{4}.*not from the source: /);
    const fields = await page.$$eval('.op-form .knob', all => all.slice(1).map(f => ({
      label: f.querySelector('label').textContent, help: f.querySelector('.help').textContent,
      named: f.querySelector('label').htmlFor === f.querySelector('input, select').id })));
    assert.ok(fields.length > 6 && fields.every(f => f.named && f.help.length > 10), JSON.stringify(fields));
    assert.deepEqual(fields.slice(0, 2).map(f => f.label), ['jobs', 'seed'], 'what most people change stands above the preview');
    assert.ok(fields.every(f => f.label === 'seed' || /Default/.test(f.help)));
    assert.equal(await page.$$eval('.op-form .bars', all => all.length), 3);
    assert.match(await textOf(page, '#generate-facts'), /load offered.*mean runtime/);
  }
  quiet(page);
});

test('each edit draws the preview anew, nothing typed is lost, and another seed draws others', async () => {
  const page = await form();
  const bars = () => page.$eval('.op-form .bars', b => b.getAttribute('aria-label'));
  const before = await bars();
  assert.match(before, /^Processors of a job: 1000 values/);
  await type(page, '#generate-jobs', '300');
  await page.waitForFunction(() => document.querySelector('.op-form .bars').getAttribute('aria-label').includes('300 values'));
  await redrawn(page);
  const plain = await bars();
  await type(page, '#generate-serial', '0.4');
  await redrawn(page);
  assert.notEqual(await bars(), plain);
  const one = await bars();
  const seed = await page.$eval('#generate-seed', f => f.value);
  await click(page, '#another-seed');
  const other = await page.$eval('#generate-seed', f => f.value);
  assert.notEqual(other, seed);
  await redrawn(page);
  assert.notEqual(await bars(), one);
  await type(page, '#generate-seed', seed);
  await redrawn(page);
  assert.equal(await bars(), one, 'the same seed draws the same');

  await choose(page, '#generate-model', 'downey97');
  await redrawn(page);
  await click(page, '#tab-jobs');
  await click(page, '#tab-workload');
  await click(page, '#generate');
  await click(page, '#generate');
  await choose(page, '#generate-model', 'lublin');
  assert.deepEqual(await page.$$eval('#generate-jobs, #generate-serial', all => all.map(f => f.value)), ['300', '0.4']);
  await redrawn(page);
  assert.equal(await bars(), one);
  quiet(page);
});

test('a field says what is wrong with it, in the words of the core', async () => {
  const page = await form();
  for (const [field, text, says] of [
    ['jobs', '0', 'model lublin, knob jobs: expected 1 to 5000000, got "0"'],
    ['alpha', '', 'model lublin, knob alpha: expected 1 to 25, got ""'],
    ['seed', '-1', 'seed: expected 0 to 4294967295, got "-1"'],
    ['pow2', '0.99', 'model lublin, knob pow2: expected'],
  ]) {
    await type(page, `#generate-${field}`, text);
    await waitText(page, '.op-form', says);
    assert.equal(await page.$eval(`#generate-${field}`, f => f.getAttribute('aria-invalid') + f.value), `true${text}`);
    assert.equal(await page.$$eval('.op-form .bars', all => all.length), 0, 'nothing is shown that would not be drawn');
    await click(page, '#generate-do');
    await frames(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), `generate-${field}`);
    assert.equal(await page.$('#notice'), null);
    await type(page, `#generate-${field}`, { jobs: '1000', alpha: '10.23', seed: '1', pow2: '0.5' }[field]);
    await redrawn(page);
  }
  await choose(page, '#generate-estimates', 'tsafrir');
  await type(page, '#generate-jobs', '3');
  await waitText(page, '.op-form', 'if estimates=tsafrir');
  await click(page, '#tab-machine');
  await type(page, '#machine-nodes', '8x');
  await click(page, '#tab-workload');
  assert.match(await textOf(page, '#generate-machine'), /^Fix the machine settings first/);
  quiet(page);
});

test('jobs that are used are one step, named by model and seed until they are edited', async () => {
  const page = await form();
  await click(page, '#tab-machine');
  await type(page, '#machine-nodes', '32');
  await click(page, '#tab-workload');
  await type(page, '#generate-jobs', '400');
  await choose(page, '#generate-estimates', 'tsafrir');
  await type(page, '#generate-seed', '42');
  await use(page, '400 jobs drawn');
  assert.equal(await textOf(page, '#origin'), 'The jobs are those of the model Lublin-Feitelson.');
  assert.match(await textOf(page, '#provenance'), /for 32 processors, seed 42, estimates=tsafrir, jobs=400\. Links and saved scenarios contain the model/);
  const drawn = { generator: 'lublin', parameters: { estimates: 'tsafrir', jobs: 400 }, seed: 42 };
  assert.deepEqual((await likeTheCommand(page)).workload, drawn);

  await click(page, '#tab-jobs');
  await type(page, '#cell-3-4', '7');
  await type(page, '#cell-3-3', '70');
  await fresh(page);
  const edited = await likeTheCommand(page);
  assert.equal(edited.workload.jobs.length, 400);
  assert.equal(edited.workload.jobs[3].runtime, 7);
  await click(page, '#tab-workload');
  assert.match(await textOf(page, '#origin'), /^The jobs came from the model .* and were edited since/);
  assert.equal(await textOf(page, '#provenance'), '');

  await click(page, '#undo');
  await click(page, '#undo');
  await fresh(page);
  assert.deepEqual((await likeTheCommand(page)).workload, drawn, 'undone');
  await click(page, '#undo');
  await fresh(page);
  assert.equal((await likeTheCommand(page)).workload.jobs.length, 12);
  await click(page, '#redo');
  await fresh(page);
  assert.deepEqual((await likeTheCommand(page)).workload, drawn, 'redone');

  await click(page, '#tab-machine');
  await type(page, '#machine-nodes', '64');
  await fresh(page);
  assert.equal((await likeTheCommand(page)).workload.jobs.length, 400, 'another machine would have others drawn');
  await click(page, '#tab-workload');
  assert.match(await textOf(page, '#provenance'), /The machine has changed since/);
  await click(page, '#undo');
  await fresh(page);
  assert.deepEqual((await likeTheCommand(page)).workload, drawn);
  quiet(page);
});

test('the link is short and draws the same jobs, many of them aside', async () => {
  const page = await form();
  await type(page, '#generate-jobs', '30000');
  await type(page, '#generate-alpha', '18');
  await waitText(page, '#generate-says', 'Preview from the first 20,000 of 30,000 jobs');
  await use(page, '30,000 jobs drawn');
  await page.waitForFunction(() => location.hash.includes('s='));
  await new Promise(r => setTimeout(r, 1500));
  assert.ok(page.url().length < 700, page.url());
  const before = await exported(page);
  await page.reload();
  await waitText(page, '#origin', 'a link', 60_000);
  await fresh(page);
  assert.equal(await page.$eval('#generate-jobs', f => f.value).catch(() => 'folded'), 'folded');
  await click(page, '#generate');
  assert.equal(await page.$eval('#generate-jobs', f => f.value), '30000', 'the form shows the generator of the link');
  const after = await exported(page);
  assert.equal(after.saved, before.saved);
  assert.equal(after.jobs, before.jobs);
  assert.equal(after.metrics, before.metrics);
  assert.equal(await page.$eval('#undo', b => b.disabled), true);
  quiet(page);
});

test('a model with resources gives them to the machine, and says so beforehand', async () => {
  const page = await form();
  await choose(page, '#generate-model', 'feitelson96');
  await type(page, '#generate-resources', '3');
  await type(page, '#generate-jobs', '50');
  await waitText(page, '#generate-machine', 'Using the jobs also gives the machine these resources: r2 with 1,000,000, r3 with 1,000,000.');
  await use(page, '50 jobs drawn');
  const saved = await likeTheCommand(page);
  assert.deepEqual(saved.machine.resources.map(r => r.name), ['r2', 'r3']);
  assert.equal(saved.workload.generator, 'feitelson96');
  await click(page, '#undo');
  await fresh(page);
  assert.equal((await likeTheCommand(page)).machine.resources, undefined, 'undo takes them back');
  await choose(page, '#generate-model', 'downey97');
  await use(page, '50 jobs drawn');
  assert.equal((await likeTheCommand(page)).workload.generator, 'downey97');
  quiet(page);
});

test('drawing many jobs tells its progress and can be cancelled', async () => {
  const page = await form();
  await type(page, '#generate-jobs', '1000000');
  await waitText(page, '#generate-says', 'Preview from the first 20,000 of 1,000,000 jobs');
  await click(page, '#generate-do');
  await waitText(page, '.busy', 'drawing:', 20_000);
  await click(page, '#cancel');
  await waitText(page, '#notice', 'Cancelled.');
  await fresh(page);
  assert.equal(await page.$eval('#workload-facts dd', d => d.textContent), '12');
  assert.equal(await page.$eval('#undo', b => b.disabled), true);
  quiet(page);
});

test('the example of 2,000 jobs opens at once, and shows what it says', async () => {
  const page = await lab.page();
  await click(page, '#examples');
  await page.evaluate(() => [...document.querySelectorAll('[role="menuitem"]')].find(b => b.textContent === 'Two thousand random jobs: which policy has the shorter mean wait?').click());
  await waitText(page, '.lead', 'one sample proves little');
  await fresh(page);
  const saved = await likeTheCommand(page);
  assert.deepEqual(saved, JSON.parse(await readFile(join(root, 'public', 'examples', 'lublin.json'), 'utf8')));
  const hours = (scenario, policy) => {
    const out = backfill(['run', '-in', '-', '-format', 'json', '-policy', policy, '-metrics', '-', '-quiet'], JSON.stringify(scenario));
    return `${(JSON.parse(out).metrics['mean-wait'] / 3600).toFixed(1)} h`;
  };
  const wait = s => [hours(s, 'easy'), hours(s, 'conservative')];
  assert.ok(saved.text.includes(`EASY has the shorter mean wait, ${wait(saved).join(' against ')}.`));
  await click(page, '#tab-workload');
  assert.equal(await textOf(page, '#origin'), 'The jobs are those of “Two thousand random jobs: which policy has the shorter mean wait?”, an example.');
  await click(page, '#generate');
  await redrawn(page);
  await type(page, '#generate-seed', '3');
  await use(page, '2,000 jobs drawn');
  const other = await likeTheCommand(page);
  assert.equal(other.workload.seed, 3);
  assert.ok(other.text.includes(`With the seed 3, in the tab Workload, it is conservative backfilling, ${wait(other).reverse().join(' against ')}:`),
    'what is said of generated jobs stays with those of another seed');
  quiet(page);
});

test('a scenario of a generator is opened from a file, drawn, and stays one', async () => {
  const page = await lab.page();
  const path = join(lab.folder, 'drawn.json');
  const text = backfill(['generate', '-model', 'cirne-like', '-nodes', '64', '-jobs', '120', '-seed', '9', '-o', '-', '-format', 'json']).toString();
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), policies: [{ name: 'easy' }, { name: 'conservative' }] }));
  await openFile(page, path);
  await waitText(page, '#notice', 'drawn.json: 120 jobs.');
  await fresh(page);
  assert.deepEqual((await likeTheCommand(page)).workload, JSON.parse(text).workload);
  quiet(page);
});

test('no fault that axe knows of in the form, light and dark', async () => {
  const page = await form();
  await type(page, '#generate-jobs', 'x');
  await faultless(page, 'the form');
});
