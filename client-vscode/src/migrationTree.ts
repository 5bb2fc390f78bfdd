// The migration panel: folders where there are several, files with how much of them is ready, the APIs in each by
// verdict, and their places.

import * as vscode from "vscode";
import type { LanguageServer } from "./languageServer";

/** A cell (-1 in a file that is no notebook), then line, character, end line, end character. */
type Place = [number, number, number, number, number];

interface Api {
  api: string;
  verdict: string;
  verdictText: string;
  ready: number;
  places: Place[];
}

interface File {
  uri: string;
  path: string;
  references: number;
  ready: number;
  silent: number;
  apis: Api[];
}

type Overview = { type: "overview"; target: string; files: File[] } | { type: "refusal"; reason: string };

type Node =
  | { kind: "folder"; folder: vscode.WorkspaceFolder; files: File[] }
  | { kind: "file"; file: File }
  | { kind: "api"; file: File; api: Api }
  | { kind: "place"; file: File; api: Api; place: Place };

// What the welcome of the empty panel waits for: before the workspace was read there is nothing to say of it.
const NOTHING_FOUND = "mindport.nothingFound";
const REST_MILLISECONDS = 1_500; // after a save: more may follow

export class MigrationTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly parts: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private roots: Promise<Node[]> | undefined;

  constructor(private readonly server: LanguageServer) {
    this.view = vscode.window.createTreeView("mindport.migration", { treeDataProvider: this, showCollapseAll: true });
    this.parts = [
      this.view,
      this.changed,
      server.onDidStart(() => this.refresh()),
      server.onDidChangeTarget(() => this.refresh()),
      vscode.workspace.onDidSaveTextDocument(({ languageId }) => {
        if (languageId === "python") this.refreshSoon();
      }),
      vscode.workspace.onDidSaveNotebookDocument(() => this.refreshSoon()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** Reads the workspace again, as soon as somebody looks. */
  refresh(): void {
    clearTimeout(this.timer);
    this.roots = undefined;
    this.changed.fire(undefined);
  }

  private refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), REST_MILLISECONDS);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      this.roots ??= this.read();
      return this.roots;
    }
    if (node.kind === "folder") return node.files.map((file) => ({ kind: "file", file }));
    if (node.kind === "file") return node.file.apis.map((api) => ({ kind: "api", file: node.file, api }));
    if (node.kind === "api") return node.api.places.map((place) => ({ ...node, kind: "place", place }));
    return [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "folder": {
        const item = new vscode.TreeItem(node.folder.name, vscode.TreeItemCollapsibleState.Expanded);
        item.description = sum(node.files);
        return item;
      }
      case "file": {
        const item = new vscode.TreeItem(node.file.path, vscode.TreeItemCollapsibleState.Collapsed);
        item.description = sum([node.file]);
        item.iconPath = node.file.ready === node.file.references ? READY : vscode.ThemeIcon.File;
        item.tooltip = `${node.file.path}: ${sum([node.file])}`;
        return item;
      }
      case "api":
        return apiItem(node.file, node.api);
      case "place": {
        const item = new vscode.TreeItem(lineOf(node.place));
        item.command = going(node.file, node.place);
        return item;
      }
    }
  }

  private async read(): Promise<Node[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found: { folder: vscode.WorkspaceFolder; files: File[] }[] = [];
    const notes: string[] = [];
    const refusals: string[] = [];
    for (const folder of folders) {
      const answer = await vscode.window.withProgress({ location: { viewId: "mindport.migration" } }, () =>
        this.server.ask<Overview>("mindport/overview", { uri: folder.uri.toString() }),
      );
      if (answer?.type === "overview") {
        found.push({ folder, files: answer.files });
        notes.push(answer.target);
      } else if (answer !== undefined) refusals.push(answer.reason);
    }
    const files = found.flatMap((one) => one.files);
    const targets = [...new Set([...notes, ...refusals])].join("; ");
    // An empty panel shows what can be done instead, unless there is something to say.
    this.view.message = files.length ? vscode.l10n.t("{state}; {targets}", { state: sum(files), targets }) : refusals.join("; ");
    await vscode.commands.executeCommand("setContext", NOTHING_FOUND, found.length > 0 && files.length + refusals.length === 0);
    if (found.length > 1) return found.map((one) => ({ kind: "folder", ...one }));
    return files.map((file) => ({ kind: "file", file }));
  }
}

/** Opens the place of a use and selects it. */
export async function goTo(uri: string, [cell, line, character, endLine, endCharacter]: Place): Promise<void> {
  const selection = new vscode.Range(line, character, endLine, endCharacter);
  if (cell < 0) {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection });
    return;
  }
  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.parse(uri));
  await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(cell, cell + 1)] });
  await vscode.window.showTextDocument(notebook.cellAt(cell).document, { selection });
}

const READY = new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"));
const ABSENT = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
const UNKNOWN = new vscode.ThemeIcon("question");
const OPEN = new vscode.ThemeIcon("circle-large-outline");

function apiItem(file: File, api: Api): vscode.TreeItem {
  const [first] = api.places;
  const isOne = api.places.length === 1;
  const state = isOne ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed;
  // Every name begins so; a panel is narrow.
  const item = new vscode.TreeItem(api.api.replace(/^torch\./, ""), state);
  const where = isOne && first ? lineOf(first) : vscode.l10n.t("{count} places", { count: api.places.length });
  item.description = vscode.l10n.t("{verdict}, {where}", { verdict: api.verdictText, where });
  item.tooltip = `${api.api}: ${api.verdictText}; ${readiness(api.ready, api.places.length)}`;
  if (api.ready === api.places.length) item.iconPath = READY;
  else if (api.verdict === "none") item.iconPath = ABSENT;
  else item.iconPath = api.verdict === "not judged" ? UNKNOWN : OPEN;
  if (isOne && first) item.command = going(file, first);
  return item;
}

function lineOf([cell, line]: Place): string {
  if (cell < 0) return vscode.l10n.t("line {line}", { line: line + 1 });
  return vscode.l10n.t("cell {cell}, line {line}", { cell: cell + 1, line: line + 1 });
}

function going(file: File, place: Place): vscode.Command {
  return { command: "mindport.goTo", title: "Go to", arguments: [file.uri, place] };
}

function sum(files: File[]): string {
  const total = (of: (file: File) => number): number => files.reduce((before, file) => before + of(file), 0);
  const silent = total((file) => file.silent);
  const [ready, all] = [total((file) => file.ready), total((file) => file.references)];
  return silent ? vscode.l10n.t("{ready} of {all} ready, {silent} silent", { ready, all, silent }) : readiness(ready, all);
}

function readiness(ready: number, all: number): string {
  return vscode.l10n.t("{ready} of {all} ready", { ready, all });
}
