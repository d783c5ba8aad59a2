// This program measures parsing and simulation in a Chromium worker, for the traces named as
// arguments or for those in BACKFILL_REFERENCE. "Cold" is the time of the first run in a new
// worker, "warm" the median time of later runs. No run uses cached results. The native command runs
// the same trace immediately before. The limits apply to the warm time divided by the native time.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, serve, launch, open } from './lab.mjs';

const policies = ['fcfs', 'easy', 'conservative', 'pc order=ljf', 'pc order=sjf'];
const traceNames = ['KTH-', 'SDSC-SP2-', 'CTC-', 'over256', 'HPC2N-'];
const warmRuns = 5;
const most = { fcfs: 3.5, easy: 3.5, conservative: 2.5 }; // limits of the warm time in the worker divided by the native time
const mostWarm = { 'KTH-SP2-1996-2.1-cln': { 'pc order=sjf': 200 } }; // limits of the warm time in ms
// rules holds the data rules of the reference schedules. They leave the reference traces unchanged.
const rules = { filter: 'lindsay', size: 'allocated', 'zero-runtime': 'drop', overrun: 'truncate' };

function traces() {
  if (process.argv.length > 2) return process.argv.slice(2);
  const folder = process.env.BACKFILL_REFERENCE;
  if (!folder) {
    console.error('bench: name traces, or set BACKFILL_REFERENCE to the folder of the reference data');
    process.exit(2);
  }
  const all = ['golden', 'traces'].flatMap(d => readdirSync(join(folder, d)).map(f => join(folder, d, f)));
  return traceNames.map(name => all.find(f => basename(f).startsWith(name) && (f.endsWith('.norm.swf.gz') || name === 'HPC2N-' && f.endsWith('.swf.gz'))));
}

// peak returns the largest resident memory of a renderer so far, in MB.
function peak() {
  let most = 0;
  for (const pid of readdirSync('/proc').filter(n => /^\d+$/.test(n))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) continue;
      most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
    } catch { /* the process has ended */ }
  }
  return Math.round(most);
}

// measure opens a file in new workers and runs each policy.
async function measure(page, file) {
  const input = await page.evaluateHandle(() => Object.assign(document.createElement('input'), { type: 'file' }));
  await input.uploadFile(file);
  return page.evaluate(async (el, names, warm, rules) => {
    const out = { open: [], runs: {} };
    for (const name of names) {
      let answer;
      const worker = labSpawnWorker('bench', m => { if (['opened', 'ran', 'error', 'crash'].includes(m.kind)) answer(m); });
      const ask = (kind, head, more) => new Promise((resolve, reject) => {
        answer = m => (m.kind === 'error' || m.kind === 'crash' ? reject(new Error(m.head)) : resolve(JSON.parse(m.head)));
        worker.postMessage({ kind, id: 1, head: JSON.stringify(head), bufs: [], ...more });
      });
      const opened = await ask('open', { name: el.files[0].name, procs: 0, rules }, { file: el.files[0] });
      const policy = text => {
        const [name, ...knobs] = text.split(' ');
        return { name, knobs: Object.fromEntries(knobs.map(k => k.split('='))) };
      };
      const run = async () => (await ask('run', { machine: { nodes: opened.procs, processors: 1, cores: 1 }, policies: [policy(name)], fresh: true })).results[0].millis;
      out.open.push(opened.millis);
      out.jobs = opened.jobs;
      const cold = await run(), rest = [];
      for (let i = 0; i < warm; i++) rest.push(await run());
      out.runs[name] = [cold, rest.sort((a, b) => a - b)[warm >> 1]];
      worker.terminate();
    }
    out.open.sort((a, b) => a - b);
    return out;
  }, input, policies, warmRuns, rules);
}

// native returns the times of the native command for the same trace.
function native(file) {
  const out = execFileSync(join(root, 'build', 'bin', 'backfill'), ['bench', '-json', '-runs', String(warmRuns), file]);
  return JSON.parse(out).traces[0]['run-ms'];
}

// calibrate measures how fast the browser is on this machine. It times the integer computation of
// the native benchmark, written in JavaScript with 32-bit integers.
const calibrate = page => page.evaluate(() => {
  const begin = performance.now();
  let x = 1;
  for (let i = 0; i < 200_000_000; i++) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; }
  return x === 0 ? 0 : performance.now() - begin;
});

const site = await serve(), chrome = await launch();
const page = await open(chrome.browser, site.url);
console.log(`\n${await chrome.browser.version()}, worker; times in ms, cold / warm median of ${warmRuns}`);
console.log(`calibration: 200000000 steps of xorshift32 in JavaScript in ${(await calibrate(page)).toFixed(1)} ms\n`);
console.log(`${'trace'.padEnd(28)}${'jobs'.padStart(8)}${'parse'.padStart(8)}${policies.map(p => p.padStart(16)).join('')}${'peak MB'.padStart(10)}`);
const ratios = [], times = [];
for (const file of traces()) {
  const name = basename(file).replace(/(\.norm)?\.swf(\.gz)?$/, ''), own = native(file), m = await measure(page, file);
  console.log(name.padEnd(28) + String(m.jobs).padStart(8) + String(m.open[1]).padStart(8) +
    policies.map(p => m.runs[p].join(' / ').padStart(16)).join('') + String(peak()).padStart(10));
  for (const p of policies) if (most[p]) ratios.push({ name, p, warm: m.runs[p][1], own: own[p], ratio: m.runs[p][1] / own[p] });
  for (const [p, limit] of Object.entries(mostWarm[name] ?? {})) times.push({ name, p, warm: m.runs[p][1], limit });
}
for (const { name, p, warm, limit } of times) console.log(`${name} ${p}: ${warm} ms warm, limit ${limit}  ${warm <= limit ? 'met' : 'NOT MET'}`);
console.log('\npeak MB: largest resident memory of the page\'s process so far.');
console.log(`\n${'limits, warm worker to native'.padEnd(36)}${['warm', 'native', 'ratio', 'limit'].map(h => h.padStart(9)).join('')}`);
for (const { name, p, warm, own, ratio } of ratios) {
  console.log(name.padEnd(22) + p.padEnd(14) + String(warm).padStart(9) + own.toFixed(1).padStart(9) + ratio.toFixed(2).padStart(9) +
    String(most[p]).padStart(9) + (ratio <= most[p] ? '  met' : '  NOT MET'));
}
await chrome.stop();
site.stop();
