// What the charts share: a run, one window of time, one cursor, one selection.
export const state = {
  run: { lanes: 8, from: 0, to: 50 },
  t0: 0, t1: 50, // the window
  bounds: { from: 0, to: 50 }, // how far it reaches
  fitted: true, // the window is as large as its bounds
  stale: false, // the charts are of another scenario than the one that is edited
  selected: null, // a job
  hover: null, // the job under the pointer
  at: null, // the piece that the keyboard is on: { job, from }
  cursor: null, // a moment
  range: null, // two moments between which is measured
  play: null, // the event that the player shows: { at, event, result, job, last }
  plays: {}, // of each result, the last event that was played
  colour: '', // the kind of classes that jobs are coloured by; '': by themselves
  base: 0, // the result that colours compare with
  jobs: new Map(), // what the program told of jobs, null: it was asked
  edit: null, // what is being done to a job in a chart
};

export const charts = new Set();

export const resultOf = chart => Number(chart.host.dataset.result || 0);

// isFresh tells whether an answer is of the present run and of the result of a chart.
export const isFresh = (chart, answer) => answer && answer.generation === state.run.generation && answer.result === resultOf(chart);
