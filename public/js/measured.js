// How much a message of another page holds, without holding this one up.

// Characters of a message; ms for which it is looked at at once.
const MOST = 16 << 20, SLICE = 8;

const { port1, port2 } = new MessageChannel(), turns = [];
port1.onmessage = () => turns.shift()();

// turn lets everything else go first: what the person does, and what the page draws.
export const turn = () => new Promise(done => {
  turns.push(done);
  port2.postMessage(0);
});

// members puts what a list or an object holds on a list, and answers with the room that
// is left.
function members(value, room, rest) {
  const list = Array.isArray(value);
  if (!list && Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError('expected plain data: objects, lists, texts, numbers');
  // A list may be longer than what it holds.
  if (list && 8 * value.length > room) return -1;
  if (list) {
    for (let i = 0; i < value.length; i++) rest.push(value[i]);
    return room;
  }
  for (const key in value) {
    room -= key.length;
    rest.push(value[key]);
  }
  return room;
}

// measured goes through a value in steps and fails if it is not plain data, or too much.
export async function measured(value) {
  let room = MOST, since = performance.now();
  for (const rest = [value]; rest.length;) {
    const part = rest.pop();
    room -= 8;
    if (typeof part === 'string') room -= part.length;
    else if (typeof part === 'bigint') throw new TypeError('expected plain data, got a BigInt');
    else if (Object(part) === part) room = members(part, room, rest);
    if (room < 0) throw new TypeError(`expected a message of at most ${MOST} characters`);
    if (performance.now() - since > SLICE) {
      await turn();
      since = performance.now();
    }
  }
  return value;
}
