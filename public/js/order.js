// Lets a person drag policies to another place by their headings. During the drag, the page shows
// only the headings.
const forms = () => [...document.querySelectorAll('fieldset[data-policy]')];

// scroller returns the element that scrolls the panel.
function scroller(el) {
  while (el && el.scrollHeight <= el.clientHeight) el = el.parentElement;
  return el ?? document.scrollingElement;
}

// startDrag shows only the headings, and scrolls so that the dragged one stays in its position.
function startDrag(own, line) {
  const before = own.getBoundingClientRect().top, panel = scroller(own.parentElement);
  document.documentElement.dataset.sorting = 'policies';
  panel.scrollTop += own.getBoundingClientRect().top - before;
  line.className = 'drop-line';
  document.body.append(line);
}

// dropIndex returns the new index of the dragged policy if it is dropped at height y. It moves the
// line there that marks the place.
function dropIndex(own, line, y) {
  const all = forms(), boxes = all.map(f => f.getBoundingClientRect()), from = all.indexOf(own);
  let gap = boxes.findIndex(b => y < (b.top + b.bottom) / 2);
  if (gap < 0) gap = all.length;
  const last = boxes.at(-1);
  line.style.top = `${(gap < all.length ? boxes[gap].top : last.bottom) - 2}px`;
  line.style.left = `${last.left}px`;
  line.style.width = `${last.width}px`;
  return gap > from ? gap - 1 : gap;
}

document.addEventListener('pointerdown', event => {
  const legend = event.target.closest?.('fieldset[data-policy] > legend');
  if (!legend || event.button || forms().length < 2) return;
  event.preventDefault();
  const own = legend.parentElement, line = document.createElement('div'), by = new AbortController();
  let to = -1;
  const end = moved => {
    by.abort();
    line.remove();
    delete document.documentElement.dataset.sorting;
    const button = own.querySelector('[data-place]');
    if (!moved || to < 0 || to === forms().indexOf(own) || !button) return;
    button.value = to;
    button.dispatchEvent(new Event('place'));
  };
  legend.setPointerCapture(event.pointerId);
  legend.addEventListener('pointermove', e => {
    if (to < 0 && Math.abs(e.clientY - event.clientY) < 4) return;
    if (to < 0) startDrag(own, line);
    to = dropIndex(own, line, e.clientY);
  }, by);
  legend.addEventListener('pointerup', () => end(true), by);
  legend.addEventListener('pointercancel', () => end(false), by);
  document.addEventListener('keydown', e => { if (e.key === 'Escape') end(false); }, by);
});
