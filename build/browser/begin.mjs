// This module prepares a file of browser tests and cleans up after it.
import { before, after, beforeEach } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, launch, open, recycle, isSpare, stopFunctions, sites, waitText } from './lab.mjs';
import { click, dropFile, firstExample, waitForCharts, openScenario } from './page.mjs';

// begin prepares a file of tests, or a group of tests in it. It creates an empty folder at once,
// and starts a server and a browser before the first test. Then it calls `prepare`, which cannot be
// a separate hook, because node runs the hooks of a file concurrently. It closes the pages, servers
// and browsers that a test opened, even if the test failed; otherwise node would never exit. `site`
// is one of the sites of lab.mjs, or false for no server. Use sites.shipped for tests of loading,
// offline use, hosting and performance. `browser` holds options of launch.
export function begin({ site = process.env.LAB_BENCH ? sites.shipped : sites.unpacked, engine, browser, prepare } = {}) {
  let common, opened = 0;
  const lab = {
    folder: mkdtempSync(join(tmpdir(), 'lab-files-')),
    // page opens the page and waits until the charts are drawn.
    async page({ fragment = '', ...options } = {}) {
      const page = await open(lab.browser, lab.url + fragment, options);
      await waitForCharts(page);
      return page;
    },
    // scenario opens the page and a scenario in it.
    scenario: (scenario, options) => openScenario(lab.browser, lab.url, lab.folder, scenario, options),
    // shared returns the page that the tests of a group share. It opens a scenario and the Jobs tab, and closes
    // the panels that an earlier test has opened. Sharing a page takes less CPU time than opening a new one.
    async shared(scenario = firstExample()) {
      if (!common || common.isClosed()) common = await lab.page();
      await common.bringToFront(); // Firefox draws no frames in a tab behind another
      common.messages.length = 0;
      await common.setViewport({ width: 1440, height: 900 });
      if (lab.browser.labEngine === 'chromium') await common.emulateMediaFeatures([]);
      if (await common.$('#gantt-0')) await common.focus('#gantt-0').then(() => common.keyboard.press('Escape')); // deselects the job and removes the cursor
      await common.evaluate(() => document.activeElement.blur());
      for (const button of ['#lesson-leave', ...['#step-through', '#more', '#unfold', '#compare-open', '#spread-open'].map(id => `${id}[aria-expanded=true]`)]) if (await common.$(button)) await click(common, button);
      await click(common, '#tab-jobs');
      await lab.reopen(common, scenario);
      return common;
    },
    // recycle empties a page for the next call of page, for tests that open pages in a loop.
    recycle: page => recycle(lab.browser, page, lab.url),
    // reopen opens another scenario in a page.
    async reopen(page, scenario) {
      const name = `scenario-${++opened}.json`;
      await dropFile(page, name, scenario);
      await waitText(page, '#notice', name);
      await waitForCharts(page);
    },
  };
  before(async () => {
    if (site) lab.url = (await serve(site)).url;
    lab.browser = (await launch(engine, browser)).browser;
    await prepare?.();
  });
  after(async () => {
    for (const stop of stopFunctions) await stop();
    rmSync(lab.folder, { recursive: true, force: true });
  });
  beforeEach(async t => {
    const pages = async () => (await lab.browser.pages()).filter(page => !isSpare(page) && page !== common);
    const existing = new Set([...stopFunctions, ...await pages()]);
    t.after(async () => {
      for (const page of await pages()) if (!existing.has(page)) await recycle(lab.browser, page, lab.url);
      for (const stop of stopFunctions) if (!existing.has(stop)) await stop();
    });
  });
  return lab;
}
