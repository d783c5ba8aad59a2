// Tests links of every version of the link format. Each must open the scenario that is stored next
// to it, and run it. ui/link tests the contents of links natively.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, open, assertNoConsoleErrors, waitText, textOf, sites } from './lab.mjs';
import { click, waitForCharts, openScenario, valueOf } from './page.mjs';
import { begin } from './begin.mjs';
import { host, builtSite, repeatedFile } from './anywhere.mjs';

const folder = join(root, 'ui', 'link', 'testdata');
const links = readdirSync(folder).filter(name => /^v\d.*\.txt$/.test(name)).map(name => {
  const opens = readFileSync(join(folder, name.replace('.txt', '.opens')), 'utf8');
  return {
    name: name.replace('.txt', ''), fragment: readFileSync(join(folder, name), 'utf8').trim(),
    scenario: /^View.(Lesson|Write)/m.test(opens) ? null : JSON.parse(opens.slice(opens.indexOf('\n{\n'))), typed: /^Typed/m.test(opens),
  };
});

// viewChecks holds, for some links, a check of what the page shows in addition to the scenario.
const viewChecks = {
  'v1-view': async frame => {
    await waitText(frame, '#why-title', 'Job 4');
    assert.deepEqual(await frame.evaluate(() => labChart.window()), [5, 30]);
    assert.equal(await frame.$eval('#colour', el => el.selectedOptions[0].textContent), 'Difference in starts');
  },
  'v1-names': frame => waitText(frame, '#why-title', 'ü & <b>'),
  'v1-tab': frame => frame.waitForSelector('#tab-machine[aria-selected="true"]'),
  'v1-lesson-name': frame => waitText(frame, '#lesson-title', 'Figure 1'),
  'v1-lesson-own': frame => waitText(frame, '#lesson-title', 'Backfilling 1: processors of its own'),
  'v1-embed': async frame => {
    assert.deepEqual(await frame.$$eval('.chart h2', all => all.map(x => x.textContent)), ['FCFS', 'EASY']);
    const seen = selector => frame.$eval(selector, e => e.checkVisibility());
    assert.deepEqual([await seen('#why'), await seen('#open'), await seen('#scores')], [true, false, false]);
  },
};

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {

let plain;
const lab = begin({ site: sites.shipped, engine, prepare: async () => { plain = await host(builtSite, { pages: { '/course': '<!DOCTYPE html><title>Course</title>' } }); } });

// rejectedLinks holds the expected errors of links with a job that the policy no longer accepts. glomarc-ts has changed
// since these links were made: it now follows formula 11 of Zeng 2009 exactly, and rejects some wide jobs.
const rejectedLinks = { 'v1-traits': 'Row 1, procs: expected at most 4 (4 nodes; processes of this job per node under glomarc-ts: 1), got 8' };

// openFrame opens a link in a frame. The page around the frame can send calls to it.
async function openFrame(page, fragment) {
  await page.evaluate(src => {
    document.body.replaceChildren(Object.assign(document.createElement('iframe'), { width: 1300, height: 800, src }));
  }, `${plain.url}#${fragment}`);
  return (await page.waitForSelector('iframe')).contentFrame();
}

// ask sends a call to the frame and returns its answer.
const ask = (page, call) => page.evaluate(c => new Promise(done => {
  addEventListener('message', function hear(e) {
    if (e.data.id !== c.op) return;
    removeEventListener('message', hear);
    done(e.data);
  });
  document.querySelector('iframe').contentWindow.postMessage({ type: 'backfill-lab', v: 1, id: c.op, ...c }, '*');
}), call);

test('every link opens its scenario', async t => {
  const page = await open(lab.browser, `http://127.0.0.1:${plain.port}/course`, { ready: false });
  for (const { name, fragment, scenario, typed } of links) await t.test(name, async () => {
    const frame = await openFrame(page, fragment);
    if (typed) await frame.waitForSelector('[aria-invalid="true"], #problems', { timeout: 60_000 });
    else if (rejectedLinks[name]) await waitText(frame, '#problems', rejectedLinks[name]);
    else await waitForCharts(frame);
    await viewChecks[name]?.(frame);
    if (fragment.includes('allow=')) return; // the frame then accepts calls only from another origin
    const state = await ask(page, { op: 'state' });
    if (typed || rejectedLinks[name]) return assert.ok(state.problems.length > 0);
    if (!scenario) return;
    delete state.scenario.program;
    assert.deepEqual(state.scenario, scenario);
    const { jobs } = await ask(page, { op: 'result', result: 0 });
    const rows = jobs.split('\n').filter(l => l && !l.startsWith('#')).length - 1;
    assert.equal(rows, scenario.workload.jobs?.length ?? scenario.workload.parameters.jobs);
  });
  assertNoConsoleErrors(page, /NS_BINDING_ABORTED|net::ERR_ABORTED/); // a frame may be replaced while its worker loads
});

test('200 rigid jobs make a link of at most 2,000 characters', async () => {
  const { scenario } = links.find(l => l.name === 'v1-200-jobs');
  const page = await openScenario(lab.browser, plain.url, lab.folder, scenario);
  await page.waitForFunction(() => location.hash.includes('s='));
  const link = await page.evaluate(() => location.href);
  assert.ok(link.length <= 2000, `${link.length} characters`);
  const other = await open(lab.browser, 'about:blank', { ready: false });
  await other.goto(link);
  await waitForCharts(other);
  await click(other, '#tab-jobs');
  const { id, submit, procs } = scenario.workload.jobs[0];
  assert.equal(submit, 5362);
  assert.deepEqual([await valueOf(other, '#cell-0-0'), await valueOf(other, '#cell-0-1'), await valueOf(other, '#cell-0-2')], [String(id), '1:29:22', String(procs)]);
  assert.match(await textOf(other, '#edit'), /200 jobs/);
  assertNoConsoleErrors(page);
  assertNoConsoleErrors(other);
});

});
