// What a report of a problem should say, as text that the user can read before it is given away.

import * as vscode from "vscode";
import type { LanguageServer } from "./languageServer";

export async function showDebugInformation(context: vscode.ExtensionContext, server: LanguageServer): Promise<void> {
  const extension = context.extension.packageJSON as { version: string };
  const file = vscode.window.activeTextEditor?.document.uri;
  const lines = [
    "# mindport: debug information",
    "",
    `- extension: ${extension.version}`,
    `- editor: ${vscode.env.appName} ${vscode.version} on ${process.platform} ${process.arch}`,
    `- workspace: ${vscode.workspace.workspaceFolders?.length ?? 0} folders, ${vscode.workspace.isTrusted ? "trusted" : "not trusted"}`,
    "",
    "## Where the server was looked for",
    "",
    ...server.asked.map(
      ({ where, command, args, version, problem }) => `- ${where}: \`${[command, ...args].join(" ")}\`: ${version ?? problem}`,
    ),
    "",
    "## Target and settings",
    "",
    "```json",
    JSON.stringify(
      {
        target: (await server.ask<object>("mindport/targets", { uri: file?.toString() ?? "" })) ?? null,
        settings: set(vscode.workspace.getConfiguration("mindport", file)),
      },
      undefined,
      2,
    ),
    "```",
  ];
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: lines.join("\n") + "\n" });
  await vscode.window.showTextDocument(document);
}

/** The settings that are not at their defaults. */
function set(settings: vscode.WorkspaceConfiguration): object {
  const names = Object.keys({ ...settings }).filter((name) => typeof settings[name] !== "function");
  return Object.fromEntries(names.map((name) => [name, settings[name]]).filter(([, value]) => value !== null && value !== ""));
}
