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

  /** Goes where the address points to. */
  function follow() {
    const found = /^#run-(\d+)-step-(\d+)$/.exec(location.hash);
    const root = found && document.getElementById(`run-${found[1]}`);
    const stepper = root && begin(root);
    if (!stepper) return;
    stepper.show(Number(found[2]), false);
    stepper.root.scrollIntoView();
    stepper.root.focus({ preventScroll: true });
  }

  addEventListener("hashchange", follow);
  follow();
})();
