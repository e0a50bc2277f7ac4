/**
 * Lists in the statements of a dialect that has no lists: each item becomes a placeholder of its own.
 * So a column is compared by its own collation, and an index serves. Lists are filled up by their last
 * item to one of few lengths, so that few texts are prepared, whatever the lengths.
 */
import { EngineError } from '../errors.js';
import type { PropertyType } from '../schema/model.js';
import { isItems, type ParameterText } from '../values/data-value.js';

/** The protocol counts placeholders in 16 bits. */
const PLACEHOLDERS_MAX = 65_535;
/** A list of which nothing is an item, and everything is outside. */
const EMPTY = 'SELECT NULL FROM DUAL WHERE FALSE';

/** The statement of which each `?` that stands for a list is as many as the list has items. */
export function spreadLists(
  text: string,
  values: readonly ParameterText[],
  types: readonly PropertyType[],
) {
  const parameters: (string | null)[] = [];
  const spreadTypes: PropertyType[] = [];
  const counts: number[] = [];
  for (const [index, value] of values.entries()) {
    const items = isItems(value) ? filledUp(value) : [value];
    counts.push(items.length);
    for (const item of items) {
      parameters.push(item);
      spreadTypes.push(types[index] ?? 'string');
    }
  }
  if (parameters.length > PLACEHOLDERS_MAX) {
    const message = `A list for a source of this dialect has too many items: a statement takes ${PLACEHOLDERS_MAX}.`;
    throw new EngineError('unsupported', message);
  }
  return { text: spreadText(text, counts), parameters, types: spreadTypes };
}

/** Texts that were spread lately, by what they were made of: most come again and again. */
const known = new Map<string, Map<string, string>>();
const TEXTS_MAX = 128;
const LENGTHS_MAX = 16;
/** Longer ones are not kept. */
const KEPT_LENGTH_MAX = 4096;

function spreadText(text: string, counts: readonly number[]): string {
  const length = counts.reduce((sum, count) => sum + count, text.length);
  if (length > KEPT_LENGTH_MAX) return spreadAnew(text, counts);
  const spreads = madeIn(known, text, TEXTS_MAX, () => new Map<string, string>());
  return madeIn(spreads, counts.join(), LENGTHS_MAX, () => spreadAnew(text, counts));
}

function spreadAnew(text: string, counts: readonly number[]): string {
  const [first = '', ...pieces] = piecesOf(text);
  return counts.reduce((all, count, at) => all + placeholders(count) + (pieces[at] ?? ''), first);
}

/** What is kept under a key; it is made where there is none, and all is forgotten where it is too much. */
function madeIn<Kept>(kept: Map<string, Kept>, key: string, most: number, make: () => Kept): Kept {
  const found = kept.get(key);
  if (found !== undefined) return found;
  if (kept.size >= most) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}

function placeholders(count: number): string {
  return count === 0 ? EMPTY : `?${', ?'.repeat(count - 1)}`;
}

function filledUp(items: readonly (string | null)[]): readonly (string | null)[] {
  if (items.length === 0) return items;
  const size = filledLength(items.length);
  const last = items.at(-1) ?? null;
  const fill = Array.from({ length: size - items.length }, () => last);
  return fill.length === 0 ? items : [...items, ...fill];
}

/** The next power of two, or the one half way to it. */
function filledLength(length: number): number {
  const power = 2 ** Math.ceil(Math.log2(length));
  return power > 2 && length <= power * 0.75 ? power * 0.75 : power;
}

/** The text between its placeholders; a question mark in quotes is none. */
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
