// Tests each workaround for a defect of Vugu v0.4.0 in a real browser (see ui/vugu/traps).
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumOnly, open, assertNoConsoleErrors, waitForFrames, textOf, waitText, sites } from './lab.mjs';
import { downloads, chooseFile } from './page.mjs';
import { begin } from './begin.mjs';

const lab = begin({ site: sites.traps });

// trap defines a test: it opens the page, and fails on unexpected console messages.
function trap(name, body, { expected, ...options } = {}) {
  test(name, options, async () => {
    const page = await open(lab.browser, lab.url);
    await body(page);
    assertNoConsoleErrors(page, expected);
  });
}

const click = async (page, selector) => {
  await page.click(selector);
  await waitForFrames(page);
};

trap('1: removing the focused element does not stop the program', async page => {
  await page.type('#field', 'abc'); // an edit, so that removal would fire change and blur
  await click(page, '#remove');
  assert.equal(await page.$('#field'), null);
  assert.equal(await textOf(page, '#blurs'), '0', 'events caused by a render are dropped');
  await click(page, '#uncheck');
  assert.equal(await page.$('#lab-overlay'), null);
});

trap('2: a textarea outside Vugu accepts 20 KB and returns 300 KB', async page => {
  await page.$eval('#big', el => {
    el.focus();
    document.execCommand('insertText', false, 'é'.repeat(10_000)); // like a paste
  });
  await click(page, '#read');
  assert.equal(await textOf(page, '#pasted'), '20000 bytes');
  await click(page, '#write');
  assert.equal(await page.$eval('#big', el => el.value.length), 300_000);
  await click(page, '#read');
  assert.equal(await textOf(page, '#pasted'), '300000 bytes');
});

trap('4: a list becomes empty', async page => {
  assert.equal((await page.$$('#rows li')).length, 3);
  await click(page, '#clear');
  assert.equal((await page.$$('#rows li')).length, 0);
});

trap('5: a canvas in an empty host keeps its drawing across renders', async page => {
  await page.evaluate(() => {
    window.drawn = 0;
    window.labTrapDraw = () => { window.drawn++; };
    const canvas = document.createElement('canvas');
    document.querySelector('#host').append(canvas);
    const ctx = canvas.getContext('2d');
    ctx.fillStyle = '#ff0000';
    ctx.fillRect(0, 0, 50, 50);
  });
  const before = Number(await textOf(page, '#renders'));
  await click(page, '#uncheck');
  assert.ok(Number(await textOf(page, '#renders')) > before, 'there was a render');
  assert.ok(await page.evaluate(() => window.drawn) > 0, 'the hook after the render ran');
  const pixel = await page.$eval('#host canvas', c => [...c.getContext('2d').getImageData(10, 10, 1, 1).data]);
  assert.deepEqual(pixel, [255, 0, 0, 255]);
});

trap('7: the program can clear a ticked checkbox', async page => {
  const ticked = () => page.$eval('#box', el => el.checked);
  await click(page, '#box');
  assert.equal(await ticked(), true);
  await click(page, '#uncheck');
  assert.equal(await ticked(), false);
});

trap('8: a select shows its value from the first render', async page => {
  const shown = () => page.$eval('#policy', el => el.value);
  assert.equal(await shown(), 'easy');
  await page.select('#policy', 'conservative');
  await waitForFrames(page);
  assert.equal(await textOf(page, '#chosen'), 'conservative');
  assert.equal(await shown(), 'conservative');
  await click(page, '#choose-first');
  assert.equal(await shown(), 'fcfs');
});

trap('10: initialisation runs only once', async page => {
  await click(page, '#uncheck');
  await click(page, '#uncheck');
  assert.equal(await textOf(page, '#inits'), '1');
  assert.ok(Number(await textOf(page, '#creates')) >= 2, 'Vugu calls it on every render');
});

trap('11: keyed rows keep their state when an earlier row is removed', async page => {
  const own = () => page.$$eval('#rows li', rows => rows.map(r => r.innerText.replace(/\s+/g, ' ').trim()));
  const more = await page.$$('#rows .more');
  await more[1].click();
  await more[2].click();
  await more[2].click();
  await waitForFrames(page);
  assert.deepEqual(await own(), ['row 1 + 0', 'row 2 + 1', 'row 3 + 2']);
  await click(page, '#first');
  assert.deepEqual(await own(), ['row 2 + 1', 'row 3 + 2']);
});

for (const [typed, parsed] of [['1.5', '1.5'], ['-5', '-5'], ['1e3', '1000']]) {
  trap(`17: ${typed} typed key by key is not changed`, async page => {
    await page.focus('#wait');
    for (const key of typed) {
      await page.keyboard.type(key);
      await waitForFrames(page);
    }
    assert.equal(await page.$eval('#wait', el => el.value), typed);
    assert.equal(await textOf(page, '#parsed'), parsed);
  });
}

trap('12: a guarded panic is shown, and the page continues', async page => {
  await page.click('#panic');
  await waitText(page, '#lab-overlay', 'the panic button');
  await page.$$eval('#lab-overlay button', all => all.find(b => b.textContent === 'Close').click());
  await click(page, '#box');
  assert.equal(await page.$('#lab-overlay'), null);
  assert.equal(await page.$eval('#box', el => el.checked), true);
}, { expected: /on purpose/ });

trap('12: a crash is shown, and Restart reloads the page with its address', async page => {
  await page.evaluate(() => { location.hash = 'v=1&keep=me'; });
  await page.click('#crash');
  await waitText(page, '#lab-overlay', 'Backfill Lab has stopped');
  await waitText(page, '#lab-overlay pre', 'crash on purpose');
  await Promise.all([page.waitForNavigation(), page.click('#lab-restart')]);
  await page.waitForSelector('#renders');
  assert.equal(await page.evaluate(() => location.hash), '#v=1&keep=me');
}, { expected: /./ });

trap('a panic in a message handler of the worker becomes a message, and the worker continues', async page => {
  await page.click('#panic-worker');
  await waitText(page, '#answer', 'panic: {"where":"message from the page","text":"worker on purpose"}');
  await page.click('#echo');
  await waitText(page, '#answer', 'echo true end');
});

trap('the end of a worker becomes a message with its last output', async page => {
  await page.click('#crash-worker');
  await waitText(page, '#answer', 'crash: ');
  assert.match(await textOf(page, '#answer'), /worker crash on purpose/);
}, { expected: /^console error: / });

trap('a busy worker answers between steps', async page => {
  await page.click('#compute');
  await waitText(page, '#answer', 'done after');
  assert.equal(await textOf(page, '#answer'), 'done after 5 ticks');
});

trap('a file is passed to the worker unread and streamed there', async page => {
  const file = join(lab.folder, 'trace.txt');
  writeFileSync(file, 'x'.repeat(3_000_000));
  await chooseFile(page, () => page.click('#pick'), file);
  await waitText(page, '#picked', 'trace.txt: 3000000 of 3000000 bytes');
});

trap('a dropped file is streamed the same way', async page => {
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['hello'], 'drop.txt'));
    const send = name => document.body.dispatchEvent(
      new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
    send('dragenter');
    send('drop');
  });
  await waitText(page, '#picked', 'drop.txt: 5 of 5 bytes');
});

trap('a download has its name', async page => {
  const files = await downloads(page);
  await page.click('#save');
  const { name, data } = await files.next();
  assert.equal(name, 'trap.txt');
  assert.equal(data.toString(), 'saved\n');
});

trap('static markup keeps typed text and focus across renders', async page => {
  await page.type('#free', 'typed');
  await page.evaluate(() => document.querySelector('#uncheck').click());
  await waitForFrames(page);
  assert.equal(await page.$eval('#free', el => el.value), 'typed');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'free');
});

trap('small functions of the bridge', async page => {
  await click(page, '#edge');
  assert.equal(await textOf(page, '#said'), 'set=true get=kept gone=true hash=<nil> read=v=1&a=b%20c dark=false'
    + ' theme=<nil> focus=true nobody=false expose=<nil> bytes=[1 2 255] text=é call=<nil> missing=true');
  assert.equal(await page.$eval('html', el => el.dataset.theme), 'dark');
  await click(page, '#watch');
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await waitText(page, '#said', 'dark true');
  await page.evaluate(() => { location.hash = 'v=1&b'; });
  await waitText(page, '#said', 'fragment v=1&b');
}, chromiumOnly('emulates the dark theme of the system'));

test('without the guard, removing the focused element stops the program (so trap 1 tests something)', chromiumOnly('fires blur during the removal of an element'), async () => {
  const page = await lab.browser.newPage();
  page.messages = [];
  await page.setRequestInterception(true);
  page.on('request', async r => {
    if (!/js\/page\./.test(r.url())) return r.continue();
    const text = await (await fetch(r.url())).text();
    assert.match(text, /rendering === 0 &&/);
    return r.respond({ status: 200, contentType: 'text/javascript', body: text.replace('rendering === 0 &&', '') });
  });
  await page.goto(lab.url);
  await page.waitForSelector('#field');
  await page.type('#field', 'abc');
  await page.click('#remove');
  await waitText(page, '#lab-overlay', 'Backfill Lab has stopped');
});
