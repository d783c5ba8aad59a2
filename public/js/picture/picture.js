// This module exports the charts to a file or prints them. It draws them again, on a sheet that
// writes SVG or on a larger canvas.
import { GUTTER, all, blocksOf, chartBlock, title, unitsBlock } from './blocks.js';
import { countClips, paintBlocks, pile, svg, xml } from './sheet.js';
import { fill, rect } from '../chart/paths.js';
import { chartMethods } from '../chart/charts.js';
import { download } from '../browser.js';
import { openFigure } from './figure.js';
import { instant } from '../chart/time.js';

// MARGIN is the margin of exported charts in pixels. PAPER is the width of a chart on paper before
// scaling, in pixels. ROWS is the maximum number of table rows to print.
export const MARGIN = 16;
const PAPER = 840, ROWS = 500;

export const nextFrame = () => new Promise(requestAnimationFrame);

// printPage prints the page after the tables have rendered their first ROWS rows.
async function printPage() {
  for (const el of all('[data-window]')) window.labScrolled(el.dataset.window, 0, ROWS);
  for (let n = 0; n < 4; n++) await nextFrame();
  print();
}

// withMargin returns one block that contains the given blocks and a margin. `paper` is the colour of the
// background: undefined for the colour of the page, null for no background.
export function withMargin(blocks, wide, paper) {
  const { look } = blocks.find(block => block.look), width = wide + 2 * MARGIN, height = pile(blocks) + 2 * MARGIN;
  return { width, height, look, description: blocks.flatMap(block => block.description ?? []), paint(ctx) {
    if (paper !== null) fill(ctx, paper ?? look.paper, rect(0, 0, width, height));
    ctx.translate(MARGIN, MARGIN);
    paintBlocks(ctx, blocks);
  } };
}

// svgFile returns the text of the SVG file of a sheet, enlarged by a factor. Its description names the
// schedules, the time window, and how the schedules were made (`about`).
export function svgFile(sheet, about, zoom = 1, name = '') {
  const [from, to] = chartMethods.window().map(t => instant(t)), text = `${sheet.description.join('\n')}\nfrom ${from} to ${to}\n${about}`;
  countClips();
  return svg([sheet], sheet.width, `width="${sheet.width * zoom}" height="${sheet.height * zoom}" role="img"><title>${xml(name || title())}</title><desc>${xml(text)}</desc>`);
}

// pngFile returns the PNG file of a sheet.
export async function pngFile(sheet, scale = 2) {
  const canvas = document.createElement('canvas'), ctx = canvas.getContext('2d');
  [canvas.width, canvas.height] = [Math.round(scale * sheet.width), Math.round(scale * sheet.height)];
  ctx.scale(scale, scale);
  sheet.paint(ctx);
  return new Promise(done => canvas.toBlob(done));
}

// savePicture downloads the charts as a file with this name, or prints the page if the name
// is empty.
export async function savePicture(name, about) {
  if (!name) return printPage();
  // Wait until the data of all charts has been fetched.
  while (all('#charts [data-chart]').some(el => el.labChart.fetching)) await nextFrame();
  if (name.endsWith('figure')) return openFigure(about);
  const wide = GUTTER + all('.lab-surface').find(el => el.clientWidth).clientWidth, sheet = withMargin(blocksOf(wide, about), wide);
  if (name.endsWith('svg')) download(name, 'image/svg+xml', svgFile(sheet, about));
  else download(name, 'image/png', await pngFile(sheet));
}

// ---- printing: before the page is printed, the charts are added as SVG on white

const { dataset } = document.documentElement;
let theme;

addEventListener('beforeprint', () => {
  theme = dataset.theme ?? '';
  dataset.theme = 'light';
  for (const { labChart: chart } of all('#charts [data-chart], #strip')) {
    if (!chart?.width) continue;
    const blocks = [chartBlock(chart, PAPER, true)];
    if (chart.kind === 'strip') blocks.push(unitsBlock(chart, PAPER));
    chart.host.insertAdjacentHTML('beforeend', svg(blocks, PAPER, 'aria-hidden="true">'));
  }
});

addEventListener('afterprint', () => {
  for (const el of all('.lab-paper')) el.remove();
  dataset.theme = theme;
  for (const el of all('[data-window]')) {
    el.labTold = '';
    el.dispatchEvent(new Event('scroll'));
  }
});
