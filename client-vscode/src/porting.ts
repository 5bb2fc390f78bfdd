// Porting a folder of the workspace, and trying its port. The server does both, and shows what came of it.

import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { chosenFolder } from "./chosenFolder";
import type { LanguageServer } from "./languageServer";

const MANIFEST = ".mindport/port.json";

export class Porting {
  constructor(
    private readonly server: LanguageServer,
    private readonly remembered: vscode.Memento,
  ) {}

  /** Asks where the port is to go, and writes it there. */
  async port(): Promise<void> {
    const folder = await chosenFolder();
    const place = folder && (await this.askForPort(folder, vscode.l10n.t("Where the port goes: a new folder, or an earlier port")));
    if (!folder || !place) return;
    await vscode.workspace.saveAll(false); // what is ported is what lies on the disk
    const answer = await this.run("mindport.port", folder.uri, vscode.Uri.file(place));
    if (answer?.type === "ported") await this.remember(folder, place);
  }

  /** Tries the port of a folder, or the file of it that an editor shows (or whose original it shows). */
  async try(file?: vscode.Uri): Promise<void> {
    const folder = file ? vscode.workspace.getWorkspaceFolder(file) : await chosenFolder();
    const place = folder ? await this.portOf(folder) : file && portAround(file.fsPath);
    if (!place) {
      if (file && !folder) void vscode.window.showInformationMessage(vscode.l10n.t("mindport: the file is in no port of the workspace."));
      return;
    }
    await vscode.workspace.saveAll(false);
    const answer = await this.run("mindport.try", vscode.Uri.file(place), ...(file ? [file] : []));
    if (answer?.type === "tried" && folder) await this.remember(folder, place);
  }

  private async run(command: string, ...places: vscode.Uri[]): Promise<{ type: string } | undefined> {
    return this.server.ask("workspace/executeCommand", { command, arguments: places.map(String) });
  }

  /** The folder itself where it is a port; else the port that was made of it last; else what the user says. */
  private async portOf(folder: vscode.WorkspaceFolder): Promise<string | undefined> {
    const known = [folder.uri.fsPath, this.remembered.get<string>(key(folder)) ?? ""].find(isPort);
    return known ?? this.askForPort(folder, vscode.l10n.t("The folder of the port"));
  }

  private async askForPort(folder: vscode.WorkspaceFolder, prompt: string): Promise<string | undefined> {
    const beside = join(dirname(folder.uri.fsPath), `${basename(folder.uri.fsPath)}-mindspore`);
    return vscode.window.showInputBox({
      prompt,
      value: this.remembered.get<string>(key(folder)) ?? beside,
      ignoreFocusOut: true,
      validateInput: (text) => (isAbsolute(text) ? undefined : vscode.l10n.t("Write the whole path.")),
    });
  }

  private async remember(folder: vscode.WorkspaceFolder, place: string): Promise<void> {
    await this.remembered.update(key(folder), place);
  }
}

function key(folder: vscode.WorkspaceFolder): string {
  return `port of ${folder.uri.toString()}`;
}

function isPort(folder: string): boolean {
  return folder !== "" && existsSync(join(folder, MANIFEST));
}

/** The port that a file lies in; it may be beside the workspace. */
function portAround(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  return isPort(folder) ? folder : portAround(folder);
}
