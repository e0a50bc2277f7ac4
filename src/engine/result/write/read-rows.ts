/** The rows of a write from the data of a request: typed, completed, and checked all together. */
import type { Inclusion, Sentence } from '../../compiled-query.js';
import type { RowsWrite, WriteCondition } from '../../compiled-write.js';
import { EngineError, invariant } from '../../errors.js';
import { fixedMessage, nullMessage } from '../../query/write/constraints.js';
import { missingParameter } from '../arguments.js';
import { type DataObject, type DataValue, isDataObject, nameDataValue } from '../data-value.js';
import { dateTimeText } from '../date-text.js';
import type { Capabilities } from '../evaluate/capabilities.js';
import { checkConditions, checkStored, checkValue, isWithinBounds } from './check-values.js';
import { Faults, faultError } from './faults.js';
import {
  changedText,
  defaultText,
  fieldText,
  placeOfField,
  type RowObject,
  valueAt,
} from './field-text.js';
import { Texts } from './texts.js';
import { factsOf, type WriteFacts } from './write-facts.js';
import { WriteRow } from './write-row.js';

/**
 * The rows that the data holds for a sentence, with all that they include; the instant of `around` is
 * that of the request. Throws `data-malformed`, `parameter-missing`, `parameter-type`, `constraint-unmet`.
 */
export function readRows(
  sentence: Sentence,
  data: DataValue | undefined,
  around: Capabilities,
): readonly WriteRow[] {
  const reading = new Reading(around);
  const { path, shape } = rowsWriteOf(sentence);
  const place = placeOf(path);
  const found = valueAt(data ?? null, path);
  if (found === undefined && path.length > 0) throw missingParameter(path.join('.'), place);
  const rows = objectsAt(found ?? null, shape, place).map(({ object, place: at }) =>
    readRow(sentence, object, at, reading),
  );
  reading.faults.throwIfAny();
  return rows;
}

/** Reads the row of a sentence, with all that it includes, from an object at any place. */
export type ReadRow = (sentence: Sentence, object: DataObject, place: string) => WriteRow;

/** Reads one row after the other, each as {@link readRows} does, and throws what that throws. */
export function createRowReader(around: Capabilities): ReadRow {
  const reading = new Reading(around);
  return (sentence, object, place) => {
    const row = readRow(sentence, object, place, reading);
    reading.faults.throwIfAny();
    return row;
  };
}

/** The rows of each inclusion of a sentence, from the object of their one parent. */
export function readRelatedRows(
  sentence: Sentence,
  data: DataValue | undefined,
  path: readonly string[],
  around: Capabilities,
): readonly (readonly WriteRow[])[] {
  const reading = new Reading(around);
  const object = valueAt(data ?? null, path);
  const place = placeOf(path);
  if (!isDataObject(object)) throw missingParameter(path.join('.'), place);
  const rows = sentence.inclusions.map((each) => readRelated(each, object, place, reading));
  reading.faults.throwIfAny();
  return rows;
}

function placeOf(path: readonly string[]): string {
  return path.length === 0 ? 'data' : `data.${path.join('.')}`;
}

/** The error of rows that are not in their table, and lack what a new row must have. */
export function unmetOfNewRow(sentence: Sentence, rows: readonly WriteRow[]): EngineError {
  const { fields } = rowsWriteOf(sentence);
  const errors = rows.flatMap(({ place, given, defaults }) =>
    fields.flatMap(({ property, required, generated }) => {
      if (!required || generated || given.has(property) || defaults.has(property)) return [];
      return [{ message: nullMessage(sentence.entity, property), place: `${place}.${property}` }];
    }),
  );
  return faultError('constraint-unmet', errors, 'constraints are not met');
}

/** The write of a sentence whose rows are those of the data. */
export function rowsWriteOf({ write }: Sentence): RowsWrite {
  invariant(write?.kind === 'rows', 'a sentence that writes rows of the data');
  return write;
}

/** What the rows of one request share. */
class Reading {
  readonly faults = new Faults();
  readonly #given: Capabilities;
  #around: Capabilities | undefined;

  constructor(given: Capabilities) {
    this.#given = given;
  }

  /** With the instant as evaluations have it, which most writes do not ask for. */
  get around(): Capabilities {
    const { now } = this.#given;
    return (this.#around ??= { ...this.#given, now: dateTimeText(now) ?? now });
  }
}

/** An object of the data, as the texts of its fields are read. */
class ReadObject implements RowObject {
  readonly entity: string;
  readonly object: DataObject;
  readonly place: string;
  readonly #reading: Reading;

  constructor(entity: string, object: DataObject, place: string, reading: Reading) {
    this.entity = entity;
    this.object = object;
    this.place = place;
    this.#reading = reading;
  }

  get around(): Capabilities {
    return this.#reading.around;
  }

  get faults(): Faults {
    return this.#reading.faults;
  }
}

interface PlacedObject {
  readonly object: DataObject;
  readonly place: string;
}

function objectsAt(found: DataValue, shape: RowsWrite['shape'], place: string): PlacedObject[] {
  if (isDataObject(found) && shape !== 'many') return [{ object: found, place }];
  if (!Array.isArray(found) || shape === 'one') throw wrongShape(shape, found, place);
  const items: readonly DataValue[] = found;
  return items.map((object, index) => {
    const at = `${place}[${index}]`;
    if (!isDataObject(object)) throw wrongShape('one', object, at);
    return { object, place: at };
  });
}

function wrongShape(shape: RowsWrite['shape'], found: DataValue, place: string): EngineError {
  const wanted = shape === 'many' ? 'a list of objects' : 'a JSON object';
  const message = `Expected ${wanted} to write, and found ${nameDataValue(found)}.`;
  return new EngineError('data-malformed', message, { place, hint: shapeHint(found, place) });
}

function shapeHint(found: DataValue, place: string): string | undefined {
  if (Array.isArray(found)) return 'Lists are written by bulkInsert and bulkUpsert.';
  return found === null && place === 'data' ? 'What is written comes as "data".' : undefined;
}

const NO_ROWS: WriteRow['related'] = [];

function readRow(
  sentence: Sentence,
  object: DataObject,
  place: string,
  reading: Reading,
): WriteRow {
  const write = rowsWriteOf(sentence);
  const facts = factsOf(write);
  const { inclusions } = sentence;
  const related =
    inclusions.length === 0
      ? NO_ROWS
      : inclusions.map((each) => readRelated(each, object, place, reading));
  const given = readGiven(write, facts, new ReadObject(sentence.entity, object, place, reading));
  const row = new WriteRow(place, given, new Texts(facts.names), related);
  if (facts.hasDefaults) fillDefaults(sentence, row, reading);
  checkKey(write, row);
  checkRow(sentence, row, linkedProperties(sentence, row), reading);
  if (facts.changing.length > 0) changeValues(sentence, row, reading);
  return row;
}

function readGiven({ fields }: RowsWrite, { names }: WriteFacts, object: ReadObject): Texts {
  const given = new Texts(names);
  for (let position = 0; position < fields.length; position += 1) {
    const field = fields[position];
    invariant(field, 'a field at each position');
    const { property, fixed, generated } = field;
    const text = fieldText(field, object);
    if (text !== undefined && !(text === null && generated)) given.put(position, text);
    if (fixed === undefined) continue;
    if (text !== undefined && text !== fixed) {
      const message = fixedMessage(object.entity, property, fixed);
      object.faults.addUnmet(message, placeOfField(field, object.place));
    }
    given.put(position, fixed);
  }
  return given;
}

function fillDefaults(sentence: Sentence, row: WriteRow, { around }: Reading): void {
  const { entity } = sentence;
  const { fields } = rowsWriteOf(sentence);
  const { given, defaults, place } = row;
  const texts = given.over();
  for (const field of fields) {
    const { property, default: fallback } = field;
    if (!fallback || given.has(property)) continue;
    const text = defaultText(field, fallback, { entity, fields, texts, around, place });
    defaults.set(property, text);
    texts.set(property, text);
  }
}

function readRelated(
  { relation, cardinality, sentence }: Inclusion,
  object: DataObject,
  place: string,
  reading: Reading,
): readonly WriteRow[] {
  const found = valueAt(object, [relation]);
  if (found === undefined || found === null) return [];
  const shape = cardinality === 'many' ? 'many' : 'one';
  return objectsAt(found, shape, `${place}.${relation}`).map((item) =>
    readRow(sentence, item.object, item.place, reading),
  );
}

const UNLINKED: ReadonlySet<string> = new Set();

/** The foreign keys of a row that get their value when another row is stored. */
function linkedProperties(sentence: Sentence, row: WriteRow): ReadonlySet<string> {
  const { link } = rowsWriteOf(sentence);
  if (!link && sentence.inclusions.length === 0) return UNLINKED;
  const own = link?.holder === 'child' ? [link.to] : [];
  const parents = sentence.inclusions.flatMap(({ sentence: child }, index) => {
    const held = rowsWriteOf(child).link;
    const isGiven = (row.related[index] ?? []).length > 0;
    return held?.holder === 'parent' && isGiven ? [held.from] : [];
  });
  return new Set([...own, ...parents]);
}

function checkRow(
  sentence: Sentence,
  row: WriteRow,
  linked: ReadonlySet<string>,
  reading: Reading,
): void {
  const { entity } = sentence;
  const write = rowsWriteOf(sentence);
  const { fields, action, conditions } = write;
  const { given, defaults, place } = row;
  const isWhole = action === 'insert' || (action === 'upsert' && !isFound(write, row, linked));
  for (let position = 0; position < fields.length; position += 1) {
    const field = fields[position];
    invariant(field, 'a field at each position');
    if (linked.size > 0 && linked.has(field.property)) continue;
    let text = given.at(position);
    if (text === undefined) text = defaults.at(position);
    if (text === undefined) {
      if (!isWhole || field.generated) continue;
      text = null;
    }
    if (isWithinBounds(field, text)) continue;
    checkValue(entity, { field, text, place: placeOfField(field, place) }, reading.faults);
  }
  if (conditions.length === 0) return;
  const texts = knownTexts(write, row, linked, isWhole);
  const { around, faults } = reading;
  checkConditions(conditions, { entity, place, fields, texts, around }, faults);
}

/** All that is known of a row when its conditions are checked. */
function knownTexts(
  { fields, conditions }: RowsWrite,
  { given, defaults }: WriteRow,
  linked: ReadonlySet<string>,
  isWhole: boolean,
): Texts {
  const known = given.over(defaults);
  for (const property of linked) known.delete(property);
  if (!isWhole) return known;
  for (const { property, generated } of fields) {
    if (!generated && !known.has(property) && !linked.has(property)) known.set(property, null);
  }
  addHidden(conditions, known, linked);
  return known;
}

/** What the view hides cannot be given: without a default it is null in a new row. */
function addHidden(
  conditions: readonly WriteCondition[],
  known: Texts,
  linked: ReadonlySet<string>,
): void {
  for (const name of conditions.flatMap(({ hidden = [] }) => hidden)) {
    if (!known.has(name) && !linked.has(name)) known.set(name, null);
  }
}

/** Values that the schema changes on their way, from those that were checked. */
function changeValues(sentence: Sentence, row: WriteRow, { around, faults }: Reading): void {
  const { entity } = sentence;
  const write = rowsWriteOf(sentence);
  const { fields, action } = write;
  const { given, defaults, place } = row;
  const texts = given.over(defaults);
  for (const field of factsOf(write).changing) {
    const { property } = field;
    if (!texts.has(property)) continue;
    const missing = field.writeValue?.reads.find((name) => !texts.has(name));
    if (missing !== undefined && action !== 'insert') throw missingPart(property, missing, place);
    const text = changedText(field, { entity, fields, texts, around, place });
    checkStored(entity, { field, text, place: placeOfField(field, place) }, faults);
    for (const each of [given, defaults]) if (each.has(property)) each.set(property, text);
  }
}

function missingPart(property: string, missing: string, place: string): EngineError {
  const message = `Property '${property}' is stored together with '${missing}', which the data does not have.`;
  return new EngineError('parameter-missing', message, { place: `${place}.${missing}` });
}

/** An update without a filter finds its row by the key in the data, and by nothing else. */
function checkKey({ action, primaryKey, link }: RowsWrite, { given, place }: WriteRow): void {
  if (action !== 'update') return;
  const missing = primaryKey.find((name) => given.get(name) == null && !isLinked(link, name));
  if (missing === undefined) return;
  const message = `'update' takes a filter, or the key '${missing}' in the data: nothing was touched.`;
  const hint = 'To update every row, use updateAll().';
  throw new EngineError('parameter-missing', message, { place: `${place}.${missing}`, hint });
}

function isLinked(link: RowsWrite['link'], name: string): boolean {
  return link?.holder === 'child' && link.to === name;
}

/** Whether a row may be there already, so that it need not be whole. */
function isFound(write: RowsWrite, { given }: WriteRow, linked: ReadonlySet<string>): boolean {
  return [write.primaryKey, write.uniqueKey].some(
    (key) => key.length > 0 && key.every((name) => linked.has(name) || given.get(name) != null),
  );
}
