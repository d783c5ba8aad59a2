// This module is the script of a worker. The first worker compiles the program during the download;
// the other workers get the compiled program. Each worker runs the program, and queues messages
// until the program listens.
import { sha256 } from '@noble/hashes/sha2.js';
import { XzReadableStream } from 'xz-decompress';
import { runProgram } from './run.js';

let listener = null;
const inbox = [];

// The program calls labListen with the function that handles its messages.
self.labListen = handle => {
  queueMicrotask(() => {
    listener = handle;
    while (inbox.length > 0) handle(inbox.shift());
  });
};

// The program calls labHash for a SHA-256 hash of data that arrives in parts.
self.labHash = () => sha256.create();

let program = null, ended;

// runOnce runs the program and returns a promise that resolves to its last lines of output. A
// worker that was started from a blob already contains all scripts. Other workers import them.
async function runOnce(module, exec) {
  try {
    if (!self.Go) importScripts(exec);
    return await runProgram(module, self.name);
  } catch (e) {
    return String(e);
  }
}

// compile starts to compile the program when its first bytes arrive, and runs it afterwards.
function compile(bytes, exec) {
  const received = new ReadableStream({ start(out) { program = out; } });
  // XZ data begins with byte 253. If the first byte differs, the browser has already decompressed the
  // data.
  const body = bytes?.[0] === 253 ? new XzReadableStream(received) : received;
  // The code sets the type, because course servers often send the program as octet-stream.
  WebAssembly.compileStreaming(new Response(body, { headers: { 'Content-Type': 'application/wasm' } }))
    .then(module => {
      postMessage({ module });
      self.labFirst = true;
      ended = runOnce(module, exec);
    }, e => postMessage({ text: String(e) }));
}

// receivePart receives a part of the program. A part without bytes marks the end.
function receivePart({ bytes, exec }) {
  if (!program) compile(bytes, exec);
  if (bytes) program.enqueue(bytes);
  else program.close();
}

// boot runs the compiled program, unless it already runs, and reports its end.
async function boot({ module, exec }) {
  const text = await (ended ??= runOnce(module, exec));
  listener = null;
  postMessage({ kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker ' + self.name, text }), bufs: [] });
}

self.onmessage = ({ data: message }) => {
  if (message.kind === 'part') receivePart(message);
  else if (message.kind === 'boot') boot(message);
  else if (listener) listener(message);
  else inbox.push(message);
};
