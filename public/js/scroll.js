// This module stores the scroll position of each tab of the left panel, and keeps the chart in view
// in which the person asked about a job. All tabs share one scrolling element, because Vugu reuses it. Without this
// module, a tab would open at the scroll position of the previous tab.
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

// restoreScroll restores the scroll position of a tab if another tab was shown before. It does nothing
// when the page starts, because the panel is then at its top, and setting the position would make the
// browser compute the layout.
export function restoreScroll() {
  const now = panel(), before = shown;
  if (!now || before === (shown = nameOf(now)) || !before) return;
  scrollerOf(now).scrollTop = positions[shown] ?? 0;
}

// askedChart returns the chart in which the person asked about a job. On a wide screen, it returns null. On a narrow
// screen, the answer and the keyboard of a phone cover a part of the charts, so this chart scrolls into view.
const askedChart = () => matchMedia('(max-width: 1099px)').matches ? document.querySelector('.open-why .chart:not([data-asked=""])') : null;
const show = () => askedChart()?.scrollIntoView({ block: 'nearest' });
const covered = new ResizeObserver(show);
let asked = '', observed = null;

// showAsked scrolls to the chart if the person has asked about another job or in another chart. It is called after
// each render. It does not observe the same element twice, because the observer would then report its size, and
// scroll, after each render.
export function showAsked() {
  const chart = askedChart(), stage = document.querySelector('.stage');
  if (stage !== observed) {
    covered.disconnect();
    if ((observed = stage)) covered.observe(stage);
  }
  if (asked !== (asked = chart ? `${chart.id} ${chart.dataset.asked}` : '')) show();
}
