// This module opens a run when a person clicks its point in a plot or presses Enter on the point.
// The Tab key reaches one point, and the arrow keys move to the others. tips.js shows the values of
// a point.

const pointsIn = root => [...root.querySelectorAll('[data-run]')];

const keyOf = element => element.dataset.key;

// makePoints turns the points in the last mark of a plot into buttons. `points` is the data of that mark.
// Observable Plot stores in each element the index of its point.
export function makePoints(svg, points) {
  [...svg.querySelectorAll('.x-points > *')].forEach((element, i) => {
    const point = points[element.__data__];
    Object.assign(element.dataset, { run: point.run, key: `${point.s} ${point.x} ${point.run}` });
    element.setAttribute('role', 'button');
    element.setAttribute('tabindex', i === 0 ? 0 : -1);
    element.setAttribute('aria-label', point.text);
  });
}

// BESIDE is the distance in pixels below which points cover one another. spreadPoints moves such points this far apart
// if there is enough space.
const BESIDE = 11;

// spreadPoints moves points with the same x value sideways if they would cover one another, but never
// as far as the points of another x value.
export function spreadPoints(svg) {
  const places = [...svg.querySelectorAll('.x-points > *')].map((element, order) => {
    const [x, y] = element.getAttribute('transform').match(/-?[\d.]+/g).map(Number);
    return { element, order, x, y };
  });
  const xs = [...new Set(places.map(place => place.x))].sort((a, b) => a - b);
  const room = Math.min(...xs.slice(1).map((x, i) => x - xs[i]));
  for (const x of xs) {
    const column = places.filter(place => place.x === x).sort((a, b) => a.y - b.y), groups = [];
    for (const place of column) {
      if (place.y - groups.at(-1)?.at(-1).y < BESIDE) groups.at(-1).push(place);
      else groups.push([place]);
    }
    for (const group of groups) {
      const step = Math.min(BESIDE, room / group.length);
      group.sort((a, b) => a.order - b.order).forEach(({ element, y }, i) => element.setAttribute('transform', `translate(${x + step * (i - (group.length - 1) / 2)},${y})`));
    }
  }
}

// opened is the key of the point whose run was opened last, until the plot is drawn again.
let opened;

// refocus remembers which point has the focus. It returns a function that focuses the same point after
// the plot is drawn again. When the person comes back from a run, it focuses the point of this run.
export function refocus(host) {
  const { activeElement: active, body } = document;
  const current = host.contains(active) ? keyOf(active) : active === body ? opened : undefined;
  opened = undefined;
  return root => {
    const same = current && pointsIn(root).find(point => keyOf(point) === current);
    if (same) focusPoint(root, same);
  };
}

// focusPoint moves the keyboard focus to a point.
function focusPoint(root, point) {
  for (const other of pointsIn(root)) other.setAttribute('tabindex', other === point ? 0 : -1);
  point.focus();
}

// openRun opens the run of a point.
function openRun(point) {
  opened = keyOf(point);
  window.labExperimentRun(Number(point.dataset.run));
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

document.addEventListener('keydown', event => {
  const point = event.target.closest?.('#x-plot [data-run]');
  if (!point || event.ctrlKey || event.altKey || event.metaKey) return;
  const root = point.closest('#x-plot'), points = pointsIn(root), current = points.indexOf(point);
  const to = { Home: 0, End: points.length - 1 }[event.key] ?? current + (STEPS[event.key] ?? 0);
  if (event.key === 'Enter' || event.key === ' ') openRun(point);
  else if (to === current) return;
  else focusPoint(root, points[Math.max(0, Math.min(to, points.length - 1))]);
  event.preventDefault();
});

// A finger may miss a point by a few pixels. So the first tap only shows the values of a point, and the next tap on it
// opens its run.
let focusedBefore;
document.addEventListener('pointerdown', () => { focusedBefore = document.activeElement; }, true);
document.addEventListener('click', event => {
  const point = event.target.closest?.('#x-plot [data-run]');
  if (!point) return;
  if (event.pointerType === 'touch' && focusedBefore !== point) focusPoint(point.closest('#x-plot'), point);
  else openRun(point);
});
