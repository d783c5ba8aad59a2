// Tests job colours, which encode a request or a result of each job, in the charts, tooltips, legend
// and links.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, assertNoConsoleErrors, waitForFrames, textOf, waitText } from './lab.mjs';
import { click, type, selectOption, waitForCharts, openFile, overloadedTrace, waitForStableAddress } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin();

// waitForColour waits until all charts show a colouring.
async function waitForColour(page, colour, base = 0) {
  await waitForCharts(page);
  await page.waitForFunction((colour, base) => [...document.querySelectorAll('[data-chart="gantt"]')].every(h => {
    const v = h.labChart.view;
    return (v.colour ?? '') === colour && (v.base ?? 0) === base;
  }), {}, colour, base);
  await waitForFrames(page);
}

// classNames maps the id of each job in a chart to the name of its class in the legend.
const classNames = (page, chart) => page.$eval(`#gantt-${chart}`, host => {
  const { labels, scale, of } = host.labChart.view;
  return Object.fromEntries([...of].map(([job, k]) => [labels[job], scale.words[k]]));
});

const legend = page => page.$$eval('#scale li', all => all.map(li => li.textContent).filter(Boolean));

// pixel returns the colour at a position of a chart.
const pixel = (page, chart, t, lane) => page.$eval(`#gantt-${chart} canvas`, (canvas, t, lane) => {
  const one = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true }), [a, b] = labChart.window();
  one.drawImage(canvas, -Math.round((t - a) / (b - a) * canvas.width), -Math.round((1 - (lane + 0.3) / 8) * canvas.height));
  return '#' + [...one.getImageData(0, 0, 1, 1).data.slice(0, 3)].map(v => v.toString(16).padStart(2, '0')).join('');
}, t, lane);

async function hover(page, chart, t, lane) {
  const at = await page.$eval(`#gantt-${chart} .lab-surface`, (el, t, lane) => {
    el.scrollIntoView({ block: 'center' });
    const r = el.getBoundingClientRect(), [a, b] = labChart.window();
    return [r.left + (t - a) / (b - a) * r.width, r.bottom - (lane + 0.5) / 8 * r.height];
  }, t, lane);
  await page.mouse.move(...at);
  await waitForFrames(page);
  return textOf(page, `#gantt-${chart} .lab-tip`);
}

test('a job keeps its colour when others are added or deleted', async () => {
  const page = await lab.page();
  // colourOf returns the colours of a job in the table and in both charts.
  const colourOf = async id => {
    await waitForCharts(page);
    const [swatch, job] = await page.$$eval('#grid tr[data-job]', (all, id) => {
      const row = all.find(tr => tr.querySelector('input').value === id);
      return [row.querySelector('.swash').className.replace('swash hue-', ''), Number(row.dataset.job)];
    }, id);
    const colours = [Number(swatch)];
    for (const chart of [0, 1]) {
      const [from, to, lane] = await page.$eval(`#gantt-${chart}`, (host, job) => {
        const { pieces } = host.labChart.view;
        for (let i = 0; ; i += 6) if (pieces[i + 4] === job) return [...pieces.subarray(i, i + 3)];
      }, job);
      colours.push(await pixel(page, chart, from + 0.3 * (to - from), lane));
    }
    return colours;
  };
  const before = await colourOf('8');
  assert.equal(before[0], 7);
  assert.equal(before[1], before[2]);
  await page.focus('#cell-0-1');
  await click(page, '#delete');
  await waitText(page, '.count', '11 jobs');
  assert.deepEqual(await colourOf('8'), before);
  await click(page, '#add');
  for (const [i, text] of ['0', '1', '9', '9'].entries()) await type(page, `#cell-11-${i + 1}`, text); // it becomes the first job
  assert.deepEqual(await colourOf('8'), before);
  assert.equal((await colourOf('13'))[0], 0, 'the next colour in turn');
  while (!await page.$eval('#undo', b => b.disabled)) await click(page, '#undo');
  await waitText(page, '.count', '12 jobs');
  assert.deepEqual(await colourOf('8'), before);
  assert.equal((await colourOf('1'))[0], 0, 'undo restores the colour of a deleted job');
  assertNoConsoleErrors(page);
});

test('the colours of jobs', async t => {
  const page = await lab.page();
  await t.test('pointing at a row marks its job in all charts, and vice versa', async () => {
    await waitForColour(page, '');
    // marks counts the colour values above 0 in each chart's upper layer. It is 0 if nothing is marked.
    const marks = () => page.$$eval('[data-chart="gantt"] canvas:last-of-type', all => all.map(c => {
      const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(c, 0, 0);
      return copy.getImageData(0, 0, c.width, c.height).data.filter(v => v).length;
    }));
    assert.deepEqual(await marks(), [0, 0]);
    await page.hover('#cell-3-2');
    await waitForFrames(page);
    assert.ok((await marks()).every(n => n > 100), 'both charts');
    await page.mouse.move(700, 20);
    await waitForFrames(page);
    assert.deepEqual(await marks(), [0, 0]);

    assert.match(await hover(page, 1, 20, 4), /^job 10:/);
    assert.deepEqual(await page.$$eval('#grid .lab-hovered', all => all.map(tr => tr.ariaRowIndex)), ['11']);
    assertNoConsoleErrors(page);
  });

  await t.test('by keyboard alone: a colouring is selected, and the value of a job is announced', async () => {
    await waitForColour(page, '');
    await page.focus('#step-through');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'colour');
    await page.keyboard.type('Bounded');
    await waitForColour(page, 'slowdown');
    await page.focus('#gantt-0');
    await page.keyboard.press('ArrowRight');
    await waitText(page, '#lab-live', 'job 1: 5 × 5 s, 0 to 5');
    for (const job of [3, 2]) {
      await page.keyboard.press('ArrowRight');
      await waitText(page, '#lab-live', `job ${job}:`);
    }
    await page.keyboard.press('ArrowRight');
    await waitText(page, '#lab-live', 'bounded slowdown 1.1');
    await selectOption(page, '#colour', '');
    assertNoConsoleErrors(page);
  });

  await t.test('jobs are coloured by wait, then by the difference in start times from either schedule', async () => {
    await waitForColour(page, '');
    assert.equal(await page.$eval('#scale', el => getComputedStyle(el).display), 'none');
    const own = await pixel(page, 0, 2, 1);

    await selectOption(page, '#colour', 'wait');
    await waitForColour(page, 'wait');
    await waitText(page, '#scale', 'Wait');
    assert.deepEqual((await legend(page)).slice(0, 4), ['Wait', 'none', 'up to 1 s', 'up to 2 s']);
    assert.deepEqual(await classNames(page, 0).then(w => [w[1], w[2], w[12]]), ['none', 'up to 5 s', 'up to 20 s']);
    assert.notEqual(await pixel(page, 0, 2, 1), own);
    assert.equal(await pixel(page, 0, 2, 1), await pixel(page, 0, 3, 6), 'jobs 1 and 3 did not wait');
    assert.match(await hover(page, 0, 6, 1), /^job 2: 5 × 3 s, 5 to 8, wait 4 s/);

    await selectOption(page, '#colour', 'difference');
    await waitForColour(page, 'difference');
    assert.deepEqual(await classNames(page, 1).then(w => [w[1], w[4], w[2]]), ['same', 'up to 2 s earlier', 'up to 2 s later']);
    assert.match(await hover(page, 1, 6, 1), /^job 4: 2 × 7 s, 5 to 12, starts 2 s earlier than under EASY/);
    assert.equal(new Set(Object.values(await classNames(page, 0))).size, 1, 'EASY does not differ from itself');

    await selectOption(page, '#colour-base', '1');
    await waitForColour(page, 'difference', 1);
    assert.deepEqual(await classNames(page, 0).then(w => [w[1], w[4], w[2]]), ['same', 'up to 2 s later', 'up to 2 s earlier']);
    assert.match(await hover(page, 0, 10, 6), /^job 4: .*starts 2 s later than under Conservative/);

    await waitForStableAddress(page);
    const link = await page.evaluate(() => location.href);
    assert.match(link, /colour=difference&base=1/);
    const again = await open(lab.browser, link);
    await waitForColour(again, 'difference', 1);
    assert.equal(await again.$eval('#colour', el => el.value), 'difference');
    assert.equal(await again.$eval('#colour-base', el => el.value), '1');
    assertNoConsoleErrors(again);
    await again.close();
    assertNoConsoleErrors(page);
  });

  await t.test('bins have a class in every colouring', async () => {
    await selectOption(page, '#colour', '');
    await waitForColour(page, '');
    const path = join(lab.folder, 'trace.swf');
    writeFileSync(path, overloadedTrace(3000, 64));
    await openFile(page, path);
    await waitText(page, '#notice', '3,000 jobs', 60_000);
    await page.waitForFunction(() => document.getElementById('gantt-1')?.labChart.view?.pieces.length > 600, { timeout: 60_000 }); // the slower policy too
    const kinds = await page.$$eval('#colour option', all => all.map(o => o.value));
    assert.deepEqual(kinds, ['', 'size', 'wait', 'slowdown', 'type', 'class', 'user', 'started', 'difference']);
    for (const kind of kinds.slice(1)) {
      await selectOption(page, '#colour', kind);
      await waitForColour(page, kind);
      const seen = await page.$eval('#gantt-1', host => {
        const { pieces: p, classes, scale } = host.labChart.view, bins = [];
        for (let i = 0; i < p.length; i += 6) if (p[i + 5] & 1) bins.push(classes[i / 3]);
        return { bins: bins.length, within: bins.every(k => k in scale.words), words: scale.words.length };
      });
      assert.ok(seen.bins > 100 && seen.within, `${kind}: ${JSON.stringify(seen)}`);
      await waitText(page, '#scale', await page.$eval(`#colour option[value="${kind}"]`, o => o.textContent));
      assert.equal(await page.$$eval('#scale .key', all => all.length), seen.words);
    }
    await selectOption(page, '#colour', 'wait');
    await waitForColour(page, 'wait');
    const bin = await page.$eval('#gantt-1', ({ labChart: { view: { pieces: p } } }) => {
      const i = p.findIndex((f, i) => i % 6 === 5 && f & 1) - 5;
      return [(p[i] + p[i + 1]) / 2, (p[i + 2] + p[i + 3]) / 2 / 64 * 8 - 0.5]; // hover expects lanes in eighths
    });
    assert.match(await hover(page, 1, ...bin), /^at least [1-9]\d* jobs? here, \d+ % busy, mean wait (none|to )/);
    assertNoConsoleErrors(page);
  });
});
