// Tests charts with time slices: bands behind the lanes, labels below them, pieces of preempted jobs,
// and the time in each kind of slice up to the cursor.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { chromiumOnly, assertNoConsoleErrors, textOf, waitText, waitForFrames } from './lab.mjs';
import { selectOption, click, command, downloads, assertAccessible, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();
const jobs = [
  ['M1', 0, 4, 3600, 3000], ['L1', 0, 3, 20000, 9000], ['L2', 30, 2, 14000, 7000], ['S1', 100, 4, 600, 500], ['M2', 500, 2, 5400, 4000],
  ['S2', 3000, 3, 300, 280], ['M3', 5000, 5, 2400, 1800], ['L3', 20000, 1, 12000, 100],
].map(([id, submit, procs, estimate, runtime]) => ({ id, submit, procs, estimate, runtime }));
const scenario = {
  version: 1, title: 'Time slices', machine: { nodes: 8 }, workload: { jobs },
  policies: [{ name: 'scojo-pect', knobs: { overhead: '60' } }, { name: 'easy' }],
};

async function openSlices(options) {
  const page = options ? await lab.scenario(scenario, options) : await lab.shared(scenario);
  await page.waitForFunction(() => document.getElementById('gantt-0')?.labChart?.types);
  await waitForCharts(page);
  return page;
}

// pointAt returns the screen position of a time, at a fraction of the height of a chart's lanes. A
// fraction above 1 is below the lanes.
const pointAt = (page, result, t, part) => page.evaluate((r, t, part) => {
  const c = document.getElementById(`gantt-${r}`).labChart, box = c.surface.getBoundingClientRect(), [a, b] = labChart.window();
  return [box.x + (t - a) / (b - a) * box.width, box.y + part * c.height];
}, result, t, part);

// pixel returns the colour of the chart at a time, `up` pixels above its bottom edge.
const pixel = (page, t, up) => page.evaluate((t, up) => {
  const { canvas } = document.getElementById('gantt-0').labChart.layers[0], [a, b] = labChart.window();
  const { data } = canvas.getContext('2d').getImageData(Math.round((t - a) / (b - a) * canvas.width), canvas.height - up, 1, 1);
  return [...data];
}, t, up);

const hex = ([r, g, b]) => '#' + [r, g, b].map(v => v.toString(16).padStart(2, '0')).join('');
const tip = page => page.$eval('#gantt-0 .lab-tip', e => (e.hidden ? '' : e.textContent));

test('each slice has its colour and its height below the lanes, and tints idle processors', async () => {
  const page = await openSlices();
  const { slices } = await page.evaluate(() => document.getElementById('gantt-0').labChart.look);
  assert.equal(new Set(slices).size, 4);
  // There is overhead until 60 s, a medium slice until 1080 s, overhead until 1140 s and a long
  // slice until 3600 s. Then 60 s of overhead and a short slice follow.
  assert.equal(hex(await pixel(page, 600, 2)), slices[2]);
  assert.equal(hex(await pixel(page, 2400, 2)), slices[3]);
  assert.equal(hex(await pixel(page, 3900, 2)), slices[1]);
  const high = async t => {
    for (let up = 1; ; up++) if ((await pixel(page, t, up))[3] < 200) return up - 1;
  };
  assert.deepEqual([await high(3900), await high(600), await high(2400)], [3, 6, 9]);
  assert.equal((await pixel(page, 15000, 2))[3], 0, 'no slice while the machine is idle');
  const idle = await pixel(page, 15000, 60), tinted = await pixel(page, 20050, 60);
  assert.equal(idle[3], 0);
  assert.ok(tinted[3] > 20 && tinted[3] < 60, `a tint of ${tinted}`);
  await page.evaluate(() => labChart.setWindow(0, 200));
  await waitForFrames(page);
  assert.equal(hex(await pixel(page, 30, 2)), slices[0], 'the overhead');
  assert.equal(hex(await pixel(page, 100, 2)), slices[2]);
  assert.equal(await page.$eval('#gantt-1', h => h.querySelector('.lab-note').hidden && h.labChart.foot === 0), true, 'EASY has no slices');
  for (const text of ['Short slice', 'Medium slice', 'Long slice', 'switch overhead, or several slices too short to draw', 'preempted']) await waitText(page, '.legend', text);
  assertNoConsoleErrors(page, /willReadFrequently/);
});

test('the cursor shows the slice and the time in each kind of slice; pieces show their number', async () => {
  const page = await openSlices();
  await page.mouse.click(...await pointAt(page, 0, 2000, 1.1));
  await waitText(page, '#gantt-0 .lab-note', 'Time slice for long jobs until 1:00; time in slices so far: short 0 s, medium 17 min, long ');
  const [at] = await page.evaluate(() => labChart.view().split(' ').slice(2).map(Number));
  await waitText(page, '#gantt-0 .lab-note', `long ${await page.evaluate(t => window.labDuration(t), at - 1140)}.`);
  assert.equal(await textOf(page, '#gantt-1 .lab-note'), '');
  await page.mouse.move(...await pointAt(page, 0, 600, 0.9));
  assert.match(await tip(page), /^job M1: 4 × 17 min, 0:01 to 0:18, waited 1 min, piece 1 of \d$/);
  const of = Number((await tip(page)).at(-1));
  await page.mouse.move(...await pointAt(page, 0, 600, 1.1));
  assert.equal(await tip(page), 'Medium: 0:01 to 0:18');
  await page.mouse.click(...await pointAt(page, 0, 4500, 0.9));
  assert.match(await tip(page), new RegExp(`^job M1: .*, piece 3 of ${of}, resumed`));
  await waitText(page, '#why h3', 'running, resumed 2 times');
  const joins = await page.evaluate(() => {
    const { joins, pieces: p } = document.getElementById('gantt-0').labChart.view, rows = v => [...Array(v.length / 6).keys()].map(i => [...v.subarray(6 * i, 6 * i + 6)]);
    const own = rows(p).filter(r => r[4] === 0);
    return { joins: rows(joins).filter(r => r[4] === 0).map(r => r.slice(0, 2)), gaps: own.slice(1).map((r, i) => [own[i][1], r[0]]).filter(([a, b]) => a < b) };
  });
  assert.ok(joins.joins.length > 0);
  const gaps = joins.gaps.map(String);
  assert.ok(joins.joins.every(j => gaps.includes(String(j))), `each join is a gap: ${joins.joins.join(' ')} of ${gaps.join(' ')}`); // narrow pieces have none
  await page.evaluate(() => labChart.cursor(30));
  await waitText(page, '#gantt-0 .lab-note', 'Time slice for medium jobs until 0:18; until 0:01 no job runs (switch overhead);');
  await page.evaluate(() => labChart.cursor(15000));
  await waitText(page, '#gantt-0 .lab-note', 'No time slice;');
  assertNoConsoleErrors(page);
});

test('the summary, the keyboard announcements, the player and the table describe the time slices', async () => {
  const page = await openSlices();
  assert.match(await textOf(page, '#summary-0'), /\. Time slices: 1 short, \d medium, \d long; preempted: \d jobs, which ran in \d+ parts in total\. /);
  assert.doesNotMatch(await textOf(page, '#summary-1'), /slice/);
  await page.focus('#gantt-0');
  await page.keyboard.press('ArrowRight');
  await waitText(page, '#lab-live', 'piece 1 of ');
  await page.keyboard.press(']');
  await waitText(page, '#lab-live', 'Time slice for medium jobs until 0:18; until 0:01 no job runs (switch overhead); time in slices so far: short 0 s, medium 0 s, long 0 s.');
  await click(page, '#step-through');
  await waitText(page, '#player-turn', 'Time slice for medium jobs');
  await page.keyboard.press(']');
  await waitText(page, '#player-turn', 'time in slices so far: short 0 s, medium ');
  assert.equal(await textOf(page, '#player-off'), 'none');
  for (let i = 0; i < 40 && !(await textOf(page, '#player-text')).includes('was preempted when the time slice ended'); i++) {
    const event = await textOf(page, '#player-count');
    await page.keyboard.press(']');
    await page.waitForFunction(was => document.getElementById('player-count').textContent !== was, {}, event);
  }
  assert.match(await textOf(page, '#player-off'), /^M1$/, 'preempted jobs are neither running nor waiting');
  assert.doesNotMatch(await textOf(page, '#player-running') + await textOf(page, '#player-waiting'), /M1/);
  await page.select('#player-policy', '2: EASY');
  await page.waitForFunction(() => document.getElementById('player-turn').textContent === '' && !document.getElementById('player-off'));
  await click(page, '#step-through');
  await click(page, '#seconds');
  await waitForCharts(page);
  await click(page, '#unfold');
  await page.waitForSelector('#schedules tbody .link');
  const { heads, rows } = await page.evaluate(() => ({
    heads: [...document.querySelectorAll('#schedules thead tr:last-child th')].map(h => h.textContent.trim()),
    rows: [...document.querySelectorAll('#schedules tbody tr:not(.space)')].map(r => [...r.children].map(x => x.textContent.trim())),
  }));
  assert.equal(heads.filter(h => h === 'pieces').length, 1, 'only for policies that preempt');
  const csv = command()(['run', '-in', '-', '-format', 'json', '-policy', 'scojo-pect', '-set', 'overhead=60', '-jobs', '-', '-quiet'], JSON.stringify(scenario)).toString().trim().split('\n').slice(1);
  const segments = Object.fromEntries(csv.map(line => [line.split(',')[0], /;/.test(line) ? line.split(',')[8].replaceAll(';', ' ') : '1']));
  assert.deepEqual(Object.fromEntries(rows.map(r => [r[0], r[heads.indexOf('pieces')]])), segments);
  assertNoConsoleErrors(page);
});

test('the exported chart shows slices', async () => {
  const page = await openSlices();
  const files = await downloads(page);
  await click(page, '#export');
  await click(page, '#export-svg');
  const { data } = await files.next();
  const svg = data.toString();
  for (const text of ['>Long</text>', '>M</text>', '>slice</text>', 'fill-opacity="0.13"']) assert.ok(svg.includes(text), text);
  assertNoConsoleErrors(page);
});

test('slices appear and disappear with the policy', async () => {
  const page = await openSlices();
  const height = () => page.$eval('#gantt-0 .lab-chart', e => e.clientHeight);
  const tall = await height();
  await click(page, '#tab-policies');
  await selectOption(page, '#policy-0-name', 'conservative');
  await page.waitForFunction(() => !document.getElementById('gantt-0').labChart.types);
  await waitForCharts(page);
  assert.equal(await height(), tall - 24);
  assert.equal(await page.$eval('#gantt-0 .lab-note', e => e.hidden), true);
  await selectOption(page, '#policy-0-name', 'scojo-pect');
  await page.waitForFunction(() => document.getElementById('gantt-0').labChart.types);
  await waitForCharts(page);
  assert.equal(await height(), tall);
  assert.notEqual((await pixel(page, 2400, 2))[3], 0);
  assertNoConsoleErrors(page, /willReadFrequently/);
});

test('slices are drawn on a narrow screen, in the dark theme and with forced colours', chromiumOnly('forces colours'), async () => {
  const page = await openSlices({ width: 390, height: 900 });
  await page.evaluate(() => labChart.cursor(4000));
  await waitText(page, '#gantt-0 .lab-note', 'Time slice for short jobs');
  const box = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, note: document.querySelector('#gantt-0 .lab-note').getBoundingClientRect().right }));
  assert.ok(box.wide <= 390 && box.note <= 390, JSON.stringify(box));
  const looks = [];
  for (const features of [[{ name: 'prefers-color-scheme', value: 'light' }], [{ name: 'prefers-color-scheme', value: 'dark' }], [{ name: 'forced-colors', value: 'active' }]]) {
    const session = await page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', { features });
    await waitForFrames(page);
    looks.push(await page.evaluate(() => document.getElementById('gantt-0').labChart.look.slices.join(' ')));
  }
  assert.equal(new Set(looks).size, 3);
  assert.equal(new Set(looks[2].split(' ').slice(1)).size, 1, 'distinguished by their heights and names');
  assertNoConsoleErrors(page);
});

test('no axe violations, light and dark', async () => {
  const page = await openSlices();
  await page.evaluate(() => labChart.cursor(4000));
  await click(page, '#step-through');
  await waitText(page, '#player-turn', 'Time slice for short jobs');
  await waitText(page, '#gantt-0 .lab-note', 'Time slice for short jobs');
  await assertAccessible(page, 'time slices');
});
