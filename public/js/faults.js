// This module shows the overlay that explains why the program cannot run or has stopped.
import { byId } from './parts.js';

// messages holds the texts for the possible errors.
export const messages = byId('lab-fault').dataset;

// isDead reports whether the program has ended.
let dead = false;
export const isDead = () => dead;

// showFault covers the page with a message. If it is `closable`, the person can close it and
// continue.
export function showFault(title, text, details, closable) {
  byId('lab-boot')?.remove();
  byId('lab-overlay')?.remove();
  const box = byId('lab-fault').content.firstElementChild.cloneNode(true);
  const [head, words, restart, example, close, more] = box.children;
  head.textContent = box.ariaLabel = title;
  words.textContent = text;
  more.lastElementChild.textContent = details;
  restart.onclick = () => location.reload();
  // If the address contains a scenario, it may be the cause of the crash. Then a button opens the example instead.
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

// crashed records and shows that the program has ended.
export function crashed(details) {
  dead = true;
  showFault(messages.stopped, messages.ended, details);
}

// reportFault shows an internal error after which the program continues. The program calls
// it.
export function reportFault(where, text, stack) {
  const details = `${text}\n${stack}`;
  console.error(`${where}: ${details}`);
  showFault(messages.wrong, messages.where + where, details, true);
}

addEventListener('error', event => {
  if (!dead && event.error instanceof WebAssembly.RuntimeError) crashed(String(event.error.stack));
});
