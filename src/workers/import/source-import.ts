/** The part of an import that one source takes: a transaction on its own connection. */
import { invariant } from '../../engine/index.js';
import type { Lease } from '../database/lease.js';
import type { Statement, Written } from '../database/statement.js';
import type { KeyRegistry } from './given-keys.js';
import type { ImportEntity } from './import-entity.js';
import type { ImportRow } from './row-reader.js';

/** Runs statements in the transaction of an import. */
export type Run = (statements: readonly Statement[]) => Promise<readonly Written[]>;

/** The owner of the connection commits the import, or rolls it back. */
export interface SourceImport {
  /**
   * Whether rows without a key get one when they are taken, so that all other rows must come first.
   */
  readonly makesKeysAtOnce: boolean;
  begin(): Promise<unknown>;
  /** Takes rows, parents before nested rows. An error may be reported by a later call. */
  take(rows: readonly ImportRow[]): Promise<void>;
  /** Call this after the last row, when all keys are known. */
  complete(): Promise<void>;
  /**
   * Stores the rows of an entity, unless `take` has. Entities come after those that they refer to,
   * except in cycles: `circle` are the later ones that the entity refers to, which may be stored with it. Returns the entities
   * that are stored, and how many rows of each the database has left out.
   */
  store?(
    entity: ImportEntity,
    circle: readonly ImportEntity[],
  ): Promise<ReadonlyMap<ImportEntity, number>>;
  run: Run;
  /** Call this before statements that store these rows, so that no key made for them is that of another row of the document. */
  makeRoom?(rows: readonly ImportRow[]): Promise<void>;
  /** Runs statements that store rows; `check` finds which of these refer to missing ones. */
  runUnchecked?: Run;
  /** Records rows that such statements have stored; they have the keys of their parents. */
  record?(rows: readonly ImportRow[]): Promise<void>;
  /** Checks what could not be checked row by row. */
  check(): Promise<void>;
  /** Resolves when no statement is running any more, whether it failed or not. */
  idle?(): Promise<void>;
}

export interface SourceImportSettings {
  readonly lease: Lease;
  readonly source: string;
  readonly keys: KeyRegistry;
  /** Translates the error of a statement on the table of an entity. */
  readonly faultOf: (error: unknown, entity?: ImportEntity) => unknown;
}

/** The import of each source, by its name. */
export type Imports = ReadonlyMap<string, SourceImport>;

export function importOf(imports: Imports, source: string): SourceImport {
  const found = imports.get(source);
  invariant(found, `the source ${source} of the stage`);
  return found;
}
