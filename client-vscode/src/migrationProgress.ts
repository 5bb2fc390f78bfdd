// What the panel counted when it first read the workspace, and since when that is.

import * as vscode from "vscode";
import { type File, sum, total } from "./migrationCounts";

const FIRST = "mindport.firstCount"; // in the state of the workspace

interface Count {
  day: string; // as the machine writes days
  references: number;
  ready: number;
  silent: number;
}

export class Progress {
  constructor(private readonly remembered: vscode.Memento) {}

  /** What was counted first, in words; nothing where it is the same, or is counted now. */
  async since(files: File[]): Promise<string[]> {
    if (!files.length) return [];
    const now = { references: total(files, (one) => one.references), ready: total(files, (one) => one.ready), silent: total(files, (one) => one.silent) };
    const first = this.remembered.get<Count>(FIRST);
    if (!first) {
      await this.remembered.update(FIRST, { day: new Date().toLocaleDateString(vscode.env.language), ...now });
      return [];
    }
    if (first.references === now.references && first.ready === now.ready && first.silent === now.silent) return [];
    const before = sum([{ uri: "", path: "", apis: [], ...first }]);
    return [vscode.l10n.t("on {day}: {before}", { day: first.day, before })];
  }
}
