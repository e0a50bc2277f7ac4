/**
 * Expands lists for dialects without list parameters: each item becomes a placeholder. The column is
 * then compared by its own collation, and an index can be used. Lists are padded with their last item
 * to one of a few lengths, so that few different texts are prepared.
 */
import { EngineError, invariant } from '../errors.js';
import type { PropertyType } from '../schema/model.js';
import { isItems, type ParameterText } from '../values/data-value.js';

/** The protocol counts placeholders in 16 bits. */
const PLACEHOLDERS_MAX = 65_535;
/** An empty list: it contains no value. */
const EMPTY = 'SELECT NULL FROM DUAL WHERE FALSE';

/**
 * The statement with each `?` for a list repeated for each of its items. `parts`: for a list of tuples,
 * the types of their parts.
 */
export function spreadLists(
  text: string,
  values: readonly ParameterText[],
  types: readonly PropertyType[],
  parts: readonly (readonly PropertyType[] | undefined)[],
) {
  const parameters: (string | null)[] = [];
  const spreadTypes: PropertyType[] = [];
  const counts: Count[] = [];
  for (const [index, value] of values.entries()) {
    const items = isItems(value) ? filledUp(value) : [value];
    const tuple = parts[index];
    counts.push(tuple ? `${items.length}x${tuple.length}` : items.length);
    for (const item of items) {
      parameters.push(...(tuple ? textsOfTuple(item) : [item]));
      spreadTypes.push(...(tuple ?? [types[index] ?? 'string']));
    }
  }
  if (parameters.length > PLACEHOLDERS_MAX) {
    const message = `The lists have too many items: a statement of this dialect takes at most ${PLACEHOLDERS_MAX} parameters.`;
    throw new EngineError('unsupported', message);
  }
  return { text: spreadText(text, counts), parameters, types: spreadTypes };
}

/** The number of items in a list; for tuples also the number of their parts: `3x2`. */
type Count = number | `${number}x${number}`;

function textsOfTuple(item: string | null): readonly (string | null)[] {
  const parts: unknown = JSON.parse(item ?? '[]');
  invariant(Array.isArray(parts), 'a tuple is a list of texts');
  return parts.map((part: unknown) => (typeof part === 'string' ? part : null));
}

/** Texts that were expanded before, by the original text and the lengths of its lists. */
const known = new Map<string, Map<string, string>>();
const TEXTS_MAX = 128;
const LENGTHS_MAX = 16;
/** Longer texts are not kept. */
const KEPT_LENGTH_MAX = 4096;

function spreadText(text: string, counts: readonly Count[]): string {
  const length = counts.reduce<number>(
    (sum, count) => sum + Number.parseInt(`${count}`, 10),
    text.length,
  );
  if (length > KEPT_LENGTH_MAX) return spreadAnew(text, counts);
  const spreads = madeIn(known, text, TEXTS_MAX, () => new Map<string, string>());
  return madeIn(spreads, counts.join(), LENGTHS_MAX, () => spreadAnew(text, counts));
}

function spreadAnew(text: string, counts: readonly Count[]): string {
  const [first = '', ...pieces] = piecesOf(text);
  return counts.reduce<string>(
    (all, count, at) => all + placeholders(count) + (pieces[at] ?? ''),
    first,
  );
}

/**
 * The value kept under a key. Creates it if there is none, and drops all values if there are too many.
 */
function madeIn<Kept>(kept: Map<string, Kept>, key: string, most: number, make: () => Kept): Kept {
  const found = kept.get(key);
  if (found !== undefined) return found;
  if (kept.size >= most) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}

function placeholders(count: Count): string {
  if (count === 0) return EMPTY;
  if (typeof count === 'number') return repeated('?', count);
  const [rows = 0, parts = 0] = count.split('x').map(Number);
  if (rows === 0) return EMPTY.replace('NULL', repeated('NULL', parts));
  return repeated(`(${repeated('?', parts)})`, rows);
}

function repeated(text: string, count: number): string {
  return text + `, ${text}`.repeat(count - 1);
}

function filledUp(items: readonly (string | null)[]): readonly (string | null)[] {
  if (items.length === 0) return items;
  const size = filledLength(items.length);
  const last = items.at(-1) ?? null;
  const fill = Array.from({ length: size - items.length }, () => last);
  return fill.length === 0 ? items : [...items, ...fill];
}

/** The next power of two, or three quarters of it if that is enough. */
function filledLength(length: number): number {
  const power = 2 ** Math.ceil(Math.log2(length));
  return power > 2 && length <= power * 0.75 ? power * 0.75 : power;
}

/** The pieces of text between placeholders. A question mark in quotes is not a placeholder. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const [part] of text.matchAll(/`[^`]*`|'[^']*'|\?|[^`'?]+/g)) {
    if (part === '?') {
      pieces.push(piece);
      piece = '';
    } else piece += part;
  }
  return [...pieces, piece];
}
