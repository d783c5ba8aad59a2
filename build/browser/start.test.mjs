// Tests which files a first visit loads, and in which order.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { begin } from './begin.mjs';
import { sites } from './lab.mjs';
import { host, builtSite } from './anywhere.mjs';
import { visit } from './visit.mjs';

let plain;
const lab = begin({ site: sites.shipped, prepare: async () => { plain = await host(builtSite); } });

test('a first visit loads no more than its limit, and requests the program first', async t => {
  plain.requested.length = 0;
  const { bytes, requests, tasks, longest } = await visit(lab.browser, plain.url);
  t.diagnostic(`${bytes} bytes, ${requests} requests; ${tasks} long tasks, the longest ${longest.toFixed(0)} ms`);
  assert.ok(bytes > 1_000_000 && bytes <= 2_240_000, `${bytes} bytes`);
  assert.ok(requests <= 15, `${requests} requests`);
  const program = plain.requested.map((name, i) => (name.includes('lab.') && name.includes('.wasm') ? i : -1)).filter(i => i >= 0);
  assert.equal(program.length, 1, 'the program is requested once');
  assert.ok(program[0] < plain.requested.findIndex(name => name.includes('/js/page.')), 'before the scripts');
});
