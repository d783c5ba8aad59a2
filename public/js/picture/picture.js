// The charts for a file and for paper. Not for what is drawn: the scenes of the page
// are played once more, on a sheet that writes SVG or on a larger canvas.
import { GUTTER, all, blocksOf, chartBlock, title, unitsBlock } from './blocks.js';
import { countClips, paintBlocks, pile, svg, xml } from './sheet.js';
import { fill, rect } from '../chart/paths.js';
import { chartMethods } from '../chart/charts.js';
import { download } from '../browser.js';
import { moment } from '../chart/time.js';

// Pixels around a picture; the width of a chart on paper, scaled there; how many rows of
// a table are printed.
const AIR = 16, PAPER = 840, ROWS = 500;

const nextFrame = () => new Promise(requestAnimationFrame);

// printPage prints once tables have all their rows.
async function printPage() {
  for (const el of all('[data-window]')) window.labScrolled(el.dataset.window, 0, ROWS);
  for (let n = 0; n < 4; n++) await nextFrame();
  print();
}

// whole is all blocks with air around them.
function whole(blocks, wide) {
  const { look } = blocks.find(block => block.look), width = wide + 2 * AIR, height = pile(blocks) + 2 * AIR;
  return { width, height, look, paint(ctx) {
    fill(ctx, look.paper, rect(0, 0, width, height));
    ctx.translate(AIR, AIR);
    paintBlocks(ctx, blocks);
  } };
}

function svgFile(sheet, about) {
  const told = all('.chart-head').map(el => el.innerText), [from, to] = chartMethods.window().map(t => moment(t));
  const text = `${told.join('\n')}\nfrom ${from} to ${to}\n${about}`;
  countClips();
  return svg([sheet], sheet.width, `width="${sheet.width}" height="${sheet.height}" role="img"><title>${xml(title())}</title><desc>${xml(text)}</desc>`);
}

async function pngFile(sheet) {
  const canvas = document.createElement('canvas'), ctx = canvas.getContext('2d');
  [canvas.width, canvas.height] = [2 * sheet.width, 2 * sheet.height];
  ctx.scale(2, 2);
  sheet.paint(ctx);
  return new Promise(done => canvas.toBlob(done));
}

// savePicture hands out the charts as a file of that name, or prints the page if there is
// none.
export async function savePicture(name, about) {
  if (!name) return printPage();
  // What is seen of the results may be on its way.
  while (all('#charts [data-chart]').some(el => el.labChart.stale)) await nextFrame();
  const wide = GUTTER + all('.lab-surface').find(el => el.clientWidth).clientWidth, sheet = whole(blocksOf(wide, about), wide);
  if (name.endsWith('svg')) download(name, 'image/svg+xml', svgFile(sheet, about));
  else download(name, 'image/png', await pngFile(sheet));
}

// ---- paper: it is white, and takes no canvas

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
