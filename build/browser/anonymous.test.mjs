// Tests that, after a scenario is anonymised, its old names remain only in the undo history of the open tab.
// They must not remain in exports, links, the page itself, storage or messages to an embedding page.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { open, assertNoConsoleErrors, waitText } from './lab.mjs';
import { click, selectOption, downloads, drawnJobs, waitForCharts, chooseFile, openFile, waitForStableAddress, type } from './page.mjs';
import { begin } from './begin.mjs';
import { openDropped, embedLab, labClient, repeatedFile } from './anywhere.mjs';

// Every name in the scenario contains this string, which occurs nowhere else.
const plantedName = /zqx/i;

// scenario returns n jobs under two policies, with names in every place that can have one.
const scenario = n => ({
  version: 1, title: 'Zqx title', text: 'Zqx text', note: 'zqx note',
  machine: { nodes: 8, place: 'zqx place', hosts: ['zqx-node-01'], resources: [{ name: 'zqx licence', capacity: 3 }], blocks: [{ from: 1_000_900, to: 1_000_950, procs: 1, label: 'zqx outage' }] },
  workload: { jobs: Array.from({ length: n }, (_, i) => ({ id: `zqx-${i}`, submit: 1_000_000 + 9 * i, procs: 1 + i % 5, estimate: 40, runtime: 20 + (i * i * 7919 >> 5) % 20,
    user: `zqxuser${n < 100 ? i % 3 : i * 7919 % 6007}`, class: `zqxcode${i % 2}`, group: 'zqxgroup', queue: 'zqxqueue', resources: { 'zqx licence': i % 3 } })) },
  slowdown: { 'app-classes': true, pairs: { zqxcode0: { zqxcode1: 1.5 } } },
  policies: [{ name: 'easy', knobs: { order: 'if(user == "zqxuser1", 0, 1) + res:"zqx licence"' }, why: 'zqx why' }, { name: 'fcfs' }],
  view: { who: 'zqx view' },
});

// schedule returns the actual schedule of the jobs as CSV. Its times count from another time 0 than the times of
// the scenario.
const schedule = n => ['job,submit,start', ...Array.from({ length: n }, (_, i) => `zqx-${i},${9 * i},${60 * i}`), 'zqx-unknown,0,0'].join('\n');

const findings = page => page.$$eval('.chart .problem', all => all.map(x => x.textContent.trim().replace(/zqx-(\d+)/g, (_, i) => `${+i + 1}`)));

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {

const lab = begin({ engine });

// openWithSchedule opens n jobs and their external schedule.
async function openWithSchedule(n) {
  const page = await lab.page(), file = join(lab.folder, 'zqxfile.json'), past = join(lab.folder, 'zqxpast.csv');
  writeFileSync(file, JSON.stringify(scenario(n)));
  writeFileSync(past, schedule(n));
  await openFile(page, file);
  await waitText(page, '#notice', 'zqxfile.json');
  await waitForCharts(page);
  await click(page, '#tab-policies');
  await chooseFile(page, () => page.click('#add-schedule'), past);
  await waitText(page, '#notice', 'zqxpast.csv is shown');
  await waitForCharts(page);
  assert.equal((await page.$$('.chart')).length, 3);
  return page;
}

// anonymise removes the names from the scenario of the page. `scheduled` says whether there is an external schedule.
async function anonymise(page, scheduled = true) {
  await click(page, '#tab-workload');
  await click(page, '#anonymise');
  await waitText(page, '#notice', 'Replaced by numbers');
  await waitForCharts(page);
  if (scheduled) await waitText(page, '#chart-2', 'external schedule');
}

// shown returns everything that the page shows, announces to a screen reader, or prints.
const shown = async page => ({
  title: await page.title(),
  page: await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const text = document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea, select')].map(x => x.value).join('\n');
    dispatchEvent(new Event('afterprint'));
    return text;
  }),
});

// stored returns everything that the browser stores for the site, and the address.
async function stored(page) {
  await waitForStableAddress(page);
  const state = await page.evaluate(async () => {
    const out = { address: location.href, state: JSON.stringify(history.state), name: window.name, local: JSON.stringify({ ...localStorage }), session: JSON.stringify({ ...sessionStorage }), database: '', records: 0, cookies: document.cookie };
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise((done, failed) => Object.assign(indexedDB.open(name), { onsuccess: e => done(e.target.result), onerror: failed }));
      const all = db.objectStoreNames.contains('records') ? await new Promise((done, failed) => Object.assign(db.transaction('records').objectStore('records').getAll(), { onsuccess: e => done(e.target.result), onerror: failed })) : [];
      for (const r of all) out.database += new TextDecoder('latin1').decode(r);
      out.records += all.length;
      db.close();
    }
    for (const name of await caches.keys()) out.local += (await (await caches.open(name)).keys()).map(r => r.url);
    return out;
  });
  const payload = /[#&]s=([^&]*)/.exec(state.address)?.[1];
  state.link = payload ? inflateRawSync(Buffer.from(payload, 'base64url')).toString('latin1') : '';
  return state;
}

// withoutPixels returns a PNG without its pixel data, in which the text of plantedName could occur by
// chance.
function withoutPixels(png) {
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) !== 'IDAT') chunks.push(png.subarray(at, end));
    at = end;
  }
  assert.ok(chunks.length >= 2, 'the file is a PNG');
  return Buffer.concat(chunks);
}

// The menu entries that open a dialog, each with the button in the dialog that saves a file.
const dialogs = { 'export-figure': '#lab-figure [value=svg]', 'export-tables': '#lab-tables [value=save]' };

// exported returns every file that the menu offers, by the id of its entry.
async function exported(page) {
  const files = await downloads(page), out = {};
  await click(page, '#export');
  const ids = await page.$$eval('#export + .list button', all => all.filter(x => !x.textContent.endsWith('…')).map(x => x.id));
  await click(page, '#export');
  for (const id of ids) {
    await click(page, '#export');
    await click(page, `#${id}`);
    if (dialogs[id]) {
      await click(page, dialogs[id]);
      await page.keyboard.press('Escape');
    }
    if (id === 'save-lesson' && await page.$eval('#notice', x => x.textContent.includes('at most')).catch(() => false)) continue;
    const { name, data } = await files.next(60_000);
    out[id] = `${name}\n${(id.includes('png') ? withoutPixels(data) : data).toString('latin1')}`;
  }
  files.stop();
  return out;
}

function assertNoNames(found, when) {
  for (const [where, text] of Object.entries(found)) {
    const at = String(text).search(plantedName);
    assert.equal(at, -1, `${when}, ${where}: ${String(text).slice(Math.max(at - 60, 0), at + 60)}`);
  }
}

test('names are gone from exports, links, the page, print and storage', async () => {
  const page = await openWithSchedule(40);
  // The test first opens everything that could show names.
  await selectOption(page, '#colour', 'user');
  await click(page, '#compare-open');
  await selectOption(page, '#compare-other', '2');
  await waitText(page, '#compare-says', 'zqxpast.csv');
  await click(page, '#spread-open');
  await click(page, '#unfold');
  await type(page, '#find', 'zqx-7');
  await waitText(page, '#why-title', 'zqx-7');
  await click(page, '#step-through');
  await page.waitForSelector('#player');
  await click(page, '#tab-workload');
  const before = { jobs: await drawnJobs(page, 2), findings: await findings(page) };
  assert.ok(before.jobs.length === 40);
  for (const [where, text] of Object.entries({ ...await shown(page), ...await stored(page), ...await exported(page) })) {
    if (!['title', 'state', 'name', 'local', 'session', 'database', 'records', 'cookies', 'address', 'export-png', 'export-jobs-0'].includes(where)) assert.match(text, plantedName, where);
  }

  await click(page, '#share');
  await waitText(page, '.shared .help', 'The external schedule (zqxpast.csv) is not shared. To show it, others need its file, which may contain names of users.');
  await click(page, '#share');
  await anonymise(page);
  assert.deepEqual((await drawnJobs(page, 2)).map(j => ({ ...j, start: j.start + 1_000_000, finish: j.finish + 1_000_000 })), before.jobs, 'the schedule is unchanged');
  assert.deepEqual((await findings(page)).length, before.findings.length, 'no new findings');
  assertNoNames(await shown(page), 'shown');
  assertNoNames(await stored(page), 'stored');
  const files = await exported(page);
  assertNoNames(files, 'exported');
  assert.match(files['export-metrics'], /"schedule": "external schedule"/);
  assert.match(files['export-svg'], /external schedule/);
  await click(page, '#share');
  await waitText(page, '.shared .help', 'The external schedule is not shared.');
  assertNoNames(await shown(page), 'shared');

  // Neither an edit nor another scenario restores the names.
  await click(page, '#tab-jobs');
  await type(page, '#cell-3-4', '7');
  await waitForCharts(page);
  assertNoNames({ ...await shown(page), ...await stored(page) }, 'edited');
  await click(page, '#examples');
  await click(page, '#examples + .list button');
  await waitForCharts(page);
  assertNoNames({ ...await shown(page), ...await stored(page) }, 'another scenario');
  assert.equal(await page.$('#chart-2'), null, 'the schedule is closed with its scenario');
  assertNoConsoleErrors(page);
});

test('an embedding page gets no names, although it was allowed to see them before', async () => {
  const page = await open(lab.browser, `${lab.url}docs/index.html`, { ready: false });
  const frame = await embedLab(page, `${lab.url}#v=1`, 'position: fixed; top: 0; left: 0; z-index: 9; background: white; width: 1400px; height: 800px');
  await waitForCharts(frame);
  const { say, heard, ask } = labClient(page);
  await openDropped(frame, 'zqxfile.json', scenario(40));
  const scheduled = engine === 'chromium'; // Firefox does not report the file chooser of a frame
  if (scheduled) {
    const past = join(lab.folder, 'zqxpast.csv');
    writeFileSync(past, schedule(40));
    await click(frame, '#tab-policies');
    await chooseFile(page, () => frame.click('#add-schedule'), past);
    await waitText(frame, '#notice', 'zqxpast.csv is shown');
    await waitForCharts(frame);
  }
  const calls = when => ['state', 'run', 'result', 'step'].map(op => ({ op, id: `${op} ${when}`, ...(op === 'result' && { result: scheduled ? 2 : 0 }), ...(op === 'step' && { by: 1 }) }));
  const [first, ...others] = calls('before');
  await say(first);
  await frame.waitForSelector('#lab-consent[open]');
  await new Promise(done => setTimeout(done, 1000)); // the dialog ignores earlier clicks
  await frame.click('#lab-consent-agree');
  assert.match(JSON.stringify(await heard(first.id)), plantedName);
  for (const m of others) await ask(m);
  assert.match(JSON.stringify(await heard('result before')), /zqx-7/);

  const before204 = await page.evaluate(() => heard.length);
  await anonymise(frame, scheduled);
  for (const m of calls('after')) {
    const answer = await ask(m);
    assert.equal(answer.op, 'done', JSON.stringify(answer));
  }
  const all = await page.evaluate(from => heard.slice(from), before204);
  assert.ok(all.length >= 4);
  assertNoNames(Object.fromEntries(all.map((m, i) => [`${i} ${m.op} ${m.id}`, JSON.stringify(m)])), 'messages');
  assertNoConsoleErrors(page);
});

test('undo restores the names while the tab is open, and redo removes them again', async () => {
  const page = await openWithSchedule(40);
  const before = await drawnJobs(page, 2);
  await anonymise(page);
  await click(page, '#undo');
  await waitText(page, '#chart-2', 'zqxpast.csv');
  await waitForCharts(page);
  assert.deepEqual(await drawnJobs(page, 2), before);
  await click(page, '#redo');
  await waitText(page, '#chart-2', 'external schedule');
  await waitForCharts(page);
  assertNoNames({ ...await shown(page), ...await stored(page), ...await exported(page) }, 'redone');
  assertNoConsoleErrors(page);
});

test('the names of a scenario that is too large for the address are deleted from storage', async () => {
  const page = await openWithSchedule(8_000);
  const before = await stored(page);
  assert.match(before.database, plantedName);
  assert.equal(before.link, '');
  await anonymise(page);
  const after = await stored(page);
  assert.ok(after.records > 0, 'it is stored without names');
  assertNoNames(after, 'stored');
  assertNoNames(await shown(page), 'shown');
  await page.reload();
  await waitForCharts(page);
  assertNoNames({ ...await shown(page), ...await stored(page) }, 'after a reload');
  assert.equal(await page.$eval('#undo', x => x.disabled).catch(() => true), true, 'undo is not available');
  assertNoConsoleErrors(page);
});

});
