/** Expressions of the schema as they may be told: a key that stands in one is not part of it. */
import { holdsSecret } from '../query/schema-expression.js';

/** The text itself; of one that encrypts or decrypts, no more than that it does. */
export function maskedText(text: string): string {
  return holdsSecret(text) ? '(encrypted)' : text;
}
