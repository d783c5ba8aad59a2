// Tests the formats of times: dates in the time zone of the machine, hours and days, or seconds.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { click, firstExample, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing } from './anywhere.mjs';

// In Berlin, clocks skip the hour from 2:00 on 29 March 2026. Time 0 is the midnight before.
const night = {
  version: 1, title: 'A night', calendar: { start: 1774738800, zone: 'Europe/Berlin' }, machine: { nodes: 4 },
  workload: { jobs: [
    { id: '1', submit: 0, procs: 4, estimate: 7200, runtime: 3600 },
    { id: '2', submit: 60, procs: 4, estimate: 3600, runtime: 1800 },
    { id: '3', submit: 7200, procs: 2, estimate: 100, runtime: 90 },
  ] },
  policies: [{ name: 'easy' }, { name: 'conservative' }],
};

const labels = (page, t0, t1) => page.evaluate((a, b) => window.labTicks(a, b, 600).filter((_, i) => i % 2), t0, t1);

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  test('axis, reasons, tables and description show dates, and the switch shows seconds', async () => {
    const page = await lab.scenario(night);
    assert.deepEqual(await labels(page, 0, 10800), ['29 Mar 00:00', '29 Mar 01:00', '29 Mar 03:00', '29 Mar 04:00']);
    assert.match(await page.$eval('[data-chart=gantt]', el => el.parentElement.innerHTML), /mean wait 19 min 40 s, makespan 2 h 2 min/);
    await page.evaluate(() => window.labOnSelect(1, 1800));
    await waitText(page, '#why h2', 'Why? Job 2 at 2026-03-29 00:30');
    await waitText(page, '#why', 'it can start at 2026-03-29 03:00');
    assert.match(await textOf(page, '#why'), /requests\s*4 processors for 1 h/);
    assert.match(await textOf(page, '.scores'), /mean wait(?!, s).*19 min 40 s/s);

    await click(page, '#tab-workload');
    await waitText(page, '.overview', 'from 2026-03-29 00:00 to 2026-03-29 03:00');

    await click(page, '#seconds');
    await waitForCharts(page);
    assert.deepEqual(await labels(page, 0, 10800), ['0', '2000', '4000', '6000', '8000', '10000']);
    await waitText(page, '#why', 'it can start at 7200');
    assert.match(await textOf(page, '.scores'), /mean wait, s/);
    assertNoConsoleErrors(page);
  });

  test('small examples use seconds, without a switch', async () => {
    const page = await lab.scenario(firstExample());
    assert.deepEqual(await labels(page, 0, 40), ['0', '5', '10', '15', '20', '25', '30', '35', '40']);
    assert.equal(await page.$('#seconds'), null);
    assertNoConsoleErrors(page);
  });
});
