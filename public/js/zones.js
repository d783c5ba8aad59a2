// This module finds the UTC offsets of time zones. The browser has the rules of time zones, and the
// program needs only the offsets.
const WEEK = 7 * 86400;

// zoneOffsets returns the offsets of a time zone from UTC between two Unix times, as JSON. Each
// entry of the list has the time at which an offset begins, and the offset in seconds.
export function zoneOffsets(zone, from, to) {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
  const offset = t => {
    const p = Object.fromEntries(parts.formatToParts(t * 1000).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second) / 1000 - t;
  };
  const changes = [{ from, seconds: offset(from) }];
  for (let t = from; t < to; t += WEEK) {
    const { seconds } = changes.at(-1);
    if (offset(t + WEEK) !== seconds) changes.push(changeBetween(offset, t, t + WEEK, seconds));
  }
  return JSON.stringify(changes);
}

// changeBetween returns the first second between two times at which the offset is not `seconds`,
// and the new offset.
function changeBetween(offset, before, after, seconds) {
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offset(middle) === seconds) before = middle; else after = middle;
  }
  return { from: after, seconds: offset(after) };
}
