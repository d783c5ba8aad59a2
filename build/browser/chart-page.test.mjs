// Tests the charts in a browser, under the strict content security policy. An artificial worker
// returns the schedules.
import { test, before } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { chromiumOnly, startServer, open, assertNoConsoleErrors, waitForFrames, root, waitText } from './lab.mjs';
import { assertDuration } from './page.mjs';
import { begin } from './begin.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const lab = begin({ site: false });
let address;
before(async () => {
  const server = await startServer(async (q, a) => {
    const { pathname } = new URL(q.url, 'http://localhost');
    try {
      const data = await readFile(join(root, pathname.startsWith('/public/') ? '' : 'build/browser/fixtures', pathname));
      a.writeHead(200, { 'Content-Type': types[extname(pathname)], 'Content-Security-Policy': "default-src 'self'; img-src 'self' data:" });
      a.end(data);
    } catch {
      a.writeHead(404).end();
    }
  });
  address = `${server.address}/chart.html`;
});

// waitForDrawing waits until no request is open and everything is drawn.
async function waitForDrawing(page) {
  await page.waitForFunction(() => window.ran && ['overview', 'gantt0', 'gantt1', 'strip'].map(id => document.getElementById(id).labChart)
    .every(c => !c.asked && !c.stale), { timeout: 60_000 });
  await waitForFrames(page);
}

// openCharts opens the test page, with options in its address, and waits until the charts are drawn.
async function openCharts(what = '', size) {
  const page = await open(lab.browser, address + what, { ready: false, ...size });
  await page.evaluate(() => { // Chromium complains if a canvas itself is read often
    window.read = (canvas, x, y) => {
      const one = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      one.drawImage(canvas, -x, -y);
      return one.getImageData(0, 0, 1, 1).data;
    };
  });
  await waitForDrawing(page);
  return page;
}

// pointAt returns the position on the page of a time and a lane.
const pointAt = (page, id, t, lane) => page.evaluate((id, t, lane) => {
  const r = document.querySelector(`#${id} .lab-surface`).getBoundingClientRect(), [a, b] = labChart.window();
  return { x: r.left + (t - a) / (b - a) * r.width, y: r.bottom - (lane + 0.5) / 8 * r.height };
}, id, t, lane);

const timeUnder = (page, x) => page.evaluate(x => {
  const r = document.querySelector('#gantt0 .lab-surface').getBoundingClientRect(), [a, b] = labChart.window();
  return a + (x - r.left) / r.width * (b - a);
}, x);

const pixel = (page, id, t, lane) => page.evaluate((id, t, lane) => {
  const canvas = document.querySelector(`#${id} canvas`), [a, b] = labChart.window();
  const at = [(t - a) / (b - a) * canvas.width, (1 - (lane + 0.3) / 8) * canvas.height].map(Math.round);
  return '#' + [...window.read(canvas, ...at).slice(0, 3)].map(v => v.toString(16).padStart(2, '0')).join('');
}, id, t, lane);

const assertNear = (got, want, slack, text) => assert.ok(Math.abs(got - want) <= slack, `${text}: ${got}, expected ${want}`);

test('jobs are drawn where the policies placed them', async () => {
  const page = await openCharts();
  assert.deepEqual(await page.evaluate(() => labChart.window()), [0, 50]);
  for (const [id, t, lane, colour] of [['gantt0', 2, 1, '#56b4e9'], ['gantt0', 10, 5, '#f0e442'], ['gantt0', 40, 1, '#e8b4a0'],
    ['gantt1', 8, 1, '#f0e442'], ['gantt1', 9, 6, '#e69f00'], ['gantt1', 33, 5, '#6fa8dc']]) {
    assert.equal(await pixel(page, id, t, lane), colour, `${id} at ${t} on lane ${lane}`);
  }
  const numbers = await page.$$eval('#gantt0 .lab-gutter span', all => all.map(e => [e.textContent, e.getBoundingClientRect().right]));
  const left = await page.$eval('#gantt0 .lab-surface', e => e.getBoundingClientRect().left);
  assert.deepEqual(numbers.map(n => n[0]), ['0', '1', '2', '3', '4', '5', '6', '7']);
  assert.ok(numbers.every(n => n[1] < left), 'the node numbers are left of the lanes');
  assertNoConsoleErrors(page);
});

test('Ctrl and the wheel zoom at the pointer, and the wheel alone scrolls the page', async () => {
  const page = await openCharts();
  const at = await pointAt(page, 'gantt0', 31, 3);
  at.x = Math.round(at.x); // mouse positions are whole pixels
  const under = await timeUnder(page, at.x);
  await page.mouse.move(at.x, at.y);
  await page.keyboard.down('Control');
  for (let i = 0; i < 5; i++) await page.mouse.wheel({ deltaY: -120 });
  await page.keyboard.up('Control');
  await waitForDrawing(page);
  assertNear(await timeUnder(page, at.x), under, 0.001, 'the time under the pointer');
  const [a, b] = await page.evaluate(() => labChart.window());
  assertNear(b - a, 50 * Math.exp(-2.4), 0.01, 'the length of the window');
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  await page.mouse.wheel({ deltaY: 200 });
  await page.waitForFunction(() => window.scrollY > 100);
  assert.deepEqual(await page.evaluate(() => labChart.window()), [a, b]);
  assert.equal(await page.evaluate(() => document.querySelector('#gantt0 .lab-surface')
    .dispatchEvent(new WheelEvent('wheel', { deltaY: 9, bubbles: true, cancelable: true }))), true, 'not prevented');
  assertNoConsoleErrors(page);
});

test('dragging pans a chart, selects the time window in the overview, and measures with Shift', async () => {
  const page = await openCharts();
  await page.evaluate(() => labChart.setWindow(10, 30));
  await waitForDrawing(page);
  const from = await pointAt(page, 'gantt0', 20, 6), to = await pointAt(page, 'gantt0', 25, 6);
  const drag = async (a, b) => {
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move(b.x, b.y, { steps: 5 });
    await page.mouse.up();
    await waitForDrawing(page);
  };
  await drag(from, to);
  assertNear((await page.evaluate(() => labChart.window()))[0], 5, 0.01, 'start of the window');
  assert.deepEqual(await page.evaluate(() => log.select), [], 'a drag selects nothing');
  await page.keyboard.down('Shift');
  await drag(await pointAt(page, 'gantt0', 15, 6), await pointAt(page, 'gantt0', 24, 6));
  await page.keyboard.up('Shift');
  // In the measured range, job 8 always runs on 4 lanes, job 10 always on 2, and job 6 on 1 until 23.
  await waitText(page, '#lab-live', '15 to 24: 3 jobs, 62 processor-seconds');
  const brush = await page.evaluate(() => {
    const r = document.querySelector('#overview .lab-surface').getBoundingClientRect();
    return { left: r.left, width: r.width, y: r.top + 20 };
  });
  await drag({ x: brush.left + brush.width * 0.4, y: brush.y }, { x: brush.left + brush.width * 0.6, y: brush.y });
  const [a, b] = await page.evaluate(() => labChart.window());
  assertNear(a, 20, 0.1, 'left edge of the brush');
  assertNear(b, 30, 0.1, 'right edge of the brush');
  assertNoConsoleErrors(page);
});

test('a click selects a job, hovering marks it in all charts, and a double click zooms to it', async () => {
  const page = await openCharts();
  const four = await pointAt(page, 'gantt0', 10.2, 5);
  await page.mouse.move(four.x, four.y);
  await waitForFrames(page);
  assert.equal(await page.$eval('#gantt0 .lab-tip', e => e.textContent), 'job 4: 2 × 7 s, 7 to 14');
  const mark = () => page.evaluate(() => { // the left edge of job 4 under the other policy
    const c = document.querySelectorAll('#gantt1 canvas')[1];
    return window.read(c, Math.round(c.width * 5 / 50), Math.round(c.height * 7 / 8))[3];
  });
  assert.ok(await mark() > 0, 'job 4 is marked under the other policy too');
  await page.mouse.click(four.x, four.y);
  assert.deepEqual(await page.evaluate(() => log.select), [[3, 10, 0]]);
  await page.mouse.click(four.x, four.y, { count: 2 });
  await waitForDrawing(page);
  const [a, b] = await page.evaluate(() => labChart.window());
  assertNear(a, 2.8, 0.01, 'the window begins before the job');
  assertNear(b, 18.2, 0.01, 'and ends after it');
  assertNoConsoleErrors(page);
});

test('keys move between jobs, and each is announced', async () => {
  const page = await openCharts();
  const waitForAnnouncement = text => waitText(page, '#lab-live', text);
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await press('w');
  assert.deepEqual(await page.evaluate(() => labChart.window()), [0, 50], 'keys need the focus');
  await page.focus('#gantt0');
  await press('ArrowRight');
  await waitForAnnouncement('job 1: 5 × 5 s, 0 to 5');
  await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await waitForAnnouncement('job 6: 1 × 16 s, 7 to 23, backfilled');
  await press('ArrowLeft');
  await waitForAnnouncement('job 4: 2 × 7 s, 7 to 14');
  await press('ArrowDown');
  await waitForAnnouncement('job 5: 2 × 3 s, 8 to 11');
  await press('ArrowUp', 'Enter');
  await waitForAnnouncement('job 4');
  assert.deepEqual(await page.evaluate(() => log.select.at(-1)), [3, 7, 0]);
  await press(']');
  await waitForAnnouncement('Event 2 of 14 at 1');
  assert.equal(await page.evaluate(() => log.cursor.at(-1)), 1);
  await press(']');
  await waitForAnnouncement('Event 3 of 14 at 5');
  await press('[');
  await waitForAnnouncement('Event 2 of 14 at 1');
  await press('f');
  await waitForDrawing(page);
  assertNear((await page.evaluate(() => labChart.window()))[0], 2.8, 0.01, 'the job fits');
  await press('End', 'ArrowRight');
  await press('0');
  assert.deepEqual(await page.evaluate(() => labChart.window()), [0, 50]);
  await press('Escape');
  assert.equal(await page.evaluate(() => log.select.at(-1)[0]), null);
  await page.keyboard.type('?');
  assert.equal(await page.$eval('#lab-keys', d => d.open), true);
  await press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'gantt0', 'the focus is restored');
  assertNoConsoleErrors(page);
});

test('pinching keeps the times under both fingers', async () => {
  const page = await openCharts('', { width: 600, height: 800 });
  const a = await pointAt(page, 'gantt0', 20, 3), b = await pointAt(page, 'gantt0', 30, 3);
  const first = await page.touchscreen.touchStart(a.x, a.y), second = await page.touchscreen.touchStart(b.x, b.y);
  await first.move(a.x - 60, a.y);
  await second.move(b.x + 60, b.y);
  await waitForDrawing(page);
  assertNear(await timeUnder(page, a.x - 60), 20, 0.1, 'under one finger');
  assertNear(await timeUnder(page, b.x + 60), 30, 0.1, 'under the other');
  await first.end();
  await second.end();
  assertNoConsoleErrors(page);
});

test('an outdated result is dimmed until the new one arrives, without layout shift', async () => {
  const page = await openCharts();
  const dim = () => page.$$eval('.lab-stale', all => all.length);
  const where = () => page.$eval('#strip', e => e.getBoundingClientRect().top);
  const before = await where();
  const begin = await page.evaluate(() => { // the charts are dimmed only after 150 ms, because most results arrive earlier
    const begin = performance.now();
    labChart.stale(true);
    return begin;
  });
  const took = await page.waitForFunction(begin => document.querySelectorAll('.lab-stale').length && performance.now() - begin, {}, begin);
  assert.ok(await took.jsonValue() >= 150);
  assert.equal(await dim(), 4);
  await page.evaluate(() => labChart.stale(false));
  await waitForFrames(page);
  assert.equal(await dim(), 0);
  assert.equal(await page.evaluate(() => { // the answer to an earlier run is dropped
    log.sent.length = 0;
    labChart.setWindow(10, 12);
    return document.getElementById('gantt0').labChart.run.generation;
  }), 1);
  await page.waitForFunction(() => log.sent.length > 0);
  await page.evaluate(() => window.run('twelve'));
  await page.waitForFunction(() => document.getElementById('gantt0').labChart.run.generation === 2);
  await waitForDrawing(page);
  assert.equal(await page.evaluate(() => document.getElementById('gantt0').labChart.view.generation), 2);
  assert.deepEqual(await page.evaluate(() => labChart.window()), [10, 12], 'the window stays');
  assert.equal(await where(), before);
  assertNoConsoleErrors(page);
});

test('a cursor requests the plan and shows it hatched', async () => {
  const page = await openCharts();
  await page.evaluate(() => labChart.cursor(13));
  await page.waitForFunction(() => document.getElementById('gantt1').labChart.plan?.at === 13);
  await waitForFrames(page);
  const alpha = await page.evaluate(() => { // a lane of job 12, planned for later
    const c = document.querySelectorAll('#gantt0 canvas')[1];
    return window.read(c, Math.round(c.width * 33 / 50), Math.round(c.height * 0.2))[3];
  });
  assert.ok(alpha > 150, `hatched ${alpha}`);
  assert.equal(await page.evaluate(() => log.sent.filter(m => m.kind === 'plan').length), 2);
  assertNoConsoleErrors(page);
});

test('forced colours and the dark theme are read from the style sheet', chromiumOnly('forces colours'), async () => {
  const page = await openCharts();
  const grid = () => page.evaluate(() => document.getElementById('gantt0').labChart.look.grid);
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await waitForDrawing(page);
  assert.equal(await grid(), '#2a2c31');
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
  await waitForDrawing(page);
  assert.equal(await grid(), '#e4e4e1');
  const session = await page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
  await waitForDrawing(page);
  const { jobs, edge } = await page.evaluate(() => document.getElementById('gantt0').labChart.look);
  assert.equal(new Set(jobs).size, 1, 'one background for all jobs');
  assert.equal(edge, 1, 'distinguished by their edges');
  assertNoConsoleErrors(page);
});

test('100,000 jobs: panning rarely sends requests, bins have descriptions, and frames are short', async t => {
  const page = await openCharts('?big');
  const count = await page.evaluate(() => document.getElementById('gantt0').labChart.view.pieces.length / 6);
  assert.ok(count > 15_000 && count <= 30_000, `${count} rectangles`);
  const tip = await page.evaluate(() => {
    const c = document.getElementById('gantt0').labChart, r = c.surface.getBoundingClientRect();
    const { pieces: p } = c.view, i = 6 * Array.from({ length: p.length / 6 }, (_, k) => k).find(k => p[6 * k + 5] & 1 && p[6 * k + 4] > 1);
    const [a, b] = labChart.window();
    c.surface.dispatchEvent(new PointerEvent('pointermove', { clientX: r.left + ((p[i] + p[i + 1]) / 2 - a) / (b - a) * r.width,
      clientY: r.bottom - (p[i + 2] + 0.5) / 256 * r.height }));
    return c.tip.textContent;
  });
  assert.match(tip, /^(at least [1-9]\d* jobs? here, \d+ % busy|job( [^:]+)?: )/);
  const times = await page.evaluate(async () => {
    const request = window.requestAnimationFrame, scriptTimes = [], frameTimes = [];
    // The charts draw in animation frames. The test measures how long each frame takes.
    window.requestAnimationFrame = f => request(at => {
      const start = performance.now();
      f(at);
      scriptTimes.push(performance.now() - start);
    });
    labChart.fit();
    const bounds = labChart.window();
    let last = performance.now();
    for (let i = 0; i < 40; i++) {
      const [a, b] = bounds;
      labChart.setWindow(a, b - (i % 2) * (b - a) / 1000);
      await new Promise(request);
      frameTimes.push(performance.now() - last);
      last = performance.now();
    }
    window.requestAnimationFrame = request;
    const median = v => v.sort((x, y) => x - y)[v.length >> 1];
    return { script: median(scriptTimes), frame: median(frameTimes) };
  });
  t.diagnostic(`${count} rectangles: ${times.script.toFixed(1)} ms of script a frame, ${times.frame.toFixed(1)} ms a frame with two charts`);
  assertDuration(t, 'the script of a frame', times.script, 60);
  await page.evaluate(() => { const [, to] = labChart.window(); labChart.setWindow(to * 0.4, to * 0.42); });
  await waitForDrawing(page);
  const requests = await page.evaluate(async () => {
    log.sent.length = 0;
    for (let i = 0; i < 20; i++) {
      const [a, b] = labChart.window();
      labChart.setWindow(a + (b - a) / 30, b + (b - a) / 30);
      await new Promise(requestAnimationFrame);
    }
    return log.sent.length;
  });
  assert.equal(requests, 0, 'panning by two thirds of a window sends no request');
  assertNoConsoleErrors(page);
});
