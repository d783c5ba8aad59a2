// The dialogs that export figures and tables for slides and papers.
import { all, blocksOf } from './blocks.js';
import { AIR, pngFile, svgFile, whole } from './picture.js';
import { byId } from '../parts.js';
import { download } from '../browser.js';

// The size in pixels of the small text of a figure before scaling.
const TEXT = 11;

// Colours of the backgrounds by name. The dark background, not listed here, has the colour of the
// dark page.
const PAPERS = { white: '#ffffff', transparent: null };

const root = document.documentElement, dialog = byId('lab-figure'), { form } = dialog.querySelector('select');
let about = '', drawn;

// number returns the number in a field of the form, within the limits of the field.
const number = ({ value, min, max }) => Math.max(min, Math.min(value || min, max));

// draw draws the preview, in colours that suit the background.
function draw() {
  const { width, size, paper, scale } = form.elements, show = {}, { theme = '' } = root.dataset;
  for (const { name, checked } of form.querySelectorAll('[type=checkbox]')) show[name] = checked;
  const zoom = number(size) / TEXT, wide = number(width) / zoom - 2 * AIR;
  root.dataset.theme = paper.value === 'dark' ? 'dark' : 'light';
  try {
    const sheet = whole(blocksOf(wide, about, show), wide, PAPERS[paper.value]);
    drawn = { sheet, scale: scale.value * zoom, svg: svgFile(sheet, about, zoom), size: [sheet.width, sheet.height].map(v => Math.ceil(v * zoom)) };
  } finally { root.dataset.theme = theme; }
  byId('lab-figure-view').innerHTML = drawn.svg;
}

// onPaper prints the figure alone, on a page of its size, which a browser can save as PDF.
function onPaper() {
  const sheet = new CSSStyleSheet(), page = document.body.appendChild(document.createElement('div'));
  page.className = 'lab-figure-page';
  page.innerHTML = drawn.svg;
  sheet.replaceSync(`@page { size: ${drawn.size.join('px ')}px; margin: 0 }`);
  document.adoptedStyleSheets.push(sheet);
  print();
  sheet.replaceSync('');
  page.remove();
}

const SAVE = {
  svg: () => download('figure.svg', 'image/svg+xml', drawn.svg),
  png: async () => download('figure.png', 'image/png', await pngFile(drawn.sheet, drawn.scale)),
  pdf: onPaper,
};

form.addEventListener('input', draw);
form.addEventListener('click', event => SAVE[event.target.value]?.());

// openFigure opens the dialog of the figure with a checkbox for each schedule.
export function openFigure(words) {
  about = words;
  byId('lab-figure-charts').replaceChildren(...all('.chart').map((chart, i) => {
    const label = document.createElement('label'), box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', name: `chart${i}`, checked: true });
    label.append(box, ` ${chart.getAttribute('aria-label')}`);
    return label;
  }));
  dialog.showModal();
  draw();
}

// Empties the dialog when it is closed, so that no names stay in it after an anonymisation.
dialog.addEventListener('close', () => {
  for (const id of ['lab-figure-charts', 'lab-figure-view']) byId(id).replaceChildren();
  drawn = undefined;
});

// ---- tables

// cellText returns the text of a table cell without the difference from the baseline.
const cellText = cell => [...cell.childNodes].filter(part => !part.classList?.contains('delta')).map(part => part.textContent.trim()).join('');
const rowsOf = table => [...table.rows].map(row => [...row.cells].map(cellText));

// Formats of tables: what to escape in a cell, and how rows become text.
const plain = text => text.replace(/(?<=\d),(?=\d{3})/g, ''); // programs read numbers without commas
const csv = text => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const latex = text => text.replace(/[\\&%$#_{}~^]/g, c => ('\\~^'.includes(c) ? `\\char\`\\${c}{}` : '\\' + c)).replaceAll('−', '$-$').replaceAll('×', '$\\times$');
const FORMATS = {
  csv: rows => rows.map(row => row.map(text => csv(plain(text))).join(',')).join('\n'),
  md: ([head, ...rows]) => [head, head.map((_, i) => (i ? '---:' : '---')), ...rows].map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n'),
  tex: ([head, ...rows]) => [`\\begin{tabular}{l${'r'.repeat(head.length - 1)}}`, '\\toprule', ...[head, ...rows].map((row, i) => `${row.map(latex).join(' & ')} \\\\${i ? '' : '\n\\midrule'}`), '\\bottomrule', '\\end{tabular}'].join('\n'),
};

const tables = byId('lab-tables'), [which, format] = tables.querySelectorAll('select'), view = byId('lab-tables-view');
// shown returns the tables of metrics that are visible on the page.
const shown = () => all('.stage .scores table').filter(table => table.rows.length > 1 && table.offsetParent);
const write = () => { view.value = FORMATS[format.value](rowsOf(shown()[which.value])) + '\n'; };

tables.addEventListener('input', write);
tables.addEventListener('close', () => {
  which.replaceChildren();
  view.value = '';
});
tables.addEventListener('click', ({ target }) => {
  if (target.value === 'save') download(`table.${format.value}`, 'text/plain', view.value);
  if (target.value !== 'copy') return;
  view.select();
  document.execCommand('copy'); // works without a permission, also in a frame
});

// openTables opens the dialog of the tables that the page shows.
export function openTables() {
  which.replaceChildren(...shown().map((table, i) => new Option(table.ariaLabel ?? table.caption.textContent, i)));
  tables.showModal();
  write();
}
