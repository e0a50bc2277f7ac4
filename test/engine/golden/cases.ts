/** The golden cases: queries with the statements that they compile to, read from this folder. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { DataValue } from '../../../src/engine/index.js';

/** A query with its expected plan or error. */
export interface GoldenCase {
  readonly comment: string;
  readonly query: string;
  /** The data of the request. */
  readonly data?: DataValue;
  readonly sql?: GoldenSql;
  /** The inferred types, by parameter name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly error?: GoldenError;
}

/** The SQL of the statement, or of all statements of the tree, each before its includes. */
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

/** A file of cases on one topic. */
export interface GoldenTopic {
  readonly name: string;
  readonly cases: readonly GoldenCase[];
}

const folder = new URL('./', import.meta.url);

/** Reads all files of cases. */
export function readTopics(): readonly GoldenTopic[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    cases: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  }));
}

/** Writes a file of cases; `biome format` formats it. */
export function writeTopic({ name, cases }: GoldenTopic): void {
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(cases, null, 2)}\n`);
}
