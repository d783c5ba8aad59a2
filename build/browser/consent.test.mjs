// What the person opens, pastes or follows in the page goes to a page around it with
// their consent alone: hosts of the same origin, of another one, and without one.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { answering, open, quiet, waitText } from './lab.mjs';
import { fresh } from './page.mjs';
import { begin } from './begin.mjs';
import { built, drop, dropped, host, inFrame, missing, talk } from './anywhere.mjs';

const job = (id, submit) => ({ id, submit, procs: 1, estimate: 9, runtime: 3 });
const scenario = (...ids) => ({ version: 1, machine: { nodes: 2 }, policies: [{ name: 'easy' }], workload: { jobs: ids.map(job) } });
// settled waits until Chromium passes clicks on: it drops those into a frame of another
// origin that appeared less than half a second ago.
const settled = () => wait(700);

const wait = ms => new Promise(done => setTimeout(done, ms));

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: missing(engine) }, () => {

const lab = begin({ engine });

// The page that frames the lab: where it is, and what the dialog is to call it.
const plain = (request, response) => response.writeHead(request.url === '/favicon.ico' ? 204 : 200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Host</title><body>');
const hosts = {
  'a host of the same origin': async () => ({ address: `${lab.url}docs/index.html`, name: new URL(lab.url).origin }),
  'a host of another origin': async () => {
    const { address } = await answering(plain);
    return { address, name: address };
  },
  'a host in a sandbox': async () => {
    const { address } = await answering((request, response) => plain(request, response.setHeader('Content-Security-Policy', 'sandbox allow-scripts')));
    const { url } = await host(built);
    return { address, name: 'a page without an origin of its own', site: `${url}backfill-lab.html` };
  },
};

// framed opens a host with the lab in a frame.
async function framed(where, { style = 'width: 1400px; height: 800px', fragment = '#v=1' } = {}) {
  const { address, name, site = lab.url } = await hosts[where]();
  const page = await open(lab.browser, address, { ready: false });
  const frame = await inFrame(page, site + fragment, `position: fixed; top: 0; left: 0; z-index: 9; background: white; ${style}`);
  await fresh(frame);
  const { say, heard, ask } = talk(page);
  const answered = id => page.evaluate(id => heard.some(m => m.id === id), id);
  return { page, frame, say, heard, ask, answered, name };
}

const asked = frame => frame.waitForSelector('#lab-consent[open]');
const asks = frame => frame.$eval('#lab-consent', d => d.open);

for (const where of Object.keys(hosts)) {
  test(`${where}: what it sent it gets, what the person opened after they agreed`, async () => {
    const { page, frame, say, heard, ask, answered, name } = await framed(where);
    assert.equal((await ask({ op: 'state' })).op, 'done', 'what the page begins with');
    assert.deepEqual((await ask({ op: 'load', scenario: scenario('mine') })).results, ['EASY']);
    assert.equal((await ask({ op: 'state' })).scenario.workload.jobs[0].id, 'mine');
    assert.equal(await asks(frame), false);

    await dropped(frame, 'secret.json', scenario('secret'));
    const id = await say({ op: 'state' });
    await asked(frame);
    await waitText(frame, '#lab-consent-origin', name);
    assert.equal(await frame.evaluate(() => document.activeElement.id), 'lab-consent-refuse', 'the keyboard is on the safe side');
    // clicks that no person makes count for nothing
    await frame.evaluate(() => document.getElementById('lab-consent-agree').click());
    await wait(200);
    assert.equal(await asks(frame), true);
    assert.equal(await answered(id), false);
    await wait(700);
    await frame.evaluate(() => document.getElementById('lab-consent-agree').click());
    assert.equal(await answered(id), false);
    await frame.click('#lab-consent-agree');
    assert.equal((await heard(id)).scenario.workload.jobs[0].id, 'secret');
    assert.match((await ask({ op: 'result' })).jobs, /secret/, 'it is asked once');

    // of another file they decide anew, and no is no for good
    await dropped(frame, 'diary.json', scenario('diary'));
    const later = await say({ op: 'result' });
    await asked(frame);
    await wait(800);
    await page.keyboard.press('Escape');
    assert.match((await heard(later)).error, /does not share/);
    for (const op of ['state', 'result', 'run', 'step']) assert.match((await ask({ op })).error, /does not share/, op);
    assert.equal(await asks(frame), false, 'it is not asked again');
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => heard)), /diary/);

    // its own scenarios it gets as before, without what stood beside the others
    assert.deepEqual((await ask({ op: 'load', scenario: scenario('mine') })).results, ['EASY']);
    assert.equal((await ask({ op: 'state' })).scenario.workload.jobs[0].id, 'mine');
    await frame.focus('[data-chart="gantt"]');
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await fresh(frame);
    assert.match((await ask({ op: 'state' })).error, /does not share/, 'undo leads back to what is the person\'s');
    quiet(page);
  });
}

const ways = {
  'rows that were pasted': async frame => {
    await frame.focus('#cell-0-0');
    await frame.evaluate(data => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', data);
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, dataType: 'text/plain', data, bubbles: true, cancelable: true }));
    }, 'secret\t0\t1\t9\t3\n');
  },
  'a link that was followed': async frame => {
    await frame.type('#cell-0-3', '1');
    await wait(1500);
    const link = await frame.evaluate(() => location.hash);
    assert.match(link, /[#&]s=/);
    await frame.type('#cell-0-3', '2');
    await wait(1500);
    await frame.evaluate(link => { location.hash = link; }, link);
    await fresh(frame);
  },
  'an example': async frame => {
    await settled();
    await frame.click('#examples');
    await frame.waitForSelector('#examples + .list button');
    await frame.click('#examples + .list button');
  },
  'a lesson': async frame => {
    await settled();
    await frame.click('#lessons');
    await frame.waitForSelector('#lessons + .list button');
    await frame.click('#lessons + .list button');
    await frame.waitForSelector('#lesson-title');
  },
  'an external schedule': async frame => {
    await drop(frame, 'secret.csv', 'job,submit,procs,estimate,runtime,start\n1,0,1,9,3,0\n');
    await frame.waitForSelector('#as-schedule, #notice');
  },
  'a file that could not be read': async frame => {
    await drop(frame, 'secret.swf', '1 secret');
    await waitText(frame, '#fault', 'secret.swf');
  },
};

for (const [what, way] of Object.entries(ways)) {
  test(`${what} needs consent`, async () => {
    const { page, frame, say, answered, ask, heard } = await framed('a host of another origin');
    assert.equal((await ask({ op: 'state' })).op, 'done');
    await way(frame);
    const id = await say({ op: 'state' });
    await asked(frame);
    assert.equal(await answered(id), false);
    await wait(800);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await frame.evaluate(() => document.activeElement.id), 'lab-consent-refuse', 'Tab stays in the dialog');
    await page.keyboard.press('Enter');
    assert.match((await heard(id)).error, /does not share/);
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => heard)), /secret/);
    quiet(page);
  });
}

test('a dialog that is covered, or larger than its frame, agrees to nothing', async () => {
  const { page, frame, say, answered, heard } = await framed('a host of another origin');
  await dropped(frame, 'secret.json', scenario('secret'));
  const id = await say({ op: 'state' });
  await asked(frame);
  const covers = { 'a frame that is too small': f => { f.style.height = '60px'; } };
  if (engine === 'chromium') { // the other one cannot tell
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
    await wait(1200);
    await frame.focus('#lab-consent-agree');
    await page.keyboard.press('Enter');
    await wait(300);
    assert.equal(await answered(id), false, name);
    assert.equal(await frame.$eval('#lab-consent-hint', x => x.classList.contains('away')), false, `${name}: it is said why`);
    await page.evaluate(() => {
      document.getElementById('cover')?.remove();
      Object.assign(document.getElementById('lab').style, { height: '800px', opacity: 1 });
    });
    await frame.waitForFunction(() => document.getElementById('lab-consent-hint').classList.contains('away'));
  }
  await wait(800);
  await frame.focus('#lab-consent-agree');
  await page.keyboard.press('Enter');
  assert.equal((await heard(id)).scenario.workload.jobs[0].id, 'secret');
  quiet(page);
});

test('work that the browser keeps is neither read nor offered in a frame', async () => {
  const own = await lab.page();
  await drop(own, 'kept.json', { ...scenario(), workload: { jobs: Array.from({ length: 20_000 }, (_, i) => ({ ...job(`k${i * 7919 % 20_011}`, 9 * i), runtime: 1 + Math.abs(i * i * 7919 >> 5) % 9, user: `u${i * 7919 % 6007}` })) } });
  await waitText(own, '#notice', 'kept.json: 20,000 jobs.');
  await own.waitForFunction(async () => (await indexedDB.databases()).some(d => d.name === 'backfill-lab'));
  const records = () => own.evaluate(() => new Promise((done, failed) => Object.assign(indexedDB.open('backfill-lab'), {
    onerror: failed, onsuccess: ({ target: { result: db } }) => { db.transaction('records').objectStore('records').getAllKeys().onsuccess = e => done(e.target.result.length); } })));
  for (let n = 0; n < 40 && await records() < 2; n++) await wait(500);
  assert.ok(await records() > 1, 'the page has stored its work');
  await own.goto(`${lab.url}docs/index.html`); // the page is gone, its work is kept
  const { page, frame } = await framed('a host of the same origin');
  await wait(2000);
  assert.equal(await frame.$('#leftover'), null);
  assert.equal(await frame.evaluate(() => sessionStorage.getItem('page')), await page.evaluate(() => sessionStorage.getItem('page')), 'no name is taken');
  const locks = await frame.evaluate(async () => (await navigator.locks.query()).held.map(l => l.name));
  assert.deepEqual(locks, []);
  quiet(page);
  await page.close();
  const again = await lab.page();
  await again.waitForSelector('#leftover', { timeout: 20_000 });
  await waitText(again, '#leftover', '20,000 jobs');
});

});
