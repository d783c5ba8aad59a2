// Runs the compiled program; the page and each worker load this. Not for anything
// that only one of them needs.
'use strict';
// labRun starts the program and answers, once it has ended, with its last words.
// A program that ends has failed: ours run as long as their page or worker does.
globalThis.labRun = async (module, name) => {
  const go = new Go();
  go.argv = ['lab', name];
  let last = [], pending = '';
  const decoder = new TextDecoder();
  // Go prints panics here, line by line.
  fs.writeSync = (fd, bytes) => {
    pending += decoder.decode(bytes, { stream: true });
    const lines = pending.split('\n');
    pending = lines.pop();
    for (const line of lines) {
      (fd === 2 ? console.error : console.log)(line);
      last.push(line);
    }
    if (last.length > 60) last = last.slice(-60);
    return bytes.length;
  };
  // Timers and events that were under way when the program ended are not errors.
  // wasm_exec.js resumes until a timer is off the list: it would for ever.
  const resume = go._resume.bind(go);
  go._resume = () => { if (go.exited) go._scheduledTimeouts.clear(); else resume(); };
  let code = 0;
  go.exit = c => { code = c; };
  try {
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (e) {
    last.push(String(e));
  }
  const start = last.findIndex(l => /^(panic|fatal error|runtime):/.test(l));
  return (start < 0 ? last : last.slice(start)).join('\n') || `the program ended with code ${code}`;
};
