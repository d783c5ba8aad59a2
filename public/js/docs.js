// This script sets the theme of the documentation, and searches headings, paragraphs and table
// rows. It loads the index when the search field is first used.
try {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch { /* forbidden */ }

// These lines scroll the table of contents to the entry of the page.
const currentEntry = document.querySelector('[aria-current]');
if (currentEntry) document.querySelector('nav').scrollTop = currentEntry.offsetTop - 300;

const form = document.querySelector('[role=search]');
const field = form.elements.words;
const resultsBox = form.querySelector('.found');
const maxResults = 30;
form.hidden = false;

// fetchIndex loads the index unless it is loaded already.
const fetchIndex = () => {
  if (form.querySelector('script')) return;
  const script = document.createElement('script');
  script.src = form.dataset.index;
  script.onload = show;
  script.onerror = () => { resultsBox.firstElementChild.textContent = 'The search index is missing.'; };
  form.append(script);
};

// places returns the entries of the index that contain all words. Entries whose headings contain
// the words, or whose text begins with the first word, come first.
const places = words => {
  const matches = [];
  for (const [page, title, entries] of self.docsIndex || []) {
    for (const [id, heading, text] of entries) {
      const head = `${title} ${heading}`.toLowerCase();
      const searchedText = `${head} ${text}`.toLowerCase();
      if (!words.every(w => searchedText.includes(w))) continue;
      const rank = words.filter(w => head.includes(w)).length * 2 + !text + text.toLowerCase().startsWith(words[0]) * 4;
      matches.push({ rank, href: form.dataset.up + page + (id && '#' + id), name: heading === title ? title : `${title}: ${heading}`, text });
    }
  }
  return matches.sort((a, b) => b.rank - a.rank);
};

// line returns a list item for an entry, with the text around the first match.
const line = ({ href, name, text }, word) => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const from = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  link.href = href;
  link.textContent = name;
  item.append(link, ' ', (from ? '...' : '') + text.slice(from, from + 180));
  return item;
};

// show lists the entries that match the words in the search field.
function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = words.length ? places(words) : [];
  resultsBox.hidden = !words.length;
  resultsBox.firstElementChild.textContent = !self.docsIndex ? 'Searching…' : !matches.length ? 'Nothing found. A result must contain all words.'
    : matches.length > maxResults ? `The first ${maxResults} of ${matches.length} places` : matches.length === 1 ? '1 place' : `${matches.length} places`;
  resultsBox.lastElementChild.replaceChildren(...matches.slice(0, maxResults).map(p => line(p, words[0])));
}

field.addEventListener('focus', fetchIndex);
field.addEventListener('input', show);
form.addEventListener('submit', e => {
  e.preventDefault();
  resultsBox.querySelector('a')?.click();
});
const clear = () => { field.value = ''; show(); };
resultsBox.addEventListener('click', e => { if (e.target.href) clear(); });
document.addEventListener('keydown', e => {
  if (e.key === 'Escape') clear();
  if (e.key === '/' && e.target !== field) { e.preventDefault(); field.focus(); }
});
