// The theme of the documentation, and its search over headings, paragraphs and table rows.
// The index is loaded when the search field is first used.
try {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch { /* forbidden */ }

// Scrolls the table of contents to the entry of the page.
const here = document.querySelector('[aria-current]');
if (here) document.querySelector('nav').scrollTop = here.offsetTop - 300;

const form = document.querySelector('[role=search]');
const field = form.elements.words;
const found = form.querySelector('.found');
const most = 30;
form.hidden = false;

// fetchIndex loads the index unless it is loaded already.
const fetchIndex = () => {
  if (form.querySelector('script')) return;
  const script = document.createElement('script');
  script.src = form.dataset.index;
  script.onload = show;
  script.onerror = () => { found.firstElementChild.textContent = 'The search index is missing.'; };
  form.append(script);
};

// places returns the places that contain all words, best matches first: those with the words in
// their headings.
const places = words => {
  const all = [];
  for (const [page, title, entries] of self.docsIndex || []) {
    for (const [id, heading, text] of entries) {
      const head = `${title} ${heading}`.toLowerCase();
      const whole = `${head} ${text}`.toLowerCase();
      if (!words.every(w => whole.includes(w))) continue;
      const rank = words.filter(w => head.includes(w)).length * 2 + !text + text.toLowerCase().startsWith(words[0]) * 4;
      all.push({ rank, href: form.dataset.up + page + (id && '#' + id), name: heading === title ? title : `${title}: ${heading}`, text });
    }
  }
  return all.sort((a, b) => b.rank - a.rank);
};

// line returns the list item of a found place, with the text around the first match.
const line = ({ href, name, text }, word) => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const from = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  link.href = href;
  link.textContent = name;
  item.append(link, ' ', (from ? '...' : '') + text.slice(from, from + 180));
  return item;
};

// show shows the places that match the words in the search field.
function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length ? places(words) : [];
  found.hidden = !words.length;
  found.firstElementChild.textContent = !self.docsIndex ? 'Searching…' : !all.length ? 'Nothing found. A result must contain all words.'
    : all.length > most ? `The first ${most} of ${all.length} places` : all.length === 1 ? '1 place' : `${all.length} places`;
  found.lastElementChild.replaceChildren(...all.slice(0, most).map(p => line(p, words[0])));
}

field.addEventListener('focus', fetchIndex);
field.addEventListener('input', show);
form.addEventListener('submit', e => {
  e.preventDefault();
  found.querySelector('a')?.click();
});
const clear = () => { field.value = ''; show(); };
found.addEventListener('click', e => { if (e.target.href) clear(); });
document.addEventListener('keydown', e => {
  if (e.key === 'Escape') clear();
  if (e.key === '/' && e.target !== field) { e.preventDefault(); field.focus(); }
});
