// The folder that a command is about.

import * as vscode from "vscode";

/** The only folder of the workspace, or the one of several that the user picks; undefined where there is none. */
export async function chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 1 ? vscode.window.showWorkspaceFolderPick() : folders[0];
}
