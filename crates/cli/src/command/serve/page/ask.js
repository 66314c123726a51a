// A box for questions: formulas, states to reach, scenarios; with completion, progress and a way to cancel.

import { Job, progress } from "./api.js";
import { keep, show } from "./answers.js";

const { make } = Sequent;

const KINDS = [
  ["ltl", "Every run satisfies", "G (sent(pay) -> F received(pay))"],
  ["reach", "Can be reached", "shop.Paid and bank.Idle"],
  ["possible", "Scenario is possible", "name of a sequence diagram"],
  ["required", "Scenario is required", "name of a sequence diagram"],
  ["forbidden", "Scenario never happens", "name of a sequence diagram"],
];

export class Ask {
  /** @param {() => {file: string, text: string}} subject */
  constructor(subject) {
    this.subject = subject;
    this.panel = document.getElementById("ask");
    /** @type {string[]} */
    this.words = [];
    /** @type {string[]} the words of formulas */
    this.formula = [];
    /** @type {string[]} */
    this.scenarios = [];
    /** @type {Job | null} */
    this.job = null;
    this.build();
  }

  build() {
    const form = /** @type {HTMLFormElement} */ (make("form", "bar"));
    this.kind = /** @type {HTMLSelectElement} */ (make("select"));
    this.kind.id = "kind";
    this.kind.setAttribute("aria-label", "Kind of question");
    for (const [value, text] of KINDS) {
      const option = /** @type {HTMLOptionElement} */ (make("option", "", text));
      option.value = value;
      this.kind.append(option);
    }
    const box = make("span", "box");
    this.input = /** @type {HTMLInputElement} */ (make("input"));
    this.input.id = "question";
    for (const [name, value] of Object.entries({ type: "text", autocomplete: "off", spellcheck: "false", role: "combobox", "aria-label": "Question", "aria-controls": "proposals", "aria-expanded": "false", "aria-autocomplete": "list" })) {
      this.input.setAttribute(name, value);
    }
    this.list = make("ul", "proposals");
    this.list.id = "proposals";
    this.list.setAttribute("role", "listbox");
    this.list.hidden = true;
    box.append(this.input, this.list);
    this.button = /** @type {HTMLButtonElement} */ (make("button", "", "Ask"));
    this.button.type = "submit";
    this.button.id = "ask-now";
    this.stop = /** @type {HTMLButtonElement} */ (make("button", "", "Cancel"));
    this.stop.type = "button";
    this.stop.id = "cancel";
    this.stop.disabled = true;
    this.status = make("span", "status");
    this.status.id = "progress";
    this.status.setAttribute("role", "status");
    form.append(this.kind, box, this.button, this.stop, this.status);
    this.answer = make("div");
    this.answer.id = "answer";
    this.panel.append(form, this.answer);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.propose([]);
      this.ask();
    });
    this.stop.addEventListener("click", () => this.job && this.job.cancel());
    this.kind.addEventListener("change", () => this.hint());
    this.input.addEventListener("input", () => this.complete());
    this.input.addEventListener("blur", () => setTimeout(() => this.propose([]), 150));
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.hint();
  }

  hint() {
    this.input.placeholder = KINDS.find(([value]) => value === this.kind.value)[2];
  }

  /** @param {{words: string[], formula: string[], scenarios: string[]}} known */
  know({ words, formula, scenarios }) {
    this.words = words;
    this.formula = formula;
    this.scenarios = scenarios;
  }

  ask() {
    if (this.job) this.job.cancel();
    this.answer.replaceChildren();
    this.stop.disabled = false;
    this.status.textContent = "…";
    const asked = { ...this.subject(), kind: this.kind.value, question: this.input.value };
    const job = new Job("/api/ask", asked, (report) => {
      if (this.job !== job) return;
      if (report.state === "running") {
        this.status.textContent = progress(report);
        return;
      }
      this.job = null;
      this.stop.disabled = true;
      this.status.textContent = report.state === "done" ? "" : report.state === "cancelled" ? "cancelled" : report.problem;
      if (report.state !== "done") return;
      const { questions, findings } = report.result;
      show(this.answer, (report.result.wrong ? findings : "") + questions, report.result);
      keep(this.answer, report.result, this.subject);
    });
    this.job = job;
  }

  /** The part of the question that is being written. */
  word() {
    const before = this.input.value.slice(0, this.input.selectionStart);
    if (!["ltl", "reach"].includes(this.kind.value)) return before;
    return /[\p{L}\p{N}_.]*$/u.exec(before)[0];
  }

  complete() {
    const word = this.word().toLowerCase();
    const formula = this.kind.value === "ltl" ? this.formula : [];
    const all = ["ltl", "reach"].includes(this.kind.value) ? [...formula, ...this.words] : this.scenarios;
    const fitting = word === "" ? [] : all.filter((one) => one.toLowerCase().startsWith(word) && one.toLowerCase() !== word);
    this.propose(fitting.slice(0, 8));
  }

  /** @param {string[]} words */
  propose(words) {
    const items = words.map((word, at) => {
      const item = make("li", "", word);
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(at === 0));
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        this.take(word);
      });
      return item;
    });
    this.list.replaceChildren(...items);
    this.list.hidden = words.length === 0;
    this.input.setAttribute("aria-expanded", String(words.length > 0));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.list.hidden) return;
    const items = [...this.list.children];
    const at = items.findIndex((one) => one.getAttribute("aria-selected") === "true");
    /** @param {number} to */
    const move = (to) => items.forEach((one, number) => one.setAttribute("aria-selected", String(number === (to + items.length) % items.length)));
    const acts = { ArrowDown: () => move(at + 1), ArrowUp: () => move(at - 1), Escape: () => this.propose([]), Tab: () => this.take(items[at].textContent) };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Completes the word. @param {string} word */
  take(word) {
    const end = this.input.selectionStart;
    const start = end - this.word().length;
    this.input.setRangeText(word, start, end, "end");
    this.propose([]);
    this.input.focus();
  }
}
