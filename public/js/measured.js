// This module checks the size of messages from another page without blocking this one.

// MAX_SIZE is the maximum size of a message in characters. Each value adds 8 characters. SLICE is the time in
// ms after which `measured` lets the page handle other events.
const MAX_SIZE = 16 << 20, SLICE = 8;

const { port1, port2 } = new MessageChannel(), turns = [];
port1.onmessage = () => turns.shift()();

// turn returns a promise that resolves once pending events, such as input and drawing, are handled.
export const turn = () => new Promise(done => {
  turns.push(done);
  port2.postMessage(0);
});

// pushMembers appends the members of a list or an object to `rest`, the values that are still to be checked.
// `room` is the number of characters that the message may still contain. pushMembers returns the new value of
// `room`, which is negative if the message is too large.
function pushMembers(value, room, rest) {
  const list = Array.isArray(value);
  if (!list && Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError('expected plain data: objects, lists, texts, numbers');
  // A sparse list can be far longer than the number of its items.
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

// measured checks a value in steps and returns it unchanged. It throws if the value is not plain data or is too
// large.
export async function measured(value) {
  let room = MAX_SIZE, since = performance.now();
  for (const rest = [value]; rest.length;) {
    const part = rest.pop();
    room -= 8;
    if (typeof part === 'string') room -= part.length;
    else if (typeof part === 'bigint') throw new TypeError('expected plain data, got a BigInt');
    else if (Object(part) === part) room = pushMembers(part, room, rest);
    if (room < 0) throw new TypeError(`expected a message of at most ${MAX_SIZE} characters`);
    if (performance.now() - since > SLICE) {
      await turn();
      since = performance.now();
    }
  }
  return value;
}
