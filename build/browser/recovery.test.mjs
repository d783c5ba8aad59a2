// Tests that edits survive reloads and crashes of page and worker, at any time, even without storage
// or with a scenario too large for an address.
import { test, before } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumOnly, startServer, waitForStart, waitText } from './lab.mjs';
import { click, downloads, waitForCharts, openFile, waitForStableAddress, type, valueOf } from './page.mjs';
import { begin } from './begin.mjs';

// The number of times that a test kills a page or worker. Each time takes a few seconds.
const kills = Number(process.env.BACKFILL_KILLS ?? 2);

const lab = begin();
before(() => {
  const lines = ['id,submit,procs,estimate,runtime,start'];
  for (let i = 0, x = 1; i < 12_000; i++) {
    x = (x * 48271) % 2147483647;
    lines.push(`${i},${i * 100_000},${1 + x % 8},${100_000 + x % 89_989},${i && 1 + x % 97_001},${i * 100_000}`);
  }
  writeFileSync(join(lab.folder, 'large.csv'), lines.join('\n'));
  writeFileSync(join(lab.folder, 'small.csv'), lines.slice(0, 2).join('\n'));
});

// random returns a function that returns pseudo-random numbers from 0 to n-1. The same seed gives the same numbers.
function random(seed) {
  let x = seed;
  return n => (x = (x * 48271) % 2147483647) % n;
}

// refuseStorage makes storage throw, as strict browsers do.
const refuseStorage = () => {
  for (const name of ['indexedDB', 'localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError'); }, configurable: true });
  }
};

// openTab opens a page that can be killed.
async function openTab({ refused = false, browser = lab.browser } = {}) {
  const page = await browser.newPage();
  page.messages = [];
  if (refused) await page.evaluateOnNewDocument(refuseStorage);
  await page.exposeFunction('labBeat', () => page.beat?.());
  await page.evaluateOnNewDocument(() => setInterval(() => window.labBeat?.(), 50));
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(lab.url);
  await waitForCharts(page);
  return page;
}

// openLarge opens a file that is too large for an address.
async function openLarge(page) {
  await openFile(page, join(lab.folder, 'large.csv'));
  await waitText(page, '#notice', '12,000 jobs', 60_000);
}

// waitUntilStored waits until the page has stored its scenario in the database.
const waitUntilStored = page => page.waitForFunction(() => new Promise(done => {
  const request = indexedDB.open('backfill-lab');
  request.onsuccess = () => {
    const db = request.result, all = db.transaction('records').objectStore('records').getAllKeys();
    all.onsuccess = () => {
      db.close();
      done(all.result.some(k => k === `${sessionStorage.getItem('page')}/head`));
    };
  };
}), { polling: 200, timeout: 60_000 });

const chromiumCrash = chromiumOnly('ends the process of a page');

// crash kills the process of the page and reloads it.
async function crash(page) {
  const client = await page.createCDPSession();
  const gone = new Promise(done => page.once('error', done));
  client.send('Page.crash').catch(() => {});
  await gone;
  await page.reload();
  await waitForStart(page);
}

// cellValue waits for a cell and returns its text.
async function cellValue(page, row, col) {
  await page.waitForSelector(`#cell-${row}-${col}`);
  return valueOf(page, `#cell-${row}-${col}`);
}

// If other programs delay the page, it stores edits late. measureStalls returns a function that returns
// the delay to allow, in ms: twice the longest delay of the page's regular signals.
function measureStalls(page) {
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

const jobIds = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
const sleep = ms => new Promise(done => setTimeout(done, ms));

// typeAndKill types the id of a job and kills the page at a random time. It returns how many
// characters must survive, namely those typed more than a second before the kill.
async function typeAndKill(page, row, text, next, kill) {
  const cell = `#cell-${row}-0`, stalled = measureStalls(page), typed = [];
  await page.waitForSelector(cell);
  await page.focus(cell);
  await page.$eval(cell, el => el.select());
  for (const key of text) {
    await page.keyboard.press(key);
    typed.push(performance.now());
    await sleep(next(150));
  }
  await sleep(next(1500));
  const limit = performance.now() - 1000 - stalled();
  await kill(page);
  return typed.filter(t => t < limit).length;
}

// assertSurvives asserts that a cell has at least the characters that must survive.
async function assertSurvives(page, row, text, safe, before) {
  const got = await cellValue(page, row, 0);
  assert.ok(got === before && safe === 0 || text.startsWith(got) && got.length >= safe, `${JSON.stringify(got)} of ${text}, of which ${safe} characters are older than a second`);
  return got.length;
}

// killRepeatedly kills a page several times, and reports how much of the typed text survived.
async function killRepeatedly(t, page, times, kill, ready) {
  const next = random(times), counts = [0, 0];
  for (let i = 0; i < times; i++) {
    const row = next(8), text = jobIds[next(jobIds.length)] + i, before = await cellValue(page, row, 0);
    const safe = await typeAndKill(page, row, text, next, kill);
    await ready(page);
    counts[0] += await assertSurvives(page, row, text, safe, before);
    counts[1] += text.length;
  }
  t.diagnostic(`${times} times killed: ${counts[0]} of ${counts[1]} characters survived`);
}

const longTest = { timeout: 900_000 };

test('a page that is killed at random times keeps its edits', { ...longTest, ...chromiumCrash }, async t => {
  const page = await openTab();
  await killRepeatedly(t, page, kills, crash, () => {});
  assert.match(await page.evaluate(() => location.hash), /s=/);
});

test('a page without storage that is killed at random times keeps its edits', { ...longTest, ...chromiumCrash }, async t => {
  const page = await openTab({ refused: true });
  await killRepeatedly(t, page, Math.ceil(kills / 2), crash, () => {});
});

test('a page with more jobs than fit in an address that is killed at random times keeps its edits', { ...longTest, ...chromiumCrash }, async t => {
  const page = await openTab();
  await openLarge(page);
  await waitUntilStored(page);
  const back = () => waitText(page, '#notice', 'Recovered your work: 12,000 jobs.', 60_000);
  await killRepeatedly(t, page, Math.ceil(kills / 2), crash, back);
  await page.reload();
  await back();
  await waitForCharts(page);
  assert.equal(await page.$eval('#undo', b => b.disabled), true, 'a recovered page has no undo history');
});

// rememberWorker makes a page remember its worker, so that a test can end the worker. In the page, labEnds ends it,
// with a crash message or silently. If labDeadly is n, each of the next n runs ends the worker too.
const rememberWorker = page => page.evaluateOnNewDocument(() => {
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

// openWithWorker opens a page whose worker can be ended.
async function openWithWorker() {
  const page = await lab.browser.newPage();
  page.messages = [];
  await rememberWorker(page);
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(lab.url);
  await waitForCharts(page);
  return page;
}

// killWorkers ends the worker of a page, or of a frame in it, at random times during typing.
async function killWorkers(t, page, frame = page) {
  const next = random(7);
  for (let i = 0; i < kills; i++) {
    const row = next(8), text = jobIds[next(jobIds.length)] + i, silent = i % 10 === 9;
    const kill = frame.evaluate((ms, hush) => new Promise(done => setTimeout(() => done(labEnds(hush)), ms)), next(600), silent);
    await frame.waitForSelector(`#cell-${row}-0`);
    await frame.focus(`#cell-${row}-0`);
    await frame.$eval(`#cell-${row}-0`, el => el.select());
    await page.keyboard.type(text, { delay: 50 });
    await kill;
    if (silent) {
      await waitText(frame, '#hung', 'does not respond', 20_000);
      await click(frame, '#revive');
    }
    assert.equal(await cellValue(frame, row, 0), text);
    await waitForCharts(frame);
  }
  t.diagnostic(`${kills} times killed: every character survived`);
}

test('edits survive when a worker is killed at random times', longTest, async t => {
  const page = await openWithWorker();
  await killWorkers(t, page);
});

test('a run that crashes the worker is retried once, then only on request', async () => {
  const page = await openWithWorker();
  await page.evaluate(() => { window.labDeadly = 1; });
  await type(page, '#cell-2-1', '6');
  await waitText(page, '#fault', 'It has restarted');
  await waitForCharts(page);
  assert.equal(await page.$('#again'), null);

  await page.evaluate(() => { window.labDeadly = 2; });
  await type(page, '#cell-2-1', '7');
  await page.waitForSelector('#again');
  assert.equal(await page.evaluate(() => window.labDeadly), 0);
  await page.waitForSelector('.lab-stale');
  assert.equal(await cellValue(page, 2, 1), '7');
  await click(page, '#again');
  await waitForCharts(page);
  assert.equal(await page.$('#again'), null);
});

// serveCourse serves the site like a plain host that allows cross-origin requests. At /course, it
// serves a page with the site in a sandboxed frame.
async function serveCourse() {
  return startServer(async (ask, answer) => {
    answer.setHeader('Access-Control-Allow-Origin', '*');
    if (ask.url === '/course') return answer.end('<iframe sandbox="allow-scripts" src="/" width="1400" height="850"></iframe>');
    const from = await fetch(new URL(ask.url, lab.url));
    answer.setHeader('Content-Type', from.headers.get('Content-Type'));
    answer.writeHead(from.status).end(Buffer.from(await from.arrayBuffer()));
  });
}

test('in a sandbox without storage: a killed worker, a reload of the frame, a large file', longTest, async t => {
  const host = await serveCourse(), page = await lab.browser.newPage();
  await rememberWorker(page);
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(`${host.address}/course`);
  const frame = await page.waitForFrame(f => f.parentFrame() === page.mainFrame());
  frame.messages = [];
  await waitForCharts(frame);
  assert.equal(await frame.evaluate(() => origin), 'null');
  assert.equal(await frame.evaluate(() => { try { return typeof localStorage; } catch (e) { return e.name; } }), 'SecurityError');
  await killWorkers(t, page, frame);

  await waitForStableAddress(frame);
  const was = await cellValue(frame, 2, 0);
  await click(frame, '#cell-3-0', { count: 3 });
  await page.keyboard.type('typed');
  await waitForStableAddress(frame);
  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => { location.reload(); })]);
  await waitForCharts(frame);
  assert.deepEqual([await cellValue(frame, 2, 0), await cellValue(frame, 3, 0)], [was, 'typed'], 'the address of the frame contains the edits');

  await frame.evaluate(text => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'large.csv'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, readFileSync(join(lab.folder, 'large.csv'), 'utf8'));
  await waitText(frame, '#notice', '12,000 jobs', 60_000);
  await waitText(frame, '#unkept', 'A reload would lose it');
});

test('without storage, the page warns once about what a reload would lose', async () => {
  const page = await openTab({ refused: true });
  assert.equal(await page.$('#unkept'), null, 'a small scenario fits in the address');
  await openLarge(page);
  await waitText(page, '#unkept', 'A reload would lose it');
  await click(page, '#undo');
  await page.waitForFunction(() => !document.getElementById('unkept'));
});

test('unsaved work of a closed page is offered, opened and then deleted', async () => {
  const browser = await lab.browser.createBrowserContext(), page = await openTab({ browser }); // a context has its own storage
  await openLarge(page);
  await type(page, '#cell-2-0', 'mine');
  await waitUntilStored(page);
  await waitForStableAddress(page);
  const copy = await openTab({ browser }); // while the first page is open, nothing is offered
  assert.equal(await copy.$('#leftover'), null);
  await copy.close();
  await page.close();

  const next = await openTab({ browser });
  await waitText(next, '#leftover', 'This browser has unsaved work from an earlier visit: 12,000 jobs from the file large.csv.');
  await click(next, '#leftover-open');
  await waitText(next, '#notice', 'Recovered your work', 60_000);
  assert.equal(await cellValue(next, 2, 0), 'mine');
  assert.equal(await next.$('#leftover'), null);
  await waitUntilStored(next);
  await next.reload();
  await waitText(next, '#notice', 'Recovered your work', 60_000);
  assert.equal(await cellValue(next, 2, 0), 'mine');
  await waitText(next, '#report-total', '12,000 records read, 12,000 jobs kept. Dropped: none. Altered: 1 value.');
  await waitText(next, '#needs-file', 'The page no longer has the file large.csv. Choose the file again to add its actual schedule as a chart');
  await openFile(next, join(lab.folder, 'small.csv'));
  await waitText(next, '#notice', 'small.csv: 1 job.');
  await click(next, '#undo');
  await waitText(next, '.count', '12,000 jobs');
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
  await browser.close();
});

test('a duplicated page does not overwrite the other\'s work', async () => {
  const page = await openTab();
  await openLarge(page);
  await waitUntilStored(page);
  const name = await page.evaluate(() => sessionStorage.getItem('page'));
  const copy = await lab.browser.newPage();
  await copy.evaluateOnNewDocument(n => { if (!sessionStorage.getItem('page')) sessionStorage.setItem('page', n); }, name);
  copy.messages = [];
  await copy.setViewport({ width: 1440, height: 900 });
  await copy.goto(lab.url);
  await waitForCharts(copy);
  await copy.waitForFunction(n => sessionStorage.getItem('page') !== n, {}, name);
  await openLarge(copy);
  await waitUntilStored(copy);
  await type(copy, '#cell-0-0', 'copy');
  await page.bringToFront(); // a page in the background draws nothing
  await type(page, '#cell-0-0', 'first');
  await waitForStableAddress(page);
  for (const [p, text] of [[page, 'first'], [copy, 'copy']]) {
    await p.bringToFront();
    await p.reload();
    await waitText(p, '#notice', 'Recovered your work', 60_000);
    assert.equal(await cellValue(p, 0, 0), text);
    await p.close();
  }
});

test('a link takes precedence over the tab\'s own work, which is then offered', async () => {
  const browser = await lab.browser.createBrowserContext(), page = await openTab({ browser });
  await openLarge(page);
  await waitUntilStored(page);
  await page.goto('about:blank');
  await page.goto(`${lab.url}#v=1&lesson=figure-1&step=1`);
  await waitForCharts(page);
  await waitText(page, '#leftover', '12,000 jobs');
  await click(page, '#leftover-forget');
  await page.waitForFunction(() => !document.getElementById('leftover'));
  await browser.close();
});

// writeLesson opens the form that writes a lesson, and types a title.
async function writeLesson(page, title) {
  await click(page, '#lessons');
  await click(page, '#lessons-write');
  await page.waitForSelector('#write-title');
  await type(page, '#write-title', title);
}

test('a lesson that is being written is kept as a draft until it is saved or discarded', async () => {
  const page = await lab.page();
  await type(page, '#cell-0-4', '7');
  await writeLesson(page, 'Week 5');
  const previewed = (page, text) => page.waitForFunction(text => document.body.textContent.includes(text), {}, text);
  await type(page, '#write-text', 'Typed last.');
  await previewed(page, 'Typed last.');
  await page.goto('about:blank'); // before the address contains the text

  const later = await lab.page();
  await waitText(later, '#draft', 'Continue the draft “Week 5”');
  await later.evaluate(() => { history.replaceState = () => { throw new Error('too soon'); }; }); // so that the address does not contain the form
  await writeLesson(later, 'Another');
  await type(later, '#write-text', 'Kept.');
  await previewed(later, 'Kept.');
  await later.reload();
  await later.waitForSelector('#write-title');
  assert.deepEqual([await valueOf(later, '#write-title'), await valueOf(later, '#write-text')], ['Another', 'Kept.']);
  await later.goto('about:blank');

  const last = await lab.page();
  await waitText(last, '#draft', 'Continue the draft “Another”');
  await click(last, '#lessons');
  await last.waitForSelector('#lessons-draft-1');
  assert.deepEqual(await last.$$eval('[id^=lessons-draft]', all => all.map(b => b.textContent)),
    ['Continue the draft “Another”', 'Discard the draft “Another”', 'Continue the draft “Week 5”', 'Discard the draft “Week 5”']);
  await click(last, '#lessons-draft-1');
  await last.waitForFunction(() => document.querySelector('#write-title')?.value === 'Week 5');
  assert.equal(await valueOf(last, '#write-text'), 'Typed last.');
  await click(last, '#tab-jobs');
  assert.equal(await valueOf(last, '#cell-0-4'), '7', 'the scenario of the draft');
  await click(last, '#tab-lesson');
  await click(last, '#write-add-step');
  await type(last, '#write-step', 'A step.');
  const files = await downloads(last);
  await click(last, '#export');
  await click(last, '#save-lesson');
  assert.equal(JSON.parse((await files.next()).data).title, 'Week 5');
  files.stop();
  await waitForStableAddress(last);
  await last.goto('about:blank');

  const saved = await lab.page();
  await waitText(saved, '#draft', 'Another');
  await click(saved, '#draft-discard-0');
  await saved.waitForFunction(() => !document.getElementById('draft'));

  // A click on the wrong entry of the menu loses nothing.
  await waitText(saved, '#discarded', 'Discarded the draft “Another”. Restore the draft');
  assert.equal(await saved.evaluate(() => document.activeElement.id), 'draft-restore');
  await saved.keyboard.press('Enter');
  await waitText(saved, '#draft', 'Continue the draft “Another”');
  assert.equal(await saved.$('#discarded'), null);
  await click(saved, '#lessons');
  await click(saved, '#lessons-draft-discard-0');
  await click(saved, '#draft-restore');
  await click(saved, '#draft-0');
  await saved.waitForFunction(() => document.querySelector('#write-title')?.value === 'Another');
  assert.equal(await valueOf(saved, '#write-text'), 'Kept.');
  await saved.goto('about:blank');
  const end = await lab.page();
  await waitText(end, '#draft', 'Another');
  await click(end, '#draft-discard-0');
  await end.waitForSelector('#discarded');
  await end.reload();
  await waitForCharts(end);
  assert.equal(await end.$('#draft, #discarded'), null);
});
