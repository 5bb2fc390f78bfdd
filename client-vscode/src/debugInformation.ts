// What a report of a problem should say, as text that the user can read before it is given away.

import * as vscode from "vscode";
import { chosenSettings, chosenValue } from "./chosenSettings";
import type { LanguageServer } from "./languageServer";

export async function showDebugInformation(context: vscode.ExtensionContext, server: LanguageServer): Promise<void> {
  const extension = context.extension.packageJSON as { version: string };
  const file = vscode.window.activeTextEditor?.document.uri;
  const given = vscode.workspace.getConfiguration("mindport", file);
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
        settings: { path: chosenValue(given, "path"), ...chosenSettings(context, given) },
      },
      undefined,
      2,
    ),
    "```",
  ];
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: lines.join("\n") + "\n" });
  await vscode.window.showTextDocument(document);
}
