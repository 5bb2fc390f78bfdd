// What the status bar says: the target that findings speak of, or what is amiss. It stands there beside Python code; the
// language status says the same for those who look there.

import * as vscode from "vscode";

const CHOOSE = { command: "mindport.chooseTarget", title: vscode.l10n.t("Choose") };
const LOGS = { command: "mindport.showLogs", title: vscode.l10n.t("Show Logs") };

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("mindport", { language: "python" });
  private readonly bar = vscode.window.createStatusBarItem("mindport.target", vscode.StatusBarAlignment.Right, 90);
  private readonly parts: vscode.Disposable[];

  constructor() {
    this.item.name = "mindport";
    this.bar.name = vscode.l10n.t("mindport: target");
    const follow = (): void => this.showBesidePython();
    this.parts = [
      this.item,
      this.bar,
      vscode.window.onDidChangeVisibleTextEditors(follow), // the logs are an editor, too, and may be the active one
      vscode.window.onDidChangeActiveNotebookEditor(follow),
    ];
    follow();
  }

  begin(): void {
    this.set(vscode.l10n.t("starting"), vscode.LanguageStatusSeverity.Information, LOGS);
    this.item.busy = true;
    this.bar.text = "$(sync~spin) mindport";
  }

  show(text: string): void {
    this.set(text, vscode.LanguageStatusSeverity.Information, CHOOSE);
    this.bar.text = `$(target) ${text}`;
  }

  fail(text: string): void {
    this.set(text, vscode.LanguageStatusSeverity.Warning, LOGS);
    this.bar.text = "$(warning) mindport";
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  private set(text: string, severity: vscode.LanguageStatusSeverity, command: vscode.Command): void {
    this.item.text = text;
    this.item.detail = "mindport";
    this.item.severity = severity;
    this.item.command = command;
    this.item.busy = false;
    this.bar.tooltip = `mindport: ${text} (${command.title})`;
    this.bar.command = command.command;
  }

  private showBesidePython(): void {
    const isPython = vscode.window.visibleTextEditors.some(({ document }) => document.languageId === "python");
    if (isPython || vscode.window.activeNotebookEditor) this.bar.show();
    else this.bar.hide();
  }
}
