// Tests exported charts: SVG, PNG and print. They must equal the charts on the page.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { open, assertNoConsoleErrors, waitForFrames, waitText } from './lab.mjs';
import { click, downloads, drawnJobs, dropFile, firstExample, waitForCharts, tabTo, assertAccessible, assertDuration, stable } from './page.mjs';
import { begin } from './begin.mjs';
import { host, assertFirstExampleRuns, builtSite, oneFile, engineMissing, repeated } from './anywhere.mjs';
import { recordDrawing, recordedDrawing, drawingOfSVG, largestDifference, contentsOfPDF } from './picture.mjs';

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {

const lab = begin({ engine });

// exported exports a file through the menu and returns its bytes.
async function exported(page, id) {
  const files = await downloads(page);
  await click(page, '#export');
  await click(page, `#${id}`);
  const { name, data } = await files.next(60_000);
  assert.equal(name, id === 'export-svg' ? 'charts.svg' : 'charts.png');
  files.stop();
  return data;
}

// exportedSVG calls the page's export function directly and returns the SVG, because a sandboxed
// frame cannot download files.
const exportedSVG = frame => frame.evaluate(async () => {
  const { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype, started = performance.now();
  let got;
  URL.createObjectURL = blob => { got = blob; return '#'; };
  HTMLAnchorElement.prototype.click = () => {};
  try { await labPicture('charts.svg', 'words'); } finally {
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
  }
  return { svg: await got.text(), took: performance.now() - started };
});

// showPlan moves the cursor to a time at which both policies have plans.
async function showPlan(page) {
  await page.evaluate(() => labChart.cursor(9));
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart="gantt"]')].every(h => h.labChart.plan?.at === 9));
  await waitForFrames(page);
}

test('the SVG', repeated(engine), async t => {
  const page = await lab.page();
  await t.test('contains its description, titles, lanes, times and legend', async () => {
    await page.select('#colour', 'wait');
    await page.waitForFunction(() => document.querySelectorAll('#scale li').length > 3);
    await waitForCharts(page);
    const svg = (await exported(page, 'export-svg')).toString();
    const got = await page.evaluate(text => {
      const doc = new DOMParser().parseFromString(text, 'image/svg+xml');
      return { title: doc.querySelector('title').textContent, desc: doc.querySelector('desc').textContent, texts: [...doc.querySelectorAll('text')].map(t => t.textContent),
        foreign: [...doc.querySelectorAll('*')].filter(el => !['svg', 'title', 'desc', 'g', 'path', 'text', 'clipPath'].includes(el.localName) || el.hasAttribute('style') || el.hasAttribute('href')).length };
    }, svg);
    const scale = await page.$$eval('#scale li', all => all.map(li => li.textContent.trim()).filter(t => t));
    assert.equal(got.title, firstExample().title);
    assert.match(got.desc, /^EASY\s+mean wait 6\.25 s[^]*Conservative[^]*from 0 to 50[^]*backfill-lab \S+, scenario [0-9a-f]{32}$/);
    for (const text of [firstExample().title, 'EASY', 'Conservative', '6.25 s', '7', '50', 'time, s', 'busy', 'queue', 'backfilled', ...scale, 'Time in seconds. Area: busy processors, of 8. Line: waiting jobs. Both under EASY.']) {
      assert.ok(got.texts.includes(text), `${text} is not among ${got.texts.join(' | ')}`);
    }
    assert.equal(got.foreign, 0, 'only paths and text');
    assertNoConsoleErrors(page);
    await page.select('#colour', '');
    await page.waitForFunction(() => document.querySelectorAll('#scale li').length <= 3);
    await waitForCharts(page);
  });

  await t.test('has the same areas, lines and labels as the screen, in the same order', async () => {
    await recordDrawing(page);
    await showPlan(page);
    await page.evaluate(() => labChart.setWindow(...labChart.window()));
    await waitForFrames(page);
    const screen = await recordedDrawing(page), svg = (await exported(page, 'export-svg')).toString(), charts = await drawingOfSVG(page, svg);
    assert.equal(charts.length, 3, 'two schedules and the curve of waiting jobs');
    charts.forEach(({ list }, i) => {
      assert.ok(list.length > 4, `chart ${i}`);
      assert.deepEqual(list.map(([kind, colour]) => `${kind} ${colour}`), screen[i].map(([kind, colour]) => `${kind} ${colour}`), `chart ${i}`);
      assert.ok(largestDifference(list, screen[i]) <= 0.02, `chart ${i} differs by ${largestDifference(list, screen[i])}`);
    });
    // The drawing agrees with the schedule from the worker.
    const { width: w, lanes } = await page.evaluate(() => ({ width: labChart.scene(document.getElementById('gantt-0').labChart).width, lanes: 8 }));
    for (const r of [0, 1]) {
      const boxes = charts[r].list.filter(([how, , alpha, shapes]) => how === 'fill' && alpha === 1 && shapes[0][0] === 'round').flatMap(([, , , shapes]) => shapes);
      for (const [job, { start, finish, lanes: wide }] of (await drawnJobs(page, r)).entries()) {
        const its = boxes.filter(([, x, , width]) => Math.abs(x - start * w / 50) <= 1 && Math.abs(x + width + 1 - finish * w / 50) <= 1);
        const high = its.reduce((sum, b) => sum + b[4] + 1, 0);
        assert.ok(Math.abs(high - wide * 176 / lanes) <= 3, `job ${job + 1} of result ${r}: ${high} high for ${wide} lanes`);
      }
      const labels = charts[r].list.filter(([kind]) => kind === 'text').map(([, , text]) => text);
      for (let id = 1; id <= 12; id++) assert.ok(labels.includes(`${id}`), `job ${id} has a label`);
    }
    assertNoConsoleErrors(page);
  });
});

// sampleColours opens a file as an image, and returns its size and the colours of some pixels.
const sampleColours = (page, mime, data, places) => page.evaluate(async (mime, base64, places) => {
  const image = new Image();
  image.src = `data:${mime};base64,${base64}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  ctx.drawImage(image, 0, 0);
  return { width: canvas.width, height: canvas.height, colours: places.map(([x, y]) => [...ctx.getImageData(x, y, 1, 1).data].slice(0, 3)) };
}, mime, Buffer.from(data).toString('base64'), places);

test('SVG and PNG open without the page and look like the screen', async () => {
  const page = await lab.page();
  const svg = await exported(page, 'export-svg'), png = await exported(page, 'export-png');
  const [{ left, top }] = await drawingOfSVG(page, svg.toString());
  const { places, screen } = await page.evaluate(() => {
    const { width, height } = document.querySelector('#gantt-0 canvas'), copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(document.querySelector('#gantt-0 canvas'), 0, 0);
    const places = [];
    for (let x = 5; x < width; x += 11) for (let y = 4; y < height; y += 9) places.push([x, y]);
    return { places, screen: places.map(([x, y]) => [...copy.getImageData(x, y, 1, 1).data]) };
  });
  assertNoConsoleErrors(page);
  await page.close();
  const plain = await lab.browser.newPage();
  await plain.goto('data:text/html,<title>Viewer</title>');
  const drawing = await sampleColours(plain, 'image/svg+xml', svg, places.map(([x, y]) => [x + left, y + top]));
  const image = await sampleColours(plain, 'image/png', png, places.map(([x, y]) => [2 * (x + left) + 1, 2 * (y + top) + 1]));
  assert.ok(drawing.width > 700 && drawing.height > 400, `${drawing.width} × ${drawing.height}`);
  assert.deepEqual([image.width, image.height], [2 * drawing.width, 2 * drawing.height]);
  for (const [name, { colours }] of Object.entries({ drawing, image })) {
    const seen = screen.map((c, i) => [c, colours[i]]).filter(([c]) => c[3] === 255); // only drawn pixels; the others are transparent
    const alike = seen.filter(([c, d]) => c.slice(0, 3).every((v, k) => Math.abs(v - d[k]) <= 12)).length;
    assert.ok(seen.length > 300 && alike >= 0.9 * seen.length, `${name}: ${alike} of ${seen.length} places are similar`);
  }
});

test('a scenario with an error exports its last valid charts, and one without a machine exports nothing', repeated(engine), async () => {
  const page = await lab.shared();
  await page.focus('#cell-1-2');
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await waitText(page, '#problems', 'Showing the last valid scenario.');
  assert.match((await exported(page, 'export-svg')).toString(), /^<svg /);
  for (const id of ['export-metrics', 'export-svg', 'export-tables']) {
    await dropFile(page, `${id}.sacct`, 'JobID|State|Submit|Start|End|AllocCPUS\n1|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|4\n');
    await waitText(page, '#notice', `${id}.sacct`);
    await page.waitForSelector('#ask-accept');
    await click(page, '#export');
    await click(page, `#${id}`);
    await waitText(page, '#notice', 'There are no schedules to export yet.');
  }
  assertNoConsoleErrors(page);
});

test('charts are exported by keyboard alone, and the focus returns to the menu', repeated(engine), async () => {
  const page = await lab.page(), files = await downloads(page);
  await tabTo(page, '#export');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#export-svg');
  await page.keyboard.press('ArrowUp'); // from the button to the last entry
  for (let i = 0; i < 3 && await page.evaluate(() => document.activeElement.id) !== 'export-svg'; i++) await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'export-svg');
  const entries = await page.$$eval('#export-figure, #export-svg, #export-png', all => all.map(b => b.textContent));
  assert.deepEqual(entries, ['Figure for a paper or slides (SVG, PDF or PNG)…', 'Screenshot of the charts, scalable (SVG)', 'Screenshot of the charts, pixels (PNG)']);
  if (engine === 'chromium') await assertAccessible(page, 'the menu');
  await page.keyboard.press('Enter');
  const { name, data } = await files.next();
  assert.equal(name, 'charts.svg');
  assert.match(data.toString(), /^<svg /);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'export');
  files.stop();
  assertNoConsoleErrors(page);
});

const hostileNames = ['<script>alert(1)</script>', ']]>"&amp;', 'a\u0001\u0008b', '\u202Eright to left', 'x'.repeat(4_000), '\ud800 alone', "it's & <b>"];

test('markup in names of jobs and scenarios stays text', repeated(engine), async () => {
  const s = firstExample();
  s.title = `</title><script>alert(1)</script>\u0000\u001f${'long '.repeat(4_000)}`;
  s.workload.jobs = hostileNames.map((id, i) => ({ id, submit: i, procs: 2, estimate: 500, runtime: 500 }));
  s.policies = [{ name: 'fcfs' }];
  const page = await lab.scenario(s);
  const svg = (await exported(page, 'export-svg')).toString();
  const [chart] = await drawingOfSVG(page, svg);
  const labels = chart.list.filter(([kind]) => kind === 'text').map(([, , text]) => text);
  for (const id of ['<script>alert(1)</script>', ']]>"&amp;', "it's & <b>"]) assert.ok(labels.includes(id), `${id}: ${labels.map(l => l.slice(0, 40))}`);
  assert.ok(!/<script|[\u0000-\u0008\u000b\u001f]/.test(svg) && svg.length < 400_000, `${svg.length}`);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.$$eval('.lab-paper', all => all.filter(el => el.querySelector('script')).length), 0);
  assert.equal(await page.$$eval('.lab-paper', all => all.length), 2);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assertNoConsoleErrors(page);
});

test('30,000 jobs make a small file in a short time', repeated(engine), async t => {
  const page = await lab.scenario({ version: 1, machine: { nodes: 256 }, workload: { generator: 'lublin', parameters: { jobs: 30_000 }, seed: 1 }, policies: [{ name: 'easy' }] });
  const { svg, took } = await exportedSVG(page);
  t.diagnostic(`${svg.length} bytes in ${took.toFixed(0)} ms`);
  const charts = await drawingOfSVG(page, svg);
  assert.ok(charts[0].list.some(([, , , shapes]) => shapes.length > 100), 'bins are drawn');
  assert.ok(svg.length < 3_000_000, `${svg.length} bytes`);
  assertDuration(t, 'drawing and writing 30,000 jobs', took, 10_000);
  assertNoConsoleErrors(page);
});

test('export works offline after one visit', repeated(engine), async () => {
  const plain = await host(builtSite);
  const page = await open(lab.browser, plain.named);
  await waitText(page, '#lab-offline-said', 'opens without a network', 60_000);
  await page.close();
  plain.off = true;
  const other = await open(lab.browser, plain.named);
  await assertFirstExampleRuns(other);
  assert.match((await exportedSVG(other)).svg, /^<svg /);
  assertNoConsoleErrors(other);
  await other.close();
  await plain.stop();
});

test('export works in the single file opened from disk', async () => {
  const page = await open(lab.browser, pathToFileURL(oneFile).href);
  await assertFirstExampleRuns(page);
  assert.match((await exportedSVG(page)).svg, />Conservative<\/text>/);
  assertNoConsoleErrors(page);
});

for (const [name, address] of [['the single file', 'backfill-lab.html'], ['the site', '']]) test(`${name} in a sandbox without an origin: SVG and print`, async () => {
  const plain = await host(builtSite, { headers: { 'Access-Control-Allow-Origin': '*' } });
  plain.pages['/course'] = `<!DOCTYPE html><title>Course</title><iframe width="1200" height="800" sandbox="allow-scripts" src="/courses/17/files/lab/${address}#v=1&embed=1"></iframe>`;
  const page = await open(lab.browser, `http://127.0.0.1:${plain.port}/course`, { ready: false });
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await assertFirstExampleRuns(frame);
  assert.match((await exportedSVG(frame)).svg, />Conservative<\/text>/);
  await frame.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.equal(await frame.$$eval('.lab-paper', all => all.length), 3);
  assertNoConsoleErrors(page);
  await page.close();
  await plain.stop();
});

test('Print shows all rows of the tables, and afterwards the page is unchanged', repeated(engine), async () => {
  const jobs = Array.from({ length: 200 }, (_, i) => ({ id: `job ${i + 1}`, submit: i, procs: 1, estimate: 9, runtime: 9 }));
  const page = await lab.scenario({ version: 1, machine: { nodes: 4 }, workload: { jobs }, policies: [{ name: 'fcfs' }] });
  await click(page, '#unfold');
  const rows = () => page.$$eval('#schedules tbody tr:not(.space)', all => all.length);
  await page.waitForSelector('#schedules tbody .link');
  const before = await stable(rows);
  assert.ok(before < 60, `${before} rows`);
  await page.evaluate(() => {
    window.print = () => {
      for (const name of ['beforeprint', 'afterprint']) {
        window.dispatchEvent(new Event(name));
        window.printed ??= [document.querySelectorAll('#schedules tbody tr:not(.space)').length, document.querySelectorAll('#grid tbody tr:not(.space)').length, document.querySelectorAll('.lab-paper').length];
      }
    };
  });
  await page.focus('#export');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#print');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'print');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.printed);
  assert.deepEqual(await page.evaluate(() => window.printed), [200, 200, 2]);
  await page.waitForFunction(was => document.querySelectorAll('#schedules tbody tr:not(.space)').length === was, {}, before);
  assert.equal(await page.$('.lab-paper'), null);
  assertNoConsoleErrors(page);
});

test('print shows charts as vector graphics and the tables, on white, and afterwards the page is unchanged', async t => {
  const page = await lab.page();
  await click(page, '#theme');
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await showPlan(page);
  const before = await page.evaluate(() => document.getElementById('charts').innerHTML);
  for (const landscape of [false, true]) {
    const got = contentsOfPDF(await page.pdf({ format: 'A4', landscape }));
    t.diagnostic(`${JSON.stringify({ ...got, text: got.text.length })}`);
    assert.ok(got.images.every(w => w < 100), `only legend keys are images: ${got.images}`);
    assert.ok(got.areas > 30, `${got.areas} lines and areas`);
    if (engine === 'firefox') continue; // Firefox encodes pages and text differently
    assert.ok(got.pages >= 1 && got.pages <= 3, `${got.pages} pages`);
    for (const text of ['EASY and conservative backfilling', 'mean wait', '6.25', 'Conservative', 'makespan', 'all 12 kept', 'Time in seconds', 'backfilled']) {
      assert.ok(got.text.replace(/\s+/g, ' ').includes(text), `${text} is not on paper: ${got.text}`);
    }
    assert.ok(!/Examples|Step through|Find job|Duplicate/.test(got.text), 'controls are not printed');
  }
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.equal(await page.evaluate(() => document.getElementById('charts').innerHTML), before);
  assertNoConsoleErrors(page);
});

});
