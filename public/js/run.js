// Runs the compiled program, in the page and in each worker.

// Lines of its last words.
const LAST = 60;

// lastWords collects what a program prints: Go prints panics so, line by line.
function lastWords() {
  const decoder = new TextDecoder();
  let lines = [], pending = '';
  globalThis.fs.writeSync = (fd, bytes) => {
    pending += decoder.decode(bytes, { stream: true });
    const whole = pending.split('\n');
    pending = whole.pop();
    for (const line of whole) (fd === 2 ? console.error : console.log)(line);
    lines = [...lines, ...whole].slice(-LAST);
    return bytes.length;
  };
  return {
    add(line) { lines.push(line); },
    told() {
      const start = lines.findIndex(line => /^(panic|fatal error|runtime):/.test(line));
      return (start < 0 ? lines : lines.slice(start)).join('\n');
    },
  };
}

// runProgram starts the program and answers, once it has ended, with its last words.
// A program that ends has failed: ours run as long as their page or worker does.
export async function runProgram(module, name) {
  const go = new globalThis.Go(), words = lastWords();
  go.argv = ['lab', name];
  // Timers and events that were under way when the program ended are not errors.
  // wasm_exec.js resumes until a timer is off the list: it would for ever.
  const resume = go._resume.bind(go);
  go._resume = () => { if (go.exited) go._scheduledTimeouts.clear(); else resume(); };
  let code = 0;
  go.exit = c => { code = c; };
  try {
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (e) {
    words.add(String(e));
  }
  return words.told() || `the program ended with code ${code}`;
}
