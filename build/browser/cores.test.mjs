// Tests charts of machines with several cores per node: lanes grouped by node, shared nodes, and the
// speed of jobs that share nodes. The tests use the mouse and the keyboard, and zoom.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { click, downloads, assertAccessible, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';

// Job A shares the first two nodes with B and the others with C. C slows A down more than B does,
// and ends first. Job E then takes a core that no other job uses.
const traits = { slnos: 1, slcrs: 1.3 };
const scenario = {
  version: 1, title: 'Shared nodes', machine: { nodes: 4, processors: 2, cores: 2 },
  workload: { jobs: [
    { id: 'A', submit: 0, procs: 8, estimate: 4000, runtime: 4000, ...traits },
    { id: 'B', submit: 0, procs: 4, estimate: 3000, runtime: 3000, ...traits },
    { id: 'C', submit: 0, procs: 4, estimate: 1500, runtime: 1500, ...traits },
    { id: 'E', submit: 200, procs: 1, estimate: 300, runtime: 300 },
  ] },
  slowdown: { pairs: { A: { B: 1.1, C: 1.2 }, B: { A: 1.1 } } },
  policies: [{ name: 'glomarc-ts' }, { name: 'easy' }],
};

const lab = begin();

const openScenario = options => lab.scenario(scenario, options);

// columnRows returns an array from the worker's answer, split into rows of `wide` numbers.
const columnRows = (page, name, wide = 6) => page.evaluate((name, wide) => {
  const v = document.getElementById('gantt-0').labChart.view[name];
  return [...Array(v.length / wide).keys()].map(i => [...v.subarray(wide * i, wide * i + wide)]);
}, name, wide);

// pointAt returns the position on the screen of a time and a lane of the first chart.
const pointAt = (page, t, lane) => page.evaluate((t, lane) => {
  const c = document.getElementById('gantt-0').labChart, box = c.surface.getBoundingClientRect(), [a, b] = labChart.window();
  return [box.x + (t - a) / (b - a) * box.width, box.y + (1 - (lane + 0.5) / c.run.lanes) * c.height];
}, t, lane);

const tip = page => page.$eval('#gantt-0 .lab-tip', e => (e.hidden ? '' : e.textContent));
const tipAt = async (page, t, lane) => {
  await page.mouse.move(...await pointAt(page, t, lane));
  return tip(page);
};
const gutter = page => page.$$eval('#gantt-0 .lab-gutter span', all => all.map(e => e.textContent));

test('a chart of nodes that jobs share', async t => {
  const page = await openScenario();
  await t.test('pieces are split where the rate changes, and their tooltips name the rate and the other jobs', async () => {
    assert.deepEqual(await gutter(page), ['node 0', 'node 1', 'node 2', 'node 3']);
    const [p, paces] = [await columnRows(page, 'pieces'), await columnRows(page, 'paces', 3)];
    const own = p.map((r, i) => [...r.slice(0, 4), ...paces[i]]).filter((r, i) => p[i][4] === 0 && r[2] === 0);
    assert.deepEqual(own.map(([from, to, , , rate, neighbour, others]) => [from, to, Number(rate.toFixed(4)), neighbour, others]),
      [[0, 1500, 0.8333, 1, 2], [1500, 3300, 0.9091, 1, 1], [3300, 4414, 1, 0, 0]]);
    assert.equal(p.filter(r => r[4] === 0).length, 8 * 3, 'two cores of each of four nodes, which are not adjacent');
    assert.equal(await tipAt(page, 700, 0), 'job A: 8 × 25 min, 0:00 to 0:25, no wait, at 0.83 of its speed next to B and 1 more');
    assert.equal(await tipAt(page, 2000, 14), 'job A: 8 × 30 min, 0:25 to 0:55, no wait, at 0.91 of its speed next to B');
    assert.equal(await tipAt(page, 2000, 1), 'job B: 4 × 55 min, 0:00 to 0:55, no wait, at 0.91 of its speed next to A');
    assert.equal(await tipAt(page, 700, 9), 'job C: 4 × 25 min, 0:00 to 0:25, no wait, next to A', 'at full speed');
    assert.match(await tipAt(page, 4000, 0), /^job A: 8 × [^,]*, [^,]*, no wait$/, 'it no longer shares its nodes');
    assertNoConsoleErrors(page);
  });

  await t.test('shared nodes have dotted lines while two jobs run on them, and the legend says so', async () => {
    const shares = await columnRows(page, 'shares');
    assert.deepEqual(shares.slice(0, 2).map(r => r.slice(0, 4)), [[0, 3300, 0, 8], [0, 1500, 8, 16]]);
    await waitText(page, '.legend', 'node shared by jobs; ×0.50: job at half speed');
    // colours counts the colours along the border between the two lowest cores. A dotted line has
    // more than one colour.
    const colours = (t0, t1) => page.evaluate((t0, t1) => {
      const { canvas } = document.getElementById('gantt-0').labChart.layers[0], [a, b] = labChart.window(), { lanes } = document.getElementById('gantt-0').labChart.run;
      const x = t => Math.round((t - a) / (b - a) * canvas.width), y = Math.round(canvas.height * (1 - 1 / lanes));
      const { data } = canvas.getContext('2d').getImageData(x(t0), y - 1, x(t1) - x(t0), 1), seen = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const key = data.slice(i, i + 4).join(' ');
        seen.set(key, (seen.get(key) ?? 0) + 4 / data.length);
      }
      return [...seen.values()].filter(part => part > 0.1).length;
    }, t0, t1);
    assert.ok(await colours(200, 1300) >= 2, 'dotted');
    assert.equal(await colours(3500, 4300), 1, 'alone');
    assertNoConsoleErrors(page, /willReadFrequently/);
    page.messages.length = 0;
  });

  await t.test('a piece with enough space shows the rate', async t => {
    const texts = await page.evaluate(async () => {
      const seen = [], { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { seen.push(text); fillText.call(this, text, ...at); };
      labChart.setWindow(...labChart.window().map((t, i) => t + i));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      CanvasRenderingContext2D.prototype.fillText = fillText;
      return [...new Set(seen)];
    });
    for (const text of ['A ×0.83', 'A ×0.91', 'A', 'B ×0.91', 'C']) assert.ok(texts.includes(text), `${text} among ${texts}`);
    assertNoConsoleErrors(page);
  });

  await t.test('the summary, the keyboard announcements and the table describe node sharing', async () => {
    assert.match(await textOf(page, '#summary-0'), /4 jobs on 4 nodes of 4 cores, .*\. 3 jobs share nodes, where they run at 0\.83 to 1\.00 of their full speed\. /);
    assert.doesNotMatch(await textOf(page, '#summary-1'), /of their full speed/, 'EASY gives each job whole nodes here');
    await page.focus('#gantt-0');
    const heard = [];
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(was => document.getElementById('lab-live').textContent !== was, {}, heard.at(-1) ?? '');
      heard.push(await textOf(page, '#lab-live'));
    }
    assert.deepEqual(heard.slice(0, 3).map(t => /^job A: .* (\S+ of its speed).*/.exec(t)?.[1] ?? t.slice(0, 5)), ['0.83 of its speed', '0.91 of its speed', 'job A']);
    assert.match(heard[3], /^job [BC]: .* next to A$/, 'the next key press moves to the next job');
    await click(page, '#unfold');
    await page.waitForSelector('#schedules tbody .link');
    const { heads, speeds } = await page.evaluate(() => {
      const heads = [...document.querySelectorAll('#schedules thead tr:last-child th')].map(h => h.textContent.trim()), at = heads.indexOf('speed, %');
      return { heads, speeds: [...document.querySelectorAll('#schedules tbody tr:not(.space)')].map(r => r.children[at].textContent.trim()) };
    });
    assert.equal(heads.filter(h => h === 'speed, %').length, 1, 'only for policies whose jobs slow each other down');
    assert.deepEqual(speeds, ['91', '91', '100', '100']);
    assertNoConsoleErrors(page);
  });

  await t.test('the exported chart shows nodes, sharing and rates', async () => {
    const files = await downloads(page);
    await click(page, '#export');
    await click(page, '#export-svg');
    const svg = (await files.next()).data.toString();
    for (const text of ['>node 3</text>', '>A ×0.83</text>', 'stroke-dasharray="2,4"', '>node shared by jobs; ×0.50: job at half speed</text>']) assert.ok(svg.includes(text), text);
    assertNoConsoleErrors(page);
  });

  await t.test('no axe violations, light and dark', async () => {
    await assertAccessible(page, 'cores');
  });
});

test('when zoomed out, bins cover whole nodes, and the labels of many nodes fit', async () => {
  const large = { version: 1, machine: { nodes: 128, processors: 2, cores: 2 }, workload: { generator: 'lublin', parameters: { jobs: 3000 }, seed: 1 }, policies: [{ name: 'easy' }] };
  const page = await lab.scenario(large, { width: 390, height: 900 });
  for (const width of [390, 1440]) {
    await page.setViewport({ width, height: 900 });
    await page.waitForFunction(() => { const c = document.getElementById('gantt-0').labChart; return c.width === c.surface.clientWidth && c.view && !c.asked && !c.stale; });
    await waitForCharts(page);
    const names = await gutter(page);
    assert.ok(names.length >= 7 && names[0] === 'node 0' && names.at(-1) === '120', `${names}`);
    const room = await page.$$eval('#gantt-0 .lab-gutter span', all => all.map(e => {
      const text = document.createRange(), edge = e.closest('.lab-chart').querySelector('.lab-surface').getBoundingClientRect();
      text.selectNodeContents(e);
      const box = text.getBoundingClientRect();
      return [box.left, edge.left - box.right, 20 - box.height];
    }));
    assert.ok(room.every(all => all.every(v => v >= 0)), JSON.stringify(room));
    const bins = (await columnRows(page, 'pieces')).filter(r => r[5] & 1);
    assert.ok(bins.length > 100 && bins.every(r => r[2] % 4 === 0 && r[3] % 4 === 0), 'bins have whole nodes');
    assertNoConsoleErrors(page);
  }
});
