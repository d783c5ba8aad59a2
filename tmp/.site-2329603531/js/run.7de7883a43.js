'use strict';
globalThis.labRun = async (module, name) => {
const go = new Go();
go.argv = ['lab', name];
let last = [], pending = '';
const decoder = new TextDecoder();
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
