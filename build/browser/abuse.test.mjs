// Tests hostile input from an embedding page, from the clipboard and in names. The page must not
// block, must report what is wrong and what it expected, and must keep its state.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { startServer, open, assertNoConsoleErrors, waitText } from './lab.mjs';
import { click, downloads, waitForCharts, longestPause, assertDuration, timesBounded, valueOf, watchPauses } from './page.mjs';
import { begin } from './begin.mjs';
import { repeatedFile } from './anywhere.mjs';

const MAX_PAUSE = 200; // ms for which the page's main thread may block

// longestPauseDuring performs an action and returns how long it blocked the page, in ms. If
// time limits are checked, it repeats the action, up to three times, until the page is blocked for at most
// MAX_PAUSE. If that never happens, it fails.
async function longestPauseDuring(frame, what, act) {
  let worst = Infinity;
  for (let n = 0; n < (timesBounded ? 4 : 1) && worst > MAX_PAUSE; n++) {
    await watchPauses(frame);
    await act();
    worst = Math.min(worst, await longestPause(frame));
  }
  if (timesBounded) assert.ok(worst <= MAX_PAUSE, `${what}: the page was blocked for ${worst.toFixed(0)} ms`);
  return worst;
}

const jobs = '[{ id: "a", submit: 0, procs: 1, estimate: 3, runtime: 3 }]';
const scenario = (machine = '{ nodes: 2 }', list = jobs) => `({ version: 1, machine: ${machine}, policies: [{ name: "fcfs" }], workload: { jobs: ${list} } })`;

// Messages from an embedding page. Each case has a name, an expression for the message, and the
// expected error.
const messages = [
  ['an op that is a number', '({ op: 7 })', /op/],
  ['an op that is a list', '({ op: ["run"] })', /op/],
  ['no op', '({})', /expected load, run, step, result, state or grades as op, got ""/],
  ['an op of a prototype', '({ op: "__proto__" })', /got "__proto__"/],
  ['an op of another one', '({ op: "constructor" })', /got "constructor"/],
  ['an op of a million characters', '({ op: "x".repeat(1e6) })', /expected at most 65536 characters apart from the scenario, got 1000/],
  ['policies that are a number', '({ op: "run", policies: 7 })', /policies/],
  ['policies that are an object', '({ op: "run", policies: { a: 1 } })', /policies/],
  ['policies that are numbers', '({ op: "run", policies: [1] })', /policies/],
  ['unknown policies', '({ op: "run", policies: ["__proto__"] })', /__proto__/],
  ['a hundred thousand policies', '({ op: "run", policies: new Array(1e5).fill("fcfs") })', /expected at most 65536 characters apart from the scenario/],
  ['a step that is a string', '({ op: "step", by: "x" })', /by/],
  ['a fractional step', '({ op: "step", by: 1.5 })', /by/],
  ['a huge step', '({ op: "step", by: 1e308 })', /by/],
  ['a step that is NaN', '({ op: "step", by: NaN, at: "soon" })', /at/],
  ['a time that is an object', '({ op: "step", at: {} })', /at/],
  ['an event that is a string', '({ op: "step", event: "first" })', /event/],
  ['a result below 0', '({ op: "result", result: -1 })', /expected a result from 0 to/],
  ['a result that does not exist', '({ op: "result", result: 1e9 })', /expected a result from 0 to/],
  ['a huge result', '({ op: "result", result: 1e99 })', /result/],
  ['a result that is a string', '({ op: "result", result: "0" })', /result/],
  ['a load of nothing', '({ op: "load" })', /expected a scenario/],
  ['a load of an empty string', '({ op: "load", scenario: "" })', /expected a scenario/],
  ['a load of a number', '({ op: "load", scenario: 7 })', /scenario\.json/],
  ['a load of a list', '({ op: "load", scenario: [] })', /scenario\.json/],
  ['a load of incomplete JSON', '({ op: "load", scenario: "{" })', /scenario\.json/],
  ['a load of prototypes', '({ op: "load", scenario: JSON.parse(\'{"__proto__": {"version": 1}, "constructor": {"prototype": {}}}\') })', /scenario\.json/],
  ['a load of ten million characters', '({ op: "load", scenario: "x".repeat(1e7) })', /scenario\.json/],
  ['a load above the limit', '({ op: "load", scenario: "x".repeat(17e6) })', /expected a message of at most 16777216 characters/],
  ['a list of 3 million numbers', '({ op: "load", scenario: new Array(3e6).fill(0) })', /expected a message of at most/],
  ['a sparse list of length 10^9', '({ op: "load", scenario: new Array(1e9) })', /expected a message of at most/],
  ['an object of 200,000 members', '({ op: "load", scenario: Object.fromEntries(Array.from({ length: 2e5 }, (_, i) => ["k" + i, i])) })', /scenario\.json/],
  ['a cyclic object', '(() => { const a = {}; a.a = a; return { op: "load", scenario: a }; })()', /expected a message of at most/],
  ['a map', '({ op: "load", scenario: new Map([[1, 2]]) })', /expected plain data/],
  ['a date', '({ op: "load", scenario: { version: new Date(0) } })', /expected plain data/],
  ['a BigInt', '({ op: "load", scenario: { version: 10n } })', /expected plain data/],
  ['bytes', '({ op: "load", scenario: new Uint8Array(1e7) })', /expected plain data/],
  ['nested lists, a thousand deep', '({ op: "load", scenario: (() => { let a = []; for (let i = 0; i < 1000; i++) a = [a]; return a; })() })', /scenario\.json/],
  ['nested lists as JSON, a million deep', '({ op: "load", scenario: "[".repeat(1e6) })', /scenario\.json/],
  ['a machine that is a string', `({ op: "load", scenario: ${scenario('"big"')} })`, /machine/],
  ['a machine of -1 nodes', `({ op: "load", scenario: ${scenario('{ nodes: -1 }')} })`, /nodes/],
  ['a machine of 1e308 nodes', `({ op: "load", scenario: ${scenario('{ nodes: 1e308 }')} })`, /nodes/],
  ['a machine of 1,000 extra resources', `({ op: "load", scenario: ${scenario('{ nodes: 2, resources: Array.from({ length: 1000 }, (_, i) => ({ name: "r" + i, capacity: 1 })) }')} })`, /resources/],
  ['jobs that are a number', `({ op: "load", scenario: ${scenario('{ nodes: 2 }', '7')} })`, /jobs/],
  ['100,000 invalid jobs', `({ op: "load", scenario: ${scenario('{ nodes: 2 }', 'new Array(1e5).fill({ id: 7 })')} })`, /scenario\.json/],
];

// slowToCopy matches the messages for which the test does not measure pauses: the browser itself takes a long time to
// copy them before the page receives them.
const slowToCopy = /million characters|above the limit|million numbers|200,000|million deep|100,000 invalid|bytes|hundred thousand/;

// Texts to paste. Each case has a name, a tab, a field, an expression for the text, and the
// expected notice. The field must stay unchanged.
const large = '"x".repeat(50e6)';
const pastes = [
  ['50 MB without a tab into a cell', 'jobs', '#cell-0-1', large, 'Not pasted into submit of row 1: expected at most 10,000 characters, got 50,000,000'],
  ['50 MB of rows', 'jobs', '#cell-0-0', '"1\\t2\\t3\\n".repeat(8e6)', 'Not pasted into the table: expected at most 4,194,304 characters, got 48,000,000'],
  ['3 MB in one row', 'jobs', '#cell-0-0', '"1\\t".repeat(15e5)', 'Not pasted: line 1: expected a row of at most 65536 bytes, got 3000000'],
  ['a row of 30,000 cells', 'jobs', '#cell-0-0', '"1\\t".repeat(3e4)', ' cells, got 30001'],
  ['columns of 1,000 extra resources', 'jobs', '#cell-0-0', '["job", ...Array.from({ length: 1000 }, (_, i) => "res:r" + i)].join("\\t") + "\\n1\\t2\\n"', ' cells, got 1001'],
  ['a cell of 20,000 characters', 'jobs', '#cell-0-0', '"a\\t1\\n" + "y".repeat(2e4) + "\\t2\\n"', 'Not pasted: row 2, id: expected at most 10000 bytes, got 20000'],
  ['an unterminated quote', 'jobs', '#cell-0-0', '"\\"" + "a\\t1\\n".repeat(1e5)', 'Not pasted: '],
  ['50 MB into the search', 'jobs', '#find', large, 'expected at most 10,000 characters'],
  ['50 MB into the name of a resource', 'machine', '#resource-0-name', large, 'expected at most 100 characters'],
  ['50 MB into the number of nodes', 'machine', '#machine-nodes', large, 'expected at most'],
  ['50 MB into a formula', 'policies', '[id^="knob-0-"][type="text"]', large, 'expected at most'],
  ['50 MB into the title field', 'text', '#text-title', large, 'Not pasted into Title: expected at most'],
  ['50 MB into the text field', 'text', '#text-text', large, 'Not pasted into Text: expected at most 2,500 characters'],
  ['a text longer than its field allows', 'text', '#text-text', '"x".repeat(3000)', 'Not pasted into Text: expected at most 2,500 characters, got 3,004'], // including 4 characters that the field already has
];

// Names with characters that would hide or reorder other text.
const names = ['\u202Egpj.exe', 'a\u2066b\u2069', 'nul\u0000l', 'bell\u0007\u001b[31m', 'c1\u0085\u009b', 'mark\u200F\u061C', '\u{1F469}\u200D\u{1F52C}', '\uD800lone', '__proto__', 'constructor', ']]><!--&lt;', 'e\u0301'.repeat(500)];
const invisible = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

for (const engine of ['chromium', 'firefox']) describe(engine, repeatedFile(engine), () => {

const lab = begin({ engine });

// openHost opens a page of another site with the lab in a frame. The frame has its own process.
async function openHost() {
  const { port } = await startServer((request, response) => response.writeHead(request.url === '/' ? 200 : 204, { 'Content-Type': 'text/html' }).end(request.url === '/' ? '<!DOCTYPE html><title>Host</title><body>' : ''));
  const name = new URL(lab.url).hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  const page = await open(lab.browser, `http://${name}:${port}/`, { ready: false });
  await page.evaluate(src => new Promise(done => {
    window.heard = new Map();
    window.count = 0;
    addEventListener('message', e => {
      count++;
      heard.set(e.data.id, e.data);
      if (e.data.op === 'ready') done();
    });
    const frame = document.createElement('iframe');
    frame.id = 'lab';
    frame.style = 'width: 1400px; height: 800px';
    frame.src = src;
    document.body.append(frame);
    window.say = m => frame.contentWindow.postMessage({ type: 'backfill-lab', v: 1, ...m }, '*');
  }), `${lab.url}#v=1`);
  const frame = await (await page.$('#lab')).contentFrame();
  await waitForCharts(frame);
  return { page, frame };
}

test(`${messages.length} invalid messages from an embedding page: each gets an error and changes nothing`, async t => {
  const { page, frame } = await openHost();
  let last = 0;
  const ask = async make => {
    const id = ++last;
    await page.evaluate((id, make) => say({ ...(0, eval)(make), id }), id, make);
    return (await page.waitForFunction(id => heard.get(id), { timeout: 30_000 }, id)).jsonValue();
  };
  const before = (await ask('({ op: "state" })')).scenario;
  let most = 0;
  for (const [name, make, message] of messages) {
    most = Math.max(most, await longestPauseDuring(frame, name, async () => {
      if (slowToCopy.test(name)) await frame.evaluate(() => clearTimeout(window.watching));
      const got = await ask(make).catch(e => assert.fail(`${name}: ${e.message}`));
      assert.equal(got.op, 'error', name);
      assert.match(got.error, message, name);
      assert.ok(got.error.length < 2000, `${name}: the error is too long`);
    }));
  }
  t.diagnostic(`blocked for at most ${most.toFixed(0)} ms`);
  assert.deepEqual((await ask('({ op: "state" })')).scenario, before);
  assert.equal(await frame.$('#lab-overlay'), null);
  assertNoConsoleErrors(page);
});

const flood = timesBounded ? 100_000 : 10_000;
test(`${flood} messages: each is answered, and the page still responds to the keyboard`, async t => {
  const { page, frame } = await openHost();
  await frame.$eval('#tab-machine', tab => tab.click());
  await frame.waitForSelector('#machine-nodes');
  await frame.focus('#machine-nodes');
  await page.keyboard.press('End');
  // The test measures key presses instead of timers: timers fire late while so many messages are queued.
  {
    await frame.evaluate(() => {
      window.late = [];
      addEventListener('input', e => requestAnimationFrame(() => late.push(performance.now() - e.timeStamp)));
    });
    await page.evaluate(flood => {
      count = 0;
      for (let i = 0; i < flood; i++) say({ id: `flood ${i}`, op: ['state', 'result', 'run', 'step', 'load'][i % 5], scenario: '{}' });
    }, flood);
    for (const key of '12345') await page.keyboard.press(key);
    for (let n = 0; n < 5; n++) await page.keyboard.press('Backspace');
    const late = await frame.evaluate(() => Math.max(...window.late));
    assertDuration(t, 'a key press drawn', late, 500);
    await page.waitForFunction(n => count >= n, { timeout: 120_000 }, flood);
  }
  assert.ok(await page.evaluate(() => [...heard.values()].some(m => m.error === 'expected at most 64 unfinished calls')));
  await page.evaluate(() => say({ id: 'after', op: 'state' }));
  await page.waitForFunction(() => heard.get('after')?.op === 'done');
  assertNoConsoleErrors(page);
});

// preparePaste creates the event of a paste before the measurement starts. When a person pastes, the browser does this,
// so the time must not count.
async function preparePaste(page, selector, make) {
  await page.focus(selector);
  await page.evaluate(make => {
    const data = (0, eval)(make), clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', data);
    window.pasted = new ClipboardEvent('paste', { clipboardData, dataType: 'text/plain', data, bubbles: true, cancelable: true });
  }, make);
}

test(`${pastes.length} pasted texts: a text that is too large is rejected entirely, with a notice`, async t => {
  const page = await lab.scenario({ version: 1, title: 'Title', text: 'Text', machine: { nodes: 2, resources: [{ name: 'gpu', capacity: 2 }] }, policies: [{ name: 'easy' }],
    workload: { jobs: [{ id: 'a', submit: 0, procs: 1, estimate: 3, runtime: 3 }] } });
  let most = 0;
  for (const [name, tab, selector, make, message] of pastes) {
    await click(page, `#tab-${tab}`);
    await page.waitForSelector(selector);
    const before = await valueOf(page, selector);
    most = Math.max(most, await longestPauseDuring(page, name, async () => {
      await preparePaste(page, selector, make);
      await watchPauses(page);
      assert.equal(await page.evaluate(() => document.activeElement.dispatchEvent(window.pasted)), false, `${name}: the browser must insert nothing`);
      await waitText(page, '#notice', message);
    }));
    assert.equal(await valueOf(page, selector), before, name);
  }
  t.diagnostic(`blocked for at most ${most.toFixed(0)} ms`);
  assertNoConsoleErrors(page);
});

test('100,000 rows are pasted without blocking the page, and one undo removes them', async t => {
  const page = await lab.page();
  let pasted = false;
  const worst = await longestPauseDuring(page, 'rows', async () => {
    if (pasted) await click(page, '#undo');
    pasted = true;
    await waitText(page, '.count', '12 jobs');
    await waitForCharts(page);
    await preparePaste(page, '#cell-0-0', 'Array.from({ length: 1e5 }, (_, i) => ["p" + i, i, 1, 9, 3].join("\\t")).join("\\n")');
    await watchPauses(page);
    await page.evaluate(() => { document.activeElement.dispatchEvent(window.pasted); });
    await waitText(page, '.count', '100,000 jobs', 60_000);
  });
  t.diagnostic(`blocked for at most ${worst.toFixed(0)} ms`);
  await click(page, '#undo');
  await waitText(page, '.count', '12 jobs');
  assertNoConsoleErrors(page);
});

test(`${names.length} names with special characters hide or reorder no other text in the page, its charts and its files`, async () => {
  const page = await lab.page();
  await page.evaluate(() => {
    window.drawn = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
      drawn.push(text);
      return fillText.call(this, text, ...at);
    };
  });
  const job = (name, i) => ({ id: name, submit: 40 * i, procs: 2, estimate: 40, runtime: 40, user: name, class: name, resources: { [names[0]]: 1 } });
  const scenario = { version: 1, title: names.slice(0, 6).join(' '), text: names.slice(0, 6).join('\n'), machine: { nodes: 2, resources: [{ name: names[0], capacity: 4 }], blocks: [{ from: 20, to: 30, procs: 1, label: names[0] }] },
    policies: [{ name: 'easy' }], workload: { jobs: names.map(job) } };
  await page.evaluate(text => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'odd\u202Ename.json'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, JSON.stringify(scenario));
  await waitText(page, '#notice', `${names.length} jobs`);
  await waitForCharts(page);
  for (const row of names.keys()) {
    await page.focus(`#cell-${row}-1`);
    await waitText(page, '#why-title', 'Job ');
  }
  await page.focus('[data-chart="gantt"]');
  for (let i = 0; i < names.length; i++) await page.keyboard.press('ArrowRight');
  for (const tab of ['workload', 'machine', 'policies', 'text', 'jobs']) {
    await click(page, `#tab-${tab}`);
    const shown = await page.evaluate(() => {
      const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let n; (n = walk.nextNode());) texts.push(...n.data !== undefined ? [n.data] : [...n.attributes].filter(a => a.name !== 'value').map(a => a.value));
      return texts;
    });
    for (const text of shown) assert.doesNotMatch(text, invisible, tab);
  }
  const drawn = await page.evaluate(() => window.drawn);
  assert.ok(drawn.length > 0);
  for (const text of drawn) assert.doesNotMatch(text, invisible, 'drawn');
  assert.equal(await page.$$eval('#grid tbody input[id$="-0"]', all => all[0].value), names[0], 'a field keeps the original name');
  const files = await downloads(page);
  await click(page, '#export');
  await click(page, '#export-svg');
  const svg = (await files.next()).data.toString();
  assert.doesNotMatch(svg.replaceAll('\n', ' '), invisible);
  assert.equal(await page.evaluate(text => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')?.textContent ?? '', svg), '');
  await click(page, '#export');
  await click(page, '#save');
  const saved = JSON.parse((await files.next()).data.toString());
  assert.deepEqual(saved.workload.jobs.map(j => j.id).filter(id => !/lone/.test(id)), names.filter(n => !/lone/.test(n)), 'nothing is lost');
  files.stop();
  assertNoConsoleErrors(page);
});

});
