// Tests hostile input: decompression bombs in the address fragment, and names of 100 kB with markup
// and scripts, which must stay text in the page and in files.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { assertNoConsoleErrors, waitText, sites } from './lab.mjs';
import { click, downloads, drawnJobs, waitForCharts, memory } from './page.mjs';
import { begin } from './begin.mjs';
import { repeatedFile } from './anywhere.mjs';

const deflated = data => deflateRawSync(data, { level: 9 }).toString('base64url');
// The content of a link (see ui/link/link.go) before compression: a scenario file of two bytes, then a huge number of
// jobs.
const hugeCounts = Buffer.from([2, 0x7b, 0x7d, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {

const lab = begin({ site: sites.shipped, engine });

test('decompression bombs in the fragment show an error, and the first example opens in little memory', async t => {
  const bomb = deflated(Buffer.alloc(200 << 20));
  for (const fragment of [`s=${bomb}`, `lesson=x&l=${bomb}`, `embed=1&s=${bomb}`, `s=${deflated(hugeCounts)}`, `s=${'A'.repeat(100_000)}`]) {
    const page = await lab.page({ fragment: `#v=1&${fragment}` });
    await waitText(page, '#notice', 'The link could not be opened');
    assert.equal((await drawnJobs(page, 0)).length, 12);
    assert.equal(await page.$('#lab-overlay'), null);
    if (engine === 'chromium') { // Firefox does not report it
      const { most } = memory(lab.browser);
      t.diagnostic(`${fragment.slice(0, 12)}: ${most.toFixed(0)} MB`);
      assert.ok(most > 0 && most < 700, `${most} MB`);
    }
    assertNoConsoleErrors(page);
    await page.close();
  }
});

const evil = '<img src=x onerror="window.bad=1"><script>window.bad=1</' + 'script>]]>&amp;"\'', long = evil + 'y'.repeat(100_000);
const job = (id, submit) => ({ id, submit, procs: 1, estimate: 9, runtime: 3 });
const scenario = {
  version: 1, title: long, text: long, machine: { nodes: 2, resources: [{ name: evil, capacity: 4 }], blocks: [{ from: 20, to: 30, procs: 1, label: long }] },
  workload: { jobs: [{ ...job(evil, 0), user: evil, class: evil, resources: { [evil]: 2 } }, { ...job(long, 1), user: long }, job('c', 1), job('d', 2)] },
  policies: [{ name: 'easy' }, { name: 'conservative' }],
};

// assertNoMarkup asserts that no part of a name has become an element of the page or has run as a
// script.
async function assertNoMarkup(page, where) {
  const found = await page.evaluate(() => ({ bad: window.bad ?? null, made: [...document.querySelectorAll('.lab img, .lab script, .lab [onerror]')].length, dialogs: document.querySelectorAll('#lab-overlay').length }));
  assert.deepEqual(found, { bad: null, made: 0, dialogs: 0 }, where);
}

test('names with markup, script and 100 kB stay text in the page', async () => {
  const page = await lab.scenario(scenario);
  await assertNoMarkup(page, 'opened');
  for (const tab of ['workload', 'machine', 'policies', 'text', 'jobs']) {
    await click(page, `#tab-${tab}`);
    await assertNoMarkup(page, tab);
  }
  for (const row of [0, 1]) {
    await page.focus(`#cell-${row}-1`);
    await waitText(page, '#why-title', '<img src=x');
    await assertNoMarkup(page, `why, row ${row}`);
    assert.equal(await page.$eval(`#cell-${row}-0`, el => el.readOnly), row === 1, 'a truncated name is read-only');
  }
  for (const by of await page.$$eval('#colour option', all => all.map(o => o.value))) {
    await page.select('#colour', by);
    await waitForCharts(page);
    await assertNoMarkup(page, `colour ${by}`);
  }
  assertNoConsoleErrors(page);
});

test('names with markup, script and 100 kB stay text in exports', async () => {
  const page = await lab.scenario(scenario);
  const files = await downloads(page), got = {};
  for (const id of ['save', 'save-table', 'export-jobs-0', 'export-svg', 'export-metrics']) {
    await click(page, '#export');
    await click(page, `#${id}`);
    got[id] = (await files.next(60_000)).data.toString();
  }
  files.stop();
  assert.equal(JSON.parse(got.save).title, long);
  assert.equal(JSON.parse(got.save).workload.jobs[0].id, evil);
  JSON.parse(got['export-metrics']);
  for (const name of ['save-table', 'export-jobs-0']) assert.ok(got[name].includes(`"${evil.replaceAll('"', '""')}"`), name);
  const svg = await page.evaluate(text => {
    const all = [...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('*')];
    return { root: all[0].localName, names: [...new Set(all.map(e => e.localName))], handlers: all.flatMap(e => [...e.attributes]).filter(a => /^on|javascript:/i.test(a.name + a.value.slice(0, 11))).length };
  }, got['export-svg']);
  assert.equal(svg.root, 'svg');
  assert.equal(svg.handlers, 0);
  assert.deepEqual(svg.names.filter(n => /script|img|image|foreignObject|parsererror/i.test(n)), []);
  assertNoConsoleErrors(page);
});

});
