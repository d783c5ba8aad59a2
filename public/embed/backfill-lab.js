// <backfill-lab> embeds Backfill Lab in your page as a frame, with methods to control it. The
// attribute src is the address of the page, by default relative to this script. fragment is the
// fragment of a link, and scenario is the address of a scenario file. show, lock, policy, lesson
// and step are the options of a link. height is a number of pixels, or auto. The element may also
// contain a scenario, in a <script type="application/json">. Its events are ready, loaded, resize,
// grade and error.
'use strict';
(() => {
  const home = new URL('../index.html', document.currentScript.src);

  class BackfillLab extends HTMLElement {
    #frame = null;
    #asked = new Map();
    #last = 0;
    #ready = null;

    connectedCallback() {
      this.#ready = new Promise(done => { this.#arrived = done; });
      window.addEventListener('message', this.#hear);
      this.#frame = document.createElement('iframe');
      this.#frame.title = this.title || 'Backfill Lab';
      this.#frame.setAttribute('allow', 'clipboard-write; fullscreen');
      if (this.hasAttribute('sandbox')) this.#frame.setAttribute('sandbox', this.getAttribute('sandbox'));
      const height = this.getAttribute('height') ?? 'auto';
      Object.assign(this.#frame.style, { display: 'block', width: '100%', border: '0', height: `${Number(height) || 600}px` });
      const options = ['show', 'lock', 'policy', 'lesson', 'step'].filter(name => this.hasAttribute(name))
        .map(name => `&${name}=${encodeURIComponent(this.getAttribute(name))}`).join('');
      const page = new URL(this.getAttribute('src') ?? home, document.baseURI);
      const fragment = this.getAttribute('fragment')?.replace(/^#/, '') ?? '';
      page.hash = `${fragment || 'v=1'}&embed=1${options}`;
      this.#frame.src = page;
      this.append(this.#frame);
      this.#begin();
    }

    disconnectedCallback() {
      window.removeEventListener('message', this.#hear);
      this.#frame?.remove();
      for (const { fail } of this.#asked.values()) fail(new Error('the frame is gone'));
      this.#asked.clear();
    }

    #arrived;

    async #begin() {
      try {
        const inner = this.querySelector('script[type="application/json"]')?.textContent, from = this.getAttribute('scenario');
        if (inner || from) {
          const text = inner ?? await fetch(new URL(from, document.baseURI)).then(r => r.ok ? r.text() : Promise.reject(new Error(`${from}: ${r.status}`)));
          this.dispatchEvent(new CustomEvent('loaded', { detail: await this.load(text) }));
        }
      } catch (e) {
        this.dispatchEvent(new CustomEvent('error', { detail: e }));
      }
    }

    #hear = ({ source, data: m }) => {
      if (source !== this.#frame?.contentWindow || m?.type !== 'backfill-lab' || m.v !== 1) return;
      const asked = this.#asked.get(m.id);
      if (m.op === 'ready') {
        this.#arrived();
        this.dispatchEvent(new CustomEvent('ready'));
      } else if (m.op === 'resize') {
        if ((this.getAttribute('height') ?? 'auto') === 'auto' && m.height > 0) this.#frame.style.height = `${Math.min(m.height, 20_000)}px`;
        this.dispatchEvent(new CustomEvent('resize', { detail: m.height }));
      } else if (m.op === 'grade') {
        const { exercise, grade, passed, checks } = m;
        this.dispatchEvent(new CustomEvent('grade', { detail: { exercise, grade, passed, checks } }));
      } else if (asked) {
        this.#asked.delete(m.id);
        if (m.op === 'done') asked.done(m);
        else asked.fail(new Error(m.error));
      }
    };

    async #ask(op, more) {
      await this.#ready;
      const id = ++this.#last;
      return new Promise((done, fail) => {
        this.#asked.set(id, { done, fail });
        this.#frame.contentWindow.postMessage({ type: 'backfill-lab', v: 1, id, op, ...more }, '*');
      });
    }

    // Each method returns a promise, which rejects with an error message.
    load(scenario) { return this.#ask('load', { scenario }); }
    run(policies) { return this.#ask('run', { policies }); }
    step(to) { return this.#ask('step', to); } // { by: 1 }, { at: 3600 } or { event: 0 }; result: which schedule
    result(result = 0) { return this.#ask('result', { result }); }
    state() { return this.#ask('state'); }
    grades() { return this.#ask('grades'); } // from then on, the event grade reports each check of an exercise
  }

  customElements.define('backfill-lab', BackfillLab);
})();
