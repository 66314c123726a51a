(() => {
  "use strict";
  // Within a page the heads are moved by the page; within an <img> nothing runs.
  const svg = document.documentElement;
  if (svg.localName !== "svg") return;
  const all = [...svg.querySelectorAll(".head")].map((head) => ({ head, box: head.getBBox() }));
  if (all.length === 0) return;
  // Lifelines that are created on the way have their heads further below.
  const first = Math.min(...all.map(({ box }) => box.y + box.height));
  const above = all.filter(({ box }) => box.y < first);
  const top = Math.min(...above.map(({ box }) => box.y)) - 4;
  const bottom = Math.max(...above.map(({ box }) => box.y + box.height)) + 4;
  const bar = above[0].head.parentNode.cloneNode(false);
  bar.setAttribute("class", "moving");
  bar.setAttribute("aria-hidden", "true");
  const ground = svg.querySelector(":scope > rect").cloneNode(false);
  ground.setAttribute("y", String(top));
  ground.setAttribute("height", String(bottom - top));
  bar.append(ground, ...above.map(({ head }) => head.cloneNode(true)));
  svg.append(bar);
  const move = () => {
    const scale = svg.getScreenCTM().a || 1;
    const y = window.scrollY / scale;
    bar.setAttribute("transform", `translate(.5 ${y - top + 0.5})`);
    bar.setAttribute("visibility", y > top ? "visible" : "hidden");
  };
  addEventListener("scroll", move);
  addEventListener("resize", move);
  move();
})();
