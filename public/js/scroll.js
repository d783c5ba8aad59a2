// This module stores the scroll position of each tab of the left panel. All tabs share one
// scrolling element, because Vugu reuses it. Without this module, a tab would open at the scroll
// position of the previous tab.
const panel = () => document.querySelector('.edit > [role="tabpanel"]');
const nameOf = el => el.getAttribute('aria-labelledby');

// scrollerOf returns the part of a panel that scrolls: the table of jobs, or the whole panel.
const scrollerOf = el => el.querySelector('.grid') ?? el;

const positions = {}; // scroll positions in pixels, by id of the tab
let shown = '';

document.addEventListener('scroll', event => {
  const now = panel();
  if (now && nameOf(now) === shown && event.target === scrollerOf(now)) positions[shown] = event.target.scrollTop;
}, { capture: true, passive: true });

// restoreScroll moves a panel to the position of its tab, if another tab was shown before.
export function restoreScroll() {
  const now = panel();
  if (!now || shown === (shown = nameOf(now))) return;
  scrollerOf(now).scrollTop = positions[shown] ?? 0;
}
