// Tests the formats of times: dates in the time zone of the machine, hours and days, or seconds.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoConsoleErrors, textOf, waitForFrames, waitText } from './lab.mjs';
import { click, firstExample, openFile, type, valueOf, waitForCharts } from './page.mjs';
import { begin } from './begin.mjs';
import { repeatedFile } from './anywhere.mjs';

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

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {
  const lab = begin({ engine });

  test('axis, reasons, tables and descriptions show dates; a button switches to seconds', async () => {
    const page = await lab.scenario(night);
    assert.deepEqual(await labels(page, 0, 10800), ['29 Mar 00:00', '29 Mar 01:00', '29 Mar 03:00', '29 Mar 04:00']);
    assert.match(await page.$eval('[data-chart=gantt]', el => el.parentElement.innerHTML), /mean wait 19 min 40 s, makespan 2 h 2 min/);
    await page.evaluate(() => window.labOnSelect(1, 1800));
    await waitText(page, '#why h2', 'Why? Job 2 at 2026-03-29 00:30');
    await waitText(page, '#why', 'it can start at 2026-03-29 03:00');
    assert.match(await textOf(page, '#why'), /requests\s*4 processors \(estimate 1 h\)/);
    assert.match(await textOf(page, '.scores'), /mean wait(?!, s).*19 min 40 s/s);
    assert.ok(await page.$eval('.scores', el => el.scrollWidth <= el.clientWidth), 'the metrics fit next to the panel');

    await click(page, '#tab-workload');
    await waitText(page, '.overview', 'from 2026-03-29 00:00 to 2026-03-29 03:00');

    // The what-if form and its answer show times in the same format, and the answer is in view.
    assert.deepEqual([await valueOf(page, '#if-submit'), await valueOf(page, '#if-estimate')], ['2026-03-29 00:01', '1 h']);
    await type(page, '#if-submit', '2026-03-29 00:00');
    await type(page, '#if-estimate', '60 min');
    await click(page, '#if-try');
    await waitText(page, '#if-said', 'If it were submitted at 2026-03-29 00:00');
    assert.deepEqual(await page.$$eval('#if-said td', all => all.map(td => td.textContent)), Array(2).fill('2026-03-29 01:00 → 2026-03-29 01:00 as before'));
    assert.ok(await page.$eval('#if-said', el => {
      const answer = el.getBoundingClientRect(), panel = document.getElementById('why').getBoundingClientRect();
      return answer.top >= panel.top && answer.top < panel.bottom - 80 && answer.right <= panel.right && el.scrollWidth <= el.clientWidth;
    }), 'the answer is in view');

    const axisName = () => page.$eval('#strip .lab-gutter', el => el.dataset.axis);
    assert.equal(await axisName(), 'time');
    await click(page, '#seconds');
    await waitForCharts(page);
    await page.waitForFunction(() => document.getElementById('if-estimate')?.value === '3600');
    assert.equal(await axisName(), 'time, s');
    assert.deepEqual(await labels(page, 0, 10800), ['0', '1000', '2000', '3000', '4000', '5000', '6000', '7000', '8000', '9000', '10000']);
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

  test('in the player, columns with dates do not overlap', async () => {
    const jobs = Array.from({ length: 20 }, (_, i) => ({ id: `${4700 + i}`, submit: 60 * i, procs: 1 + i * 7 % 4, estimate: 7200 - 90 * i, runtime: 3600 - 30 * i }));
    const page = await lab.scenario({ ...night, workload: { jobs } });
    await click(page, '#step-through');
    await page.waitForFunction(() => document.getElementById('player-slider')?.max >= 30);
    await page.$eval('#player-slider', el => { el.value = 30; el.dispatchEvent(new Event('input', { bubbles: true })); });
    await waitText(page, '#player-count', 'event 30');
    for (const width of [1440, 1024, 390]) {
      await page.setViewport({ width, height: 900 });
      await waitForFrames(page);
      const boxes = await page.$$eval('#player .now > div', all => all.map(div => { // the text itself must fit, not only its column
        const range = document.createRange();
        range.selectNodeContents(div);
        const text = range.getBoundingClientRect(), { right } = div.getBoundingClientRect();
        return { left: text.left, right: div.matches('.profile') ? right : text.right, top: text.top, bottom: text.bottom };
      }));
      for (const [i, a] of boxes.entries()) {
        assert.ok(a.right <= width, `${width}: column ${i} ends at ${a.right}`);
        for (const b of boxes.slice(i + 1)) assert.ok(a.right <= b.left || a.bottom <= b.top, `${width}: ${JSON.stringify(boxes)}`);
      }
      assertNoConsoleErrors(page);
    }
  });

  test('waits of the records have the units of the page, and their schedule becomes a chart', async () => {
    const page = await lab.page(), file = join(lab.folder, 'night.sacct');
    const line = (id, start, end) => `${id}|a|COMPLETED|2026-01-02T03:00:00|2026-01-02T${start}|2026-01-02T${end}|02:00:00|4|1|01:00:00`;
    writeFileSync(file, `JobID|Partition|State|Submit|Start|End|Timelimit|NCPUS|NNodes|Elapsed\n${line(7, '03:00:00', '04:00:00')}\n${line(8, '04:00:00', '05:00:00')}\n`);
    await openFile(page, file);
    await click(page, '#ask-accept');
    await waitForCharts(page);
    await waitText(page, '#happened', 'mean wait 30 min, maximum wait 1 h');
    assert.equal(await textOf(page, '#as-schedule'), 'Add the file\'s actual schedule as a chart');
    await click(page, '#seconds');
    await waitText(page, '#happened', 'mean wait 1,800 s, maximum wait 3,600 s');
    await click(page, '#as-schedule');
    await waitText(page, '#notice', 'night.sacct is shown as an external schedule.');
    assertNoConsoleErrors(page);
  });
});
