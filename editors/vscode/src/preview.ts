// The preview: `sequent serve` runs as long as its panel is open, and the panel shows its page. The server sees files as they are saved.

import { spawn, type ChildProcess } from "node:child_process";
import * as vscode from "vscode";

import { FirstLine, isFrameable, localAddress } from "./address.js";
import { framed, told } from "./page.js";
import type { Command } from "./program.js";

/** How long the server may take to say where its page is. */
const PATIENCE = 20_000;

/** Shows the page of a server, which ends with its panel. */
export function open(command: Command, title: string, output: vscode.OutputChannel): vscode.WebviewPanel {
  const panel = vscode.window.createWebviewPanel("sequent.preview", title, vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  panel.webview.html = told("Starting …");
  const child = spawn(command.program, command.args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stderr.on("data", (part: Buffer) => { output.append(part.toString()); });
  let isOpen = true;
  panel.onDidDispose(() => {
    isOpen = false;
    child.kill();
  });
  address(child)
    .then(shown)
    .catch((problem: unknown) => {
      child.kill();
      return told(problem instanceof Error ? problem.message : String(problem));
    })
    .then((html) => {
      if (isOpen) {
        panel.webview.html = html;
      }
    })
    .catch((problem: unknown) => { output.appendLine(String(problem)); });
  return panel;
}

/** The page in a frame; in the browser, if it refuses to be shown in a frame. */
async function shown(url: URL): Promise<string> {
  const { headers } = await fetch(url);
  const uri = vscode.Uri.parse(url.href, true);
  if (isFrameable((name) => headers.get(name))) {
    return framed(new URL((await vscode.env.asExternalUri(uri)).toString(true)));
  }
  await vscode.env.openExternal(uri);
  return told("The diagrams are in the browser, as long as this tab is open.");
}

/** The address that a server prints. */
function address(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => { reject(new Error(message)); };
    const timer = setTimeout(() => { fail("sequent serve does not say where its page is"); }, PATIENCE);
    const first = new FirstLine();
    child.once("error", (problem) => { fail(`sequent cannot be started: ${problem.message}; see the setting sequent.path`); });
    child.once("exit", (code) => { fail(`sequent serve ended with ${code ?? "a signal"}; the output tells more`); });
    child.stdout?.on("data", (part: Buffer) => {
      const line = first.add(part.toString());
      if (line === undefined) {
        return;
      }
      clearTimeout(timer);
      const url = localAddress(line);
      if (url === undefined) {
        fail(`sequent serve prints no address of a page on this machine: ${line}`);
      } else {
        resolve(url);
      }
    });
  });
}
