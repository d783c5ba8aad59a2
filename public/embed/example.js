// This script controls the frames of the example course page.
'use strict';
(() => {
  const byId = id => document.getElementById(id);

  async function step(by) {
    try {
      const { event } = await byId('three').step({ by });
      byId('where').textContent = `At ${event.at} s: event ${event.event} of ${event.events}.`;
    } catch (e) {
      byId('where').textContent = e.message;
    }
  }
  byId('back').onclick = () => step(-1);
  byId('on').onclick = () => step(1);

  byId('grade').onclick = async () => {
    try {
      const { metrics } = await byId('four').result();
      const wait = metrics.metrics['mean-wait'];
      byId('mark').textContent = wait < 4 ? `Passed: the mean wait is ${wait} s.` : `Not yet: the mean wait is ${wait} s.`;
    } catch (e) {
      byId('mark').textContent = e.message;
    }
  };
})();
