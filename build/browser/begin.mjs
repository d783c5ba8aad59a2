// The beginning and the end of a file of browser tests.
import { before, after, beforeEach } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, launch, open, stopFunctions, sites } from './lab.mjs';
import { waitForCharts, openScenario } from './page.mjs';

// begin gives a file, or a group of tests in it, an empty folder at once, and a server
// and a browser before its first test; `prepare` is what else is to be done with them
// then, since node runs hooks of a file side by side. What a test opens, pages, servers
// and browsers, is closed at its end, also when it fails: node would wait for it for
// ever. `site` is one of the sites of lab.mjs, false for none. It is the one as shipped where the
// test is about how a page starts, is stored or is hosted, and where times are bounded.
export function begin({ site = process.env.LAB_BENCH ? sites.shipped : sites.unpacked, engine, prepare } = {}) {
  const lab = {
    folder: mkdtempSync(join(tmpdir(), 'lab-files-')),
    // page opens the page and waits until the pictures are there.
    async page({ fragment = '', ...options } = {}) {
      const page = await open(lab.browser, lab.url + fragment, options);
      await waitForCharts(page);
      return page;
    },
    // scenario does so and opens a scenario, as a file.
    scenario: (scenario, options) => openScenario(lab.browser, lab.url, lab.folder, scenario, options),
  };
  before(async () => {
    if (site) lab.url = (await serve(site)).url;
    lab.browser = (await launch(engine)).browser;
    await prepare?.();
  });
  after(async () => {
    for (const stop of stopFunctions) await stop();
    rmSync(lab.folder, { recursive: true, force: true });
  });
  beforeEach(async t => {
    const pages = await lab.browser.pages(), kept = new Set([...stopFunctions, ...pages]);
    t.after(async () => {
      for (const page of await lab.browser.pages()) if (!kept.has(page)) await page.close();
      for (const stop of stopFunctions) if (!kept.has(stop)) await stop();
    });
  });
  return lab;
}
