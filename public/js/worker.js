// The first script of a worker: compiles the program as it comes, if it is the first
// worker; waits for the compiled program and runs it. Messages that arrive before the
// program listens are kept in order.
'use strict';
(() => {
  let hear = null;
  const inbox = [];

  self.labListen = handle => {
    queueMicrotask(() => {
      hear = handle;
      while (inbox.length > 0) handle(inbox.shift());
    });
  };

  let program = null, unpacker, ended;

  // begin runs the program and answers with its last words. A worker that is made of a text
  // has all scripts in it.
  async function begin(module, [exec, run]) {
    try {
      if (!self.labRun) importScripts(exec, run);
      return await labRun(module, name);
    } catch (e) {
      return String(e);
    }
  }

  // take takes a part of the program, none at its end, and answers with the whole, which
  // it runs at once.
  function take({ bytes, scripts }) {
    try {
      if (!program) {
        const body = new ReadableStream({ start(out) { program = out; } });
        // The type is set here because file stores of course servers send octet-stream.
        WebAssembly.compileStreaming(new Response(body, { headers: { 'Content-Type': 'application/wasm' } }))
          .then(module => {
            postMessage({ module });
            self.labFirst = true;
            ended = begin(module, scripts);
          }, e => postMessage({ text: String(e) }));
        // Zstandard begins so; the browser may have unpacked it already.
        if (bytes?.[0] === 40) {
          if (!self.fzstd) importScripts(scripts[2]);
          unpacker = new fzstd.Decompress(bytes => program.enqueue(bytes));
        }
      }
      if (!bytes) program.close();
      else if (unpacker) unpacker.push(bytes);
      else program.enqueue(bytes);
    } catch (e) {
      program.error(e);
    }
  }

  self.onmessage = async event => {
    const m = event.data;
    if (m.kind === 'part') return take(m);
    if (m.kind !== 'boot') {
      if (hear) hear(m); else inbox.push(m);
      return;
    }
    const text = await (ended ??= begin(m.module, m.scripts));
    hear = null;
    postMessage({ kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker ' + name, text }), bufs: [] });
  };
})();
