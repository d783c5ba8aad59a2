// Tests that an embedding page (the host) needs the consent of the person to get files, pastes and links
// that the person opened. The host has the same origin as the lab, another origin, or none.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { startServer, open, assertNoConsoleErrors, waitText } from './lab.mjs';
import { waitForCharts, dropFile } from './page.mjs';
import { begin } from './begin.mjs';
import { builtSite, openDropped, host, embedLab, engineMissing, labClient, repeated } from './anywhere.mjs';

const job = (id, submit) => ({ id, submit, procs: 1, estimate: 9, runtime: 3 });
const scenario = (...ids) => ({ version: 1, machine: { nodes: 2 }, policies: [{ name: 'easy' }], workload: { jobs: ids.map(job) } });
// waitUntilClickable waits until Chromium accepts clicks in the frame. Chromium drops clicks in a
// frame of another origin for half a second after the frame has appeared.
const waitUntilClickable = () => sleep(700);

const sleep = ms => new Promise(done => setTimeout(done, ms));

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {

const lab = begin({ engine });

const sendPage = (request, response) => response.writeHead(request.url === '/favicon.ico' ? 204 : 200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Host</title><body>');
// The address of each kind of host, and the name that the dialog must show for it.
const hosts = {
  'a host of the same origin': async () => ({ address: `${lab.url}docs/index.html`, name: new URL(lab.url).origin }),
  'a host of another origin': async () => {
    const { address } = await startServer(sendPage);
    return { address, name: address };
  },
  'a host in a sandbox': async () => {
    const { address } = await startServer((request, response) => sendPage(request, response.setHeader('Content-Security-Policy', 'sandbox allow-scripts')));
    const { url } = await host(builtSite);
    return { address, name: 'a page without an origin', site: `${url}backfill-lab.html` };
  },
};

// openHost opens a host page with the lab in a frame.
async function openHost(where, { style = 'width: 1400px; height: 800px', fragment = '#v=1' } = {}) {
  const { address, name, site = lab.url } = await hosts[where]();
  const page = await open(lab.browser, address, { ready: false });
  const frame = await embedLab(page, site + fragment, `position: fixed; top: 0; left: 0; z-index: 9; background: white; ${style}`);
  await waitForCharts(frame);
  const { say, heard, ask } = labClient(page);
  const answered = id => page.evaluate(id => heard.some(m => m.id === id), id);
  return { page, frame, say, heard, ask, answered, name };
}

const waitForDialog = frame => frame.waitForSelector('#lab-consent[open]');
const isDialogOpen = frame => frame.$eval('#lab-consent', d => d.open);

for (const where of Object.keys(hosts)) {
  test(`${where}: gets its own scenarios, and needs consent for what the person opened`, async () => {
    const { page, frame, say, heard, ask, answered, name } = await openHost(where);
    assert.equal((await ask({ op: 'state' })).op, 'done', 'the initial scenario');
    assert.deepEqual((await ask({ op: 'load', scenario: scenario('mine') })).results, ['EASY']);
    assert.equal((await ask({ op: 'state' })).scenario.workload.jobs[0].id, 'mine');
    assert.equal(await isDialogOpen(frame), false);

    await openDropped(frame, 'secret.json', scenario('secret'));
    const id = await say({ op: 'state' });
    await waitForDialog(frame);
    await waitText(frame, '#lab-consent-origin', name);
    assert.equal(await frame.evaluate(() => document.activeElement.id), 'lab-consent-refuse', 'the focus is on the safe choice');
    // Clicks by scripts do not count.
    await frame.evaluate(() => document.getElementById('lab-consent-agree').click());
    await sleep(200);
    assert.equal(await isDialogOpen(frame), true);
    assert.equal(await answered(id), false);
    await sleep(700);
    await frame.evaluate(() => document.getElementById('lab-consent-agree').click());
    assert.equal(await answered(id), false);
    await frame.click('#lab-consent-agree');
    assert.equal((await heard(id)).scenario.workload.jobs[0].id, 'secret');
    assert.match((await ask({ op: 'result' })).jobs, /secret/, 'it is not asked again');

    // Another file needs consent again, and a refusal is final.
    await openDropped(frame, 'diary.json', scenario('diary'));
    const later = await say({ op: 'result' });
    await waitForDialog(frame);
    await sleep(800);
    await page.keyboard.press('Escape');
    assert.match((await heard(later)).error, /refused to share/);
    for (const op of ['state', 'result', 'run', 'step']) assert.match((await ask({ op })).error, /refused to share/, op);
    assert.equal(await isDialogOpen(frame), false, 'a refusal is final');
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => heard)), /diary/);

    // The host still gets its own scenarios, but nothing from scenarios that the person opened.
    assert.deepEqual((await ask({ op: 'load', scenario: scenario('mine') })).results, ['EASY']);
    assert.equal((await ask({ op: 'state' })).scenario.workload.jobs[0].id, 'mine');
    await frame.focus('[data-chart="gantt"]');
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await waitForCharts(frame);
    assert.match((await ask({ op: 'state' })).error, /refused to share/, 'undo restores the person\'s scenario');
    assertNoConsoleErrors(page);
  });
}

const unsharedSources = {
  'pasted rows': async frame => {
    await frame.focus('#cell-0-0');
    await frame.evaluate(data => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', data);
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, dataType: 'text/plain', data, bubbles: true, cancelable: true }));
    }, 'secret\t0\t1\t9\t3\n');
  },
  'a followed link': async frame => {
    await frame.type('#cell-0-3', '11');
    await sleep(1500);
    const link = await frame.evaluate(() => location.hash);
    assert.match(link, /[#&]s=/);
    await frame.type('#cell-0-3', '12');
    await sleep(1500);
    await frame.evaluate(link => { location.hash = link; }, link);
    await waitForCharts(frame);
  },
  'an example': async frame => {
    await waitUntilClickable();
    await frame.click('#examples');
    await frame.waitForSelector('#examples + .list button');
    await frame.click('#examples + .list button');
  },
  'a lesson': async frame => {
    await waitUntilClickable();
    await frame.click('#lessons');
    await frame.waitForSelector('#lessons + .list button');
    await frame.click('#lessons + .list button');
    await frame.waitForSelector('#lesson-title');
  },
  'an external schedule': async frame => {
    await dropFile(frame, 'secret.csv', 'job,submit,procs,estimate,runtime,start\n1,0,1,9,3,0\n');
    await frame.waitForSelector('#as-schedule, #notice');
  },
  'an unreadable file': async frame => {
    await dropFile(frame, 'secret.swf', '1 secret');
    await waitText(frame, '#fault', 'secret.swf');
  },
};

for (const [what, way] of Object.entries(unsharedSources)) {
  test(`consent is needed for ${what}`, repeated(engine), async () => {
    const { page, frame, say, answered, ask, heard } = await openHost('a host of another origin');
    assert.equal((await ask({ op: 'state' })).op, 'done');
    await way(frame);
    const id = await say({ op: 'state' });
    await waitForDialog(frame);
    assert.equal(await answered(id), false);
    await sleep(800);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await frame.evaluate(() => document.activeElement.id), 'lab-consent-refuse', 'Tab stays in the dialog');
    await page.keyboard.press('Enter');
    assert.match((await heard(id)).error, /refused to share/);
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => heard)), /secret/);
    assertNoConsoleErrors(page);
  });
}

test('a dialog that is covered, or larger than its frame, accepts no consent', async () => {
  const { page, frame, say, answered, heard } = await openHost('a host of another origin');
  await openDropped(frame, 'secret.json', scenario('secret'));
  const id = await say({ op: 'state' });
  await waitForDialog(frame);
  const covers = { 'a frame that is too small': f => { f.style.height = '60px'; } };
  if (engine === 'chromium') { // Firefox does not report this
    covers['a cover that lets clicks through'] = () => {
      const cover = document.createElement('div');
      cover.style = 'position: fixed; inset: 0; z-index: 99; pointer-events: none; background: lightblue';
      cover.id = 'cover';
      document.body.append(cover);
    };
    covers['a frame that cannot be seen'] = f => { f.style.opacity = '0.01'; };
  }
  for (const [name, cover] of Object.entries(covers)) {
    await page.evaluate(`(${cover})(document.getElementById('lab'))`);
    await sleep(1200);
    await frame.focus('#lab-consent-agree');
    await page.keyboard.press('Enter');
    await sleep(300);
    assert.equal(await answered(id), false, name);
    assert.equal(await frame.$eval('#lab-consent-hint', x => x.classList.contains('away')), false, `${name}: the reason is shown`);
    await page.evaluate(() => {
      document.getElementById('cover')?.remove();
      Object.assign(document.getElementById('lab').style, { height: '800px', opacity: 1 });
    });
    await frame.waitForFunction(() => document.getElementById('lab-consent-hint').classList.contains('away'));
  }
  await sleep(800);
  await frame.focus('#lab-consent-agree');
  await page.keyboard.press('Enter');
  assert.equal((await heard(id)).scenario.workload.jobs[0].id, 'secret');
  assertNoConsoleErrors(page);
});

test('unsaved work in the browser is neither read nor offered in a frame', repeated(engine), async () => {
  const own = await lab.page();
  await dropFile(own, 'kept.json', { ...scenario(), workload: { jobs: Array.from({ length: 12_000 }, (_, i) => ({ ...job(`k${i * 7919 % 20_011}`, 9 * i), runtime: 1 + Math.abs(i * i * 7919 >> 5) % 9, user: `u${i * 7919 % 6007}` })) } });
  await waitText(own, '#notice', 'kept.json: 12,000 jobs.');
  await own.waitForFunction(async () => (await indexedDB.databases()).some(d => d.name === 'backfill-lab'));
  const isStored = () => own.evaluate(() => new Promise((done, failed) => Object.assign(indexedDB.open('backfill-lab'), {
    onerror: failed, onsuccess: ({ target: { result: db } }) => { db.transaction('records').objectStore('records').getAllKeys().onsuccess = e => done(e.target.result.some(key => key.endsWith('/head'))); } })));
  for (let n = 0; n < 60 && !await isStored(); n++) await sleep(500); // the head is written last
  assert.ok(await isStored(), 'the page has stored its work');
  await own.goto(`${lab.url}docs/index.html`); // closes the page; its work remains stored
  const { page, frame } = await openHost('a host of the same origin');
  await sleep(2000);
  assert.equal(await frame.$('#leftover'), null);
  assert.equal(await frame.evaluate(() => sessionStorage.getItem('page')), await page.evaluate(() => sessionStorage.getItem('page')), 'the frame takes no storage name');
  const locks = await frame.evaluate(async () => (await navigator.locks.query()).held.map(l => l.name));
  assert.deepEqual(locks, []);
  assertNoConsoleErrors(page);
  await page.close();
  const again = await lab.page();
  await again.waitForSelector('#leftover', { timeout: 20_000 });
  await waitText(again, '#leftover', '12,000 jobs');
});

});
