// Finds the command that starts the language server. Nothing is installed and no other extension is needed.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { privatePython } from "./privateEnvironment";
import { activeInterpreters } from "./pythonExtensions";

const run = promisify(execFile);
const PROBE_MILLISECONDS = 20_000;
// Python tells it four times as fast as the command line, which is more than a twentieth of the whole start.
const VERSION_OF_MODULE = "import mindport; print('mindport', mindport.__version__)";

export interface ServerCommand {
  command: string;
  args: string[];
}

/** A place where the server may be, and what was found there: its version, or why there is none. */
export interface Candidate extends ServerCommand {
  where: string;
  probe: string[];
  version?: string;
  problem?: string;
}

/** Asks the candidates in their order until one tells its version, which is the last of those given back. */
export async function findServer(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<Candidate[]> {
  const asked: Candidate[] = [];
  for await (const candidate of candidates(context)) {
    asked.push(candidate);
    const shown = [candidate.command, ...candidate.args].join(" ");
    try {
      const { stdout } = await run(candidate.command, candidate.probe, { timeout: PROBE_MILLISECONDS });
      candidate.version = stdout.trim();
      log.info(`server: ${shown} (${candidate.where}): ${candidate.version}`);
      break;
    } catch (error) {
      candidate.problem = lastLine(error);
      log.info(`no server: ${shown} (${candidate.where}): ${candidate.problem}`);
    }
  }
  return asked;
}

async function* candidates(context: vscode.ExtensionContext): AsyncGenerator<Candidate> {
  const settings = vscode.workspace.getConfiguration("mindport");
  const path = settings.get<string>("path");
  if (path) yield asProgram("setting mindport.path", path);
  const interpreter = settings.get<string>("interpreter");
  if (interpreter) yield asModule("setting mindport.interpreter", interpreter);
  // Running an interpreter that a folder brings along is running the folder's code.
  if (vscode.workspace.isTrusted) {
    for (const active of await activeInterpreters()) yield asModule("active Python environment", active);
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      for (const tail of [["bin", "python"], ["Scripts", "python.exe"]]) {
        const python = join(folder.uri.fsPath, ".venv", ...tail);
        if (existsSync(python)) yield asModule(".venv of the workspace", python);
      }
    }
  }
  yield asProgram("PATH", "mindport");
  yield asModule("PATH", process.platform === "win32" ? "python" : "python3");
  const own = privatePython(context);
  if (existsSync(own)) yield asModule("private environment", own);
}

function asProgram(where: string, program: string): Candidate {
  return { where, command: program, args: [], probe: ["--version"] };
}

function asModule(where: string, python: string): Candidate {
  return { where, command: python, args: ["-m", "mindport"], probe: ["-c", VERSION_OF_MODULE] };
}

function lastLine(error: unknown): string {
  const said = (error as { stderr?: string }).stderr?.trim() || String(error);
  return said.split("\n").at(-1) ?? said;
}
