// This module pastes and copies rows. A pasted text that is too long for its field is rejected
// entirely, not truncated without notice.
import { byId } from './parts.js';
import { place } from './tables.js';

// These limits equal the limits in ui/document/edit.go.
const LONGEST_CELL = 10_000, LONGEST_PASTE = 4 * 2 ** 20;

// nameOf returns the name of a field as the person sees it.
const nameOf = field => field.ariaLabel || field.labels?.[0]?.textContent.trim() || field.id;

// refuse cancels a paste if the text is too long for the field, and tells the program.
function refuse(event, text) {
  const field = event.target, writable = field.matches('input, textarea') && !field.readOnly && !field.disabled;
  const limit = field.maxLength > 0 ? field.maxLength : LONGEST_CELL, replaced = field.selectionEnd - field.selectionStart || 0;
  if (!writable) return;
  const length = text.length + field.value.length - replaced;
  if (length <= limit) return;
  event.preventDefault();
  window.labRefused(nameOf(field), limit, length);
}

document.addEventListener('paste', event => {
  const empty = !event.target.matches('input, textarea') && document.querySelector('#grid [aria-rowcount="1"]');
  const at = empty ? ['cell', 0, 0] : place(event.target), text = event.clipboardData?.getData('text/plain') || '';
  if (at?.[0] !== 'cell' || !/[\t\n]/.test(text)) return refuse(event, text);
  event.preventDefault();
  if (text.length > LONGEST_PASTE) window.labRefused('the table', LONGEST_PASTE, text.length);
  else window.labPaste(Number(at[1]), Number(at[2]), text);
});

document.addEventListener('copy', event => {
  if (!byId('set-do') || !place(event.target)) return;
  event.preventDefault();
  // labCopy calls labCopied with the text before it returns.
  window.labCopied = text => event.clipboardData.setData('text/plain', text);
  window.labCopy();
});
