// How processes are started so that nothing of a workspace is run, imported or picked by chance. The editor may have been
// started in the workspace's folder, with a PATH and a PYTHONPATH that name folders relatively or lead there.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import * as vscode from "vscode";

/** What an interpreter is called that nobody has named. */
export const PYTHON = process.platform === "win32" ? "python" : "python3";

/** Where a process runs and what it sees: Python looks for modules in its folder, which is one of ours, and in PYTHONPATH. */
export function outsideWorkspace(cwd: string = __dirname): { cwd: string; env: NodeJS.ProcessEnv } {
  const folders = absoluteFolders(process.env.PYTHONPATH).filter((folder) => !isInWorkspace(folder));
  // Emptied and not left out, because the language client adds this to what it has.
  return { cwd, env: { ...process.env, PYTHONPATH: folders.join(delimiter) } };
}

/** The absolute paths of a program on PATH: those in the workspace, and the first that lies elsewhere. The system would
    look in the folder where the editor was started, too. */
export function programsOnPath(name: string): string[] {
  const file = process.platform === "win32" && !name.toLowerCase().endsWith(".exe") ? `${name}.exe` : name;
  const found = absoluteFolders(process.env.PATH)
    .map((folder) => join(folder, file))
    .filter(isProgram);
  const elsewhere = found.find((program) => !isInWorkspace(program));
  return found.filter((program) => program === elsewhere || isInWorkspace(program));
}

/** Whether a path lies in a folder of the workspace, or leads into one. */
export function isInWorkspace(path: string): boolean {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => real(uri.fsPath));
  const places = [join(real(dirname(path)), "_"), real(path)];
  return folders.some((folder) => places.some((place) => isBelow(place, folder)));
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function absoluteFolders(list: string | undefined): string[] {
  return (list ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What is there in truth; of what is not there, the nearest folder that is. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), path.slice(parent.length));
  }
}
