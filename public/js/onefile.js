// This module saves the page as one file with a scenario inside.
import { byId, get, parts } from './parts.js';
import { download } from './browser.js';

const OPEN = 'lab-open', alone = document.documentElement.matches('.alone');

// boot is the HTML of the loading screen, which the program removes.
const boot = byId('lab-boot')?.outerHTML;

// hasPage reports whether the page can be saved as one file.
export const hasPage = () => alone || !!parts.one;

// originalPage returns the HTML of this single-file page as it was before the program changed it.
function originalPage() {
  const copy = document.documentElement.cloneNode(true), find = selector => copy.querySelectorAll(selector);
  find(`#${OPEN}, #lab-overlay, #lab-tip`).forEach(el => el.remove());
  find('dialog[open]').forEach(el => el.removeAttribute('open'));
  find('#lab-live').forEach(el => el.replaceChildren());
  find('#app, #lab').forEach(el => { el.outerHTML = '<div id="app"></div>'; });
  copy.removeAttribute('data-theme');
  find('body')[0].insertAdjacentHTML('afterbegin', boot);
  const notes = [...document.childNodes].filter(n => n.nodeType === Node.COMMENT_NODE);
  return ['<!DOCTYPE html>', copy.outerHTML, ...notes.map(n => new XMLSerializer().serializeToString(n))].join('\n');
}

// savePage saves the page as one file that opens the given fragment.
export async function savePage(fragment) {
  const page = alone ? originalPage() : await (await get(parts.one)).text();
  if (!page.includes('class="alone"')) throw Error(`the server sends another page as ${parts.one}`);
  const pageWithScenario = page.replace(/<body[^>]*>/, body => `${body}\n<script type="text/plain" id="${OPEN}">${fragment}</script>`);
  download('backfill-lab.html', 'text/html', pageWithScenario);
  return '';
}
