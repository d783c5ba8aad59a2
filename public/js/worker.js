// The script of a worker: compiles the program as it comes, if it is the first worker;
// waits for the compiled program and runs it. Messages that arrive before the program
// listens are kept in order.
import { runProgram } from './run.js';

let hear = null;
const inbox = [];

// The program takes its messages with this.
self.labListen = handle => {
  queueMicrotask(() => {
    hear = handle;
    while (inbox.length > 0) handle(inbox.shift());
  });
};

let program = null, unpacker, ended;

// begin runs the program and answers with its last words. A worker that is made of a text
// has all scripts in it.
async function begin(module, { exec }) {
  try {
    if (!self.Go) importScripts(exec);
    return await runProgram(module, self.name);
  } catch (e) {
    return String(e);
  }
}

// compile begins with a program of which the first bytes are there, and runs it.
function compile(bytes, scripts) {
  const body = new ReadableStream({ start(out) { program = out; } });
  // The type is set here because file stores of course servers send octet-stream.
  WebAssembly.compileStreaming(new Response(body, { headers: { 'Content-Type': 'application/wasm' } }))
    .then(module => {
      postMessage({ module });
      self.labFirst = true;
      ended = begin(module, scripts);
    }, e => postMessage({ text: String(e) }));
  // Zstandard begins so; the browser may have unpacked it already.
  if (bytes?.[0] !== 40) return;
  if (!self.fzstd) importScripts(scripts.unpack);
  unpacker = new self.fzstd.Decompress(plain => program.enqueue(plain));
}

// take takes a part of the program, none at its end.
function take({ bytes, scripts }) {
  try {
    if (!program) compile(bytes, scripts);
    if (!bytes) program.close();
    else if (unpacker) unpacker.push(bytes);
    else program.enqueue(bytes);
  } catch (e) {
    program.error(e);
  }
}

async function boot({ module, scripts }) {
  const text = await (ended ??= begin(module, scripts));
  hear = null;
  postMessage({ kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker ' + self.name, text }), bufs: [] });
}

self.onmessage = ({ data: message }) => {
  if (message.kind === 'part') take(message);
  else if (message.kind === 'boot') boot(message);
  else if (hear) hear(message);
  else inbox.push(message);
};
