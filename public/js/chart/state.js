// This module holds the state shared by all charts: the run, the time window, the cursor and the
// selection.
export const state = {
  run: { lanes: 8, from: 0, to: 50 },
  t0: 0, t1: 50, // the time window in seconds
  bounds: { from: 0, to: 50 }, // limits of the window
  fitted: true, // whether the window equals its bounds
  stale: false, // whether the scenario was edited and the new results have not arrived yet
  selected: null, // the selected job
  hover: null, // the job under the pointer
  at: null, // the current piece of keyboard navigation: { job, from }
  cursor: null, // time of the cursor
  range: null, // start and end of the range being measured
  play: null, // the event that the player shows: { at, event, result, job, last, hidden }
  plays: {}, // by result: the last event that the player showed
  colour: '', // the property that determines the colours of jobs, '' for a colour per job
  base: 0, // the result whose start times the colours compare with
  jobs: new Map(), // by job: its values from the program, null while they are requested
  edit: null, // the current edit of a job in a chart
};

export const charts = new Set();

// resultOf returns the index of the result that a chart shows.
export const resultOf = chart => Number(chart.host.dataset.result || 0);

// isFresh reports whether an answer belongs to the current run and to the result of a chart.
export const isFresh = (chart, answer) => answer && answer.generation === state.run.generation && answer.result === resultOf(chart);

// isHiddenByLesson reports whether a lesson explains the result of a chart only in a later step.
// The chart is empty until then.
export const isHiddenByLesson = chart => !!state.play?.hidden?.includes(resultOf(chart));

// horizon returns the time up to which a chart shows its schedule. The player hides the rest.
export const horizon = chart => (!state.play ? Infinity : isHiddenByLesson(chart) ? -Infinity : state.cursor);
