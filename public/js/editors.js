// This module replaces the text fields of scripts by editors (editor.js). It loads the editors when
// the page first shows a script. If the editors cannot be loaded, the fields remain.
import { loadScript, parts } from './parts.js';

let failed = !parts.editor; // the single-file page has no editor

// followEditors updates the editors after a render.
export function followEditors() {
  const editors = failed ? [] : document.querySelectorAll('lab-editor');
  if (editors.length) loadScript('editor').then(() => editors.forEach(editor => editor.isConnected && editor.follow?.()), () => { failed = true; });
}
