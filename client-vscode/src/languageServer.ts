// The server's life: found, started, asked, restarted. Everything that shows or changes code comes from it.

import * as vscode from "vscode";
import { type Diagnostic, LanguageClient, State, type WorkspaceEdit } from "vscode-languageclient/node";
import { chosenSettings } from "./chosenSettings";
import { RULE_PAGE } from "./explanation";
import { agreeTo, type Candidate, findServer, namedInterpreter } from "./findServer";
import { outsideWorkspace } from "./outsideWorkspace";
import { activeInterpreter } from "./pythonExtensions";
import type { Status } from "./status";

export class LanguageServer {
  /** Where the server was looked for when it was last started. */
  asked: Candidate[] = [];
  private client: LanguageClient | undefined;
  // Starts and stops queue up behind each other, so that two quick restarts never leave two servers.
  private queue: Promise<void> = Promise.resolve();
  private isRestartQueued = false;
  private startedFor = "";
  private readonly started = new vscode.EventEmitter<void>();
  private readonly retargeted = new vscode.EventEmitter<void>();
  /** The server is there, for the first time or again. */
  readonly onDidStart = this.started.event;
  /** The findings speak of another target. */
  readonly onDidChangeTarget = this.retargeted.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** Starts the server anew, with what the settings say then. A restart that waits already is enough. */
  restart(): Promise<void> {
    if (this.isRestartQueued) return this.queue;
    this.isRestartQueued = true;
    return this.inQueue(async () => {
      this.isRestartQueued = false;
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Whether the settings may name another server by now than when it was started. */
  get isOutdated(): boolean {
    return this.startedFor !== startingPoint();
  }

  stop(): Promise<void> {
    return this.inQueue(() => this.stopNow());
  }

  /** The answer to a request; undefined where there is no server, which the status says. */
  async ask<Answer>(method: string, parameters: object): Promise<Answer | undefined> {
    await this.queue;
    if (!this.client?.isRunning()) return undefined;
    return (await this.client.sendRequest<Answer | null>(method, parameters)) ?? undefined;
  }

  /** The editor's form of an edit of the protocol. */
  async asEdit(edit: WorkspaceEdit): Promise<vscode.WorkspaceEdit | undefined> {
    return this.client?.protocol2CodeConverter.asWorkspaceEdit(edit);
  }

  /** The editor's form of diagnostics of the protocol. */
  async asDiagnostics(diagnostics: Diagnostic[]): Promise<vscode.Diagnostic[]> {
    return (await this.client?.protocol2CodeConverter.asDiagnostics(diagnostics)) ?? [];
  }

  private inQueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error: unknown) => {
      this.log.error(String(error));
      this.status.fail(vscode.l10n.t("the server failed; see the logs"));
    });
    return this.queue;
  }

  private async startNow(): Promise<void> {
    this.status.begin();
    this.startedFor = startingPoint();
    const times = new StartTimes(this.log);
    this.asked = await findServer(this.context, this.log);
    if (this.isRestartQueued) return; // as when trust is granted, which also changes settings
    const found = this.asked.at(-1);
    if (found?.version === undefined) {
      this.status.fail(vscode.l10n.t("no server found"));
      void this.offer();
      return;
    }
    times.found();
    if (this.asked.some(({ isUnasked, where }) => isUnasked && where.startsWith("setting"))) void this.offer();
    const client = (this.client = new LanguageClient(
      "mindport",
      "mindport",
      { command: found.command, args: [...found.args, "server"], options: outsideWorkspace(found.cwd) },
      {
        documentSelector: [
          { language: "python", scheme: "file" },
          { language: "python", scheme: "untitled" },
          { language: "python", scheme: "vscode-notebook-cell" },
        ],
        outputChannel: this.log,
        traceOutputChannel: this.log,
        // Trust stands beside the settings, which a workspace may bring along.
        initializationOptions: {
          settings: await settings(this.context, undefined),
          trustedWorkspace: vscode.workspace.isTrusted,
          marksInHover: true,
          codeLinks: RULE_PAGE,
        },
        middleware: {
          provideDiagnostics: async (document, previous, token, next) => {
            const report = await next(document, previous, token);
            times.diagnosed();
            return report;
          },
          workspace: {
            configuration: async (parameters, token, next) => {
              const values = await next(parameters, token);
              if (!Array.isArray(values)) return values;
              return Promise.all(
                values.map((value: unknown, place) => {
                  const { section, scopeUri } = parameters.items[place] ?? {};
                  return section === "mindport" ? settings(this.context, scopeUri ? vscode.Uri.parse(scopeUri) : undefined) : value;
                }),
              );
            },
          },
        },
      },
    ));
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) return;
      if (newState === State.Stopped) this.status.fail(vscode.l10n.t("the server has stopped"));
      if (newState !== State.Running) return;
      times.started();
      this.status.show(vscode.l10n.t("running"));
      this.started.fire();
    });
    // The server names the target that its findings speak of, whenever it changes.
    client.onNotification("$/mindport/target", ({ target }: { target: string }) => {
      this.status.show(target);
      this.retargeted.fire();
    });
    await client.start();
  }

  private async stopNow(): Promise<void> {
    const old = this.client;
    this.client = undefined;
    if (old?.needsStop()) await old.stop();
  }

  /** Looks for a server once more where there is none; a server that runs stays, and reads its target again by itself. */
  async environmentAppeared(): Promise<void> {
    await this.queue;
    if (!this.client?.isRunning()) await this.restart();
  }

  /** Tells the server that settings have changed; it then asks for them. */
  async settingsChanged(): Promise<void> {
    await this.queue;
    if (this.client?.isRunning()) await this.client.sendNotification("workspace/didChangeConfiguration", { settings: null });
  }

  /** Asks whether what lies in the workspace may be started, and where no server is, says what to do instead. */
  private async offer(): Promise<void> {
    const start = vscode.l10n.t("Start It");
    const open = vscode.l10n.t("Open Settings");
    const why = vscode.l10n.t("Show What Was Tried");
    const isFound = this.asked.at(-1)?.version !== undefined;
    const unasked = this.asked.find(({ isUnasked }) => isUnasked)?.command;
    const sentences = [
      isFound
        ? vscode.l10n.t("mindport: the settings of the workspace name another server.")
        : vscode.l10n.t(
            "mindport: no server found. It is part of the extension and needs a Python from 3.10 to 3.14: " +
              "install one, or name one in the settings.",
          ),
      ...(unasked ? [vscode.l10n.t("{program} comes with the workspace: start it if it is yours.", { program: unasked })] : []),
    ];
    const choices = [...(unasked ? [start] : []), ...(isFound ? [] : [open, why])];
    const choice = await vscode.window.showWarningMessage(sentences.join(" "), ...choices);
    if (choice === open) void vscode.commands.executeCommand("workbench.action.openSettings", "mindport.interpreter");
    if (choice === why) void vscode.commands.executeCommand("mindport.debugInformation");
    if (choice !== start || !unasked) return;
    await agreeTo(this.context, unasked);
    await this.restart();
  }
}

/** Tells the log what the start took, part by part, until the first diagnostics are there. */
class StartTimes {
  private before: number | undefined = performance.now();

  constructor(private readonly log: vscode.LogOutputChannel) {}

  found = (): void => this.tell("server found", true);
  started = (): void => this.tell("server started", true);
  diagnosed = (): void => this.tell("first diagnostics", false);

  private tell(what: string, isMoreToCome: boolean): void {
    if (this.before === undefined) return;
    const now = performance.now();
    this.log.info(`${what} after ${Math.round(now - this.before)} ms`);
    this.before = isMoreToCome ? now : undefined;
  }
}

/** What decides which server is started. */
function startingPoint(): string {
  const given = vscode.workspace.getConfiguration("mindport");
  return JSON.stringify([vscode.workspace.isTrusted, given.get("path"), given.get("interpreter")]);
}

/** The settings as the server reads them, of a folder or of the whole workspace; the interpreter that is active there
    counts where none is named. */
async function settings(context: vscode.ExtensionContext, folder: vscode.Uri | undefined): Promise<object> {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  const scope = folder ?? (others.length ? undefined : first?.uri);
  const given = vscode.workspace.getConfiguration("mindport", scope);
  const interpreter = namedInterpreter(context, given) || (vscode.workspace.isTrusted && (await activeInterpreter(scope))) || null;
  return { ...chosenSettings(context, given), interpreter };
}
