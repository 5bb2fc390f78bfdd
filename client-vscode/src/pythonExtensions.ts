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

/** The executable that is active for the first folder of the workspace; undefined where nobody knows one. */
export async function activeInterpreter(): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const environment = await (await api<EnvironmentsApi>(ENVIRONMENTS))?.getEnvironment(folder);
  const executable = environment?.execInfo?.run?.executable;
  if (executable) return executable;
  const environments = (await api<PythonApi>(PYTHON))?.environments;
  if (environments === undefined) return undefined;
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  return resolved?.executable.uri?.fsPath;
}

/** Calls `listener` whenever another interpreter becomes active. */
export async function onDidChangeInterpreter(listener: () => void): Promise<vscode.Disposable> {
  const events = [
    (await api<EnvironmentsApi>(ENVIRONMENTS))?.onDidChangeEnvironment,
    (await api<PythonApi>(PYTHON))?.environments?.onDidChangeActiveEnvironmentPath,
  ];
  return vscode.Disposable.from(...events.flatMap((event) => (event ? [event(listener)] : [])));
}

async function api<T>(identifier: string): Promise<T | undefined> {
  try {
    return await vscode.extensions.getExtension<T>(identifier)?.activate();
  } catch {
    return undefined; // it could not start; that is not ours to tell
  }
}
