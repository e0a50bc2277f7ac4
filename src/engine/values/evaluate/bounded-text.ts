/**
 * Limits the texts that evaluations make, before they are made: a short expression over a small body can make one that
 * does not fit into memory.
 */
import { EvaluationError } from './evaluation-error.js';

/** In UTF-16 units. */
export const TEXT_LENGTH_MAX = 32 * 1024 * 1024;

/** Throws {@link EvaluationError} for a text of that length, in UTF-16 units. */
export function requireBoundedText(length: number): void {
  if (length <= TEXT_LENGTH_MAX) return;
  const message = `A text has more than ${TEXT_LENGTH_MAX} characters.`;
  throw new EvaluationError('value-out-of-range', message);
}

/** In UTF-16 units. */
const TEXTS_LENGTH_MAX = 2 * TEXT_LENGTH_MAX;
/** The most for all texts, however long the values are that they are made of: each takes time. In UTF-16 units. */
const WHOLE_LENGTH_MAX = 16 * TEXT_LENGTH_MAX;

/** Shorter texts are not counted, because the size of a body limits how many of them a request can make. */
const SHORT = 256;

/**
 * Limits the texts that a request makes together. A text counts by how much it is longer than the longest value that its
 * expression has read, because the size of the body limits those; and with a higher limit by its whole length. All lengths are in UTF-16 units.
 */
export class TextBudget {
  #left = TEXTS_LENGTH_MAX;
  #wholeLeft = WHOLE_LENGTH_MAX;
  #longestRead = 0;

  /** The evaluation of another expression begins. */
  begin(): void {
    this.#longestRead = 0;
  }

  /** The expression has read a text of that length. */
  read(length: number): void {
    if (length > this.#longestRead) this.#longestRead = length;
  }

  /** The expression has made a text of that length. Throws {@link EvaluationError} if there are too many. */
  spend(length: number): void {
    if (length < SHORT) return;
    this.#wholeLeft -= length;
    this.#left -= Math.max(0, length - this.#longestRead);
    if (this.#wholeLeft < 0) {
      const message = `The request computes texts of more than ${WHOLE_LENGTH_MAX} characters.`;
      throw new EvaluationError('value-out-of-range', message);
    }
    if (this.#left >= 0) return;
    const message = `The texts that the request computes are more than ${TEXTS_LENGTH_MAX} characters longer than its own.`;
    throw new EvaluationError('value-out-of-range', message);
  }
}

/** Throws {@link EvaluationError} if the result would be too long. */
export function joinTexts(texts: readonly string[], separator = ''): string {
  const own = texts.reduce((length, text) => length + text.length, 0);
  requireBoundedText(own + separator.length * Math.max(texts.length - 1, 0));
  return texts.join(separator);
}

/** The text with every `part`, which is not empty, replaced. Throws {@link EvaluationError} if it would be too long. */
export function replaceText(text: string, part: string, by: string): string {
  let length = text.length;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    length += by.length - part.length;
  requireBoundedText(length);
  return text.replaceAll(part, () => by);
}
