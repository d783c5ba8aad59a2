// Tests that the table of the schedules agrees with the charts, job by job and piece by piece, for
// every example and lesson.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, assertNoConsoleErrors, waitText } from './lab.mjs';
import { click, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';

let page;
const lab = begin({
  prepare: async () => {
    page = await lab.page();
    await click(page, '#unfold');
  },
});

// chartJobs returns the jobs of a chart by index, with their pieces and slots in the notation of the
// table. It includes the name of a job only if the chart shows it. On shared nodes, it joins pieces
// of a job that differ only in speed.
const chartJobs = (result, shares) => page.evaluate((r, cut) => {
  const { pieces: p, labels } = document.querySelector(`[data-chart="gantt"][data-result="${r}"]`).labChart.view, jobs = {};
  for (let i = 0; i < p.length; i += 6) {
    if (p[i + 5] & 1) throw new Error('a bin: the chart shows no single jobs');
    const job = jobs[p[i + 4]] ??= { name: labels[p[i + 4]], times: [], slots: new Set() };
    job.times.push([p[i], p[i + 1]]);
    for (let s = p[i + 2]; s < p[i + 3]; s++) job.slots.add(s);
  }
  const joined = (list, touching) => list.sort((a, b) => a[0] - b[0] || a[1] - b[1]).reduce((out, [from, to]) => {
    if (out.length && (from < out.at(-1)[1] || touching && from === out.at(-1)[1])) out.at(-1)[1] = Math.max(to, out.at(-1)[1]);
    else out.push([from, to]);
    return out;
  }, []);
  return Object.fromEntries(Object.entries(jobs).map(([index, { name, times, slots }]) => [index, {
    name,
    pieces: joined(times, cut).map(t => t.join('-')).join(' '),
    slots: joined([...slots].map(s => [s, s + 1]), true).map(([a, b]) => b - a > 1 ? `${a}-${b - 1}` : `${a}`).join(' '),
  }]));
}, result, shares);

// tableJobs reads the jobs of each policy from the table, and returns them in the form of
// chartJobs. The rows are in the order of the jobs.
async function tableJobs() {
  await page.waitForSelector('#schedules table.now');
  return page.evaluate(() => {
    const cells = row => [...row.children].map(c => c.textContent.replace(/[▲▼]/, '').trim());
    const [groups, heads] = document.querySelectorAll('#schedules thead tr'), titles = cells(heads), out = [];
    const rows = [...document.querySelectorAll('#schedules tbody tr:not(.space)')].map(cells);
    let at = 0;
    for (const g of groups.children) {
      const of = titles.slice(at, at + g.colSpan), get = (row, title) => of.includes(title) ? row[at + of.indexOf(title)] : undefined;
      if (of.includes('start')) {
        out.push(Object.fromEntries(rows.map((r, i) => {
          const pieces = get(r, 'pieces') ?? '1', [start, finish] = [get(r, 'start'), get(r, 'finish')];
          if (pieces !== '1' && (!pieces.startsWith(`${start}-`) || !pieces.endsWith(`-${finish}`))) throw new Error(`${r}: start and finish are not those of ${pieces}`);
          return [i, { name: r[0], pieces: pieces === '1' ? `${start}-${finish}` : pieces, slots: get(r, 'slots') }];
        })));
      }
      at += g.colSpan;
    }
    return out;
  });
}

// compareWithCharts compares all charts with the table and returns the number of pieces.
async function compareWithCharts(scenario) {
  await waitForCharts(page);
  const tables = await tableJobs(), charts = await page.$$('[data-chart="gantt"]');
  assert.equal(tables.length, charts.length);
  let n = 0;
  for (const i of charts.keys()) {
    const chart = await chartJobs(i, scenario.machine.cores > 1);
    for (const k of Object.keys(chart)) chart[k].name ??= tables[i][k]?.name;
    assert.deepEqual(tables[i], chart, `policy ${i + 1}`);
    n += Object.values(tables[i]).reduce((sum, j) => sum + j.pieces.split(' ').length, 0);
  }
  return n;
}

const readJSON = name => JSON.parse(readFileSync(join(root, 'public', `${name}.json`), 'utf8'));

test('the table agrees with the charts in every example whose jobs are drawn individually', async () => {
  const index = readJSON('examples/index').filter(x => x.name !== 'lublin');
  for (const x of index) {
    await click(page, '#examples');
    await page.waitForSelector('.menu .list button');
    await page.evaluate(t => [...document.querySelectorAll('.menu .list button')].find(b => b.textContent === t).click(), x.title);
    await waitText(page, '.top .title', x.title);
    await waitForCharts(page);
    if (await page.$('#seconds[aria-pressed=false]')) { // the comparison is in seconds
      await click(page, '#seconds');
      await waitForCharts(page);
    }
    assert.ok(await compareWithCharts(readJSON(`examples/${x.name}`)) > 0, x.name);
  }
  assertNoConsoleErrors(page);
});

test('the table agrees with the charts in every lesson', async () => {
  const names = readdirSync(join(root, 'public', 'lessons')).filter(f => f.endsWith('.json')).map(f => f.slice(0, -5));
  let most = 0;
  for (const name of names) {
    const lesson = readJSON(`lessons/${name}`);
    await page.evaluate(n => { location.hash = `#v=1&lesson=${n}&step=0`; }, name);
    await waitText(page, '#lesson-title', lesson.title);
    const n = await compareWithCharts(lesson.scenario);
    most = Math.max(most, n / lesson.scenario.workload.jobs.length / lesson.scenario.policies.length);
  }
  assert.ok(most > 1, 'some job is preempted');
  assertNoConsoleErrors(page);
});
