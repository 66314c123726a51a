// Runs that are remembered: what became of each after an edit, and two of them side by side.

const { make } = Sequent;

/**
 * @typedef {{name: string, key: string, written: string, among: number, file: string, run: any, html: string, data: any, machines: string}} Known a run with all that is needed to show it
 */

/** What happens in a run, row by row. @param {any} run @returns {string[]} */
function deeds(run) {
  return run.rows.map((row) => row.deed);
}

/** The first row in which two runs differ; null if they are the same. @param {any} one @param {any} other */
export function difference(one, other) {
  const [first, second] = [deeds(one), deeds(other)];
  const at = first.findIndex((deed, step) => deed !== second[step]);
  if (at >= 0) return at;
  if (first.length !== second.length) return first.length;
  return one.cycle === other.cycle ? null : Math.min(one.cycle ?? first.length, other.cycle ?? first.length);
}

export class Compare {
  constructor() {
    this.panel = document.getElementById("compare");
    /** @type {Known[]} those that are remembered */
    this.kept = [];
    /** @type {Known[]} those of the last check */
    this.current = [];
    /** @type {{key: string, written: string, isGood: boolean}[]} the questions and findings of the last check */
    this.answers = [];
    /** What was checked last: which file, whether it could be read, and its diagrams. */
    this.subject = { file: "", broken: false, diagrams: /** @type {string[]} */ ([]) };
    this.build();
  }

  build() {
    this.list = make("ul", "kept");
    this.list.setAttribute("aria-label", "Runs that are remembered");
    const bar = make("div", "bar");
    /** @type {HTMLSelectElement[]} */
    this.choices = ["left", "right"].map((side) => {
      const choice = /** @type {HTMLSelectElement} */ (make("select"));
      choice.id = `compare-${side}`;
      choice.setAttribute("aria-label", `Run on the ${side}`);
      choice.addEventListener("change", () => this.show());
      bar.append(choice);
      return choice;
    });
    this.status = make("span", "status");
    this.status.id = "compare-status";
    this.status.setAttribute("role", "status");
    bar.append(this.status);
    this.view = make("div", "compared");
    this.panel.append(this.list, bar, this.view);
    this.offer();
  }

  /**
   * Lets the runs of a panel be remembered.
   * @param {HTMLElement} panel @param {any} fragments @param {string} file
   */
  watch(panel, fragments, file) {
    for (const one of panel.querySelectorAll(".run")) {
      const root = /** @type {HTMLElement} */ (one);
      const known = describe(root, fragments, file);
      const button = make("button", "remember", "Remember");
      button.setAttribute("type", "button");
      button.title = "Tells after the next edit whether this run is still there";
      button.addEventListener("click", () => this.keep(known));
      (root.querySelector(".keep") || root).append(button);
    }
  }

  /** @param {Known} known */
  keep(known) {
    known.among = this.answers.filter((one) => one.key === known.key).length;
    this.kept = [...this.kept.filter((one) => one.key !== known.key || one.written !== known.written || difference(one.run, known.run) !== null), known];
    this.tell();
    this.offer();
    // It is compared with what becomes of it.
    this.choices[0].value = String(this.kept.length - 1);
    this.show();
  }

  /** What a check found. @param {HTMLElement[]} panels @param {any} fragments @param {string} file */
  checked(panels, fragments, file) {
    this.subject = { file, broken: fragments.broken, diagrams: fragments.diagrams };
    this.answers = panels.flatMap((panel) => [...panel.querySelectorAll("article")].map((one) => ({ key: one.dataset.key, written: one.dataset.written || "", isGood: one.classList.contains("good") })));
    this.current = panels.flatMap((panel) => [...panel.querySelectorAll(".run")].map((root) => describe(/** @type {HTMLElement} */ (root), fragments, file)));
    this.tell();
    this.offer();
  }

  /** What became of a run. @param {Known} known */
  fate(known) {
    const { file, broken, diagrams } = this.subject;
    if (known.file !== file) return [`undecided: ${known.file} is not shown`, "open"];
    if (broken) return ["undecided: the text cannot be read", "open"];
    const [kind, ...parts] = JSON.parse(known.key);
    const isFinding = kind === "finding";
    if (isFinding && parts[2] !== null && !diagrams.includes(parts[2])) return [`undecided: there is no ${parts[2]}`, "open"];
    const alike = this.answers.filter((one) => one.key === known.key);
    const here = alike.filter((one) => one.written === known.written);
    // A finding on a line that was edited: it is gone if there are fewer of its kind.
    const isGone = here.length === 0 && alike.length < known.among;
    const asked = here.length > 0 ? here : isGone ? [] : alike;
    if (asked.length === 0) return isFinding ? ["fixed", "good"] : ["no longer asked", "open"];
    if (asked.every((one) => one.isGood)) return ["fixed", "good"];
    const runs = this.current.filter((one) => one.key === known.key && asked.some((other) => other.written === one.written));
    const steps = runs.map((one) => difference(known.run, one.run));
    if (kind === "example") return steps.includes(null) ? ["still an example", "good"] : ["no longer an example", "open"];
    if (steps.length === 0) return ["undecided", "open"];
    if (steps.includes(null)) return ["still fails", "bad"];
    return [`still fails, differs at step ${Math.max(...steps.map(Number))}`, "open"];
  }

  /** What became of the runs that are remembered. */
  tell() {
    const items = this.kept.map((known) => {
      const [word, name] = this.fate(known);
      const item = make("li", name);
      item.append(make("strong", "fate", word), ` ${known.name} `);
      const forget = make("button", "", "Forget");
      forget.setAttribute("type", "button");
      forget.addEventListener("click", () => {
        this.kept = this.kept.filter((one) => one !== known);
        this.tell();
        this.offer();
      });
      item.append(forget);
      return item;
    });
    this.list.replaceChildren(...items);
  }

  /** The runs to choose from. */
  offer() {
    this.all = [...this.kept.map((one) => ({ ...one, title: `remembered: ${one.name}` })), ...this.current.map((one) => ({ ...one, title: one.name }))];
    this.choices.forEach((choice, side) => {
      const known = choice.selectedOptions[0] ? choice.selectedOptions[0].textContent : null;
      choice.replaceChildren(...this.all.map((one, at) => {
        const option = /** @type {HTMLOptionElement} */ (make("option", "", one.title));
        option.value = String(at);
        return option;
      }));
      const same = this.all.findIndex((one) => one.title === known);
      choice.value = String(same >= 0 ? same : Math.min(side, this.all.length - 1));
    });
    this.show();
  }

  /** Two runs side by side; a step of one is a step of the other. */
  show() {
    const both = this.choices.map((choice) => this.all[Number(choice.value)]);
    if (both.some((one) => one === undefined) || this.all.length < 2) {
      this.status.textContent = this.all.length < 2 ? "there are no two runs" : "";
      this.view.replaceChildren();
      return;
    }
    const at = difference(both[0].run, both[1].run);
    this.status.textContent = at === null ? "the runs are the same" : `the runs differ at step ${at}`;
    const steppers = [];
    const columns = both.map((one) => {
      const column = make("section");
      // What the server made: everything that diagrams say is escaped in it.
      column.innerHTML = one.html + one.machines;
      steppers.push(...Sequent.start(column, one.data, false).values());
      return column;
    });
    this.view.replaceChildren(...columns);
    let isFollowing = false;
    for (const stepper of steppers) {
      stepper.root.addEventListener("step", () => {
        if (isFollowing) return;
        isFollowing = true;
        for (const other of steppers) if (other !== stepper) other.show(stepper.step, false);
        isFollowing = false;
      });
      if (at !== null) stepper.show(at, false);
    }
  }
}

/** A run as it was made, without what its stepper added. @param {HTMLElement} root @param {any} fragments @param {string} file @returns {Known} */
function describe(root, fragments, file) {
  const copy = /** @type {HTMLElement} */ (root.cloneNode(true));
  for (const one of copy.querySelectorAll(".controls, .ruler, .now, .claims, .choices, .beside, .keep, .remember, .heads, .cover")) one.remove();
  const article = /** @type {HTMLElement | null} */ (root.closest("article"));
  const { name, key, written } = article ? article.dataset : { name: "simulation", key: '["simulation"]', written: "" };
  return { name, key, written: written || "", among: 1, file, run: fragments.data.runs[Number(root.dataset.run)], html: copy.outerHTML, data: fragments.data, machines: fragments.machines };
}
