// Puts the parts together: the server, what is shown of it, and the commands.

import * as vscode from "vscode";
import { ConversionPreview } from "./conversion";
import { showDebugInformation } from "./debugInformation";
import { Explanations } from "./explanation";
import { LanguageServer } from "./languageServer";
import { goTo, MigrationTree } from "./migrationTree";
import { NotebookDiagnostics } from "./notebookDiagnostics";
import { Porting } from "./porting";
import { onDidChangeInterpreter, onNewEnvironment } from "./pythonExtensions";
import { showReport } from "./report";
import { openSample } from "./sample";
import { Status } from "./status";
import { chooseTarget } from "./targets";

let server: LanguageServer;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("mindport", { log: true });
  const status = new Status();
  server = new LanguageServer(context, log, status);
  const conversion = new ConversionPreview(server);
  const explanations = new Explanations(server);
  const tree = new MigrationTree(server, context.workspaceState);
  const notebooks = new NotebookDiagnostics(server);
  const porting = new Porting(server, context.workspaceState);

  const commands: Record<string, (...given: never[]) => unknown> = {
    restart: () => server.restart(),
    showLogs: () => log.show(),
    debugInformation: () => showDebugInformation(context, server),
    checkWorkspace: () => checkWorkspace(tree),
    refreshMigration: () => tree.refresh(),
    groupMigration: () => tree.group(),
    searchMigration: () => tree.search(),
    goTo,
    showReport: () => showReport(server),
    fixFile: () => withEditor(({ document }) => conversion.applySafeFixes(document.uri)),
    convertFile: () => withEditor(({ document }) => conversion.show(document)),
    applyConversion: () => conversion.apply(),
    toggleUnsafe: () => conversion.toggleUnsafe(),
    explain: () => withEditor((editor) => explanations.show(editor)),
    chooseTarget: () => chooseTarget(server),
    openSample: () => openSample(context),
    portProject: () => porting.port(),
    tryPort: () => porting.try(),
    tryFile: () => withEditor(({ document }) => porting.try(document.uri)),
  };
  context.subscriptions.push(
    log,
    status,
    conversion,
    explanations,
    tree,
    notebooks,
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`mindport.${name}`, run)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.restart()),
    onDidChangeInterpreter(() => void server.restart()),
    onNewEnvironment(() => void server.environmentAppeared()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("mindport")) return;
      void (server.isOutdated ? server.restart() : server.settingsChanged());
    }),
  );
  void server.restart();
}

export async function deactivate(): Promise<void> {
  await server.stop();
}

/** Checks every file, open or not, and shows what was found and the panel. */
async function checkWorkspace(tree: MigrationTree): Promise<void> {
  tree.refresh();
  await vscode.commands.executeCommand("workbench.actions.view.problems");
  await vscode.commands.executeCommand("mindport.migration.focus");
  await server.ask("workspace/executeCommand", { command: "mindport.index" });
}

async function withEditor(work: (editor: vscode.TextEditor) => Promise<void>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === "python") await work(editor);
  else void vscode.window.showInformationMessage(vscode.l10n.t("mindport: open a Python file first."));
}
