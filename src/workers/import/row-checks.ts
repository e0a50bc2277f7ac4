/** Checks rows of an import after they were stored, where a filter of the mapping hides rows. */
import { EngineError, type Fields } from '../../engine/index.js';
import { plain, type Statement } from '../database/statement.js';
import { requireChecks } from '../execute/write-checks.js';
import type { ImportEntity } from './import-entity.js';

/** Where the keys of the imported rows are: the columns `line` and `c0`, `c1` … for the parts of the key. */
export interface ImportedKeys {
  /** The table, or a subselect, as SQL. */
  readonly table: string;
  /** The column with which a row is found again. */
  readonly found: string;
}

/** Finds the first row that does not pass all checks, and the results of these; see {@link requireMet}. */
export function unmetStatement(
  { statement, write }: ImportEntity,
  { table, found }: ImportedKeys,
): Statement {
  const { alias } = statement;
  const { checks = [], fields, primaryKey } = write;
  const results = checks.map(({ sql }) => `(${sql}) IS TRUE`);
  const joined = primaryKey.map((name, index) => {
    const column = fields.find(({ property }) => property === name)?.column;
    return `${alias}.${column} = rowgate_imported.c${index}`;
  });
  return plain(
    `SELECT rowgate_imported.${found}, ${results.join(', ')} FROM ${table} AS rowgate_imported ` +
      `JOIN ${write.table} ${alias} ON ${joined.join(' AND ')} ` +
      `WHERE NOT (${results.join(' AND ')}) ORDER BY rowgate_imported.line LIMIT 1`,
  );
}

/** Throws for the results of the checks, like an insert of the row. */
export function requireMet(
  { name, statement, write }: ImportEntity,
  results: Fields,
  place: string | undefined,
): void {
  const answers = results.map((result) => result ?? null);
  const { dialect } = statement;
  const row = { entity: name, dialect, answers, place, isWritten: () => true };
  requireChecks(write.checks ?? [], row);
}

/** The error for a row that cannot be found after it was stored. */
export function unknownKey({ name, write }: ImportEntity, place?: string): EngineError {
  const key = write.primaryKey.join("', '");
  const detail = `Each row of '${name}' needs a '${key}', because a filter applies to its rows or to those that it refers to.`;
  return new EngineError('import-invalid', detail, place === undefined ? {} : { place });
}
