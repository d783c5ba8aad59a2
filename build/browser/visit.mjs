// This module measures a first visit to the page, with nothing cached.
import { cpuTime, waitUntilIdle } from './page.mjs';

// waitForFirstChart waits until the first chart is drawn.
export const waitForFirstChart = page => page.waitForFunction(() => document.querySelector('[data-chart="gantt"]')?.labChart?.view, { timeout: 120_000 });

// visit opens an address in a new browser context. It returns the time at which each stage was
// reached, in ms after the request, the CPU time until the page was drawn, and the downloaded bytes and requests.
// It also returns the number of long tasks, and the time of the longest one.
export async function visit(browser, url, slower = 1) {
  const context = await browser.createBrowserContext(), page = await context.newPage();
  await page.evaluateOnNewDocument(() => {
    window.labTasks = [];
    new PerformanceObserver(list => labTasks.push(...list.getEntries().map(e => e.duration))).observe({ type: 'longtask' });
    new MutationObserver((_, it) => {
      if (!document.querySelector('#cell-0-1')) return;
      it.disconnect();
      performance.mark('fields');
    }).observe(document, { childList: true, subtree: true });
  });
  await waitUntilIdle(browser);
  if (slower > 1) await page.emulateCPUThrottling(slower); // throttling uses CPU time itself
  const idle = cpuTime(browser);
  await page.goto(url, { timeout: 120_000 });
  await page.waitForFunction(() => performance.getEntriesByName('lab drawn').length, { timeout: 120_000 });
  const computing = cpuTime(browser) - idle;
  await waitForFirstChart(page);
  const seen = await page.evaluate(() => {
    const at = name => performance.getEntriesByName(name)[0].startTime;
    const loads = performance.getEntriesByType('resource');
    return {
      compiled: at('lab compiled'), drawn: Math.max(at('lab drawn'), at('fields')), chart: performance.now(),
      bytes: loads.concat(performance.getEntriesByType('navigation')).reduce((sum, e) => sum + e.encodedBodySize, 0), requests: loads.length + 1,
      longest: Math.max(0, ...labTasks), tasks: labTasks.length,
    };
  });
  await context.close();
  return { ...seen, computing };
}
