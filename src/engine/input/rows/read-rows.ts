/**
 * Reads the rows of a write from the data of a request: converts, completes and checks their values.
 */
import type { Include, StatementPlan } from '../../compiled-query.js';
import type { RowsWrite } from '../../compiled-write.js';
import { EngineError, invariant } from '../../errors.js';
import { fixedMessage, nullMessage, untoldMessage } from '../../query/write/constraints.js';
import { missingParameter } from '../arguments.js';
import { misspelt } from '../misspelt.js';
import { isImpossibleKey } from '../impossible-keys.js';
import {
  type DataObject,
  type DataValue,
  isDataList,
  isDataObject,
  nameDataValue,
  valueAt,
} from '../../values/data-value.js';
import { dialectOf } from '../../dialects/dialects.js';
import { dateTimeText } from '../../values/date-text.js';
import { TextBudget } from '../../values/evaluate/bounded-text.js';
import type { Capabilities } from '../../values/evaluate/capabilities.js';
import { checkConditions, checkValue, isWithinBounds } from './check-values.js';
import { Faults, faultError } from './faults.js';
import { fieldText, placeOfField, type RowObject } from './field-text.js';
import { isLateChange, lateDefaults, lateValues } from './late-values.js';
import { changeValues, fillAbsent, fillDefaults } from './made-values.js';
import { lacksRequired } from './row-likeness.js';
import { Texts } from './texts.js';
import { rowsWriteOf, factsOf, type WriteFacts } from './write-facts.js';
import { WriteRow } from './write-row.js';

/**
 * The rows in the data for a statement and its includes. Throws `data-malformed`, `parameter-missing`,
 * `parameter-type` and `constraint-unmet`. The rows of an import may have all values that a database can store.
 */
export function readRows(
  statement: StatementPlan,
  data: DataValue | undefined,
  capabilities: Capabilities & { readonly isImport?: boolean | undefined },
): readonly WriteRow[] {
  const reading = newReading(capabilities, capabilities.isImport);
  const write = rowsWriteOf(statement);
  const { path, shape } = write;
  const place = placeOf(path);
  const found = valueAt(data ?? absentData(write), path);
  if (found === undefined && path.length > 0) throw missingParameter(path.join('.'), place);
  const rows = objectsAt(found ?? null, shape, place).map(({ object, place: at }) =>
    readRow(statement, object, at, reading),
  );
  reading.faults.throwIfAny();
  return rows;
}

/** What a request without data writes: a row whose values the query names may need none. */
function absentData({ shape, fields }: RowsWrite): DataValue {
  const isNamed = fields.some(({ value: { kind } }) => kind !== 'member' && kind !== 'none');
  return isNamed && shape !== 'many' ? {} : null;
}

/** Reads the row of a statement, with its included rows, from an object at any place in the data. */
export type ReadRow = (statement: StatementPlan, object: DataObject, place: string) => WriteRow;

/** Reads the rows of an import one at a time, with the same errors as {@link readRows}. */
export function createRowReader(capabilities: Capabilities): ReadRow {
  // The database may generate the key of a parent after the rows have been read.
  const reading = newReading(capabilities, true, false);
  return (statement, object, place) => {
    const row = readRow(statement, object, place, reading);
    reading.faults.throwIfAny();
    return row;
  };
}

/** The rows of each include of a statement, from the object of their only parent. */
export function readRelatedRows(
  statement: StatementPlan,
  data: DataValue | undefined,
  path: readonly string[],
  capabilities: Capabilities,
): readonly (readonly WriteRow[])[] {
  const reading = newReading(capabilities);
  const object = valueAt(data ?? null, path);
  const place = placeOf(path);
  if (!isDataObject(object)) throw missingParameter(path.join('.'), place);
  const rows = statement.includes.map((each) => readRelated(each, object, place, reading));
  reading.faults.throwIfAny();
  return rows;
}

function placeOf(path: readonly string[]): string {
  return path.length === 0 ? 'data' : `data.${path.join('.')}`;
}

/**
 * The error for rows that do not exist and lack values to be inserted; undefined if they lack only
 * hidden ones.
 */
export function unmetOfNewRow(
  statement: StatementPlan,
  rows: readonly WriteRow[],
): EngineError | undefined {
  const { fields } = rowsWriteOf(statement);
  const errors = rows.flatMap(({ place, given, defaults }) =>
    fields.flatMap((field) => {
      const { property, required, generated, hidden } = field;
      if (!required || generated || given.has(property) || defaults.has(property)) return [];
      const { entity } = statement;
      const message = hidden ? untoldMessage(entity) : nullMessage(entity, property);
      return [{ message, place: hidden ? place : `${place}.${property}` }];
    }),
  );
  if (errors.length === 0) return undefined;
  return faultError('constraint-unmet', errors, 'constraints are not met');
}

/** What the rows of one request share. */
interface Reading {
  readonly faults: Faults;
  readonly capabilities: Capabilities;
  readonly isImport: boolean;
  /** Whether constraints are checked once the foreign keys that they read are known. */
  readonly checksKeys: boolean;
}

function newReading({ now, cipher }: Capabilities, isImport = false, checksKeys = true): Reading {
  // No client chooses what an import computes.
  const budget = isImport ? undefined : new TextBudget();
  const capabilities = { now: dateTimeText(now) ?? now, cipher, budget };
  return { faults: new Faults(), capabilities, isImport, checksKeys };
}

function objectsAt(found: DataValue, shape: RowsWrite['shape'], place: string) {
  if (isDataObject(found) && shape !== 'many') return [{ object: found, place }];
  if (!isDataList(found) || shape === 'one') throw wrongShape(shape, found, place);
  return found.map((object, index) => {
    const at = `${place}[${index}]`;
    if (!isDataObject(object)) throw wrongShape('one', object, at);
    return { object, place: at };
  });
}

function wrongShape(shape: RowsWrite['shape'], found: DataValue, place: string): EngineError {
  const wanted = shape === 'many' ? 'a list of objects' : 'a JSON object';
  const message = `Expected ${wanted} to write, but found ${nameDataValue(found)}.`;
  return new EngineError('data-malformed', message, { place, hint: shapeHint(found, place) });
}

function shapeHint(found: DataValue, place: string): string | undefined {
  if (Array.isArray(found)) return 'To write a list, use bulkInsert or bulkUpsert.';
  if (isDataObject(found)) return 'Write a list that contains the object: [{…}].';
  return found === null && place === 'data' ? 'Send the row as "data".' : undefined;
}

const NO_ROWS: WriteRow['related'] = [];

function readRow(
  statement: StatementPlan,
  object: DataObject,
  place: string,
  reading: Reading,
): WriteRow {
  const write = rowsWriteOf(statement);
  const facts = factsOf(write);
  const { entity, dialect, includes } = statement;
  const { capabilities, faults } = reading;
  const related =
    includes.length === 0
      ? NO_ROWS
      : includes.map((each) => readRelated(each, object, place, reading));
  const otherTexts = reading.isImport ? dialectOf(dialect).writes.storedTexts : undefined;
  const read = { entity, object, place, capabilities, otherTexts, faults };
  const given = readGiven(write, facts, read);
  const row = new WriteRow(place, given, new Texts(facts.names), related);
  const linked = linkedProperties(statement, row);
  const late = linked.size === 0 ? linked : lateDefaults(write, row, linked);
  const isWhole = isNew(write, row, linked);
  if (facts.defaulted.length > 0) {
    const isFilled = (name: string) => !given.has(name) && !late.has(name);
    fillDefaults(statement, row, { isFilled, isWhole, capabilities, texts: given.over() });
  }
  checkKey(write, row);
  const unknown = late.size === 0 ? linked : new Set([...linked, ...late]);
  checkRow(statement, row, { unknown, isWhole, object }, reading);
  dropImpossibleKeys(statement, row);
  const changing = facts.changing.filter((field) => !isLateChange(field, linked, late));
  if (linked.size === 0 && changing.length === 0) return row;
  if (linked.size > 0) {
    const { checksKeys } = reading;
    row.complete = lateValues(statement, row, { linked, late, isWhole, checksKeys, capabilities });
  }
  changeValues(statement, row, changing, { capabilities, faults, isWhole });
  return row;
}

function readGiven({ fields, action }: RowsWrite, { names }: WriteFacts, object: RowObject): Texts {
  const given = new Texts(names);
  for (let position = 0; position < fields.length; position += 1) {
    const field = fields[position];
    invariant(field, 'a field at each position');
    const { property, fixed, generated } = field;
    const text = fieldText(field, object);
    const isAbsent = text === null && generated && action !== 'update';
    if (text !== undefined && !isAbsent) given.put(position, text);
    if (fixed === undefined) continue;
    if (text !== undefined && text !== fixed) {
      const message = fixedMessage(object.entity, property, fixed);
      object.faults.addUnmet(message, placeOfField(field, object.place));
    }
    given.put(position, fixed);
  }
  return given;
}

function readRelated(
  { relation, cardinality, statement }: Include,
  object: DataObject,
  place: string,
  reading: Reading,
): readonly WriteRow[] {
  const found = valueAt(object, [relation]);
  if (found === undefined || found === null) return [];
  const shape = cardinality === 'many' ? 'many' : 'one';
  return objectsAt(found, shape, `${place}.${relation}`).map((item) =>
    readRow(statement, item.object, item.place, reading),
  );
}

const UNLINKED: ReadonlySet<string> = new Set();

/** The foreign keys of a row that get their values when another row is stored. */
function linkedProperties(statement: StatementPlan, row: WriteRow): ReadonlySet<string> {
  const { link } = rowsWriteOf(statement);
  if (!link && statement.includes.length === 0) return UNLINKED;
  const own = link?.holder === 'child' ? link.to : [];
  const parents = statement.includes.flatMap(({ statement: child }, index) => {
    const held = rowsWriteOf(child).link;
    const isGiven = (row.related[index] ?? []).length > 0;
    return held?.holder === 'parent' && isGiven ? held.from : [];
  });
  return new Set([...own, ...parents]);
}

/** The properties that a check skips, and whether absent values count as null. */
interface Completeness {
  readonly unknown: ReadonlySet<string>;
  readonly isWhole: boolean;
  /** Where the row was read. */
  readonly object: DataObject;
}

function checkRow(
  statement: StatementPlan,
  row: WriteRow,
  { unknown, isWhole, object }: Completeness,
  reading: Reading,
): void {
  const { entity } = statement;
  const write = rowsWriteOf(statement);
  const { fields, conditions } = write;
  const { given, place } = row;
  // A row that can only be updated does not get its defaults.
  const isUpdated = !isWhole && lacksRequired(write, row, unknown);
  const defaults = isUpdated ? NO_DEFAULTS : row.defaults;
  for (let position = 0; position < fields.length; position += 1) {
    const field = fields[position];
    invariant(field, 'a field at each position');
    if (unknown.size > 0 && unknown.has(field.property)) continue;
    let text = given.at(position);
    if (text === undefined) text = defaults.at(position);
    if (text === undefined) {
      if (!isWhole || field.generated) continue;
      text = null;
    }
    if (isWithinBounds(field, text)) continue;
    const hint = () => misspeltMember(statement, field.property, object);
    checkValue(entity, { field, text, place: placeOfField(field, place), hint }, reading.faults);
  }
  if (conditions.length === 0) return;
  const texts = given.over(defaults);
  for (const property of unknown) texts.delete(property);
  if (isWhole) fillAbsent(write, texts, unknown);
  const { capabilities, faults } = reading;
  checkConditions(conditions, { entity, place, fields, texts, capabilities }, faults);
}

const NO_DEFAULTS = new Texts();

/** The hint for a missing value, if the object has a member of a similar name that the write does not use. */
function misspeltMember(statement: StatementPlan, name: string, object: DataObject) {
  const { includes } = statement;
  const properties = rowsWriteOf(statement).fields.map(({ property }) => property);
  const used = new Set([...properties, ...includes.map(({ relation }) => relation)]);
  const similar = misspelt(name, object, used);
  return similar === undefined ? undefined : `The data has '${similar}', which is not used.`;
}

/** Whether the row may be a new one, in which absent values are null. */
function isNew(write: RowsWrite, row: WriteRow, linked: ReadonlySet<string>): boolean {
  if (write.action === 'insert') return true;
  return write.action === 'upsert' && !isFound(write, row, linked);
}

/** Throws if an update without a filter has no complete key in the data. */
function checkKey({ action, primaryKey, link }: RowsWrite, { given, place }: WriteRow): void {
  if (action !== 'update') return;
  const linked = link?.holder === 'child' ? link.to : [];
  const missing = primaryKey.find((name) => given.get(name) == null && !linked.includes(name));
  if (missing === undefined) return;
  const message = `'update' needs a filter, or the key '${missing}' in the data. Nothing was changed.`;
  const hint = 'To update every row, use updateAll().';
  throw new EngineError('parameter-missing', message, { place: `${place}.${missing}`, hint });
}

/** An update by such a key finds no row. */
function dropImpossibleKeys(statement: StatementPlan, { given }: WriteRow): void {
  const { action, primaryKey, fields } = rowsWriteOf(statement);
  if (action !== 'update') return;
  for (const { property, type } of fields) {
    if (type !== 'integer' || !primaryKey.includes(property)) continue;
    if (isImpossibleKey(statement.dialect, given.get(property))) given.set(property, null);
  }
}

/** Whether a row may already exist, so that it need not be complete. */
function isFound(write: RowsWrite, { given }: WriteRow, linked: ReadonlySet<string>): boolean {
  return [write.primaryKey, write.uniqueKey].some(
    (key) => key.length > 0 && key.every((name) => linked.has(name) || given.get(name) != null),
  );
}
