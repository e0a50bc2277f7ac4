/** The keys of parents, as the source of the children reads them. */
import {
  type DialectName,
  dialectOf,
  type Include,
  keyInDialect,
  type PropertyType,
  type StatementPlan,
  tupleInDialect,
} from '../../engine/index.js';
import { alikeKeys } from './alike-keys.js';

const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

/** The keys to ask for, without those that no child can have. */
export function keysToAsk(
  keys: readonly string[],
  parent: StatementPlan,
  { statement, parentKeyColumn }: Include,
): readonly string[] {
  const own = parent.columns[parentKeyColumn]?.type;
  const { dialect } = statement;
  if (!isFraction(own) && dialect === parent.dialect) return keys;
  const list = statement.arguments.find(({ kind }) => kind === 'parentKeys');
  if (list?.kind !== 'parentKeys') return keys;
  const { type, parts } = list;
  const numbers = keysAs({ type, dialect }, own, keys);
  if (dialect === parent.dialect) return numbers;
  return numbers.flatMap(
    (key) => (parts ? tupleInDialect(dialect, parts, key) : keyInDialect(dialect, type, key)) ?? [],
  );
}

/** A column with which keys are compared, or in which they are stored. */
interface KeyColumn {
  readonly type: PropertyType;
  readonly dialect: DialectName;
}

/**
 * The keys of type `own` for a column of another type. Decimals and doubles for integers are written as integers, because
 * PostgreSQL reads no `7.00` as one; keys that its integers cannot have are left out.
 */
export function keysAs(
  { type, dialect }: KeyColumn,
  own: PropertyType | undefined,
  keys: readonly string[],
): readonly string[] {
  if (!isFraction(own) || type !== 'integer') return keys;
  return keys.flatMap((key) => wholeText(key, dialect) ?? []);
}

function isFraction(type: PropertyType | undefined): boolean {
  return type === 'decimal' || type === 'number';
}

/** The most keys of a statement whose list has a placeholder for each part of a key. */
const PLACEHOLDERS_MAX = 1 << 14;

/**
 * The keys of each statement that asks for some of them. Keys that the database may consider equal are in the same
 * statement, because each would return their children.
 */
export function keysByStatement(
  keys: readonly string[],
  { statement: { dialect, arguments: given }, hasEqualParents }: Include,
): readonly (readonly string[])[] {
  if (keys.length === 0) return [];
  if (dialectOf(dialect).list) return [keys];
  const list = given.find(({ kind }) => kind === 'parentKeys');
  const width = list?.kind === 'parentKeys' ? (list.parts?.length ?? 1) : 1;
  const count = Math.floor(PLACEHOLDERS_MAX / width);
  if (hasEqualParents && keys.length > count) return alikeTogether(keys, count);
  return Array.from({ length: Math.ceil(keys.length / count) }, (_, index) =>
    keys.slice(index * count, (index + 1) * count),
  );
}

/** Lists of about `count` keys. */
function alikeTogether(keys: readonly string[], count: number): readonly (readonly string[])[] {
  const lists: string[][] = [[]];
  for (const group of alikeKeys(keys)) {
    const last = lists.at(-1);
    if (last && last.length < count) last.push(...group);
    else lists.push([...group]);
  }
  return lists;
}

function wholeText(text: string, dialect: DialectName): string | undefined {
  const whole = /^-?\d+(?=(?:\.0*)?$)/.exec(text)?.[0] ?? wholeDouble(text);
  // MySQL and MariaDB have integers without a sign, and compare larger numbers with all of them.
  if (whole === undefined || dialect !== 'PostgreSQL') return whole;
  const value = BigInt(whole);
  return value >= LEAST && value <= GREATEST ? whole : undefined;
}

/** Only doubles have exponents. */
function wholeDouble(text: string): string | undefined {
  const value = Number(text);
  return /e/i.test(text) && Number.isInteger(value) ? BigInt(value).toString() : undefined;
}
