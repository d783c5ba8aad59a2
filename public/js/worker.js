// The first script of a worker: waits for the compiled program and runs it.
// Messages that arrive before the program listens are kept in order.
'use strict';
let labHandle = null;
const labInbox = [];

self.labListen = handle => {
  queueMicrotask(() => {
    labHandle = handle;
    while (labInbox.length > 0) handle(labInbox.shift());
  });
};

self.onmessage = async event => {
  const m = event.data;
  if (m.kind !== 'boot') {
    if (labHandle) labHandle(m); else labInbox.push(m);
    return;
  }
  let text;
  try {
    if (!self.labRun) importScripts(...m.scripts);
    text = await labRun(m.module, m.name);
  } catch (e) {
    text = String(e);
  }
  labHandle = null;
  postMessage({ kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker ' + m.name, text }), bufs: [] });
};
