// What the person has opened goes to a page around this one with their consent alone.
import { byId } from './parts.js';

// A press counts once the whole dialog has been in sight for so many ms. Where the
// browser can tell (isVisible), nothing may cover or fade it meanwhile.
const CALM = 500;

const dialog = byId('lab-consent'), [origin, hint, refuse, agree] = ['origin', 'hint', 'refuse', 'agree'].map(name => byId('lab-consent-' + name));
let seen = Infinity, inSight = false, answer = null;

const isRipe = event => event.isTrusted && performance.now() - seen >= CALM;

// look starts the time anew whenever some of the dialog is out of sight: a frame that
// is too small has it scroll.
function look() {
  const whole = inSight && dialog.scrollHeight <= dialog.clientHeight + 1 && dialog.scrollWidth <= dialog.clientWidth + 1;
  seen = whole ? Math.min(seen, performance.now()) : Infinity;
  hint.classList.toggle('away', whole);
}

// watchConsent is for a page in a frame.
export function watchConsent() {
  new IntersectionObserver(all => {
    const { intersectionRatio, isVisible } = all.at(-1);
    inSight = intersectionRatio > 0.99 && isVisible !== false;
    look();
  }, { threshold: [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1], trackVisibility: true, delay: 100 }).observe(dialog);
  new ResizeObserver(look).observe(dialog);
  refuse.onclick = event => { if (isRipe(event)) dialog.close(); };
  agree.onclick = event => {
    if (!isRipe(event)) return;
    answer = true;
    dialog.close();
  };
  dialog.onclose = () => {
    seen = Infinity;
    window.labConsented(answer);
  };
  // The dialog is modal; Tab stays in it all the same where it would leave the frame.
  dialog.onkeydown = event => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    (document.activeElement === refuse ? agree : refuse).focus();
  };
}

// askConsent is for the program: the dialog names the page that asks.
export function askConsent(from) {
  answer = false;
  origin.textContent = from === 'null' ? dialog.dataset.opaque : from;
  dialog.showModal();
  refuse.focus();
}
