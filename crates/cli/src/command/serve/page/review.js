// A change reviewed: the difference drawn and in words, verdicts and findings gained and lost.

import { Job, button, progress } from "./api.js";

const { make } = Sequent;

export class Review {
  /** @param {() => {file: string, text: string}} subject */
  constructor(subject) {
    this.subject = subject;
    this.panel = document.getElementById("review");
    const bar = make("div", "bar");
    const label = make("label", "", "Compare the text with ");
    this.base = /** @type {HTMLSelectElement} */ (make("select"));
    this.base.id = "review-base";
    label.append(this.base);
    bar.append(label);
    button(bar, "review-now", "Review", () => this.review());
    this.status = make("span", "status");
    this.status.id = "review-status";
    this.status.setAttribute("role", "status");
    bar.append(this.status);
    this.view = make("div");
    this.panel.append(bar, this.view);
    this.know([]);
  }

  /** The files to choose from. @param {string[]} names */
  know(names) {
    const known = this.base.value;
    const options = ["", ...names].map((name) => {
      const option = /** @type {HTMLOptionElement} */ (make("option", "", name || "the file as it is saved"));
      option.value = name;
      return option;
    });
    this.base.replaceChildren(...options);
    this.base.value = names.includes(known) ? known : "";
  }

  review() {
    new Job("/api/review", { ...this.subject(), base: this.base.value }, (report) => {
      if (report.state === "running") this.status.textContent = progress(report);
      else if (report.state === "done") this.show(report.result);
      else this.status.textContent = report.problem || report.state;
    });
  }

  /** @param {any} told */
  show(told) {
    /** @param {any} one */
    const isLost = (one) => one.before !== null && one.before.good && (one.after === null || !one.after.good);
    /** @param {any} one */
    const isGained = (one) => one.after !== null && one.after.good && (one.before === null || !one.before.good);
    const lost = told.verdicts.filter(isLost);
    const gained = told.verdicts.filter(isGained);
    const count = told.words.length;
    const unread = ["before", "after"].filter((_, side) => told.broken[side]).map((side) => `; the text ${side} cannot be read, so what is gone or lost may be there still`);
    this.status.textContent = `${count} ${count === 1 ? "change" : "changes"}, ${gained.length} verdicts gained, ${lost.length} lost, ${told.new.length} new findings, ${told.gone.length} gone${unread.join("")}`;
    const table = make("table", "verdicts");
    const head = make("tr");
    for (const name of ["question", "before", "after"]) head.append(make("th", "", name));
    table.append(head);
    for (const one of told.verdicts) {
      const line = make("tr", isLost(one) ? "lost" : isGained(one) ? "gained" : "");
      /** @param {any} side */
      const word = (side) => (side === null ? "not asked" : side.verdict);
      line.append(make("td", "", one.name), make("td", "", word(one.before)), make("td", "", word(one.after)));
      table.append(line);
    }
    const words = make("ul", "words");
    words.append(...told.words.map((word) => make("li", "", word)));
    const findings = make("ul", "changed-findings");
    findings.append(...told.new.map((one) => make("li", "bad", `new: ${one}`)), ...told.gone.map((one) => make("li", "good", `gone: ${one}`)));
    const drawings = make("div");
    // What the server drew: everything that diagrams say is escaped in it.
    drawings.innerHTML = told.drawings.map((svg) => `<div class="drawing" tabindex="0">${svg}</div>`).join("");
    this.view.replaceChildren(drawings, words, ...(told.verdicts.length > 0 ? [table] : []), findings);
  }
}
