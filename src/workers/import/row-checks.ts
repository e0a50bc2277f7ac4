/** Checks rows of an import after they were stored, where a filter of the mapping hides rows. */
import { EngineError } from '../../engine/index.js';
import { writtenTexts } from '../database/read-texts.js';
import { plain, type Statement } from '../database/statement.js';
import { leftOutOfTable } from '../execute/keep-stored.js';
import { requireChecks } from '../execute/write-checks.js';
import type { ImportEntity } from './import-entity.js';
import type { Run } from './source-import.js';

/** Where the keys of the imported rows are: the columns `line` and `c0`, `c1` … for the parts of the key. */
export interface ImportedKeys {
  /** The table, or a subselect, as SQL. */
  readonly table: string;
  /** The column with which a row is found again. */
  readonly found: string;
}

/** How the rows of an entity were stored. */
export interface Storing {
  /** How many rows the table has left out, which is no error. */
  readonly leftOut: number;
  /** The place of a row in the document, by its value in the column `found`. */
  readonly placeOf: (found: string | null) => Promise<string | undefined>;
}

/**
 * Throws for the first row that does not pass its checks, like an insert of the row; and if a row is not found, although
 * the table has stored it: a trigger has changed its key, so nothing is known of it.
 */
export async function checkRows(
  run: Run,
  entity: ImportEntity,
  keys: ImportedKeys,
  { leftOut, placeOf }: Storing,
): Promise<void> {
  const [unmet] = await run([unmetStatement(entity, keys)]);
  const [row] = writtenTexts(unmet);
  if (!row) return;
  const { name, statement, write } = entity;
  const [found = null, isMissing = null, ...results] = row;
  const place = await placeOf(found);
  if (isMissing === null) {
    const answers = results.map((result) => result ?? null);
    const { dialect } = statement;
    const own = { entity: name, dialect, answers, place, isWritten: () => true };
    return requireChecks(write.checks ?? [], own);
  }
  const [counted] = await run([countStatement(entity, keys)]);
  const [[all = '0', present = '0'] = []] = writtenTexts(counted);
  const missing = Number(all) - Number(present);
  if (missing <= leftOut) return;
  throw leftOutOfTable(name, { missing, all: Number(all) }, leftOut === 0 ? { place } : {});
}

/** The error for a row that cannot be found after it was stored. */
export function unknownKey({ name, write }: ImportEntity, place?: string): EngineError {
  const key = write.primaryKey.join("', '");
  const detail = `Each row of '${name}' needs a '${key}', because a filter applies to its rows or to those that it refers to.`;
  return new EngineError('import-invalid', detail, place === undefined ? {} : { place });
}

/**
 * Finds the first row that does not pass all checks, or else one that is missing: 1 for such a row, otherwise null; and the
 * results of the checks.
 */
function unmetStatement(entity: ImportEntity, keys: ImportedKeys): Statement {
  const results = (entity.write.checks ?? []).map(({ sql }) => `(${sql}) IS TRUE`);
  const { joined, column } = joinOf(entity, keys);
  const isMissing = `${column} IS NULL`;
  const columns = [
    `rowgate_imported.${keys.found}`,
    `CASE WHEN ${isMissing} THEN 1 END`,
    ...results,
  ];
  return plain(
    `SELECT ${columns.join(', ')} FROM ${joined} ` +
      `WHERE ${isMissing} OR NOT (${results.join(' AND ')}) ` +
      `ORDER BY ${isMissing}, rowgate_imported.line LIMIT 1`,
  );
}

/** Counts the rows, and those that are found. */
function countStatement(entity: ImportEntity, keys: ImportedKeys): Statement {
  const { joined, column } = joinOf(entity, keys);
  return plain(`SELECT count(*), count(${column}) FROM ${joined}`);
}

/** The keys with the rows that have them, and a column that is null only where there is no row. */
function joinOf({ statement, write }: ImportEntity, { table }: ImportedKeys) {
  const { alias } = statement;
  const columns = write.primaryKey.map((name) => {
    const own = write.fields.find(({ property }) => property === name)?.column;
    return `${alias}.${own}`;
  });
  const equal = columns.map((column, index) => `${column} = rowgate_imported.c${index}`);
  const joined = `${table} AS rowgate_imported LEFT JOIN ${write.table} ${alias} ON ${equal.join(' AND ')}`;
  return { joined, column: columns[0] };
}
