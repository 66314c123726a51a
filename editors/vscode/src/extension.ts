// The extension: starts the language server, and gives the editor its commands and tasks. Nothing leaves the machine.

import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { Coverage } from "./coverage.js";
import { explore } from "./explorer.js";
import * as picture from "./picture.js";
import * as preview from "./preview.js";
import * as program from "./program.js";
import { isStep, launch, resolved } from "./session.js";

/** What the server is told about. */
const LANGUAGES = ["plantuml", "mermaid", "markdown", "asciidoc", "restructuredtext"];

let client: LanguageClient | undefined;

/** Called by the editor. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Sequent");
  const command = (name: string, action: (given: unknown) => unknown): vscode.Disposable => vscode.commands.registerCommand(`sequent.${name}`, action);
  const coverage = new Coverage();
  context.subscriptions.push(
    output,
    command("preview", () => { openPreview(output); }),
    coverage,
    command("picture", () => { picture.open(() => client); }),
    command("stepThrough", (given) => stepThrough(given, output)),
    command("coverage", () => coverage.toggle(client)),
    command("checkWorkspace", () => vscode.tasks.executeTask(task({ type: "sequent", paths: ["."] }))),
    command("report", () => writeReport(output)),
    command("explain", () => explain(output)),
    command("restart", () => restart(output)),
    command("output", () => { output.show(); }),
    vscode.debug.registerDebugAdapterDescriptorFactory("sequent", {
      createDebugAdapterDescriptor: () => {
        const { program: path, args } = program.debug(settings(), workspace());
        return new vscode.DebugAdapterExecutable(path, [...args]);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider("sequent", {
      resolveDebugConfiguration: (_, given) => resolved(given, vscode.window.activeTextEditor?.document.uri.fsPath) as vscode.DebugConfiguration | undefined,
    }),
    explore(
      { command: (file) => program.answers(settings(), workspace(), file), run: (asked) => told(asked, output) },
      (document) => document.uri.scheme === "file" && LANGUAGES.includes(document.languageId),
    ),
    vscode.tasks.registerTaskProvider("sequent", {
      provideTasks: () => [task({ type: "sequent", paths: ["."] })],
      resolveTask: (given) => task(given.definition),
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (["sequent.path", "sequent.arguments", "sequent.format.enable"].some((name) => event.affectsConfiguration(name))) {
        await restart(output);
      }
    }),
  );
  await start(output);
}

/** Called by the editor. */
export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function start(output: vscode.OutputChannel): Promise<void> {
  const { program: path, args } = program.server(settings(), workspace());
  const run: ServerOptions = { command: path, args: [...args] };
  const options: LanguageClientOptions = {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ scheme: "file", language })),
      { scheme: "file", pattern: "**/sequent.toml" },
    ],
    outputChannel: output,
    initializationOptions: {
      commands: ["sequent.stepThrough"],
      format: vscode.workspace.getConfiguration("sequent").get("format.enable", false),
    },
  };
  client = new LanguageClient("sequent", "Sequent", run, options);
  try {
    await client.start();
  } catch (problem) {
    client = undefined;
    output.appendLine(String(problem));
    const message = `Sequent cannot be started as \`${path}\`. Install it, or say where it is.`;
    if ((await vscode.window.showErrorMessage(message, "Open Settings")) !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "sequent.path");
    }
  }
}

async function restart(output: vscode.OutputChannel): Promise<void> {
  await deactivate();
  await start(output);
}

function settings(): program.Settings {
  const all = vscode.workspace.getConfiguration("sequent");
  return { path: all.get("path", "sequent"), args: all.get<string[]>("arguments", []) };
}

function workspace(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

function openPreview(output: vscode.OutputChannel): void {
  const file = vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== "file") {
    void vscode.window.showInformationMessage("Open a file with a diagram first.");
    return;
  }
  preview.open(program.live(settings(), workspace(), file.fsPath), `Sequent: ${vscode.workspace.asRelativePath(file)}`, output);
}

/** Steps through the run of a verdict in the debugger; a diagram without a run is stepped through in the preview. */
async function stepThrough(given: unknown, output: vscode.OutputChannel): Promise<void> {
  const file = isStep(given) ? vscode.Uri.parse(given.uri, true) : vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== "file") {
    void vscode.window.showInformationMessage("Open a file with a diagram first.");
  } else if (isStep(given) && given.question === undefined) {
    preview.open(program.live(settings(), workspace(), file.fsPath), `Sequent: ${vscode.workspace.asRelativePath(file)}`, output);
  } else {
    await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), { ...launch(file.fsPath, isStep(given) ? given.question : undefined) });
  }
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A check as a task, whose findings become problems. */
function task(definition: vscode.TaskDefinition): vscode.Task {
  const command = program.check(settings(), workspace(), list(definition["paths"]), list(definition["options"]));
  const run = new vscode.ProcessExecution(command.program, [...command.args]);
  return new vscode.Task(definition, vscode.TaskScope.Workspace, "check", "sequent", run, "$sequent");
}

async function writeReport(output: vscode.OutputChannel): Promise<void> {
  const folder = workspace();
  if (folder === undefined) {
    void vscode.window.showInformationMessage("Open a folder first.");
    return;
  }
  const file = join(tmpdir(), `sequent-report-${process.pid}.html`);
  await told(program.report(settings(), folder, folder, file), output);
  await vscode.env.openExternal(vscode.Uri.file(file));
}

async function explain(output: vscode.OutputChannel): Promise<void> {
  const validateInput = (text: string): string | undefined => (program.isCode(text) ? undefined : "A code such as W201");
  const code = await vscode.window.showInputBox({ prompt: "The code of a finding", placeHolder: "W201", validateInput });
  if (code !== undefined) {
    const content = await told(program.explain(settings(), workspace(), code), output);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: "plaintext" }));
  }
}

/** What a program prints. It may find problems: only what could not be done is told. */
async function told(command: program.Command, output: vscode.OutputChannel): Promise<string> {
  try {
    return (await promisify(execFile)(command.program, command.args)).stdout;
  } catch (problem) {
    output.appendLine(String(problem));
    return problem instanceof Error && "stdout" in problem ? String(problem.stdout) : String(problem);
  }
}
