// Colours of jobs: their own in turn, or those of the classes that an answer of the
// worker has with it, and what these say in words.
'use strict';
(() => {
  const { moment } = labTime;

  // clearer is black or white, whichever can be read on a colour.
  function clearer(colour) {
    const [r, g, b] = [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16) / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff';
  }

  // classesOf is the class of each job of an answer: the numbers after its pieces.
  function classesOf(p, classes) {
    const of = new Map();
    for (let i = 0; 2 * i < classes.length; i++) if (!(p[6 * i + 5] & 1)) of.set(p[6 * i + 4], classes[2 * i]);
    return of;
  }

  // paint is a look with the colours of an answer, and the place of a job's colour
  // among them; jobs that the answer does not know have the last.
  function paint(look, { scale, of } = {}) {
    const jobs = scale ? [...scale.shades.map(k => look[scale.palette][k]), look.bin] : look.jobs;
    return { look: { ...look, jobs, over: jobs.map(clearer) }, bucket: job => (scale ? of.get(job) ?? jobs.length - 1 : job % jobs.length) };
  }

  // tell is the class of a piece in words, or what its job has.
  function tell({ scale, classes }, i, bin) {
    if (!scale) return '';
    const [k, v] = classes.subarray(i / 3), { tell, words, named, seconds } = scale, by = Math.abs(v);
    const text = tell[bin ? 3 : Math.sign(v) + 1] ?? '', amount = seconds ? moment(by) + (by < 1000 ? ' s' : '') : Number(by.toFixed(2));
    return text.replace('{}', bin || named ? words[k] : amount);
  }

  // differs is how much later than elsewhere the job of a piece starts, in short.
  function differs({ scale, classes }, i) {
    const v = scale?.palette === 'sides' ? classes[i / 3 + 1] : 0;
    return v ? [(v < 0 ? '−' : '+') + moment(Math.abs(v)), v < 0 ? '◂' : '▸'] : [];
  }

  globalThis.labColour = { clearer, classesOf, paint, tell, differs };
})();
