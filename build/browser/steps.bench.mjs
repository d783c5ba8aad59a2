// This test measures how fast the player shows any event of a run of 30,000 jobs.
import { test } from 'node:test';
import { chromiumOnly, assertNoConsoleErrors, waitText } from './lab.mjs';
import { selectOption, click, cpuTime, assertMedianTime } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin(), measured = chromiumOnly('measures how long its tasks take');

// timeSeek drags the slider to an event, and returns the time until the text, the chart and the
// plan show the event.
const timeSeek = (page, n) => page.evaluate(async n => {
  const slider = document.getElementById('player-slider'), begin = performance.now();
  slider.value = n;
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  const shown = () => {
    const result = document.getElementById('player-policy').selectedIndex, { plan } = document.getElementById(`gantt-${result}`).labChart;
    return document.getElementById('player-count').textContent.startsWith(`event ${n} of`) && plan?.event === n && ![...document.querySelectorAll('[data-chart]')].some(h => h.labChart.stale);
  };
  while (!shown()) await new Promise(requestAnimationFrame);
  await new Promise(done => { // the frame is painted
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
  return performance.now() - begin;
}, n);

test('the player shows any event of 30,000 jobs within 100 ms', { ...measured, timeout: 900_000 }, async t => {
  const page = await lab.scenario({
    version: 1, machine: { nodes: 128 }, policies: [{ name: 'easy' }, { name: 'conservative' }],
    workload: { generator: 'lublin', parameters: { jobs: 30_000, estimates: 'tsafrir' }, seed: 1 },
  });
  await click(page, '#step-through');
  await waitText(page, '#player-count', 'event 0 of', 30_000);
  for (const [i, name] of ['EASY', 'Conservative'].entries()) {
    if (i > 0) {
      await selectOption(page, '#player-policy', `${i + 1}: ${name}`);
      await page.waitForFunction(() => Number(document.getElementById('player-slider').max) > 100_000);
    }
    const events = Number(await page.$eval('#player-slider', el => el.max));
    await timeSeek(page, events >> 1); // the first seek prepares data for all others
    await assertMedianTime(t, `${name}: any of ${events} events`, 100, async () => {
      const clock = [], computing = [];
      for (let k = 1; k <= 25; k++) {
        const begin = cpuTime(lab.browser);
        clock.push(await timeSeek(page, 1 + (k * 7919 * 11) % (events - 1)));
        computing.push(cpuTime(lab.browser) - begin);
      }
      return { clock, computing };
    });
  }
  assertNoConsoleErrors(page);
});
