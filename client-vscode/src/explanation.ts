// Everything that is known of the torch name at the cursor, or of a kind of finding, as a page beside the code.

import * as vscode from "vscode";
import type { LanguageServer } from "./languageServer";

const SCHEME = "mindport-explanation";

/** Where the code of a finding leads, with the code for `{code}`; the editor lets it lead to no command. The page comes
    from the server: it needs no network, and is of the version that found what leads to it. */
export const RULE_PAGE = `${SCHEME}:/{code}.md`;

interface Explanation {
  name: string;
  markdown: string;
}

export class Explanations implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly pages = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly server: LanguageServer) {}

  dispose(): void {
    this.registration.dispose();
  }

  async show({ document, selection }: vscode.TextEditor): Promise<void> {
    const { line, character } = selection.active;
    const found = await this.server.ask<Explanation>("mindport/explanation", { uri: document.uri.toString(), line, character });
    if (found === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t("mindport: there is no torch name at the cursor."));
      return;
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${found.name}.md` });
    this.pages.set(uri.path, found.markdown);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  }

  async provideTextDocumentContent({ path }: vscode.Uri): Promise<string> {
    const known = this.pages.get(path);
    if (known !== undefined) return known;
    const rule = path.replace(/^\/|\.md$/g, "");
    return (await this.server.ask<Explanation>("mindport/explanation", { rule }))?.markdown ?? "";
  }
}
