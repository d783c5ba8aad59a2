// Loads the program, shows how far it is, says in words why it cannot run or has
// stopped, and offers Go the few things that are shorter in JavaScript. Not for
// drawing and not for state.
'use strict';
(() => {
  const { wasm, exec, run, worker, unpack, ...parts } = document.currentScript.dataset;
  const absolute = name => new URL(name, document.baseURI).href;
  // The scripts of a worker, in the order in which it takes them.
  const needed = () => [exec, run, unpack].map(absolute);
  const byId = id => document.getElementById(id);
  // What may be wrong, in words.
  const said = byId('lab-fault').dataset;
  // labOption is an option of the address, as it stands there.
  window.labOption = name => RegExp(`[#&]${name}=([^&]*)`).exec(location.hash)?.[1];
  // Kept: workers start from it without another download.
  let compiled;

  // ---- loading

  // For those who measure.
  const mark = name => performance.mark('lab ' + name);

  // A page in one file holds its parts itself, in elements under their names:
  // scripts as they are, all else in base64.
  async function get(name) {
    const held = byId(name);
    if (held) return new Response(Uint8Array.from(atob(held.text), c => c.charCodeAt(0)));
    const response = await fetch(absolute(name));
    if (!response.ok) throw new TypeError(`${name}: the server answers ${response.status}`);
    return response;
  }

  // A worker unpacks and compiles a program while it arrives, as that would hold the page
  // up. The same worker runs the program later.
  let first;
  async function compile(name) {
    if (byId(worker)) await scripts; // of which the worker is made
    first = spawn('main');
    try {
      const module = new Promise((done, failed) => {
        first.onmessage = ({ data: { module, text } }) => (module ? done(module) : failed(Error(text)));
        first.onerror = e => {
          e.preventDefault();
          failed(TypeError(worker));
        };
      });
      module.catch(() => {});
      const response = await get(name), total = response.headers.get('Content-Length');
      let seen = 0;
      for (const reader = response.body.getReader(); ;) {
        const { value } = await reader.read(), bar = byId('lab-progress');
        first.postMessage({ kind: 'part', bytes: value, scripts: needed() }, value ? [value.buffer] : []);
        if (!value) return await module;
        seen += value.length;
        if (bar && total > 0) bar.value = Math.min(seen / total, 1);
      }
    } catch (e) {
      first.terminate();
      throw e;
    }
  }

  const forbidden = e => /Security Policy|CSP|unsafe-eval/i.test(e);

  async function load() {
    if (unpack) {
      try { return await compile(wasm + '.zst'); } catch (e) { if (forbidden(e) || byId(wasm + '.zst')) throw e; }
    }
    return compile(wasm);
  }

  function reason(e) {
    if (forbidden(e)) return said.forbidden;
    if (location.protocol === 'file:') return said.disk;
    return e instanceof TypeError ? said.lost : said.failed;
  }

  // The program calls scripts that stand behind this one in the page.
  const scripts = new Promise(done => document.addEventListener('DOMContentLoaded', done));

  async function start() {
    if (!window.WebAssembly?.compileStreaming) {
      overlay(said.cannot, said.none);
      return;
    }
    try {
      [compiled] = await Promise.all([load(), scripts]);
      mark('compiled');
    } catch (e) {
      overlay(said.unloaded, reason(e), String(e));
      return;
    }
    crashed(await labRun(compiled, 'page'));
  }

  // ---- faults

  function overlay(title, text, details, closable) {
    byId('lab-boot')?.remove();
    byId('lab-overlay')?.remove();
    const box = byId('lab-fault').content.firstElementChild.cloneNode(true);
    const [head, words, restart, example, close, more] = box.children;
    head.textContent = box.ariaLabel = title;
    words.textContent = text;
    more.lastElementChild.textContent = details;
    restart.onclick = () => location.reload();
    // Perhaps it is the scenario that ends the program.
    if (!location.hash.includes('s=')) example.remove();
    example.onclick = () => {
      history.replaceState(null, '', location.pathname + location.search);
      location.reload();
    };
    if (!closable) close.remove();
    close.onclick = () => box.remove();
    if (!details) more.remove();
    document.body.append(box);
    restart.focus();
  }

  function crashed(details) {
    window.labDead = true;
    overlay(said.stopped, said.ended, details);
  }

  addEventListener('error', e => {
    if (!window.labDead && e.error instanceof WebAssembly.RuntimeError) crashed(String(e.error.stack));
  });

  // ---- what Go calls (see ui/browser), and the other scripts

  window.labReady = () => {
    byId('lab-boot')?.remove();
    mark('drawn');
    dispatchEvent(new Event('lab-ready'));
    (window.requestIdleCallback ?? setTimeout)(() => fetched().catch(() => {}));
  };

  window.labFault = (where, text, stack) => {
    const details = `${text}\n${stack}`;
    console.error(`${where}: ${details}`);
    overlay(said.wrong, said.where + where, details, true);
  };

  // A frame without an origin, as in a sandbox, may start only what it holds itself,
  // and so may a file.
  function spawn(name) {
    if (origin !== 'null' && !byId(worker)) return new Worker(absolute(worker), { name });
    const text = part => byId(part)?.text ?? `importScripts("${absolute(part)}")`;
    return new Worker(URL.createObjectURL(new Blob([[exec, run, unpack, worker].filter(Boolean).map(text).join('\n')])), { name });
  }

  window.labWorker = (name, handle) => {
    const w = first ?? spawn(name);
    first = null;
    w.onmessage = e => {
      mark('worker');
      w.onmessage = e => handle(e.data);
      handle(e.data);
    };
    w.onerror = e => {
      e.preventDefault();
      handle({ kind: 'crash', id: 0, head: JSON.stringify({ where: 'worker ' + name, text: e.message || said.idle }), bufs: [] });
    };
    w.postMessage({ kind: 'boot', module: compiled, scripts: needed() });
    return w;
  };

  window.labPart = async name => (await get(parts[name])).text();

  // The script that draws for files and for paper comes once there is time: paper does
  // not wait.
  let drawer;
  const fetched = () => drawer ??= new Promise((done, failed) => {
    const script = document.createElement('script'), held = byId(parts.export);
    script.onload = done;
    script.onerror = () => {
      drawer = null;
      failed(said.lost);
    };
    if (held) script.text = held.text; else script.src = absolute(parts.export);
    document.head.append(script);
    if (held) done();
  });
  window.labPicture = async (...file) => { await fetched(); await labExport(...file); };

  window.labNextFrame = f => {
    const once = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      f();
    };
    // A hidden page gets no frames.
    const frame = requestAnimationFrame(once), timer = setTimeout(once, 100);
  };

  window.labDownload = (name, mime, bytes) => {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(new Blob([bytes], { type: mime }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 30000);
  };

  window.labOnDrop = f => {
    for (const name of ['dragover', 'drop']) {
      document.addEventListener(name, e => {
        if (!e.dataTransfer?.types.includes('Files')) return;
        e.preventDefault();
        if (name === 'drop') f(e.dataTransfer.files[0]);
      });
    }
  };

  start();
})();
