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

// leave stores a key in the current entry of the browser history and adds a new entry. The program calls
// it before the page shows a run in the charts.
export function leave(key) {
  history.replaceState({ experiment: key }, '', location.href);
  history.pushState(null, '', location.href);
}

// goBack returns to the experiment.
export const goBack = () => history.back();

// After this event, the page opens the link in the history entry. After that, the timer shows the
// experiment again.
addEventListener('popstate', ({ state }) => {
  if (!state?.experiment) return;
  window.labExperimentBack(state.experiment);
  setTimeout(() => window.labExperimentBack(''));
});
