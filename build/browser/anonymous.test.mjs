// Nothing that was anonymised is left anywhere but in the open tab's undo: not in what
// is exported, linked, shown, stored or told to a page around this one, in both engines.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { open, quiet, waitText } from './lab.mjs';
import { click, choose, downloads, drawnJobs, fresh, hands, openFile, rested, type } from './page.mjs';
import { begin } from './begin.mjs';
import { dropped, inFrame, missing, talk } from './anywhere.mjs';

// Every planted name has this in it, which nothing else has.
const planted = /zqx/i;

// scenario is n jobs under two policies, with names wherever a scenario may have some.
const scenario = n => ({
  version: 1, title: 'Zqx title', text: 'Zqx text', note: 'zqx note',
  machine: { nodes: 8, place: 'zqx place', hosts: ['zqx-node-01'], resources: [{ name: 'zqx licence', capacity: 3 }], blocks: [{ from: 1_000_900, to: 1_000_950, procs: 1, label: 'zqx outage' }] },
  workload: { jobs: Array.from({ length: n }, (_, i) => ({ id: `zqx-${i}`, submit: 1_000_000 + 9 * i, procs: 1 + i % 5, estimate: 40, runtime: 20 + (i * i * 7919 >> 5) % 20,
    user: `zqxuser${n < 100 ? i % 3 : i * 7919 % 6007}`, class: `zqxcode${i % 2}`, group: 'zqxgroup', queue: 'zqxqueue', resources: { 'zqx licence': i % 3 } })) },
  slowdown: { 'app-classes': true, pairs: { zqxcode0: { zqxcode1: 1.5 } } },
  policies: [{ name: 'easy', knobs: { order: 'if(user == "zqxuser1", 0, 1) + res:"zqx licence"' }, why: 'zqx why' }, { name: 'fcfs' }],
  view: { who: 'zqx view' },
});

// schedule is what happened to the jobs, by a clock of its own.
const schedule = n => ['job,submit,start', ...Array.from({ length: n }, (_, i) => `zqx-${i},${9 * i},${60 * i}`), 'zqx-unknown,0,0'].join('\n');

const findings = page => page.$$eval('.chart .problem', all => all.map(x => x.textContent.trim().replace(/zqx-(\d+)/g, (_, i) => `${+i + 1}`)));

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: missing(engine) }, () => {

const lab = begin({ engine });

// opened is a page with n jobs and their external schedule.
async function opened(n) {
  const page = await lab.page(), file = join(lab.folder, 'zqxfile.json'), past = join(lab.folder, 'zqxpast.csv');
  writeFileSync(file, JSON.stringify(scenario(n)));
  writeFileSync(past, schedule(n));
  await openFile(page, file);
  await waitText(page, '#notice', 'zqxfile.json');
  await fresh(page);
  await click(page, '#tab-policies');
  await hands(page, () => page.click('#add-schedule'), past);
  await waitText(page, '#notice', 'zqxpast.csv is shown');
  await fresh(page);
  assert.equal((await page.$$('.chart')).length, 3);
  return page;
}

async function anonymise(page, scheduled = true) {
  await click(page, '#tab-workload');
  await click(page, '#anonymise');
  await waitText(page, '#notice', 'Replaced by numbers');
  await fresh(page);
  if (scheduled) await waitText(page, '#chart-2', 'external schedule');
}

// shown is all that the page shows, says to a screen reader, or prints.
const shown = async page => ({
  title: await page.title(),
  page: await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const text = document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea, select')].map(x => x.value).join('\n');
    dispatchEvent(new Event('afterprint'));
    return text;
  }),
});

// stored is all that the browser keeps for the site, and the address.
async function stored(page) {
  await rested(page);
  const said = await page.evaluate(async () => {
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
  const payload = /[#&]s=([^&]*)/.exec(said.address)?.[1];
  said.link = payload ? inflateRawSync(Buffer.from(payload, 'base64url')).toString('latin1') : '';
  return said;
}

// withoutPixels is a PNG without its pixels, in which any three letters may occur.
function withoutPixels(png) {
  const kept = [];
  for (let at = 8; at < png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) !== 'IDAT') kept.push(png.subarray(at, end));
    at = end;
  }
  assert.ok(kept.length >= 2, 'the file is a PNG');
  return Buffer.concat(kept);
}

// exported is every file that the menu offers without a dialog.
async function exported(page) {
  const files = await downloads(page), out = {};
  await click(page, '#export');
  const ids = await page.$$eval('#export + .list button', all => all.filter(x => !x.textContent.endsWith('…')).map(x => x.id));
  await click(page, '#export');
  for (const id of ids) {
    await click(page, '#export');
    await click(page, `#${id}`);
    if (id === 'save-lesson' && await page.$eval('#notice', x => x.textContent.includes('at most')).catch(() => false)) continue;
    const { name, data } = await files.next(60_000);
    out[id] = `${name}\n${(id.includes('png') ? withoutPixels(data) : data).toString('latin1')}`;
  }
  files.stop();
  return out;
}

function clean(found, when) {
  for (const [where, text] of Object.entries(found)) {
    const at = String(text).search(planted);
    assert.equal(at, -1, `${when}, ${where}: ${String(text).slice(Math.max(at - 60, 0), at + 60)}`);
  }
}

test('nothing that was anonymised is exported, linked, shown, printed or stored', async () => {
  const page = await opened(40);
  // whatever may hold names is open
  await choose(page, '#colour', 'user');
  await click(page, '#compare-open');
  await waitText(page, '#compare-says', 'Under FCFS');
  await choose(page, '#compare-other', '2');
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
    if (!['title', 'state', 'name', 'local', 'session', 'database', 'records', 'cookies', 'address', 'export-png', 'export-jobs-0'].includes(where)) assert.match(text, planted, where);
  }

  await anonymise(page);
  assert.deepEqual((await drawnJobs(page, 2)).map(j => ({ ...j, start: j.start + 1_000_000, finish: j.finish + 1_000_000 })), before.jobs, 'the schedule is still there');
  assert.deepEqual((await findings(page)).length, before.findings.length, 'no finding that was not there before');
  clean(await shown(page), 'shown');
  clean(await stored(page), 'stored');
  const files = await exported(page);
  clean(files, 'exported');
  assert.match(files['export-metrics'], /"schedule": "external schedule"/);
  assert.match(files['export-svg'], /external schedule/);
  await click(page, '#share');
  clean(await shown(page), 'shared');

  // an edit, and another scenario, bring nothing back
  await click(page, '#tab-jobs');
  await type(page, '#cell-3-4', '7');
  await fresh(page);
  clean({ ...await shown(page), ...await stored(page) }, 'edited');
  await click(page, '#examples');
  await click(page, '#examples + .list button');
  await fresh(page);
  clean({ ...await shown(page), ...await stored(page) }, 'another scenario');
  assert.equal(await page.$('#chart-2'), null, 'the schedule went with its scenario');
  quiet(page);
});

test('a page around the lab is told no name, though it was allowed to see them', async () => {
  const page = await open(lab.browser, `${lab.url}docs/index.html`, { ready: false });
  const frame = await inFrame(page, `${lab.url}#v=1`, 'position: fixed; top: 0; left: 0; z-index: 9; background: white; width: 1400px; height: 800px');
  await fresh(frame);
  const { say, heard, ask } = talk(page);
  await dropped(frame, 'zqxfile.json', scenario(40));
  const scheduled = engine === 'chromium'; // Firefox does not report the file chooser of a frame
  if (scheduled) {
    const past = join(lab.folder, 'zqxpast.csv');
    writeFileSync(past, schedule(40));
    await click(frame, '#tab-policies');
    await hands(page, () => frame.click('#add-schedule'), past);
    await waitText(frame, '#notice', 'zqxpast.csv is shown');
    await fresh(frame);
  }
  const asked = when => ['state', 'run', 'result', 'step'].map(op => ({ op, id: `${op} ${when}`, ...(op === 'result' && { result: scheduled ? 2 : 0 }), ...(op === 'step' && { by: 1 }) }));
  const [first, ...others] = asked('before');
  await say(first);
  await frame.waitForSelector('#lab-consent[open]');
  await new Promise(done => setTimeout(done, 1000)); // until a click counts
  await frame.click('#lab-consent-agree');
  assert.match(JSON.stringify(await heard(first.id)), planted);
  for (const m of others) await ask(m);
  assert.match(JSON.stringify(await heard('result before')), /zqx-7/);

  const told = await page.evaluate(() => heard.length);
  await anonymise(frame, scheduled);
  for (const m of asked('after')) {
    const answer = await ask(m);
    assert.equal(answer.op, 'done', JSON.stringify(answer));
  }
  const all = await page.evaluate(from => heard.slice(from), told);
  assert.ok(all.length >= 4);
  clean(Object.fromEntries(all.map((m, i) => [`${i} ${m.op} ${m.id}`, JSON.stringify(m)])), 'told');
  quiet(page);
});

test('undo brings the names back in the open tab, redo takes them out again', async () => {
  const page = await opened(40);
  const before = await drawnJobs(page, 2);
  await anonymise(page);
  await click(page, '#undo');
  await waitText(page, '#chart-2', 'zqxpast.csv');
  await fresh(page);
  assert.deepEqual(await drawnJobs(page, 2), before);
  await click(page, '#redo');
  await waitText(page, '#chart-2', 'external schedule');
  await fresh(page);
  clean({ ...await shown(page), ...await stored(page), ...await exported(page) }, 'redone');
  quiet(page);
});

test('a scenario too large for the address: what the browser has stored of it is dropped', async () => {
  const page = await opened(8_000);
  const before = await stored(page);
  assert.match(before.database, planted);
  assert.equal(before.link, '');
  await anonymise(page);
  const after = await stored(page);
  assert.ok(after.records > 0, 'it is stored, without names');
  clean(after, 'stored');
  clean(await shown(page), 'shown');
  await page.reload();
  await fresh(page);
  clean({ ...await shown(page), ...await stored(page) }, 'after a reload');
  assert.equal(await page.$eval('#undo', x => x.disabled).catch(() => true), true, 'nothing leads back');
  quiet(page);
});

});
