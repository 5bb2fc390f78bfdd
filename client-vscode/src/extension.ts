// Starts the language server and shows what it speaks of. Everything else comes from the server.

import * as vscode from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";
import { findServer } from "./server";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let status: vscode.LanguageStatusItem;
// Starts and stops queue up behind each other, so that two quick restarts never leave two servers.
let queue: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("mindport", { log: true });
  status = vscode.languages.createLanguageStatusItem("mindport", { language: "python" });
  status.name = "mindport";
  context.subscriptions.push(
    log,
    status,
    vscode.commands.registerCommand("mindport.restart", restart),
    vscode.commands.registerCommand("mindport.showLogs", () => log.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("mindport.path") || change.affectsConfiguration("mindport.serverInterpreter")) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await inQueue(stop);
}

function restart(): Promise<void> {
  return inQueue(async () => {
    await stop();
    await start();
  });
}

function inQueue(work: () => Promise<void>): Promise<void> {
  queue = queue.then(work).catch((error: unknown) => {
    log.error(String(error));
    show("failed; see the logs", vscode.LanguageStatusSeverity.Error);
  });
  return queue;
}

async function start(): Promise<void> {
  show("starting", vscode.LanguageStatusSeverity.Information, true);
  const server = await findServer(log);
  if (server === undefined) {
    show("server not found", vscode.LanguageStatusSeverity.Warning);
    void vscode.window
      .showWarningMessage("mindport: no server found. Install it with `pip install mindport`, or set its path.", "Open Settings")
      .then((choice) => {
        if (choice) void vscode.commands.executeCommand("workbench.action.openSettings", "mindport.path");
      });
    return;
  }
  client = new LanguageClient("mindport", "mindport", server, {
    documentSelector: [{ language: "python", scheme: "file" }, { language: "python", scheme: "untitled" }],
    outputChannel: log,
    traceOutputChannel: log,
    synchronize: { configurationSection: "mindport" },
    // Trust stands beside the settings, which a workspace may bring along.
    initializationOptions: {
      settings: vscode.workspace.getConfiguration("mindport"),
      trustedWorkspace: vscode.workspace.isTrusted,
    },
  });
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Stopped) show("stopped", vscode.LanguageStatusSeverity.Warning);
  });
  // The server names the target that its findings speak of, whenever it changes.
  client.onNotification("mindport/target", ({ target }: { target: string }) =>
    show(target, vscode.LanguageStatusSeverity.Information),
  );
  await client.start();
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  if (old?.needsStop()) await old.stop();
}

function show(text: string, severity: vscode.LanguageStatusSeverity, busy = false): void {
  status.text = text;
  status.severity = severity;
  status.busy = busy;
  status.command = { command: "mindport.showLogs", title: "Logs" };
}
