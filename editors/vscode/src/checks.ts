// The answers of a check, as the test explorer shows them. Knows nothing of the editor, so that tests run without it.

/** A question and its answer, as `sequent check --format json` prints them. */
export interface Check {
  readonly name: string;
  readonly target: string | null;
  readonly verdict: "holds" | "fails" | "unknown";
  readonly welcome: boolean;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly millis: number | null;
  readonly reason?: string | null;
  readonly run?: { readonly prefix: readonly string[]; readonly cycle: readonly string[]; readonly because: readonly string[] } | null;
}

/** A question in the explorer. */
export interface Item {
  /** Unique within its file. */
  readonly id: string;
  readonly label: string;
  /** From 1, among the answers about the file: what `sequent dap` calls `question`. */
  readonly number: number;
  /** From 0. */
  readonly line: number;
  readonly check: Check;
}

/** What came of a question. */
export type Result = { readonly kind: "passed" } | { readonly kind: "failed"; readonly message: string } | { readonly kind: "undecided"; readonly message: string };

/** The questions in what a check prints; empty if it prints no JSON. */
export function items(printed: string): Item[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(printed);
  } catch {
    return [];
  }
  const checks = (parsed as { checks?: unknown } | null)?.checks;
  if (!Array.isArray(checks)) {
    return [];
  }
  const seen = new Map<string, number>();
  return (checks as Check[]).map((check, index) => {
    const label = check.target === null ? check.name : `${check.target}: ${check.name}`;
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return { id: count === 1 ? label : `${label} (${count})`, label, number: index + 1, line: Math.max(0, (check.line ?? 1) - 1), check };
  });
}

/** What came of a question, with the run that shows it. */
export function result(check: Check): Result {
  if (check.welcome) {
    return { kind: "passed" };
  }
  if (check.verdict === "unknown") {
    return { kind: "undecided", message: check.reason ?? "not decided" };
  }
  const run = check.run;
  if (run === undefined || run === null) {
    return { kind: "failed", message: check.verdict };
  }
  const cycle = run.cycle.length > 0 ? [`again and again: ${run.cycle.join(", ")}`] : [];
  return { kind: "failed", message: [...run.because, run.prefix.join(", "), ...cycle].filter((line) => line !== "").join("\n") };
}
