// Debug sessions: what the lens "step through" is told becomes a configuration. Knows nothing of the editor.

/** What the server says about a run: the file and the number of its question; a diagram without a question has no number. */
export interface Step {
  readonly uri: string;
  readonly question?: number;
  readonly diagram?: string | null;
}

/** A launch configuration of the type `sequent`. */
export interface Launch {
  readonly type: "sequent";
  readonly request: "launch";
  readonly name: string;
  readonly program: string;
  readonly question?: number;
  readonly stopOnEntry: boolean;
}

/** Whether something that a command was given is such a step. */
export function isStep(value: unknown): value is Step {
  return typeof value === "object" && value !== null && "uri" in value && typeof value.uri === "string";
}

/** The configuration that steps through a run. */
export function launch(program: string, question: number | undefined): Launch {
  const name = question === undefined ? "Sequent" : `Sequent: question ${question}`;
  return { type: "sequent", request: "launch", name, program, ...(question === undefined ? {} : { question }), stopOnEntry: true };
}

/** Fills in what a configuration leaves open; undefined if no file says what to launch. */
export function resolved(configuration: Readonly<Record<string, unknown>>, file: string | undefined): Record<string, unknown> | undefined {
  const program = typeof configuration["program"] === "string" ? configuration["program"] : file;
  return program === undefined ? undefined : { ...launch(program, undefined), ...configuration, program };
}
