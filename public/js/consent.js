// The dialog that asks the person whether to share what they opened with the embedding
// page.
import { byId } from './parts.js';

// A click counts only after the whole dialog was visible for this many ms. In browsers that
// report it (isVisible), nothing may have covered or faded the dialog in that time.
const CALM = 500;

const dialog = byId('lab-consent'), [origin, hint, refuse, agree] = ['origin', 'hint', 'refuse', 'agree'].map(name => byId('lab-consent-' + name));
let seen = Infinity, inSight = false, answer = null;

const isRipe = event => event.isTrusted && performance.now() - seen >= CALM;

// look restarts the time whenever a part of the dialog is not visible, as in a frame so
// small that the dialog scrolls.
function look() {
  const whole = inSight && dialog.scrollHeight <= dialog.clientHeight + 1 && dialog.scrollWidth <= dialog.clientWidth + 1;
  seen = whole ? Math.min(seen, performance.now()) : Infinity;
  hint.classList.toggle('away', whole);
}

// watchConsent sets up the dialog of an embedded page.
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
  // Keeps Tab in the dialog. Although the dialog is modal, Tab could leave the frame.
  dialog.onkeydown = event => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    (document.activeElement === refuse ? agree : refuse).focus();
  };
}

// askConsent opens the dialog, which names the origin of the embedding page. The program
// calls it.
export function askConsent(from) {
  answer = false;
  origin.textContent = from === 'null' ? dialog.dataset.opaque : from;
  dialog.showModal();
  refuse.focus();
}
