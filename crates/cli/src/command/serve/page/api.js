// Requests to the server that this page comes from, and what several panels share.

/** A request that was refused, with the words of the server. */
export class Refusal extends Error {
  /** @param {number} status @param {string} words */
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

/** @param {Response} response @returns {Promise<any>} */
async function read(response) {
  const value = await response.json();
  if (!response.ok) throw new Refusal(response.status, value.problem);
  return value;
}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  return read(await fetch(path));
}

/** @param {string} path @param {object} asked @returns {Promise<any>} */
export async function post(path, asked) {
  const headers = { "Content-Type": "application/json" };
  return read(await fetch(path, { method: "POST", headers, body: JSON.stringify(asked) }));
}

/**
 * A question that takes a while.
 * @typedef {{state: string, millis?: number, states?: number, depth?: number, bytes?: number, words?: string, problem?: string, result?: any}} Report
 */
export class Job {
  /** @param {string} path @param {object} asked @param {(report: Report) => void} told */
  constructor(path, asked, told) {
    this.told = told;
    this.cancelled = false;
    /** @type {number | null} */
    this.number = null;
    this.done = this.run(path, asked);
  }

  /** @param {string} path @param {object} asked */
  async run(path, asked) {
    try {
      this.number = (await post(path, asked)).job;
      if (this.cancelled) await post("/api/cancel", { job: this.number });
      for (;;) {
        const report = await get(`/api/job?id=${this.number}`);
        if (this.cancelled && report.state !== "cancelled") continue;
        this.told(report);
        if (report.state !== "running") return;
      }
    } catch (problem) {
      this.told({ state: "failed", problem: problem.message });
    }
  }

  cancel() {
    this.cancelled = true;
    if (this.number !== null) post("/api/cancel", { job: this.number }).catch(() => {});
  }
}

/** How a search goes on, in words. @param {Report} report */
export function progress(report) {
  return report.words || "";
}

/**
 * Adds a button to a bar.
 * @param {HTMLElement} bar @param {string} id @param {string} text @param {() => void} act
 */
export function button(bar, id, text, act) {
  const one = /** @type {HTMLButtonElement} */ (Sequent.make("button", "", text));
  one.type = "button";
  one.id = id;
  one.addEventListener("click", act);
  bar.append(one);
  return one;
}
