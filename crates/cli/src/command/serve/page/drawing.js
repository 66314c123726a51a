// The drawings of a file: zoom and scroll stay as they are when the drawing changes, participants stay visible, and
// elements and lines of the text lead to each other.

const { make, stick, colour } = Sequent;

/** Which attribute of a figure has the lines of which elements. */
const KINDS = { message: "messages", state: "states", vertex: "states", transition: "transitions" };

export class Drawings {
  /** @param {{pointed: (line: number) => void, elsewhere: (file: string, line: number) => void, folded: () => void}} told */
  constructor(told) {
    /** @type {Object<string, number[]>} the fragments that are folded, by the names of their diagrams */
    this.folds = {};
    this.root = document.getElementById("drawings");
    this.focus = /** @type {HTMLSelectElement} */ (document.getElementById("focus"));
    this.zoom = 1;
    this.line = 0;
    /** @type {Set<number>} */
    this.enabled = new Set();
    this.root.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      const line = this.lineOf(target);
      const other = elsewhere(target);
      if (line) told.pointed(line);
      else if (other) told.elsewhere(...other);
      else if (this.fold(target)) told.folded();
    });
    /** @param {string} id @param {() => number} zoom */
    const button = (id, zoom) => {
      document.getElementById(id).addEventListener("click", () => {
        this.zoom = Math.max(0.25, Math.min(4, zoom()));
        document.getElementById("natural").textContent = `${Math.round(this.zoom * 100)} %`;
        this.size();
      });
    };
    button("smaller", () => this.zoom / 1.25);
    button("larger", () => this.zoom * 1.25);
    button("natural", () => 1);
    this.focus.addEventListener("change", () => this.dim());
    /** @type {{passed: number[], never: number[]}} the lines that the examples pass, and those that no run comes to */
    this.coverage = { passed: [], never: [] };
    this.covers = /** @type {HTMLInputElement} */ (document.getElementById("coverage"));
    this.covers.addEventListener("change", () => this.colour());
  }

  /** @param {string} html what the server drew; everything that diagrams say is escaped in it */
  show(html) {
    const places = [...this.root.querySelectorAll(".drawing")].map((one) => [one.scrollTop, one.scrollLeft]);
    const { scrollTop, scrollLeft } = this.root;
    this.root.innerHTML = html;
    this.root.classList.remove("stale");
    this.size();
    for (const frame of this.root.querySelectorAll(".drawing")) stick(/** @type {HTMLElement} */ (frame));
    [...this.root.querySelectorAll(".drawing")].forEach((one, at) => {
      if (places[at]) [one.scrollTop, one.scrollLeft] = places[at];
    });
    this.root.scrollTop = scrollTop;
    this.root.scrollLeft = scrollLeft;
    this.participants();
    this.point(this.line);
    this.enable(this.enabled);
    this.colour();
  }

  /** What the examples pass, once that is known. @param {{passed: number[], never: number[]} | undefined} coverage */
  cover(coverage) {
    this.coverage = coverage || { passed: [], never: [] };
    this.colour();
  }

  /** Colours what the examples pass, if that is wished. */
  colour() {
    for (const figure of this.root.querySelectorAll("figure")) {
      colour(figure, (element) => {
        const line = lines(figure, element);
        if (!this.covers.checked || line === 0) return undefined;
        if (this.coverage.passed.includes(line)) return "p";
        return this.coverage.never.includes(line) ? "n" : undefined;
      });
    }
  }

  /** Marks what may happen next. @param {Set<number>} enabled lines */
  enable(enabled) {
    this.enabled = enabled;
    for (const figure of this.root.querySelectorAll("figure")) {
      for (const element of figure.querySelectorAll(".message, .state, .vertex, .transition")) {
        element.classList.toggle("enabled", enabled.has(lines(figure, element)));
      }
    }
  }

  /** The text cannot be read: what was drawn last stays, greyed. */
  stale() {
    this.root.classList.add("stale");
  }

  size() {
    for (const one of this.root.querySelectorAll("svg")) {
      const svg = /** @type {SVGSVGElement} */ (one);
      svg.style.width = `${svg.viewBox.baseVal.width * this.zoom}px`;
      svg.style.height = "auto";
    }
  }

  /** Folds the fragment whose frame was clicked, or opens it again. @param {Element} target */
  fold(target) {
    const frame = target.closest(".frame");
    const figure = /** @type {HTMLElement | null} */ (target.closest("figure"));
    if (!frame || !figure || figure.dataset.name === undefined) return false;
    const known = this.folds[figure.dataset.name] || [];
    const number = Number(frame.getAttribute("data-key"));
    this.folds[figure.dataset.name] = known.includes(number) ? known.filter((one) => one !== number) : [...known, number];
    return true;
  }

  /** The line of what was clicked. @param {Element} target */
  lineOf(target) {
    const element = target.closest(".message, .state, .vertex, .transition");
    const figure = /** @type {HTMLElement | null} */ (target.closest("figure"));
    if (!element || !figure) return 0;
    return lines(figure, element);
  }

  /** Marks what stands on a line, and shows it. @param {number} line @param {boolean} isShown */
  point(line, isShown = false) {
    this.line = line;
    for (const figure of this.root.querySelectorAll("figure")) {
      for (const element of figure.querySelectorAll(".message, .state, .vertex, .transition")) {
        element.classList.toggle("pointed", line > 0 && lines(figure, element) === line);
      }
    }
    const first = isShown && this.root.querySelector(".pointed");
    if (first) first.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The participants to choose from. */
  participants() {
    const known = this.focused();
    const names = new Set([...this.root.querySelectorAll("figure .message")].flatMap((one) => ends(one)));
    const options = ["all participants", ...[...names].sort()].map((name, at) => {
      const option = /** @type {HTMLOptionElement} */ (make("option", "", name));
      option.value = at === 0 ? "" : name;
      option.selected = at === 0 ? !known.some((one) => names.has(one)) : known.includes(name);
      return option;
    });
    this.focus.replaceChildren(...options);
    this.dim();
  }

  /** The participants that are chosen; none stands for all. @returns {string[]} */
  focused() {
    return [...this.focus.selectedOptions].map((option) => option.value).filter((name) => name !== "");
  }

  /** Fades the messages that the chosen participants have nothing to do with. */
  dim() {
    const chosen = this.focused();
    for (const one of this.root.querySelectorAll("figure .message")) {
      one.classList.toggle("aside", chosen.length > 0 && !ends(one).some((name) => chosen.includes(name)));
    }
  }
}

/** The participants of a message. @param {Element} message @returns {string[]} */
function ends(message) {
  const figure = /** @type {HTMLElement} */ (message.closest("figure"));
  return JSON.parse(figure.dataset.ends || "[]")[Number(message.getAttribute("data-key"))] || [];
}

/** Where an element comes from that another file holds. @param {Element} target @returns {[string, number] | undefined} */
function elsewhere(target) {
  const element = target.closest(".message, .state, .vertex, .transition");
  const figure = /** @type {HTMLElement | null} */ (target.closest("figure"));
  if (!element || !figure || !figure.dataset.elsewhere) return undefined;
  const kind = Object.keys(KINDS).find((name) => element.classList.contains(name));
  return JSON.parse(figure.dataset.elsewhere)[`${KINDS[kind]} ${element.getAttribute("data-key")}`];
}

/** @param {HTMLElement} figure @param {Element} element */
function lines(figure, element) {
  const kind = Object.keys(KINDS).find((name) => element.classList.contains(name));
  const all = figure.dataset[KINDS[kind]];
  return all === undefined ? 0 : Number(all.split(",")[Number(element.getAttribute("data-key"))] || 0);
}
