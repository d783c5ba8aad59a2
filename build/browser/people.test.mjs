// Tests a first visit to the page, and the use of lessons, figures and tables.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { open, waitForFrames, assertNoConsoleErrors, textOf, waitText } from './lab.mjs';
import { click, downloads, assertAccessible, waitForCharts, waitForStableAddress, valueOf, openFile, selectOption, type } from './page.mjs';
import { begin } from './begin.mjs';
import { engineMissing, repeated } from './anywhere.mjs';

const boxOf = (page, selector) => page.$eval(selector, el => { const r = el.getBoundingClientRect(); return { top: r.top, right: r.right, bottom: r.bottom, height: r.height }; });
const isVisible = (page, selector) => page.$eval(selector, el => !!el.offsetParent && getComputedStyle(el).visibility === 'visible');

for (const engine of ['chromium', 'firefox']) describe(engine, { skip: engineMissing(engine) }, () => {
  const lab = begin({ engine });

  test('the first visit explains what the page is, who it is for, and what to click', async () => {
    const page = await lab.page();
    const welcome = await textOf(page, '#welcome');
    for (const phrase of ['how a parallel machine schedules its jobs', 'For teaching, research and cluster operation']) assert.ok(welcome.includes(phrase), welcome);
    await click(page, '#welcome-example');
    await waitText(page, '.title', 'Backfilling: a short job starts early');
    assert.equal(await page.$('#welcome'), null);
    assertNoConsoleErrors(page);
  });

  test('at every width, every part of the header can be reached', repeated(engine), async () => {
    const page = await lab.page();
    for (const width of [1440, 1024, 813, 768, 640, 390]) {
      await page.setViewport({ width, height: 900 });
      await waitForFrames(page);
      assert.ok((await boxOf(page, '.top')).height <= 49, `the header has one line at ${width}`);
      const menus = await isVisible(page, '#menus');
      if (menus) await click(page, '#menus');
      for (const id of ['examples', 'lessons', 'open', 'share', 'export', 'theme', 'keys']) {
        assert.ok(await isVisible(page, `#${id}`), `${id} at ${width}`);
        assert.ok((await boxOf(page, `#${id}`)).right <= width, `${id} at ${width}`);
      }
      if (menus && width > 390) await click(page, '#menus');
    }
    await click(page, '#examples');
    await click(page, '#menus-list .list button:nth-child(3)');
    await waitText(page, '.title', 'One reservation, or one for every job');
    await click(page, '.drawer');
    const edit = await boxOf(page, '#edit'), stage = await boxOf(page, '.stage');
    assert.ok(stage.bottom <= edit.top + 1 && stage.height > 250, 'the chart stays visible above the panel');
    assertNoConsoleErrors(page);
  });

  test('a step of a lesson shows its text and its charts, and nothing later', repeated(engine), async () => {
    for (const [width, height] of [[1440, 900], [1024, 768], [720, 450]]) {
      const page = await lab.page({ width, height, fragment: '#v=1&lesson=intro-backfilling&step=1' });
      await waitText(page, '#lesson-page', 'step 1 of 2');
      await waitForCharts(page);
      const last = await boxOf(page, '#strip');
      assert.ok(last.bottom <= height, `the charts end at ${last.bottom} of ${height}`);
      assert.ok(last.height < 24, 'only the axis of the curves is visible');
      for (const later of ['#overview', '.scores', '.fact', '#player']) assert.ok(!await isVisible(page, later), later);
      await lab.recycle(page);
    }
  });

  test('a step hides the schedules of policies that the lesson explains later, and later use of memory', repeated(engine), async () => {
    // covered returns the colour with which the upper layer of a chart hides the schedule, at a time
    // and a fraction of the chart's height. It returns '' if the schedule is visible there.
    const covered = (page, host, t, part) => page.$eval(host, (el, time, y) => {
      const { canvas } = el.labChart.layers[1], [t0, t1] = labChart.window();
      const [r, g, b, a] = el.labChart.layers[1].getImageData(Math.round((time - t0) / (t1 - t0) * canvas.width), Math.round(canvas.height * y), 1, 1).data;
      return a === 255 ? [r, g, b].join() : '';
    }, t, part);
    const page = await lab.page({ fragment: '#v=1&lesson=intro-promises&step=1' });
    await waitText(page, '#player-text', 'Job C starts');
    await waitForFrames(page);
    const paper = await covered(page, '#gantt-0', 22.5, 0.1);
    assert.notEqual(paper, '');
    for (const [t, y] of [[5.5, 0.2], [11.5, 0.2], [14.5, 0.9]]) assert.equal(await covered(page, '#gantt-1', t, y), paper, `E, C and D of the lower chart are hidden: ${t}`);
    assert.equal(await covered(page, '#gantt-0', 9, 0.9), '', 'B of the upper chart is visible');
    assert.equal(await page.$eval('#summary-1', el => /mean wait/.test(el.textContent)), false);
    await click(page, '#lesson-next');
    await waitText(page, '#player-text', 'Job E starts');
    await waitForFrames(page);
    assert.equal(await covered(page, '#gantt-1', 1, 0.9), '', 'the lower chart is shown when the lesson comes to it');
    await page.goto(lab.url + '#v=1&lesson=leinberger-balance&step=2');
    await waitText(page, '#player-text', 'Job H is submitted');
    await waitForCharts(page);
    for (const host of ['#use-0-0', '#use-1-0']) assert.notEqual(await covered(page, host, 6, 0.6), '', 'memory');
    assertNoConsoleErrors(page, /willReadFrequently/);
  });

  test('the player names the promise that makes another job wait, like the text of the lesson', repeated(engine), async () => {
    const page = await lab.page({ fragment: '#v=1&lesson=intro-promises&step=2' });
    await click(page, '#step-through');
    await waitText(page, '#player-instead', 'Job D: 1 processor is free now, but the job may run for 12 s, and job C holds a reservation of 4 processors from 10.');
    assert.equal(await textOf(page, '#player-free-title'), 'Free and unreserved processors, if jobs run as estimated');
    assert.deepEqual(await page.$$eval('#player-free th', all => all.map(el => el.textContent)), ['from', 'before the event', 'after the event']);
    assertNoConsoleErrors(page);
  });

  test('in a step of a lesson, Find selects a job and reveals nothing that happens later', repeated(engine), async () => {
    const page = await lab.page({ fragment: '#v=1&lesson=intro-backfilling&step=1' });
    await waitText(page, '#lesson-page', 'step 1 of 2');
    await click(page, '#step-through');
    await waitForCharts(page);
    const window = () => page.evaluate(() => labChart.window().join()), before = await window();
    for (const name of ['B', 'D', 'F']) {
      await page.click('#find', { count: 3 });
      await page.keyboard.type(name);
      await waitText(page, '#why-title', `Job ${name}`);
      const said = await textOf(page, '#why');
      assert.match(said, /started\s*not yet/, `${name}: ${said}`);
      assert.ok(!/started at/.test(said), `${name}: ${said}`);
      assert.equal(await window(), before, 'the charts do not move to a later start');
    }
    assertNoConsoleErrors(page);
  });

  test('after a click on Question, no choice is under the pointer', repeated(engine), async () => {
    for (const [name, steps] of [['intro-chart', 3], ['intro-fcfs', 2], ['intro-backfilling', 2]]) {
      const page = await lab.page({ fragment: `#v=1&lesson=${name}&step=${steps}` });
      await waitText(page, '#lesson-next', 'Question');
      const place = await page.$eval('#lesson-next', el => {
        const at = el.getBoundingClientRect();
        return [at.x + at.width / 2, at.y + at.height / 2];
      });
      await page.mouse.click(...place);
      await page.waitForSelector('.choice');
      assert.equal(await page.evaluate((x, y) => document.elementFromPoint(x, y).closest('.choice')?.textContent, ...place), undefined, name);
      assertNoConsoleErrors(page);
      await lab.recycle(page);
    }
  });

  test('on a tablet and a phone, the panel leaves the question and the charts visible', repeated(engine), async () => {
    for (const [width, height] of [[1024, 768], [768, 1024], [390, 844]]) {
      const page = await lab.page({ width, height, fragment: '#v=1&lesson=intro-promises&step=4' });
      await click(page, '#lesson-panel');
      await page.waitForFunction(() => document.activeElement.id === 'tab-jobs');
      await waitForFrames(page);
      // isCovered reports whether another element lies over the middle or an edge of an element.
      const isCovered = selector => page.$eval(selector, el => {
        const { left, right, top, bottom } = el.getBoundingClientRect(), y = (top + bottom) / 2;
        return [left + 3, (left + right) / 2, right - 3].some(x => ![el, ...el.querySelectorAll('*')].includes(document.elementFromPoint(x, y)));
      });
      for (const part of ['#lesson-title', '#lesson-text p', '#choice-0', '#choice-2', '#lesson-next', '#gantt-0', '#gantt-1', '#cell-5-3']) {
        assert.equal(await isCovered(part), false, `${part} at ${width}`);
      }
      await assertAccessible(page, `the panel over a lesson at ${width}`);
      await lab.recycle(page);
    }
  });

  test('a person who leaves a step can return to it; Back leaves the lesson', repeated(engine), async () => {
    const page = await lab.page();
    const before = await textOf(page, '.title');
    await click(page, '#introduction');
    await waitText(page, '#lesson-title', 'Introduction 1');
    await click(page, '#lesson-next');
    await click(page, '#lesson-next');
    await waitForCharts(page);
    assert.equal(await page.$('#lesson-return'), null);
    await click(page, '#step-through');
    await click(page, '#player-next');
    await click(page, '#lesson-return');
    await page.waitForFunction(() => !document.getElementById('lesson-return'));
    while (!(await textOf(page, '#lesson-page')).startsWith('question')) await click(page, '#lesson-next');
    const shown = await textOf(page, '#player-count');
    assert.equal(await page.$('#lesson-return'), null);
    await click(page, '#player-before');
    await waitText(page, '#lesson-return', 'Return to this question');
    await click(page, '#lesson-return');
    await waitText(page, '#player-count', shown);
    await page.waitForFunction(() => !document.getElementById('lesson-return'));
    await click(page, '#choice-0');
    await waitText(page, '#lesson-verdict', 'Not quite. D does not start when it is submitted');
    await click(page, '#choice-2');
    await waitText(page, '#lesson-verdict', 'Right. It starts at 6');
    await waitForStableAddress(page);
    await page.goBack();
    await waitText(page, '.title', before);
    assert.equal(await page.$('#lesson'), null);
    assertNoConsoleErrors(page);
  });

  test('Back leads from lesson to lesson to the start, and Forward again', repeated(engine), async () => {
    const page = await lab.page(), count = () => page.evaluate(() => history.length), before = await count();
    const settle = () => waitForStableAddress(page);
    const openSecond = async () => {
      await click(page, '#lessons');
      await click(page, '.gallery button:nth-child(2)');
      await waitText(page, '#lesson-title', 'Introduction 2');
      await settle();
    };
    await click(page, '#introduction');
    await waitText(page, '#lesson-title', 'Introduction 1');
    await click(page, '#lesson-next');
    await settle();
    await openSecond();
    await openSecond(); // opening the same lesson again adds no entry
    assert.equal(await count(), before + 2);
    await page.goBack();
    await waitText(page, '#lesson-title', 'Introduction 1');
    await waitText(page, '#lesson-page', 'step 1 of');
    await settle();
    await page.evaluate(() => new Promise(done => { // goes forward again before the page has updated the address after the step back
      const look = () => document.getElementById('lesson') ? requestAnimationFrame(look) : done(history.forward());
      history.back();
      look();
    }));
    await waitText(page, '#lesson-title', 'Introduction 1');
    await settle();
    await page.goBack();
    await waitText(page, '.title', 'EASY and conservative backfilling');
    assert.equal(await page.$('#lesson'), null);
    await settle();
    await page.goForward();
    await waitText(page, '#lesson-title', 'Introduction 1');
    await click(page, '#lesson-leave');
    await page.waitForFunction(() => !document.getElementById('lesson'));
    await settle();
    await page.goBack();
    await waitText(page, '.title', 'EASY and conservative backfilling');
    assert.equal(await count(), before + 2);
    assertNoConsoleErrors(page);
  });

  test('a figure for slides: parts, background and size can be selected, and the file equals the preview', async () => {
    const page = await lab.page(), files = await downloads(page);
    await page.focus('#cell-3-1');
    await waitText(page, '#why-title', 'Job 4');
    await click(page, '#export');
    await click(page, '#export-figure');
    await page.waitForSelector('#lab-figure-view svg');
    const svg = () => page.$eval('#lab-figure-view', el => el.innerHTML);
    const first = await svg();
    for (const phrase of ['EASY and conservative backfilling', 'mean wait', '>backfilled<', '>queue<']) assert.ok(first.includes(phrase), phrase);
    for (const phrase of ['planned start, according to the plan at the marked time', 'several jobs too small', 'left edge: job resumed']) assert.ok(!first.includes(phrase), `the legend has only what is drawn, not ${phrase}`);
    assert.ok(!first.includes('#0b5cc0'), 'no mark of the selected job');
    assert.ok(first.includes('fill="#ffffff"'), 'white is white');
    assert.ok(first.includes('Both under EASY.'), 'the curves name their policy');
    await page.click('#lab-figure [name=chart0]');
    const other = await svg();
    assert.ok(first.includes('>+0.17<') && !other.includes('>+0.17<') && other.includes('>6.42 s<'), 'no difference without the baseline');
    await page.click('#lab-figure [name=chart0]');
    await page.$eval('#lab-figure [name=title]', el => { el.value = ''; });
    for (const name of ['legend', 'curve', 'chart1']) await page.click(`#lab-figure [name=${name}]`);
    await page.select('#lab-figure [name=paper]', 'transparent');
    await page.$eval('#lab-figure [name=width]', el => { el.value = 640; el.dispatchEvent(new Event('input', { bubbles: true })); });
    const part = await svg();
    for (const phrase of ['EASY and conservative backfilling</text>', '>backfilled<', '>queue<', '>Conservative<']) assert.ok(!part.includes(phrase), phrase);
    assert.match(part, /width="640"/);
    assert.match(part, />40</, 'the axis is under the last chart');
    await page.click('#lab-figure [value=svg]');
    const { name, data } = await files.next();
    assert.equal(name, 'figure.svg');
    await waitText(page, '#lab-figure [role=status]', 'Saved figure.svg');
    assert.ok(!data.toString().includes('fill="#ffffff" fill-opacity="1"><path d="M 0 0'), 'no background');
    assert.equal(await page.evaluate(text => new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror').length, data.toString()), 0);
    await page.select('#lab-figure [name=scale]', '3');
    await page.click('#lab-figure [value=png]');
    const png = (await files.next()).data;
    assert.deepEqual([png.toString('latin1', 1, 4), png.readUInt32BE(16)], ['PNG', 1920]);
    files.stop();
    await assertAccessible(page, 'the figure dialog', '#lab-figure');
    assertNoConsoleErrors(page);
  });

  test('a figure has the title that was typed, and its dialog keeps its height', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#export');
    await click(page, '#export-figure');
    await page.waitForSelector('#lab-figure-view svg');
    const before = await boxOf(page, '#lab-figure');
    assert.equal(await valueOf(page, '#lab-figure [name=title]'), 'EASY and conservative backfilling');
    const size = value => page.$eval('#lab-figure [name=size]', (el, value) => { el.value = value; el.dispatchEvent(new Event('input', { bubbles: true })); }, value);
    await size(18); // a text that fits into the line stays in one piece
    assert.match(await page.$eval('#lab-figure-view', el => el.innerHTML), />Time in seconds\. Area: busy processors, of 8\. Line: waiting jobs\. Both under EASY\.</);
    await size(11);
    await page.click('#lab-figure [name=title]', { count: 3 });
    await page.keyboard.type('Figure 4');
    const svg = await page.$eval('#lab-figure-view', el => el.innerHTML);
    assert.ok(svg.includes('>Figure 4</text>') && svg.includes('<title>Figure 4</title>') && !svg.includes('EASY and conservative'), svg.slice(0, 600));
    for (const name of ['chart1', 'legend', 'curve']) await page.click(`#lab-figure [name=${name}]`);
    assert.deepEqual(await boxOf(page, '#lab-figure'), before);
    await page.keyboard.press('Escape');
    await click(page, '#export');
    await click(page, '#export-figure');
    await page.waitForSelector('#lab-figure-view svg');
    assert.equal(await valueOf(page, '#lab-figure [name=title]'), 'Figure 4');
    assertNoConsoleErrors(page);
  });

  test('the title of a figure names only the schedules in it', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#clear');
    await click(page, '#add');
    for (const [k, text] of ['0', '1', '5', '5'].entries()) await type(page, `#cell-0-${k + 1}`, text);
    await waitForCharts(page);
    const title = () => valueOf(page, '#lab-figure [name=title]');
    for (let i = 0; i < 2; i++) { // a new dialog has all schedules
      await click(page, '#export');
      await click(page, '#export-figure');
      await page.waitForSelector('#lab-figure-view svg');
      assert.equal(await title(), 'EASY, Conservative');
      await page.click('#lab-figure [name=chart1]');
      assert.equal(await title(), 'EASY');
      assert.ok((await page.$eval('#lab-figure-view', el => el.innerHTML)).includes('<title>EASY</title>'));
      if (i === 0) await page.keyboard.press('Escape');
    }
    await page.click('#lab-figure [name=title]', { count: 3 });
    await page.keyboard.type('Slide 1');
    await page.click('#lab-figure [name=chart1]');
    assert.equal(await title(), 'Slide 1', 'a title that was typed stays');
    assertNoConsoleErrors(page);
  });

  // scaleWallTimes opens the form for scaling estimates, types the factor 0.5, and selects that
  // longer jobs are killed.
  async function scaleWallTimes(page) {
    await click(page, '#tab-workload');
    await click(page, '#op-walls');
    await type(page, '#op-walls-factor', '0.5');
    await selectOption(page, '#op-walls-overrun', 'kill the job at the new estimate');
  }

  test('a reload keeps the marks of jobs that are killed at their estimates', repeated(engine), async () => {
    const page = await lab.page(), files = await downloads(page);
    const killed = async () => {
      await click(page, '#export');
      await click(page, '#save');
      return JSON.parse((await files.next()).data).workload.jobs.filter(j => j.killed).map(j => j.id);
    };
    await scaleWallTimes(page);
    await click(page, '#op-walls-do');
    await waitText(page, '#notice', '7 of 12 jobs run longer than their new estimates and are killed.');
    const before = await killed();
    assert.ok(before.length > 0);
    await new Promise(r => setTimeout(r, 800)); // the address follows the page
    await page.reload();
    await waitForCharts(page);
    assert.deepEqual(await killed(), before);
    files.stop();
    assertNoConsoleErrors(page);
  });

  test('jobs of a table without estimates are never killed', repeated(engine), async () => {
    const csv = join(lab.folder, 'without.csv');
    writeFileSync(csv, 'id,submit,procs,estimate,runtime\na,0,2,,40\nb,1,2,60,50\n');
    const page = await lab.page();
    await openFile(page, csv);
    await waitText(page, '#notice', 'without.csv');
    await waitForCharts(page);
    await scaleWallTimes(page);
    await waitText(page, '#op-walls-says', '1 of 2 jobs runs longer than its new estimate and is killed. The estimate of 1 job without a wall time limit does not change.');
    assertNoConsoleErrors(page);
  });

  test('if drawing the jobs of a link is cancelled, the page says that it shows another scenario', repeated(engine), async () => {
    const scenario = Buffer.from(JSON.stringify({ version: 1, title: 'Many', machine: { nodes: 128 }, workload: { generator: 'lublin', parameters: { jobs: '1000000' }, seed: 1 }, policies: [{ name: 'easy' }] }));
    const length = [scenario.length & 127 | 128, scenario.length >> 7], none = [0, 0, 0];
    const fragment = '#v=1&s=' + deflateRawSync(Buffer.concat([Buffer.from(length), scenario, Buffer.from(none)])).toString('base64url');
    const page = await open(lab.browser, lab.url + fragment);
    await page.waitForSelector('#cancel');
    await click(page, '#cancel');
    await waitText(page, '#ungenerated', 'The link was not opened, because its jobs were not generated. The page still shows “EASY and conservative backfilling”.');
    await waitForCharts(page);
    await page.focus('#cell-3-1');
    await waitText(page, '#why-title', 'Job 4');
    await new Promise(r => setTimeout(r, 1000)); // the address follows the page
    assert.equal(await page.evaluate(() => location.hash), fragment, 'the address keeps the link');
    await assertAccessible(page, 'a link that was not drawn');
    await click(page, '#ungenerated-again');
    await page.waitForSelector('#cancel');
    assert.equal(await page.$('#ungenerated'), null);
    await click(page, '#cancel');
    await page.waitForSelector('#ungenerated');
    await type(page, '#cell-3-4', '8');
    await page.waitForFunction(old => !document.querySelector('#ungenerated') && location.hash !== old, {}, fragment);
    assertNoConsoleErrors(page);
  });

  test('each tab keeps its own scroll position', repeated(engine), async () => {
    const page = await lab.page({ height: 500 }), top = () => page.$eval('.edit > [role="tabpanel"]', el => el.scrollTop);
    await click(page, '#tab-policies');
    await page.$eval('.edit > [role="tabpanel"]', el => { el.scrollTop = 300; });
    await waitForFrames(page);
    await click(page, '#tab-machine');
    await page.waitForSelector('[aria-labelledby="tab-machine"]');
    assert.equal(await top(), 0);
    await page.$eval('.edit > [role="tabpanel"]', el => { el.scrollTop = 40; });
    await waitForFrames(page);
    await click(page, '#tab-policies');
    await page.waitForSelector('[aria-labelledby="tab-policies"]');
    assert.equal(await top(), 300);
    await click(page, '#tab-jobs');
    await page.waitForSelector('.edit .grid');
    await page.$eval('.edit .grid', el => { el.scrollTop = 56; });
    await waitForFrames(page);
    await click(page, '#tab-machine');
    await page.waitForSelector('[aria-labelledby="tab-machine"]');
    assert.equal(await top(), 40);
    await click(page, '#tab-jobs');
    await page.waitForSelector('.edit .grid');
    assert.ok(Math.abs(await page.$eval('.edit .grid', el => el.scrollTop) - 56) < 2); // Chromium includes the border
    assertNoConsoleErrors(page);
  });

  test('on a phone, all metrics fit the screen, and the keyboard scrolls the free processors', async () => {
    const page = await lab.page({ width: 390, height: 844 });
    await waitForCharts(page);
    await click(page, '#more');
    await page.waitForSelector('#measures');
    assert.equal(await page.$eval('.scores .wide', el => el.scrollWidth - el.clientWidth), 0);
    assert.ok(await page.$$eval('#measures td, #measures tbody th', all => all.every(el => el.getBoundingClientRect().right <= 390)));
    const row = await page.$eval('#measures tbody tr:nth-child(3)', el => [...el.children].map(x => getComputedStyle(x, '::before').content.replace('attr(data-policy)', JSON.stringify(x.dataset.policy))));
    assert.deepEqual(row.slice(1, 4), ['"EASY"', '"Conservative"', '"unit: "'], 'each number names its policy'); // Firefox does not evaluate attr()
    await assertAccessible(page, 'all metrics on a phone');
    await click(page, '#step-through');
    await page.waitForSelector('#player-free tr');
    for (let i = 0; i < 3; i++) await click(page, '#player-next');
    await waitText(page, '#player-count', 'event 3 of');
    await page.$eval('#player-free', el => { el.style.width = '900px'; });
    await page.$eval('#player-slider', el => el.focus());
    const group = () => page.evaluate(() => document.activeElement.matches('.profile'));
    for (let i = 0; i < 40 && !await group(); i++) await page.keyboard.press('Tab');
    assert.ok(await group(), 'Tab reaches the table');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.activeElement.scrollLeft > 0);
    assertNoConsoleErrors(page);
  });

  test('knobs and their values have titles in the panel, in charts and in what-if', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#tab-policies');
    const order = '#knob-0-order', options = selector => page.$$eval(`${selector} option`, all => all.map(o => o.textContent));
    assert.equal(await textOf(page, `label[for=knob-0-order]`), 'Queue order');
    assert.deepEqual(await options(order), ['first in, first out (FIFO)', 'shortest first (SJF)', 'longest first (LJF)', 'widest first (WJF)', 'narrowest first (NJF)', 'a formula']);
    await selectOption(page, order, 'sjf');
    await waitText(page, '#scores', 'EASY, queue order: shortest first (SJF)');
    await waitText(page, '#charts', 'EASY, queue order: shortest first (SJF)');
    await click(page, '#policy-0-folded');
    assert.match(await textOf(page, '#knob-0-fallback-help'), /^No effect here: only with backfill candidate: least used resource \(BL\)\./);
    await click(page, '#tab-jobs');
    await page.focus('#cell-3-1');
    await waitText(page, '#why-title', 'Job 4');
    assert.deepEqual((await options('#if-policy')).slice(0, 3), ['the policies shown', 'FCFS', 'First fit']);
    assert.ok((await options('#if-policy')).includes('EASY, picks the job that best balances resources (FCFS/BB-EASY, Leinberger et al. 1999)'));
    await assertAccessible(page, 'knobs in words');
    assertNoConsoleErrors(page);
  });

  test('on a narrow screen, a button leads to the metrics, which are below the charts', repeated(engine), async () => {
    const page = await lab.page({ width: 390, height: 844 });
    const visible = () => page.$eval('#scores tbody tr', el => el.getBoundingClientRect().bottom <= innerHeight);
    assert.equal(await visible(), false);
    await click(page, '#to-scores');
    await page.waitForFunction(() => document.querySelector('#scores tbody tr').getBoundingClientRect().bottom <= innerHeight);
    await page.setViewport({ width: 1440, height: 900 });
    await page.waitForFunction(() => document.querySelector('#to-scores').getBoundingClientRect().width === 0);
    assert.ok(await page.evaluate(() => document.querySelector('#scores').getBoundingClientRect().bottom < document.querySelector('#gantt-0').getBoundingClientRect().top), 'the metrics are above the charts');
    assertNoConsoleErrors(page);
  });

  test('a table is exported as LaTeX, Markdown and CSV', repeated(engine), async () => {
    const page = await lab.page();
    await click(page, '#export');
    await click(page, '#export-tables');
    const text = async format => {
      await page.select('#lab-tables [name=format]', format);
      return valueOf(page, '#lab-tables-view');
    };
    assert.match(await text('tex'), /^% Metrics\n% [^\n]*: 12 jobs on 8 nodes\.\n% mean wait: [^\n]+\n% max wait: [^\n]+\n% bounded slowdown: [^\n]+ 10 s, [^\n]+ max\(p, tau\)[^\n]+\n% utilization: [^\n]+\n% makespan: [^\n]+\n% Needs \\usepackage\{booktabs\}\n\\begin\{tabular\}\{lrrrrrr\}\n\\toprule\npolicy & mean wait, s & .*utilization, \\% .*\\\\\n\\midrule\nEASY & 6.25 & 16 & 1.35 & 80.1 & 47 & none \\\\/);
    assert.match(await text('md'), /^Metrics\. .*: 12 jobs on 8 nodes\.\n\n\| policy \| mean wait, s \|.*\n\| --- \| ---: \|.*\n\| EASY \| 6.25 \|/);
    assert.match(await text('csv'), /^policy,"mean wait, s",.*\nEASY,6.25,16,1.352083333333333,80.0531914894,47,none\n/);
    assert.ok(await page.$eval('#lab-tables [name=seconds]', el => el.disabled), 'the page already shows seconds');
    await assertAccessible(page, 'the tables dialog', '#lab-tables');
    const tables = () => page.$$eval('#lab-tables [name=table] option', all => all.map(o => o.textContent));
    await page.waitForFunction(() => document.querySelectorAll('#lab-tables [name=table] option').length > 6);
    assert.deepEqual(await tables(), ['Metrics', 'All metrics', 'Jobs that gain most', 'Jobs that lose most', 'Gain and loss by size',
      'Distribution of wait, all jobs', 'Distribution of wait, by size', 'Distribution of bounded slowdown, all jobs', 'Distribution of bounded slowdown, by size']);
    assert.equal(await page.$('.compare table'), null, 'the comparison on the page stays closed');
    await page.select('#lab-tables [name=table]', '2');
    assert.match(await text('csv'), /^job,EASY,Conservative,/);
    assertNoConsoleErrors(page);
  });

  test('an exported table has seconds for programs, differences, and the selected metrics', repeated(engine), async () => {
    const jobs = [[0, 4, 4000, 4000], [60, 4, 4000, 4000], [90, 2, 100, 100]].map(([submit, procs, estimate, runtime], i) => ({ id: `${i + 1}`, submit, procs, estimate, runtime }));
    const page = await lab.scenario({ version: 1, machine: { nodes: 4 }, workload: { jobs }, policies: [{ name: 'fcfs' }, { name: 'easy', knobs: { order: 'sjf' } }] });
    await click(page, '#export');
    await click(page, '#export-tables');
    const text = () => valueOf(page, '#lab-tables-view');
    await page.select('#lab-tables [name=format]', 'md');
    assert.match(await text(), /^Metrics\. scenario\.json: 3 jobs on 4 nodes\.\n\n\| policy \| mean wait, min \|.*\n.*\n\| FCFS \| 65.83 \|/);
    await page.click('#lab-tables [name=deltas]');
    assert.match(await text(), /\| [\d.]+ \(−[\d.]+\) \|/);
    await page.click('#lab-tables [name=seconds]');
    assert.match(await text(), /\| policy \| mean wait, s \| max wait, s \|.*\n.*\n\| FCFS \| 3950 \|.*\n.*\| 2650 \(−1300\) \|/);
    await page.select('#lab-tables [name=format]', 'csv');
    const [head, first, second] = (await text()).split('\n').map(line => line.match(/"[^"]*"|[^,]+/g));
    assert.deepEqual(head.slice(0, 3), ['policy', '"mean wait, s"', '"mean wait, s (difference)"']);
    assert.deepEqual(first.slice(0, 3), ['FCFS', '3950', '0']);
    assert.equal(Number(second[1]) - 3950, Number(second[2]));
    await page.evaluate(() => [...document.querySelectorAll('#lab-tables-columns label')].find(l => l.textContent === ' Longest queue').click());
    assert.match(await text(), /^[^\n]*,Longest queue,Longest queue \(difference\)\n/);
    await page.select('#lab-tables [name=table]', '1');
    assert.match(await text(), /^metric,FCFS,[^\n]*\nJobs,3,/);
    assertNoConsoleErrors(page);
  });

  test('the strip shows the selected policy, also after a run, and in a figure', repeated(engine), async () => {
    const page = await lab.page(), queue = () => page.$eval('#strip', el => `${el.labChart.view.pieces}`);
    await waitForCharts(page);
    const first = await queue();
    await selectOption(page, '#strip-policy', '1');
    await page.waitForFunction(() => document.querySelector('#strip').labChart.view.result === 1);
    assert.notEqual(await queue(), first);
    assert.match(await page.$eval('#strip', el => el.ariaLabel), /under Conservative$/);
    await type(page, '#cell-3-4', '8');
    await waitForCharts(page);
    assert.equal(await page.$eval('#strip', el => el.dataset.result), '1');
    await click(page, '#export');
    await click(page, '#export-figure');
    await waitText(page, '#lab-figure-view', 'Both under Conservative.');
    const described = () => page.$eval('#lab-figure-view desc', el => el.textContent);
    assert.match(await described(), /^EASY mean wait [^]*^Conservative mean wait /m);
    await page.click('#lab-figure [name=chart1]');
    await waitText(page, '#lab-figure-view', 'Both under EASY.'); // the strip follows the charts of the figure
    assert.equal(await page.$eval('#strip', el => el.labChart.view.result), 0);
    assert.doesNotMatch(await described(), /Conservative/);
    await page.click('#lab-figure [name=chart0]');
    await page.click('#lab-figure [name=chart1]');
    await waitText(page, '#lab-figure-view', 'Both under Conservative.');
    assert.doesNotMatch(await described(), /EASY|[+−]/, 'no difference from a chart that is left out');
    await page.click('#lab-figure [name=curve]');
    await page.waitForFunction(() => !document.getElementById('lab-figure-view').textContent.includes('Both under'));
    await waitText(page, '#lab-figure-view', 'Time in seconds.');
    assertNoConsoleErrors(page);
  });

  test('the schedule table keeps the names of the jobs in view, and its column widths, while a person scrolls', repeated(engine), async () => {
    const jobs = Array.from({ length: 400 }, (_, i) => ({ id: `job${i}`, submit: i < 300 ? i : 10 ** 7 + i, procs: 1, runtime: i === 399 ? 4_000_000 : 9, estimate: 4_000_000 }));
    const page = await lab.scenario({ version: 1, machine: { nodes: 4 }, workload: { jobs }, policies: [{ name: 'easy' }, { name: 'conservative' }] }, { width: 390, height: 844 });
    await click(page, '#unfold');
    await page.waitForSelector('#line-0-0');
    const look = (left, top) => page.evaluate(async (x, y) => {
      const table = document.getElementById('schedules');
      table.scrollTo(x, y);
      await new Promise(done => setTimeout(done, 500));
      const { left, top, height } = table.getBoundingClientRect(), box = table.querySelector('tbody tr:not(.space) th').getBoundingClientRect();
      return { widths: [...table.querySelectorAll('thead tr:last-child th')].map(th => th.getBoundingClientRect().width), first: box.left - left, head: table.querySelector('thead tr:last-child th').getBoundingClientRect().left - left, scrolled: table.scrollLeft, top: height > 0 && top };
    }, left, top);
    const start = await look(0, 0), side = await look(200, 0), end = await look(200, 1e6);
    assert.ok(side.scrolled > 100, `${side.scrolled}`);
    for (const view of [side, end]) assert.deepEqual([view.first, view.head], [start.first, start.head]);
    assert.deepEqual(end.widths, start.widths);
    await click(page, '#sort-2');
    assert.deepEqual((await look(0, 0)).widths, start.widths);
    await assertAccessible(page, 'the schedule table', '#schedules');
    assertNoConsoleErrors(page);
  });

  test('on a phone, each panel has a button that closes it, and the time axis has at least three labels', repeated(engine), async () => {
    const page = await lab.page({ width: 390, height: 844 });
    const shown = id => page.$eval(id, el => el.offsetParent !== null);
    for (const [part, close] of [['edit', '#edit-close'], ['why', '#why-hide']]) {
      await click(page, `#open-${part}`);
      assert.ok(await shown(`#${part}`));
      await assertAccessible(page, `the panel ${part}`, `#${part}`);
      await page.focus(close);
      await page.keyboard.press('Enter');
      await page.waitForFunction(p => document.getElementById(p).offsetParent === null && document.activeElement.id === `open-${p}`, {}, part);
    }
    for (let width = 320; width < 420; width += 10) {
      for (const end of [23, 45, 99, 12_345, 200_001]) {
        const labels = await page.evaluate((w, t) => globalThis.labTicks(0, t, w - 64).length / 2, width, end);
        assert.ok(labels >= 3, `${labels} labels up to ${end} at ${width}`);
      }
    }
    assertNoConsoleErrors(page);
  });

  test('the strip and the player follow the chart in which a person selects a job', repeated(engine), async () => {
    const page = await lab.page();
    for (const [chart, title] of [[1, 'Conservative'], [0, 'EASY'], [1, 'Conservative']]) {
      await page.focus(`#gantt-${chart}`);
      for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
      await page.waitForFunction((r, t) => document.getElementById('strip').dataset.result === String(r)
        && document.getElementById('strip-policy').selectedOptions[0].textContent === t
        && document.getElementById('step-through').title === `Step through the schedule of ${t}`, {}, chart, title);
    }
    await click(page, '#step-through');
    await page.waitForFunction(() => document.querySelector('#player-policy')?.selectedOptions[0].textContent === '2: Conservative');
    assertNoConsoleErrors(page);
  });

  test('all metrics: explanations are complete, and maxima lead to their job and time', repeated(engine), async () => {
    for (const [width, height] of [[1440, 900], [1024, 768]]) {
      const page = await lab.page({ width, height });
      await waitForCharts(page);
      await click(page, '#more');
      await page.waitForSelector('#measures');
      assert.ok(await page.$eval('.scores .wide', el => el.scrollWidth <= el.clientWidth), `no explanation is cut off at ${width}`);
      await click(page, '#measures tr:has(th[scope=row]):nth-child(5) td:nth-child(2) .link');
      await waitText(page, '#why-title', 'Job 9');
      const queue = '#measures tr:has(th[scope=row]) td .link';
      assert.deepEqual(await page.$$eval(queue, all => all.slice(0, 4).map(b => b.textContent)), ['job 9', 'job 9', 'at t = 13', 'at t = 8']);
      await page.$$eval(queue, all => all[2].click());
      await page.waitForFunction(() => labChart.view().endsWith(' 13'));
      assertNoConsoleErrors(page);
      await lab.recycle(page);
    }
  });
});
