// This module is the script of the page. It starts the program and provides the functions that the
// program calls.
import './clipboard.js';
import { settleTip } from './tips.js';
import { askConsent, watchConsent } from './consent.js';
import { zoneOffsets } from './zones.js';
import { callChart, chartMethods } from './chart/charts.js';
import { reselect } from './cells.js';
import { download, nextFrame, onDrop } from './browser.js';
import { listenToParent, reply, sendGrade } from './embedding.js';
import { ready, start } from './load.js';
import { afterRender } from './tables.js';
import { restoreScroll, showAsked } from './scroll.js';
import { fit } from './widths.js';
import './order.js';
import { later } from './guard.js';
import { fetchFile, offerOffline } from './offline.js';
import { reportFault } from './faults.js';
import { hasPage, savePage } from './onefile.js';
import { addTables, openTables } from './picture/tabular.js';
import { savePicture } from './picture/picture.js';
import { showKeys } from './keyboard.js';
import { about, drawPlot, goBack, leave, reveal, saveParquet, savePlot } from './experiments.js';
import { spawnWorker } from './workers.js';
import { textOf } from './parts.js';
import { followEditors } from './editors.js';

// drawn runs after each render, and updates the parts of the page that scripts manage. It shows errors itself,
// because the program would not notice them.
function drawn(focus, reveal) {
  try {
    afterRender(focus, reveal);
    for (const update of [restoreScroll, showAsked, fit, reselect, settleTip, followEditors]) update();
  } catch (e) {
    reportFault('a render', e, e.stack);
  }
}

// These are the functions that the program calls through ui/browser. The program itself sets the
// functions that it provides, such as labUndo.
Object.assign(window, {
  labReady: ready, labFault: reportFault, labPart: textOf, labFetchFile: fetchFile, labLater: later,
  labDrawn: drawn, labShowKeys: showKeys, labNextFrame: nextFrame, labOnDrop: onDrop,
  labSpawnWorker: spawnWorker, labChart: chartMethods, labChartCall: callChart, labZoneOffsets: zoneOffsets,
  labDownload: download, labPicture: savePicture, labTables: openTables, labMoreTables: addTables, labReply: reply, labGrade: sendGrade, labConsent: askConsent,
  labHasPage: hasPage, labPage: savePage,
  labAbout: about, labPlot: drawPlot, labSavePlot: savePlot, labParquet: saveParquet, labExperimentLeft: leave, labExperimentReturn: goBack, labExperimentShow: reveal,
});

if (parent !== window) {
  listenToParent();
  watchConsent();
}
offerOffline();
start();
