// The marks in notebooks: vscode-languageclient asks for diagnostics of what has a tab of its own, which cells have not.

import * as vscode from "vscode";
import type { Diagnostic } from "vscode-languageclient/node";
import type { LanguageServer } from "./languageServer";

const REST_MILLISECONDS = 200; // after a change: more may follow

export class NotebookDiagnostics implements vscode.Disposable {
  private readonly marks = vscode.languages.createDiagnosticCollection("mindport");
  private readonly timers = new Map<vscode.NotebookDocument, NodeJS.Timeout>();
  private readonly parts: vscode.Disposable[];

  constructor(private readonly server: LanguageServer) {
    const all = (): void => vscode.workspace.notebookDocuments.forEach((notebook) => this.soon(notebook));
    this.parts = [
      this.marks,
      server.onDidStart(all),
      server.onDidChangeTarget(all),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("mindport") && all()),
      vscode.workspace.onDidSaveTextDocument(all),
      vscode.workspace.onDidOpenNotebookDocument((notebook) => this.soon(notebook)),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
        for (const cell of contentChanges.flatMap(({ removedCells }) => removedCells)) this.marks.delete(cell.document.uri);
        this.soon(notebook);
      }),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => {
        clearTimeout(this.timers.get(notebook));
        this.timers.delete(notebook);
        for (const cell of notebook.getCells()) this.marks.delete(cell.document.uri);
      }),
    ];
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    vscode.Disposable.from(...this.parts).dispose();
  }

  private soon(notebook: vscode.NotebookDocument): void {
    clearTimeout(this.timers.get(notebook));
    this.timers.set(notebook, setTimeout(() => void this.mark(notebook), REST_MILLISECONDS));
  }

  private async mark(notebook: vscode.NotebookDocument): Promise<void> {
    for (const { document } of notebook.getCells()) {
      if (document.languageId !== "python") continue;
      const version = document.version;
      const parameters = { textDocument: { uri: document.uri.toString() } };
      const report = await this.server.ask<{ items?: Diagnostic[] }>("textDocument/diagnostic", parameters);
      // Marks of a text that is past would lie on other words; its change asks again.
      if (report?.items === undefined || document.isClosed || document.version !== version) continue;
      this.marks.set(document.uri, await this.server.asDiagnostics(report.items));
    }
  }
}
