// Finds the command that starts the language server. Nothing is installed and no other extension is needed: where the
// project has no mindport of its own, any Python starts the one that the extension brings along.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { isInWorkspace, outsideWorkspace, programsOnPath, PYTHON } from "./outsideWorkspace";
import { activeInterpreters } from "./pythonExtensions";

const run = promisify(execFile);
const PROBE_MILLISECONDS = 20_000;
// Python tells it four times as fast as the command line, which is more than a twentieth of the whole start.
const VERSION_OF_MODULE = "import mindport; print('mindport', mindport.__version__)";
// The server that is part of the extension lies in this folder, with all that it needs.
const BUNDLE = join(__dirname, "..", "server");
const VERSION_OF_BUNDLE = [
  "import sys",
  "if sys.version_info < (3, 10): sys.exit('Python ' + sys.version.split()[0] + ' is too old: 3.10 or later is needed')",
  // Compiled for each Python: the first that says whether there is one for this.
  "import msgspec, mindport; print('mindport', mindport.__version__)",
].join("\n");
// What else an interpreter may be called, where the usual name is an older one.
const OTHER_PYTHONS = ["python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python", "py"];
// Where the programs of a workspace are kept that the user agreed to.
const AGREED = "agreedPrograms";

export interface ServerCommand {
  command: string;
  args: string[];
  /** Python looks for modules there first. */
  cwd?: string;
}

/** A place where the server may be, and what was found there: its version, or why there is none. */
export interface Candidate extends ServerCommand {
  where: string;
  probe: string[];
  version?: string;
  problem?: string;
  /** The user named it, here or in another extension; what else lies in the workspace is started only with consent. */
  isChosen: boolean;
  /** That consent is what it lacks. */
  isUnasked?: boolean;
}

/** Asks the candidates in their order until one tells its version, which is the last of those given back. */
export async function findServer(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<Candidate[]> {
  const asked: Candidate[] = [];
  for await (const candidate of candidates()) {
    asked.push(candidate);
    candidate.problem = refusal(candidate, context);
    const shown = [candidate.command, ...candidate.args].join(" ");
    try {
      if (candidate.problem) throw new Error(candidate.problem);
      const { stdout } = await run(candidate.command, candidate.probe, { timeout: PROBE_MILLISECONDS, ...outsideWorkspace(candidate.cwd) });
      candidate.version = stdout.trim();
      log.info(`server: ${shown} (${candidate.where}): ${candidate.version}`);
      break;
    } catch (error) {
      candidate.problem ??= lastLine(error);
      log.info(`no server: ${shown} (${candidate.where}): ${candidate.problem}`);
    }
  }
  return asked;
}

/** Lets a program of the workspace be started, now and when the workspace is opened again. */
export async function agreeTo(context: vscode.ExtensionContext, program: string): Promise<void> {
  await context.workspaceState.update(AGREED, [...agreed(context), program]);
}

function agreed(context: vscode.ExtensionContext): string[] {
  return context.workspaceState.get<string[]>(AGREED, []);
}

async function* candidates(): AsyncGenerator<Candidate> {
  const settings = vscode.workspace.getConfiguration("mindport");
  for (const [name, make] of [["path", asProgram], ["interpreter", asModule]] as const) {
    for (const program of places(settings, name)) yield make(`setting mindport.${name}`, program, isOfUser(settings, name));
  }
  // Running an interpreter that a folder brings along is running the folder's code.
  if (vscode.workspace.isTrusted) {
    for (const active of await activeInterpreters()) yield asModule("active Python environment", active, true);
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      for (const tail of [["bin", "python"], ["Scripts", "python.exe"]]) {
        const python = join(folder.uri.fsPath, ".venv", ...tail);
        if (existsSync(python)) yield asModule(".venv of the workspace", python);
      }
    }
  }
  for (const program of programsOnPath("mindport")) yield asProgram("PATH", program);
  for (const python of programsOnPath(PYTHON)) yield asModule("PATH", python);
  if (!existsSync(BUNDLE)) return;
  for (const python of places(settings, "interpreter")) yield asBundled(python, isOfUser(settings, "interpreter"));
  const active = vscode.workspace.isTrusted ? await activeInterpreters() : [];
  // Of the workspace's own only the active one, so that nobody is asked about another where any will do.
  const onPath = [PYTHON, ...OTHER_PYTHONS].flatMap(programsOnPath).filter((python) => !isInWorkspace(python));
  for (const python of new Set([...active, ...onPath])) yield asBundled(python, true);
}

/** The interpreter that the settings name for a folder, where the server may start it. */
export function namedInterpreter(context: vscode.ExtensionContext, settings: vscode.WorkspaceConfiguration): string | undefined {
  const name = "interpreter";
  const mayStart = (python: string): boolean => !refusal(asModule("", python, isOfUser(settings, name)), context);
  return places(settings, name).some(mayStart) ? settings.get<string>(name) : undefined;
}

/** What a setting names, as paths: a name is looked up on PATH, a relative path begins in the workspace. */
function places(settings: vscode.WorkspaceConfiguration, name: string): string[] {
  const named = settings.get<string>(name);
  if (!named) return [];
  if (/[\\/]/.test(named)) return [resolve(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir(), named)];
  const found = programsOnPath(named);
  return found.length ? found : [named];
}

/** Whether a setting is the user's own, and not of the workspace. */
function isOfUser(settings: vscode.WorkspaceConfiguration, name: string): boolean {
  return settings.inspect(name)?.globalValue === settings.get(name);
}

function asProgram(where: string, program: string, isChosen = false): Candidate {
  return { where, command: program, args: [], probe: ["--version"], isChosen };
}

function asModule(where: string, python: string, isChosen = false): Candidate {
  return { where, command: python, args: ["-m", "mindport"], probe: ["-c", VERSION_OF_MODULE], isChosen };
}

function asBundled(python: string, isChosen: boolean): Candidate {
  return { ...asModule("part of the extension", python, isChosen), probe: ["-c", VERSION_OF_BUNDLE], cwd: BUNDLE };
}

/** Why a candidate may not be started, if so. */
function refusal(candidate: Candidate, context: vscode.ExtensionContext): string | undefined {
  if (!isAbsolute(candidate.command)) return "not on PATH";
  if (!isInWorkspace(candidate.command)) return undefined;
  if (!vscode.workspace.isTrusted) return "it lies in the workspace, which is not trusted";
  candidate.isUnasked = !candidate.isChosen && !agreed(context).includes(candidate.command);
  return candidate.isUnasked ? "it comes with the workspace, and nobody has said that it may be started" : undefined;
}

function lastLine(error: unknown): string {
  const said = (error as { stderr?: string }).stderr?.trim() || String(error);
  return said.split("\n").at(-1) ?? said;
}
