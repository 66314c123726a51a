// The live picture: the diagram at the cursor as the buffers are, drawn by the language server after every edit.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { drawn, told } from "./page.js";

/** Edits and movements of the cursor that follow each other as quickly as this are drawn once. */
const PAUSE = 120;

interface Picture {
  readonly name: string;
  readonly svg: string;
}

/** Shows the diagram at the cursor beside the text, as long as the panel is open. */
export function open(client: () => LanguageClient | undefined): vscode.WebviewPanel {
  const panel = vscode.window.createWebviewPanel("sequent.picture", "Sequent", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {});
  let timer: NodeJS.Timeout | undefined;
  const draw = async (): Promise<void> => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      return;
    }
    const theme = vscode.window.activeColorTheme.kind;
    const dark = theme === vscode.ColorThemeKind.Dark || theme === vscode.ColorThemeKind.HighContrast;
    const textDocument = { uri: editor.document.uri.toString() };
    const picture = await client()?.sendRequest<Picture | null>("sequent/draw", { textDocument, position: editor.selection.active, dark });
    if (picture !== undefined && picture !== null) {
      panel.title = picture.name;
      panel.webview.html = drawn(picture.svg);
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => { draw().catch((problem: unknown) => { panel.webview.html = told(String(problem)); }); }, PAUSE);
  };
  const watched = [
    vscode.workspace.onDidChangeTextDocument(soon),
    vscode.window.onDidChangeTextEditorSelection(soon),
    vscode.window.onDidChangeActiveTextEditor(soon),
    vscode.window.onDidChangeActiveColorTheme(soon),
  ];
  panel.onDidDispose(() => {
    clearTimeout(timer);
    watched.forEach((one) => { one.dispose(); });
  });
  panel.webview.html = told("Put the cursor into a diagram.");
  soon();
  return panel;
}
