// The colours and the font of the charts, as css/chart.css has them.
const probe = document.createElement('canvas').getContext('2d');

let look;

function list(style, name) {
  return style.getPropertyValue('--chart-' + name).trim().split(/\s+/).map(colour => {
    probe.fillStyle = colour;
    return probe.fillStyle;
  });
}

// readLook reads them as they are now.
export function readLook() {
  const style = getComputedStyle(document.body), jobs = list(style, 'jobs');
  const found = { font: style.fontFamily, edge: Number(style.getPropertyValue('--chart-edge')), jobs, hues: jobs, steps: list(style, 'steps'), sides: list(style, 'sides'), slices: list(style, 'slices') };
  for (const name of ['grid', 'label', 'ink', 'paper', 'accent', 'busy', 'queue', 'bin']) [found[name]] = list(style, name);
  return found;
}

// currentLook reads them once for each theme.
export const currentLook = () => look ??= readLook();

// onTheme calls back after the theme has changed.
export function onTheme(changed) {
  const renew = () => {
    look = undefined;
    changed();
  };
  new MutationObserver(renew).observe(document.documentElement, { attributes: true });
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', renew);
}
