// Which program is started, and how: settings become a command. Knows nothing of the editor, so that tests run without it.

import { homedir } from "node:os";
import { join } from "node:path";

/** A program and its arguments. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The settings that say which program it is. */
export interface Settings {
  readonly path: string;
  readonly args: readonly string[];
}

/** The path of the program as the user wrote it, with home and workspace in place. */
export function programPath(path: string, workspace: string | undefined): string {
  const written = path.trim() === "" ? "sequent" : path.trim();
  const placed = workspace === undefined ? written : written.replaceAll("${workspaceFolder}", workspace);
  return placed === "~" || placed.startsWith("~/") ? join(homedir(), placed.slice(1)) : placed;
}

/** The language server. */
export function server(settings: Settings, workspace: string | undefined): Command {
  return { program: programPath(settings.path, workspace), args: ["lsp", ...settings.args] };
}

/** The server of the live page, for one file or folder. */
export function live(settings: Settings, workspace: string | undefined, target: string): Command {
  return { program: programPath(settings.path, workspace), args: ["serve", target] };
}

/** A check whose findings the problem matcher understands. */
export function check(settings: Settings, workspace: string | undefined, paths: readonly string[], options: readonly string[]): Command {
  return { program: programPath(settings.path, workspace), args: ["check", "--format", "concise", ...options, "--", ...paths] };
}

/** The debug adapter. */
export function debug(settings: Settings, workspace: string | undefined): Command {
  return { program: programPath(settings.path, workspace), args: ["dap"] };
}

/** A check of one file whose answers other programs read. */
export function answers(settings: Settings, workspace: string | undefined, file: string): Command {
  return { program: programPath(settings.path, workspace), args: ["check", "--format", "json", "--", file] };
}

/** The report of a folder, as a page in a file. */
export function report(settings: Settings, workspace: string | undefined, folder: string, file: string): Command {
  return { program: programPath(settings.path, workspace), args: ["check", "--format", "html", "-o", file, "--", folder] };
}

/** What a finding means. */
export function explain(settings: Settings, workspace: string | undefined, code: string): Command {
  return { program: programPath(settings.path, workspace), args: ["explain", code] };
}

/** Whether a text is the code of a finding. */
export function isCode(text: string): boolean {
  return /^[EWH]\d{3}$/.test(text);
}
