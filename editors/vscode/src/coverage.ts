// Coverage in the gutter, on demand: which messages and transitions the runs pass that show verdicts.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

interface Lines {
  readonly covered: readonly number[];
  readonly uncovered: readonly number[];
}

/** Marks lines, and takes the marks away again. */
export class Coverage implements vscode.Disposable {
  private readonly covered = mark("charts.green");
  private readonly uncovered = mark("charts.orange");
  private isShown = false;

  /** Shows the marks in all visible editors, or hides them. */
  async toggle(client: LanguageClient | undefined): Promise<void> {
    this.isShown = !this.isShown;
    for (const editor of vscode.window.visibleTextEditors) {
      const lines = this.isShown ? await client?.sendRequest<Lines | null>("sequent/coverage", { textDocument: { uri: editor.document.uri.toString() } }) : undefined;
      editor.setDecorations(this.covered, marks(lines?.covered ?? [], "A run of a question passes here"));
      editor.setDecorations(this.uncovered, marks(lines?.uncovered ?? [], "No run of a question passes here"));
    }
  }

  dispose(): void {
    this.covered.dispose();
    this.uncovered.dispose();
  }
}

function mark(colour: string): vscode.TextEditorDecorationType {
  const border = new vscode.ThemeColor(colour);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: border,
    borderStyle: "solid",
    borderWidth: "0 0 0 3px",
    overviewRulerColor: border,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

function marks(lines: readonly number[], hoverMessage: string): vscode.DecorationOptions[] {
  return lines.map((line) => ({ range: new vscode.Range(line, 0, line, 0), hoverMessage }));
}
