// Choosing what the code is ported to: the choice becomes a setting of the workspace, or of the file's folder in it.

import * as vscode from "vscode";
import { chosenValue } from "./chosenSettings";
import type { LanguageServer } from "./languageServer";

interface Targets {
  version: string | null;
  device: string | null;
  mode: string | null;
  reasons: string[];
  versions: string[];
  devices: string[];
  modes: string[];
}

interface Part extends vscode.QuickPickItem {
  setting: string;
  choices: string[];
}

interface Choice extends vscode.QuickPickItem {
  value: string | undefined;
}

export async function chooseTarget(server: LanguageServer): Promise<void> {
  const file = vscode.window.activeTextEditor?.document.uri;
  const targets = await server.ask<Targets>("mindport/targets", { uri: file?.toString() ?? "" });
  if (targets === undefined) return;
  const part = await vscode.window.showQuickPick(parts(targets), { title: vscode.l10n.t("mindport: target") });
  if (part === undefined) return;
  const settings = vscode.workspace.getConfiguration("mindport", file);
  const choice = await vscode.window.showQuickPick(choices(part, chosenValue(settings, part.setting)), {
    title: `mindport: ${part.label.toLowerCase()}`,
  });
  if (choice === undefined) return;
  await settings.update(part.setting, choice.value, placeOfChoice(file));
}

function placeOfChoice(file: vscode.Uri | undefined): vscode.ConfigurationTarget {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (!folders.length) return vscode.ConfigurationTarget.Global;
  const isOneOfSeveral = folders.length > 1 && file !== undefined && vscode.workspace.getWorkspaceFolder(file) !== undefined;
  return isOneOfSeveral ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace;
}

function parts(targets: Targets): Part[] {
  const part = (label: string, setting: string, present: string | null, choices: string[]): Part => ({
    label,
    setting,
    choices,
    ...(present === null ? {} : { description: present }),
  });
  const found = [
    part(vscode.l10n.t("Version"), "targetVersion", targets.version, ["auto", ...targets.versions]),
    part(vscode.l10n.t("Device"), "device", targets.device, ["auto", ...targets.devices]),
    part(vscode.l10n.t("Mode"), "mode", targets.mode, targets.modes),
  ];
  // The reasons tell of version and device together; they are read before the first choice.
  const [first] = found;
  if (first) first.detail = targets.reasons.join("; ");
  return found;
}

function choices(part: Part, present: unknown): Choice[] {
  const unset: Choice = { label: vscode.l10n.t("As pyproject.toml says"), value: undefined };
  const all = [unset, ...part.choices.map((value): Choice => ({ label: value, value }))];
  return all.map((one) => (one.value === present ? { ...one, description: vscode.l10n.t("set now") } : one));
}
