// The points of a plot that open runs: with the pointer, and with the keyboard. One point is in the
// order of the Tab key; the arrow keys lead to the others.

const pointsIn = root => [...root.querySelectorAll('[data-run]')];

const keyOf = element => element.dataset.key;

// makePoints turns the last mark of a plot into buttons. `points` is the data of that mark; Plot binds
// to each element the index of its datum.
export function makePoints(svg, points) {
  [...svg.querySelectorAll('.x-points > *')].forEach((element, i) => {
    const point = points[element.__data__];
    Object.assign(element.dataset, { run: point.run, key: `${point.s} ${point.x} ${point.run}` });
    element.setAttribute('role', 'button');
    element.setAttribute('tabindex', i === 0 ? 0 : -1);
    element.setAttribute('aria-label', point.text);
    element.append(Object.assign(document.createElementNS('http://www.w3.org/2000/svg', 'title'), { textContent: point.text }));
  });
}

// refocus notes which point has the focus. The function that it returns focuses the same point in the
// new plot.
export function refocus(host) {
  const at = host.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
  return root => {
    const same = at && pointsIn(root).find(point => keyOf(point) === at);
    if (same) enter(root, same);
  };
}

// enter moves the focus to a point.
function enter(root, point) {
  for (const other of pointsIn(root)) other.setAttribute('tabindex', other === point ? 0 : -1);
  point.focus();
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

document.addEventListener('keydown', event => {
  const point = event.target.closest?.('#x-plot [data-run]');
  if (!point || event.ctrlKey || event.altKey || event.metaKey) return;
  const root = point.closest('#x-plot'), all = pointsIn(root), at = all.indexOf(point);
  const to = { Home: 0, End: all.length - 1 }[event.key] ?? at + (STEPS[event.key] ?? 0);
  if (event.key === 'Enter' || event.key === ' ') window.labExperimentRun(Number(point.dataset.run));
  else if (to === at) return;
  else enter(root, all[Math.max(0, Math.min(to, all.length - 1))]);
  event.preventDefault();
});

document.addEventListener('click', event => {
  const point = event.target.closest?.('#x-plot [data-run]');
  if (point) window.labExperimentRun(Number(point.dataset.run));
});
