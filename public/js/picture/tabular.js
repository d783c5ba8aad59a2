// This module handles the dialog that exports tables for papers and programs.
import { byId } from '../parts.js';
import { download } from '../browser.js';

const dialog = byId('lab-tables'), view = byId('lab-tables-view'), columns = byId('lab-tables-columns');
const message = dialog.querySelector('[role="status"]');
const { table: which, format, deltas, seconds } = dialog.querySelector('form').elements;

// These functions convert cells and rows of a table to text, by format. CSV is for programs.
const csv = text => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const latex = text => text.replace(/[\\&%$#_{}~^]/g, c => ('\\~^'.includes(c) ? `\\char\`\\${c}{}` : '\\' + c)).replaceAll('−', '$-$').replaceAll('×', '$\\times$');
const FORMATS = {
  csv: rows => rows.map(row => row.map(csv).join(',')).join('\n'),
  md: ([head, ...rows]) => [head, head.map((_, i) => (i ? '---:' : '---')), ...rows].map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n'),
  tex: ([head, ...rows]) => ['% Needs \\usepackage{booktabs}', `\\begin{tabular}{l${'r'.repeat(head.length - 1)}}`, '\\toprule', ...[head, ...rows].map((row, i) => `${row.map(latex).join(' & ')} \\\\${i ? '' : '\n\\midrule'}`), '\\bottomrule', '\\end{tabular}'].join('\n'),
};

let tables = [];

const hasDeltas = ({ Rows }, i) => Rows.some(row => row[i].Delta);

// pickedColumns returns the indexes of the selected columns.
const pickedColumns = () => [...columns.querySelectorAll('input')].flatMap((box, i) => (box.checked ? i : []));

// rowsOf returns the selected columns of a table. In tables for programs, differences have their
// own columns. In tables for people, they follow the values, in parentheses.
function rowsOf(table) {
  const picked = pickedColumns();
  const differs = i => deltas.checked && hasDeltas(table, i);
  const cell = ({ Text, Delta, Seconds, SecondsDelta }) => (seconds.checked && Seconds ? [Seconds, SecondsDelta] : [Text, Delta]);
  const forPeople = row => picked.map(i => {
    const [text, delta] = cell(row[i]);
    return text + (differs(i) && delta ? ` (${delta})` : '');
  });
  const forPrograms = (row, head) => picked.flatMap(i => [row[i].Exact, ...differs(i) ? [head ? row[i].Exact + ' (difference)' : row[i].ExactDelta ?? ''] : []]);
  return [table.Heads, ...table.Rows].map((row, i) => (format.value === 'csv' ? forPrograms(row, !i) : forPeople(row)));
}

function write() {
  const table = tables[which.value];
  message.textContent = '';
  deltas.disabled = !table.Heads.some((_, i) => hasDeltas(table, i));
  seconds.disabled = format.value === 'csv' || ![table.Heads, ...table.Rows].some(row => row.some(x => x.Seconds));
  const notes = pickedColumns().map(i => table.Heads[i].Note).filter(Boolean);
  const above = { tex: [table.Title, table.About, ...notes, ''].join('\n').replace(/^(?=.)/gm, '% '), md: `${table.Title}. ${table.About}\n\n` }[format.value] ?? '';
  view.value = above + FORMATS[format.value](rowsOf(table)) + '\n';
}

// offerColumns shows a checkbox for each column of the selected table.
function offerColumns() {
  columns.replaceChildren(...tables[which.value].Heads.map(({ Text, Off }) => {
    const label = document.createElement('label'), box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', checked: !Off });
    label.append(box, ` ${Text}`);
    return label;
  }));
  write();
}

which.addEventListener('input', offerColumns);
dialog.addEventListener('input', write);
// Closing the dialog removes its tables, because the scenario may be anonymised next.
dialog.addEventListener('close', () => {
  tables = [];
  for (const list of [which, columns]) list.replaceChildren();
  view.value = '';
});
dialog.addEventListener('click', ({ target }) => {
  const name = `${tables[which.value].Title.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-')}.${format.value}`;
  if (target.value === 'save') {
    download(name, 'text/plain', view.value);
    message.textContent = `Saved ${name}`;
  }
  if (target.value !== 'copy') return;
  view.select();
  message.textContent = document.execCommand('copy') ? 'Copied' : 'Press Ctrl+C to copy the table'; // this works without a permission, also in a frame
});

// addTables replaces the tables of the open dialog by a longer list, and keeps the selection.
export function addTables(json) {
  if (!dialog.open) return;
  const { length } = tables;
  tables = JSON.parse(json);
  tables.slice(length).forEach(({ Title }, i) => which.add(new Option(Title, length + i)));
}

// openTables opens the dialog with a list of tables.
export function openTables(json) {
  dialog.showModal();
  addTables(json);
  offerColumns();
}
