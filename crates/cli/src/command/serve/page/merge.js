// The merge view: three versions, what two of them changed, and all consistent merges to choose from.

import { Job, button, post, progress } from "./api.js";

const { make } = Sequent;

export class Merge {
  constructor() {
    this.panel = document.getElementById("merge");
    /** @type {any} */
    this.told = null;
    this.chosen = 0;
    this.build();
  }

  build() {
    this.bar = /** @type {HTMLFormElement} */ (make("form", "bar"));
    /** @type {Object<string, HTMLSelectElement>} */
    this.choices = {};
    for (const name of ["base", "ours", "theirs"]) {
      const label = make("label", "", `${name} `);
      this.choices[name] = /** @type {HTMLSelectElement} */ (make("select"));
      this.choices[name].id = `merge-${name}`;
      label.append(this.choices[name]);
      this.bar.append(label);
    }
    const label = make("label", "", "consistent with ");
    this.level = /** @type {HTMLSelectElement} */ (make("select"));
    for (const [value, text] of [["trigger", "what each machine receives"], ["full", "what the machines do together"], ["order", "the order of both sides"]]) {
      const option = /** @type {HTMLOptionElement} */ (make("option", "", text));
      option.value = value;
      this.level.append(option);
    }
    label.append(this.level);
    const start = /** @type {HTMLButtonElement} */ (make("button", "", "Merge"));
    start.id = "merge-now";
    this.status = make("span", "status");
    this.status.setAttribute("role", "status");
    this.bar.append(label, start, this.status);
    this.bar.addEventListener("submit", (event) => {
      event.preventDefault();
      this.merge();
    });
    this.view = make("div");
    this.panel.append(this.bar, this.view);
  }

  /** The files to choose from. @param {string[]} names */
  know(names) {
    for (const [role, choice] of Object.entries(this.choices)) {
      const known = choice.value;
      choice.replaceChildren(...names.map((name) => make("option", "", name)));
      const likely = names.find((name) => name.toLowerCase().includes(role));
      choice.value = names.includes(known) && known ? known : likely || names[0] || "";
    }
  }

  merge() {
    const asked = { level: this.level.value };
    for (const [role, choice] of Object.entries(this.choices)) asked[role] = choice.value;
    new Job("/api/merge", asked, (report) => {
      if (report.state === "running") this.status.textContent = progress(report);
      else if (report.state === "done") this.show(report.result);
      else this.status.textContent = report.problem || report.state;
    });
  }

  /** @param {any} told */
  show(told) {
    this.told = told;
    this.chosen = 0;
    const total = told.merges.length;
    const count = told.count === null ? "more than can be counted" : told.count;
    this.status.textContent = told.conflicts.length > 0 ? "there are conflicts" : `${count} consistent ${count === "1" ? "merge" : "merges"}`;
    const versions = make("div", "versions");
    versions.append(column("base", told.base, []));
    for (const side of ["ours", "theirs"]) {
      const html = told[side].drawings.map((svg) => `<div class="drawing" tabindex="0">${svg}</div>`).join("");
      versions.append(column(side, html, told[side].words));
    }
    const bar = make("div", "bar");
    button(bar, "merge-before", "◀", () => this.choose(this.chosen - 1)).setAttribute("aria-label", "The merge before");
    this.number = make("strong", "", "");
    this.number.id = "merge-number";
    bar.append(this.number);
    button(bar, "merge-after", "▶", () => this.choose(this.chosen + 1)).setAttribute("aria-label", "The next merge");
    const label = make("label", "", "save as ");
    this.name = /** @type {HTMLInputElement} */ (make("input"));
    this.name.type = "text";
    this.name.id = "merge-name";
    this.name.value = told.name;
    label.append(this.name);
    bar.append(label);
    button(bar, "merge-save", "Save", () => this.save());
    this.result = make("div", "result");
    this.text = make("pre");
    this.picture = make("div");
    this.result.append(this.picture, this.text);
    const words = [...told.conflicts, ...told.reasons.map((one) => `because ${one}`), ...told.proposals.map((one) => `perhaps ${one}`), ...told.notes];
    const notes = make("ul", "merge-notes");
    notes.append(...words.map((one) => make("li", "", one)));
    this.view.replaceChildren(versions, notes, bar, this.result);
    this.choose(0);
    return total;
  }

  /** @param {number} number */
  choose(number) {
    const { merges } = this.told;
    this.chosen = Math.max(0, Math.min(merges.length - 1, number));
    const chosen = merges[this.chosen];
    this.number.textContent = `merge ${this.chosen + 1} of ${merges.length}`;
    // What the server drew: everything that diagrams say is escaped in it.
    this.picture.innerHTML = chosen.drawing;
    this.text.textContent = chosen.text;
  }

  async save() {
    const file = this.name.value;
    const known = file === this.told.name ? this.told.known : undefined;
    try {
      await post("/api/save", { file, text: this.told.merges[this.chosen].text, known });
      this.status.textContent = `saved as ${file}`;
      if (known !== undefined) this.told.known = this.told.merges[this.chosen].text;
    } catch (problem) {
      this.status.textContent = problem.message;
    }
  }
}

/** A version with what it changed. @param {string} name @param {string} html @param {string[]} words */
function column(name, html, words) {
  const one = make("section");
  const drawings = make("div");
  drawings.innerHTML = html;
  const list = make("ul");
  list.append(...words.map((word) => make("li", "", word)));
  one.append(make("h4", "", name), drawings, list);
  return one;
}
