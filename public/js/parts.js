// This module finds the files of the page and the options in the address of the page.

// parts holds the names of the files, from the data attributes of the script element.
export const parts = { ...document.currentScript.dataset };

export const byId = id => document.getElementById(id);

export const absolute = name => new URL(name, document.baseURI).href;

// option returns an option of the address without decoding it.
export const option = name => RegExp(`[#&]${name}=([^&]*)`).exec(location.hash)?.[1];

// remembered stores a choice of the person in this browser, if a choice is given. It returns the
// stored choice. If the browser forbids storage, it returns the given choice.
export function remembered(key, choice) {
  try {
    if (choice !== undefined) localStorage.setItem(key, choice);
    return localStorage.getItem(key);
  } catch { return choice; }
}

// get fetches a file that is not a script. The single-file page contains such files in base64, in
// elements whose ids are the names of the files.
export async function get(name) {
  const element = byId(name);
  if (element) return new Response(Uint8Array.from(atob(element.text), c => c.charCodeAt(0)));
  const response = await fetch(absolute(name));
  if (!response.ok) throw new TypeError(`${name}: the server answers ${response.status}`);
  return response;
}

const loading = {};

// loadScript loads a script of the site once. `part` is its name in `parts`.
export const loadScript = part => loading[part] ??= new Promise((done, failed) => {
  const element = document.createElement('script');
  element.src = absolute(parts[part]);
  element.onload = () => done();
  element.onerror = () => {
    delete loading[part];
    failed(new Error('its script could not be loaded from the server'));
  };
  document.head.append(element);
});

// textOf returns the text of a file, given by its name in `parts`.
export const textOf = async name => (await get(parts[name])).text();
