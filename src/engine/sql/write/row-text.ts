/**
 * Statements for rows of the data: their text follows from which properties are there, and whether
 * one row is written or a list of them. No value is ever part of it.
 */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import type { DialectName } from '../../schema/model.js';
import { dialectOf } from '../dialects.js';
import type { WriteDialect } from './write-dialect.js';
import { writeDialectOf } from './write-dialects.js';
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
  readonly many: boolean;
}

export interface RowText {
  readonly text: string;
  /** The fields whose values are its parameters, in their order. */
  readonly fields: readonly WriteField[];
  /** Whether the row's number in the list is the first of the returned columns. */
  readonly isNumbered: boolean;
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

function insertText({ write, dialect, alias }: RowTarget, shape: RowShape): RowText {
  const own = writeDialectOf(dialect);
  const fields = write.fields.filter(
    ({ property }) => shape.given.has(property) || shape.defaulted.has(property),
  );
  const table = write.returning ? `${write.table} AS ${alias}` : write.table;
  const returning = own.returning(returnedColumns(write, dialect, ''));
  const result = { fields, isNumbered: false };
  if (fields.length === 0) return { ...result, text: own.defaultRow(table) + returning };
  const columns = fields.map(({ column }) => column).join(', ');
  const into = `INSERT INTO ${table} (${columns})`;
  const conflict = conflictText(own, { write, dialect, alias }, shape);
  return {
    ...result,
    text: `${into} ${source(own, dialect, fields, shape.many)}${conflict}${returning}`,
  };
}

/** VALUES of one row, whose placeholders take the types of their columns; a SELECT of many. */
function source(
  own: WriteDialect,
  dialect: DialectName,
  fields: readonly WriteField[],
  many: boolean,
): string {
  const next = placeholders(dialect);
  const written = (field: WriteField, sql: string) => writtenSql(dialectOf(dialect), field, sql);
  if (!many) return `VALUES (${fields.map((field) => written(field, next())).join(', ')})`;
  const list = fields.map((field, index) => written(field, `given.c${index + 1}`)).join(', ');
  return `SELECT ${list} FROM ${own.givenRows(fields, next)} ORDER BY given.ord`;
}

function conflictText(own: WriteDialect, { write, alias }: RowTarget, shape: RowShape): string {
  if (shape.keys.length === 0) return '';
  const keys = write.fields.filter(({ property }) => shape.keys.includes(property));
  const others = write.fields.filter(
    ({ property }) => shape.given.has(property) && !shape.keys.includes(property),
  );
  const fixed = others.filter((field) => field.fixed !== undefined);
  const updated = others.filter((field) => field.fixed === undefined);
  return own.onConflict(keys, updated, { fixed, table: write.returning ? alias : write.table });
}

function updateText({ write, dialect, alias }: RowTarget, shape: RowShape): RowText {
  const own = writeDialectOf(dialect);
  const next = placeholders(dialect);
  const keys = write.fields.filter(({ property }) => shape.keys.includes(property));
  const assigned = write.fields.filter(
    ({ property }) => shape.given.has(property) && !shape.keys.includes(property),
  );
  const fields = [...assigned, ...keys];
  const written = (field: WriteField, sql: string) => writtenSql(dialectOf(dialect), field, sql);
  const returned = returnedColumns(write, dialect, `${alias}.`);
  if (!shape.many) {
    const assignments = unlessEmpty(
      assigned.map((field) => `${field.column} = ${written(field, next())}`),
      keys,
      alias,
    );
    const conditions = keys.map(({ column }) => `${alias}.${column} = ${next()}`);
    const head = `UPDATE ${write.table} ${alias} SET ${assignments.join(', ')}`;
    const text = `${head} WHERE ${conditions.join(' AND ')}${own.returning(returned)}`;
    return { text, fields, isNumbered: false };
  }
  const value = (field: WriteField) => `given.c${fields.indexOf(field) + 1}`;
  const text = own.updateGiven({
    table: write.table,
    alias,
    given: own.givenRows(fields, next),
    assignments: unlessEmpty(
      assigned.map((each) => `${each.column} = ${written(each, value(each))}`),
      keys,
      alias,
    ),
    conditions: keys.map((each) => `${alias}.${each.column} = ${value(each)}`),
  });
  return { text: text + own.returning(['given.ord', ...returned]), fields, isNumbered: true };
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
  return write.returned.flatMap((name) => {
    const expression = write.returning?.[name];
    if (expression !== undefined) return [`${expression} AS ${quoting.quoteAlias(name)}`];
    const field = write.fields.find(({ property }) => property === name);
    return field ? [`${prefix}${field.column} AS ${quoting.quoteAlias(name)}`] : [];
  });
}

function placeholders(dialect: DialectName): () => string {
  const numbering = dialectOf(dialect);
  let count = 0;
  return () => {
    count += 1;
    return numbering.placeholder(count);
  };
}
