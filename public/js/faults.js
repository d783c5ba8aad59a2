// Says in words why the program cannot run or has stopped.
import { byId } from './parts.js';

// What may be wrong, in words.
export const said = byId('lab-fault').dataset;

// isDead tells whether the program has ended.
let dead = false;
export const isDead = () => dead;

// showFault covers the page with what happened; `closable`: one can go on.
export function showFault(title, text, details, closable) {
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

// crashed says that the program has ended.
export function crashed(details) {
  dead = true;
  showFault(said.stopped, said.ended, details);
}

// reportFault is for the program, which goes on.
export function reportFault(where, text, stack) {
  const details = `${text}\n${stack}`;
  console.error(`${where}: ${details}`);
  showFault(said.wrong, said.where + where, details, true);
}

addEventListener('error', event => {
  if (!dead && event.error instanceof WebAssembly.RuntimeError) crashed(String(event.error.stack));
});
