/**
 * Statements for rows of the data: their text follows from which properties are there, and whether
 * one row is written or a list of them. No value is ever part of it.
 */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import type { DialectName } from '../../schema/model.js';
import { dialectOf } from '../../dialects/dialects.js';
import { checkName } from './predicate-sql.js';
import type { WriteDialect } from '../../dialects/write-dialect.js';
import { writtenSql } from './written-sql.js';

/** What the rows of one statement have in common. */
export interface RowShape {
  /** `upsert` and `insert` insert; `update` finds rows by the fields of `keys`. */
  readonly action: RowsWrite['action'];
  /** The properties that the rows have. */
  readonly given: ReadonlySet<string>;
  /** Those that they have only when they are inserted. */
  readonly defaulted: ReadonlySet<string>;
  /** The properties by which a row is found that is there; empty of an insert. */
  readonly keys: readonly string[];
  /** How many rows there are; where they travel as lists, any number above one is the same. */
  readonly rows: number;
}

export interface RowText {
  readonly text: string;
  /** The fields whose values are its parameters, in their order. */
  readonly fields: readonly WriteField[];
  /** Whether the row's number in the list is the first of the returned columns. */
  readonly isNumbered: boolean;
  /** Reads what was stored, where the statement itself does not tell it. */
  readonly reread?: Reread;
}

/** Stands behind the statement. */
export interface Reread {
  /** Undefined where nothing finds the rows again. */
  readonly text: string | undefined;
  /** The fields whose values are its parameters; none where it finds all rows of the statement. */
  readonly fields: readonly WriteField[];
}

/** Where rows go. */
export interface RowTarget {
  readonly write: RowsWrite;
  readonly dialect: DialectName;
  readonly alias: string;
}

/** The statement for rows of that shape. */
export function renderRowText(target: RowTarget, shape: RowShape): RowText {
  return shape.action === 'update' ? updateText(target, shape) : insertText(target, shape);
}

/** Whether one statement may write several rows of that shape, and what it stored be told. */
export function takesMany(target: RowTarget, shape: RowShape): boolean {
  const own = dialectOf(target.dialect).writes;
  if (own.lists) return true;
  if (shape.action === 'update') return false;
  if (returnsInserted(target)) return true;
  // Rows that may have been there are read one by one.
  return shape.keys.length === 0 && madeKey(target, shape) !== undefined;
}

/** Whether the INSERT tells what it has stored: of MariaDB, it cannot name the table in that. */
function returnsInserted({ write, dialect }: RowTarget): boolean {
  const { returnsInserted: support } = dialectOf(dialect).writes;
  return support === 'all' || (support === 'columns' && !isAliased(write));
}

function insertText(target: RowTarget, shape: RowShape): RowText {
  const { write, dialect, alias } = target;
  const own = dialectOf(dialect).writes;
  const fields = write.fields.filter(
    ({ property }) => shape.given.has(property) || shape.defaulted.has(property),
  );
  const returnsStored = returnsInserted(target);
  const table = returnsStored && isAliased(write) ? `${write.table} AS ${alias}` : write.table;
  const returning = returnsStored ? returningText(returnedColumns(write, dialect, '')) : '';
  const reread = returnsStored ? undefined : rereadInserted(target, shape);
  const result = { fields, isNumbered: false, ...(reread && { reread }) };
  if (fields.length === 0) return { ...result, text: own.defaultRow(table) + returning };
  const columns = fields.map(({ column }) => column).join(', ');
  const into = `INSERT INTO ${table} (${columns})`;
  const conflict = conflictText(own, { write, dialect, alias }, shape);
  return {
    ...result,
    text: `${into} ${source(own, dialect, fields, shape.rows)}${conflict}${returning}`,
  };
}

/**
 * The INSERT of rows of several requests, which returns a row for each in their order, or fails: where a trigger
 * leaves one out, it would not be known whose. Undefined where there is no such statement.
 */
export function mergedInsert(target: RowTarget, shape: RowShape): RowText | undefined {
  const { lists } = dialectOf(target.dialect).writes;
  if (!lists?.counted || shape.action !== 'insert' || !returnsInserted(target)) return undefined;
  const { text, fields, isNumbered } = insertText(target, { ...shape, rows: 2 });
  if (fields.length === 0 || target.write.checks) return undefined;
  return { text: lists.counted(text), fields, isNumbered };
}

function returningText(columns: readonly string[]): string {
  return columns.length === 0 ? '' : ` RETURNING ${columns.join(', ')}`;
}

/** Whether expressions over the row are part of the statement. */
function isAliased({ returning, predicate, checks }: RowsWrite): boolean {
  return Boolean(returning ?? predicate ?? checks);
}

/** VALUES, whose placeholders take the types of their columns; a SELECT of lists. */
function source(
  own: WriteDialect,
  dialect: DialectName,
  fields: readonly WriteField[],
  rows: number,
): string {
  const next = placeholders(dialect);
  const written = (field: WriteField, sql: string) => writtenSql(dialectOf(dialect), field, sql);
  if (rows === 1 || !own.lists) {
    const row = () => `(${fields.map((field) => written(field, next())).join(', ')})`;
    return `VALUES ${Array.from({ length: rows }, row).join(', ')}`;
  }
  const list = fields.map((field, index) => written(field, `given.c${index + 1}`)).join(', ');
  return `SELECT ${list} FROM ${own.lists.table(fields, next)} ORDER BY given.ord`;
}

/** Inserted rows are found by the key that was made for them, or by one that was given. */
function rereadInserted(target: RowTarget, shape: RowShape): Reread {
  const { write, dialect } = target;
  const made = shape.keys.length === 0 ? madeKey(target, shape) : undefined;
  if (made) {
    const condition = dialectOf(dialect).writes.madeKeys(made.column, shape.rows);
    const text = `${rereadHead(target)} WHERE ${condition} ORDER BY ${made.column}`;
    return { text, fields: [] };
  }
  const isThere = (name: string) => shape.given.has(name) || shape.defaulted.has(name);
  const keys = [shape.keys, write.primaryKey, write.uniqueKey].find(
    (key) => key.length > 0 && key.every(isThere),
  );
  const written = (field: WriteField, sql: string) => writtenSql(dialectOf(dialect), field, sql);
  return keys ? rereadKeyed(target, keys, written) : { text: undefined, fields: [] };
}

/** The field of the one key that the database makes for rows of that shape. */
function madeKey({ write }: RowTarget, { given }: RowShape): WriteField | undefined {
  const [name, other] = write.primaryKey;
  if (name === undefined || other !== undefined || given.has(name)) return undefined;
  return write.fields.find(({ property, generated }) => property === name && generated);
}

/** What is read is locked, so that it is as of now, whatever the transaction has read before. */
function rereadKeyed(
  target: RowTarget,
  keys: readonly string[],
  value: (field: WriteField, placeholder: string) => string,
): Reread {
  const { write, dialect, alias } = target;
  const next = placeholders(dialect);
  const fields = write.fields.filter(({ property }) => keys.includes(property));
  const conditions = fields.map((field) => `${alias}.${field.column} = ${value(field, next())}`);
  const text = `${rereadHead(target)} WHERE ${conditions.join(' AND ')} FOR UPDATE`;
  return { text, fields };
}

function rereadHead({ write, dialect, alias }: RowTarget): string {
  const columns = returnedColumns(write, dialect, `${alias}.`).join(', ');
  return `SELECT ${columns} FROM ${write.table} ${alias}`;
}

function conflictText(own: WriteDialect, { write, alias }: RowTarget, shape: RowShape): string {
  if (shape.keys.length === 0) return '';
  const keys = write.fields.filter(({ property }) => shape.keys.includes(property));
  const others = write.fields.filter(
    ({ property }) => shape.given.has(property) && !shape.keys.includes(property),
  );
  const fixed = others.filter((field) => field.fixed !== undefined);
  const updated = others.filter((field) => field.fixed === undefined);
  const table = isAliased(write) ? alias : write.table;
  const predicate = write.predicateByName ?? write.predicate;
  return own.onConflict(keys, updated, {
    fixed,
    table,
    ...(predicate !== undefined && { predicate }),
  });
}

function updateText(target: RowTarget, shape: RowShape): RowText {
  const { write, dialect, alias } = target;
  const own = dialectOf(dialect).writes;
  const next = placeholders(dialect);
  const keys = write.fields.filter(({ property }) => shape.keys.includes(property));
  const assigned = write.fields.filter(
    ({ property }) => shape.given.has(property) && !shape.keys.includes(property),
  );
  const fields = [...assigned, ...keys];
  const written = (field: WriteField, sql: string) => writtenSql(dialectOf(dialect), field, sql);
  const returned = returnedColumns(write, dialect, `${alias}.`);
  if (shape.rows === 1 || !own.lists) {
    const assignments = unlessEmpty(
      assigned.map((field) => `${field.column} = ${written(field, next())}`),
      keys,
      alias,
    );
    const conditions = keys.map(({ column, type }) => {
      const key = { sql: next(), type, isLiteral: false };
      const sql = dialectOf(dialect).compared(key, { type, isColumn: true });
      return `${alias}.${column} = ${sql}`;
    });
    if (write.predicate !== undefined) conditions.push(write.predicate);
    const head = `UPDATE ${write.table} ${alias} SET ${assignments.join(', ')}`;
    const text = `${head} WHERE ${conditions.join(' AND ')}`;
    if (own.returnsUpdated) {
      return { text: text + returningText(returned), fields, isNumbered: false };
    }
    return {
      text,
      fields,
      isNumbered: false,
      reread: rereadKeyed(target, shape.keys, (_, placeholder) => placeholder),
    };
  }
  const value = (field: WriteField) => `given.c${fields.indexOf(field) + 1}`;
  const text = own.lists.update({
    table: write.table,
    alias,
    given: own.lists.table(fields, next),
    assignments: unlessEmpty(
      assigned.map((each) => `${each.column} = ${written(each, value(each))}`),
      keys,
      alias,
    ),
    conditions: [
      ...keys.map((each) => `${alias}.${each.column} = ${value(each)}`),
      ...(write.predicate === undefined ? [] : [write.predicate]),
    ],
  });
  return { text: text + returningText(['given.ord', ...returned]), fields, isNumbered: true };
}

/** A row of which nothing is set is still looked up, and locked. */
function unlessEmpty(
  assignments: readonly string[],
  [key]: readonly WriteField[],
  alias: string,
): readonly string[] {
  return assignments.length > 0 || !key ? assignments : [`${key.column} = ${alias}.${key.column}`];
}

function returnedColumns(write: RowsWrite, dialect: DialectName, prefix: string): string[] {
  const quoting = dialectOf(dialect);
  const checks = (write.checks ?? []).map(
    ({ sql }, index) => `${sql} AS ${quoting.quoteAlias(checkName(index))}`,
  );
  const columns = write.returned.flatMap((name) => {
    const expression = write.returning?.[name];
    if (expression !== undefined) return [`${expression} AS ${quoting.quoteAlias(name)}`];
    const field = write.fields.find(({ property }) => property === name);
    return field ? [`${prefix}${field.column} AS ${quoting.quoteAlias(name)}`] : [];
  });
  return [...columns, ...checks];
}

function placeholders(dialect: DialectName): () => string {
  const numbering = dialectOf(dialect);
  let count = 0;
  return () => {
    count += 1;
    return numbering.placeholder(count);
  };
}
