// The report: its runs are stepped through, and its address leads to a step.
"use strict";
(() => {
  Sequent.theme();
  const steppers = Sequent.start(document, JSON.parse(document.getElementById("data").textContent), true);

  for (const frame of document.querySelectorAll("figure .drawing")) Sequent.stick(frame);

  /** Goes where the address points to. */
  function follow() {
    const found = /^#run-(\d+)-step-(\d+)$/.exec(location.hash);
    if (!found) return;
    const stepper = steppers.get(Number(found[1]));
    if (!stepper) return;
    stepper.show(Number(found[2]), false);
    stepper.root.scrollIntoView();
    stepper.root.focus({ preventScroll: true });
  }

  addEventListener("hashchange", follow);
  follow();
})();
