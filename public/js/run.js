// This module runs the compiled program, in the page and in each worker.

// KEPT_LINES is the number of lines of output to keep.
const KEPT_LINES = 60;

// collectOutput keeps the last lines that the program prints. "text" returns them, from the beginning of the
// report of a panic if there is one.
function collectOutput() {
  const decoder = new TextDecoder();
  let lines = [], pending = '';
  globalThis.fs.writeSync = (fd, bytes) => {
    pending += decoder.decode(bytes, { stream: true });
    const completeLines = pending.split('\n');
    pending = completeLines.pop();
    for (const line of completeLines) (fd === 2 ? console.error : console.log)(line);
    lines = [...lines, ...completeLines].slice(-KEPT_LINES);
    return bytes.length;
  };
  return {
    add(line) { lines.push(line); },
    text() {
      const start = lines.findIndex(line => /^(panic|fatal error|runtime):/.test(line));
      return (start < 0 ? lines : lines.slice(start)).join('\n');
    },
  };
}

// runProgram starts the program and resolves to its last lines of output once it has
// ended. A program that ends has crashed, because it should run as long as its page or
// worker.
export async function runProgram(module, name) {
  const go = new globalThis.Go(), output = collectOutput();
  go.argv = ['lab', name];
  // Timers may still fire after the end of the program. wasm_exec.js would then try forever to
  // resume it.
  const resume = go._resume.bind(go);
  go._resume = () => { if (go.exited) go._scheduledTimeouts.clear(); else resume(); };
  let code = 0;
  go.exit = c => { code = c; };
  try {
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (e) {
    output.add(String(e));
  }
  return output.text() || `the program ended with code ${code}`;
}
