// Finds the command that starts the language server. Nothing is installed and nothing else is depended on: a missing
// server is told to the user in one message.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";

const run = promisify(execFile);
const PROBE_MILLISECONDS = 10_000;

export interface ServerCommand {
  command: string;
  args: string[];
}

/** The first candidate that answers `--version`: the settings, then the workspace's environment, then PATH. */
export async function findServer(log: vscode.LogOutputChannel): Promise<ServerCommand | undefined> {
  for (const candidate of candidates()) {
    try {
      const { stdout } = await run(candidate.command, [...candidate.args, "--version"], { timeout: PROBE_MILLISECONDS });
      log.info(`server: ${[candidate.command, ...candidate.args].join(" ")} (${stdout.trim()})`);
      return { command: candidate.command, args: [...candidate.args, "server"] };
    } catch (error) {
      log.debug(`not here: ${candidate.command}: ${String(error)}`);
    }
  }
  return undefined;
}

function* candidates(): Generator<ServerCommand> {
  const settings = vscode.workspace.getConfiguration("mindport");
  const path = settings.get<string>("path", "");
  if (path) yield { command: path, args: [] };
  const interpreter = settings.get<string>("serverInterpreter", "");
  if (interpreter) yield asModule(interpreter);
  // Running an interpreter that a folder brings along is running the folder's code.
  if (vscode.workspace.isTrusted) {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      for (const tail of [["bin", "python"], ["Scripts", "python.exe"]]) {
        const python = join(folder.uri.fsPath, ".venv", ...tail);
        if (existsSync(python)) yield asModule(python);
      }
    }
  }
  yield { command: "mindport", args: [] };
  yield asModule(process.platform === "win32" ? "python" : "python3");
}

function asModule(python: string): ServerCommand {
  return { command: python, args: ["-m", "mindport"] };
}
