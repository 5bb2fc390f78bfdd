// What somebody has set. Defaults are not among it: where nothing is set, pyproject.toml counts.

import type * as vscode from "vscode";

/** The value of one setting where somebody has set it, in the settings of the user, the workspace or the folder. */
export function chosenValue(given: vscode.WorkspaceConfiguration, name: string): unknown {
  const found = given.inspect(name);
  const isSet = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((value) => value !== undefined);
  return isSet ? given.get(name) : undefined;
}

/** The settings of the server that somebody has set; those of the extension itself are not for it. */
export function chosenSettings(context: vscode.ExtensionContext, given: vscode.WorkspaceConfiguration): Record<string, unknown> {
  const manifest = context.extension.packageJSON as { contributes: { configuration: { properties: object } } };
  const names = Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace(/^mindport\./, ""));
  const found = names.filter((name) => name !== "path" && !name.includes(".")).map((name) => [name, chosenValue(given, name)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null));
}
