// This module shows the explanation of a glossary word, or the values of a point in a plot. It
// shows the text while the pointer or the keyboard focus is on the word or the point, or after a
// tap. The explanation stays while the pointer is on it. Escape closes it.
import { byId } from './parts.js';

const GAP = 6, HIDE_DELAY_MS = 250; // GAP: pixels between a word and its explanation; HIDE_DELAY_MS: ms until the explanation disappears after the pointer has left

let word = null, hideTimer;

const tip = () => byId('lab-word');

const explanationOf = term => term.getAttribute('aria-description') ?? term.getAttribute('aria-label');

function hide() {
  clearTimeout(hideTimer);
  word = null;
  tip().hidden = true;
}

function positionTip() {
  const at = word.getBoundingClientRect(), box = tip(), { offsetWidth: w, offsetHeight: h } = box;
  const below = at.bottom + GAP + h <= innerHeight;
  box.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - w - GAP))}px`;
  box.style.top = `${below ? at.bottom + GAP : at.top - GAP - h}px`;
}

// show shows the explanation of a word.
function show(term) {
  clearTimeout(hideTimer);
  word = term;
  Object.assign(tip(), { textContent: explanationOf(term), lang: term.closest('[lang]').lang, hidden: false, className: term.dataset.run ? 'of-point' : '' });
  positionTip();
}

// settleTip hides the explanation if a render has removed or changed its word.
export function settleTip() {
  if (word && (!word.isConnected || explanationOf(word) !== tip().textContent)) hide();
}

const termOf = event => event.target.closest?.('.term, #x-plot [data-run]');

document.addEventListener('pointerover', event => {
  const term = termOf(event);
  if (term && event.pointerType === 'mouse') show(term);
  else if (word && event.target.closest?.('#lab-word')) clearTimeout(hideTimer);
});
document.addEventListener('pointerout', event => {
  if (word && word !== document.activeElement && event.pointerType === 'mouse' && (termOf(event) || event.target.id === 'lab-word')) hideTimer = setTimeout(hide, HIDE_DELAY_MS);
});
document.addEventListener('focusin', event => {
  const term = termOf(event);
  if (!term && word) hide();
  else if (term && (!term.dataset.run || term.matches(':focus-visible'))) show(term); // not for a point that gets the focus after a return from its run
});
document.addEventListener('focusout', event => { if (termOf(event) === word && word) hide(); });
document.addEventListener('click', event => {
  const term = termOf(event);
  if (term) show(term); else if (word && !event.target.closest('#lab-word')) hide();
});
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !word) return;
  event.stopImmediatePropagation();
  hide();
}, true);
for (const name of ['scroll', 'resize']) addEventListener(name, () => word && positionTip(), true);
