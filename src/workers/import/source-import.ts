/** The part of an import that one source takes: a transaction on a connection of its own. */
import type { WriteField } from '../../engine/index.js';
import type { Lease } from '../database/lease.js';
import { SourceError } from '../database/source-error.js';
import type { Statement, Written } from '../database/statement.js';
import type { ImportEntity } from './import-entity.js';
import type { ImportRow } from './row-reader.js';

/** Whoever holds the connection commits it, or undoes everything. */
export interface SourceImport {
  /** Whether rows without a key get one when they are taken, so that others must come before them. */
  readonly makesKeysAtOnce: boolean;
  begin(): Promise<unknown>;
  /** Takes rows, each behind its parent; what fails may come out at a later call. */
  take(rows: readonly ImportRow[]): Promise<void>;
  /** No more rows come: all keys are known then. */
  complete(): Promise<void>;
  /** Stores the rows of an entity, unless `take` has; what they refer to comes first, as far as there is an order. */
  store?(entity: ImportEntity): Promise<void>;
  /** Runs other statements in the transaction. */
  run(statements: readonly Statement[]): Promise<readonly Written[]>;
  /** Checks what could not be checked row by row. */
  check(): Promise<void>;
  /** Resolves when nothing is on its way to the database, failed or not. */
  idle?(): Promise<void>;
}

/** What a source's part is made with. */
export interface SourceImportSettings {
  readonly lease: Lease;
  /** The name of the source. */
  readonly source: string;
  /** Translates the error of a statement on the table of an entity. */
  readonly faultOf: (error: unknown, entity?: ImportEntity) => unknown;
}

/** The error of a statement with the place in the document of the row at fault, and of its field. */
export function faultAt(error: SourceError, row: string, field: WriteField | undefined) {
  const { code, sqlstate, cause } = error;
  const place = field ? `${row}.${field.property}` : row;
  return new SourceError(code, { sqlstate, cause, place });
}
