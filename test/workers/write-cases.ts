/** The write cases: queries with their data, and their effect on the tables. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** A query with its data, and its expected result. */
export interface WriteCase {
  readonly comment: string;
  readonly query: string;
  readonly data?: unknown;
  /** The answer, if the case is not refused. */
  readonly answer?: unknown;
  /** For each changed table, the rows that are removed (-) and those that are added (+). */
  readonly tables?: Readonly<Record<string, unknown>>;
  /** The problem, if the case is refused. No table has changed then. */
  readonly problem?: unknown;
}

/** A file of cases on one topic. */
export interface WriteTopic {
  readonly name: string;
  readonly cases: readonly WriteCase[];
}

const folder = new URL('./write-cases/', import.meta.url);

/** Reads all files of cases. */
export function readWriteTopics(): readonly WriteTopic[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    cases: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  }));
}

/** Writes a file of cases; `biome format` formats it. */
export function writeTopicFile({ name, cases }: WriteTopic): void {
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(cases, null, 2)}\n`);
}
