// These tests measure the time until the page is usable at a first visit: from a plain server on
// this machine, and from a single file on disk. Usable means that the page is drawn and its fields
// respond. The chart of the example comes later.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { pathToFileURL } from 'node:url';
import { chromiumOnly, median, traceTasks } from './lab.mjs';
import { waitUntilIdle, assertMedianTime } from './page.mjs';
import { begin } from './begin.mjs';
import { host, builtSite, oneFile } from './anywhere.mjs';
import { waitForFirstChart, visit } from './visit.mjs';

let plain;
const lab = begin({ prepare: async () => { plain = await host(builtSite); } });

// timeVisits returns the times until the page was drawn, for several visits.
async function timeVisits(t, url, slower) {
  const all = [];
  for (let i = 0; i < 7; i++) all.push(await visit(lab.browser, url, slower));
  const of = name => `${name} ${median(all.map(v => v[name])).toFixed(0)}`;
  t.diagnostic(`medians of ${all.length}, ms: ${['compiled', 'drawn', 'chart', 'computing', 'tasks', 'longest'].map(of).join(', ')}; load ${loadavg()[0].toFixed(1)} on ${availableParallelism()}`);
  return { clock: all.map(v => v.drawn), computing: all.map(v => v.computing) };
}

test('no task of a first visit blocks the page for long', chromiumOnly('traces tasks'), async t => {
  const context = await lab.browser.createBrowserContext(), page = await context.newPage();
  await waitUntilIdle(lab.browser);
  const { wall, computing } = await traceTasks(page, async () => {
    await page.goto(plain.url);
    await waitForFirstChart(page);
  });
  t.diagnostic(`the longest task: ${wall.toFixed(0)} ms, CPU time ${computing.toFixed(0)}`);
  assert.ok(computing <= 200, `a task uses the CPU for ${computing} ms`);
  await context.close();
});

// The aims are 950 ms, and 1,700 ms with the CPU slowed down by a factor of four. The limits only detect
// regressions.
for (const [what, address, slower, aim, most] of [
  ['from a server', () => plain.url, 1, 950, 1300],
  ['from a server, with the CPU four times slower', () => plain.url, 4, 1700, 2800],
  ['the single file from disk', () => pathToFileURL(oneFile).href, 1, 950, 1700],
]) {
  test(`${what}: usable within ${most} ms (aim: ${aim} ms)`, chromiumOnly('measures what the page computes'), t => assertMedianTime(t, 'until the page is drawn', most, () => timeVisits(t, address(), slower)));
}
