// The migration report in a tab. The page has no scripts, and its own policy forbids the network.

import * as vscode from "vscode";
import type { LanguageServer } from "./languageServer";

type Report = { type: "page"; html: string } | { type: "refusal"; reason: string };

export async function showReport(server: LanguageServer): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder === undefined) {
    if (!folders.length) void vscode.window.showInformationMessage("mindport: open a folder to report on.");
    return;
  }
  const report = await server.ask<Report>("mindport/report", { uri: folder.uri.toString() });
  if (report?.type === "page") {
    const panel = vscode.window.createWebviewPanel(
      "mindport.report",
      `Migration of ${folder.name}`,
      vscode.ViewColumn.Active,
      { enableScripts: false, enableFindWidget: true, localResourceRoots: [] },
    );
    panel.webview.html = report.html;
  } else if (report !== undefined) {
    void vscode.window.showErrorMessage(`mindport: ${report.reason}`);
  }
}
