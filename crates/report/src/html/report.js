// The report: its runs are stepped through, and its address leads to a step.
"use strict";
(() => {
  Sequent.theme();
  const questions = document.getElementById("questions");
  const data = JSON.parse(document.getElementById("data").textContent);
  /** @type {Map<number, any>} */
  const steppers = new Map();

  /** Makes a run one to step through. @param {HTMLElement} root */
  function begin(root) {
    const number = Number(root.dataset.run);
    if (!steppers.has(number) && data.runs[number].rows.length > 0) {
      steppers.set(number, new Sequent.Stepper(root, data, document, true));
    }
    return steppers.get(number);
  }

  // A report may hold hundreds of runs: each is made once it comes near.
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((entry) => entry.isIntersecting)) {
        near.unobserve(entry.target);
        begin(/** @type {HTMLElement} */ (entry.target));
      }
    },
    { rootMargin: "1000px" },
  );
  for (const run of document.querySelectorAll(".run")) near.observe(run);
  for (const frame of document.querySelectorAll("figure .drawing")) Sequent.stick(frame);

  for (const figure of document.querySelectorAll("figure[data-coverage]")) {
    const letters = /** @type {HTMLElement} */ (figure).dataset.coverage;
    Sequent.colour(figure, (element) => letters[Number(element.getAttribute("data-key"))]);
  }

  const shown = [...document.querySelectorAll("main article, main figure")];
  /** What each says, once that is asked for. @type {string[]} */
  let said = [];

  /** What stands in an answer, a finding or a drawing; of runs the steps, not what else was possible. @param {Element} one */
  function words(one) {
    const parts = [...one.children].map((part) => {
      if (!part.matches(".run")) return part;
      const list = /** @type {HTMLElement | undefined} */ (part.querySelector(".list")?.cloneNode(true));
      for (const also of list?.querySelectorAll(".also") ?? []) also.remove();
      return list;
    });
    return parts.map((part) => part?.textContent ?? "").join(" ").toLowerCase();
  }

  // A page of many answers is looked through by the names, files and messages in them.
  const sought = /** @type {HTMLInputElement} */ (Sequent.make("input"));
  sought.type = "search";
  sought.placeholder = "name, file, message";
  sought.setAttribute("aria-label", "Show only what says this");
  const number = Sequent.make("span");
  number.setAttribute("role", "status");
  const search = Sequent.make("span", "find");
  search.append(sought, number);
  if (shown.length > 1) document.getElementById("theme").before(search);
  sought.addEventListener("input", find);

  /** Shows what has all words that are looked for. */
  function find() {
    if (said.length === 0) said = shown.map(words);
    const wanted = sought.value.toLowerCase().split(/\s+/);
    const hits = shown.map((_, at) => wanted.every((word) => said[at].includes(word)));
    shown.forEach((one, at) => one.toggleAttribute("hidden", !hits[at]));
    number.textContent = sought.value.trim() === "" ? "" : `${hits.filter((hit) => hit).length} of ${shown.length}`;
  }

  /** Shows all again. */
  function unfilter() {
    if (sought.value !== "") {
      sought.value = "";
      find();
    }
    questions.classList.remove("filtered");
    for (const box of questions.querySelectorAll(".filter input")) /** @type {HTMLInputElement} */ (box).checked = false;
  }

  // A number of the summary leads to the first that it counts, and then to the next.
  for (const item of document.querySelectorAll(".summary li[data-of]")) {
    const { of } = /** @type {HTMLElement} */ (item).dataset;
    const counted = [...document.querySelectorAll(`#${of} > article.${item.className}`)];
    const button = /** @type {HTMLButtonElement} */ (Sequent.make("button", "", item.textContent));
    button.type = "button";
    button.title = "to the next one";
    let next = 0;
    button.addEventListener("click", () => {
      unfilter();
      const one = /** @type {HTMLElement} */ (counted[next++ % counted.length]);
      one.tabIndex = -1;
      one.scrollIntoView();
      one.focus({ preventScroll: true });
    });
    if (counted.length > 0) item.replaceChildren(button);
  }

  // Of many answers those that need a look can be shown alone.
  if (questions.querySelector("article.good") && questions.querySelector("article:not(.good)")) {
    const label = Sequent.make("label", "filter");
    const box = /** @type {HTMLInputElement} */ (Sequent.make("input"));
    box.type = "checkbox";
    box.addEventListener("change", () => questions.classList.toggle("filtered", box.checked));
    label.append(box, " only what is not as it should be");
    questions.querySelector("h2").after(label);
  }

  /** Goes where the address points to. */
  function follow() {
    const found = /^#run-(\d+)-step-(\d+)$/.exec(location.hash);
    const root = found && document.getElementById(`run-${found[1]}`);
    const stepper = root && begin(root);
    if (!stepper) return;
    stepper.show(Number(found[2]), false);
    unfilter();
    stepper.root.scrollIntoView();
    stepper.root.focus({ preventScroll: true });
  }

  // Where a style sheet cannot open the lists for the paper, they are opened while it is printed.
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.list:not([open])")]);
    for (const list of opened) list.open = true;
  });
  addEventListener("afterprint", () => {
    for (const list of opened) list.open = false;
  });

  addEventListener("hashchange", follow);
  follow();
})();
