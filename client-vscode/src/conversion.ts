// Converting a file: the result is shown beside the file first, follows its changes, and is made when the user says so.

import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import type { LanguageServer } from "./languageServer";

const SCHEME = "mindport-converted";
const UNSAFE = "unsafe";

export class ConversionPreview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly parts: vscode.Disposable[];
  /** What was worked out last: the preview that opens asks for it once more. */
  private last: { uri: string; version: number; unsafe: boolean; edit: vscode.WorkspaceEdit | undefined } | undefined;

  constructor(private readonly server: LanguageServer) {
    this.parts = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const unsafe of [false, true]) this.changed.fire(converted(document.uri, unsafe));
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** Shows what converting the document would change. A notebook's cells are shown as the editor shows refactorings. */
  async show(document: vscode.TextDocument, unsafe = false): Promise<void> {
    const working = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("mindport: converting") };
    const edit = await vscode.window.withProgress(working, () => this.edit(document.uri, unsafe));
    if (edit === undefined && !unsafe) {
      const choice = await vscode.window.showInformationMessage(
        vscode.l10n.t("mindport: no safe fix changes this file."),
        vscode.l10n.t("Look at Unsafe Fixes"),
      );
      if (choice) await this.show(document, true);
    } else if (edit === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t("mindport: no fix changes this file."));
    } else if (document.uri.scheme === "vscode-notebook-cell") {
      await vscode.workspace.applyEdit(await this.withConsent(edit), { isRefactoring: true });
    } else {
      const name = vscode.workspace.asRelativePath(document.uri);
      const what = unsafe ? vscode.l10n.t("converted, with unsafe fixes") : vscode.l10n.t("converted");
      const selection = placeOfFirstChange(document, edit.get(document.uri));
      await vscode.commands.executeCommand("vscode.diff", document.uri, converted(document.uri, unsafe), `${name} ↔ ${what}`, {
        ...(selection ? { selection } : {}),
      });
    }
  }

  /**
   * Makes every safe change of a document at once. Asked of the server and not as a code action of the editor's: that
   * one is dropped without a word where new findings arrive while the answer is made.
   */
  async applySafeFixes(uri: vscode.Uri): Promise<void> {
    const edit = await this.edit(uri, false);
    if (edit !== undefined) await vscode.workspace.applyEdit(edit);
    else void vscode.window.showInformationMessage(vscode.l10n.t("mindport: no safe fix changes this file."));
  }

  /** Makes the changes of the preview that is open. */
  async apply(): Promise<void> {
    const open = openPreview();
    if (open === undefined) return;
    const edit = await this.edit(open.original, open.unsafe);
    if (edit !== undefined) await vscode.workspace.applyEdit(edit);
    await vscode.window.tabGroups.close(open.tab);
    await vscode.window.showTextDocument(open.original);
  }

  /** Shows the open preview with unsafe fixes, or without them. */
  async toggleUnsafe(): Promise<void> {
    const open = openPreview();
    if (open === undefined) return;
    const document = await vscode.workspace.openTextDocument(open.original);
    await vscode.window.tabGroups.close(open.tab);
    await this.show(document, !open.unsafe);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { original, unsafe } = originalOf(uri);
    const document = await vscode.workspace.openTextDocument(original);
    const edit = await this.edit(original, unsafe);
    const text = document.getText();
    // From the last place to the first, so that no change moves another's place.
    return (edit?.get(original) ?? [])
      .map(({ range, newText }) => ({ start: document.offsetAt(range.start), end: document.offsetAt(range.end), newText }))
      .sort((one, other) => other.start - one.start)
      .reduce((changed, { start, end, newText }) => changed.slice(0, start) + newText + changed.slice(end), text);
  }

  private async edit(uri: vscode.Uri, unsafe: boolean): Promise<vscode.WorkspaceEdit | undefined> {
    const document = await vscode.workspace.openTextDocument(uri);
    for (;;) {
      const { version } = document;
      const { last } = this;
      if (last?.uri === uri.toString() && last.version === version && last.unsafe === unsafe) {
        this.last = undefined; // for one question only: settings may change, too
        return last.edit;
      }
      const edit = await this.server.ask<WorkspaceEdit>("mindport/conversion", { uri: uri.toString(), unsafe });
      // Places in a text that has changed since are no longer right.
      if (document.version !== version) continue;
      const found = edit && (await this.server.asEdit(edit));
      this.last = { uri: uri.toString(), version, unsafe, edit: found };
      return found;
    }
  }

  private async withConsent(edit: vscode.WorkspaceEdit): Promise<vscode.WorkspaceEdit> {
    const asking = new vscode.WorkspaceEdit();
    const metadata = { label: vscode.l10n.t("Convert to MindSpore"), needsConfirmation: true };
    for (const [uri, edits] of edit.entries()) {
      for (const { range, newText } of edits) asking.replace(uri, range, newText, metadata);
    }
    return asking;
  }
}

/** Where the code itself changes first, in the converted text: imports and helpers, which stand above it, say little. */
function placeOfFirstChange(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): vscode.Range | undefined {
  const isImport = ({ start }: vscode.Range): boolean => /^\s*(import|from)\b/.test(document.lineAt(start.line).text);
  const inOrder = [...edits].sort((one, other) => one.range.start.compareTo(other.range.start));
  const first = inOrder.findIndex(({ range }) => !range.isEmpty && !isImport(range));
  const edit = inOrder[first];
  if (edit === undefined) return undefined;
  const added = inOrder
    .slice(0, first)
    .reduce((lines, { range, newText }) => lines + newText.split("\n").length - 1 - (range.end.line - range.start.line), 0);
  const line = edit.range.start.line + added;
  return new vscode.Range(line, 0, line, 0);
}

function converted(original: vscode.Uri, unsafe: boolean): vscode.Uri {
  const query = JSON.stringify({ original: original.toString(), [UNSAFE]: unsafe });
  return vscode.Uri.from({ scheme: SCHEME, path: original.path, query });
}

function originalOf(uri: vscode.Uri): { original: vscode.Uri; unsafe: boolean } {
  const { original, unsafe } = JSON.parse(uri.query) as { original: string; unsafe: boolean };
  return { original: vscode.Uri.parse(original), unsafe };
}

function openPreview(): { tab: vscode.Tab; original: vscode.Uri; unsafe: boolean } | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (!(tab?.input instanceof vscode.TabInputTextDiff) || tab.input.modified.scheme !== SCHEME) return undefined;
  return { tab, ...originalOf(tab.input.modified) };
}
