/** The golden cases: queries with the statements that they compile to, read from this folder. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { DataValue } from '../../../src/engine/index.js';

/** A query, and what becomes of it. */
export interface GoldenCase {
  readonly comment: string;
  readonly query: string;
  /** What the query is executed with. */
  readonly data?: DataValue;
  readonly sql?: GoldenSql;
  /** The inferred types by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly error?: GoldenError;
}

/** The text of the one statement, or those of the tree, each before its includes. */
export type GoldenText = string | readonly string[];

export interface GoldenSql {
  readonly postgresql: GoldenText;
  readonly mysql: GoldenText;
}

export interface GoldenError {
  readonly code: string;
  readonly detail: string;
  readonly position?: { readonly ln: number; readonly col: number };
  readonly hint?: string;
}

/** A file of cases about one topic. */
export interface GoldenTopic {
  readonly name: string;
  readonly cases: readonly GoldenCase[];
}

const folder = new URL('./', import.meta.url);

/** Every file of cases. */
export function readTopics(): readonly GoldenTopic[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    cases: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  }));
}

/** Writes a file of cases anew; `biome format` gives it its final shape. */
export function writeTopic({ name, cases }: GoldenTopic): void {
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(cases, null, 2)}\n`);
}
