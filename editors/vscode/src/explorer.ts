// The test explorer: every question of an open file is a test. A failure shows its run, and debugging it steps through the run.

import * as vscode from "vscode";

import { items, result, type Item } from "./checks.js";
import type { Command } from "./program.js";
import { launch } from "./session.js";

/** What the explorer asks of the extension. */
export interface Host {
  /** The command that checks a file. */
  command(file: string): Command;
  /** Runs a command; what it prints. */
  run(command: Command): Promise<string>;
}

/** Shows the questions of files as tests. */
export function explore(host: Host, isRead: (document: vscode.TextDocument) => boolean): vscode.Disposable {
  const controller = vscode.tests.createTestController("sequent", "Sequent");
  const known = new WeakMap<vscode.TestItem, Item>();
  const list = async (file: vscode.TestItem): Promise<readonly Item[]> => {
    if (file.uri === undefined) {
      return [];
    }
    const found = items(await host.run(host.command(file.uri.fsPath)));
    file.children.replace(
      found.map((item) => {
        const test = controller.createTestItem(item.id, item.label, file.uri);
        test.range = new vscode.Range(item.line, 0, item.line, 0);
        known.set(test, item);
        return test;
      }),
    );
    return found;
  };
  const add = (document: vscode.TextDocument): void => {
    if (isRead(document) && controller.items.get(document.uri.toString()) === undefined) {
      const file = controller.createTestItem(document.uri.toString(), vscode.workspace.asRelativePath(document.uri), document.uri);
      file.canResolveChildren = true;
      controller.items.add(file);
    }
  };
  controller.resolveHandler = async (file) => {
    if (file !== undefined) {
      await list(file);
    }
  };
  controller.createRunProfile("Check", vscode.TestRunProfileKind.Run, async (request) => {
    const run = controller.createTestRun(request);
    const wanted = request.include ?? [...controller.items].map(([, item]) => item);
    const files = new Set(wanted.map((item) => item.parent ?? item));
    for (const file of files) {
      const chosen = new Set(wanted.filter((item) => item.parent === file).map((item) => item.id));
      await list(file);
      file.children.forEach((test) => {
        const item = known.get(test);
        if (item !== undefined && (chosen.size === 0 || chosen.has(test.id))) {
          tell(run, test, item);
        }
      });
    }
    run.end();
  }, true);
  controller.createRunProfile("Step through", vscode.TestRunProfileKind.Debug, async (request) => {
    for (const test of request.include ?? []) {
      const item = known.get(test);
      if (item !== undefined && test.uri !== undefined) {
        await vscode.debug.startDebugging(undefined, { ...launch(test.uri.fsPath, item.number) });
      }
    }
  });
  vscode.workspace.textDocuments.forEach(add);
  return vscode.Disposable.from(controller, vscode.workspace.onDidOpenTextDocument(add));
}

function tell(run: vscode.TestRun, test: vscode.TestItem, item: Item): void {
  const came = result(item.check);
  const millis = item.check.millis ?? undefined;
  if (came.kind === "passed") {
    run.passed(test, millis);
    return;
  }
  const message = new vscode.TestMessage(came.message);
  if (test.uri !== undefined && test.range !== undefined) {
    message.location = new vscode.Location(test.uri, test.range);
  }
  if (came.kind === "failed") {
    run.failed(test, message, millis);
  } else {
    run.errored(test, message, millis);
  }
}
