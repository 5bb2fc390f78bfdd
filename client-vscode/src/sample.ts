// The sample that comes with the extension: a copy that may be changed, new each time.

import * as vscode from "vscode";

export async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const place = vscode.Uri.joinPath(context.globalStorageUri, "sample", "classifier.py");
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === place.toString());
  // What is being worked on is not taken away.
  if (!open?.isDirty) await vscode.workspace.fs.copy(vscode.Uri.joinPath(context.extensionUri, "media", "sample", "classifier.py"), place, { overwrite: true });
  await vscode.window.showTextDocument(place);
}
