/** The file of allowed queries, each identified by the SHA-256 of its expression: others are not executed. */
import { readFileSync } from 'node:fs';
import { unusable } from '../error-message.js';
import { isObject } from '../json-value.js';
import { digestOf, writePrivately } from './keys-file.js';

export type IsAllowed = (expression: string) => boolean;

/** Reads the file. Throws an Error that names the file. */
export function readAllowedQueries(path: string): IsAllowed {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const queries = isObject(content) ? content['queries'] : undefined;
    if (!isObject(queries)) throw new Error('expected {"queries": {"HASH": "EXPRESSION", …}}');
    for (const [hash, expression] of Object.entries(queries)) {
      const isOwn = typeof expression === 'string' && hashOf(expression) === hash;
      if (!isOwn) throw new Error(`the hash ${hash} is not that of its expression`);
    }
    const hashes = new Set(Object.keys(queries));
    return (expression) => hashes.has(hashOf(expression));
  } catch (cause) {
    throw unusable(`The queries in ${path}`, cause);
  }
}

export function writeAllowedQueries(path: string, expressions: readonly string[]): void {
  const queries = Object.fromEntries(expressions.map((text) => [hashOf(text), text.trim()]));
  writePrivately(path, { queries });
}

/** Surrounding white space does not matter. */
function hashOf(expression: string): string {
  return digestOf(expression.trim());
}
