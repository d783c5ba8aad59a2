// This module has a sheet, which has the drawing methods of a canvas context, but writes SVG.
import { visible } from '../chart/paths.js';

const short = v => +v.toFixed(2);

// xml escapes a text for XML. It replaces characters that XML does not allow by a replacement
// character.
export const xml = text => visible(text).replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD').replace(/[&<>"]/g, c => `&#${c.charCodeAt()};`);

const ANCHORS = { left: 'start', center: 'middle', right: 'end' };

let clips = 0;

// countClips restarts the numbering of clip paths, so that the same charts always give the
// same file.
export function countClips() { clips = 0; }

class Sheet {
  out = '';
  groups = []; // for each save, the number of open groups

  // ---- paths

  add(...words) { this.path += words.map(word => (word.at ? word : short(word))).join(' '); }
  beginPath() { this.path = ''; }
  moveTo(x, y) { this.add('M', x, y); }
  lineTo(x, y) { this.add(this.path ? 'L' : 'M', x, y); }
  rect(x, y, width, height) { this.add('M', x, y, 'h', width, 'v', height, 'h', -width, 'z'); }
  roundRect(x, y, width, height, most) {
    const radius = Math.min(most, width / 2, height / 2), across = width - 2 * radius, down = height - 2 * radius;
    const turn = (right, below) => ['a', radius, radius, 0, 0, 1, right * radius, below * radius];
    this.add('M', x + radius, y, 'h', across, ...turn(1, 1), 'v', down, ...turn(-1, 1), 'h', -across, ...turn(-1, -1), 'v', -down, ...turn(1, -1), 'z');
  }

  // ---- groups

  open(attributes) {
    this.out += `<g ${attributes}>`;
    this.groups[0]++;
  }
  save() { this.groups.unshift(0); }
  restore() { this.out += '</g>'.repeat(this.groups.shift()); }
  translate(x, y) { this.open(`transform="translate(${x} ${y})"`); }
  clip() {
    this.out += `<clipPath id="lab${++clips}"><path d="${this.path}"/></clipPath>`;
    this.open(`clip-path="url(#lab${clips})"`);
  }

  // ---- ink

  setLineDash(dash) { this.dash = dash; }
  put(how, colour, more) {
    if (this.path) this.out += `<path d="${this.path}" ${how}="${colour}" ${how}-opacity="${short(this.globalAlpha)}"${more}/>`;
  }
  fill() { this.put('fill', this.fillStyle, ''); }
  stroke() { this.put('stroke', this.strokeStyle, ` fill="none" stroke-width="${this.lineWidth}" stroke-dasharray="${this.dash}"`); }
  fillText(words, x, y) {
    const [, weight, size] = /(\d+ )?([\d.]+)px/.exec(this.font), anchor = ANCHORS[this.textAlign];
    this.out += `<text x="${short(x)}" y="${short(y + 0.35 * size)}" font-size="${size}" font-weight="${weight ?? 400}" text-anchor="${anchor}" fill="${this.fillStyle}">${xml(words)}</text>`;
  }
}

// pile stacks blocks: it sets their y and returns their total height.
export const pile = blocks => blocks.reduce((y, block) => (block.y = y) + block.height, 0);

export function paintBlocks(ctx, blocks) {
  for (const block of blocks) {
    ctx.save();
    ctx.translate(0, block.y);
    block.paint(ctx);
    ctx.restore();
  }
}

// svg returns blocks as an SVG document. `head` contains the other attributes of its root element,
// the end of the tag and, if any, the description.
export function svg(blocks, width, head) {
  const sheet = new Sheet(), height = pile(blocks);
  paintBlocks(sheet, blocks);
  return `<svg xmlns="http://www.w3.org/2000/svg" class="lab-paper" viewBox="0 0 ${width} ${height}" font-family="${xml(blocks[0].look.font)}" ${head}${sheet.out}</svg>`;
}
