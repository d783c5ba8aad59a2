// The charts for a file and for paper. Not for what is drawn: the scenes of the page
// are played once more, on a sheet that writes SVG or on a larger canvas.
'use strict';
(() => {
  const D = labDraw, C = labChart, { min } = Math, pen = document.createElement('canvas').getContext('2d');
  // As in css/chart.css; pixels around a picture; the width of a chart on paper, scaled
  // there; how many rows of a table are printed.
  const GUTTER = 48, AIR = 16, PAPER = 840, ROWS = 500;
  const short = v => +v.toFixed(2);
  const all = selector => [...document.querySelectorAll(selector)];
  const frame = () => new Promise(requestAnimationFrame);

  // What XML has no room for becomes the sign for that.
  const text = t => D.visible(t).replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD').replace(/[&<>"]/g, c => `&#${c.charCodeAt()};`);

  // ---- SVG, for those who draw on a canvas

  let clips = 0;
  class Sheet {
    out = '';
    groups = [];
    say(...words) { this.d += words.map(w => (w.at ? w : short(w))).join(' '); }
    beginPath() { this.d = ''; }
    moveTo(x, y) { this.say('M', x, y); }
    lineTo(x, y) { this.say(this.d ? 'L' : 'M', x, y); }
    rect(x, y, w, h) { this.say('M', x, y, 'h', w, 'v', h, 'h', -w, 'z'); }
    roundRect(x, y, w, h, most) {
      const r = min(most, w / 2, h / 2), across = w - 2 * r, down = h - 2 * r, turn = (a, b) => ['a', r, r, 0, 0, 1, a, b];
      this.say('M', x + r, y, 'h', across, ...turn(r, r), 'v', down, ...turn(-r, r), 'h', -across, ...turn(-r, -r), 'v', -down, ...turn(r, -r), 'z');
    }
    open(attributes) {
      this.out += `<g ${attributes}>`;
      this.groups[0]++;
    }
    save() { this.groups.unshift(0); }
    restore() { this.out += '</g>'.repeat(this.groups.shift()); }
    translate(x, y) { this.open(`transform="translate(${x} ${y})"`); }
    clip() {
      this.out += `<clipPath id="lab${++clips}"><path d="${this.d}"/></clipPath>`;
      this.open(`clip-path="url(#lab${clips})"`);
    }
    setLineDash(dash) { this.dash = dash; }
    put(how, colour, more) {
      if (this.d) this.out += `<path d="${this.d}" ${how}="${colour}" ${how}-opacity="${short(this.globalAlpha)}"${more}/>`;
    }
    fill() { this.put('fill', this.fillStyle, ''); }
    stroke() { this.put('stroke', this.strokeStyle, ` fill="none" stroke-width="${this.lineWidth}" stroke-dasharray="${this.dash}"`); }
    fillText(words, x, y) {
      const [, weight, size] = /(\d+ )?([\d.]+)px/.exec(this.font), anchor = { center: 'middle', right: 'end' }[this.textAlign] ?? 'start';
      this.out += `<text x="${short(x)}" y="${short(y + 0.35 * size)}" font-size="${size}" font-weight="${weight ?? 400}" text-anchor="${anchor}" fill="${this.fillStyle}">${text(words)}</text>`;
    }
  }

  // pile lays blocks below one another and tells how high they are.
  const pile = blocks => blocks.reduce((y, b) => (b.y = y) + b.h, 0);

  function play(ctx, blocks) {
    for (const b of blocks) {
      ctx.save();
      ctx.translate(0, b.y);
      b.paint(ctx);
      ctx.restore();
    }
  }

  // svg is blocks as a picture; `head` says of what it is.
  function svg(blocks, width, head) {
    const sheet = new Sheet(), high = pile(blocks);
    play(sheet, blocks);
    return `<svg xmlns="http://www.w3.org/2000/svg" class="lab-paper" viewBox="0 0 ${width} ${high}" font-family="${text(blocks[0].look.font)}" ${head}${sheet.out}</svg>`;
  }

  // ---- what the page shows, block by block

  function write(ctx, words, x, y, font, fillStyle, textAlign) {
    Object.assign(ctx, { globalAlpha: 1, font, fillStyle, textAlign, textBaseline: 'middle' });
    ctx.fillText(words, x, y);
  }

  // chart is one with what stands beside it; on paper each has its axis, since it may
  // be alone on a page.
  function chart(c, wide, paper) {
    const s = C.scene(c), { look, tall } = s, w = wide - GUTTER, lanes = c.kind === 'gantt';
    Object.assign(s, { w, hover: null, still: true, jobs: s.jobs.filter(([job]) => job.job === s.selected) });
    const beside = [...c.gutter.children].map(el => [el.textContent, tall - parseFloat(el.style.bottom), look.label]);
    if (c.foot) beside.push(['slice', tall - 11, look.label]);
    if (s.axis) beside.push(['busy', 27, look.label], ['queue', 41, look.queue]);
    return { h: tall + (lanes && paper ? 20 : 8), look, paint(ctx) {
      for (const [words, y, colour] of beside) write(ctx, words, GUTTER - 8, y, '11px ' + look.font, colour, 'right');
      ctx.translate(GUTTER, 0);
      if (lanes && paper) {
        ctx.save();
        ctx.translate(0, tall);
        D.axis(ctx, s);
        ctx.restore();
      }
      D.rect(0, 0, w, tall).on(ctx).clip();
      D.paint(ctx, s);
      D.marks(ctx, s);
      if (s.name) D.stroke(ctx, look.grid, D.rect(0, 0, w, tall), 2);
    } };
  }

  // words is what an element says, text by text, and its keys of a legend.
  function words(el) {
    return [...el.childNodes].flatMap(n => {
      if (n.data !== undefined) {
        const { color, fontWeight, fontSize, fontFamily } = getComputedStyle(el), said = n.data.trim();
        return said ? [{ said, font: `${fontWeight} ${fontSize} ${fontFamily}`, colour: color }] : [];
      }
      return n.firstChild ? words(n) : n.offsetWidth ? [{ key: n }] : [];
    });
  }

  // flow sets groups of words in lines; where a text is too long for one, it goes on in
  // the next ones, and ends somewhere.
  function flow(groups, wide, x0 = GUTTER) {
    const put = [], n = (wide - x0) / 7 | 0, line = RegExp(`.{1,${n}}( |$)|.{1,${n}}`, 'gs');
    let x = x0, y = 0;
    const split = group => {
      const word = group.pop(), [first = '', ...rest] = word?.said?.slice(0, 600).match(line) ?? [];
      return word ? [[...group, { ...word, said: first }], ...rest.map(said => [{ ...word, said }])] : [];
    };
    for (const group of groups.flatMap(split)) {
      let long = 0;
      for (const word of group) {
        pen.font = word.font;
        word.at = long;
        long += 5 + (word.key ? 18 : pen.measureText(word.said).width);
      }
      if (x + long > wide && x > x0) [x, y] = [x0, y + 18];
      for (const word of group) put.push({ ...word, x: x + word.at, y });
      x += long + 12;
    }
    return { h: y + 22, paint(ctx) {
      for (const { key, said, x, y, font, colour } of put) {
        if (key) sign(ctx, key, x, y + 4); else write(ctx, said, x, y + 10, font, colour, 'left');
      }
    } };
  }

  // Keys of the legend are pieces; those that are not are as the page colours them.
  const piece = (flag, top = 1, job = 0) => [0.05, 0.95, top - 1, top, job, flag], plan = flag => ({ plan: { p: piece(flag, 1, 1), labels: {} } });
  const keys = { backfilled: { p: piece(2) }, cut: { p: piece(8) }, bin: { p: piece(1 + (180 << 8)) }, planned: plan(0), held: plan(8), was: plan(4), away: { shares: piece(32) },
    shared: { p: [...piece(0), ...piece(0, 2, 1)], shares: [0, 1, 0, 2, 0, 0], lanes: 2, run: { cores: 2 } } };
  function sign(ctx, el, x, y) {
    const { backgroundColor, height } = getComputedStyle(el), { look } = C.scene(all('#charts [data-chart]')[0].labChart), key = keys[el.classList[1]];
    const s = { look, t0: 0.03, t1: 0.97, w: 20, h: 11, tall: 11, dpr: 4, lanes: 1, labels: {}, bucket: job => job, cursor: null, run: {}, ...key };
    ctx.save();
    ctx.translate(x - 1, y);
    if (key) {
      D.paint(ctx, s);
      D.marks(ctx, s);
    } else D.fill(ctx, backgroundColor, D.rect(1, 0, 18, min(parseFloat(height), 11)));
    ctx.restore();
  }

  // units says what the numbers of the axis are.
  function units(c, wide) {
    const { t0, t1, w, look, capacity } = C.scene(c), { by } = labTime.ticks(t0, t1, w);
    const said = `Time in ${t1 < 1000 ? 'seconds' : by < 60 ? 'h:min:s' : by < 86400 ? 'hours:minutes' : 'days'}. Area: busy processors, of ${capacity}. Line: waiting jobs.`;
    return flow([[{ said, font: '11px ' + look.font, colour: look.label }]], wide);
  }

  const title = () => document.querySelector('.top .title').textContent || 'Backfill Lab';

  // blocks is the charts and what stands with them, in the order of the page.
  function blocks(wide, about) {
    const list = [];
    for (const el of all('.chart-head, #charts [data-chart], .chart .use, .lab-note, #strip, #scale, #scale + .legend')) {
      const c = el.labChart, parts = [...el.children];
      if (!el.offsetHeight) continue;
      if (!c) list.push(flow(parts.length ? parts.map(words) : [words(el)], wide));
      else list.push(chart(c, wide), ...c.kind === 'strip' ? [units(c, wide)] : []);
    }
    const { look } = list.find(b => b.look), line = (said, font, colour, x) => flow([[{ said, font: font + look.font, colour }]], wide, x);
    return [line(title(), '600 15px ', look.ink, 0), ...list, line(about, '11px ', look.label)];
  }

  // ---- files

  globalThis.labExport = async (name, about) => {
    if (!name) {
      for (const el of all('[data-window]')) labScrolled(el.dataset.window, 0, ROWS);
      for (let n = 0; n < 4; n++) await frame();
      return print();
    }
    // What is seen of the results may be on its way.
    while (all('#charts [data-chart]').some(el => el.labChart.stale)) await frame();
    const wide = GUTTER + all('.lab-surface').find(el => el.clientWidth).clientWidth, list = blocks(wide, about), { look } = list.find(b => b.look);
    const width = wide + 2 * AIR, h = pile(list) + 2 * AIR, sheet = { h, look, paint(ctx) {
      D.fill(ctx, look.paper, D.rect(0, 0, width, h));
      ctx.translate(AIR, AIR);
      play(ctx, list);
    } };
    if (name.endsWith('svg')) {
      const told = all('.chart-head').map(el => el.innerText), [from, to] = C.window().map(t => labTime.moment(t));
      clips = 0;
      return labDownload(name, 'image/svg+xml', svg([sheet], width, `width="${width}" height="${h}" role="img"><title>${text(title())}</title><desc>${text(`${told.join('\n')}\nfrom ${from} to ${to}\n${about}`)}</desc>`));
    }
    const canvas = pen.canvas.cloneNode(), ctx = canvas.getContext('2d');
    [canvas.width, canvas.height] = [2 * width, 2 * h];
    ctx.scale(2, 2);
    sheet.paint(ctx);
    labDownload(name, 'image/png', await new Promise(done => canvas.toBlob(done)));
  };

  // ---- paper: it is white, and takes no canvas

  const { dataset } = document.documentElement;
  let theme;
  window.addEventListener('beforeprint', () => {
    theme = dataset.theme ?? '';
    dataset.theme = 'light';
    for (const { labChart: c } of all('#charts [data-chart], #strip')) {
      if (!c?.w) continue;
      const list = [chart(c, PAPER, true)];
      if (c.kind === 'strip') list.push(units(c, PAPER));
      c.host.insertAdjacentHTML('beforeend', svg(list, PAPER, 'aria-hidden="true">'));
    }
  });

  window.addEventListener('afterprint', () => {
    for (const el of all('.lab-paper')) el.remove();
    dataset.theme = theme;
    for (const el of all('[data-window]')) {
      el.labTold = '';
      el.dispatchEvent(new Event('scroll'));
    }
  });
})();
