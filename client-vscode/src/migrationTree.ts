// The migration panel: folders where there are several, files with how much of them is ready, the APIs in each by
// verdict, and their places; or first the APIs, or the verdicts.

import * as vscode from "vscode";
import type { LanguageServer } from "./languageServer";
import { type Api, type File, type Grouping, GROUPINGS, type Place, readiness, sum, total, type Use, usesBy } from "./migrationCounts";
import { Progress } from "./migrationProgress";

type Overview = { type: "overview"; target: string; files: File[] } | { type: "refusal"; reason: string };

type Node =
  | { kind: "folder"; folder: vscode.WorkspaceFolder; files: File[] }
  | { kind: "file"; file: File }
  | { kind: "group"; name: string; uses: Use[]; by: Grouping[] }
  | { kind: "api"; file: File; api: Api; isNamedByFile?: boolean }
  | { kind: "place"; file: File; api: Api; place: Place };

// What the welcome of the empty panel waits for: before the workspace was read there is nothing to say of it.
const NOTHING_FOUND = "mindport.nothingFound";
const GROUPING = "mindport.grouping"; // in the state of the workspace
const REST_MILLISECONDS = 1_500; // after a save: more may follow

export class MigrationTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly parts: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private roots: Promise<Node[]> | undefined;
  private files: File[] = [];
  private readonly progress: Progress;

  constructor(
    private readonly server: LanguageServer,
    private readonly remembered: vscode.Memento,
  ) {
    this.progress = new Progress(remembered);
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

  /** Asks what the panel is to be ordered by. */
  async group(): Promise<void> {
    const names: Record<Grouping, string> = {
      file: vscode.l10n.t("By file"),
      api: vscode.l10n.t("By API"),
      verdict: vscode.l10n.t("By verdict"),
    };
    const now = this.grouping();
    const rows = GROUPINGS.map((by) => ({ label: names[by], description: by === now ? vscode.l10n.t("set now") : "", by }));
    const chosen = await vscode.window.showQuickPick(rows, { placeHolder: vscode.l10n.t("What the panel is ordered by") });
    if (!chosen) return;
    await this.remembered.update(GROUPING, chosen.by);
    this.refresh();
  }

  /** Lists all that was found, to be searched by name, verdict, readiness and file, and goes to what is chosen. */
  async search(): Promise<void> {
    this.roots ??= this.read();
    await this.roots;
    const rows = this.files.flatMap((file) =>
      file.apis.map((api) => ({
        label: api.api,
        description: `${api.verdictText}, ${readiness(api.ready, api.places.length)}`,
        detail: file.path,
        use: { file, api },
      })),
    );
    const chosen = await vscode.window.showQuickPick(rows, {
      matchOnDescription: true,
      matchOnDetail: true,
      placeHolder: vscode.l10n.t("A name of torch, a verdict, a file"),
    });
    const place = chosen?.use.api.places[0];
    if (chosen && place) await goTo(chosen.use.file.uri, place);
  }

  private grouping(): Grouping {
    return this.remembered.get<Grouping>(GROUPING, "file");
  }

  private nodes(files: File[]): Node[] {
    const by = this.grouping();
    if (by === "file") return files.map((file) => ({ kind: "file", file }));
    return groups(files.flatMap((file) => file.apis.map((api) => ({ file, api }))), by === "api" ? ["api"] : ["verdict", "api"]);
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
    if (node.kind === "folder") return this.nodes(node.files);
    if (node.kind === "group") {
      if (node.by.length) return groups(node.uses, node.by);
      return node.uses.map(({ file, api }) => ({ kind: "api", file, api, isNamedByFile: true }));
    }
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
      case "group":
        return groupItem(node.name, node.uses);
      case "api":
        return apiItem(node.file, node.api, node.isNamedByFile ?? false);
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
    this.files = files;
    const targets = [...new Set([...notes, ...refusals])].join("; ");
    // An empty panel shows what can be done instead, unless there is something to say.
    const state = [sum(files), ...(await this.progress.since(files))].join("; ");
    this.view.message = files.length ? vscode.l10n.t("{state}; {targets}", { state, targets }) : refusals.join("; ");
    await vscode.commands.executeCommand("setContext", NOTHING_FOUND, found.length > 0 && files.length + refusals.length === 0);
    if (found.length > 1) return found.map((one) => ({ kind: "folder", ...one }));
    return this.nodes(files);
  }
}

function groups(uses: Use[], [first, ...by]: Grouping[]): Node[] {
  if (first === undefined) return [];
  return [...usesBy(uses, first)].map(([name, uses]) => ({ kind: "group", name, uses, by }));
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

function groupItem(name: string, uses: Use[]): vscode.TreeItem {
  const item = new vscode.TreeItem(name.replace(/^torch\./, ""), vscode.TreeItemCollapsibleState.Collapsed);
  const [ready, all] = [total(uses, ({ api }) => api.ready), total(uses, ({ api }) => api.places.length)];
  item.description = readiness(ready, all);
  item.iconPath = icon(uses.map(({ api }) => api));
  item.tooltip = `${name}: ${item.description}`;
  return item;
}

function apiItem(file: File, api: Api, isNamedByFile: boolean): vscode.TreeItem {
  const [first] = api.places;
  const isOne = api.places.length === 1;
  const state = isOne ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed;
  // Every name begins so; a panel is narrow.
  const item = new vscode.TreeItem(isNamedByFile ? file.path : api.api.replace(/^torch\./, ""), state);
  const where = isOne && first ? lineOf(first) : vscode.l10n.t("{count} places", { count: api.places.length });
  item.description = isNamedByFile ? where : vscode.l10n.t("{verdict}, {where}", { verdict: api.verdictText, where });
  item.tooltip = `${api.api}: ${api.verdictText}; ${readiness(api.ready, api.places.length)}`;
  item.iconPath = icon([api]);
  if (isOne && first) item.command = going(file, first);
  return item;
}

/** Of the hardest of some APIs. */
function icon(apis: Api[]): vscode.ThemeIcon {
  if (apis.every((api) => api.ready === api.places.length)) return READY;
  if (apis.some((api) => api.verdict === "none")) return ABSENT;
  return apis.some((api) => api.verdict === "not judged") ? UNKNOWN : OPEN;
}

function lineOf([cell, line]: Place): string {
  if (cell < 0) return vscode.l10n.t("line {line}", { line: line + 1 });
  return vscode.l10n.t("cell {cell}, line {line}", { cell: cell + 1, line: line + 1 });
}

function going(file: File, place: Place): vscode.Command {
  return { command: "mindport.goTo", title: "Go to", arguments: [file.uri, place] };
}
