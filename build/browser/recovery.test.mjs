// What is typed outlives the page: reloads, crashes of page and worker at any moment,
// browsers and frames that store nothing, and scenarios too large for an address.
import { test, before } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumOnly, answering, launch, drawn, waitText } from './lab.mjs';
import { click, fresh, openFile, rested, type, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

// How often; one time takes some seconds.
const kills = Number(process.env.BACKFILL_KILLS ?? 3);

const lab = begin();
before(() => {
  const lines = ['id,submit,procs,estimate,runtime'];
  for (let i = 0, x = 1; i < 30_000; i++) {
    x = (x * 48271) % 2147483647;
    lines.push(`${i},${i * 100},${1 + x % 8},${100 + x % 89},${1 + x % 97}`);
  }
  writeFileSync(join(lab.folder, 'large.csv'), lines.join('\n'));
  writeFileSync(join(lab.folder, 'small.csv'), lines.slice(0, 2).join('\n'));
});

// random gives numbers from 0 to n-1, the same at each run.
function random(seed) {
  let x = seed;
  return n => (x = (x * 48271) % 2147483647) % n;
}

// Storage that is refused, as strict browsers do it.
const refuse = () => {
  for (const name of ['indexedDB', 'localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError'); }, configurable: true });
  }
};

// tab opens a page that may be killed.
async function tab({ refused = false, browser = lab.browser } = {}) {
  const page = await browser.newPage();
  page.words = [];
  if (refused) await page.evaluateOnNewDocument(refuse);
  await page.exposeFunction('labBeat', () => page.beat?.());
  await page.evaluateOnNewDocument(() => setInterval(() => window.labBeat?.(), 50));
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(lab.url);
  await fresh(page);
  return page;
}

// large opens the file that no address holds, and waits until it is kept.
async function large(page) {
  await openFile(page, join(lab.folder, 'large.csv'));
  await waitText(page, '#notice', '30,000 jobs', 60_000);
}

// kept waits until the database of the page has a document of so many jobs in it.
const kept = page => page.waitForFunction(() => new Promise(done => {
  const request = indexedDB.open('backfill-lab');
  request.onsuccess = () => {
    const db = request.result, all = db.transaction('records').objectStore('records').getAllKeys();
    all.onsuccess = () => {
      db.close();
      done(all.result.some(k => k === `${sessionStorage.getItem('page')}/head`));
    };
  };
}), { polling: 200, timeout: 60_000 });

const killed = chromiumOnly('ends the process of a page');

// crash ends the process of the page, and loads it again.
async function crash(page) {
  const client = await page.createCDPSession();
  const gone = new Promise(done => page.once('error', done));
  client.send('Page.crash').catch(() => {});
  await gone;
  await page.reload();
  await drawn(page);
}

// value waits for a cell and answers with its text.
async function value(page, row, col) {
  await page.waitForSelector(`#cell-${row}-${col}`);
  return valueOf(page, `#cell-${row}-${col}`);
}

// A machine that does other things holds up the page as well: its longest pause, as
// the test hears of it, counts twice.
function stalls(page) {
  let worst = 0, last = performance.now();
  const beat = () => {
    const now = performance.now();
    worst = Math.max(worst, now - last - 50);
    last = now;
  };
  page.beat = beat;
  return () => {
    beat();
    return 2 * worst;
  };
}

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
const pauses = ms => new Promise(done => setTimeout(done, ms));

// torn types the id of a job and has the page killed at a random moment. What it
// answers with must be there then: all that was typed more than a second before.
async function torn(page, row, text, next, kill) {
  const cell = `#cell-${row}-0`, stalled = stalls(page), typed = [];
  await page.waitForSelector(cell);
  await page.focus(cell);
  await page.$eval(cell, el => el.select());
  for (const key of text) {
    await page.keyboard.press(key);
    typed.push(performance.now());
    await pauses(next(150));
  }
  await pauses(next(1500));
  const moment = performance.now() - 1000 - stalled();
  await kill(page);
  return typed.filter(t => t < moment).length;
}

// survives asserts that a cell has what was typed, as far as it must.
async function survives(page, row, text, safe, before) {
  const got = await value(page, row, 0);
  assert.ok(got === before && safe === 0 || text.startsWith(got) && got.length >= safe, `${JSON.stringify(got)} of ${text}, of which ${safe} letters are older than a second`);
  return got.length;
}

// again kills a page again and again, and tells how much of what was typed was there.
async function again(t, page, times, kill, ready) {
  const next = random(times), counts = [0, 0];
  for (let i = 0; i < times; i++) {
    const row = next(8), text = words[next(words.length)] + i, before = await value(page, row, 0);
    const safe = await torn(page, row, text, next, kill);
    await ready(page);
    counts[0] += await survives(page, row, text, safe, before);
    counts[1] += text.length;
  }
  t.diagnostic(`${times} times killed: ${counts[0]} of ${counts[1]} letters were there`);
}

const most = { timeout: 900_000 };

test('a page killed at random moments', { ...most, ...killed }, async t => {
  const page = await tab();
  await again(t, page, kills, crash, () => {});
  assert.match(await page.evaluate(() => location.hash), /s=/);
});

test('a page that may store nothing, killed at random moments', { ...most, ...killed }, async t => {
  const page = await tab({ refused: true });
  await again(t, page, Math.ceil(kills / 2), crash, () => {});
});

test('a page with more jobs than an address holds, killed at random moments', { ...most, ...killed }, async t => {
  const page = await tab();
  await large(page);
  await kept(page);
  const back = () => waitText(page, '#notice', 'Recovered your work: 30,000 jobs.', 60_000);
  await again(t, page, Math.ceil(kills / 2), crash, back);
  await page.reload();
  await back();
  await fresh(page);
  assert.equal(await page.$eval('#undo', b => b.disabled), true, 'it is where the page begins');
});

// holdWorker has a page remember its worker, which labEnds ends as a program does that
// runs out of memory, or without a word. As many runs as labDeadly says end it.
const holdWorker = page => page.evaluateOnNewDocument(() => {
  const Real = Worker;
  window.labDeadly = 0;
  window.labEnds = hush => {
    const worker = window.labLast;
    worker.terminate();
    if (!hush) worker.onmessage({ data: { kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker main', text: 'on purpose' }), bufs: [] } });
  };
  window.Worker = class extends Real {
    constructor(...how) {
      super(...how);
      window.labLast = this;
    }
    postMessage(m, ...more) {
      if (m.kind === 'run' && window.labDeadly > 0) {
        window.labDeadly--;
        setTimeout(window.labEnds);
      } else super.postMessage(m, ...more);
    }
  };
});

// held opens a page of which the worker may be ended.
async function held() {
  const page = await lab.browser.newPage();
  page.words = [];
  await holdWorker(page);
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(lab.url);
  await fresh(page);
  return page;
}

// workerless has the worker of a page, or of a frame in it, end at random moments
// while someone types.
async function workerless(t, page, frame = page) {
  const next = random(7);
  for (let i = 0; i < kills; i++) {
    const row = next(8), text = words[next(words.length)] + i, silent = i % 10 === 9;
    const kill = frame.evaluate((ms, hush) => new Promise(done => setTimeout(() => done(labEnds(hush)), ms)), next(600), silent);
    await frame.waitForSelector(`#cell-${row}-0`);
    await frame.focus(`#cell-${row}-0`);
    await frame.$eval(`#cell-${row}-0`, el => el.select());
    await page.keyboard.type(text, { delay: 50 });
    await kill;
    if (silent) {
      await waitText(frame, '#hung', 'does not answer', 20_000);
      await click(frame, '#revive');
    }
    assert.equal(await value(frame, row, 0), text);
    await fresh(frame);
  }
  t.diagnostic(`${kills} times killed: every letter was there`);
}

test('a worker killed at random moments', most, async t => {
  const page = await held();
  await workerless(t, page);
});

test('a run that ends the worker is tried once more, then when asked', async () => {
  const page = await held();
  await page.evaluate(() => { window.labDeadly = 1; });
  await type(page, '#cell-2-1', '6');
  await waitText(page, '#fault', 'It was started again');
  await fresh(page);
  assert.equal(await page.$('#again'), null);

  await page.evaluate(() => { window.labDeadly = 2; });
  await type(page, '#cell-2-1', '7');
  await page.waitForSelector('#again');
  assert.equal(await page.evaluate(() => window.labDeadly), 0);
  await page.waitForSelector('.lab-stale');
  assert.equal(await value(page, 2, 1), '7');
  await click(page, '#again');
  await fresh(page);
  assert.equal(await page.$('#again'), null);
});

// course serves the site as plain hosts do that let others read it, and at /course a
// page that shows it in a sandbox.
async function course() {
  return answering(async (ask, answer) => {
    answer.setHeader('Access-Control-Allow-Origin', '*');
    if (ask.url === '/course') return answer.end('<iframe sandbox="allow-scripts" src="/" width="1400" height="850"></iframe>');
    const from = await fetch(new URL(ask.url, lab.url));
    answer.setHeader('Content-Type', from.headers.get('Content-Type'));
    answer.writeHead(from.status).end(Buffer.from(await from.arrayBuffer()));
  });
}

test('in a sandbox, which has no storage: a worker killed, the frame loaded again, a large file', most, async t => {
  const host = await course(), page = await lab.browser.newPage();
  await holdWorker(page);
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(`${host.address}/course`);
  const frame = await page.waitForFrame(f => f.parentFrame() === page.mainFrame());
  frame.words = [];
  await fresh(frame);
  assert.equal(await frame.evaluate(() => origin), 'null');
  assert.equal(await frame.evaluate(() => { try { return typeof localStorage; } catch (e) { return e.name; } }), 'SecurityError');
  await workerless(t, page, frame);

  await rested(frame);
  const was = await value(frame, 2, 0);
  await click(frame, '#cell-3-0', { count: 3 });
  await page.keyboard.type('typed');
  await rested(frame);
  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => { location.reload(); })]);
  await fresh(frame);
  assert.deepEqual([await value(frame, 2, 0), await value(frame, 3, 0)], [was, 'typed'], 'the address of the frame holds what was typed');

  await frame.evaluate(text => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'large.csv'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, readFileSync(join(lab.folder, 'large.csv'), 'utf8'));
  await waitText(frame, '#notice', '30,000 jobs', 60_000);
  await waitText(frame, '#unkept', 'A reload would lose it');
});

test('where nothing can be stored, the page says once what it cannot keep', async () => {
  const page = await tab({ refused: true });
  assert.equal(await page.$('#unkept'), null, 'the address holds a small scenario');
  await large(page);
  await waitText(page, '#unkept', 'A reload would lose it');
  await click(page, '#undo');
  await page.waitForFunction(() => !document.getElementById('unkept'));
});

test('work that a closed page has left is offered, opened and forgotten', async () => {
  const own = await launch(), { browser } = own, page = await tab({ browser });
  await large(page);
  await type(page, '#cell-2-0', 'mine');
  await kept(page);
  await rested(page);
  const copy = await tab({ browser }); // beside a page that lives nothing is offered
  assert.equal(await copy.$('#leftover'), null);
  await copy.close();
  await page.close();

  const next = await tab({ browser });
  await waitText(next, '#leftover', 'This browser has unsaved work from an earlier visit: 30,000 jobs of the file large.csv.');
  await click(next, '#leftover-open');
  await waitText(next, '#notice', 'Recovered your work', 60_000);
  assert.equal(await value(next, 2, 0), 'mine');
  assert.equal(await next.$('#leftover'), null);
  await kept(next);
  await next.reload();
  await waitText(next, '#notice', 'Recovered your work', 60_000);
  assert.equal(await value(next, 2, 0), 'mine');
  await openFile(next, join(lab.folder, 'small.csv'));
  await waitText(next, '#notice', 'small.csv: 1 jobs');
  await click(next, '#undo');
  await waitText(next, '.count', '30,000 jobs');
  await click(next, '#redo');
  await waitText(next, '.count', '1 job');
  await next.waitForFunction(() => new Promise(done => {
    const request = indexedDB.open('backfill-lab');
    request.onsuccess = () => {
      const all = request.result.transaction('records').objectStore('records').getAllKeys();
      all.onsuccess = () => {
        request.result.close();
        done(all.result.length === 0);
      };
    };
  }), { polling: 200 });
});

test('a page that was duplicated does not write over the other', async () => {
  const page = await tab();
  await large(page);
  await kept(page);
  const name = await page.evaluate(() => sessionStorage.getItem('page'));
  const copy = await lab.browser.newPage();
  await copy.evaluateOnNewDocument(n => { if (!sessionStorage.getItem('page')) sessionStorage.setItem('page', n); }, name);
  copy.words = [];
  await copy.setViewport({ width: 1440, height: 900 });
  await copy.goto(lab.url);
  await fresh(copy);
  await copy.waitForFunction(n => sessionStorage.getItem('page') !== n, {}, name);
  await large(copy);
  await kept(copy);
  await type(copy, '#cell-0-0', 'copy');
  await page.bringToFront(); // a page behind another draws nothing
  await type(page, '#cell-0-0', 'first');
  await rested(page);
  for (const [p, text] of [[page, 'first'], [copy, 'copy']]) {
    await p.bringToFront();
    await p.reload();
    await waitText(p, '#notice', 'Recovered your work', 60_000);
    assert.equal(await value(p, 0, 0), text);
    await p.close();
  }
});

test('a link wins over what the tab had, which is then offered', async () => {
  const own = await launch(), page = await tab({ browser: own.browser });
  await large(page);
  await kept(page);
  await page.goto('about:blank');
  await page.goto(`${lab.url}#v=1&lesson=figure-1&step=1`);
  await fresh(page);
  await waitText(page, '#leftover', '30,000 jobs');
  await click(page, '#leftover-forget');
  await page.waitForFunction(() => !document.getElementById('leftover'));
});
