// The page of `sequent serve`: a file is chosen, edited, drawn and checked; what changes on the disk is shown.

import { Job, Refusal, get, post, progress } from "./api.js";
import { keep, show, wait } from "./answers.js";
import { Ask } from "./ask.js";
import { Compare } from "./compare.js";
import { Drawings } from "./drawing.js";
import { accept } from "./drop.js";
import { Editor } from "./editor.js";
import { Merge } from "./merge.js";
import { Review } from "./review.js";
import { Simulate } from "./simulate.js";

const { make } = Sequent;

/** After this time without a keystroke questions are answered. */
const PAUSE = 600;

const state = {
  /** @type {string | null} the file that is shown */
  file: null,
  /** @type {string | null} what is on the disk, as far as is known; null if the file is new */
  saved: "",
  /** The number of the last keystroke. */
  typed: 0,
  /** @type {Job | null} the check at work */
  job: null,
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer: undefined,
};

const save = /** @type {HTMLButtonElement} */ (document.getElementById("save"));
const standing = document.getElementById("standing");
const summary = document.getElementById("summary");

const drawings = new Drawings({
  pointed: (line) => {
    if (simulate.take(line)) return;
    editor.go(line);
    drawings.point(line);
  },
  elsewhere: async (file, line) => {
    await open(file).catch(complain);
    if (state.file === file) editor.go(line);
  },
  folded: async () => {
    try {
      draw(await look());
    } catch (problem) {
      complain(problem);
    }
  },
});
const editor = new Editor({ typed: () => typed(), moved: (line) => drawings.point(line, true) });
const subject = () => ({ file: state.file, text: editor.text });
const ask = new Ask(subject);
const simulate = new Simulate(subject, drawings);
const merge = new Merge();
const compare = new Compare();
const review = new Review(subject);

/** @param {unknown} problem */
function complain(problem) {
  standing.textContent = problem instanceof Error ? problem.message : String(problem);
}

function isDirty() {
  return state.file !== null && editor.text !== state.saved;
}

function tell() {
  save.disabled = !isDirty();
  document.title = `${isDirty() ? "• " : ""}${state.file || "Sequent"}`;
}

/** The files of the folder. */
async function list() {
  const known = await get("/api/files");
  document.getElementById("folder").textContent = known.folder;
  let folder = "";
  const items = known.files.map((file) => {
    const item = make("li");
    const cut = file.name.lastIndexOf("/") + 1;
    if (file.name.slice(0, cut) !== folder) {
      folder = file.name.slice(0, cut);
      item.append(make("span", "folder", folder));
    }
    const link = make("button", "file", file.name.slice(cut));
    link.dataset.file = file.name;
    link.title = file.name;
    link.setAttribute("type", "button");
    if (file.name === state.file) link.setAttribute("aria-current", "true");
    link.addEventListener("click", () => open(file.name));
    item.append(link);
    const diagrams = make("ul");
    for (const diagram of file.diagrams) {
      const entry = make("li");
      const one = make("button", diagram.kind, diagram.name);
      one.setAttribute("type", "button");
      one.title = `${diagram.kind}, line ${diagram.line}`;
      one.addEventListener("click", async () => {
        await open(file.name);
        editor.go(diagram.line);
      });
      entry.append(one);
      diagrams.append(entry);
    }
    item.append(diagrams);
    return item;
  });
  const all = make("ul");
  all.append(...items);
  document.getElementById("files").replaceChildren(all);
  merge.know(known.files.map((file) => file.name));
  review.know(known.files.map((file) => file.name));
  return known;
}

/** Shows a file. @param {string} file */
async function open(file) {
  if (file === state.file) return;
  if (isDirty() && !confirm(`Leave ${state.file} without saving?`)) return;
  state.file = file;
  simulate.forget();
  document.getElementById("name").textContent = file;
  for (const one of document.querySelectorAll("#files .file")) {
    one.toggleAttribute("aria-current", /** @type {HTMLElement} */ (one).dataset.file === file);
  }
  history.replaceState(null, "", `${location.pathname}${location.search}#${encodeURIComponent(file)}`);
  await reload();
}

/** Shows a file as it is on the disk. */
async function reload() {
  standing.textContent = "";
  const seen = await post("/api/look", { file: state.file });
  state.saved = seen.text;
  editor.text = seen.text;
  tell();
  draw(seen);
  check();
}

/** Findings and drawings of the text as it is. */
function look() {
  return post("/api/look", { ...subject(), folded: drawings.folds });
}

/** After a keystroke. */
async function typed() {
  tell();
  state.typed += 1;
  const number = state.typed;
  if (state.job) state.job.cancel();
  drawings.cover(undefined);
  clearTimeout(state.timer);
  state.timer = setTimeout(check, PAUSE);
  try {
    const seen = await look();
    // A later keystroke has its own answer.
    if (number === state.typed) draw(seen);
  } catch (problem) {
    complain(problem);
  }
}

/** @param {any} seen */
function draw(seen) {
  if (seen.broken && drawings.root.childElementCount > 0) drawings.stale();
  else drawings.show(seen.drawings);
  editor.mark(seen.findings);
  ask.know(seen);
  if (!seen.broken) simulate.know(seen);
  const items = seen.findings.map((finding) => {
    const item = make("li", finding.severity);
    const link = make("button", "", `${finding.line}: ${finding.code} ${finding.message}`);
    link.setAttribute("type", "button");
    if (finding.hint) link.title = finding.hint;
    link.addEventListener("click", () => editor.go(finding.line));
    item.append(link);
    return item;
  });
  document.getElementById("notes").replaceChildren(...items);
}

/** Answers the questions of the text as it is. */
function check() {
  if (state.job) state.job.cancel();
  const panels = { questions: document.getElementById("questions"), findings: document.getElementById("findings"), examples: document.getElementById("examples") };
  const { file } = subject();
  const job = new Job("/api/check", subject(), (report) => {
    if (state.job !== job || job.cancelled) return;
    if (report.state === "running") {
      wait(panels.questions, `checking: ${progress(report)}`);
    } else if (report.state === "done") {
      for (const [name, panel] of Object.entries(panels)) {
        show(panel, report.result[name], report.result);
        keep(panel, report.result, subject);
        compare.watch(panel, report.result, file);
      }
      drawings.cover(report.result.coverage[state.file]);
      compare.checked(Object.values(panels), report.result, file);
      summary.innerHTML = report.result.summary;
    } else {
      wait(panels.questions, report.problem || report.state);
    }
  });
  state.job = job;
}

async function write() {
  const text = editor.text;
  try {
    await post("/api/save", { file: state.file, text, known: state.saved ?? undefined });
    state.saved = text;
    standing.textContent = "saved";
  } catch (problem) {
    complain(problem);
    if (problem instanceof Refusal && problem.status === 409) offer();
  }
  tell();
}

/** The file has another text on the disk: one of them is taken. */
function offer() {
  const theirs = make("button", "", "Take what is on the disk");
  const ours = make("button", "", "Keep mine");
  for (const button of [theirs, ours]) {
    button.setAttribute("type", "button");
    standing.append(" ", button);
  }
  theirs.addEventListener("click", () => reload().catch(complain));
  ours.addEventListener("click", async () => {
    const seen = await post("/api/look", { file: state.file }).catch(() => null);
    state.saved = seen ? seen.text : "";
    standing.textContent = "";
    tell();
  });
}

/** Waits for changes on the disk. @param {number} count */
async function follow(count) {
  for (;;) {
    try {
      const news = await get(`/api/changes?since=${count}`);
      count = news.changes;
      if (news.files.length === 0) continue;
      await list();
      if (!news.files.includes(state.file)) {
        // What lies beside may matter.
        if (!isDirty() && state.file) check();
        continue;
      }
      const seen = await post("/api/look", { file: state.file });
      if (seen.text === state.saved) continue;
      if (isDirty()) {
        standing.textContent = `${state.file} has changed on the disk`;
        offer();
      } else {
        await reload();
      }
    } catch (problem) {
      complain(problem);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

/** Shows a diagram that is not saved yet. @param {string} file @param {string} text */
function take(file, text) {
  if (isDirty() && !confirm(`Leave ${state.file} without saving?`)) return;
  state.file = file;
  state.saved = null;
  simulate.forget();
  document.getElementById("name").textContent = file;
  editor.text = text;
  standing.textContent = "not saved yet";
  typed();
}

/** One panel at a time. */
function tabs() {
  const all = [...document.querySelectorAll('[role="tab"]')];
  /** @param {Element} chosen */
  const choose = (chosen) => {
    for (const tab of all) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      /** @type {HTMLElement} */ (tab).tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  };
  all.forEach((tab, at) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {KeyboardEvent} */ (event).key];
      if (!step) return;
      const next = /** @type {HTMLElement} */ (all[(at + step + all.length) % all.length]);
      choose(next);
      next.focus();
    });
  });
}

Sequent.theme();
tabs();
accept(take, complain);
addEventListener("line", (event) => {
  const { file, line } = /** @type {CustomEvent} */ (event).detail;
  if (file === state.file) {
    editor.go(line);
    drawings.point(line);
  }
});
save.addEventListener("click", write);
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    if (isDirty()) write();
  }
});
addEventListener("beforeunload", (event) => {
  if (isDirty()) event.preventDefault();
});
list()
  .then(async (known) => {
    const wished = decodeURIComponent(location.hash.slice(1));
    const names = known.files.map((file) => file.name);
    const withDiagrams = known.files.find((file) => file.diagrams.length > 0);
    const first = [wished, known.first, withDiagrams && withDiagrams.name, names[0]].find((name) => names.includes(name));
    if (first) await open(first);
    document.body.dataset.ready = "true";
    follow(known.changes);
  })
  .catch(complain);
