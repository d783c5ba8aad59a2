// This module exports a plot as an SVG file that does not depend on the style sheets of the page.
import { make, SVG } from './legend.js';

// computedColour returns the colour that a CSS variable or a mix of colours stands for.
function computedColour(value, probe) {
  probe.style.color = '';
  probe.style.color = value;
  const { color } = getComputedStyle(probe);
  const mixed = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(color);
  return mixed ? `rgb(${mixed.slice(1).map(part => Math.round(255 * part)).join(', ')})` : color;
}

// exported returns the text of the file. `paper` names the background: white, transparent or dark. The
// other colours come from the light or the dark theme, whichever suits the background.
export function exported(svg, { title, label }, paper) {
  const root = document.documentElement, { theme = '' } = root.dataset;
  root.dataset.theme = paper === 'dark' ? 'dark' : 'light';
  const copy = svg.cloneNode(true), probe = svg.parentNode.appendChild(document.createElement('span'));
  for (const element of [copy, ...copy.querySelectorAll('*')]) {
    for (const name of ['fill', 'stroke']) {
      const value = element.getAttribute(name);
      if (value && /var\(|color-mix|currentColor/.test(value)) element.setAttribute(name, computedColour(value, probe));
    }
    if (element.dataset.run) element.append(make('title', {}, element.getAttribute('aria-label')));
    for (const name of ['role', 'tabindex', 'aria-label', 'class', 'data-run', 'data-key', 'style']) element.removeAttribute(name);
  }
  const ink = computedColour('var(--ink)', probe), back = paper === 'dark' ? computedColour('var(--paper)', probe) : '#ffffff';
  probe.remove();
  root.dataset.theme = theme;
  if (!theme) delete root.dataset.theme;
  const attributes = { xmlns: SVG, 'font-family': 'system-ui, sans-serif', 'font-size': 12, fill: ink, role: 'img' };
  for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, value);
  if (paper !== 'transparent') copy.prepend(make('rect', { width: '100%', height: '100%', fill: back }));
  copy.prepend(make('title', {}, `${title}: ${label}`));
  return new XMLSerializer().serializeToString(copy);
}
