// This module shows the dialog that asks the person whether to share the opened scenario with the
// embedding page.
import { byId } from './parts.js';

// MIN_VISIBLE is a time in ms. A click counts only if the whole dialog has been visible for this
// long. In browsers that support isVisible, the dialog must also have been uncovered and opaque
// during that time.
const MIN_VISIBLE = 500;

const dialog = byId('lab-consent'), [origin, hint, refuse, agree] = ['origin', 'hint', 'refuse', 'agree'].map(name => byId('lab-consent-' + name));
let visibleSince = Infinity, inSight = false, answer = null;

const isDeliberate = event => event.isTrusted && performance.now() - visibleSince >= MIN_VISIBLE;

// checkVisibility restarts the time MIN_VISIBLE whenever a part of the dialog is not visible, for example
// because the frame is so small that the dialog scrolls.
function checkVisibility() {
  const isWhole = inSight && dialog.scrollHeight <= dialog.clientHeight + 1 && dialog.scrollWidth <= dialog.clientWidth + 1;
  visibleSince = isWhole ? Math.min(visibleSince, performance.now()) : Infinity;
  hint.classList.toggle('away', isWhole);
}

// watchConsent sets up the dialog of an embedded page.
export function watchConsent() {
  new IntersectionObserver(all => {
    const { intersectionRatio, isVisible } = all.at(-1);
    inSight = intersectionRatio > 0.99 && isVisible !== false;
    checkVisibility();
  }, { threshold: [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1], trackVisibility: true, delay: 100 }).observe(dialog);
  new ResizeObserver(checkVisibility).observe(dialog);
  refuse.onclick = event => { if (isDeliberate(event)) dialog.close(); };
  agree.onclick = event => {
    if (!isDeliberate(event)) return;
    answer = true;
    dialog.close();
  };
  dialog.onclose = () => {
    visibleSince = Infinity;
    window.labConsented(answer);
  };
  // The handler keeps the focus in the dialog. Otherwise Tab could leave the frame, although the
  // dialog is modal.
  dialog.onkeydown = event => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    (document.activeElement === refuse ? agree : refuse).focus();
  };
}

// askConsent opens the dialog, which shows the origin of the embedding page. The program calls
// it.
export function askConsent(from) {
  answer = false;
  origin.textContent = from === 'null' ? dialog.dataset.opaque : from;
  dialog.showModal();
  refuse.focus();
}
