// This module handles the dialog that exports a figure for slides and papers.
import { all, blocksOf, title } from './blocks.js';
import { MARGIN, nextFrame, pngFile, svgFile, withMargin } from './picture.js';
import { byId } from '../parts.js';
import { download } from '../browser.js';

// TEXT is the size in pixels of the small text of a figure before scaling.
const TEXT = 11;

// PAPERS holds the colours of the backgrounds by name. The dark background is not listed here,
// because it has the colour of the dark page.
const PAPERS = { white: '#ffffff', transparent: null };

const root = document.documentElement, dialog = byId('lab-figure'), { form } = dialog.querySelector('select');
const message = dialog.querySelector('[role="status"]');
let about = '', drawn, titled = {}, proposed; // titled holds the title of the scenario, and the title that the person typed instead

// number returns the number in a field of the form, limited to the range of the field.
const number = ({ value, min, max }) => Math.max(min, Math.min(value || min, max));

// followCharts checks which schedule the strip on the page shows. If that schedule is not in the figure,
// followCharts makes the strip show one that is, and then redraws the preview.
async function followCharts(show) {
  const list = byId('strip-policy'), { labChart } = byId('strip'), results = all('#charts [data-chart=gantt]').filter((_, i) => show[`chart${i}`]).map(el => el.dataset.result);
  if (!show.curve || !list || !results[0] || results.includes(list.value)) return;
  list.value = results[0];
  list.dispatchEvent(new Event('input', { bubbles: true }));
  while (dialog.open && `${labChart.view?.result}` !== list.value) await nextFrame();
  if (dialog.open) draw();
}

// proposeTitle makes the title name the schedules of the figure, unless the person typed another title.
function proposeTitle() {
  const field = form.elements.title, proposal = title(i => form.elements[`chart${i}`].checked);
  if (field.value === proposed) field.value = proposal;
  proposed = proposal;
}

// draw draws the preview, in colours that suit the background.
function draw() {
  proposeTitle();
  const { width, size, paper, scale } = form.elements, show = { title: form.elements.title.value.trim() }, { theme = '' } = root.dataset;
  for (const { name, checked } of form.querySelectorAll('[type=checkbox]')) show[name] = checked;
  message.textContent = '';
  followCharts(show);
  const zoom = number(size) / TEXT, wide = number(width) / zoom - 2 * MARGIN;
  root.dataset.theme = paper.value === 'dark' ? 'dark' : 'light';
  try {
    const sheet = withMargin(blocksOf(wide, about, show), wide, PAPERS[paper.value]);
    drawn = { sheet, scale: scale.value * zoom, svg: svgFile(sheet, about, zoom, show.title), size: [sheet.width, sheet.height].map(v => Math.ceil(v * zoom)) };
  } finally { root.dataset.theme = theme; }
  byId('lab-figure-view').innerHTML = drawn.svg;
}

// printFigure prints only the figure, on a page of its size. A browser can save this page as PDF.
function printFigure() {
  const sheet = new CSSStyleSheet(), page = document.body.appendChild(document.createElement('div'));
  page.className = 'lab-figure-page';
  page.innerHTML = drawn.svg;
  sheet.replaceSync(`@page { size: ${drawn.size.join('px ')}px; margin: 0 }`);
  document.adoptedStyleSheets.push(sheet);
  print();
  sheet.replaceSync('');
  page.remove();
}

// save downloads a file and shows a message.
function save(name, type, content) {
  download(name, type, content);
  message.textContent = `Saved ${name}`;
}

const SAVE = {
  svg: () => save('figure.svg', 'image/svg+xml', drawn.svg),
  png: async () => save('figure.png', 'image/png', await pngFile(drawn.sheet, drawn.scale)),
  pdf: printFigure,
};

form.addEventListener('input', draw);
form.addEventListener('click', event => SAVE[event.target.value]?.());

// openFigure opens the dialog of the figure, with a checkbox for each schedule. It keeps a title
// that the person typed for this scenario.
export function openFigure(words) {
  about = words;
  proposed = title();
  form.elements.title.value = titled.of === proposed ? titled.typed : proposed;
  byId('lab-figure-charts').replaceChildren(...all('.chart').map((chart, i) => {
    const label = document.createElement('label'), box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', name: `chart${i}`, checked: true });
    label.append(box, ` ${chart.getAttribute('aria-label')}`);
    return label;
  }));
  dialog.showModal();
  draw();
}

// Closing the dialog empties it, so that no names stay in it when the scenario is anonymised.
dialog.addEventListener('close', () => {
  titled = form.elements.title.value === proposed ? {} : { of: title(), typed: form.elements.title.value };
  form.elements.title.value = '';
  for (const id of ['lab-figure-charts', 'lab-figure-view']) byId(id).replaceChildren();
  drawn = undefined;
});
