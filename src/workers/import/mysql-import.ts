/**
 * The import into one MySQL or MariaDB source. Rows are inserted as they arrive, parents before
 * nested rows. Foreign keys are checked at the end, when all rows are there.
 */
import { invariant } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import { writtenTexts } from '../database/read-texts.js';
import { leftOut } from '../execute/keep-stored.js';
import { plain, type Statement, type Written } from '../database/statement.js';
import type { GivenKeys } from './given-keys.js';
import {
  groupRows,
  insertStatement,
  type LikeRows,
  generatedKeysStatement,
  madeKey,
  partsOf,
} from './mysql-insert.js';
import { MysqlReferences } from './mysql-references.js';
import { MysqlRowChecks } from './mysql-row-checks.js';
import { counterStatement, reachedStatement, takesTrial, trialOf } from './mysql-trial.js';
import { type ImportRow, textOf } from './row-reader.js';
import type { SourceImport, SourceImportSettings } from './source-import.js';

/** How many rows, and how many of their characters, are collected before they are sent. */
const ROWS_MAX = 2048;
const CHARACTERS_MAX = 1 << 20;

/** Rows of an export may have dates without a month or a day. The server lists another mode after this one. */
const UNCHECKED = plain(
  "SET foreign_key_checks = 0, sql_mode = REPLACE(@@sql_mode, 'NO_ZERO_IN_DATE,', '')",
);
const CHECKED = plain(
  "SET foreign_key_checks = 1, sql_mode = CONCAT(@@sql_mode, ',NO_ZERO_IN_DATE')",
);

/** MySQL does not prepare these. */
const SAVEPOINT = { ...plain('SAVEPOINT rowgate_trial'), isCommand: true };
const UNDO = { ...plain('ROLLBACK TO SAVEPOINT rowgate_trial'), isCommand: true };

export class MysqlImport implements SourceImport {
  readonly makesKeysAtOnce = true;
  readonly #settings: SourceImportSettings;
  readonly #references = new MysqlReferences((statements) => this.run(statements));
  readonly #checks = new MysqlRowChecks((statements) => this.run(statements));
  /** The key by table after which the database makes its keys. */
  readonly #passed = new Map<string, number | bigint>();
  #rows: ImportRow[] = [];
  #characters = 0;

  constructor(settings: SourceImportSettings) {
    this.#settings = settings;
  }

  begin(): Promise<unknown> {
    return this.run([UNCHECKED]);
  }

  async take(rows: readonly ImportRow[]): Promise<void> {
    for (const row of rows) {
      this.#rows.push(row);
      this.#characters += row.row.characters;
    }
    if (this.#rows.length >= ROWS_MAX || this.#characters >= CHARACTERS_MAX)
      await this.#insertAll();
  }

  async complete(): Promise<void> {
    await this.#insertAll();
    await this.run([CHECKED]);
  }

  async check(): Promise<void> {
    await this.#references.check((error, entity) => this.#settings.faultOf(error, entity));
    await this.#checks.check();
  }

  async runUnchecked(statements: readonly Statement[]): Promise<readonly Written[]> {
    await this.run([UNCHECKED]);
    const written = await this.run(statements);
    await this.run([CHECKED]);
    return written;
  }

  async record(rows: readonly ImportRow[]): Promise<void> {
    for (const { entity, rows: own } of groupRows(rows)) await this.#references.add(entity, own);
  }

  run(statements: readonly Statement[]): Promise<readonly Written[]> {
    return this.#settings.lease.write(statements, false);
  }

  async makeRoom(rows: readonly ImportRow[]): Promise<void> {
    const groups = groupRows(rows).filter((group) => this.#lacksRoom(group));
    if (groups.length === 0) return;
    await this.run([UNCHECKED]);
    for (const group of groups) await this.#makeRoom(group);
    await this.run([CHECKED]);
  }

  /** Each round inserts the rows whose parents have keys. */
  async #insertAll(): Promise<void> {
    let waiting = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    while (waiting.length > 0) {
      const ready: ImportRow[] = [];
      const others: ImportRow[] = [];
      for (const row of waiting) (fillKey(row) ? ready : others).push(row);
      invariant(ready.length > 0, 'a parent for each row that waits');
      for (const group of groupRows(ready)) await this.#insertGroup(group);
      waiting = others;
    }
  }

  async #insertGroup(group: LikeRows): Promise<void> {
    if (this.#lacksRoom(group)) await this.#makeRoom(group);
    for (const part of partsOf(group)) await this.#insert(part);
    await this.#references.add(group.entity, group.rows);
    await this.#checks.add(group.entity, group.rows);
  }

  /** Whether the database may make a key for the rows that equals an explicit one. */
  #lacksRoom(group: LikeRows): boolean {
    const key = madeKey(group);
    const { highest = 0 } = (key && this.#settings.keys.of(group.entity, key)) ?? {};
    return highest > (this.#passed.get(group.entity.write.table) ?? 0);
  }

  /**
   * Lets the database make keys higher than all explicit ones: inserts a row with the highest, and takes it back. The
   * counter of the table stays where it is then.
   */
  async #makeRoom(group: LikeRows): Promise<void> {
    const { entity, rows } = group;
    const { lease, faultOf, keys } = this.#settings;
    const [row] = rows;
    const key = madeKey(group);
    const given = key && keys.of(entity, key);
    if (!given || !row) return;
    this.#passed.set(entity.write.table, given.highest);
    if (await this.#isReached(given)) return;
    const [counter] = await this.run([counterStatement(given)]);
    if (!takesTrial(given, writtenTexts(counter))) return;
    const trial = insertStatement(trialOf(row, key, String(given.highest)));
    const refused: unknown = await lease
      .write([SAVEPOINT, trial], false, { isExplained: false })
      .then(() => undefined)
      .catch((error: unknown) => error);
    // If the row was refused, its key may be taken later. After a deadlock, the savepoint is gone.
    await this.run([UNDO]).catch((error: unknown) => {
      throw faultOf(refused ?? error, entity);
    });
  }

  /** Whether the table is known to have a key as high as the explicit ones. An import needs no right to read the table. */
  async #isReached(given: GivenKeys): Promise<boolean> {
    try {
      const [found] = await this.run([reachedStatement(given)]);
      return found !== undefined && found.rows.length > 0;
    } catch (error) {
      if (error instanceof SourceError && error.code === 'permission-denied') return false;
      throw error;
    }
  }

  async #insert(part: LikeRows): Promise<void> {
    const { entity, rows } = part;
    const isAwaited = entity.write.checks !== undefined || rows.some(({ ordinal }) => ordinal > 0);
    const key = isAwaited ? madeKey(part) : undefined;
    const read = key ? [generatedKeysStatement(part, key)] : [];
    const statements = [insertStatement(part), ...read];
    const [inserted, made] = await this.run(statements).catch((error: unknown) => {
      throw this.#settings.faultOf(placedFault(error, part), entity);
    });
    if (!key) return;
    const keys = writtenTexts(made);
    // After a trigger has set a key, the session still has the one that it generated before.
    const isOwn = Number(keys[0]?.[0]) === inserted?.insertedKey;
    if (!isOwn || keys.length < rows.length) {
      const own = rows.map(({ row }) => row);
      throw leftOut(entity.name, own, isOwn ? keys.length : 0);
    }
    for (const [index, { row }] of rows.entries()) {
      row.given.set(key.property, keys[index]?.[0] ?? null);
    }
  }
}

/** Copies its parent's key into a row; returns false if the parent has none yet. */
function fillKey({ row, waiting }: ImportRow): boolean {
  if (!waiting) return true;
  const { nesting, parent } = waiting;
  const key = nesting.from.flatMap((name) => textOf(parent.row, name) ?? []);
  if (key.length < nesting.from.length) return false;
  for (const [index, name] of nesting.to.entries()) row.given.set(name, key[index] ?? null);
  return true;
}

/**
 * Adds the place of the row. Reads `Incorrect date value: '…' for column 'since' at row 3`, because such a value is no
 * violation.
 */
function placedFault(error: unknown, { entity, rows }: LikeRows): unknown {
  if (!(error instanceof SourceError)) return error;
  if (error.violation) {
    const { statement = 0, row } = error.at ?? {};
    const tried = statement === 0 && row !== undefined ? rows[row] : undefined;
    return tried ? error.with({ place: tried.row.place }) : error;
  }
  const message = error.cause instanceof Error ? error.cause.message : '';
  const [, column = '', number] =
    /\bcolumn (?:`[^`]*`\.`[^`]*`\.)?['`]([^'`]*)['`] at row (\d+)/i.exec(message) ?? [];
  const row = number === undefined ? undefined : rows[Number(number) - 1];
  if (!row) return error;
  const field = entity.fieldOfColumn(column);
  const { place } = row.row;
  return error.with({ place: field ? `${place}.${field.property}` : place });
}
