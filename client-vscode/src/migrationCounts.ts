// What the server says of a workspace: its files, what they use of torch, and how much of it is ready.

import * as vscode from "vscode";

/** A cell (-1 in a file that is no notebook), then line, character, end line, end character. */
export type Place = [number, number, number, number, number];

export interface Api {
  api: string;
  verdict: string;
  verdictText: string;
  ready: number;
  places: Place[];
}

export interface File {
  uri: string;
  path: string;
  references: number;
  ready: number;
  silent: number;
  apis: Api[];
}

/** An API in a file. */
export interface Use {
  file: File;
  api: Api;
}

export const GROUPINGS = ["file", "api", "verdict"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Uses by what they have in common, those with the most to do first. */
export function usesBy(uses: Use[], by: Grouping): Map<string, Use[]> {
  const found = new Map<string, Use[]>();
  for (const use of uses) {
    const name = by === "file" ? use.file.path : by === "api" ? use.api.api : use.api.verdictText;
    found.set(name, [...(found.get(name) ?? []), use]);
  }
  const work = (some: Use[]): number => total(some, ({ api }) => api.places.length - api.ready);
  return new Map([...found].sort(([one, some], [other, others]) => work(others) - work(some) || one.localeCompare(other)));
}

/** How much of some files is ready, in words. */
export function sum(files: File[]): string {
  const silent = total(files, (file) => file.silent);
  const [ready, all] = [total(files, (file) => file.ready), total(files, (file) => file.references)];
  return silent ? vscode.l10n.t("{ready} of {all} ready, {silent} silent", { ready, all, silent }) : readiness(ready, all);
}

export function readiness(ready: number, all: number): string {
  return vscode.l10n.t("{ready} of {all} ready", { ready, all });
}

export function total<T>(rows: T[], of: (row: T) => number): number {
  return rows.reduce((before, row) => before + of(row), 0);
}
