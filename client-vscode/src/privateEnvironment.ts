// An environment of our own that holds the server and nothing else, made only when the user asks for it.

import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { isInWorkspace, outsideWorkspace, programsOnPath, PYTHON } from "./outsideWorkspace";
import { activeInterpreters } from "./pythonExtensions";

const PACKAGE = "mindport";

/** The interpreter of the private environment, whether it is there or not. */
export function privatePython(context: vscode.ExtensionContext): string {
  const tail = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  return join(folderOf(context), ...tail);
}

/** Makes the environment and installs the server into it; says whether it is ready. */
export async function makePrivateEnvironment(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const [active] = vscode.workspace.isTrusted ? await activeInterpreters() : [];
  const python = active ?? programsOnPath(PYTHON).find((program) => !isInWorkspace(program));
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "mindport", cancellable: true },
    async (progress, token) => {
      try {
        if (python === undefined) throw new Error(`${PYTHON}: not on PATH outside of the workspace`);
        await mkdir(context.globalStorageUri.fsPath, { recursive: true });
        progress.report({ message: vscode.l10n.t("making an environment") });
        await run(python, ["-m", "venv", folderOf(context)], log, token);
        progress.report({ message: vscode.l10n.t("installing the server") });
        await run(privatePython(context), ["-m", "pip", "install", "--upgrade", PACKAGE], log, token);
        return true;
      } catch (error) {
        log.error(String(error));
        if (!token.isCancellationRequested) {
          const choice = await vscode.window.showErrorMessage(
            vscode.l10n.t("mindport could not be installed: {reason}", { reason: String(error) }),
            vscode.l10n.t("Show Logs"),
          );
          if (choice) log.show();
        }
        return false;
      }
    },
  );
}

function folderOf(context: vscode.ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, "environment");
}

/** Runs a command, its output in the log; rejects where it fails or is cancelled. */
function run(command: string, args: string[], log: vscode.LogOutputChannel, token: vscode.CancellationToken): Promise<void> {
  log.info([command, ...args].join(" "));
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...outsideWorkspace() });
    let last = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        last = text.trim().split("\n").at(-1) || last;
        log.info(text.trimEnd());
      });
    }
    const cancelled = token.onCancellationRequested(() => child.kill());
    child.on("error", reject);
    child.on("close", (code) => {
      cancelled.dispose();
      if (code === 0) resolve();
      else reject(new Error(last || `${command} ended with ${code}`));
    });
  });
}
