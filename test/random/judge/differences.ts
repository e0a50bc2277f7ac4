/** Compares an answer with the possible answers. */
import { type Data, jsonOfData } from '../evaluate/data.js';
import { decimalText } from '../evaluate/decimal.js';
import {
  countOf,
  type Expected,
  type ExpectedRow,
  type ExpectedRows,
} from '../evaluate/expected.js';
import { clockText, momentText } from '../evaluate/moment.js';
import {
  doubleOf,
  isArrayValue,
  isClock,
  isCoded,
  isEnumValue,
  isJsonValue,
  isMoment,
  isNumeric,
  type Numeric,
  type Value,
} from '../evaluate/value.js';
import {
  type Answered,
  canonicalNumber,
  canonicalText,
  isNumber,
  isObject,
  parseAnswer,
} from './answered.js';

/** The tolerance of approximate values, relative to their size. */
const NEAR = 1e-9;
/** Values smaller than this are compared with an absolute tolerance. */
const SMALL = 1e-3;

/** A sentence about the first difference; undefined if the answer is correct. */
export function difference(
  expected: Expected,
  found: Answered,
  path = 'answer',
): string | undefined {
  switch (expected.kind) {
    case 'value':
      return isSame(expected.value, found) ? undefined : mismatch(path, shown(expected), found);
    case 'row':
      return rowDifference(expected, found, path);
    case 'rows':
      return rowsDifference(expected, found, path);
  }
}

function rowDifference(
  { members }: ExpectedRow,
  found: Answered,
  path: string,
): string | undefined {
  if (!isObject(found)) return mismatch(path, 'an object', found);
  const names = Object.keys(found);
  if (names.length !== members.size || names.some((name) => !members.has(name))) {
    return `${path}: ${[...members.keys()].join()} expected, ${names.join()} found`;
  }
  for (const [name, each] of members) {
    const fault = difference(each, found[name] ?? null, `${path}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Each class has its positions, and the rows in these positions must be rows of the class. */
function rowsDifference(expected: ExpectedRows, found: Answered, path: string): string | undefined {
  if (!Array.isArray(found)) return mismatch(path, 'a list', found);
  const count = countOf(expected);
  if (found.length !== count) {
    return `${path}: ${count} rows expected, ${found.length} found: ${shortened(canonicalText(found))}`;
  }
  let at = 0;
  for (const [index, size] of sizesOf(expected).entries()) {
    const rows = expected.classes[index] ?? [];
    const fault = classDifference(rows, found.slice(at, at + size), `${path}[${at}`);
    if (fault !== undefined) return fault;
    at += size;
  }
  return undefined;
}

/** The number of answered rows of each class. */
export function sizesOf({ classes, from, to }: ExpectedRows): readonly number[] {
  let start = 0;
  return classes.map(({ length }) => {
    const size = Math.max(0, Math.min(start + length, to) - Math.max(start, from));
    start += length;
    return size;
  });
}

/**
 * Each answered row must match a different row of the class (bipartite matching by augmenting paths).
 */
function classDifference(
  rows: readonly ExpectedRow[],
  found: readonly Answered[],
  path: string,
): string | undefined {
  /** The index of the answered row for each matched row of the class. */
  const taken = new Map<number, number>();
  const fitting = rowsFitting(rows, found);
  /** A row that matches several may have to move to another one. */
  const take = (index: number, tried: Set<number>): boolean =>
    fitting(index).some((at) => {
      if (tried.has(at)) return false;
      tried.add(at);
      const other = taken.get(at);
      if (other !== undefined && !take(other, tried)) return false;
      taken.set(at, index);
      return true;
    });
  for (const [index, each] of found.entries()) {
    if (take(index, new Set())) continue;
    if (rows.length === 1 && rows[0]) return rowDifference(rows[0], each, `${path}]`);
    const left = rows.filter((_, at) => !taken.has(at));
    return mismatch(`${path}+${index}]`, `one of ${left.slice(0, 3).map(shown).join(' ')}`, each);
  }
  return undefined;
}

/**
 * The rows of the class that an answered row can match. Only rows with the same exact values are
 * compared.
 */
function rowsFitting(
  rows: readonly ExpectedRow[],
  found: readonly Answered[],
): (index: number) => readonly number[] {
  const names = exactMembers(rows);
  const alike = new Map<string, number[]>();
  for (const [at, { members }] of rows.entries()) {
    const key = names.map((name) => exactKey(members.get(name))).join();
    const sharing = alike.get(key);
    if (sharing) sharing.push(at);
    else alike.set(key, [at]);
  }
  const fitting = found.map((each) => {
    if (!isObject(each)) return [];
    const sharing = alike.get(names.map((name) => answeredKey(each[name])).join()) ?? [];
    return sharing.filter((at) => rows[at] && rowDifference(rows[at], each, '') === undefined);
  });
  return (index) => fitting[index] ?? [];
}

/** The members that have one exact value in every row. */
function exactMembers(rows: readonly ExpectedRow[]): readonly string[] {
  return [...(rows[0]?.members.keys() ?? [])].filter((name) =>
    rows.every(({ members }) => exactKey(members.get(name)) !== undefined),
  );
}

/**
 * The text of a possible answer, to be compared with `answeredKey`; undefined if several answers are
 * possible.
 */
function exactKey(expected: Expected | undefined): string | undefined {
  if (expected?.kind !== 'value') return undefined;
  const { value } = expected;
  if (isArrayValue(value) || isJsonValue(value)) return undefined;
  if (!isNumeric(value)) return shownValue(value);
  return value.near ? undefined : String(doubleOf(value) + 0);
}

function answeredKey(found: Answered | undefined): string {
  return isNumber(found) ? String(Number(found.value) + 0) : JSON.stringify(found ?? null);
}

function isSame(expected: Value, found: Answered): boolean {
  if (isNumeric(expected)) return isNumber(found) && isSameNumber(expected, found.value);
  if (isMoment(expected)) return found === momentText(expected);
  if (isClock(expected)) return found === clockText(expected);
  if (isCoded(expected) || isEnumValue(expected)) return found === expected.text;
  if (isJsonValue(expected)) return canonicalText(found) === canonicalJson(expected.data);
  if (isArrayValue(expected)) {
    const { items } = expected;
    const isList = Array.isArray(found) && found.length === items.length;
    return isList && items.every((item, at) => isSame(item, found[at] ?? null));
  }
  return expected === found;
}

function canonicalJson(data: Data): string {
  return canonicalText(parseAnswer(jsonOfData(data)));
}

function isSameNumber(expected: Numeric, found: string): boolean {
  if (expected.kind === 'decimal' && !expected.near) {
    return canonicalNumber(decimalText(expected)) === canonicalNumber(found);
  }
  const [wanted, value] = [doubleOf(expected), Number(found)];
  if (!expected.near) return wanted === value;
  return Math.abs(value - wanted) <= NEAR * Math.max(Math.abs(wanted), SMALL);
}

function mismatch(path: string, expected: string, found: Answered): string {
  return `${path}: ${shortened(expected)} expected, ${shortened(canonicalText(found))} found`;
}

/** An expected value as JSON. */
export function shown(expected: Expected): string {
  switch (expected.kind) {
    case 'value':
      return shownValue(expected.value);
    case 'row':
      return `{${[...expected.members].map(([name, each]) => `"${name}":${shown(each)}`).join(',')}}`;
    case 'rows':
      return `[${expected.classes.flat().slice(expected.from, expected.to).map(shown).join(',')}]`;
  }
}

function shownValue(value: Value): string {
  if (isNumeric(value)) {
    const text = value.kind === 'decimal' ? decimalText(value) : String(value.value);
    return value.near ? `about ${text}` : text;
  }
  if (isMoment(value)) return JSON.stringify(momentText(value));
  if (isCoded(value) || isEnumValue(value)) return JSON.stringify(value.text);
  if (isArrayValue(value)) return `[${value.items.map(shownValue).join(',')}]`;
  if (isJsonValue(value)) return jsonOfData(value.data);
  return JSON.stringify(isClock(value) ? clockText(value) : value);
}

function shortened(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
