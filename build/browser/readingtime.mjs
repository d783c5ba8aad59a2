// minutes estimates how many minutes a student needs for a lesson: 200 words a minute, 4 s for each click
// or typed value, 10 s for each look at the charts, and 15 s for each answer.
export const minutes = ({ own, other, actions, looks, decisions }) => (own + other) / 200 + (actions * 4 + looks * 10 + decisions * 15) / 60;

// countWords returns the number of words with a letter or a digit.
export const countWords = text => text.split(/\s+/).filter(w => /[\p{L}\p{N}]/u.test(w)).length;

// countNewWords returns how many words have become visible since its last call: `own` counts words of the lesson, and
// `other` all other words on the page. All words count in a new text of the lesson and in any other new paragraph or
// list item. In a label, a value or a table row, only the words that changed count. Words in the charts do not count.
export const countNewWords = page => page.evaluate(() => {
  const now = new Map(), sum = { own: 0, other: 0 };
  const own = '#lesson-text, .choices, #lesson-verdict [lang], #lesson-play [lang]';
  const add = (el, text) => {
    const mine = el.closest(own), block = mine ?? el.closest('p, li, tr') ?? el.closest('button, label, h1, h2, h3, h4, dt, dd, div') ?? el;
    const { top, bottom, left, right } = block.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && text.trim()) now.set(block, `${now.get(block) ?? ''} ${text}`);
  };
  for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT); walk.nextNode();) {
    const at = walk.currentNode, el = at.nodeType === Node.TEXT_NODE ? at.parentElement : at;
    if (el.closest('[data-chart], script, style') || !el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (el.getBoundingClientRect().width < 2) continue; // text only for screen readers
    if (el === at && el.matches('input:not([type=range])')) add(el, el.value);
    if (el === at && el.matches('select')) add(el, el.selectedOptions[0]?.textContent ?? '');
    if (el !== at && !el.closest('select')) add(el, at.data);
  }
  for (const [block, text] of now) {
    const words = s => s.split(/\s+/).filter(w => /[\p{L}\p{N}]/u.test(w));
    const before = words(window.lastWords?.get(block) ?? ''), all = words(text), fresh = all.filter(w => !before.includes(w) || !before.splice(before.indexOf(w), 1));
    const whole = block.matches(own) || block.matches('p, li');
    sum[block.matches(own) ? 'own' : 'other'] += whole && fresh.length ? all.length : fresh.length;
  }
  window.lastWords = now;
  return sum;
});
