// The report: its runs are stepped through, and its address leads to a step.
"use strict";
(() => {
  Sequent.theme();
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

  // Of many answers those that need a look can be shown alone.
  const questions = document.getElementById("questions");
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
    questions.classList.remove("filtered");
    for (const box of questions.querySelectorAll(".filter input")) /** @type {HTMLInputElement} */ (box).checked = false;
    stepper.root.scrollIntoView();
    stepper.root.focus({ preventScroll: true });
  }

  addEventListener("hashchange", follow);
  follow();
})();
