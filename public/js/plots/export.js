// A plot as an SVG file that stands alone.

// literal replaces CSS variables and mixes of colours by the colours that the page shows.
function literal(value, probe) {
  probe.style.color = '';
  probe.style.color = value;
  const { color } = getComputedStyle(probe);
  const mixed = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(color);
  return mixed ? `rgb(${mixed.slice(1).map(part => Math.round(255 * part)).join(', ')})` : color;
}

// exported returns the text of the file. The colours are those of the light theme.
export function exported(svg, { title, label }) {
  const root = document.documentElement, { theme = '' } = root.dataset;
  root.dataset.theme = 'light';
  const copy = svg.cloneNode(true), probe = svg.parentNode.appendChild(document.createElement('span'));
  for (const element of [copy, ...copy.querySelectorAll('*')]) {
    for (const name of ['fill', 'stroke']) {
      const value = element.getAttribute(name);
      if (value && /var\(|color-mix|currentColor/.test(value)) element.setAttribute(name, literal(value, probe));
    }
    for (const name of ['role', 'tabindex', 'aria-label', 'class', 'data-run', 'data-key', 'style']) element.removeAttribute(name);
  }
  probe.remove();
  root.dataset.theme = theme;
  if (!theme) delete root.dataset.theme;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('font-family', 'system-ui, sans-serif');
  copy.setAttribute('font-size', 12);
  copy.setAttribute('fill', '#1b1b1b');
  const name = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  name.textContent = `${title}: ${label}`;
  copy.prepend(name);
  return new XMLSerializer().serializeToString(copy);
}
