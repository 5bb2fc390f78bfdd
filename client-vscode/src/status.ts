// What the language status says: the target that findings speak of, or what is amiss.

import * as vscode from "vscode";

const CHOOSE = { command: "mindport.chooseTarget", title: vscode.l10n.t("Choose") };
const LOGS = { command: "mindport.showLogs", title: vscode.l10n.t("Show Logs") };

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("mindport", { language: "python" });

  constructor() {
    this.item.name = "mindport";
  }

  begin(): void {
    this.set(vscode.l10n.t("starting"), vscode.LanguageStatusSeverity.Information, LOGS);
    this.item.busy = true;
  }

  show(text: string): void {
    this.set(text, vscode.LanguageStatusSeverity.Information, CHOOSE);
  }

  fail(text: string): void {
    this.set(text, vscode.LanguageStatusSeverity.Warning, LOGS);
  }

  dispose(): void {
    this.item.dispose();
  }

  private set(text: string, severity: vscode.LanguageStatusSeverity, command: vscode.Command): void {
    this.item.text = text;
    this.item.detail = "mindport";
    this.item.severity = severity;
    this.item.command = command;
    this.item.busy = false;
  }
}
