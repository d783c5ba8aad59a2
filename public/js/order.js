// This module lets a person drag policies to another place by their headings. During the drag, the
// page shows only the headings.
const forms = () => [...document.querySelectorAll('fieldset[data-policy]')];

// scroller returns the element that scrolls the panel.
function scroller(el) {
  while (el && el.scrollHeight <= el.clientHeight) el = el.parentElement;
  return el ?? document.scrollingElement;
}

// startDrag shows only the headings, and scrolls so that the dragged one stays in its position.
function startDrag(dragged, line) {
  const topBefore = dragged.getBoundingClientRect().top, panel = scroller(dragged.parentElement);
  document.documentElement.dataset.sorting = 'policies';
  panel.scrollTop += dragged.getBoundingClientRect().top - topBefore;
  line.className = 'drop-line';
  document.body.append(line);
}

// dropIndex returns the index that the dragged policy has after a drop at height y. It also moves
// the line that marks this position.
function dropIndex(dragged, line, y) {
  const policies = forms(), boxes = policies.map(f => f.getBoundingClientRect()), from = policies.indexOf(dragged);
  let gap = boxes.findIndex(b => y < (b.top + b.bottom) / 2);
  if (gap < 0) gap = policies.length;
  const last = boxes.at(-1);
  line.style.top = `${(gap < policies.length ? boxes[gap].top : last.bottom) - 2}px`;
  line.style.left = `${last.left}px`;
  line.style.width = `${last.width}px`;
  return gap > from ? gap - 1 : gap;
}

document.addEventListener('pointerdown', event => {
  const legend = event.target.closest?.('fieldset[data-policy] > legend');
  if (!legend || event.button || forms().length < 2) return;
  event.preventDefault();
  const dragged = legend.parentElement, line = document.createElement('div'), listeners = new AbortController();
  let to = -1;
  const end = moved => {
    listeners.abort();
    line.remove();
    delete document.documentElement.dataset.sorting;
    const button = dragged.querySelector('[data-place]');
    if (!moved || to < 0 || to === forms().indexOf(dragged) || !button) return;
    button.value = to;
    button.dispatchEvent(new Event('place'));
  };
  legend.setPointerCapture(event.pointerId);
  legend.addEventListener('pointermove', e => {
    if (to < 0 && Math.abs(e.clientY - event.clientY) < 4) return;
    if (to < 0) startDrag(dragged, line);
    to = dropIndex(dragged, line, e.clientY);
  }, listeners);
  legend.addEventListener('pointerup', () => end(true), listeners);
  legend.addEventListener('pointercancel', () => end(false), listeners);
  document.addEventListener('keydown', e => { if (e.key === 'Escape') end(false); }, listeners);
});
