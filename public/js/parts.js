// The parts of the page: where they are, and what the address asks for.

// What the element of this script says: the names of the parts.
export const parts = { ...document.currentScript.dataset };

export const byId = id => document.getElementById(id);

export const absolute = name => new URL(name, document.baseURI).href;

// option returns an option of the address, as it stands there.
export const option = name => RegExp(`[#&]${name}=([^&]*)`).exec(location.hash)?.[1];

// get fetches a part. A page in one file holds its parts itself, in elements under their
// names: scripts as they are, all else in base64.
export async function get(name) {
  const held = byId(name);
  if (held) return new Response(Uint8Array.from(atob(held.text), c => c.charCodeAt(0)));
  const response = await fetch(absolute(name));
  if (!response.ok) throw new TypeError(`${name}: the server answers ${response.status}`);
  return response;
}

export const textOf = async name => (await get(parts[name])).text();
