// The migration report in a tab. Its script, for search and filters, does not run here; its own policy forbids the network.

import * as vscode from "vscode";
import { chosenFolder } from "./chosenFolder";
import type { LanguageServer } from "./languageServer";

type Report = { type: "page"; html: string } | { type: "refusal"; reason: string };

export async function showReport(server: LanguageServer): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    if (!vscode.workspace.workspaceFolders?.length) void vscode.window.showInformationMessage(vscode.l10n.t("mindport: open a folder to report on."));
    return;
  }
  const report = await server.ask<Report>("mindport/report", { uri: folder.uri.toString() });
  if (report?.type === "page") {
    const panel = vscode.window.createWebviewPanel(
      "mindport.report",
      vscode.l10n.t("Migration of {folder}", { folder: folder.name }),
      vscode.ViewColumn.Active,
      { enableScripts: false, enableFindWidget: true, localResourceRoots: [] },
    );
    const show = (): void => {
      panel.webview.html = themed(report.html);
    };
    show();
    const watch = vscode.window.onDidChangeActiveColorTheme(show);
    panel.onDidDispose(() => watch.dispose());
  } else if (report !== undefined) {
    void vscode.window.showErrorMessage(`mindport: ${report.reason}`);
  }
}

/** The page in the colours of the editor's theme; by itself it takes those of the system. */
function themed(html: string): string {
  const { kind } = vscode.window.activeColorTheme;
  const isDark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
  return html
    .replaceAll("@media (prefers-color-scheme: dark)", isDark ? "@media all" : "@media not all")
    .replace('content="light dark"', `content="${isDark ? "dark" : "light"}"`);
}
