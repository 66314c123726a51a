// Steps through runs, in the report and in the page of `sequent serve`. Everything it needs is in the page (`watch.js` comes
// first); it loads nothing. Texts of diagrams are only ever set as text, never as markup.
"use strict";
const Sequent = (() => {
  /**
   * @typedef {{states: string, active: number[], taken: number[], values: Object<string, string>, waiting: string[], busy: boolean}} Standing
   * @typedef {{enabled: [string, boolean][], blocked: string[]}} Choices what may happen next, and whether the run takes it
   * @typedef {{deed: string, seen: boolean, line: [number, number] | null, objects: Standing[], choices: Choices | null}} Row
   * @typedef {{text: string, truth: (boolean | null)[], deciding: number[]}} Claim
   * @typedef {{columns: string[], machines: (string | null)[], rows: Row[], cycle: number | null, moments: [number, number][], lines: [number, number][], claims: Claim[]}} Run
   * @typedef {{runs: Run[], texts: string[], sources: Object<string, {name: string, text: string}>}} Data
   */

  /**
   * An element with a class and a text.
   * @param {string} tag @param {string} [name] @param {string} [text] @returns {HTMLElement}
   */
  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  /**
   * A run with everything in every step: an object that did not change is `null` in the page, and texts that many steps
   * have are numbers.
   * @param {any} run @param {string[]} texts @returns {Run}
   */
  function unpacked(run, texts) {
    /** @type {Standing[]} */
    let objects = [];
    const rows = run.rows.map((row) => {
      objects = row.objects.map((standing, at) => standing ?? objects[at]);
      const choices = row.choices && {
        enabled: row.choices.enabled.map(([text, taken]) => [texts[text], taken]),
        blocked: row.choices.blocked.map((text) => texts[text]),
      };
      return { ...row, objects, choices };
    });
    return { ...run, rows };
  }

  /** Light, dark, or as the system has it. */
  function theme() {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      button.setAttribute("aria-pressed", String(!dark));
    });
  }

  /** What is watched, by the names of runs: after an edit the same run is watched again. @type {Map<string, string[]>} */
  const watched = new Map();

  /** One run that is stepped through. */
  class Stepper {
    /**
     * @param {HTMLElement} root @param {Data} data @param {ParentNode} scope where the drawings of machines are
     * @param {boolean} addressed whether the address of the page leads to a step
     */
    constructor(root, data, scope, addressed) {
      this.addressed = addressed;
      this.root = root;
      this.scope = scope;
      this.number = Number(root.dataset.run);
      this.sources = data.sources;
      this.run = unpacked(data.runs[this.number], data.texts);
      this.last = this.run.rows.length - 1;
      this.step = this.last;
      this.build();
      this.show(this.last, false);
    }

    build() {
      const controls = make("div", "controls");
      /** @param {string} text @param {string} label @param {() => void} act */
      const button = (text, label, act) => {
        const one = make("button", "", text);
        one.setAttribute("type", "button");
        one.setAttribute("aria-label", label);
        one.addEventListener("click", act);
        controls.append(one);
      };
      button("|◀", "First step", () => this.show(0, true));
      button("◀", "Step back", () => this.back());
      button("▶", "Step forward", () => this.forward());
      button("▶|", "Last step", () => this.show(this.last, true));
      this.slider = /** @type {HTMLInputElement} */ (make("input"));
      this.slider.type = "range";
      this.slider.min = "0";
      this.slider.max = String(this.last);
      this.slider.setAttribute("aria-label", "Step of the run");
      this.slider.addEventListener("input", () => this.show(Number(this.slider.value), true));
      controls.append(this.slider);
      this.count = make("span", "count");
      controls.append(this.count);
      this.now = make("p", "now");
      this.now.setAttribute("aria-live", "polite");
      const stage = this.root.querySelector(".stage");
      stage.before(controls);
      if (this.run.cycle !== null && this.last > 0) controls.after(this.bracket());
      stage.before(this.now);
      stage.before(this.claims());
      this.choices = make("div", "choices");
      stage.before(this.choices);
      const frame = /** @type {HTMLElement} */ (this.root.querySelector(".sequence"));
      stick(frame);
      // What is not shown has no size: it is looked at again once it is shown.
      new ResizeObserver(() => this.cover()).observe(frame);
      frame.addEventListener("click", (event) => this.pick(/** @type {Element} */ (event.target)));
      this.beside = make("div", "beside");
      stage.append(this.beside);
      this.machines = this.run.machines.map((id, at) => this.machine(id, this.run.columns[at]));
      this.table = make("table");
      if (this.run.columns.length > 0) this.beside.append(this.narrow(), this.table);
      this.source = make("pre", "source");
      this.source.addEventListener("click", (event) => this.lead(/** @type {Element} */ (event.target)));
      this.beside.append(this.source);
      this.file = null;
      this.root.tabIndex = 0;
      this.root.addEventListener("keydown", (event) => this.key(event));
    }

    /** What is repeated forever, below the slider. */
    bracket() {
      const ruler = make("div", "ruler");
      const part = make("span");
      const start = (100 * this.run.cycle) / this.last;
      part.style.left = `${start}%`;
      part.style.width = `${100 - start}%`;
      part.title = "repeated forever";
      ruler.append(part);
      return ruler;
    }

    /** A box to tick: only what changed in the step is shown. */
    narrow() {
      const label = make("label", "narrow");
      this.only = /** @type {HTMLInputElement} */ (make("input"));
      this.only.type = "checkbox";
      this.only.addEventListener("change", () => this.fill(this.run.rows[this.step]));
      label.append(this.only, " only what changed");
      return label;
    }

    /** What is asked and its parts, and what is watched, a row each, at every step; a click leads to the step. */
    claims() {
      const frame = make("div", "claims");
      const table = make("table");
      /** @type {HTMLElement[][]} */
      this.cells = [];
      for (const claim of this.run.claims) {
        const truths = this.run.rows.map((_, step) => claim.truth[step] ?? null);
        table.append(this.line(claim.text, truths, claim.deciding).line);
      }
      frame.append(table);
      frame.tabIndex = 0;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", "What is true at each step");
      frame.hidden = this.cells.length === 0;
      if (this.run.columns.length === 0) return frame;
      const all = document.createDocumentFragment();
      all.append(frame, this.watching(table));
      return all;
    }

    /** A row of values, one for each step. @param {string} text @param {any[]} values null where there is none @param {number[]} deciding */
    line(text, values, deciding) {
      const line = make("tr");
      const name = make("th", "", text);
      name.setAttribute("scope", "row");
      line.append(name);
      const cells = values.map((value, step) => {
        const sign = value === true ? "⊤" : value === false ? "⊥" : value === null ? "" : String(value);
        const cell = make("td", value === true ? "yes" : value === false ? "no" : "", sign);
        const decides = deciding.includes(step);
        cell.classList.toggle("deciding", decides);
        cell.classList.toggle("here", step === this.step);
        cell.title = `step ${step}: ${value === null ? "not looked at" : value}${decides ? ", which decides" : ""}`;
        cell.addEventListener("click", () => this.show(step, true));
        return cell;
      });
      line.append(...cells);
      this.cells.push(cells);
      return { line, name, cells };
    }

    /** A box for expressions that are watched. @param {HTMLElement} table where their rows stand */
    watching(table) {
      const label = this.root.getAttribute("aria-label");
      const form = make("form", "watch");
      const input = /** @type {HTMLInputElement} */ (make("input"));
      input.type = "text";
      input.placeholder = `${this.run.columns[0]}.state`;
      input.setAttribute("aria-label", "Expression to watch");
      input.setAttribute("list", `names-${this.number}`);
      const add = make("button", "", "Watch");
      add.setAttribute("type", "submit");
      const problem = make("span", "problem");
      problem.setAttribute("role", "alert");
      form.append(input, add, problem, this.names());
      // Arrow keys belong to the box while it is written in.
      form.addEventListener("keydown", (event) => event.stopPropagation());
      const texts = watched.get(label) || [];
      watched.set(label, texts);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const text = input.value.trim();
        problem.textContent = text === "" ? "" : this.watch(table, text, texts) || "";
        if (problem.textContent !== "" || text === "") return;
        if (!texts.includes(text)) texts.push(text);
        input.value = "";
      });
      for (const text of [...texts]) this.watch(table, text, texts);
      return form;
    }

    /** Adds a row; what is wrong with the expression. @param {HTMLElement} table @param {string} text @param {string[]} texts what is watched @returns {string | null} */
    watch(table, text, texts) {
      const problems = new Set();
      let values;
      try {
        const term = Watch.parse(text);
        values = this.run.rows.map((row) => {
          try {
            return term(new Map(this.run.columns.map((name, at) => [name, row.objects[at]])));
          } catch (problem) {
            problems.add(problem.message);
            return null;
          }
        });
      } catch (problem) {
        return problem.message;
      }
      // Objects may not be there at every step.
      if (values.every((value) => value === null)) return [...problems].join("; ");
      const { line, name, cells } = this.line(text, values, []);
      const remove = make("button", "remove", "×");
      remove.setAttribute("type", "button");
      remove.setAttribute("aria-label", `Watch ${text} no more`);
      remove.addEventListener("click", () => {
        line.remove();
        this.cells = this.cells.filter((own) => own !== cells);
        table.parentElement.hidden = this.cells.length === 0;
        if (texts.includes(text)) texts.splice(texts.indexOf(text), 1);
      });
      name.append(" ", remove);
      table.append(line);
      table.parentElement.hidden = false;
      return null;
    }

    /** What can be named in a watch. */
    names() {
      const list = make("datalist");
      list.id = `names-${this.number}`;
      this.run.columns.forEach((column, at) => {
        const values = new Set(this.run.rows.flatMap((row) => Object.keys(row.objects[at].values)));
        for (const name of ["state", "queue", ...values]) {
          const option = make("option");
          option.setAttribute("value", `${column}.${name}`);
          list.append(option);
        }
      });
      return list;
    }

    /** What may happen next, and what may not. @param {Row} row */
    offer(row) {
      const parts = [];
      if (row.choices && row.choices.enabled.length > 0) {
        const list = make("ul", "enabled-steps");
        for (const [text, taken] of row.choices.enabled) list.append(make("li", taken ? "next" : "", text));
        parts.push(make("h5", "", "Possible next"), list);
      }
      if (row.choices && row.choices.enabled.length === 0) parts.push(make("h5", "", "Nothing is possible next"));
      if (row.choices && row.choices.blocked.length > 0) {
        const box = /** @type {HTMLDetailsElement} */ (make("details", "blocked-steps"));
        box.open = this.blocked === true;
        box.addEventListener("toggle", () => (this.blocked = box.open));
        box.append(make("summary", "", `Not possible: ${row.choices.blocked.length}`));
        const list = make("ul");
        for (const text of row.choices.blocked) list.append(make("li", "", text));
        box.append(list);
        parts.push(box);
      }
      this.choices.replaceChildren(...parts);
    }

    /** From a message to its step and its line. @param {Element} target */
    pick(target) {
      const message = target.closest(".message");
      if (!message) return;
      const key = Number(message.getAttribute("data-key"));
      this.show(this.run.moments[key][0], true);
      this.open(this.run.lines[key]);
      this.root.dispatchEvent(new CustomEvent("line", { bubbles: true, detail: this.place(this.run.lines[key]) }));
    }

    /** From a line of the source to the next step that stands there. @param {Element} target */
    lead(target) {
      const number = [...this.source.children].indexOf(target.closest("span")) + 1;
      const isThere = (line) => line !== null && line[0] === this.file && line[1] === number;
      const steps = this.run.rows.flatMap((row, step) => (isThere(row.line) ? [step] : []));
      this.run.lines.forEach((line, key) => isThere(line) && steps.push(...this.run.moments[key]));
      steps.sort((one, other) => one - other);
      const found = steps.find((step) => step > this.step) ?? steps[0];
      if (found !== undefined) this.show(found, true);
    }

    /** The name of a file and a line. @param {[number, number]} line */
    place([file, line]) {
      const source = this.sources[file];
      return { file: source ? source.name : "", line };
    }

    /** @param {string | null} id @param {string} name */
    machine(id, name) {
      const template = id === null ? null : this.scope.querySelector(`#${id}`);
      if (!(template instanceof HTMLTemplateElement)) return null;
      const box = make("div");
      const frame = make("div", "drawing");
      frame.tabIndex = 0;
      frame.append(template.content.cloneNode(true));
      box.append(make("h5", "", name), frame);
      this.beside.append(box);
      return frame;
    }

    /** @param {KeyboardEvent} event */
    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const acts = { ArrowRight: () => this.forward(), ArrowLeft: () => this.back(), Home: () => this.show(0, true), End: () => this.show(this.last, true) };
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }

    /** One step on; after the last one of a cycle its first. */
    forward() {
      if (this.step < this.last) this.show(this.step + 1, true);
      else if (this.run.cycle !== null && this.run.cycle < this.last) this.show(this.run.cycle + 1, true);
    }

    back() {
      if (this.step > 0) this.show(this.step - 1, true);
    }

    /** @param {number} step @param {boolean} shared whether the address tells it */
    show(step, shared) {
      this.step = Math.max(0, Math.min(this.last, step));
      const row = this.run.rows[this.step];
      if (!row) return;
      this.slider.value = String(this.step);
      const deed = this.step === 0 ? "start" : row.deed;
      this.slider.setAttribute("aria-valuetext", `step ${this.step} of ${this.last}: ${deed}`);
      this.count.textContent = `${this.step} / ${this.last}`;
      const cycle = this.run.cycle;
      const forever = cycle !== null && this.step > cycle ? ` (repeated forever from step ${cycle + 1})` : "";
      this.now.textContent = deed + forever;
      for (const message of this.root.querySelectorAll(".sequence .message")) {
        const moments = this.run.moments[Number(/** @type {HTMLElement} */ (message).dataset.key)];
        message.classList.toggle("later", moments[0] > this.step);
        message.classList.toggle("current", moments.includes(this.step));
      }
      for (const cells of this.cells) cells.forEach((cell, at) => cell.classList.toggle("here", at === this.step));
      this.offer(row);
      this.machines.forEach((frame, at) => frame && this.mark(frame, row.objects[at]));
      this.fill(row);
      const written = this.run.rows.slice(0, this.step + 1).findLast((one) => one.line !== null);
      this.open(written ? written.line : null);
      this.cover();
      this.root.dataset.step = String(this.step);
      this.root.dispatchEvent(new CustomEvent("step"));
      if (shared && this.addressed) history.replaceState(null, "", `#run-${this.number}-step-${this.step}`);
    }

    /** @param {HTMLElement} frame @param {Standing} [standing] */
    mark(frame, standing) {
      const active = new Set(standing ? standing.active.map(String) : []);
      for (const one of frame.querySelectorAll(".state, .vertex")) {
        one.classList.toggle("active", active.has(one.getAttribute("data-key")));
      }
      const taken = new Set(standing ? standing.taken.map(String) : []);
      for (const one of frame.querySelectorAll(".transition")) {
        one.classList.toggle("taken", taken.has(one.getAttribute("data-key")));
      }
    }

    /** States, variables and queues; what is new is marked. @param {Row} row */
    fill(row) {
      const before = this.step > 0 ? this.run.rows[this.step - 1] : null;
      const head = make("tr");
      for (const name of ["object", "states", "variables", "queue"]) head.append(make("th", "", name));
      const lines = row.objects.map((standing, at) => {
        const was = before ? before.objects[at] : null;
        const line = make("tr");
        line.append(make("th", "", this.run.columns[at]));
        /** @param {(one: Standing) => string} text */
        const cell = (text) => {
          const now = text(standing);
          line.append(make("td", was && text(was) !== now ? "changed" : "", now));
        };
        cell((one) => (one.busy ? `${one.states} …` : one.states));
        cell((one) => Object.entries(one.values).map(([name, value]) => `${name} = ${value}`).join(", "));
        cell((one) => one.waiting.join(", "));
        line.hidden = this.only !== undefined && this.only.checked && was !== null && !line.querySelector(".changed");
        return line;
      });
      this.table.replaceChildren(...(lines.length ? [head, ...lines] : []));
    }

    /** Fades what stands below the last message that was seen. */
    cover() {
      const svg = /** @type {SVGSVGElement} */ (this.root.querySelector(".sequence > svg"));
      let cover = svg.querySelector(".cover");
      if (!cover) {
        cover = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        cover.setAttribute("class", "cover");
        svg.append(cover);
      }
      const later = [...svg.querySelectorAll(".message.later")].map((one) => /** @type {SVGGraphicsElement} */ (one).getBBox().y);
      const { width, height } = svg.viewBox.baseVal;
      const top = later.length ? Math.max(0, Math.min(...later) - 4) : height;
      for (const [name, value] of Object.entries({ x: 0, y: top, width, height: height - top })) cover.setAttribute(name, String(value));
    }

    /** The text of the diagram with the current line. @param {[number, number] | null} line */
    open(line) {
      if (!line) {
        for (const line of this.source.querySelectorAll(".here")) line.classList.remove("here");
        return;
      }
      const [file, number] = line;
      const source = this.sources[file];
      if (!source) return;
      if (this.file !== file) {
        this.file = file;
        this.source.setAttribute("aria-label", source.name);
        this.source.tabIndex = 0;
        this.source.replaceChildren(...source.text.split("\n").map((line) => make("span", "", line || " ")));
      }
      [...this.source.children].forEach((line, at) => line.classList.toggle("here", at + 1 === number));
      const here = /** @type {HTMLElement | null} */ (this.source.children[number - 1]);
      if (here) this.source.scrollTop = here.offsetTop - this.source.offsetTop - this.source.clientHeight / 2;
    }
  }

  /** Repeats the heads of a sequence diagram at the upper edge once they are out of sight. @param {HTMLElement} frame */
  function stick(frame) {
    const svg = /** @type {SVGSVGElement | null} */ (frame.querySelector(":scope > svg"));
    if (!svg || !svg.querySelector(".head")) return;
    /** @type {{bar: HTMLElement, copy: SVGElement, bottom: number} | null} */
    let heads = null;
    frame.addEventListener("scroll", () => {
      // What is not shown has no size, so this waits for the first time that somebody scrolls.
      heads = heads || copied(frame, svg);
      const width = svg.getBoundingClientRect().width;
      heads.copy.style.width = `${width}px`;
      heads.bar.classList.toggle("seen", frame.scrollTop > (heads.bottom * width) / svg.viewBox.baseVal.width);
    });
  }

  /**
   * The heads of a drawing once more, above it, and how far down they reach in it.
   * @param {HTMLElement} frame @param {SVGSVGElement} svg
   */
  function copied(frame, svg) {
    const all = [...svg.querySelectorAll(".head")].map((head) => ({ head, box: /** @type {SVGGraphicsElement} */ (head).getBBox() }));
    // Lifelines that are created on the way have their heads further below.
    const first = Math.min(...all.map(({ box }) => box.y + box.height));
    const above = all.filter(({ box }) => box.y < first);
    const top = Math.min(...above.map(({ box }) => box.y)) - 4;
    const bottom = Math.max(...above.map(({ box }) => box.y + box.height)) + 4;
    const name = "http://www.w3.org/2000/svg";
    const copy = document.createElementNS(name, "svg");
    copy.setAttribute("viewBox", `0 ${top} ${svg.viewBox.baseVal.width} ${bottom - top}`);
    const ground = document.createElementNS(name, "rect");
    for (const [key, value] of Object.entries({ x: 0, y: top, width: svg.viewBox.baseVal.width, height: bottom - top })) {
      ground.setAttribute(key, String(value));
    }
    ground.setAttribute("fill", "#ffffff");
    const group = above[0].head.parentElement.cloneNode(false);
    for (const { head } of above) group.appendChild(head.cloneNode(true));
    copy.append(ground, group);
    const bar = make("div", "heads");
    bar.setAttribute("aria-hidden", "true");
    bar.append(copy);
    frame.prepend(bar);
    return { bar, copy, bottom };
  }

  /** How the letters of a figure's coverage are shown. */
  const COVERAGE = { p: "passed", o: "other", n: "never" };

  /** Colours the messages or transitions of a figure. @param {Element} figure @param {(element: Element) => string | undefined} letter */
  function colour(figure, letter) {
    for (const element of figure.querySelectorAll(".message, .transition")) {
      const found = letter(element);
      for (const [own, name] of Object.entries(COVERAGE)) element.classList.toggle(name, own === found);
    }
  }

  /**
   * Makes the runs below an element ones to step through.
   * @param {HTMLElement | Document} scope @param {Data} data @param {boolean} addressed @returns {Map<number, Stepper>}
   */
  function start(scope, data, addressed) {
    /** @type {Map<number, Stepper>} */
    const steppers = new Map();
    for (const one of scope.querySelectorAll(".run")) {
      const root = /** @type {HTMLElement} */ (one);
      const number = Number(root.dataset.run);
      if (data.runs[number].rows.length > 0) steppers.set(number, new Stepper(root, data, scope, addressed));
    }
    return steppers;
  }

  return { make, theme, start, stick, colour, Stepper };
})();
