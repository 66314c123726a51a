// The text of a file: line numbers, marked lines, and where the cursor is.

const { make } = Sequent;

/** @typedef {{code: string, severity: string, message: string, hint: string | null, line: number, column: number}} Finding */

export class Editor {
  /** @param {{typed: () => void, moved: (line: number) => void}} told */
  constructor(told) {
    this.area = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
    this.gutter = /** @type {HTMLElement} */ (document.querySelector(".gutter"));
    this.backdrop = /** @type {HTMLElement} */ (document.querySelector(".backdrop"));
    /** @type {Map<number, Finding>} */
    this.marks = new Map();
    this.line = 0;
    this.area.addEventListener("input", () => {
      this.number();
      told.typed();
    });
    this.area.addEventListener("scroll", () => this.follow());
    const moved = () => {
      const line = this.current();
      if (line === this.line) return;
      this.line = line;
      this.point();
      told.moved(line);
    };
    for (const event of ["keyup", "click", "focus"]) this.area.addEventListener(event, moved);
  }

  get text() {
    return this.area.value;
  }

  /** Another text; where it was looked at stays the same. @param {string} text */
  set text(text) {
    if (this.area.value === text) return;
    const { scrollTop, scrollLeft, selectionStart } = this.area;
    this.area.value = text;
    this.area.selectionStart = this.area.selectionEnd = Math.min(selectionStart, text.length);
    this.area.scrollTop = scrollTop;
    this.area.scrollLeft = scrollLeft;
    this.number();
  }

  /** The line of the cursor, from 1. */
  current() {
    return this.area.value.slice(0, this.area.selectionStart).split("\n").length;
  }

  /** Puts the cursor at a line. @param {number} line */
  go(line) {
    const lines = this.area.value.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(before, before + (lines[line - 1] || "").length);
    const height = this.area.scrollHeight / Math.max(1, lines.length);
    this.area.scrollTop = Math.max(0, (line - 1) * height - this.area.clientHeight / 2);
    this.line = line;
    this.point();
    this.follow();
  }

  /** @param {Finding[]} findings */
  mark(findings) {
    this.marks = new Map();
    const worst = ["note", "open", "bad"];
    for (const finding of findings) {
      const known = this.marks.get(finding.line);
      if (!known || worst.indexOf(known.severity) < worst.indexOf(finding.severity)) this.marks.set(finding.line, finding);
    }
    this.number();
  }

  /** Line numbers and marked lines. */
  number() {
    const lines = this.area.value.split("\n");
    const numbers = [];
    const marks = [];
    for (let line = 1; line <= lines.length; line += 1) {
      const mark = this.marks.get(line);
      const number = make("span", mark ? mark.severity : "", String(line));
      if (mark) number.title = mark.message;
      numbers.push(number);
      marks.push(make("span", mark ? mark.severity : "", " "));
    }
    this.gutter.replaceChildren(...numbers);
    this.backdrop.replaceChildren(...marks);
    this.point();
    this.follow();
  }

  /** Marks the line of the cursor. */
  point() {
    for (const one of this.backdrop.querySelectorAll(".here")) one.classList.remove("here");
    const here = this.backdrop.children[this.line - 1];
    if (here) here.classList.add("here");
  }

  follow() {
    this.gutter.scrollTop = this.area.scrollTop;
    this.backdrop.scrollTop = this.area.scrollTop;
  }
}
