/** The cases that write: queries with their data, and what becomes of the tables. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** A query, its data, and what it leaves behind. */
export interface WriteCase {
  readonly comment: string;
  readonly query: string;
  readonly data?: unknown;
  /** Of a case that is answered: the answer. */
  readonly answer?: unknown;
  /** Of each table that is not as before: the rows that are gone (-) and those that have come (+). */
  readonly tables?: Readonly<Record<string, unknown>>;
  /** Of a case that is refused: the problem. No table has changed then. */
  readonly problem?: unknown;
}

/** A file of cases about one topic. */
export interface WriteTopic {
  readonly name: string;
  readonly cases: readonly WriteCase[];
}

const folder = new URL('./write-cases/', import.meta.url);

/** Every file of cases. */
export function readWriteTopics(): readonly WriteTopic[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    name: file.slice(0, -'.json'.length),
    cases: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  }));
}

/** Writes a file of cases anew; `biome format` gives it its final shape. */
export function writeTopicFile({ name, cases }: WriteTopic): void {
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(cases, null, 2)}\n`);
}
