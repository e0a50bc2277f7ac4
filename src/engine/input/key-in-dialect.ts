/** Writes a key that a database of one dialect has sent as one for a database of another dialect. */
import { dialectOf } from '../dialects/dialects.js';
import { EngineError, invariant } from '../errors.js';
import type { DialectName, PropertyType } from '../schema/model.js';
import { canonicalText } from '../values/canonical-text.js';

/** Undefined if no row of the other database has the key. */
export function keyInDialect(
  name: DialectName,
  type: PropertyType,
  text: string,
): string | undefined {
  // It is base64 everywhere.
  if (type === 'binary') return text;
  if (name === 'PostgreSQL' && !isInPostgresql(type, text)) return undefined;
  const canonical = canonicalText(type, text);
  try {
    return canonical === undefined ? undefined : dialectOf(name).scalar(canonical, type);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** As PostgreSQL reads it. */
const UUID = /^(?:\{[\da-f]{4}(?:-?[\da-f]{4}){7}\}|[\da-f]{4}(?:-?[\da-f]{4}){7})$/i;
const INTEGER = /^-?\d+$/;
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

/** Whether PostgreSQL can have the key of a MySQL or MariaDB database, and does not refuse it. */
function isInPostgresql(type: PropertyType, text: string): boolean {
  switch (type) {
    case 'uuid':
      return UUID.test(text);
    case 'integer':
      return !INTEGER.test(text) || (BigInt(text) >= LEAST && BigInt(text) <= GREATEST);
    default:
      return !text.includes('\0');
  }
}

/** The same for a key of several columns, which is the JSON of a list of texts. */
export function tupleInDialect(
  name: DialectName,
  types: readonly PropertyType[],
  text: string,
): string | undefined {
  const parts: unknown = JSON.parse(text);
  invariant(Array.isArray(parts), 'a tuple is a list of texts');
  const texts = parts.map((part: unknown, index) =>
    typeof part === 'string' ? keyInDialect(name, types[index] ?? 'string', part) : null,
  );
  return texts.includes(undefined) ? undefined : JSON.stringify(texts);
}
