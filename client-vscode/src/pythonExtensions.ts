// The Python interpreter that another extension has active, where one is installed. Both are asked softly: an extension
// that depended on them would never start without them.

import * as vscode from "vscode";

const ENVIRONMENTS = "ms-python.vscode-python-envs";
const PYTHON = "ms-python.python";

interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
  onDidChangeEnvironment?: vscode.Event<unknown>;
}

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The executable that is active for a folder of the workspace, or outside of them; undefined where nobody knows one. */
export async function activeInterpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const environment = await (await api<EnvironmentsApi>(ENVIRONMENTS))?.getEnvironment(folder);
  const executable = environment?.execInfo?.run?.executable;
  if (executable) return executable;
  const environments = (await api<PythonApi>(PYTHON))?.environments;
  if (environments === undefined) return undefined;
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  return resolved?.executable.uri?.fsPath;
}

/** The executables that are active for the folders of the workspace, each once. */
export async function activeInterpreters(): Promise<string[]> {
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [undefined];
  const found = await Promise.all(folders.map(activeInterpreter));
  return [...new Set(found.filter((python) => python !== undefined))];
}

/** Calls `listener` whenever another interpreter becomes active, also because an extension that knows one has come: it
    may be installed later, and some are not there before the workspace is trusted. */
export function onDidChangeInterpreter(listener: () => void): vscode.Disposable {
  let present = installed();
  let watched = watch(listener);
  const changes = vscode.extensions.onDidChange(() => {
    if (installed() === present) return;
    present = installed();
    void watched.then((one) => one.dispose());
    watched = watch(listener);
    listener();
  });
  return new vscode.Disposable(() => {
    changes.dispose();
    void watched.then((one) => one.dispose());
  });
}

/** Calls `listener` when an environment is made in a folder of the workspace. What is installed into it later, the server
    itself watches. */
export function onNewEnvironment(listener: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**/.venv/pyvenv.cfg", false, true, true);
  return vscode.Disposable.from(watcher, watcher.onDidCreate(listener));
}

async function watch(listener: () => void): Promise<vscode.Disposable> {
  const events = [
    (await api<EnvironmentsApi>(ENVIRONMENTS))?.onDidChangeEnvironment,
    (await api<PythonApi>(PYTHON))?.environments?.onDidChangeActiveEnvironmentPath,
  ];
  return vscode.Disposable.from(...events.flatMap((event) => (event ? [event(listener)] : [])));
}

function installed(): string {
  return [ENVIRONMENTS, PYTHON].filter((identifier) => vscode.extensions.getExtension(identifier)).join();
}

async function api<T>(identifier: string): Promise<T | undefined> {
  try {
    return await vscode.extensions.getExtension<T>(identifier)?.activate();
  } catch {
    return undefined; // it could not start; that is not ours to tell
  }
}
