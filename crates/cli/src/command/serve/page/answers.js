// Questions with their verdicts, findings with their runs: parts of the report, with runs to step through and to keep.

import { post } from "./api.js";

const { make } = Sequent;

/** @typedef {{summary: string, questions: string, findings: string, machines: string, data: any, texts: (Object<string, string> | null)[]}} Fragments */

/** The steps of the runs that each panel has shown: while a text cannot be read, its runs are away. @type {WeakMap<HTMLElement, Map<string, string>>} */
const known = new WeakMap();

/**
 * Shows parts of the report; runs that were shown before stay at their step.
 * @param {HTMLElement} panel @param {string} html everything that diagrams say is escaped in it @param {Fragments} fragments
 */
export function show(panel, html, fragments) {
  const steps = known.get(panel) || new Map();
  known.set(panel, steps);
  for (const one of panel.querySelectorAll(".run")) steps.set(one.getAttribute("aria-label"), one.getAttribute("data-step"));
  panel.innerHTML = html + fragments.machines;
  const steppers = Sequent.start(panel, fragments.data, false);
  for (const stepper of steppers.values()) {
    const step = steps.get(stepper.root.getAttribute("aria-label"));
    if (step !== undefined && step !== null && Number(step) <= stepper.last) stepper.show(Number(step), false);
  }
  return steppers;
}

/**
 * Lets runs be kept as scenarios that are checked from then on.
 * @param {HTMLElement} panel @param {Fragments} fragments @param {() => {file: string}} subject
 */
export function keep(panel, fragments, subject) {
  for (const one of panel.querySelectorAll(".run")) {
    const root = /** @type {HTMLElement} */ (one);
    const texts = fragments.texts[Number(root.dataset.run)];
    // Only runs of state machines can be asked for again.
    if (!texts) continue;
    const bar = make("div", "bar keep");
    const name = /** @type {HTMLInputElement} */ (make("input"));
    name.type = "text";
    name.setAttribute("aria-label", "File for the run");
    name.value = `${subject().file.replace(/\.[^./]*$/, "")}-run.puml`;
    const status = make("span", "status");
    status.setAttribute("role", "status");
    bar.append("Keep the run as ", name);
    for (const word of ["possible", "forbidden"]) {
      const button = make("button", `keep-${word}`, `@${word}`);
      button.setAttribute("type", "button");
      button.addEventListener("click", async () => {
        try {
          await post("/api/save", { file: name.value, text: texts[word] });
          status.textContent = `saved as ${name.value}`;
        } catch (problem) {
          status.textContent = problem.status === 409 ? "there is such a file already" : problem.message;
        }
      });
      bar.append(button);
    }
    bar.append(status);
    root.append(bar);
  }
}

/** A word about something that goes on. @param {HTMLElement} panel @param {string} text */
export function wait(panel, text) {
  let line = panel.querySelector(".waiting");
  if (!line) {
    line = make("p", "waiting");
    panel.prepend(line);
  }
  line.textContent = text;
}
