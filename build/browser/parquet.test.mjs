// Tests the Parquet files of the command with a reader that shares no code with it. Every value must
// equal the value in the CSV file of the same table.
import { test, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { root } from './lab.mjs';

const folder = mkdtempSync(join(tmpdir(), 'lab-parquet-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = name => join(folder, name);
const backfill = (...args) => execFileSync(join(root, 'build', 'bin', 'backfill'), [...args, '-quiet'], { encoding: 'utf8' });

const generated = { version: 1, machine: { nodes: 64 }, workload: { generator: 'lublin', parameters: { jobs: 50 }, seed: 1 } };
const listed = {
  version: 1, machine: { nodes: 4 },
  workload: { jobs: [{ id: '# a, "b"', submit: 0, procs: 3, runtime: 10 }, { id: 'ü €', submit: 1, procs: 4, runtime: 5 }] },
};
const definition = {
  version: 1, workloads: [{ name: 'lublin, drawn', scenario: generated }, { name: 'listed', scenario: listed }],
  loads: [1, 1.25], seeds: { from: 1, count: 6 },
  policies: [{ name: 'easy', knobs: { order: ['fifo', 'sjf'] } }, { name: 'conservative', title: 'With a "plan"' }],
  metrics: ['mean-wait', 'utilization', 'promises-kept', 'widest-10-wait'],
};

// parseCSV returns the comment lines before the header, and the rows as lists of texts.
function parseCSV(text) {
  const lines = text.split('\n');
  let start = 0;
  while (lines[start].startsWith('# ')) start++;
  const cells = line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(m => m[1] === undefined ? m[2] : m[1].replaceAll('""', '"'));
  return { comments: lines.slice(0, start), rows: lines.slice(start).filter(line => line && !line.startsWith('# end: ')).map(cells) };
}

// value converts a CSV cell to the value that the Parquet file must contain.
function value(cell, type) {
  if (cell === '') return null;
  return { INT64: BigInt, DOUBLE: Number, BYTE_ARRAY: String }[type](cell);
}

// check compares the Parquet file of a table with its CSV file. `types` maps names of columns to
// types; types[''] is the type of all other columns.
async function check(name, types) {
  const data = readFileSync(file(`${name}.parquet`));
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const metadata = parquetMetadata(buffer);
  const { comments, rows: [header, ...rows] } = parseCSV(readFileSync(file(`${name}.csv`), 'utf8'));
  const columns = metadata.schema.slice(1);
  assert.deepEqual(columns.map(c => c.name), header);
  for (const c of columns) {
    assert.equal(c.type, types[c.name] ?? types[''], c.name);
    assert.equal(c.converted_type === 'UTF8', c.type === 'BYTE_ARRAY', c.name);
  }
  const objects = await parquetReadObjects({ file: buffer });
  assert.equal(objects.length, rows.length);
  assert.ok(rows.length > 0);
  rows.forEach((row, i) => header.forEach((column, k) => assert.deepEqual(objects[i][column], value(row[k], columns[k].type), `row ${i}, ${column}`)));
  const meta = new Map(metadata.key_value_metadata.map(m => [m.key, m.value]));
  assert.match(meta.get('program'), /^backfill-lab /);
  for (const line of comments) {
    const [key, text] = line.slice(2).split(': ');
    assert.equal(meta.get(key), text);
  }
  return rows.length;
}

const text = 'BYTE_ARRAY', whole = 'INT64', decimal = 'DOUBLE';

test('the table and the summary of a sweep', async () => {
  writeFileSync(file('sweep.json'), JSON.stringify(definition));
  for (const end of ['csv', 'parquet']) backfill('sweep', file('sweep.json'), '-out', file(`sweep.${end}`), '-summary', file(`summary.${end}`));
  const parameters = { run: whole, workload: text, seed: whole, policy: text, knobs: text, title: text, key: text };
  assert.equal(await check('sweep', { ...parameters, '': decimal }), (2 * 6 + 2) * 3);
  const names = { workload: text, metric: text, unit: text, policy: text, knobs: text, title: text };
  assert.equal(await check('summary', { ...names, baseline: whole, runs: whole, pairs: whole, '': decimal }), 4 * 4 * 3);
});

test('a part of a sweep', async () => {
  writeFileSync(file('part.json'), JSON.stringify(definition));
  for (const end of ['csv', 'parquet']) backfill('sweep', file('part.json'), '-shard', '2/3', '-out', file(`part.${end}`));
  await check('part', { run: whole, workload: text, seed: whole, policy: text, knobs: text, title: text, key: text, '': decimal });
});

for (const [name, scenario] of Object.entries({ generated, listed })) {
  test(`jobs, promises and metrics of a run, ${name}`, async () => {
    writeFileSync(file(`${name}.json`), JSON.stringify({ ...scenario, policies: [{ name: 'conservative' }] }));
    for (const end of ['csv', 'parquet']) {
      backfill('run', '-in', file(`${name}.json`), '-jobs', file(`jobs.${end}`), '-promises', file(`promises.${end}`), '-metrics', file(`metrics.${end}`));
    }
    await check('jobs', { job: text, segments: text, alloc: text, '': whole });
    await check('promises', { job: text, '': whole });
    await check('metrics', { metric: text, title: text, unit: text, value: decimal });
  });
}

test('a table of several row groups', async () => {
  const large = { ...generated, workload: { generator: 'lublin', parameters: { jobs: 140000 }, seed: 2 }, policies: [{ name: 'fcfs' }] };
  writeFileSync(file('large.json'), JSON.stringify(large));
  for (const end of ['csv', 'parquet']) backfill('run', '-in', file('large.json'), '-jobs', file(`large.${end}`));
  assert.equal(await check('large', { job: text, segments: text, alloc: text, '': whole }), 140000);
});
