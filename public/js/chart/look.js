// This module reads the colours and the font of the charts, which css/chart.css defines.

// probe is a canvas context that converts colours to the form #rrggbb.
const probe = document.createElement('canvas').getContext('2d');

let look;

// list returns the colours in a custom property.
function list(style, name) {
  return style.getPropertyValue('--chart-' + name).trim().split(/\s+/).map(colour => {
    probe.fillStyle = colour;
    return probe.fillStyle;
  });
}

// readLook reads the colours and the font of the current theme.
export function readLook() {
  const style = getComputedStyle(document.body), jobs = list(style, 'jobs');
  const found = { font: style.fontFamily, edge: Number(style.getPropertyValue('--chart-edge')), jobs, hues: jobs, steps: list(style, 'steps'), sides: list(style, 'sides'), slices: list(style, 'slices') };
  for (const name of ['grid', 'label', 'ink', 'paper', 'accent', 'busy', 'queue', 'bin']) [found[name]] = list(style, name);
  return found;
}

// currentLook returns the colours and the font of the current theme. It reads them again only after the
// theme has changed.
export const currentLook = () => look ??= readLook();

// onTheme calls a function after each change of the theme.
export function onTheme(changed) {
  const renew = () => {
    look = undefined;
    changed();
  };
  new MutationObserver(renew).observe(document.documentElement, { attributes: true });
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', renew);
}
