/**
 * Renders the statements that write rows of the data. Their text depends on which properties are
 * present and on whether one row or a list is written, never on a value.
 */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import { invariant } from '../../errors.js';
import type { DialectName, PropertyType } from '../../schema/model.js';
import { dialectOf } from '../../dialects/dialects.js';
import { checkName } from './predicate-sql.js';
import { writtenSql } from './written-sql.js';

/** What the rows of one statement have in common. */
export interface RowShape {
  /** `upsert` and `insert` insert rows; `update` finds rows by the fields in `keys`. */
  readonly action: RowsWrite['action'];
  /** The properties with a value in the data. */
  readonly given: ReadonlySet<string>;
  /** Those of the given keys that are null, which identifies no row; only if rows are read by given keys. */
  readonly nullKeys?: ReadonlySet<string>;
  /** The properties whose default applies if the row is inserted. */
  readonly defaulted: ReadonlySet<string>;
  /** The properties by which an existing row is found; empty for an insert. */
  readonly keys: readonly string[];
  /** The number of rows. If rows are sent as lists, the text is the same for all numbers above one. */
  readonly rows: number;
}

export interface RowText {
  readonly text: string;
  /** The fields whose values are its parameters, in order. */
  readonly fields: readonly WriteField[];
  /** Whether the first returned column is the row's number in the list. */
  readonly isNumbered: boolean;
  /** The statement that reads the stored rows, if this one does not return them. */
  readonly reread?: Reread;
}

/** A statement that runs after the one that writes. */
export interface Reread {
  /** Undefined if nothing identifies the rows. */
  readonly text: string | undefined;
  /**
   * The fields whose values are its parameters; empty if it finds all rows of the previous statement.
   */
  readonly fields: readonly WriteField[];
}

/** Where rows are written. */
export interface RowTarget {
  readonly write: RowsWrite;
  readonly dialect: DialectName;
  readonly alias: string;
}

/** The statement for rows of this shape. */
export function renderRowText(target: RowTarget, shape: RowShape): RowText {
  return shape.action === 'update' ? updateText(target, shape) : insertText(target, shape);
}

/** Whether one statement can write several rows of this shape and report what it stored. */
export function takesMany(target: RowTarget, shape: RowShape): boolean {
  const own = dialectOf(target.dialect).writes;
  if (own.lists) return true;
  if (shape.action === 'update') return false;
  if (returnsInserted(target)) return true;
  // Rows that may already exist are read one by one, and those whose session keeps one number for each of several.
  const isSingle = shape.keys.length > 0 || (own.keptKeys && target.write.primaryKey.length > 1);
  return !isSingle && madeKey(target, shape) !== undefined;
}

/** Whether the INSERT returns what it stored. On MariaDB, RETURNING cannot refer to the table. */
export function returnsInserted({ write, dialect }: RowTarget): boolean {
  const { returnsInserted: support } = dialectOf(dialect).writes;
  return support === 'all' || (support === 'columns' && !isAliased(write));
}

/**
 * Whether rows of this shape may have the same key although its texts differ: in case, in digits, or in what the
 * column rounds. Databases without lists update such rows one by one, and insert them one after the other.
 */
export function mayRepeatKey({ write, dialect }: RowTarget, { keys }: RowShape): boolean {
  if (!dialectOf(dialect).writes.lists) return false;
  return write.fields.some(
    ({ property, type, fixed, writeExp }) =>
      keys.includes(property) && fixed === undefined && (!exactTypes.has(type) || writeExp),
  );
}

/** Equal values of these types have equal texts. */
const exactTypes: ReadonlySet<PropertyType> = new Set(['integer', 'boolean', 'date', 'uuid']);

function insertText(target: RowTarget, shape: RowShape): RowText {
  const { write, dialect, alias } = target;
  const own = dialectOf(dialect).writes;
  const fields = write.fields.filter(
    ({ property }) => shape.given.has(property) || shape.defaulted.has(property),
  );
  const returnsStored = returnsInserted(target);
  const table = returnsStored && isAliased(write) ? `${write.table} AS ${alias}` : write.table;
  const inserted = returnsStored ? undefined : rereadInserted(target, shape);
  const returning = returningText(inserted?.kept ?? returnedColumns(write, dialect, ''));
  const reread = inserted?.reread;
  const result = { fields, isNumbered: false, ...(reread && { reread }) };
  if (fields.length === 0) return { ...result, text: own.defaultRow(table) + returning };
  const columns = fields.map(({ column }) => column).join(', ');
  const overriding = fields.some(({ generated }) => generated) ? (own.overriding ?? '') : '';
  const into = `INSERT INTO ${table} (${columns})${overriding}`;
  const text = `${into} ${source(target, fields, shape.rows)}${conflictText(target, shape)}`;
  return { ...result, text: text + returning };
}

/**
 * An INSERT for the rows of several requests. It returns all rows in their order, or fails: if a
 * trigger skips a row, the others could not be assigned to their requests. Undefined if there is no
 * such statement.
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

/** Whether the statement contains expressions over the row. */
function isAliased({ returning, predicate, checks }: RowsWrite): boolean {
  return Boolean(returning ?? predicate ?? checks);
}

/** VALUES, whose placeholders take the types of their columns, or a SELECT from lists. */
function source(
  { write, dialect }: RowTarget,
  fields: readonly WriteField[],
  rows: number,
): string {
  const { lists } = dialectOf(dialect).writes;
  const next = placeholders(dialect);
  const written = (field: WriteField, sql: string) => writtenSql(dialectOf(dialect), field, sql);
  if (rows === 1 || !lists) {
    const row = () => `(${fields.map((field) => written(field, next())).join(', ')})`;
    return `VALUES ${Array.from({ length: rows }, row).join(', ')}`;
  }
  const value = (field: WriteField, index: number) => lists.value(field, `given.c${index + 1}`);
  const list = fields.map((field, index) => written(field, value(field, index))).join(', ');
  return `SELECT ${list} FROM ${lists.table(fields, next, write.table)} ORDER BY given.ord`;
}

/**
 * A statement that reads inserted rows by their stored keys, or else by generated or given ones. `kept`: what the
 * INSERT returns so that the statement finds them.
 */
function rereadInserted(target: RowTarget, shape: RowShape) {
  const { write, dialect, alias } = target;
  const own = dialectOf(dialect);
  const { given, defaulted, nullKeys } = shape;
  const isThere = (name: string) =>
    (given.has(name) && !nullKeys?.has(name)) || defaulted.has(name);
  const { keptKeys } = own.writes;
  if (keptKeys) {
    const isField = (name: string) => write.fields.some(({ property }) => property === name);
    const key = keyAmong([write.primaryKey], isField) ?? keyAmong([write.uniqueKey], isThere);
    if (!key) return { kept: [], reread: { text: undefined, fields: [] } };
    const fields = fieldsOf(write, key);
    const from = keptKeys.from(write.table, alias, fields, shape.rows);
    const text = `SELECT ${returnedColumns(write, dialect, `${alias}.`).join(', ')} ${from}`;
    return { kept: keptKeys.returned(fields, shape.rows), reread: { text, fields: [] } };
  }
  const made = shape.keys.length === 0 ? madeKey(target, shape) : undefined;
  if (made) {
    const condition = own.writes.generatedKeys(made.column, shape.rows);
    const text = `${rereadHead(target)} WHERE ${condition} ORDER BY ${made.column}`;
    return { kept: [], reread: { text, fields: [] } };
  }
  const key = keyAmong([shape.keys, write.primaryKey, write.uniqueKey], isThere);
  const stored = (field: WriteField, sql: string) => own.writes.asStored?.(sql, field) ?? sql;
  const reread = key ? rereadKeyed(target, key, stored) : { text: undefined, fields: [] };
  return { kept: [], reread };
}

function keyAmong(keys: readonly (readonly string[])[], isKnown: (name: string) => boolean) {
  return keys.find((key) => key.length > 0 && key.every(isKnown));
}

function fieldsOf({ fields }: RowsWrite, key: readonly string[]): readonly WriteField[] {
  return fields.filter(({ property }) => key.includes(property));
}

/** The field of a key that the database generates for rows of this shape, if all others of the key have values. */
function madeKey(
  { write }: RowTarget,
  { given, defaulted, nullKeys }: RowShape,
): WriteField | undefined {
  const isThere = (each: string) =>
    (given.has(each) && !nullKeys?.has(each)) || defaulted.has(each);
  const [name, other] = write.primaryKey.filter((each) => !isThere(each));
  if (name === undefined || other !== undefined || given.has(name)) return undefined;
  return write.fields.find(({ property, generated }) => property === name && generated);
}

/**
 * Reads rows by key and locks them, so that they are current whatever the transaction has read before.
 */
function rereadKeyed(
  target: RowTarget,
  keys: readonly string[],
  stored: (field: WriteField, sql: string) => string,
): Reread {
  const { write, dialect, alias } = target;
  const next = placeholders(dialect);
  const fields = fieldsOf(write, keys);
  const conditions = fields.map((field) => {
    const written = writtenSql(dialectOf(dialect), field, next());
    return `${alias}.${field.column} = ${stored(field, written)}`;
  });
  const text = `${rereadHead(target)} WHERE ${conditions.join(' AND ')} FOR UPDATE`;
  return { text, fields };
}

function rereadHead({ write, dialect, alias }: RowTarget): string {
  const columns = returnedColumns(write, dialect, `${alias}.`).join(', ');
  return `SELECT ${columns} FROM ${write.table} ${alias}`;
}

function conflictText({ write, dialect, alias }: RowTarget, shape: RowShape): string {
  if (shape.keys.length === 0) return '';
  const keys = fieldsOf(write, shape.keys);
  const fixed = write.fields.filter(
    (field) =>
      field.fixed !== undefined &&
      shape.given.has(field.property) &&
      !shape.keys.includes(field.property),
  );
  const updated = changedFields(write, shape).filter((field) => !fixed.includes(field));
  const table = isAliased(write) ? alias : write.table;
  const predicate = write.predicateByName ?? write.predicate;
  return dialectOf(dialect).writes.onConflict(keys, updated, {
    fixed,
    idle: idleField(write, keys),
    table,
    ...(predicate !== undefined && { predicate }),
  });
}

/** The fields whose values an existing row takes. */
function changedFields({ fields, unchanged = [] }: RowsWrite, { given, keys }: RowShape) {
  return fields.filter(
    ({ property }) =>
      given.has(property) && !keys.includes(property) && !unchanged.includes(property),
  );
}

function updateText(target: RowTarget, shape: RowShape): RowText {
  const { write, dialect, alias } = target;
  const own = dialectOf(dialect).writes;
  const next = placeholders(dialect);
  const keys = fieldsOf(write, shape.keys);
  const assigned = changedFields(write, shape);
  const fields = [...assigned, ...keys];
  const written = (field: WriteField, sql: string) => writtenSql(dialectOf(dialect), field, sql);
  const assignments = (sqlOf: (field: WriteField) => string) => {
    const texts = assigned.map((field) => `${field.column} = ${written(field, sqlOf(field))}`);
    return unlessEmpty(texts, idleField(write, keys), alias);
  };
  const returned = returnedColumns(write, dialect, `${alias}.`);
  if (shape.rows === 1 || !own.lists) {
    const set = assignments(next).join(', ');
    const conditions = keys.map((field) => {
      const { column, type } = field;
      const key = { sql: next(), type, isLiteral: false };
      const sql = dialectOf(dialect).compared(key, { type, isColumn: true, isConstant: false });
      return `${alias}.${column} = ${written(field, sql)}`;
    });
    if (write.predicate !== undefined) conditions.push(write.predicate);
    const text = `UPDATE ${write.table} ${alias} SET ${set} WHERE ${conditions.join(' AND ')}`;
    const result = { fields, isNumbered: false };
    if (own.returnsUpdated) return { ...result, text: text + returningText(returned) };
    const reread = rereadKeyed(target, shape.keys, (_, sql) => sql);
    return { ...result, text, reread };
  }
  const { lists } = own;
  const value = (field: WriteField) => lists.value(field, `given.c${fields.indexOf(field) + 1}`);
  const conditions = [
    ...keys.map((each) => `${alias}.${each.column} = ${written(each, value(each))}`),
    ...(mayRepeatKey(target, shape) ? [distinctKeys(target, keys, assigned.length)] : []),
    ...(write.predicate === undefined ? [] : [write.predicate]),
  ];
  const given = `FROM ${lists.table(fields, next, write.table)} WHERE ${conditions.join(' AND ')}`;
  const text = `UPDATE ${write.table} ${alias} SET ${assignments(value).join(', ')} ${given}`;
  return { text: text + returningText(['given.ord', ...returned]), fields, isNumbered: true };
}

/**
 * A condition that fails if the given rows, whose keys follow `before` other values, repeat a key: the subquery then
 * has more than one row. Otherwise, any of these rows would update the row in the table.
 */
function distinctKeys(
  { write, dialect }: RowTarget,
  keys: readonly WriteField[],
  before: number,
): string {
  const { lists } = dialectOf(dialect).writes;
  invariant(lists, 'rows as lists');
  const given = lists.table(keys, placeholders(dialect, before), write.table);
  const groups = keys
    .map((key, index) =>
      writtenSql(dialectOf(dialect), key, lists.value(key, `given.c${index + 1}`)),
    )
    .join(', ');
  return `1 = (SELECT 1 UNION ALL SELECT 1 FROM ${given} GROUP BY ${groups} HAVING count(*) > 1)`;
}

/**
 * The assignments, or a column assigned to itself if there are none, so that the row is still found
 * and locked.
 */
function unlessEmpty(
  assignments: readonly string[],
  idle: WriteField | undefined,
  alias: string,
): readonly string[] {
  return assignments.length > 0 || !idle
    ? assignments
    : [`${idle.column} = ${alias}.${idle.column}`];
}

/** What may be assigned to itself: PostgreSQL refuses this for a key that it always generates. */
function idleField({ fields }: RowsWrite, [key]: readonly WriteField[]): WriteField | undefined {
  return key?.generated ? (fields.find(({ generated }) => !generated) ?? key) : key;
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
    if (!field) return [];
    const column = `${prefix}${field.column}`;
    const answered = field.type === 'binary' ? quoting.base64(column) : column;
    const returned = field.isLink ? quoting.plain(answered, 'string') : answered;
    return [`${returned} AS ${quoting.quoteAlias(name)}`];
  });
  return [...columns, ...checks];
}

function placeholders(dialect: DialectName, before = 0): () => string {
  const numbering = dialectOf(dialect);
  let count = before;
  return () => {
    count += 1;
    return numbering.placeholder(count);
  };
}
