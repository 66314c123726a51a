// Simulation: what may happen next is clicked, in the list or on the drawing; steps are taken back; the run is kept.

import { button, post } from "./api.js";
import { keep, show } from "./answers.js";

const { make } = Sequent;

export class Simulate {
  /** @param {() => {file: string, text: string}} subject @param {import("./drawing.js").Drawings} drawings */
  constructor(subject, drawings) {
    this.subject = subject;
    this.drawings = drawings;
    this.panel = document.getElementById("simulate");
    /** @type {[string, number][]} what each step does, and which of those that do the same it is */
    this.moves = [];
    /** @type {{text: string, step: [string, number], lines: number[]}[]} */
    this.options = [];
    this.build();
  }

  build() {
    const bar = make("div", "bar");
    this.what = /** @type {HTMLSelectElement} */ (make("select"));
    this.what.setAttribute("aria-label", "What is run");
    bar.append(this.what);
    button(bar, "begin", "Start", () => this.begin());
    this.back = button(bar, "undo", "Undo", () => this.go(this.moves.slice(0, -1)));
    this.status = make("span", "status");
    this.status.setAttribute("role", "status");
    bar.append(this.status);
    this.list = make("ol", "options");
    this.list.setAttribute("aria-label", "What may happen next");
    this.waits = make("ul", "waits");
    this.waits.setAttribute("aria-label", "Who waits for what");
    this.run = make("div");
    this.panel.append(bar, this.list, this.waits, this.run);
    this.what.addEventListener("change", () => this.begin());
    this.back.disabled = true;
  }

  /** @param {{scenarios: string[], machines: boolean}} known */
  know({ scenarios, machines }) {
    const known = this.what.value;
    const choices = scenarios.map((name) => [{ what: "diagram", scenario: name }, `diagram ${name}`]);
    if (machines) {
      choices.push([{ what: "machines" }, "state machines"]);
      for (const name of scenarios) choices.push([{ what: "machines", scenario: name }, `state machines as in ${name}`]);
    }
    const options = choices.map(([choice, text]) => {
      const option = /** @type {HTMLOptionElement} */ (make("option", "", /** @type {string} */ (text)));
      option.value = JSON.stringify(choice);
      return option;
    });
    this.what.replaceChildren(...options);
    if (options.some((option) => option.value === known)) this.what.value = known;
    // The run is taken again in the text as it is now.
    if (this.moves.length > 0) this.go(this.moves);
  }

  /** Another file. */
  forget() {
    this.moves = [];
    this.options = [];
    this.list.replaceChildren();
    this.waits.replaceChildren();
    this.run.replaceChildren();
    this.status.textContent = "";
    this.drawings.enable(new Set());
  }

  begin() {
    this.go([]);
  }

  /** @param {[string, number][]} moves */
  async go(moves) {
    if (!this.what.value) return;
    try {
      const told = await post("/api/simulate", { ...this.subject(), ...JSON.parse(this.what.value), moves });
      this.tell(moves, told);
    } catch (problem) {
      this.status.textContent = problem.message;
    }
  }

  /** @param {[string, number][]} moves @param {any} told */
  tell(moves, told) {
    const lost = moves.length - told.taken;
    this.moves = moves.slice(0, told.taken);
    this.options = told.options;
    this.back.disabled = this.moves.length === 0;
    this.status.textContent = lost > 0 ? `step ${told.taken + 1} is no longer possible` : told.state;
    const items = told.options.map((option) => {
      const item = make("li");
      const button = make("button", "", option.text);
      button.setAttribute("type", "button");
      button.addEventListener("click", () => this.go([...this.moves, option.step]));
      item.append(button);
      return item;
    });
    this.list.replaceChildren(...items);
    this.waits.replaceChildren(...told.waits.map((line) => make("li", "", line)));
    for (const stepper of show(this.run, told.questions, told).values()) stepper.show(stepper.last, false);
    keep(this.run, told, this.subject);
    this.drawings.enable(new Set(told.options.flatMap((option) => option.lines)));
  }

  /** Takes the step that stands on a line, if there is one. @param {number} line */
  take(line) {
    if (this.panel.hidden) return false;
    const option = this.options.find((one) => one.lines.includes(line));
    if (!option) return false;
    this.go([...this.moves, option.step]);
    return true;
  }
}
