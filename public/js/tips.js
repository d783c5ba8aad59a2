// Shows the explanation of a glossary word while the pointer or the keyboard focus is on it, or
// after a tap. The explanation stays while the pointer is on it. Escape closes it.
import { byId } from './parts.js';

const GAP = 6, PATIENCE = 250; // pixels between word and tip; ms for the pointer to move from the word to the tip

let word = null, leaving;

const tip = () => byId('lab-word');

function hide() {
  clearTimeout(leaving);
  word = null;
  tip().hidden = true;
}

function place() {
  const at = word.getBoundingClientRect(), box = tip(), { offsetWidth: w, offsetHeight: h } = box;
  const below = at.bottom + GAP + h <= innerHeight;
  box.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - w - GAP))}px`;
  box.style.top = `${below ? at.bottom + GAP : at.top - GAP - h}px`;
}

// show shows the explanation of a word.
function show(of) {
  clearTimeout(leaving);
  word = of;
  Object.assign(tip(), { textContent: of.getAttribute('aria-description'), lang: of.closest('[lang]').lang, hidden: false });
  place();
}

// settleTip closes a tip whose word is gone after a render.
export function settleTip() {
  if (word && (!word.isConnected || word.getAttribute('aria-description') !== tip().textContent)) hide();
}

const termOf = event => event.target.closest?.('.term');

document.addEventListener('pointerover', event => {
  const of = termOf(event);
  if (of && event.pointerType === 'mouse') show(of);
  else if (word && event.target.closest?.('#lab-word')) clearTimeout(leaving);
});
document.addEventListener('pointerout', event => {
  if (word && word !== document.activeElement && event.pointerType === 'mouse' && (termOf(event) || event.target.id === 'lab-word')) leaving = setTimeout(hide, PATIENCE);
});
document.addEventListener('focusin', event => {
  const of = termOf(event);
  if (of) show(of); else if (word) hide();
});
document.addEventListener('focusout', event => { if (termOf(event) === word && word) hide(); });
document.addEventListener('click', event => {
  const of = termOf(event);
  if (of) show(of); else if (word && !event.target.closest('#lab-word')) hide();
});
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !word) return;
  event.stopImmediatePropagation();
  hide();
}, true);
for (const name of ['scroll', 'resize']) addEventListener(name, () => word && place(), true);
