// This module has functions for the experiments of the page. It loads the scripts for plots and
// Parquet files when they are first needed, and returns to the experiment when the person goes
// back.
import { loadScript, parts } from './parts.js';

// about returns the file name of the program, which identifies the build, and the number of
// processor cores of the computer.
export const about = () => `${parts.wasm} ${navigator.hardwareConcurrency || 2}`;

// drawPlot draws a plot, given as JSON.
export async function drawPlot(spec) {
  await loadScript('plots');
  window.labPlots.draw(JSON.parse(spec));
  return '';
}

// savePlot downloads the plot as SVG. `paper` names its background: white, transparent or dark.
export const savePlot = (name, paper) => window.labPlots.save(name, paper);

// saveParquet downloads columns, given as JSON, as a Parquet file.
export async function saveParquet(columns, name) {
  await loadScript('parquet');
  window.labDownload(name, 'application/vnd.apache.parquet', window.labParquetBytes(JSON.parse(columns)));
  return '';
}

// reveal scrolls to the results of the experiment, if there are any.
export const reveal = () => document.querySelector('.x-results')?.scrollIntoView({ block: 'start' });

// leave adds an entry to the browser history, so that Back returns to the experiment. The entry before it gets the key
// of the scenario that the run replaces. The program calls leave before the page shows the run in the charts.
export function leave(key) {
  history.replaceState({ experiment: key }, '', location.href);
  history.pushState(null, '', location.href);
}

// goBack returns to the experiment.
export const goBack = () => history.back();

// When the person goes back, the handler restores the replaced scenario and shows the experiment. If that scenario is
// lost, the page opens the link in the history entry after this event. So the timer shows the experiment once more.
addEventListener('popstate', ({ state }) => {
  if (!state?.experiment) return;
  window.labExperimentBack(state.experiment);
  setTimeout(() => window.labExperimentBack(''));
});
