/**
 * What rows with the same properties have in common, and the texts of the statements that write them.
 */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import { dialectOf } from '../../dialects/dialects.js';
import type { PropertyType } from '../../schema/model.js';
import {
  mayRepeatKey,
  mergedInsert,
  renderRowText,
  returnsInserted,
  type RowShape,
  type RowTarget,
  type RowText,
  takesMany,
} from '../../sql/write/row-text.js';
import { factsOf } from './write-facts.js';
import type { WriteRow } from './write-row.js';

/** Facts about rows with the same properties. They are computed once and cached with the plan. */
export interface RowLikeness {
  /** Whether one statement can write several of the rows. */
  readonly isMany: boolean;
  /** The number of values in a row. */
  readonly width: number;
  /** Whether every row must already exist. */
  readonly mustExist: boolean;
  /** Whether a row may have the key of one that must not be changed, which then stays unchanged. */
  readonly hasPredicate: boolean;
  /** Whether rows whose keys differ as texts may have the same key in the database. */
  readonly mayRepeatKey: boolean;
  /** The stored names of the columns by which an upsert finds a row. */
  readonly keyColumns: readonly string[];
  /** Whether the rows have explicit keys where the database could generate them. */
  readonly isExplicit: boolean;
  /** Whether the database generates keys for the rows. */
  readonly makesKeys: boolean;
  /** The statement for this number of rows. */
  textOf(rows: number): ReadyText;
  /** The INSERT for rows of several requests; absent if they cannot be inserted together. */
  readonly merged?: ReadyText;
  /** For an upsert: the INSERT for this number of rows. */
  readonly insertTextOf?: (rows: number) => ReadyText;
}

/** A statement for rows of this likeness. */
export interface ReadyText extends ReadyStatement {
  /** Whether the first returned column is the row's number, counted from 1. */
  readonly isNumbered: boolean;
  /** The statement that reads the rows afterwards, if the first one does not return them. */
  readonly reread?: ReadyStatement;
  /** Whether the rows cannot be read back, so that they are returned as they were sent. */
  readonly isEchoed: boolean;
}

/** The text of a statement, and the positions of a row's values that are its parameters. */
export interface ReadyStatement {
  readonly text: string;
  readonly positions: readonly number[];
  readonly types: readonly PropertyType[];
}

export function likenessOf(target: RowTarget, row: WriteRow): RowLikeness {
  const { write } = target;
  const known = knownOf(target);
  const mask = maskOf(write, row, known);
  const found = known.byMask.get(mask);
  if (found) return found;
  const likeness = newLikeness(target, row, known);
  known.count(likeness.merged?.text.length ?? 0);
  known.byMask.set(mask, likeness);
  return likeness;
}

/** The keys by which an existing row is found; empty if the row can only be inserted. */
export function findKeys(write: RowsWrite, row: WriteRow): readonly string[] {
  const { action, primaryKey, uniqueKey } = write;
  if (action === 'insert') return NO_KEYS;
  if (action === 'update') return withFixed(write, primaryKey);
  if (isComplete(primaryKey, row)) return primaryKey;
  return isComplete(uniqueKey, row) ? uniqueKey : NO_KEYS;
}

const NO_KEYS: readonly string[] = [];

function isComplete(key: readonly string[], { given }: WriteRow): boolean {
  return key.length > 0 && key.every((name) => given.get(name) != null);
}

/**
 * The keys with the fixed properties, which distinguish the entity's rows from others in the same
 * table.
 */
function withFixed({ fields }: RowsWrite, keys: readonly string[]): readonly string[] {
  const fixed = fields.flatMap(({ property, fixed: text }) =>
    text === undefined ? [] : [property],
  );
  return [...new Set([...keys, ...fixed])];
}

/**
 * Limit the texts cached for a write, and their characters: a list of rows on MySQL may need 200,000. There are usually
 * few, because requests are similar; beyond one of these numbers, all of them are dropped.
 */
const TEXTS_MAX = 1000;
const CHARACTERS_MAX = 1 << 20;

class Known {
  readonly byMask = new Map<string, RowLikeness>();
  /** The positions of the keys by which inserted rows may be read. */
  readonly rereadKeys: ReadonlySet<number>;
  #count = 0;
  #characters = 0;

  constructor(target: RowTarget) {
    const { fields, primaryKey, uniqueKey, action } = target.write;
    const isReread = action !== 'update' && !returnsInserted(target);
    const keys = isReread ? [...primaryKey, ...uniqueKey] : [];
    this.rereadKeys = new Set(fields.flatMap((f, at) => (keys.includes(f.property) ? [at] : [])));
  }

  /** Counts texts with so many characters. */
  count(characters: number): void {
    this.#count += 1;
    this.#characters += characters;
    if (this.#count <= TEXTS_MAX && this.#characters <= CHARACTERS_MAX) return;
    this.byMask.clear();
    this.#count = 1;
    this.#characters = characters;
  }
}

const knownOfWrites = new WeakMap<RowsWrite, Known>();

function knownOf(target: RowTarget): Known {
  const { write } = target;
  const known = knownOfWrites.get(write) ?? new Known(target);
  knownOfWrites.set(write, known);
  return known;
}

/** A text that identifies which properties a row has, and by which key it is found. */
function maskOf(write: RowsWrite, row: WriteRow, { rereadKeys }: Known): string {
  const { given, defaults } = row;
  const { fields, action } = write;
  // A new row has its defaults as well as its given values.
  const defaulted = action === 'insert' ? 'g' : 'd';
  let mask = '';
  for (let position = 0; position < fields.length; position += 1) {
    const value = given.at(position);
    if (value === null && rereadKeys.has(position)) mask += 'n';
    else if (value !== undefined) mask += 'g';
    else mask += defaults.at(position) === undefined ? '-' : defaulted;
  }
  return action === 'upsert' ? `${mask}${findKeys(write, row).join(' ')}` : mask;
}

function newLikeness(target: RowTarget, row: WriteRow, known: Known): RowLikeness {
  const { write } = target;
  const shape = shapeOf(write, row, known);
  const { action, keys, given, defaulted } = shape;
  const { generated } = factsOf(write);
  const width = given.size + defaulted.size;
  const mustExist = action !== write.action;
  const isUpsert = action === 'upsert';
  const merged = mergedInsert(target, shape);
  return {
    isMany: width > 0 && takesMany(target, shape),
    width,
    mustExist,
    hasPredicate: !mustExist && isRestricted(write, row),
    mayRepeatKey: mayRepeatKey(target, shape),
    keyColumns: write.fields.flatMap(({ property, storedColumn }) =>
      isUpsert && keys.includes(property) ? [storedColumn] : [],
    ),
    isExplicit: generated.some(({ property }) => row.given.has(property)),
    makesKeys: generated.some(({ property }) => !row.given.has(property)),
    textOf: rememberTexts(target, shape, known),
    ...(merged && { merged: readyText(write, merged) }),
    ...(isUpsert &&
      keys.length > 0 && {
        insertTextOf: rememberTexts(target, { ...shape, action: 'insert', keys: [] }, known),
      }),
  };
}

function rememberTexts(
  target: RowTarget,
  shape: RowShape,
  known: Known,
): (rows: number) => ReadyText {
  const { lists } = dialectOf(target.dialect).writes;
  const texts = new Map<number, ReadyText>();
  return (count) => {
    const rows = lists ? Math.min(count, 2) : count;
    const found = texts.get(rows);
    if (found) return found;
    const ready = readyText(target.write, renderRowText(target, { ...shape, rows }));
    known.count(ready.text.length + (ready.reread?.text.length ?? 0));
    texts.set(rows, ready);
    return ready;
  };
}

function readyText(write: RowsWrite, { text, fields, isNumbered, reread }: RowText): ReadyText {
  return {
    ...statementOf(write, text, fields),
    isNumbered,
    ...(reread?.text !== undefined && { reread: statementOf(write, reread.text, reread.fields) }),
    isEchoed: reread !== undefined && reread.text === undefined,
  };
}

function statementOf(
  write: RowsWrite,
  text: string,
  fields: readonly WriteField[],
): ReadyStatement {
  const { names } = factsOf(write);
  const positions = fields.map(({ property }) => names.positionOf(property));
  return { text, positions, types: fields.map(({ type }) => type) };
}

function shapeOf(write: RowsWrite, row: WriteRow, { rereadKeys }: Known): RowShape {
  const mustExist = isPartial(write, row);
  const keys = findKeys(write, row);
  const isNullKey = (_: unknown, at: number) => rereadKeys.has(at) && row.given.at(at) === null;
  return {
    action: mustExist ? 'update' : write.action,
    given: new Set(row.given.keys()),
    nullKeys: new Set(write.fields.filter(isNullKey).map(({ property }) => property)),
    defaulted: new Set(row.defaults.keys()),
    keys: mustExist ? withFixed(write, keys) : keys,
    rows: 1,
  };
}

/** Whether a row lacks values that an insert needs, so that it must already exist. */
function isPartial(write: RowsWrite, row: WriteRow): boolean {
  if (write.action !== 'upsert' || findKeys(write, row).length === 0) return false;
  return lacksRequired(write, row);
}

/** Whether a row lacks values that an insert needs, and that are not `unknown` yet. */
export function lacksRequired(
  write: RowsWrite,
  { given, defaults }: WriteRow,
  unknown: ReadonlySet<string> = NO_NAMES,
): boolean {
  if (write.lacksHidden) return true;
  return write.fields.some(
    ({ property, required, generated }) =>
      required &&
      !generated &&
      !given.has(property) &&
      !defaults.has(property) &&
      !unknown.has(property),
  );
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Whether an upsert finds rows by a key that it shares with other entities of the table. */
function isRestricted(write: RowsWrite, row: WriteRow): boolean {
  const keys = findKeys(write, row);
  if (write.action !== 'upsert' || keys.length === 0) return false;
  return write.predicate !== undefined || withFixed(write, keys).length > keys.length;
}
