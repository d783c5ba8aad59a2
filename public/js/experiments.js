// The experiments of the page: loads the scripts for plots and Parquet files when they are first
// needed, and returns to the experiment when the person goes back.
import { absolute, parts } from './parts.js';

const loading = {};

// script loads a script of the site once. `part` is its name in `parts`.
const script = part => loading[part] ??= new Promise((done, failed) => {
  const element = document.createElement('script');
  element.src = absolute(parts[part]);
  element.onload = () => done();
  element.onerror = () => {
    delete loading[part];
    failed(new Error('its script could not be loaded from the server'));
  };
  document.head.append(element);
});

// about returns the build of the program and the number of cores.
export const about = () => `${parts.wasm} ${navigator.hardwareConcurrency || 2}`;

// drawPlot draws a plot, given as JSON.
export async function drawPlot(spec) {
  await script('plots');
  window.labPlots.draw(JSON.parse(spec));
  return '';
}

// savePlot downloads the plot as SVG.
export const savePlot = name => window.labPlots.save(name);

// saveParquet downloads columns, given as JSON, as a Parquet file.
export async function saveParquet(columns, name) {
  await script('parquet');
  window.labDownload(name, 'application/vnd.apache.parquet', window.labParquetBytes(JSON.parse(columns)));
  return '';
}

// The state of the history entry that shows the experiment.
const HERE = 'experiment';

// leave marks the current history entry and adds one, before the page shows a run in the charts.
export function leave() {
  history.replaceState(HERE, '', location.href);
  history.pushState(null, '', location.href);
}

addEventListener('popstate', ({ state }) => {
  if (state === HERE) setTimeout(() => window.labExperimentBack());
});
