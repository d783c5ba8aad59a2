// This module determines the colours of jobs, and describes the classes that the colours stand for.
// If the worker's answer has classes, each job has the colour of its class. Otherwise the jobs use
// a few colours in turn.
import { duration } from './time.js';

// readableOn returns black or white, whichever is more readable on a colour.
export function readableOn(colour) {
  const [red, green, blue] = [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16) / 255)
    .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

// classesOf returns a map from each job of an answer to its class. `classes` has two numbers for each piece:
// the class, and the value that determines the class. Bins are left out, because they stand for several jobs.
export function classesOf(pieces, classes) {
  const of = new Map();
  for (let i = 0; 2 * i < classes.length; i++) if (!(pieces[6 * i + 5] & 1)) of.set(pieces[6 * i + 4], classes[2 * i]);
  return of;
}

// withColours returns a look (the colours and the font) with the job colours of an answer, and the function
// `bucket`, which returns the index of a job's colour in look.jobs. If the answer has classes but none for the
// job, this is the last colour.
export function withColours(look, { scale, of, hues } = {}) {
  const jobs = scale ? [...scale.shades.map(k => look[scale.palette][k]), look.bin] : look.jobs;
  const bucket = job => (scale ? of.get(job) ?? jobs.length - 1 : hues ? hues.charCodeAt(job) - 97 : job) % jobs.length;
  return { look: { ...look, jobs, over: jobs.map(readableOn) }, bucket };
}

// classWords describes in words what the colour of piece i means: for a bin, the class of its jobs; for a
// job, its class or the value that determines the class.
export function classWords({ scale, classes }, i, bin) {
  if (!scale) return '';
  const [k, value] = classes.subarray(i / 3), { tell, words, named, seconds } = scale, size = Math.abs(value);
  const text = tell[bin ? 3 : Math.sign(value) + 1] ?? '', amount = seconds ? duration(size) : Number(size.toFixed(2));
  return text.replace('{}', bin || named ? words[k] : amount);
}

// lateness returns two texts about how much later the job of piece i starts than in the compared
// schedule: a signed duration and an arrow. It returns an empty array if there is no difference.
export function lateness({ scale, classes }, i) {
  const late = scale?.palette === 'sides' ? classes[i / 3 + 1] : 0;
  return late ? [(late < 0 ? '−' : '+') + duration(Math.abs(late)).replace(/^([\d,]+) s$/, '$1'), late < 0 ? '◂' : '▸'] : [];
}
